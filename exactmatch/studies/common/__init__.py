"""Studies: agreement of annotators, search error of heuristics, ranking of systems."""
