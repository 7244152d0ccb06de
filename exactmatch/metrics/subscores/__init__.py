"""Scores of single phenomena: labels, parts of graphs under a mapping of their own, and aspects."""
