"""UMR: keys of nodes, relations of documents, and mappings that are made by rules."""
