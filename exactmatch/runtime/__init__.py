"""What the machine gives: processes, clusters, memory, files, checkpoints, progress, streams."""
