"""A problem in, a proven interval out: search, dual bounds, strategy, all best mappings."""
