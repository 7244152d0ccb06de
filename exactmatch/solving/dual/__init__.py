"""Upper bounds on the score of any mapping, each with the numbers that prove it."""
