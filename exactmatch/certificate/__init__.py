"""Certificates: what is proven of a pair, written down, and a checker that trusts nobody."""
