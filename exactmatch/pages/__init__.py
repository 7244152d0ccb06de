"""Pages that show pairs of graphs, in HTML."""
