"""Studies that need only counts: the result does not depend on how pairs are counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from study_files import ANNOTATORS, numbered, run, write

from exactmatch.errors import VerificationError
from exactmatch.problem.integers import COMPILED
from exactmatch.scoring.by_cover import CoverCounter
from exactmatch.studies.common import judges
from exactmatch.studies.ranking import scored_pair
from exactmatch.studies.search_error import attempts

compiled = pytest.mark.skipif(not COMPILED, reason="interpreted")
JUDGES = ["--metric", "smatch", "--metric", "smatch:top=none", "--metric", "smatch:s+4r"]
GRAPHS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(s / see-01 :ARG0 (y / boy) :ARG1 (f / football :mod (b / big) :mod (b2 / big)))",
    '(c / city :name (n / name :op1 "New" :op2 "York") :wiki -)',
]
COMPARE = ["compare", *ANNOTATORS, "--gold", "consensus.amr", "--resamples", "99"]
COMMANDS = [
    COMPARE,
    [*COMPARE, "--metric", "smatch", "--metric", "sembleu"],
    [*COMPARE, "--metric", "smatch:duplicates=product", "--metric", "smatch:top=concept"],
    [*COMPARE, "--breakdown"],
    ["correlate", *ANNOTATORS[:2], "consensus.amr", *JUDGES],
    ["principles", "a.amr", "consensus.amr", "--sample", "3", "--seeds", "2", *JUDGES],
]


@pytest.fixture
def usually(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that makes all later pairs go the usual way."""

    def change() -> None:
        for module in (scored_pair, judges, attempts):
            monkeypatch.setattr(module, "counter_of", lambda *_: None)

    return change


@pytest.mark.slow
@pytest.mark.parametrize("words", by_day(COMMANDS), ids=" ".join)
def test_reports_are_the_same_bytes_as_without_covers(
    words: list[str], files: Path, usually: Callable[[], None]
) -> None:
    one = run(*words, "--format", "json")
    usually()
    other = run(*words, "--format", "json")
    assert one.exit_code == 0
    assert (one.stdout, one.stderr) == (other.stdout, other.stderr)


@pytest.mark.slow
def test_search_error_finds_the_same_but_for_its_times(
    files: Path, usually: Callable[[], None]
) -> None:
    def tables() -> Any:
        words = ("search-error", "a.amr", "consensus.amr", "--seeds", "2", "--format", "json")
        found = json.loads(run(*words).stdout)["tables"]
        return {
            name: [{k: v for k, v in row.items() if "seconds" not in k} for row in rows]
            for name, rows in found.items()
        }

    one = tables()
    usually()
    assert one == tables()


@pytest.mark.parametrize("limits", [[], ["--on-error", "skip"], ["--missing", "empty"]])
@pytest.mark.parametrize(
    "wrong",
    by_day(
        [
            *("(w / want-01 :ARG0", "(w / want-01 :ARG0 (w / boy))", "# nothing but a comment"),
            *("", "(w / want-01 :ARG0-of-of (b / boy) :op1 )", "(w)", "(w / a :b (c / d~e.x))"),
        ],
        3,
    ),
)
def test_graphs_that_are_missing_or_wrong_are_told_in_the_same_words(
    wrong: str, limits: list[str], files: Path, usually: Callable[[], None]
) -> None:
    write("gold.amr", numbered(*GRAPHS))
    write("good.amr", numbered(GRAPHS[1], *GRAPHS[1:]))
    write("wrong.amr", numbered(GRAPHS[0], wrong, GRAPHS[2]))
    for gold in ("gold.amr", "wrong.amr"):
        rest = {"gold.amr", "good.amr", "wrong.amr"} - {gold}
        words = ["compare", *sorted(rest), "--gold", gold, *limits, "--resamples", "10"]

        def said(words: list[str] = words) -> tuple[str, str, int]:
            result = run(*words, "--pair-by", "id", "--format", "json")
            return result.stdout, result.stderr, result.exit_code

        one = said()
        with pytest.MonkeyPatch.context() as patch:
            for module in (scored_pair, judges):
                patch.setattr(module, "counter_of", lambda *_: None)
            assert said() == one


@compiled
def test_graphs_are_not_read_where_counts_are_enough(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(*_: object, **__: object) -> None:
        raise AssertionError("a pair that is read")

    monkeypatch.setattr(scored_pair, "score_pair", unread)
    assert run(*COMPARE, "--workers", "1").exit_code == 0


@compiled
def test_a_disagreement_names_the_item(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise VerificationError("two counts differ")

    monkeypatch.setattr(CoverCounter, "count_texts", wrong)
    result = run(*COMPARE, "--workers", "1")
    assert result.exit_code == 4
    assert "pair study.1: two counts differ" in result.stderr
