"""How much of a part the best mappings match, at least and at most, against all mappings."""

import random
from collections.abc import Mapping

import pytest
from best_samples import Sample, Terms, alike, never, unsure
from oracles import best_mappings as oracle
from seeds import each_seed

from exactmatch.problem import MatchingProblem
from exactmatch.solving.best import ranges
from exactmatch.solving.best.optimum import Optimum
from exactmatch.solving.best.ranges import find_ends
from exactmatch.solving.strategy import Solution
from exactmatch.stopping.deadline import OutOfTime


def random_parts(rng: random.Random, sample: Sample) -> dict[str, Terms]:
    """Return parts that make up the score, others that do not, and one with terms of its own."""
    terms = sample.terms
    one = {p: rng.randint(1, w) for p, w in terms.items() if rng.random() < 0.5}
    foreign = {p: rng.randint(1, 2) for p in sample.some_pairs(rng, rng.randint(1, 4))}
    return {
        "one": one,
        "rest": {p: w - one.get(p, 0) for p, w in terms.items() if w > one.get(p, 0)},
        "all": dict(terms),
        "more": {p: rng.randint(1, 9) for p in terms if rng.random() < 0.3},
        "nothing": {},
        "foreign": {p: w for p, w in terms.items() if rng.random() < 0.3} | foreign,
        "foreign alone": {p: w for p, w in foreign.items() if p not in terms},
    }


def check(sample: Sample, parts: Mapping[str, Terms]) -> int:
    """Compare with all best mappings; return how many parts have more than one value."""
    ends = find_ends(sample.solved(), parts)
    assert ends is not None
    assert list(ends) == list(parts)
    several = 0
    for name, part in parts.items():
        values = [oracle.matched(part, mapping) for mapping in sample.best]
        found = ends[name]
        assert (found.least.matched, found.most.matched) == (min(values), max(values)), (
            name,
            sample.terms,
            part,
        )
        for witness in found:
            mapping = dict(witness.mapping)
            assert len({*mapping.values()}) == len(mapping)
            assert sample.score(mapping) == sample.score(sample.best[0])
            assert oracle.matched(part, mapping) == witness.matched
        several += min(values) < max(values)
    return several


@pytest.mark.slow
@pytest.mark.parametrize("branches", [200, 0])
@each_seed(3)
def test_ranges_are_those_of_all_best_mappings(
    seed: int, branches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "_MOST_BRANCHES", branches)
    rng = random.Random(f"ranges {seed}")
    several = 0
    for _ in range(25):
        sample = Sample.of(rng)
        several += check(sample, random_parts(rng, sample))
    assert several > 5


@pytest.mark.parametrize("branches", [200, 0])
@pytest.mark.parametrize("sign", [1, -1])
def test_ranges_are_right_where_a_factor_of_two_is_too_small(
    branches: int, sign: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The diagonal scores 4, and all beside it 3; with a part added, 2 w + s is larger."""
    monkeypatch.setattr(ranges, "_MOST_BRANCHES", branches)
    diagonal: Terms = {((0, 0),): 2, ((1, 1),): 2}
    sample = Sample(3, 3, {**diagonal, ((0, 1),): 3, ((1, 2),): 1, ((2, 2),): 1, ((2, 0),): 1})
    beside: Terms = {((0, 1),): 9, ((1, 2),): 9}
    check(sample, {"part": beside if sign > 0 else {((0, 0),): 9}, "other": {((2, 2),): 7}})


def test_complements_are_solved_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two parts make up the score, so one has its most where the other has its least."""
    monkeypatch.setattr(ranges, "_MOST_BRANCHES", 0)
    terms: Terms = {((i, j),): 2 for i in range(3) for j in range(3)}
    sample = Sample(3, 3, terms)
    asked = []

    def solve(problem: MatchingProblem, hint: Mapping[int, int]) -> Solution:
        asked.append(problem)
        return sample.solved().solve(problem, hint)

    solution = sample.solved().solve(sample.problem, {})
    part = {pairs: 2 for pairs in terms if pairs[0][0] == pairs[0][1]}
    rest = {pairs: 2 for pairs in terms if pairs not in part}
    both = find_ends(Optimum(sample.problem, solution, solve), {"part": part, "rest": rest})
    assert both is not None
    assert [(ends.least.matched, ends.most.matched) for ends in both.values()] == [(0, 6), (0, 6)]
    assert len(asked) <= 4
    asked.clear()
    whole = find_ends(Optimum(sample.problem, solution, solve), {"all": terms})
    assert whole is not None and whole["all"].least.matched == whole["all"].most.matched == 6
    assert not asked


def test_nothing_is_solved_where_little_is_open() -> None:
    sample = Sample(2, 2, alike(2, 2))
    solution = sample.solved().solve(sample.problem, {})
    ends = find_ends(Optimum(sample.problem, solution, never), {"part": {((0, 0),): 1}})
    assert ends is not None
    assert (ends["part"].least.matched, ends["part"].most.matched) == (0, 1)


def test_without_proof_there_are_no_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "_MOST_BRANCHES", 0)
    sample = Sample(2, 2, alike(2, 2))
    solution = sample.solved().solve(sample.problem, {})
    part: Terms = {((0, 0),): 1}
    assert find_ends(Optimum(sample.problem, solution, unsure), {"part": part}) is None

    def late(problem: MatchingProblem, hint: Mapping[int, int]) -> Solution:
        raise OutOfTime

    assert find_ends(Optimum(sample.problem, solution, late), {"part": part}) is None
