"""The heuristic methods that Cai and Knight (2013, section 4) compare."""

from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple, get_args

from exactmatch.problem import MatchingProblem, Pair
from exactmatch.stopping.deadline import Deadline

#: What a start maps, which also defines the neighbourhood: all variables of the smaller graph to
#: any of the larger one, as Cai and Knight write (2013, section 3), or only pairs of which some
#: triples may match, as smatch 1.0.4 does, and no others if their variables are taken.
Starts = Literal["all", "candidates"]
STARTS: Sequence[Starts] = get_args(Starts)


class Method(NamedTuple):
    """A search method: its starts, and whether it climbs from them.

    *smart* starts once from the smart initialisation, *random_starts* so often from a random
    mapping; the best result counts.
    """

    smart: bool
    random_starts: int
    climbs: bool = True


#: The paper's names. Base is the smart initialisation alone, R one random start, 10R ten; S is one
#: smart start, S+4R and S+9R have four and nine random restarts in addition.
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
    likely: Sequence[Pair],
    *,
    starts: Starts = "all",
    seed: int,
    deadline: Deadline,
) -> dict[int, int]:
    """Return the best mapping that *method* finds on *problem* before *deadline*.

    *likely* are similar pairs (in Smatch: of equal concept); the smart initialisation tries them
    first. *starts* says what the rest is mapped to, and so defines the neighbourhood.
    """
    from random import Random

    from exactmatch.solving.search.climbing import HillClimber

    rng = Random(seed)
    climber = HillClimber(problem, maps_all=starts == "all")
    best: dict[int, int] = {}
    best_value = -1
    for start in range(method.smart + method.random_starts):
        climber.begin(likely if method.smart and start == 0 else (), rng)
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

    The smart initialisation goes through the left variables in order. Some optima cannot be reached
    from there but from the right, or vice versa.
    """
    climb = partial(search, method=METHODS["s"], starts="candidates", seed=seed, deadline=deadline)
    mapping = climb(problem, likely=likely)
    if deadline.passed():
        return mapping
    back = climb(_swapped(problem), likely=[(j, i) for i, j in likely])
    other = {i: j for j, i in back.items()}
    return max(mapping, other, key=problem.value)


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
