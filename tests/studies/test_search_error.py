"""What heuristics lose, on real graphs and counted by hand."""

from pathlib import Path

import numpy as np
import pytest
from study_files import AGREEMENT, FILES, run, tables

import exactmatch
from exactmatch.metrics.smatch import Smatch
from exactmatch.search.methods import METHODS
from exactmatch.settings import Settings
from exactmatch.studies import search_error
from exactmatch.studies.sources import pair_items, read_sources
from exactmatch.studies.trials import by_size, joined_trials, losses


def test_search_error(files: Path) -> None:
    found = tables("search-error", *FILES, "--every-two", "--seeds", "2", "--restarts", "1")
    assert [row["method"] for row in found["methods"]] == ["s+1r", "exact"]
    found = tables("search-error", *FILES, "--every-two", "--seeds", "2")
    rows = {row["method"]: row for row in found["methods"]}
    assert list(rows) == [*METHODS, "exact"]
    assert rows["base"]["triples"] > rows["s+9r"]["triples"] >= 0
    assert rows["exact"]["pairs_right"] == 1 == rows["exact"]["documents_right"]
    scores = {row["method"]: row for row in found["scores"]}
    for one, other in (("a", "b"), ("c", "consensus")):
        exact = exactmatch.score(Path(f"{one}.amr"), Path(f"{other}.amr"))
        assert scores["exact"][f"{one} / {other}"] == pytest.approx(exact.f1)
        smart = exactmatch.score(Path(f"{one}.amr"), Path(f"{other}.amr"), method="s")
        assert scores["base"][f"{one} / {other}"] <= exact.f1
        assert min(scores["s"][f"{one} / {other}"], smart.f1) <= exact.f1
    assert sum(row["pairs"] for row in found["sizes"] if row["method"] == "s") == 60
    lost = sum(row["triples"] * row["pairs"] for row in found["sizes"] if row["method"] == "r")
    assert lost == pytest.approx(rows["r"]["triples"])


def test_losses_by_hand() -> None:
    """Documents of two pairs; one triple is lost on the third pair with the second seed."""
    study = pair_items(read_sources([str(AGREEMENT / "a.amr"), str(AGREEMENT / "b.amr")]))
    result = search_error.search_error(
        study, [("a", "b")], {"s": METHODS["s"]}, Smatch(), Settings(), seeds=2, document=2
    )
    trials = result.trials["a", "b"]
    assert len(set(trials.documents.tolist())) == 12
    trials = trials.restricted(np.arange(24) < 4)
    best = trials.scores.counts[:, 0]
    trials.found["s"].forth[:] = best[:, np.newaxis] - [[0, 0], [0, 0], [0, 1], [0, 0]]
    trials.found["s"].back[:] = best[:, np.newaxis] - [3, 0]
    total = sum(trials.scores.totals.tolist())
    found = losses(trials, "s")
    assert (found.right, found.documents_right) == (7 / 8, 3 / 4)
    assert (found.triples, found.worst) == (0.5, 1)
    assert (found.f1, found.f1_worst) == pytest.approx((1 / total, 2 / total))
    back = losses(trials, "s", back=True)
    assert (back.triples, back.right, back.documents_right) == (6, 1 / 2, 1 / 2)


def test_trials_of_several_files_are_joined(files: Path) -> None:
    study = pair_items(read_sources(["a.amr", "b.amr", "c.amr"]))
    pairs = [("a", "c"), ("b", "c")]
    result = search_error.search_error(
        study, pairs, {"s": METHODS["s"]}, Smatch(), Settings(), seeds=1, document=4
    )
    every = joined_trials(list(result.trials.values()))
    assert every.documents.tolist() == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3]
    assert every.scores.matched == sum(score.matched for score in result.scores.values())
    assert by_size(every, (1000,)).keys() == {"0 to 1000"}
    large = by_size(every, (9,))["10 or more"]
    assert large.sizes.tolist() == [size for size in every.sizes.tolist() if size > 9]
    assert 0 < len(large) < 12


def test_what_is_too_large_is_not_searched(files: Path) -> None:
    result = run(
        "search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1", "--memory", "1K"
    )
    assert result.exit_code == 1
    assert "is too large to be searched in 1024 bytes" in result.stderr


def test_a_search_above_the_bound_is_an_error(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactmatch.studies.search_error._Searched.matched", lambda *_: 10_000)
    result = run("search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1")
    assert result.exit_code == 4
    assert "a search found 10000, above the bound" in result.stderr


def test_searches_have_a_time_limit(files: Path) -> None:
    words = ("search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1", "--timeout")
    assert "Pairs that reached the time limit: 6." in run(*words, "0").stdout
    assert "time limit" not in run(*words, "60").stdout
