"""Exact scores for semantic graphs: the true Smatch, with proof that no mapping does better.

`score` compares files, texts or graphs, `best_mapping` a single pair. What the commands do, there
are functions for: `agreement`, `compare`, `search_error`, `explain`, `principles`, `correlate`,
`best_mappings`, `show`, `check`, `verify`, `export`, `export_proofs` and `import_solution`.
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
    WorkerError,
)

if TYPE_CHECKING:
    from exactmatch.api.agreement import agreement
    from exactmatch.api.candidates import Candidates, candidates
    from exactmatch.api.consensus import consensus
    from exactmatch.api.corpora import matrix, nearest
    from exactmatch.api.correlation import correlate
    from exactmatch.api.diff import diff
    from exactmatch.api.exchange import export, import_solution
    from exactmatch.api.explanation import explain
    from exactmatch.api.graphs import load, loads
    from exactmatch.api.mappings import best_mappings
    from exactmatch.api.metrics import metric
    from exactmatch.api.principles import principles
    from exactmatch.api.proof_files import ProofFiles, export_proofs
    from exactmatch.api.ranking import compare
    from exactmatch.api.rewards import reward
    from exactmatch.api.scorer import Scorer
    from exactmatch.api.scores import best_mapping, score, score_pairs
    from exactmatch.api.search_error import search_error
    from exactmatch.api.shown import show
    from exactmatch.api.study import StudyResult
    from exactmatch.api.subscores import select_subscores
    from exactmatch.api.validity import Validity, check
    from exactmatch.api.verification import Verification, verify
    from exactmatch.graph import Graph
    from exactmatch.inputs import Graphs
    from exactmatch.joint import joint_graph
    from exactmatch.many.consensus import Consensus
    from exactmatch.many.results import Matrix, NearestGraphs
    from exactmatch.metrics.base import Metric
    from exactmatch.metrics.registry import METRICS
    from exactmatch.network import from_networkx, to_networkx
    from exactmatch.progress import Progress
    from exactmatch.results import CorpusScore, PairScore
    from exactmatch.sbn_text import to_sbn

__all__ = [
    "METRICS",
    "Candidates",
    "Consensus",
    "CorpusScore",
    "ExactmatchError",
    "Graph",
    "GraphError",
    "Graphs",
    "InputError",
    "Matrix",
    "Metric",
    "NearestGraphs",
    "NotProvenError",
    "PairScore",
    "Progress",
    "ProofFiles",
    "Scorer",
    "StudyResult",
    "UsageError",
    "Validity",
    "Verification",
    "VerificationError",
    "WorkerError",
    "__version__",
    "agreement",
    "best_mapping",
    "best_mappings",
    "candidates",
    "check",
    "compare",
    "consensus",
    "correlate",
    "diff",
    "explain",
    "export",
    "export_proofs",
    "from_networkx",
    "import_solution",
    "joint_graph",
    "load",
    "loads",
    "matrix",
    "metric",
    "nearest",
    "principles",
    "reward",
    "score",
    "score_pairs",
    "search_error",
    "select_subscores",
    "show",
    "to_networkx",
    "to_sbn",
    "verify",
]

#: Where the rest is; imported on first use, so that the command line starts at once.
_LAZY = {
    "METRICS": "exactmatch.metrics.registry",
    "Candidates": "exactmatch.api.candidates",
    "Consensus": "exactmatch.many.consensus",
    "CorpusScore": "exactmatch.results",
    "Graph": "exactmatch.graph",
    "Graphs": "exactmatch.inputs",
    "Matrix": "exactmatch.many.results",
    "Metric": "exactmatch.metrics.base",
    "NearestGraphs": "exactmatch.many.results",
    "PairScore": "exactmatch.results",
    "ProofFiles": "exactmatch.api.proof_files",
    "Progress": "exactmatch.progress",
    "Scorer": "exactmatch.api.scorer",
    "StudyResult": "exactmatch.api.study",
    "Validity": "exactmatch.api.validity",
    "Verification": "exactmatch.api.verification",
    "agreement": "exactmatch.api.agreement",
    "best_mapping": "exactmatch.api.scores",
    "best_mappings": "exactmatch.api.mappings",
    "candidates": "exactmatch.api.candidates",
    "check": "exactmatch.api.validity",
    "compare": "exactmatch.api.ranking",
    "consensus": "exactmatch.api.consensus",
    "correlate": "exactmatch.api.correlation",
    "diff": "exactmatch.api.diff",
    "explain": "exactmatch.api.explanation",
    "export": "exactmatch.api.exchange",
    "export_proofs": "exactmatch.api.proof_files",
    "import_solution": "exactmatch.api.exchange",
    "from_networkx": "exactmatch.network",
    "joint_graph": "exactmatch.joint",
    "load": "exactmatch.api.graphs",
    "loads": "exactmatch.api.graphs",
    "matrix": "exactmatch.api.corpora",
    "metric": "exactmatch.api.metrics",
    "nearest": "exactmatch.api.corpora",
    "principles": "exactmatch.api.principles",
    "reward": "exactmatch.api.rewards",
    "score": "exactmatch.api.scores",
    "score_pairs": "exactmatch.api.scores",
    "search_error": "exactmatch.api.search_error",
    "select_subscores": "exactmatch.api.subscores",
    "show": "exactmatch.api.shown",
    "to_networkx": "exactmatch.network",
    "to_sbn": "exactmatch.sbn_text",
    "verify": "exactmatch.api.verification",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return __all__
