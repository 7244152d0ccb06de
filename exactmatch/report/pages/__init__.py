"""HTML pages that show pairs of graphs: what is put into them, and how they are put together."""
