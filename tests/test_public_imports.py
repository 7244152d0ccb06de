"""Names that users may import keep their place, since users' programs contain them.

The list is written down, not computed. Removing a name from the package requires removing it from
this list, and a line in the changelog.
"""

from importlib import import_module

import pytest

import exactmatch
from exactmatch.encodings import NAMES, get_encoding

#: Module -> names that users may import from it.
PUBLIC = {
    "exactmatch": (
        *("Adjudication", "Collection", "Merged", "adjudicate", "collect_work", "merge_work"),
        *("METRICS", "Candidates", "Consensus", "CorpusScore", "ExactmatchError", "Graph"),
        *("GraphError", "Graphs", "InputError", "Matrix", "Metric", "NearestGraphs"),
        *("NotProvenError", "PairScore", "Progress", "ProofFiles", "Scorer", "StudyResult"),
        *(
            "StudyVerification",
            "UsageError",
            "Validity",
            "Verification",
            "VerificationError",
            "WorkerError",
        ),
        *(
            "__version__",
            "agreement",
            "alpha",
            "best_mapping",
            "best_mappings",
            "candidates",
            "check",
        ),
        *("compare", "consensus", "correlate", "diff", "explain", "export", "export_proofs"),
        *("from_networkx", "import_solution", "joint_graph", "load", "loads", "matrix", "metric"),
        *("nearest", "ngrams", "principles", "reward", "score", "score_pairs", "search_error"),
        *("select_subscores", "show", "to_networkx", "to_sbn", "verify", "verify_study"),
    ),
    "exactmatch.errors": (
        *("ExactmatchError", "GraphError", "InputError", "NoGraphError", "NotProvenError"),
        *("UsageError", "VerificationError", "WorkerError"),
    ),
    "exactmatch.problem": ("MatchingProblem", "Mapping", "Pair", "Term"),
    "exactmatch.certificate.checker": ("check", "check_all", "parse"),
    "exactmatch.compat": (),
    "exactmatch.compat.amr": ("AMR", "DEBUG_LOG", "ERROR_LOG"),
    "exactmatch.compat.smatch": (
        *("DEBUG_LOG", "ERROR_LOG", "amr", "compute_f", "compute_match", "compute_pool"),
        *("generate_amr_lines", "get_amr_line", "get_amr_match", "get_best_match"),
        *("iteration_num", "match_triple_dict", "normalize", "pr_flag", "print_alignment"),
        *("score_amr_pairs", "single_score", "verbose", "veryVerbose"),
    ),
    "exactmatch.encodings": ("NAMES", "get_encoding"),
    "exactmatch.encodings.base": ("Encoding", "Outcome"),
    "exactmatch.encodings.brute": ("ENCODING",),
    "exactmatch.encodings.cp_sat": ("ENCODING",),
    "exactmatch.encodings.ilp": ("GROUPED", "HIGHS", "PAPER"),
    "exactmatch.encodings.maxsat": ("ENCODING",),
    "exactmatch.metrics.align_smatch": ("AlignSmatch",),
    "exactmatch.metrics.ancast": ("AnCast",),
    "exactmatch.metrics.counter": ("CounterMetric",),
    "exactmatch.metrics.dscorer": ("DScorer",),
    "exactmatch.metrics.edm": ("Edm",),
    "exactmatch.metrics.mrp": ("Mrp",),
    "exactmatch.metrics.predications": ("Predications",),
    "exactmatch.metrics.registry": ("ALIGNMENT_BASED", "METRICS"),
    "exactmatch.metrics.rematch": ("Rematch",),
    "exactmatch.metrics.s2match": ("S2match",),
    "exactmatch.metrics.sdp": ("Sdp",),
    "exactmatch.metrics.sembleu": ("SemBleu",),
    "exactmatch.metrics.smatch": ("Smatch",),
    "exactmatch.metrics.ucca": ("Ucca",),
    "exactmatch.metrics.umatch": ("Umatch",),
}


@pytest.mark.parametrize("module", PUBLIC)
def test_what_users_import_is_where_it_was(module: str) -> None:
    place = import_module(module)
    assert [name for name in PUBLIC[module] if not hasattr(place, name)] == []


def test_all_names_of_the_package_are_promised() -> None:
    assert sorted(exactmatch.__all__) == sorted(PUBLIC["exactmatch"])


def test_every_registered_metric_is_promised() -> None:
    for kind in exactmatch.METRICS.values():
        assert kind.__name__ in PUBLIC[kind.__module__]


def test_every_registered_encoding_is_promised() -> None:
    for name in NAMES:
        kind = type(get_encoding(name))
        assert kind.__module__ in PUBLIC


@pytest.mark.parametrize("module", ["exactmatch.compat.amr", "exactmatch.compat.smatch"])
def test_modules_of_smatch_show_its_names_alone(module: str) -> None:
    place, taken = import_module(module), dict[str, object]()
    exec(f"from {module} import *", taken)
    assert dir(place) == sorted(place.__all__) == sorted(PUBLIC[module])
    assert sorted(taken.keys() - {"__builtins__"}) == dir(place)
