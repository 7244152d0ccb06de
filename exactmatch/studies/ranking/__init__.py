"""Systems ranked against a gold standard."""
