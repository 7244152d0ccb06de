"""The figures in docs/papers.md are the results for the instances."""

import re
from pathlib import Path
from statistics import fmean, pstdev

import numpy as np
import pytest

import exactmatch

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
AGREEMENT = ROOT / "instances" / "agreement"

#: | method | in print | mean ± standard deviation | of each run | ...
METHOD = re.compile(r"^\| `(\S+)` \| \S+ % \| ([\d.]+) % ± ([\d.]+) \| ([\d, ]+) \|", re.MULTILINE)
#: Those that take seconds, not minutes.
QUICK = ("base", "r", "s")

pytestmark = pytest.mark.checkout


@pytest.mark.nightly
def test_accuracy_of_methods_as_in_table_2_of_cai_and_knight() -> None:
    rows = {name: (mean, deviation, runs) for name, mean, deviation, runs in METHOD.findall(PAGE)}
    assert list(rows) == ["base", "r", "10r", "s", "s+4r", "s+9r"]
    for mean, deviation, runs in rows.values():
        shares = [*map(int, runs.split(", "))]
        assert (mean, deviation) == (f"{fmean(shares):.1f}", f"{pstdev(shares):.1f}")
    for method, shares in _accuracy(QUICK, seeds=1).items():
        assert rows[method][2].split(", ")[:1] == [*map(str, shares)]


def _accuracy(methods: tuple[str, ...], seeds: int) -> dict[str, list[int]]:
    """Return, in percent for each seed, the scores of two files on a group that are right."""
    found = exactmatch.search_error(
        [AGREEMENT / f"{name}.amr" for name in ("a", "b", "c", "d", "consensus")],
        methods=methods,
        seeds=seeds,
        group_by=AGREEMENT / "sessions.tsv",
        profile="paper-2013",
    ).found
    right: dict[str, list[list[bool]]] = {method: [] for method in methods}
    for trials in found.trials.values():
        for method in methods:
            lost = trials.best[:, np.newaxis] - trials.found[method].forth
            right[method] += [
                (lost[trials.documents == group] == 0).all(axis=0).tolist()
                for group in np.unique(trials.documents)
            ]
    return {
        method: [100 * sum(of_seed) // len(scores) for of_seed in zip(*scores, strict=True)]
        for method, scores in right.items()
    }


@pytest.mark.nightly
def test_agreement_with_the_consensus_by_session_as_in_figure_1_of_cai_and_knight() -> None:
    found = exactmatch.agreement(
        [AGREEMENT / f"{name}.amr" for name in "abcd"],
        AGREEMENT / "consensus.amr",
        group_by=AGREEMENT / "sessions.tsv",
        chance="none",
        profile="paper-2013",
        resamples=99,
    ).found
    assert [*found.group_scores] == [*"abcd"]
    for name, parts in found.group_scores.items():
        scores = " ".join(f"{part.score.f1:.2f}" for part in parts.values())
        assert re.search(rf"^\| {name.upper()} \| [\d. ]+ \| {scores} \|$", PAGE, re.MULTILINE), (
            name
        )


def test_the_vectors_of_s2match_are_those_that_are_named() -> None:
    (name, digest, words, components) = re.findall(
        r"`--vectors (\S+)`\s\(`similarity:(\w+)` in signatures\): (\d+) words\sand (\d+) comp",
        PAGE,
    )[0]
    metric = exactmatch.metric("s2match", vectors=ROOT / name)
    assert f"|similarity:{digest}|" in metric.signature()
    head = (ROOT / name).read_text(encoding="utf-8").partition("\n")[0]
    assert head == f"{words} {components}"
