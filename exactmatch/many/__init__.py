"""Many graphs at once: pairs, neighbours, candidates and their consensus, adjudication."""
