"""What studies share: files and items, sweeps over pairs, statistics, names of metrics, pages."""
