"""Reports: a result, written for people or for programs. Nothing is computed here."""
