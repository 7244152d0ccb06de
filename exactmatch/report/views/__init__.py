"""Views of a pair of graphs: texts, drawings, and marks of matches and differences."""
