"""Exchange: the problem of a pair written for solvers that are not ours, and what they answer."""
