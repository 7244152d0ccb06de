"""Heuristics: they find good mappings, without any bound on the best one."""
