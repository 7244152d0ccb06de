"""Studies of many scores: a folder for each, with its public function, measure and report."""
