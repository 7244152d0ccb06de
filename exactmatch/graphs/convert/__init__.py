"""Graphs of this package from, and to, what others use."""
