"""Translate certificates into cutting-planes proofs, which VeriPB checks."""
