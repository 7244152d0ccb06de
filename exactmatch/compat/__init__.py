"""The functions of smatch 1.0.4 under their own names, with exact scores."""
