"""Convert graphs from and to networkx, and to text in SBN."""
