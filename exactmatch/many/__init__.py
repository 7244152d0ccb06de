"""Many graphs at once: all pairs of them, neighbours, candidates and their consensus."""
