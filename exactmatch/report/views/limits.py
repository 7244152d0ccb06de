"""How large a pair may be that is shown as a whole; known without loading anything."""

#: So many nodes and triples, those of both graphs together.
VIEW_LIMIT = 20_000
