"""Readers: text in, graphs out. One file a format."""
