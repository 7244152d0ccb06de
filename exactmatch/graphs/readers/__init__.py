"""Readers: text in, graphs out. A module for each format."""
