"""What holds in all of the best mappings of a pair, and what only in some of them."""
