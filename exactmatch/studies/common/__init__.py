"""Parts that studies share: items, sweeps over pairs, statistics, names of metrics, pages."""
