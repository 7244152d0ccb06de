"""Lay results out as text, JSON, tables, plots, drawings and pages; no score is computed here."""
