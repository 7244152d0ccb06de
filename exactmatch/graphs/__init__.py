"""Text in, pairs of graphs out: readers, inputs, pairing, selection, items of a study."""
