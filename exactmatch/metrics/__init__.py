"""Metrics: a module for each, and families in folders; nothing is solved here."""
