"""Agreement corrected for chance, by the distances of all graphs of a corpus."""
