"""HTML pages that show pairs of graphs: their content, and how they are written."""
