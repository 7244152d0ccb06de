"""Climbing as published, beside a climber that is written straight from the paper's definition."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial

from samples import diagonal, random_problem

from exactmatch.problem import MatchingProblem, Term
from exactmatch.solving.search.climbing import HillClimber
from exactmatch.solving.search.methods import METHODS, search
from exactmatch.stopping.deadline import Deadline

NEVER = Deadline()

#: Images of the m variables of the smaller graph, in order.
State = tuple[int, ...]


def neighbours(state: State, n: int) -> Iterator[State]:
    """Yield the results of one move or swap of *state*: "m(n - m) + m(m - 1) = m(n - 1)" of them.

    The paper counts the swap of two variables once for each of them.
    """
    for i, image in enumerate(state):
        for j in range(n):
            if j in state:
                k = state.index(j)
                if k != i:
                    swapped = list(state)
                    swapped[i], swapped[k] = j, image
                    yield tuple(swapped)
            else:
                yield (*state[:i], j, *state[i + 1 :])


class Reference:
    """The hill climbing of section 3; the score of every neighbour is computed afresh."""

    def __init__(self, problem: MatchingProblem) -> None:
        self.problem = problem
        self.is_turned = problem.n_left > problem.n_right
        self.n = max(problem.n_left, problem.n_right)

    def mapping(self, state: State) -> dict[int, int]:
        return {j: i for i, j in enumerate(state)} if self.is_turned else dict(enumerate(state))

    def value(self, state: State) -> int:
        return self.problem.value(self.mapping(state))

    def entering(self, state: State, other: State) -> tuple[int, int]:
        """Return the first pair that scores in some term and is only in *other*.

        Among equally good neighbours, the one with the first such pair is taken.
        """
        known = {(j, i) if self.is_turned else (i, j) for i, j in self.problem.candidates}
        new = [pair for pair in enumerate(other) if pair not in [*enumerate(state)]]
        return min(pair for pair in new if pair in known)

    def climb(self, state: State) -> State:
        while True:
            around = list(neighbours(state, self.n))
            assert len(around) == len(state) * (self.n - 1)
            best = max(map(self.value, around), default=0)
            if best <= self.value(state):
                return state
            better = [other for other in around if self.value(other) == best]
            state = min(better, key=partial(self.entering, state))


def test_the_climb_of_the_paper() -> None:
    """From the same start, each climb ends in the same mapping, of the same value."""
    rng = random.Random("total")
    seen = Counter[str]()
    for _ in range(400):
        problem = random_problem(rng)
        reference, climber = Reference(problem), HillClimber(problem, maps_all=True)
        likely = diagonal(problem) if rng.random() < 0.5 else []
        climber.begin(likely, rng)
        start = climber.mapping()
        if reference.is_turned:
            start = {j: i for i, j in start.items()}
        state = tuple(start[i] for i in range(len(start)))
        assert len(state) == min(problem.n_left, problem.n_right)
        assert climber.value == reference.value(state)
        end = reference.climb(state)
        climber.climb(NEVER)
        assert climber.mapping() == reference.mapping(end)
        assert climber.value == reference.value(end) == problem.value(climber.mapping())
        seen["climbed"] += end != state
        seen["turned"] += reference.is_turned
        seen["square"] += problem.n_left == problem.n_right
        seen["worthless"] += any(
            pair not in problem.candidates for pair in climber.mapping().items()
        )
    assert min(seen.values()) > 20, seen


def test_random_starts_are_any_mapping() -> None:
    """Each of the 4!/2! mappings of two variables to four is drawn, pairs of no worth or not."""
    problem = MatchingProblem(4, 2, ())
    climber = HillClimber(problem, maps_all=True)
    rng = random.Random("any")
    times = Counter[tuple[tuple[int, int], ...]]()
    for _ in range(1200):
        climber.begin([], rng)
        times[tuple(climber.mapping().items())] += 1
    assert len(times) == 12
    assert 60 < min(times.values()) < max(times.values()) < 140


def test_the_smart_start_takes_the_first_available() -> None:
    """Baseline of section 3: variables that share concepts, each the first one that is free."""
    problem = MatchingProblem(3, 4, ())
    climber = HillClimber(problem, maps_all=True)
    images = set()
    for seed in range(40):
        climber.begin([(2, 1), (0, 3), (0, 1)], random.Random(seed))
        mapping = climber.mapping()
        assert mapping[0] == 1
        images.add((mapping[1], mapping[2]))
    assert images == {(i, j) for i in (0, 2, 3) for j in (0, 2, 3) if i != j}


def test_the_order_of_graphs_of_different_sizes_does_not_matter() -> None:
    """The smaller graph is always mapped, in the same order, with the same random numbers."""
    rng = random.Random("order")
    different = 0
    for seed in range(200):
        problem = random_problem(rng)
        if problem.n_left == problem.n_right:
            continue
        terms = tuple(
            Term(weight, tuple(sorted((j, i) for i, j in pairs))) for weight, pairs in problem.terms
        )
        turned = MatchingProblem(problem.n_right, problem.n_left, terms)
        likely = diagonal(problem)
        for method in (METHODS["r"], METHODS["s+4r"]):
            forth = search(problem, method, likely, seed=seed, deadline=NEVER)
            back = search(turned, method, [(j, i) for i, j in likely], seed=seed, deadline=NEVER)
            assert forth == {i: j for j, i in back.items()}
        different += 1
    assert different > 50
