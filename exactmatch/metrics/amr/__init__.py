"""AMR: labels, triples, documents, and what standardises them."""
