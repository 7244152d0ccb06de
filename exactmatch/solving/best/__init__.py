"""Facts about all best mappings of a problem: common pairs, and ranges of counts."""
