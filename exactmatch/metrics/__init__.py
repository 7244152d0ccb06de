"""What is counted: a module for each metric, and families in folders. Nothing is solved here."""
