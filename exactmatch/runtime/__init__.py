"""Resources of the machine: processes, clusters, memory, files, checkpoints, progress, streams."""
