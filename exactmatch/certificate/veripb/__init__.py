"""Certificates as proofs by cutting planes, which VeriPB checks."""
