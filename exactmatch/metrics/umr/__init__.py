"""UMR: how the nodes of two documents are mapped by rules."""
