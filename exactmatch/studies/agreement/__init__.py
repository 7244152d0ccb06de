"""Inter-annotator agreement."""
