"""AMR: its labels and triples, documents, standardisation, and AMRs from MRP and SBN."""
