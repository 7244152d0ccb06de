"""Solve a problem to a proven interval: search, dual bounds, strategy, and all best mappings."""
