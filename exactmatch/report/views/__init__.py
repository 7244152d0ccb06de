"""What there is to see in a pair of graphs: texts, drawings, and marks of what matches."""
