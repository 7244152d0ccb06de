"""What is to be seen in a pair of graphs, without saying how it is shown."""
