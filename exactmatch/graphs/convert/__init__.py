"""Graphs from and to what others use: networkx, and text in SBN."""
