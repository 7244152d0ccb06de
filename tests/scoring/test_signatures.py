"""Signatures for people name the differences from a profile, and lose nothing."""

import itertools
from pathlib import Path

import generate
import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import UsageError
from exactmatch.metrics.base import Metric
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.signatures import brief

INSTANCES = Path(generate.__file__).parent
A, B, C = (str(INSTANCES / "agreement" / f"{name}.amr") for name in "abc")
VERSION = f"version:{exactmatch.__version__}"


def changed(metric: Metric) -> list[Metric]:
    """Return *metric*, and it with each other value of one choice."""
    found = [metric]
    for choice, values in metric.choices().items():
        for value in values:
            try:
                found.append(metric.with_choices(**{choice: value}))
            except (UsageError, exactmatch.InputError):
                continue
    return found


@pytest.mark.parametrize("name", exactmatch.METRICS)
def test_different_signatures_stay_different(name: str) -> None:
    profiles = exactmatch.METRICS[name].profiles.values()
    metrics = itertools.chain.from_iterable(map(changed, profiles))
    settings = [Settings(), Settings(method="s", starts="candidates", seed=3)]
    whole = {one.signature(metric) for metric in metrics for one in settings}
    # Whether choices were made by a profile or by hand is all that is not told.
    by_brief: dict[str, set[str]] = {}
    for signature in whole:
        choices = [p for p in signature.split("|") if not p.startswith("profile:")]
        by_brief.setdefault(brief(signature), set()).add("|".join(choices))
    assert by_brief and all(len(meant) == 1 for meant in by_brief.values())


@pytest.mark.parametrize(
    "choices, expected",
    [
        ({}, "smatch|profile:default.2|"),
        ({"profile": "smatch-1.0.4"}, "smatch|profile:smatch-1.0.4.3|"),
        ({"case": "keep"}, "smatch|profile:default.2|case:keep|"),
        ({"metric": "sembleu", "order": 2}, "sembleu|profile:sembleu.1|n:2|weights:0.5,0.5|"),
        ({"metric": "rematch"}, "rematch|profile:rematch.2|"),
    ],
)
def test_a_signature_for_people_says_what_differs(choices: dict[str, str], expected: str) -> None:
    result = exactmatch.score(Path(A), Path(B), **choices)  # type: ignore[call-overload]
    assert brief(result.signature) == f"{expected}{VERSION}"
    assert brief("something else") == "something else"


def printed(*words: str) -> str:
    result = CliRunner().invoke(main, [*words], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.output


@pytest.mark.parametrize(
    "words",
    [
        ("score", A, B),
        ("matrix", A, "--at-least", "0.9"),
        ("compare", A, B, C, "--resamples", "99"),
    ],
)
def test_all_of_a_signature_is_printed_on_demand_and_in_files(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    short = f"smatch|profile:default.2|{VERSION}"
    whole = Settings().signature(exactmatch.METRICS["smatch"].profiles["default"])
    assert short in printed(*words).splitlines()
    assert whole in printed(*words, "--long-signature").splitlines()
    if words[0] != "matrix":
        printed(*words, "-o", str(tmp_path / "text"))
        assert whole in (tmp_path / "text").read_text("utf-8").splitlines()
        for form in ("json", "latex"):
            assert whole in printed(*words, "--format", form)
