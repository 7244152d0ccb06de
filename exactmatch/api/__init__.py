"""The public functions on files, a module for each task; `exactmatch` has them by name."""
