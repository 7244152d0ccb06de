"""The heuristic methods that Cai and Knight (2013, section 4) compare."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair
from exactmatch.search.climb import Climber


@dataclass(frozen=True, slots=True)
class Method:
    """Where a search starts, and whether it climbs from there.

    *smart* starts once from the smart initialisation, *random_starts* so often from a random
    mapping; the best result counts.
    """

    smart: bool
    random_starts: int
    climbs: bool = True


#: The paper's names. Base is the smart initialisation alone, R one random start, 10R ten;
#: S is one smart start, S+4R and S+9R have four and nine random restarts on top.
METHODS = {
    "base": Method(smart=True, random_starts=0, climbs=False),
    "r": Method(smart=False, random_starts=1),
    "10r": Method(smart=False, random_starts=10),
    "s": Method(smart=True, random_starts=0),
    "s+4r": Method(smart=True, random_starts=4),
    "s+9r": Method(smart=True, random_starts=9),
}


def search(
    problem: MatchingProblem,
    method: Method,
    likely: Iterable[Pair],
    *,
    seed: int,
    deadline: Deadline,
) -> dict[int, int]:
    """Return the best mapping that *method* finds on *problem* before *deadline*.

    *likely* are pairs that look alike (in Smatch: of equal concept); the smart initialisation
    tries them first.
    """
    rng = random.Random(seed)
    climber = Climber(problem)
    first = _positions(problem, likely) if method.smart else []
    best: dict[int, int] = {}
    best_value = -1
    for start in range(method.smart + method.random_starts):
        climber.reset()
        _fill(climber, problem, first if start == 0 else [], rng)
        if method.climbs:
            climber.climb(deadline)
        if climber.value > best_value:
            best, best_value = climber.mapping(), climber.value
        if deadline.passed():
            break
    return best


def warm_start(
    problem: MatchingProblem, likely: Sequence[Pair], *, seed: int, deadline: Deadline
) -> dict[int, int]:
    """Return the better of two smart-initialised climbs, one from each side.

    The smart initialisation goes through the left variables in order, and some optima are out
    of reach from there but not from the right, or the other way round.
    """
    mapping = search(problem, METHODS["s"], likely, seed=seed, deadline=deadline)
    if deadline.passed():
        return mapping
    from_right = [(j, i) for i, j in likely]
    back = search(_swapped(problem), METHODS["s"], from_right, seed=seed, deadline=deadline)
    other = {i: j for j, i in back.items()}
    return max(mapping, other, key=problem.value)


def _fill(
    climber: Climber, problem: MatchingProblem, likely: list[int], rng: random.Random
) -> None:
    """Map as many left variables as possible: by *likely* pairs first, the rest at random."""
    for candidate in likely:
        if climber.is_free(candidate):
            climber.add(candidate)
    for candidates in _by_left(problem):
        free = [candidate for candidate in candidates if climber.is_free(candidate)]
        if free:
            climber.add(free[int(rng.random() * len(free))])


def _by_left(problem: MatchingProblem) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(problem.n_left)]
    for candidate, (left, _) in enumerate(problem.candidates):
        found[left].append(candidate)
    return found


def _positions(problem: MatchingProblem, likely: Iterable[Pair]) -> list[int]:
    """Return the candidates that are *likely*, in the order of their left variables."""
    chosen = set(likely)
    return [c for c, pair in enumerate(problem.candidates) if pair in chosen]


def _swapped(problem: MatchingProblem) -> MatchingProblem:
    """Return *problem* with left and right exchanged."""
    return MatchingProblem(
        n_left=problem.n_right,
        n_right=problem.n_left,
        terms=tuple(
            term._replace(pairs=tuple(sorted((j, i) for i, j in term.pairs)))
            for term in problem.terms
        ),
    )
