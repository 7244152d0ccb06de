"""Readers from text to graphs, a module for each format."""
