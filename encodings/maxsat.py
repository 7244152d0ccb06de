"""The matching problem as weighted partial MaxSAT, for RC2 of python-sat.

A variable a candidate pair and one a term of two or more pairs. Hard: of the candidates that share
a variable at most one is true (two by two, or a sequential counter), and a term implies its pairs.
Soft, each a unit clause of the term's weight: the term is true. The cost of an assignment is the
weight of the terms that it leaves out.

RC2 (Ignatiev, Morgado and Marques-Silva 2019) raises a lower bound on the cost, core by core, so it
has a valid bound whenever it is stopped; the assignments that its SAT oracle comes across on the
way are mappings. To be stopped it needs an oracle that can be interrupted (Glucose can, CaDiCaL
cannot), and it must not go on after an interrupt as if it had got an answer: `_Oracle` raises.
"""

from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations, compress
from typing import Any

from pysat.card import CardEnc, EncType
from pysat.examples.rc2 import RC2Stratified
from pysat.formula import WCNF, IDPool

from exactmatch.encodings.base import Encoding, Outcome, OwnWork
from exactmatch.encodings.waiting import run_interruptibly
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.stopping.deadline import Deadline

_ORACLE = "glucose3"
#: Up to so many variables, a clause for each two of them is less than a counter.
_FEW = 5


class MaxSat:
    """Variables for pairs and terms, one soft clause a term."""

    name = "maxsat"

    def solve(
        self,
        problem: MatchingProblem,
        *,
        hint: Mapping,
        upper: int,
        deadline: Deadline,
        seed: int,
    ) -> Outcome:
        """Solve *problem*: see `exactmatch.encodings.base.Encoding`. RC2 makes no random choice."""
        total = sum(term.weight for term in problem.terms)
        best = _Best(problem, dict(hint), upper)
        if best.is_optimal():
            return Outcome(best.value, upper, best.mapping)
        search = _StratifiedSearch(formula(problem, deadline), best, total)
        bound = total - _run(search, deadline)
        best.work.bounded(bound)
        # Not in a "with": after an interrupt, the solver is still at work and must not be freed.
        search.delete()
        return Outcome(best.value, min(upper, bound), best.mapping, best.work.own)


def formula(problem: MatchingProblem, deadline: Deadline) -> WCNF:
    """Return *problem* as a formula: its first variables are the candidates, in order."""
    pool = IDPool()
    mapped = [pool.id(("x", *pair)) for pair in problem.candidates]
    of_pair = dict(zip(problem.candidates, mapped, strict=True))
    result = WCNF()
    matched = []
    for t, term in enumerate(problem.terms):
        pairs = [of_pair[pair] for pair in term.pairs]
        matched.append(pairs[0] if len(pairs) == 1 else pool.id(("y", t)))
        if len(pairs) > 1:
            result.extend([[-matched[t], x] for x in pairs])
    for group in problem.rivals:
        deadline.check()
        result.extend(_at_most_one([mapped[c] for c in group], pool))
    for term, y in zip(problem.terms, matched, strict=True):
        result.append([y], weight=term.weight)
    return result


def _at_most_one(variables: list[int], pool: IDPool) -> list[list[int]]:
    """Return clauses by which at most one of *variables* is true."""
    if len(variables) <= _FEW:
        return [[-x, -y] for x, y in combinations(variables, 2)]
    counter = CardEnc.atmost(variables, bound=1, vpool=pool, encoding=EncType.seqcounter)
    clauses: list[list[int]] = counter.clauses
    return clauses


class _Stop(Exception):  # noqa: N818
    """The oracle was interrupted, or nothing better can be found."""


class _Best:
    """The best mapping seen so far."""

    def __init__(self, problem: MatchingProblem, mapping: dict[int, int], upper: int) -> None:
        self.work = OwnWork()
        self._problem = problem
        self.mapping = mapping
        self.value = problem.value(mapping)
        self.upper = upper

    def is_optimal(self) -> bool:
        return self.value >= self.upper

    def offer(self, model: Iterable[int]) -> None:
        """Take the mapping of *model* if it is better. Its first literals are the candidates."""
        mapping = dict(compress(self._problem.candidates, (literal > 0 for literal in model)))
        value = self._problem.value(mapping)
        self.work.found(value)
        if value > self.value:
            self.mapping, self.value = mapping, value


class _Oracle:
    """RC2's SAT solver, which shows its models and raises `_Stop` instead of no answer."""

    def __init__(self, solver: Any, search: "_StratifiedSearch") -> None:
        self._solver = solver
        self._search = search
        self._stopping = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def solve(self, assumptions: Iterable[int] = ()) -> bool | None:
        return self.solve_limited(assumptions)

    def solve_limited(
        self, assumptions: Iterable[int] = (), expect_interrupt: bool = True
    ) -> bool | None:
        """Solve; None is then the answer of a spent budget alone."""
        self._stop_if_told()
        answer: bool | None = self._solver.solve_limited(
            assumptions=list(assumptions), expect_interrupt=True
        )
        self._stop_if_told()
        if answer:
            self._search.best.offer(self._solver.get_model())
        return answer

    def add_clause(self, clause: Iterable[int]) -> None:
        self._stop_if_told()
        self._solver.add_clause(clause)

    def propagate(self, assumptions: Iterable[int] = (), phase_saving: int = 0) -> Any:
        self._stop_if_told()
        return self._solver.propagate(assumptions=assumptions, phase_saving=phase_saving)

    def stop(self) -> None:
        self._stopping = True
        self._solver.interrupt()

    def _stop_if_told(self) -> None:
        if self._stopping or self._search.is_done():
            raise _Stop


class _StratifiedSearch(RC2Stratified):  # type: ignore[misc]
    """RC2 with stratification, adaptation, core exhaustion and core minimisation."""

    def __init__(self, wcnf: WCNF, best: _Best, total: int) -> None:
        self.best = best
        self._total = total
        super().__init__(wcnf, solver=_ORACLE, adapt=True, exhaust=True, minz=True)

    def init(self, *arguments: Any, **options: Any) -> None:
        super().init(*arguments, **options)
        self.oracle: _Oracle = _Oracle(self.oracle, self)

    def is_done(self) -> bool:
        """Whether the cost that is proven shows the best mapping to be optimal."""
        bound = self._total - self.cost
        self.best.work.bounded(bound)
        return self.best.is_optimal() or bound <= self.best.value


def _run(search: _StratifiedSearch, deadline: Deadline) -> int:
    """Run RC2 until *deadline*; return the cost proven by then."""
    with suppress(_Stop):
        run_interruptibly(search.compute, search.oracle.stop, deadline)
    return int(search.cost)


ENCODING: Encoding = MaxSat()
