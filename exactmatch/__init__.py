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
    from exactmatch.api import Graphs, best_mapping, score
    from exactmatch.corpus import CorpusScore, PairScore
    from exactmatch.joint import joint_graph
    from exactmatch.metrics.profiles import Profile
    from exactmatch.metrics.registry import METRICS
    from exactmatch.network import from_networkx, to_networkx

__all__ = [
    "METRICS",
    "CorpusScore",
    "ExactmatchError",
    "GraphError",
    "Graphs",
    "InputError",
    "NotProvenError",
    "PairScore",
    "Profile",
    "UsageError",
    "VerificationError",
    "__version__",
    "best_mapping",
    "from_networkx",
    "joint_graph",
    "score",
    "to_networkx",
]

#: Where the rest is; imported on first use, so that the command line starts at once.
_LAZY = {
    "Graphs": "exactmatch.api",
    "best_mapping": "exactmatch.api",
    "score": "exactmatch.api",
    "CorpusScore": "exactmatch.corpus",
    "PairScore": "exactmatch.corpus",
    "METRICS": "exactmatch.metrics.registry",
    "Profile": "exactmatch.metrics.profiles",
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
