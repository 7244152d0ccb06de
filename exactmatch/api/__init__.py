"""The public functions, a module for each task; `exactmatch` imports them on first use."""
