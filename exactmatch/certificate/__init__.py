"""Checkers of proofs, which trust nobody, and translations of proofs for others."""
