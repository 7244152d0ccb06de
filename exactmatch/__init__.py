"""Exact scores for semantic graphs: the true Smatch, with proof that no mapping does better.

`score` compares files, texts or graphs, `best_mapping` a single pair. Each command has a function:
`agreement`, `compare`, `search_error`, `explain`, `principles`, `correlate`, `best_mappings`,
`show`, `check`, `adjudicate`, `merge_work`, `collect_work`, `verify`, `verify_study`, `export`,
`export_proofs` and `import_solution`.
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
    from exactmatch.api.check import Validity, check
    from exactmatch.api.diff import diff
    from exactmatch.api.export import ProofFiles, export, export_proofs, import_solution
    from exactmatch.api.load import load, loads
    from exactmatch.api.mappings import best_mappings
    from exactmatch.api.reward import Scorer, reward
    from exactmatch.api.score import best_mapping, score, score_pairs
    from exactmatch.api.verify import Verification, verify
    from exactmatch.graphs.convert.networkx import from_networkx, to_networkx
    from exactmatch.graphs.convert.sbn import to_sbn
    from exactmatch.graphs.graph import Graph
    from exactmatch.graphs.inputs import Graphs
    from exactmatch.many.adjudication.batch import Adjudication, adjudicate
    from exactmatch.many.adjudication.collecting import Collection, collect_work
    from exactmatch.many.adjudication.work import Merged, merge_work
    from exactmatch.many.consensus import Consensus
    from exactmatch.many.corpora import matrix, nearest
    from exactmatch.many.functions import Candidates, candidates, consensus
    from exactmatch.many.matrix_results import Matrix, NearestGraphs
    from exactmatch.metrics.base import Metric
    from exactmatch.metrics.registry import METRICS
    from exactmatch.report.shown_pairs import show
    from exactmatch.runtime.progress import Progress
    from exactmatch.scoring.choices import metric, select_subscores
    from exactmatch.scoring.joint_graph import joint_graph
    from exactmatch.scoring.results import CorpusScore, PairScore
    from exactmatch.studies.agreement import agreement
    from exactmatch.studies.common.plan import StudyResult
    from exactmatch.studies.correlation import correlate
    from exactmatch.studies.explanation import explain
    from exactmatch.studies.principles import principles
    from exactmatch.studies.ranking import compare
    from exactmatch.studies.search_error import search_error
    from exactmatch.studies.verification import StudyVerification, verify_study

__all__ = [
    "METRICS",
    "Adjudication",
    "Candidates",
    "Collection",
    "Consensus",
    "CorpusScore",
    "ExactmatchError",
    "Graph",
    "GraphError",
    "Graphs",
    "InputError",
    "Matrix",
    "Merged",
    "Metric",
    "NearestGraphs",
    "NotProvenError",
    "PairScore",
    "Progress",
    "ProofFiles",
    "Scorer",
    "StudyResult",
    "StudyVerification",
    "UsageError",
    "Validity",
    "Verification",
    "VerificationError",
    "WorkerError",
    "__version__",
    "adjudicate",
    "agreement",
    "best_mapping",
    "best_mappings",
    "candidates",
    "check",
    "collect_work",
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
    "merge_work",
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
    "verify_study",
]

#: The module of each name; it is imported on first use, so that the command line starts fast.
_LAZY = {
    "METRICS": "exactmatch.metrics.registry",
    "Adjudication": "exactmatch.many.adjudication.batch",
    "Candidates": "exactmatch.many.functions",
    "Collection": "exactmatch.many.adjudication.collecting",
    "Consensus": "exactmatch.many.consensus",
    "CorpusScore": "exactmatch.scoring.results",
    "Graph": "exactmatch.graphs.graph",
    "Graphs": "exactmatch.graphs.inputs",
    "Matrix": "exactmatch.many.matrix_results",
    "Merged": "exactmatch.many.adjudication.work",
    "Metric": "exactmatch.metrics.base",
    "NearestGraphs": "exactmatch.many.matrix_results",
    "PairScore": "exactmatch.scoring.results",
    "ProofFiles": "exactmatch.api.export",
    "Progress": "exactmatch.runtime.progress",
    "Scorer": "exactmatch.api.reward",
    "StudyResult": "exactmatch.studies.common.plan",
    "StudyVerification": "exactmatch.studies.verification",
    "Validity": "exactmatch.api.check",
    "Verification": "exactmatch.api.verify",
    "adjudicate": "exactmatch.many.adjudication.batch",
    "agreement": "exactmatch.studies.agreement",
    "best_mapping": "exactmatch.api.score",
    "best_mappings": "exactmatch.api.mappings",
    "candidates": "exactmatch.many.functions",
    "check": "exactmatch.api.check",
    "collect_work": "exactmatch.many.adjudication.collecting",
    "compare": "exactmatch.studies.ranking",
    "consensus": "exactmatch.many.functions",
    "correlate": "exactmatch.studies.correlation",
    "diff": "exactmatch.api.diff",
    "explain": "exactmatch.studies.explanation",
    "export": "exactmatch.api.export",
    "export_proofs": "exactmatch.api.export",
    "import_solution": "exactmatch.api.export",
    "from_networkx": "exactmatch.graphs.convert.networkx",
    "joint_graph": "exactmatch.scoring.joint_graph",
    "load": "exactmatch.api.load",
    "loads": "exactmatch.api.load",
    "matrix": "exactmatch.many.corpora",
    "merge_work": "exactmatch.many.adjudication.work",
    "metric": "exactmatch.scoring.choices",
    "nearest": "exactmatch.many.corpora",
    "principles": "exactmatch.studies.principles",
    "reward": "exactmatch.api.reward",
    "score": "exactmatch.api.score",
    "score_pairs": "exactmatch.api.score",
    "search_error": "exactmatch.studies.search_error",
    "select_subscores": "exactmatch.scoring.choices",
    "show": "exactmatch.report.shown_pairs",
    "to_networkx": "exactmatch.graphs.convert.networkx",
    "to_sbn": "exactmatch.graphs.convert.sbn",
    "verify": "exactmatch.api.verify",
    "verify_study": "exactmatch.studies.verification",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return __all__
