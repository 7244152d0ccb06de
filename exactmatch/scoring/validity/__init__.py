"""Checks for the faults of graphs, whether or not the graphs can be scored."""
