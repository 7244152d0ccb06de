"""UMR: keys of nodes, relations of documents, and mappings made by rules."""
