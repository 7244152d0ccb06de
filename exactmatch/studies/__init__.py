"""Studies of many scores: one folder a study."""
