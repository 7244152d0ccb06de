"""All budgets for a pair, with values found by measurements.

A `Pace` belongs to a descent, `DualBudgets` to the dual, and `Budgets` to everything that is tried
on a pair.
"""

import sys
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import NamedTuple

#: Budgets that are divisors, and budgets that shift bits.
_DIVISORS = frozenset(
    {
        *("sweep_every", "assign_every", "insert_every", "margin", "nearby_part", "near", "unit"),
        "interpreted",
    }
)
_SHIFTS = frozenset({"halvings", "memory", "most_halvings"})
_MOST_SHIFTED = 60


def _check(budgets: "Pace | CliqueBudgets | DualBudgets") -> None:
    """Raise `ValueError` unless budgets are whole numbers in their ranges."""
    for name in (field.name for field in fields(budgets) if field.name != "least_fixed"):
        given = getattr(budgets, name)
        least = 1 if name in _DIVISORS else 0
        for number in _numbers(given):
            if type(number) is not int or number < least:
                raise ValueError(f"{name} is {given!r}: expected a whole number from {least} on")
        if name in _SHIFTS and given > _MOST_SHIFTED:
            raise ValueError(f"{name} is {given!r}: expected at most {_MOST_SHIFTED}")


def _numbers(budget: object) -> list[object]:
    """Return the numbers in a budget; nested budgets have checked their own."""
    if isinstance(budget, tuple):
        return [number for part in budget for number in _numbers(part)]
    return [] if is_dataclass(budget) else [budget]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Pace:
    """The pace of a descent, see `exactmatch.solving.dual.descent`; the numbers are of iterations.

    sweep_every: one in so many iterations is a sweep, the others are steps.
    patience: after so many iterations without progress, the steps are halved.
    halvings: how often they have been halved at the beginning.
    memory: steps follow the average of so many bounds, as a binary logarithm; a longer memory
        brings a slow descent nearer to its limit.
    """

    sweep_every: int
    patience: int
    halvings: int
    memory: int

    def __post_init__(self) -> None:
        """Raise `ValueError` for numbers that mean nothing."""
        _check(self)


_QUICK = Pace(sweep_every=3, patience=3, halvings=0, memory=2)
_NEARBY = Pace(sweep_every=3, patience=3, halvings=7, memory=2)
_SLOW = Pace(sweep_every=10, patience=20, halvings=5, memory=4)
_LONG = Pace(sweep_every=10, patience=20, halvings=4, memory=6)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CliqueBudgets:
    """The budget for cliques, see `exactmatch.solving.dual.tightening`.

    unit: multipliers are rounded to so many parts of a triple, a power of 2.
    rounds: how often to look for cliques at most.
    pace, iterations: of the descent before each look, and after the last one.
    margin: members are looked at of which so much is present, and not more than all but that, in
        parts of 1,024, as the next one is.
    least_present: cliques with a smaller total presence are ignored.
    most_found: the most cliques that are added at a time.
    most_members: the most members of a clique; checkers look at any two.
    partners: with so many members that each member excludes, it begins a clique.
    """

    unit: int = 64
    rounds: int = 6
    pace: Pace = _LONG
    iterations: int = 200
    margin: int = 40
    least_present: int = 1100
    most_found: int = 200
    most_members: int = 200
    partners: int = 8

    def __post_init__(self) -> None:
        """Raise `ValueError` for numbers that mean nothing."""
        _check(self)
        if self.unit & (self.unit - 1):
            raise ValueError(f"unit is {self.unit!r}: expected a power of 2")


_CLIQUES = CliqueBudgets()


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class DualBudgets:
    """The budget for a proof; a smaller budget leaves larger gaps, but never proves a wrong bound.

    steps: iterations of all descents together, on any part of the problem. When they are used up, a
        proof ends as at its deadline, but always at the same place.

    Of the descent of one dual (`exactmatch.solving.dual.descent`), in iterations:
    sweeps: the first iterations; sweeps_again: those after an earlier dual.
    quick, slow: the pace towards its limit, and the pace near its limit.
    assign_every, insert_every: one of so many iterations looks for a mapping by assigning again,
        and one by inserting, which takes longer; insert_early: one more such iteration at the
        beginning, since a descent often ends there.
    most_halvings: after so many halvings of the steps, the bound will hardly fall any more.

    Of the root (`exactmatch.solving.dual.branch_and_bound`):
    root_iterations: of the descent on the whole problem, before its core has to do.

    Of the core (`exactmatch.solving.dual.core`):
    margin: pairs that stay so far below their ceiling, with all of their terms, are left out, in
        parts of 1 triple.
    core_iterations: of its descent; core_sweeps: of the whole problem after it.

    Of a fusion (`exactmatch.solving.dual.core`):
    recent: it takes the candidates of mappings that are so many iterations old at most.
    nearby_part: and then those of mappings within this part of a triple of the bound;
        most_nearby: if there are more, that is left out, for it takes long and finds nothing.
    fusion_tree, nearby_tree: of both, as for levels.

    Of parts (`exactmatch.solving.dual.neighbourhoods`):
    first_part: the free left variables at first; part_tree: of each part, as for levels.
    part_work: of all parts together, in percent of the work before.

    Of branch and bound (`exactmatch.solving.dual.case_tree`):
    case_iterations: of each case; rest_iterations: of what reduced-cost fixing leaves.
    trial_iterations: of both cases of a branching candidate, before one is chosen.
    near: it is tried on what mappings within this part of a triple of the bound may hold.
    farther: the case that stays farther from being closed counts so many times as much as the
        other.
    most_trials: so many times as many as usual are tried, as long as that sum is less than the gap.
    least_fixed: candidates are fixed if they are this part of all: more than 0; above 1, none is.
    level_tree: of a level, in this order: the cases after which it is given up, from how many
        branching candidates each is chosen, and how often it looks for cliques at most; if it may,
        candidates are fixed below every branch, however few. first_tree: of a single level that is
        tried before the core.
    deepest: no branch below so many branches and fixings. Each is up to four calls of Python, which
        allows 1,000 one below the other; checkers are recursive, too.
    most_shares: a tree is given up before its cases hold more, for each is kept as a proof.

    Of cliques (`exactmatch.solving.dual.tightening`):
    cliques: of each time that a tree looks for some.

    Of random changes of mappings (`exactmatch.solving.dual.primal_heuristic`):
    shaking: passes over all shares, times the square of the gap between the best mapping and the
        bound, which is counted in the lightest relations, up to most_missing. most_shaken: the most
        shares that are looked at. If these are less than *fewest* passes, which would find nothing,
        mappings are left as they are.
    shakes: so often, from other random numbers; fused_shakes: the same before the tree of a fusion.

    interpreted: work in interpreted code, which is that much slower, is divided by this.
    few_terms: with fewer terms, no tree looks for cliques, and no mapping is looked for nearby, in
        parts or by random changes of a fusion: it takes less time to branch. fewer_terms: with
        fewer terms, *shakes* is few_shakes at most, since solvers take as long.
    """

    steps: int = sys.maxsize

    sweeps: int = 5
    sweeps_again: int = 4
    quick: Pace = _QUICK
    nearby: Pace = _NEARBY
    slow: Pace = _SLOW
    assign_every: int = 4
    insert_every: int = 48
    insert_early: int = 12
    most_halvings: int = 12

    root_iterations: int = 40

    margin: int = 4
    core_iterations: int = 600
    core_sweeps: int = 10

    recent: int = 120
    nearby_part: int = 3
    most_nearby: int = 10_000
    fusion_tree: tuple[int, int, int] = (100, 5, 4)
    nearby_tree: tuple[int, int, int] = (40, 5, 4)
    part_tree: tuple[int, int, int] = (20, 5, 0)
    first_part: int = 40
    part_work: int = 50

    case_iterations: int = 30
    rest_iterations: int = 600
    trial_iterations: int = 5
    near: int = 32
    farther: int = 8
    most_trials: int = 4
    least_fixed: float = 0.2
    first_tree: tuple[int, int, int] = (60, 8, 0)
    level_tree: tuple[int, int, int] = (5000, 8, 100)
    deepest: int = 200
    most_shares: int = 1 << 24

    cliques: CliqueBudgets = _CLIQUES
    shaking: int = 100
    most_missing: int = 10
    most_shaken: int = 50_000_000
    fewest: int = 1_000
    shakes: int = 6
    fused_shakes: int = 6

    interpreted: int = 50
    few_terms: int = 5_000
    fewer_terms: int = 500
    few_shakes: int = 2

    def __post_init__(self) -> None:
        """Raise `ValueError` for numbers that mean nothing."""
        _check(self)
        if not self.least_fixed > 0:
            raise ValueError(f"least_fixed is {self.least_fixed!r}: expected a number above 0")

    def for_terms(self, number: int) -> "DualBudgets":
        """Return the budget for so many terms; see `few_terms`."""
        if number >= self.few_terms:
            return self
        fusion, level = ((*tree[:2], 0) for tree in (self.fusion_tree, self.level_tree))
        return replace(
            self,
            fusion_tree=fusion,
            level_tree=level,
            most_nearby=0,
            part_work=0,
            fused_shakes=0,
            shakes=min(self.shakes, self.few_shakes) if number < self.fewer_terms else self.shakes,
        )


_DUAL = DualBudgets()


class Effort(NamedTuple):
    """The work of the dual before a solver, counted in shares and candidates that it looks at.

    passes: over the whole problem. By then, it has proven most problems; solvers take about as
        long.
    least: at least so many shares and candidates, which take less time than loading a solver.
    passes_larger, least_larger: the same if some terms have more than two pairs, since the bound
        of solvers is then tighter; of up to *few* terms, least_few alone, since they then take a
        tenth of a second in all.
    passes_more: instead of *passes* with more terms than *many*, where solvers are far slower.
    """

    passes: int = 2_000
    least: int = 7_000_000
    passes_larger: int = 1_500
    least_larger: int = 1_500_000
    few: int = 500
    least_few: int = 100_000
    many: int = 6_000
    passes_more: int = 8_000

    def for_terms(self, number: int, largest: int) -> tuple[int, int]:
        """Return the passes, and the least work, for so many terms of up to *largest* pairs."""
        if largest > 2:
            return (
                (self.passes_larger, self.least_larger)
                if number > self.few
                else (0, self.least_few)
            )
        return self.passes_more if number > self.many else self.passes, self.least


_EFFORT = Effort()


class Budgets(NamedTuple):
    """The budget for a pair before something else is tried. Shares of time are from 0 to 1.

    dual: of the dual.
    maxsat_terms: with more terms, RC2 is no longer the fastest, and on some problems far from it;
        maxsat_terms_larger: the same if some terms have more than two pairs, since only the
        relaxations of others have rows of pairs; solver_terms: with more terms, no solver is used:
        it would hardly finish its relaxation.
    presolve, warm_start: the parts of a solver's time for the presolve, and of the rest for the
        warm start.
    load_early: a solver is loaded beside that in problems of more terms.
    proof, proof_alone: the parts of the time for the dual before a solver, and without one, since
        its proof has yet to be checked.
    effort: the work of the dual before a solver.
    solver: the part of the remaining time for the solver, if its result has to be proven then, or
        no term has more than two pairs: what it leaves open may be proven faster from its mapping.
    solver_first: the same on up to *linear_terms* terms of two pairs: linear relaxations come next,
        and prove much that CP-SAT does not prove soon.
    linear_terms: up to so many terms, linear relaxations prove faster than the dual what it has
        left open. With more, HiGHS is faster than CP-SAT, if no term has more than two pairs.
    small_terms: problems of up to so many terms are solved directly, before the methods without
        terms.
    looked_at: the triples that methods without terms examine to improve their mapping.
    coarse, building: the part of the time for methods without terms, and the part of the rest for
        building a problem.
    """

    dual: DualBudgets = _DUAL
    maxsat_terms: int = 500
    maxsat_terms_larger: int = 300
    solver_terms: int = 40_000
    presolve: float = 0.25
    warm_start: float = 0.2
    load_early: int = 2_000
    proof: float = 0.7
    proof_alone: float = 0.9
    effort: Effort = _EFFORT
    solver: float = 0.6
    solver_first: float = 0.15
    linear_terms: int = 6_000
    small_terms: int = 100_000
    looked_at: int = 3_000_000
    coarse: float = 0.2
    building: float = 0.5
