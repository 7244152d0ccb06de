"""Pairs by covers, by rows and one by one, against brute force and the usual way."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, ClassVar, get_args

import numpy as np
import pytest

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.many.all_pairs import filled
from exactmatch.many.nearest import nearest
from exactmatch.many.pairwise import COVER, LABELS, PROOF, TOTALS, Corpus, Pairwise, f1_of
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import alignment_based
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import Duplicates, NormalisedGraph, NormalisedTriple
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.recount import count_matched
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline

WAYS: tuple[Duplicates, ...] = get_args(Duplicates)


def counted(duplicates: Duplicates) -> AlignmentMetric:
    return alignment_based(exactmatch.metric("smatch", duplicates=duplicates))


def random_graph(
    rng: random.Random, size: int, labels: str, times: Sequence[int]
) -> NormalisedGraph:
    """Return a graph of *size* variables, some of whose triples are there several times."""
    variables = tuple(f"v{k}" for k in range(size))
    triples: list[NormalisedTriple] = []
    for _ in range(2 * size):
        ends = tuple(rng.choices(variables, k=rng.choice([1, 1, 2])))
        triples += [NormalisedTriple((rng.choice(labels),), ends)] * rng.choice(times)
    return NormalisedGraph(variables, triples)


def pairs_of(
    graphs: Sequence[NormalisedGraph], others: Sequence[NormalisedGraph], duplicates: Duplicates
) -> Pairwise:
    system, gold = (Corpus([str(k) for k in range(len(side))], side) for side in (graphs, others))
    return Pairwise(system, gold, counted(duplicates), Settings())


def by_row(pairs: Pairwise) -> list[list[int]]:
    """Return the matches of all pairs, as in a matrix. All pairs are proven."""
    cells = filled(range(len(pairs.system.graphs)), pairs, None)
    assert cells.matched.tolist() == cells.upper.tolist()
    assert sum(cells.stages.values()) == len(cells.row)
    shape = len(pairs.system.graphs), len(pairs.gold.graphs)
    found: list[list[int]] = cells.matched.reshape(shape).tolist()
    return found


def usual(system: NormalisedGraph, gold: NormalisedGraph, metric: AlignmentMetric) -> int:
    mapper = Mapper("of a test", Settings(), Deadline.after(60), Deadline())
    found = mapper.map_triples(metric, system, gold).statistics
    assert found.matched == found.matched_upper
    return found.matched


def tried(system: NormalisedGraph, gold: NormalisedGraph, duplicates: Duplicates) -> int:
    """Return the most that any mapping matches."""
    ours, theirs = system.variables, gold.variables
    shorter, longer = sorted((ours, theirs), key=len)
    found = []
    for order in permutations(longer, len(shorter)):
        pairs = zip(*((ours, order) if shorter is ours else (order, theirs)), strict=True)
        found.append(count_matched(system, gold, dict(pairs), duplicates))
    return max(found)


@pytest.mark.parametrize("duplicates", WAYS)
def test_small_pairs_are_as_brute_force_has_them(duplicates: Duplicates) -> None:
    rng = random.Random(1)
    ours, theirs = (
        [random_graph(rng, rng.randint(1, 5), "ppq", [1, 1, 2, 3]) for _ in range(14)]
        for _ in range(2)
    )
    expected = [[tried(one, other, duplicates) for other in theirs] for one in ours]
    assert by_row(pairs_of(ours, theirs, duplicates)) == expected


@pytest.mark.parametrize("duplicates", WAYS)
@pytest.mark.parametrize(("size", "labels"), [(5, "p"), (9, "pqrst"), (14, "pqrstuvw"), (17, "pq")])
def test_larger_pairs_are_as_the_usual_way_has_them(
    size: int, labels: str, duplicates: Duplicates
) -> None:
    """Problems have up to 1,000 terms; 17 variables and two labels give more than 512."""
    rng = random.Random(size)
    many = size == 17
    ours, theirs = (
        [random_graph(rng, size, labels, [1]) for _ in range(1 if many else 3)] for _ in range(2)
    )
    pairs = pairs_of(ours, theirs, duplicates)
    expected = [[usual(one, other, pairs.metric) for other in theirs] for one in ours]
    assert by_row(pairs) == expected
    stages = filled(range(len(ours)), pairs, None).stages
    assert stages[PROOF] == (1 if many else stages[PROOF])


@pytest.mark.parametrize("duplicates", WAYS)
def test_triples_that_are_written_a_thousand_times_count_as_often(duplicates: Duplicates) -> None:
    """Tables take up to 1,000 copies of a triple; a pair with more goes the usual way."""
    for numbers, stage in (((999, 1000), COVER), ((1001, 5000), PROOF)):
        graphs = [NormalisedGraph(("v0", "v1", "v2"), many(times)) for times in numbers]
        pairs = pairs_of(graphs, graphs[::-1], duplicates)
        expected = [[tried(one, other, duplicates) for other in graphs[::-1]] for one in graphs]
        assert by_row(pairs) == expected
        assert filled(range(2), pairs, None).stages[stage] == 4


def many(times: int) -> list[NormalisedTriple]:
    one = [NormalisedTriple(("p",), ("v0",))] * times
    return [*one, NormalisedTriple(("p",), ("v1",)), NormalisedTriple(("q",), ("v1", "v2"))]


@pytest.mark.parametrize("duplicates", WAYS)
def test_neighbours_are_those_of_all_pairs(duplicates: Duplicates) -> None:
    rng = random.Random(4)
    graphs = [random_graph(rng, rng.randint(1, 7), "pqrs", [1, 1, 2]) for _ in range(40)]
    pairs = pairs_of(graphs[:15], graphs[15:] + graphs[:3], duplicates)
    whole = by_row(pairs)
    for i, row in enumerate(whole):
        f1 = f1_of(np.array(row), pairs.limits.both_totals(i))
        order = sorted(range(len(row)), key=lambda j: (-f1[j], j))[:5]
        found = nearest(i, pairs, pairs.limits, 5)
        assert [one.position for one in found.neighbours] == order
        assert [one.matched for one in found.neighbours] == [row[j] for j in order]
        assert found.is_proven and sum(found.stages.values()) == len(row)


@pytest.mark.parametrize("duplicates", WAYS)
def test_limits_by_totals_let_all_triples_of_the_smaller_graph_match(
    duplicates: Duplicates,
) -> None:
    """Except if copies are multiplied: then more may match."""
    one = [NormalisedTriple((label,), ("v",)) for label in "pqrs"]
    graphs = [NormalisedGraph(("v",), one[:n]) for n in (1, 2, 4)]
    found = pairs_of(graphs, graphs, duplicates).limits.by_totals(1).tolist()
    assert found == ([np.inf] * 3 if duplicates == "product" else [2 / 3, 1, 2 / 3])


def test_a_graph_that_totals_leave_as_near_as_the_last_neighbour_is_for_labels() -> None:
    graphs = [NormalisedGraph(("v",), [NormalisedTriple((label,), ("v",))]) for label in "pq"]
    pairs = pairs_of(graphs[:1], graphs, "set")
    assert nearest(0, pairs, pairs.limits, 1).stages == {COVER: 1, TOTALS: 0, LABELS: 1}


def test_what_labels_rule_out_is_not_solved_and_nothing_else_is_lost() -> None:
    rng = random.Random(5)
    graphs = [random_graph(rng, rng.randint(2, 6), "pqrstu", [1]) for _ in range(25)]
    pairs = pairs_of(graphs, graphs, "set")
    rows = range(len(graphs))
    whole, some = filled(rows, pairs, None), filled(rows, pairs, 0.5)
    totals = [pairs.limits.both_totals(i)[j] for i, j in zip(whole.row, whole.column, strict=True)]
    kept = [2 * m / t >= 0.5 for m, t in zip(whole.matched, totals, strict=True)]
    for name in ("row", "column", "matched", "upper"):
        assert getattr(some, name).tolist() == getattr(whole, name)[kept].tolist()
    assert sum(some.stages.values()) == len(whole.row)
    assert some.stages["labels"] > 20


def test_mappings_by_cases_are_those_of_the_usual_way() -> None:
    """The output for a pair does not depend on the method of its proof."""
    rng = random.Random(6)
    by_cases = 0
    for _ in range(400):
        graphs = [random_graph(rng, 6, "pqrst", [1, 2]) for _ in range(2)]
        pairs = pairs_of(graphs[:1], graphs[1:], "product")
        if pairs.score(0, 0).stage == COVER and not pairs._covers.is_plain:
            by_cases += 1
            mapper = Mapper("of a test", Settings(), Deadline.after(60), Deadline())
            shown = mapper.map_triples(pairs.metric, *graphs).mapping
            assert pairs.mapping(0, 0) == shown
    assert by_cases > 20


@dataclass(frozen=True, slots=True)
class Graded(Smatch):
    """A metric of one's own. Two graphs of a bird have four triples together: concept and root."""

    scale: ClassVar[int] = 2**51 - 1


BIRD, EAGLE = "(b / bird)", "(e / eagle)"
OF_MANY: list[Callable[[Graded], Any]] = [
    lambda metric: exactmatch.matrix([BIRD, EAGLE], metric=metric).f1,
    lambda metric: exactmatch.matrix([BIRD, EAGLE], [EAGLE], metric=metric, at_least=0.1).f1,
    lambda metric: exactmatch.nearest([BIRD], [EAGLE, BIRD], metric=metric).found,
    lambda metric: exactmatch.candidates([BIRD, EAGLE], metric=metric).f1,
    lambda metric: exactmatch.consensus([BIRD, EAGLE], metric=metric).votes,
]


def test_the_largest_scale_that_is_not_refused_counts_in_full() -> None:
    found = exactmatch.matrix([BIRD, EAGLE], metric=Graded())
    assert found.dense().tolist() == [[1, 0.5], [0.5, 1]]
    assert found.matched.tolist() == [2**52 - 2, 2**51 - 1, 2**52 - 2]
    assert found.system_totals.tolist() == [2**52 - 2] * 2
    with pytest.raises(UsageError, match="two graphs together"):  # by the largest of each side
        exactmatch.matrix([BIRD, EAGLE], [BIRD, "(b / bird :mod (o / old))"], metric=Graded())


def test_repeated_triples_that_count_once_do_not_make_a_scale_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Graded, "scale", scale := 2**53 // 7)
    graph = "(b / bird :quant 3 :quant 3)"  # four triples, three of them different
    found = exactmatch.matrix([graph], [graph], metric=Graded())
    assert (found.matched.tolist(), found.gold_totals.tolist()) == ([3 * scale], [3 * scale])
    with pytest.raises(UsageError, match=f"two graphs together {8 * scale:,};"):
        exactmatch.matrix([graph], metric=Graded(duplicates="multiset"))


@pytest.mark.parametrize("power", [51, 60, 62, 70])  # numbers of 64 bits were too small from 60 on
def test_a_scale_that_is_too_large_for_arrays_is_refused_before_any_pair(
    power: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Graded, "scale", 2**power)
    assert exactmatch.best_mapping(BIRD, EAGLE, metric=Graded()).matched == 2**power
    monkeypatch.setattr(Pairwise, "score", None)
    monkeypatch.setattr(Pairwise, "proven", None)
    message = rf"counts {2**power:,} \(its scale\), and two graphs together {2**power * 4:,};"
    for of_many in OF_MANY:
        with pytest.raises(UsageError, match=message):
            of_many(Graded())


def test_products_of_repeated_triples_can_be_too_large_for_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Graded, "scale", 2**49 - 1)
    graph = f"(b / bird {':quant 3 ' * 6})"  # 38 matches of 8 triples
    with pytest.raises(UsageError, match=r"2\^53"):
        exactmatch.matrix([graph], metric=Graded(duplicates="product"))
