"""Adjudication: what several annotators say of an item, what was decided, and what comes out."""
