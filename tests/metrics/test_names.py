"""The names and descriptions of metrics, on which people and files rely."""

import subprocess
import sys
from pathlib import Path

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
#: Profiles that are computed another way than those of the class.
OF_OTHER_CLASSES = {"umatch": {"umrtools-2026": JuumaetshMetric}}


def test_profiles_are_of_the_class_of_their_metric() -> None:
    for name, kind in METRICS.items():
        types = {one: type(profile) for one, profile in kind.profiles.items()}
        assert types == {**dict.fromkeys(kind.profiles, kind), **OF_OTHER_CLASSES.get(name, {})}


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
    assert "bleu" not in METRICS


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
