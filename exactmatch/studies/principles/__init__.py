"""Metrics tested against the principles of Opitz et al. (2020)."""
