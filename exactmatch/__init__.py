"""Exact scores for semantic graphs: the true Smatch, with proof that no mapping does better.

`score` compares files, texts or graphs, `best_mapping` a single pair.
"""

from typing import TYPE_CHECKING, Any

from exactmatch._version import __version__
from exactmatch.errors import (
    ExactmatchError,
    GraphError,
    InputError,
    NotProvenError,
    UsageError,
    VerificationError,
)

if TYPE_CHECKING:
    from exactmatch.api import best_mapping, load, loads, score, score_pairs
    from exactmatch.graph import Graph
    from exactmatch.inputs import Graphs
    from exactmatch.joint import joint_graph
    from exactmatch.metrics.base import Metric
    from exactmatch.metrics.registry import METRICS
    from exactmatch.network import from_networkx, to_networkx
    from exactmatch.results import CorpusScore, PairScore

__all__ = [
    "METRICS",
    "CorpusScore",
    "ExactmatchError",
    "Graph",
    "GraphError",
    "Graphs",
    "InputError",
    "Metric",
    "NotProvenError",
    "PairScore",
    "UsageError",
    "VerificationError",
    "__version__",
    "best_mapping",
    "from_networkx",
    "joint_graph",
    "load",
    "loads",
    "score",
    "score_pairs",
    "to_networkx",
]

#: Where the rest is; imported on first use, so that the command line starts at once.
_LAZY = {
    "METRICS": "exactmatch.metrics.registry",
    "CorpusScore": "exactmatch.results",
    "Graph": "exactmatch.graph",
    "Graphs": "exactmatch.inputs",
    "Metric": "exactmatch.metrics.base",
    "PairScore": "exactmatch.results",
    "best_mapping": "exactmatch.api",
    "load": "exactmatch.api",
    "loads": "exactmatch.api",
    "score": "exactmatch.api",
    "score_pairs": "exactmatch.api",
    "from_networkx": "exactmatch.network",
    "joint_graph": "exactmatch.joint",
    "to_networkx": "exactmatch.network",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return __all__
