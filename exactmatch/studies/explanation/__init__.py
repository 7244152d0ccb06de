"""The difference of two scores of the same files, explained."""
