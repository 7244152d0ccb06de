"""Scores of single phenomena: labels, parts of graphs under their own mappings, and aspects."""
