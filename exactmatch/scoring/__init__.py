"""Scores of pairs and of corpora, with their bounds and proofs."""
