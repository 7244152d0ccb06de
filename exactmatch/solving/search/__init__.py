"""Heuristics: mappings that are good, with no word about how good the best one is."""
