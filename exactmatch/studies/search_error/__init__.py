"""How far heuristics, ours or another tool's, miss the optimum."""
