"""A pair and a corpus: options, comparison, recount, results and sums; faults of graphs."""
