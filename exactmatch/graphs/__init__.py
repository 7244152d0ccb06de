"""Graphs: from text to pairs of graphs that are compared."""
