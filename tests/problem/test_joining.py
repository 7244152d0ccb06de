"""The join of two graphs: the terms that the definition asks for, in both forms of the code."""

import random
from collections import Counter, defaultdict
from itertools import product
from typing import Any

import pytest
from nightly import day_share

from exactmatch.metrics.triples import (
    Duplicates,
    Label,
    NormalisedGraph,
    NormalisedTriple,
)
from exactmatch.problem import MatchingProblem, Term, joining
from exactmatch.problem.interpreted import interpreted
from exactmatch.scoring.build import build_problem
from exactmatch.scoring.match_values import MatchValues
from exactmatch.stopping.deadline import Deadline, OutOfTime

PLAIN = interpreted("exactmatch.problem.joining")
Similar = dict[tuple[Label, Label], int]


def by_definition(
    system: NormalisedGraph, gold: NormalisedGraph, duplicates: Duplicates, similar: Similar
) -> tuple[Term, ...]:
    """Return the terms: every two triples that match under some one-to-one mapping."""
    weights: defaultdict[tuple[tuple[int, int], ...], int] = defaultdict(int)
    ours, theirs = Counter(system.triples), Counter(gold.as_gold())
    for (one, times), (other, other_times) in product(ours.items(), theirs.items()):
        credits = [10] * (one.label == other.label)
        if (one.label, other.label) in similar:
            credits.append(similar[one.label, other.label])
        lefts = [system.variables.index(v) for v in one.variables]
        rights = [gold.variables.index(v) for v in other.variables]
        pairs = tuple(sorted(set(zip(lefts, rights, strict=False))))
        is_one_to_one = len(set(lefts)) == len(pairs) == len(set(rights))
        if len(lefts) != len(rights) or not is_one_to_one:
            continue
        how = {
            "set": 1,
            "multiset": min(times, other_times),
            "product": times * other_times,
        }
        for credit in credits:
            weights[pairs] += credit * how[duplicates]
    return tuple(Term(weight, pairs) for pairs, weight in sorted(weights.items()))


def random_graph(rng: random.Random) -> NormalisedGraph:
    variables = tuple("abcde"[: rng.randint(1, 5)])

    def triple() -> NormalisedTriple:
        size = rng.choice([1, 1, 2, 2, 3, 4])
        is_varied = size <= len(variables) and rng.random() < 0.7
        names = rng.sample(variables, size) if is_varied else rng.choices(variables, k=size)
        return NormalisedTriple((rng.choice("pqr"), rng.choice("xy")), tuple(names))

    def triples() -> list[NormalisedTriple]:
        return [triple() for _ in range(rng.randint(0, 12))]

    return NormalisedGraph(variables, triples(), rng.choice([None, triples()]))


def random_similar(rng: random.Random) -> Similar:
    labels = [*product("pqr", "xy")]
    chosen = [tuple(rng.choices(labels, k=2)) for _ in range(rng.choice([0, 0, 3]))]
    return {(one, other): rng.randint(1, 9) for one, other in chosen if one != other}


@pytest.mark.parametrize("module", [joining, PLAIN], ids=["as installed", "interpreted"])
def test_terms_are_those_of_the_definition(module: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactmatch.scoring.build.joining", module)
    rng = random.Random("join")
    sizes = Counter[int]()
    for _ in range(day_share(600)):
        system, gold, similar = random_graph(rng), random_graph(rng), random_similar(rng)
        duplicates: Duplicates = rng.choice(["set", "multiset", "product"])
        problem = build_problem(system, gold, MatchValues(duplicates, similar, scale=10))
        wanted = by_definition(system, gold, duplicates, similar)
        assert problem.terms == wanted
        assert (problem.n_terms, problem.total) == (len(wanted), sum(t.weight for t in wanted))
        again = MatchingProblem(problem.n_left, problem.n_right, wanted)
        assert again == problem and again.candidates == problem.candidates
        assert [list(part) for part in again.arrays] == [list(part) for part in problem.arrays]
        sizes.update(len(term.pairs) for term in wanted)
    assert set(sizes) == {1, 2, 3, 4}


@pytest.mark.parametrize("scale", [2**40, 2**62, 2**63, 2**90])
def test_weights_may_be_of_any_size(scale: int) -> None:
    label = ("relation", "ARG0")
    triples = [NormalisedTriple(label, ("a", "b"))] * 3
    graph = NormalisedGraph(("a", "b"), triples)
    problem = build_problem(graph, graph, MatchValues("product", scale=scale))
    assert problem.terms == (Term(9 * scale, ((0, 0), (1, 1))),)
    assert problem.total == 9 * scale


def test_the_clock_is_looked_at() -> None:
    names = tuple(f"v{k}" for k in range(300))
    graph = NormalisedGraph(names, [NormalisedTriple(("instance", "x"), (name,)) for name in names])
    with pytest.raises(OutOfTime):
        build_problem(graph, graph, MatchValues("set"), Deadline.after(0))
    assert build_problem(graph, graph, MatchValues("set")).n_terms == 300 * 300


def graph_of(*triples: object) -> NormalisedGraph:
    return NormalisedGraph(("a", "b"), triples)  # type: ignore[arg-type]


@pytest.mark.parametrize("module", [joining, PLAIN], ids=["as installed", "interpreted"])
def test_what_is_no_triple_is_refused(module: Any) -> None:
    for wrong in (None, 5, ["x"], NormalisedTriple(("x",), ["a", "b"])):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="not a tuple"):
            module.occurrences(("a", "b"), [wrong])
    with pytest.raises(IndexError):
        module.occurrences(("a", "b"), [("x",)])


@pytest.mark.parametrize("module", [joining, PLAIN], ids=["as installed", "interpreted"])
def test_names_may_be_of_a_kind_of_strings(module: Any) -> None:
    class Name(str):
        __slots__ = ()

    found = module.occurrences(("a", "b"), [("x", (Name("b"), Name("a")))])
    assert found == {"x": [(1, 1, 0)]}


@pytest.mark.parametrize("module", [joining, PLAIN], ids=["as installed", "interpreted"])
def test_what_counts_no_whole_number_is_refused(
    module: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactmatch.scoring.build.joining", module)
    x, y = (NormalisedTriple((label,), ("a",)) for label in "xy")
    with pytest.raises(TypeError, match="integer"):
        values = MatchValues("set", scale=1.5)  # type: ignore[arg-type]
        build_problem(graph_of(x), graph_of(x), values)
    with pytest.raises(TypeError, match="integer"):
        similar = {(x.label, y.label): 0.5}
        values = MatchValues("set", similar)  # type: ignore[arg-type]
        build_problem(graph_of(x), graph_of(y), values)


@pytest.mark.parametrize("module", [joining, PLAIN], ids=["as installed", "interpreted"])
def test_triples_without_variables_are_refused_if_they_match(
    module: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactmatch.scoring.build.joining", module)
    one, other = (graph_of(NormalisedTriple((label,), ())) for label in "xy")
    assert build_problem(one, other, MatchValues("set")).terms == ()
    with pytest.raises(ValueError, match="without variables"):
        build_problem(one, one, MatchValues("set"))
