"""Arguments that take several values: lists, tuples, generators, and single values by mistake."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day

import exactmatch
from exactmatch.errors import UsageError

AGREEMENT = Path(__file__).resolve().parents[2] / "instances" / "agreement"
A, B, GOLD = (str(AGREEMENT / f"{name}.amr") for name in ("a", "b", "consensus"))
GRAPH = "(a / b :ARG0 (c / d))"

Called = Callable[[Any], object]


def agreement(files: Any) -> object:
    return exactmatch.agreement(files, resamples=20, chance="none").document.sentence


def compare(systems: Any) -> object:
    return exactmatch.compare(systems, GOLD, resamples=20).document.result


def by_metrics(metrics: Any) -> object:
    return exactmatch.compare([A], GOLD, metric=metrics, resamples=20).document.result


def correlate(metrics: Any) -> object:
    return exactmatch.correlate([A], GOLD, metric=metrics, sample=2).document.result


def principles(metrics: Any) -> object:
    found = exactmatch.principles(A, GOLD, metric=metrics, sample=1, seeds=1)
    return found.document.result


def search_error(methods: Any) -> object:
    return exactmatch.search_error([A], GOLD, methods=methods, seeds=1).document.result


def restarts(numbers: Any) -> object:
    return exactmatch.search_error([A], GOLD, restarts=numbers, seeds=1).document.result


def explain(between: Any) -> object:
    return exactmatch.explain(A, GOLD, between=between).document.result


def check(only: Any) -> object:
    return exactmatch.check(Path(A), only=only).counts


def where(conditions: Any) -> object:
    return exactmatch.score(Path(A), Path(GOLD), where=conditions).f1


def subscores(names: Any) -> object:
    return exactmatch.score(GRAPH, GRAPH, subscores=names).subscores


def weights(numbers: Any) -> object:
    return exactmatch.metric("sembleu", weights=numbers)


def candidates(numbers: Any) -> object:
    return exactmatch.candidates([GRAPH, "(a / b)", GRAPH], numbers).means.tolist()


TAKING: list[tuple[Called, list[Any]]] = [
    (by_metrics, ["smatch", "sembleu"]),
    (explain, ["default", "smatch-1.0.4"]),
    (check, ["unreadable"]),
    (where, ["position<5"]),
    (subscores, ["concepts", "reentrancies"]),
    (weights, [0.5, 0.5]),
    (candidates, [1, 2, 3]),
]
#: What takes a whole study each time.
STUDIES: list[tuple[Called, list[Any]]] = [
    (compare, [A, B]),
    (restarts, [0, 1]),
    (agreement, [A, B]),
    (correlate, ["smatch", "sembleu"]),
    (principles, ["smatch"]),
    (search_error, ["s"]),
]


@pytest.mark.parametrize("taking, values", [*TAKING, *by_day(STUDIES, 2)])
def test_lists_tuples_and_generators_are_alike(taking: Called, values: list[Any]) -> None:
    found = taking(values)
    assert found == taking(tuple(values)) == taking(value for value in values)


@pytest.mark.parametrize("taking, values", [*TAKING, *STUDIES])
def test_a_single_value_is_no_list(taking: Called, values: list[Any]) -> None:
    """A text is not taken letter by letter; metrics and subscores may have one name."""
    wrong: list[Any] = [b"x", 3]
    if taking not in (by_metrics, subscores):
        wrong.append("x")
    if taking not in (where, subscores):  # their order does not matter
        wrong += [set(values), {}]
    for value in wrong:
        with pytest.raises(UsageError):
            taking(value)


def test_what_a_solver_receives_is_a_text_or_a_list() -> None:
    def given(parts: Any) -> str:
        found = exactmatch.best_mapping(GRAPH, GRAPH, solver="cpsat", given=parts)
        return found.status

    assert given(["start"]) == given(("start", "bound")) == given("start,bound") == "optimal"
    wrong: Iterable[Any] = (["other"], {"start"}, b"start", 3, [None], (x for x in ("start",)))
    for parts in wrong:
        with pytest.raises(UsageError, match="given"):
            given(parts)


def test_a_file_that_is_no_path_is_no_traceback() -> None:
    with pytest.raises(UsageError, match="expected the path of a file, not None"):
        exactmatch.agreement([A, None])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="expected the path of a file, not 3"):
        exactmatch.compare([A], 3)  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="files: expected a list"):
        exactmatch.merge_work("work.json", "merged.json")
    with pytest.raises(UsageError, match="files: expected a list"):
        exactmatch.collect_work("pages", "work.json")
    with pytest.raises(UsageError, match="subscores: expected names"):
        exactmatch.select_subscores(["concepts"])  # type: ignore[arg-type]
