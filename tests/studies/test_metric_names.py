"""Metrics by the names that studies give them."""

from pathlib import Path

import pytest
from study_files import run

import exactmatch
from exactmatch.cli.metric_options import listed_names
from exactmatch.metrics.registry import METRICS
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.settings import Settings
from exactmatch.solving.search.methods import METHODS
from exactmatch.studies.common.metric_names import (
    MetricName,
    MetricWithSearch,
    chosen_judges,
    metric_name,
    usual_names,
)

AGREEMENT = Path(__file__).resolve().parents[2] / "instances" / "agreement"
VECTORS = AGREEMENT.parent / "vectors" / "words.txt"


@pytest.mark.parametrize(
    "text, said",
    [
        ("smatch", MetricName("smatch", "smatch")),
        ("smatch:s+4r", MetricName("smatch:s+4r", "smatch", method="s+4r")),
        ("smatch:exact", MetricName("smatch:exact", "smatch")),
        (
            "smatch:r:top=none:smatch-1.0.4:inverse-constants=turn",
            MetricName(
                "smatch:r:top=none:smatch-1.0.4:inverse-constants=turn",
                "smatch",
                "smatch-1.0.4",
                {"top": "none", "inverse_constants": "turn"},
                "r",
            ),
        ),
        (
            "sembleu:exchanged:program",
            MetricName("sembleu:exchanged:program", "sembleu", "program", exchanged=True),
        ),
        # What a choice is for is the metric's to know, such as a number or several.
        ("dscorer:order=2", MetricName("dscorer:order=2", "dscorer", None, {"order": "2"})),
        (
            "sembleu:weights=0.5,0.5",
            MetricName("sembleu:weights=0.5,0.5", "sembleu", None, {"weights": "0.5,0.5"}),
        ),
    ],
)
def test_names_of_metrics_are_read(text: str, said: MetricName) -> None:
    assert metric_name(text) == said


@pytest.mark.parametrize(
    "text, message",
    [
        ("bleu:r", "no metric is called 'bleu'; the metrics are smatch"),
        ("", "no metric is called ''"),
        (
            "smatch:",
            "'smatch:': no heuristic or profile of smatch is called ''; the values are exact",
        ),
        (
            "sembleu:s+4r",
            "'sembleu:s.4r': no profile of sembleu is called 's.4r'; the values are def",
        ),
        ("sembleu:exact", "no profile of sembleu is called 'exact'"),
        ("smatch:r:s", "'smatch:r:s': two values for one method, r and s"),
        ("smatch:default:smatch-1.0.4", "two values for one profile, default and smatch-1.0.4"),
        ("sembleu:exchanged:exchanged", "two values for one exchanged"),
        ("smatch:top=none:top=concept", "two values for one top, none and concept"),
    ],
)
def test_names_that_say_nothing(text: str, message: str) -> None:
    with pytest.raises(exactmatch.UsageError, match=message):
        metric_name(text)


@pytest.mark.parametrize(
    "text, message",
    [
        ("smatch:depth=2", "smatch has no choice called 'depth'; the choices are top"),
        ("smatch:top=middle", "top is 'middle'; the values are"),
        ("s2match", "s2match needs"),
    ],
)
def test_what_a_metric_does_not_take(text: str, message: str) -> None:
    with pytest.raises(exactmatch.UsageError, match=message):
        chosen_judges([text], "PENMAN", "default", {}, Settings())


def test_no_profile_is_called_like_a_heuristic() -> None:
    assert not {"exact", *METHODS} & {name for kind in METRICS.values() for name in kind.profiles}


def test_judges_have_names() -> None:
    """A name precedes the shared profile and choices; a metric without a name gets its own."""
    smatch, sembleu = Smatch.profiles["default"], SemBleu.profiles["default"]
    asked: list[MetricWithSearch]
    asked = ["smatch:top=none:r", " smatch:smatch-1.0.4", (smatch, "s"), smatch, smatch]
    every = chosen_judges(asked, "PENMAN", "default", {"top": "concept"}, Settings(seed=7))
    assert [one.name for one in every] == [
        *("smatch:top=none:r", "smatch:smatch-1.0.4", "smatch:s", "smatch", "smatch#2"),
    ]
    old = Smatch.profiles["smatch-1.0.4"].with_choices(top="concept")
    usual = smatch.with_choices(top="concept")
    assert [one.metric for one in every] == [smatch.with_choices(top="none"), old, *3 * [usual]]
    assert [one.settings.method for one in every] == ["r", "exact", "s", "exact", "exact"]
    assert {one.settings.seed for one in every} == {7}
    with pytest.raises(exactmatch.UsageError, match="sembleu maps no variables"):
        chosen_judges([(sembleu, "r")], "PENMAN", "default", {}, Settings())
    with pytest.raises(exactmatch.UsageError, match="no method is called 'hope'"):
        chosen_judges([(smatch, "hope")], "PENMAN", "default", {}, Settings())
    for wrong in (None, 3, ("smatch", "r"), (smatch, "r", 1), (smatch, 4)):
        with pytest.raises(exactmatch.UsageError, match="is no metric: give a name"):
            chosen_judges([wrong], "PENMAN", "default", {}, Settings())  # type: ignore[list-item]
    with pytest.raises(exactmatch.InputError, match="smatch compares graphs in PENMAN"):
        chosen_judges([smatch], "clause form", "default", {}, Settings())


def test_each_format_has_its_usual_metrics() -> None:
    assert usual_names("PENMAN") == ["smatch", "smatch:s+4r", "sembleu", "rematch"]
    assert usual_names("UMR") == usual_names("PENMAN")
    assert usual_names("SBN") == ["smatch", "smatch:s+4r"]
    with_words = ["smatch", "s2match", "smatch:s+4r", "sembleu", "rematch"]
    assert usual_names("PENMAN", takes=["similarity"]) == with_words


def test_principles_take_names() -> None:
    files = (AGREEMENT / "a.amr", AGREEMENT / "b.amr")
    names = ["smatch:top=none", "smatch:smatch-1.0.4:r", "smatch"]
    found = exactmatch.principles(*files, metric=names, seeds=1, sample=2).found
    assert [one.metric for one in found.principles] == names
    signatures = [one.signature for one in found.principles]
    assert "|top:none|" in signatures[0] and signatures[0].endswith("|method:exact")
    assert "|profile:smatch-1.0.4.3|" in signatures[1] and signatures[1].endswith(
        "|method:r|starts:all"
    )


def test_names_in_a_list() -> None:
    """A value may have commas of its own, between numbers."""
    said = " smatch , ,dscorer:weights=0.1, .4,0.5,sembleu:order=2,"
    names = ["smatch", "dscorer:weights=0.1, .4,0.5", "sembleu:order=2"]
    assert listed_names(said) == names
    assert listed_names("") == []


@pytest.mark.parametrize(
    "name",
    ["smatch:profile=x", "smatch:name=x", "smatch:vectors=x", "smatch:cut-off=1", "smatch:=x",
     "s2match:similarity=x", "rematch:classes=x"],
)  # fmt: skip
def test_only_choices_stand_in_a_name(name: str) -> None:
    """Beside word vectors, too, where other arguments than choices are given to the metrics."""
    files = [str(AGREEMENT / f"{one}.amr") for one in ("a", "consensus")]
    for given in ((), ("--metric", "s2match", "--vectors", str(VECTORS))):
        result = run("correlate", *files, "--metric", name, *given)
        assert (result.exit_code, result.stdout) == (2, ""), result.output
        assert " has no choice called " in result.stderr, result.stderr
