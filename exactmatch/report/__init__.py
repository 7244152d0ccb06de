"""Layout: results as text, JSON, tables, plots, drawings and pages. No score is computed here."""
