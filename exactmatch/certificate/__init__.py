"""Checkers of proofs, independent of the solvers, and translations of proofs for other programs."""
