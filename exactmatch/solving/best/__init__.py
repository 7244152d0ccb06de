"""All best mappings of a pair: what they have in common, and how far counts move."""
