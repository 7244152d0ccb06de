"""Other programs' scorers by their own functions, exact."""
