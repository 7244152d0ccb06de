"""Metrics compared with each other and with human ratings."""
