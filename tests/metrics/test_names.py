"""The names and descriptions of metrics, on which people and files rely."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from exactmatch.cli.metric_help import HELP
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.dscorer import DScorer
from exactmatch.metrics.edm import Edm
from exactmatch.metrics.juumaetsh import JuumaetshMetric
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS
from exactmatch.metrics.rematch import Rematch
from exactmatch.metrics.sdp import Sdp
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.ucca import Ucca

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
_SMATCH = (
    "|top:{}|duplicates:set|strings:whole|inverse:restored|mod:unified|inverse-constants:keep"
    "|case:fold{}|quotes:ignore|underscores:keep|surface-alignments:drop"
)


_NFC = "|unicode:nfc"
SMATCHPP = ("smatchpp-1.8-generic", "smatchpp-1.8-amr")


class Known(NamedTuple):
    title: str
    unit: str
    format: str
    parts: str
    scale: int
    profiles: list[str]
    signature: str


KNOWN = {
    "smatch": Known(
        "Smatch",
        "triples",
        "PENMAN",
        "instance relation attribute top temporal modal coreference",
        1,
        [
            "default",
            "paper-2013",
            "smatch-1.0.4",
            "amr-metric-suite",
            "opitz-2020",
            "cai-2019-weighted",
            "cai-2019-core",
            "docsmatch",
            "pmb-5",
            "pmb-5-tabs",
            "ud-boxer",
            "smatchpp-1.8-generic",
            "smatchpp-1.8-amr",
        ],
        "smatch|profile:default.2" + _SMATCH.format("constant", _NFC),
    ),
    "s2match": Known(
        "S2match",
        "triples",
        "PENMAN",
        "instance relation attribute top temporal modal coreference",
        1000,
        ["default", "paper", "opitz-2020", "program"],
        "s2match|profile:s2match.4" + _SMATCH.format("concept", _NFC) + "|graded:instances"
        "|threshold:included|senses:one-word|lookup:concept-or-word|parallel:keep",
    ),
    "mrp": Known(
        "MRP",
        "tuples",
        "MRP",
        "top label property anchor edge attribute",
        1,
        ["default", "paper", "mtool"],
        "mrp|profile:mrp.3|tuples:by-framework|edges:by-normal-form|edge-labels:keep|case:lower"
        "|unicode:nfc|attributes:no-defaults|anchors:characters",
    ),
    "counter": Known(
        "Counter",
        "clauses",
        "clause form",
        "operator role concept noun verb adjective adverb",
        1,
        ["default", "counter-2021"],
        "counter|profile:counter.2|refs:unused|senses:keep|concepts:keep|roles:keep|loops:match"
        "|swapped:one|sorts:by-relation|second-constant:keep" + _NFC,
    ),
    "umatch": Known(
        "umatch",
        "values",
        "UMR",
        "concept relation attribute top temporal modal coreference",
        1,
        ["default", "umrtools-2026"],
        "umatch|profile:umatch.2|top:none|document-level:count" + _NFC,
    ),
    "align-smatch": Known(
        "Align-smatch",
        "triples",
        "Chinese AMR",
        "instance place relation word attribute top",
        1,
        ["default"],
        "align-smatch|profile:align-smatch.1",
    ),
    "sdp": Known("SDP", "triples", "MRP", "", 1, ["default"], "sdp" + _NFC),
    "edm": Known("EDM", "triples", "MRP", "", 1, ["default"], "edm" + _NFC),
    "ucca": Known("UCCA", "triples", "MRP", "", 1, ["default"], "ucca" + _NFC),
    "predications": Known(
        "Predications",
        "predications",
        "MRP",
        "",
        1,
        ["default", "paper"],
        "predications|predicates:all" + _NFC,
    ),
    "sembleu": Known(
        "SemBleu",
        "n-grams",
        "PENMAN",
        "",
        1,
        ["default", "paper", "program"],
        "sembleu|n:3|weights:0.3333,0.3333,0.3333|smoothing:nist-geometric" + _NFC,
    ),
    "dscorer": Known(
        "DScorer",
        "n-grams",
        "clause form",
        "",
        1,
        ["default", "paper", "program"],
        "dscorer|weights:0.1,0.225,0.225,0.225,0.225|types:by-letter|backwards:unless-boxes"
        "|directions:alike|once:edges|arithmetic:paper" + _NFC,
    ),
    "rematch": Known(
        "Rematch",
        "motifs",
        "PENMAN",
        "",
        1,
        ["default", "program"],
        "rematch|reading:default|multiplicity:set|classes:none" + _NFC,
    ),
    "ancast": Known(
        "AnCast",
        "relations",
        "UMR",
        "",
        1,
        ["default", "program"],
        "ancast|anchors:names|ranges:all|document-level:count|scope:document|faults:mended" + _NFC,
    ),
}


#: Profiles that are computed another way than those of the class.
OF_OTHER_CLASSES = {"umatch": {"umrtools-2026": JuumaetshMetric}}
NGRAMS = ("sembleu", "dscorer")


def test_every_metric_is_known() -> None:
    assert list(METRICS) == list(KNOWN)


@pytest.mark.parametrize("name", KNOWN)
def test_what_a_metric_says_of_itself(name: str) -> None:
    kind = METRICS[name]
    found = Known(
        kind.title,
        kind.unit,
        kind.format,
        " ".join(kind.parts),
        kind.profiles["default"].scale,
        list(kind.profiles),
        kind.profiles["default"].signature(),
    )
    assert (kind.name, found) == (name, KNOWN[name])
    types = {name: type(profile) for name, profile in kind.profiles.items()}
    assert types == {**dict.fromkeys(kind.profiles, kind), **OF_OTHER_CLASSES.get(name, {})}
    taken = {"s2match": "similarity", "counter": "synonyms", "rematch": "classes"}
    taken["align-smatch"] = "lengths"
    assert kind.takes == ((taken[name],) if name in taken else ())
    parameters = {
        **dict.fromkeys(ALIGNMENT_BASED, ("credits",)),
        **dict.fromkeys(NGRAMS, ("order", "weights")),
        "umatch": ("only", "excluding", "credits"),
        "align-smatch": (),
    }
    assert kind.parameters == parameters.get(name, ())


def test_signatures_of_profiles_say_how_they_count() -> None:
    signatures = {
        ("smatch", "paper-2013"): "smatch|profile:paper-2013" + _SMATCH.format("none", ""),
        ("smatch", "opitz-2020"): "smatch|profile:opitz-2020" + _SMATCH.format("concept", ""),
        ("smatch", "smatch-1.0.4"): "smatch|profile:smatch-1.0.4.3|top:attribute|duplicates:product"
        "|strings:first-word|inverse:once|mod:plain|inverse-constants:drop|case:lower"
        "|quotes:ignore|underscores:strip|surface-alignments:keep|unclosed:close|blanks:smatch-1.0.4",
        ("smatch", "docsmatch"): "smatch|profile:docsmatch|top:attribute|duplicates:product"
        "|strings:first-word|inverse:once|mod:plain|inverse-constants:drop|case:lower"
        "|quotes:ignore|underscores:strip|surface-alignments:keep|sentences:aligned-docsmatch",
        (
            "smatch",
            "smatchpp-1.8-generic",
        ): "smatch|profile:smatchpp-1.8-generic|top:constant|duplicates:multiset|strings:whole"
        "|inverse:all|mod:separate|inverse-constants:keep|case:lower|quotes:delete"
        "|underscores:keep|surface-alignments:keep",
        ("smatch", "smatchpp-1.8-amr"): "smatch|profile:smatchpp-1.8-amr|top:concept|duplicates:set"
        "|strings:whole|inverse:all|mod:unified|inverse-constants:keep|case:lower|quotes:delete"
        "|underscores:keep|surface-alignments:keep|reification:collapse"
        "|reification-table:smatchpp-1.8",
        ("s2match", "program"): "s2match|profile:program|top:concept|duplicates:set"
        "|strings:first-word|inverse:once|mod:separate|inverse-constants:drop|case:lower"
        "|quotes:ignore|underscores:keep|surface-alignments:keep|graded:instances-and-root"
        "|threshold:excluded|senses:all|lookup:word-and-plural|parallel:last",
        ("counter", "counter-2021"): "counter|profile:counter-2021|refs:unused-unrepeated"
        "|senses:keep|concepts:keep|roles:keep|loops:never|swapped:two|sorts:by-first-mention"
        "|second-constant:map",
        ("umatch", "umrtools-2026"): "umatch|profile:umrtools-2026|top:none|document-level:count"
        "|scope:file",
        ("mrp", "mtool"): "mrp|profile:mtool|tuples:all|edges:by-label|edge-labels:keep|case:lower"
        "|attributes:no-defaults|anchors:characters-by-span",
        ("rematch", "program"): "rematch|reading:smatch-1.0.4|multiplicity:set|classes:none",
        ("sembleu", "program"): "sembleu|n:3|weights:0.34,0.33,0.34|smoothing:nist-geometric",
        ("dscorer", "program"): "dscorer|weights:0.1,0.225,0.225,0.225,0.225|types:boxes-only"
        "|backwards:unless-capitals|directions:told-apart|once:nodes|arithmetic:program",
    }
    for (metric, profile), signature in signatures.items():
        found = METRICS[metric].profiles[profile]
        numbered = {"smatch-1.0.4": "smatch-1.0.4.3"}.get(profile, profile)
        assert (found.profile, found.signature()) == (numbered, signature)


def test_the_search_is_part_of_a_signature_where_there_is_one() -> None:
    for name, kind in METRICS.items():
        signature = kind.profiles["default"].signature()
        with_search = f"{signature}|exact" if "profile:" in signature else signature
        assert kind.profiles["default"].signature("exact") == with_search, name


@pytest.mark.parametrize(
    "metric, headline", [(Sdp(), "labelled"), (Edm(), "all"), (Ucca(), "labelled primary")]
)
def test_the_part_that_stands_for_all(metric: Sdp | Edm | Ucca, headline: str) -> None:
    figures = metric.figures(Statistics(3, 3, 4, 6, {headline: Counts(3, 4, 6)}))
    assert figures is not None
    assert (figures.value, figures.value_name) == (0.6, f"F1 ({headline})")
    assert (figures.precision, figures.recall, figures.f1) == (0.75, 0.5, 0.6)
    assert metric.headline == headline


def test_what_formulas_call_their_figures() -> None:
    bleu = SemBleu().figures(Statistics())
    assert bleu is not None and bleu.others == {"brevity penalty": 0.0}
    assert (bleu.value_name, bleu.precision, bleu.recall, bleu.f1) == ("BLEU", None, None, None)
    jaccard = Rematch().figures(Statistics())
    assert jaccard is not None and (jaccard.value, jaccard.value_name) == (0.0, "Jaccard index")
    dscore = DScorer().figures(Statistics())
    assert dscore is not None and dscore.others == {"0-gram factor": 0.0}
    assert dscore.value_name == "F1"
    assert (dscore.precision, dscore.recall, dscore.f1, dscore.value) == (0.0,) * 4


def test_every_choice_has_its_help() -> None:
    choices = {choice for kind in METRICS.values() for choice in kind.choices()}
    assert choices == HELP.keys()


def test_every_metric_stands_where_it_belongs() -> None:
    for name, kind in METRICS.items():
        assert (name in ALIGNMENT_BASED) == issubclass(kind, AlignmentMetric) == kind.maps_variables
    assert len(METRICS) == len(KNOWN) and "bleu" not in METRICS


def test_a_command_loads_no_metric_but_its_own() -> None:
    """Importing all metrics takes longer than scoring a few sentences."""
    modules = {METRICS[name].__module__ for name in METRICS}
    amr = str(INSTANCES / "agreement/a.amr")
    program = (
        "import sys; from exactmatch.cli import main; main(sys.argv[1:], standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    words = [sys.executable, "-c", program, "score", amr, amr]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = set(run.stderr.split())
    assert loaded & modules == {"exactmatch.metrics.smatch"}
    assert "exactmatch.report.document" not in loaded, "only studies have such reports"
