"""What is wrong with graphs, whether or not it keeps them from being scored."""
