"""Written by ``python tests/stub.py``; not to be changed by hand."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, overload

import penman
from networkx import DiGraph, MultiDiGraph
from numpy.typing import NDArray

from exactmatch.api.check import Validity as Validity
from exactmatch.api.export import Imported
from exactmatch.api.proof_files import ProofFiles as ProofFiles
from exactmatch.api.scorer import Scorer as Scorer
from exactmatch.api.verify import Verification as Verification
from exactmatch.certificate.proof_formats import ProofFormat
from exactmatch.errors import ExactmatchError as ExactmatchError
from exactmatch.errors import GraphError as GraphError
from exactmatch.errors import InputError as InputError
from exactmatch.errors import NotProvenError as NotProvenError
from exactmatch.errors import UsageError as UsageError
from exactmatch.errors import VerificationError as VerificationError
from exactmatch.errors import WorkerError as WorkerError
from exactmatch.graphs.convert.networkx import OneGraph
from exactmatch.graphs.graph import Graph as Graph
from exactmatch.graphs.inputs import Graphs as Graphs
from exactmatch.graphs.pairing import Missing, OnError, PairBy
from exactmatch.graphs.selection import Ids
from exactmatch.many.adjudication.batch import Adjudication as Adjudication
from exactmatch.many.adjudication.collecting import Collection as Collection
from exactmatch.many.adjudication.merging import Merged as Merged
from exactmatch.many.consensus import Consensus as Consensus
from exactmatch.many.functions import Candidates as Candidates
from exactmatch.many.functions import Weights
from exactmatch.many.matrix_results import Matrix as Matrix
from exactmatch.many.matrix_results import NearestGraphs as NearestGraphs
from exactmatch.metrics.base import Choice
from exactmatch.metrics.base import Metric as Metric
from exactmatch.metrics.ngrams import NGramList
from exactmatch.metrics.registry import METRICS as METRICS
from exactmatch.metrics.subscores.asked import Subscores
from exactmatch.runtime.progress import Progress as Progress
from exactmatch.runtime.workers import ClusterAddress, Workers
from exactmatch.scoring.asked_details import AskedSubscores
from exactmatch.scoring.choices import Several, Share, StrPath
from exactmatch.scoring.joint_graph import Mapped
from exactmatch.scoring.options import (
    CandidateOnError,
    Checker,
    ExpectedPairs,
    Model,
    Note,
    StudyOnError,
    Target,
)
from exactmatch.scoring.results import CorpusScore as CorpusScore
from exactmatch.scoring.results import PairScore as PairScore
from exactmatch.solving.search.methods import Starts
from exactmatch.studies.agreement.measure import Agreement
from exactmatch.studies.chance.alpha import ChanceCorrected
from exactmatch.studies.chance.distances import Distance
from exactmatch.studies.common.claims import Claims
from exactmatch.studies.common.metric_names import MetricWithSearch, NamedMetric
from exactmatch.studies.common.plan import StudyResult as StudyResult
from exactmatch.studies.correlation.measure import Correlation
from exactmatch.studies.explanation.measure import Explanation
from exactmatch.studies.principles.measure import Measurements
from exactmatch.studies.ranking.measure import Ranking, Rankings
from exactmatch.studies.ranking.runs import RunsRanking, RunsRankings
from exactmatch.studies.search_error.measure import SearchError
from exactmatch.studies.verification import StudyVerification as StudyVerification

__version__: str
_LAZY: dict[str, str]
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
    "alpha",
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
    "ngrams",
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
MetricName = Literal[
    "smatch",
    "s2match",
    "mrp",
    "counter",
    "umatch",
    "align-smatch",
    "sdp",
    "edm",
    "ucca",
    "predications",
    "sembleu",
    "dscorer",
    "rematch",
    "ancast",
]

class _Common(TypedDict, total=False):
    credits: Choice
    only: Choice
    excluding: Choice
    order: Choice
    duplicates: Literal["set", "multiset", "product"]
    strings: Literal["whole", "first-word"]
    inverse: Literal["restored", "all", "once", "as-written"]
    mod: Literal["unified", "plain", "separate"]
    inverse_constants: Literal["keep", "drop"]
    case: Literal["fold", "lower", "keep"]
    unicode: Literal["nfc", "as-written"]
    quotes: Literal["ignore", "delete", "keep"]
    underscores: Literal["keep", "strip"]
    surface_alignments: Literal["drop", "keep"]
    wiki: Literal["keep", "drop"]
    reification: Literal["keep", "collapse", "expand"]
    reification_table: Choice
    coordination: Literal["numbered", "unordered"]
    constants: Literal["attributes", "nodes", "nodes-smatchpp-1.8"]
    anchors: Literal["none", "tokens", "characters", "characters-by-span", "as-written", "names"]
    document_level: Literal["ignore", "count"]
    sentences: Literal["free", "aligned", "aligned-by-order", "aligned-docsmatch"]
    senses: Literal["keep", "drop", "one-word", "all", "ignore"]
    unclosed: Literal["error", "close"]
    blanks: Literal["penman", "smatch-1.0.4"]
    parallel: Literal["keep", "last"]
    root_distance: Literal["ignore", "weighted", "core"]
    concepts: Literal["whole", "parts", "no-sense", "keep", "ignore"]
    boxes: Literal["member", "none"]
    of_roles: Literal["six", "all", "none"]
    parallel_edges: Literal["all", "last"]
    unreachable: Literal["keep", "drop"]
    box_mapping: Literal["apart", "free"]
    tabs: Literal["drop", "keep"]
    ill_formed: Literal["zero", "lenient", "skip", "error", "score", "dummy", "spar"]
    gold_ill_formed: Literal["zero", "lenient", "skip", "error"]
    graded: Literal["instances", "instances-and-root"]
    lookup: Literal["concept-or-word", "word-and-plural"]
    tuples: Literal["by-framework", "all"]
    edges: Literal["by-normal-form", "by-label", "as-written"]
    edge_labels: Literal["keep", "ignore"]
    attributes: Literal["no-defaults", "as-written"]
    refs: Literal["unused", "unused-unrepeated", "all"]
    roles: Literal["keep", "ignore"]
    loops: Literal["match", "never"]
    swapped: Literal["one", "two"]
    sorts: Literal["by-relation", "by-first-mention"]
    second_constant: Literal["keep", "map"]
    predicates: Literal["all", "verbs"]
    types: Literal["by-letter", "boxes-only"]
    backwards: Literal["unless-boxes", "unless-capitals"]
    directions: Literal["alike", "told-apart"]
    once: Literal["edges", "nodes"]
    arithmetic: Literal["paper", "program"]
    reading: Literal["default", "smatch-1.0.4"]
    multiplicity: Literal["set", "multiset"]
    ranges: Literal["all", "first"]
    scope: Literal["document", "file"]
    faults: Literal["mended", "kept"]

class _Choices(_Common, total=False):
    threshold: Literal["included", "excluded"]
    top: Literal["constant", "attribute", "concept", "none"]
    weights: Choice

class _ChoicesWithoutThresholdWithoutWeights(_Common, total=False):
    top: Literal["constant", "attribute", "concept", "none"]

class _ChoicesWithoutTop(_Common, total=False):
    threshold: Literal["included", "excluded"]
    weights: Choice

class _ChoicesWithoutWeights(_Common, total=False):
    threshold: Literal["included", "excluded"]
    top: Literal["constant", "attribute", "concept", "none"]

def adjudicate(
    files: Sequence[StrPath],
    output: StrPath,
    *,
    consensus: StrPath | None = None,
    guidelines: str = "",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = ...,
    note: Note = ...,
) -> Adjudication: ...
def agreement(
    annotators: Sequence[StrPath],
    consensus: StrPath | None = None,
    *,
    group_by: StrPath | None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    resamples: int = 9999,
    confidence: float = 0.95,
    chance: ExpectedPairs = 200000,
    plan: float | None = None,
    rows: int = 15,
    items: StrPath | None = None,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Agreement]: ...
def alpha(
    matrix: Matrix | Sequence[Sequence[float | Fraction]] | NDArray[Any],
    items: Sequence[Hashable],
    *,
    distance: Distance | None = None,
    squared: bool = True,
    resamples: int = 9999,
    confidence: float = 0.95,
    seed: int = 0,
) -> ChanceCorrected: ...
def best_mapping(
    system: Graphs,
    gold: Graphs,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    method: Literal["exact", "base", "r", "10r", "s", "s+4r", "s+9r"] = "exact",
    starts: Starts = "all",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    cross_check: bool = False,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    total_timeout: float | None = None,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    certificates: bool = False,
    breakdown: bool = False,
    subscores: AskedSubscores = None,
    by_sentence: bool = False,
    best_mappings: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    **choices: Unpack[_Choices],
) -> PairScore: ...
def best_mappings(
    system: Graphs,
    gold: Graphs,
    *,
    limit: int = 10,
    id: str | None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> PairScore: ...
def candidates(
    graphs: Graphs,
    weights: Weights | None = None,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    on_error: CandidateOnError = "empty",
    repair: bool = False,
    note: Note = ...,
    **choices: Unpack[_ChoicesWithoutWeights],
) -> Candidates: ...
def check(
    *given: Graphs,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    most: int | None = None,
    progress: Progress = ...,
) -> Validity: ...
def collect_work(
    folder: StrPath, files: Sequence[StrPath], output: StrPath | None = None
) -> Collection: ...
@overload
def compare(
    systems: Sequence[StrPath],
    gold: StrPath,
    *,
    metric: str | Metric | NamedMetric | None = None,
    profile: str = "default",
    breakdown: bool = False,
    check: bool = False,
    resamples: int = 9999,
    confidence: float = 0.95,
    plan: float | None = None,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Ranking]: ...
@overload
def compare(
    systems: Sequence[StrPath],
    gold: StrPath,
    *,
    metric: Several | list[str | NamedMetric],
    profile: str = "default",
    breakdown: bool = False,
    check: bool = False,
    resamples: int = 9999,
    confidence: float = 0.95,
    plan: float | None = None,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Rankings]: ...
@overload
def compare(
    systems: Mapping[str, StrPath | Sequence[StrPath]],
    gold: StrPath,
    *,
    metric: str | Metric | NamedMetric | None = None,
    profile: str = "default",
    breakdown: bool = False,
    check: bool = False,
    resamples: int = 9999,
    confidence: float = 0.95,
    plan: float | None = None,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Ranking] | StudyResult[RunsRanking]: ...
@overload
def compare(
    systems: Mapping[str, StrPath | Sequence[StrPath]],
    gold: StrPath,
    *,
    metric: Several | list[str | NamedMetric],
    profile: str = "default",
    breakdown: bool = False,
    check: bool = False,
    resamples: int = 9999,
    confidence: float = 0.95,
    plan: float | None = None,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Rankings] | StudyResult[RunsRankings]: ...
def consensus(
    graphs: Graphs,
    threshold: float | str | Fraction = 0.5,
    pivot: int | None = None,
    weights: Weights | None = None,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    on_error: CandidateOnError = "empty",
    repair: bool = False,
    note: Note = ...,
    **choices: Unpack[_ChoicesWithoutThresholdWithoutWeights],
) -> Consensus: ...
def correlate(
    systems: Sequence[StrPath] | Mapping[str, StrPath | Sequence[StrPath]],
    gold: StrPath,
    *,
    metric: MetricWithSearch | Sequence[MetricWithSearch] = (),
    human: StrPath | None = None,
    human_range: tuple[float, float] | None = None,
    sample: int | None = None,
    rows: int = 15,
    profile: str = "default",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Correlation]: ...
def diff(
    system: Graphs,
    gold: Graphs,
    *,
    id: str | None = None,
    worst: int | None = None,
    sort: str = "difference",
    width: int | None = None,
    color: bool = False,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    view_limit: int = 20000,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    ids: Ids = None,
    where: Sequence[str] = (),
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> str: ...
def explain(
    system: StrPath,
    gold: StrPath,
    *,
    between: Sequence[str | Metric] | None = None,
    scores: StrPath | None = None,
    tool: str | None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    rows: int = 15,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Explanation]: ...
def export(
    system: Graphs,
    gold: Graphs,
    to: Target,
    *,
    model: Model | None = None,
    id: str | None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    breakdown: bool = False,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> str: ...
def export_proofs(
    certificates: StrPath,
    system: Graphs,
    gold: Graphs,
    to: ProofFormat,
    folder: StrPath,
    *,
    id: str | None = None,
    metric: MetricName | None = None,
    profile: str | None = None,
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    reification_table: StrPath | None = None,
    lengths: StrPath | None = None,
    credits: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    note: Note = ...,
) -> ProofFiles: ...
def from_networkx(network: DiGraph) -> Graph: ...
def import_solution(
    solution: StrPath,
    system: Graphs,
    gold: Graphs,
    *,
    id: str | None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> Imported: ...
def joint_graph(
    system: OneGraph,
    gold: OneGraph,
    mapping: Mapping[str, str] | Mapped,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    **choices: Unpack[_Choices],
) -> MultiDiGraph: ...
def load(path: str | PathLike[str]) -> list[Graph]: ...
def loads(text: str) -> list[Graph]: ...
def matrix(
    graphs: Graphs,
    other: Graphs | None = None,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    at_least: float | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    on_error: OnError = "stop",
    repair: bool = False,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> Matrix: ...
def merge_work(files: Sequence[Path | str], output: Path | str) -> Merged: ...
def metric(
    name: MetricName,
    *,
    profile: str = "default",
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    classes: StrPath | None = None,
    lengths: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    **choices: Unpack[_Choices],
) -> Metric: ...
def nearest(
    queries: Graphs,
    corpus: Graphs,
    *,
    top: int = 10,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    exclude_self: bool = False,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    on_error: OnError = "stop",
    repair: bool = False,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_ChoicesWithoutTop],
) -> NearestGraphs: ...
def ngrams(
    system: Graphs,
    gold: Graphs,
    *,
    id: str | None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> NGramList: ...
def principles(
    first: StrPath,
    second: StrPath,
    *,
    metric: MetricWithSearch | Sequence[MetricWithSearch] = (),
    seeds: int = 10,
    sample: int | None = None,
    profile: str = "default",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Measurements]: ...
def reward(
    system: object,
    gold: object,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    steps: int = 100,
    repair: bool = False,
    **choices: Unpack[_Choices],
) -> float: ...
@overload
def score(
    system: Graphs,
    gold: Graphs,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    method: Literal["exact", "base", "r", "10r", "s", "s+4r", "s+9r"] = "exact",
    starts: Starts = "all",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    cross_check: bool = False,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    total_timeout: float | None = None,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    certificates: bool | StrPath = False,
    per_pair: StrPath | None = None,
    mappings: StrPath | None = None,
    seconds: bool = True,
    resume: StrPath | None = None,
    breakdown: bool = False,
    subscores: AskedSubscores = None,
    by_sentence: bool = False,
    ids: Ids = None,
    where: Sequence[str] = (),
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> CorpusScore: ...
@overload
def score(
    system: Graphs,
    gold: Graphs,
    *,
    metric: Several,
    profile: str = "default",
    method: Literal["exact", "base", "r", "10r", "s", "s+4r", "s+9r"] = "exact",
    starts: Starts = "all",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    cross_check: bool = False,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    total_timeout: float | None = None,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    certificates: bool | StrPath = False,
    per_pair: StrPath | None = None,
    mappings: StrPath | None = None,
    seconds: bool = True,
    resume: StrPath | None = None,
    breakdown: bool = False,
    subscores: AskedSubscores = None,
    by_sentence: bool = False,
    ids: Ids = None,
    where: Sequence[str] = (),
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> list[CorpusScore]: ...
def score_pairs(
    system: Graphs,
    gold: Graphs,
    *,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    method: Literal["exact", "base", "r", "10r", "s", "s+4r", "s+9r"] = "exact",
    starts: Starts = "all",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    cross_check: bool = False,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    total_timeout: float | None = None,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    certificates: bool = False,
    breakdown: bool = False,
    subscores: AskedSubscores = None,
    by_sentence: bool = False,
    best_mappings: int | None = None,
    ids: Ids = None,
    where: Sequence[str] = (),
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    **choices: Unpack[_Choices],
) -> Iterator[PairScore]: ...
@overload
def search_error(
    systems: Sequence[StrPath] | Mapping[str, StrPath | Sequence[StrPath]],
    gold: StrPath | None = None,
    *,
    methods: Sequence[str] = (),
    restarts: Sequence[int] = (),
    seeds: int = 5,
    starts: Starts = "all",
    document: int | None = None,
    group_by: StrPath | None = None,
    scores: None = None,
    tool: None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    rows: int = 15,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[SearchError]: ...
@overload
def search_error(
    systems: Sequence[StrPath] | Mapping[str, StrPath | Sequence[StrPath]],
    gold: StrPath | None = None,
    *,
    methods: Sequence[str] = (),
    restarts: Sequence[int] = (),
    seeds: int = 5,
    starts: Starts = "all",
    document: int | None = None,
    group_by: StrPath | None = None,
    scores: StrPath,
    tool: str,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    rows: int = 15,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    command: str | None = None,
    **choices: Unpack[_Choices],
) -> StudyResult[Claims]: ...
def select_subscores(
    *names: str, aspects: StrPath | None = None, frames: StrPath | None = None
) -> Subscores: ...
def show(
    system: Graphs,
    gold: Graphs,
    output: StrPath,
    *,
    id: str | None = None,
    worst: int | None = None,
    sort: str = "difference",
    certificates: StrPath | None = None,
    metric: MetricName | Metric | None = None,
    profile: str = "default",
    solver: Literal[
        "auto", "dual", "brute", "cpsat", "highs", "ilp", "ilp-paper", "maxsat"
    ] = "auto",
    given: str | Sequence[str] | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    view_limit: int = 20000,
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    ids: Ids = None,
    where: Sequence[str] = (),
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = ...,
    note: Note = ...,
    **choices: Unpack[_Choices],
) -> Path: ...
def to_networkx(graph: Graph | str | penman.Graph) -> MultiDiGraph: ...
def to_sbn(graph: Graph | str) -> str: ...
def verify(
    certificates: StrPath,
    system: Graphs,
    gold: Graphs,
    *,
    checker: Checker = "python",
    metric: MetricName | None = None,
    profile: str | None = None,
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    reification_table: StrPath | None = None,
    lengths: StrPath | None = None,
    credits: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    pair_by: PairBy | None = None,
    on_error: OnError = "stop",
    repair: bool = False,
    progress: Progress = ...,
    note: Note = ...,
) -> Verification: ...
def verify_study(
    folder: StrPath,
    *,
    graphs: StrPath = ".",
    checker: Checker = "python",
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    reification_table: StrPath | None = None,
    lengths: StrPath | None = None,
    credits: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    progress: Progress = ...,
) -> StudyVerification: ...
