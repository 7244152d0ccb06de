"""Metrics: two graphs in, a matching problem out. One file a metric."""
