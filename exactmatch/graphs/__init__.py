"""From text to pairs of graphs: readers, inputs, pairing, selection, and items of a study."""
