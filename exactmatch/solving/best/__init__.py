"""All best mappings of a problem: what they have in common, and how far counts move."""
