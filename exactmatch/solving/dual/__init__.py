"""Upper bounds on the score of any mapping, with the numbers that prove them."""
