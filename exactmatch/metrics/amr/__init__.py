"""AMR: its labels and triples, documents, standardisation, AMRs in MRP and from SBN."""
