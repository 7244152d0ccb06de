"""The matching problem as weighted partial MaxSAT, for RC2 of python-sat.

There are two formulas. The plain one (`formula`) is also exported by default: it has a variable for
each candidate pair and one for each term of two or more pairs. Hard clauses: at most one of the
candidates that share a variable is true (two by two, or by a sequential counter), and a term
implies its pairs. Soft clauses, each a unit clause with the term's weight: the term is true. It is
fast if there are few cores.

The other formula has the same hard clauses, but its soft clauses are the penalties that the dual of
the linear relaxation makes of the score (`exactmatch.problem.reformulation`). Its cost begins at
the bound of the relaxation, without any core. Most problems end there: only a mapping with no cost,
or a small one, remains to be found. So scores are tried from the top: all penalties that a mapping
of such a score cannot afford become hard, which fixes almost all variables (reduced cost fixing,
Bacchus, Hyttinen, Jarvisalo and Saikko 2017). RC2 finds cores among the others until they cost too
much, or finds a mapping.

RC2 (Ignatiev, Morgado and Marques-Silva 2019) raises a lower bound on the cost, core by core, so it
has a valid bound whenever it is stopped; the assignments that its SAT oracle meets on the way are
mappings. The oracle begins with the phases of the start mapping. It has to be an oracle that can be
interrupted (Glucose can be, CaDiCaL cannot), and it must not continue after an interrupt as if it
had an answer: `_Oracle` raises.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any, NamedTuple

from pysat.card import CardEnc, EncType
from pysat.examples.rc2 import RC2Stratified
from pysat.formula import WCNF, IDPool

from exactmatch.encodings.base import PLAIN_TERMS, Encoding, Outcome, OwnWork
from exactmatch.encodings.waiting import run_interruptibly
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.problem.linear_program import LinearProgram, PlacedProgram, folded
from exactmatch.problem.reformulation import dual_multipliers, literals, penalties
from exactmatch.stopping.deadline import Deadline, OutOfTime, looking

_ORACLE = "glucose3"
#: Up to so many variables, a clause for each two of them takes less space than a counter.
_FEW = 5
#: The distances from the bound of the scores that are tried one after the other. The last one
#: stands for infinity, since weights may be huge.
_DEPTHS = (0, 0, *(1 << k for k in range(20)), 1 << 100_000)
#: The part of the time for the linear relaxation.
_RELAXING = 0.5


class MaxSat:
    """Variables for pairs and terms; soft clauses for terms, or penalties."""

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
        best = _Best(problem, dict(hint))
        if best.value >= upper:
            return Outcome(best.value, upper, best.mapping)
        search = _LevelSearch(problem, best, upper)
        run_interruptibly(lambda: search.run(deadline), search.stop, deadline)
        return Outcome(best.value, search.upper, best.mapping, best.work.own)


class _Task(NamedTuple):
    """*unit* times the score is *most* minus the cost of *formula*.

    mapped: the variable of each candidate. is_relaxed: whether *most* is the bound of the
        relaxation.
    start: literals of the mapping to start from.
    """

    formula: WCNF
    unit: int
    most: int
    mapped: Sequence[int]
    is_relaxed: bool
    start: Sequence[int]


def _plain(problem: MatchingProblem, hint: Mapping, deadline: Deadline) -> _Task:
    mapped = range(1, len(problem.candidates) + 1)
    start = [
        variable if hint.get(left) == right else -variable
        for variable, (left, right) in zip(mapped, problem.candidates, strict=True)
    ]
    return _Task(formula(problem, deadline), 1, problem.total, mapped, False, start)


def _relaxed(problem: MatchingProblem, best: "_Best", deadline: Deadline) -> _Task | None:
    """Return the task of penalties; None if the relaxation takes too long."""
    program, mapped, scored, _ = fold = folded(problem, deadline)
    multipliers = dual_multipliers(program, deadline.share(_RELAXING))
    if multipliers is None:
        return None
    best.round(mapped, multipliers.relaxed)
    unit, most, clauses = penalties(program, multipliers)
    result = WCNF()
    pool = IDPool(start_from=len(program.names) + 1)
    result.extend([[-(y + 1), x + 1] for y, x in _implied(problem, mapped, scored)])
    result.extend([[-(y + 1), x + 1] for y, x in _implied_by_sets(problem, fold)])
    for row in program.rows:
        deadline.check()
        if row.limit:
            result.extend(_at_most_one(literals(row), pool))
    for weight, clause in clauses:
        result.append(clause, weight=weight)
    values = fold.start(problem, best.mapping)
    start = [k if value else -k for k, value in enumerate(values, start=1)]
    return _Task(result, unit, most, [x + 1 for x in mapped], True, start)


def _implied(
    problem: MatchingProblem, mapped: Sequence[int], scored: Sequence[int]
) -> Iterable[tuple[int, int]]:
    """Yield variables of terms, each with the variable of a pair that the term needs."""
    for c, terms in enumerate(problem.terms_of):
        yield from ((scored[t], mapped[c]) for t in terms if scored[t] != mapped[c])


def _implied_by_sets(problem: MatchingProblem, fold: PlacedProgram) -> Iterable[tuple[int, int]]:
    """Yield variables of added sets, each with that of a pair that the set needs.

    And those of sets and terms, each with that of a smaller set or term that it needs.
    """
    position = dict(zip(problem.candidates, fold.mapped, strict=True))
    for pairs, y in fold.added:
        yield from ((y, position[pair]) for pair in pairs)
    candidates = {*fold.mapped}
    for row in fold.program.rows:
        (sign, base) = row.summands[-1]
        if sign < 0 and base not in candidates:
            yield from ((y, base) for _, y in row.summands[:-1])


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


def formula_of_program(program: LinearProgram, deadline: Deadline) -> WCNF:
    """Return a program as a formula: its first variables are those of the program, in order."""
    pool = IDPool(start_from=len(program.names) + 1)
    result = WCNF()
    for row in looking(program.rows, deadline):
        result.extend(_at_most_one(literals(row), pool))
    for weight, position in program.objective:
        result.append([position + 1], weight=weight)
    return result


def _at_most_one(variables: list[int], pool: IDPool) -> list[list[int]]:
    """Return clauses that allow at most one of *variables* to be true."""
    if len(variables) <= _FEW:
        return [[-x, -y] for x, y in combinations(variables, 2)]
    counter = CardEnc.atmost(variables, bound=1, vpool=pool, encoding=EncType.seqcounter)
    clauses: list[list[int]] = counter.clauses
    return clauses


class _Stop(Exception):  # noqa: N818
    """The oracle was interrupted, or no better mapping can be found."""


class _Best:
    """The best mapping seen so far."""

    def __init__(self, problem: MatchingProblem, mapping: dict[int, int]) -> None:
        self.work = OwnWork()
        self._problem = problem
        self.mapping = mapping
        self.value = problem.value(mapping)

    def offer(self, mapping: dict[int, int]) -> None:
        """Take *mapping* if it is better."""
        value = self._problem.value(mapping)
        self.work.found(value)
        if value > self.value:
            self.mapping, self.value = mapping, value

    def take(self, model: Sequence[int], mapped: Sequence[int]) -> None:
        """Take the mapping of *model*, in which candidates have the variables *mapped*."""
        pairs = zip(self._problem.candidates, mapped, strict=True)
        self.offer(dict(pair for pair, variable in pairs if model[variable - 1] > 0))

    def round(self, mapped: Sequence[int], relaxed: Sequence[float]) -> None:
        """Take the mapping of the candidates with the largest values in a relaxed solution."""
        ranked = sorted(
            zip(self._problem.candidates, mapped, strict=True), key=lambda one: -relaxed[one[1]]
        )
        mapping: dict[int, int] = {}
        used: set[int] = set()
        for (left, right), _ in ranked:
            if left not in mapping and right not in used:
                mapping[left] = right
                used.add(right)
        self.offer(mapping)


class _Oracle:
    """RC2's SAT solver; it shows its models, and raises `_Stop` if it has no answer."""

    def __init__(self, solver: Any, search: "_StratifiedSearch") -> None:
        self._solver = solver
        self._search = search

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def solve(self, assumptions: Iterable[int] = ()) -> bool | None:
        return self.solve_limited(assumptions)

    def solve_limited(
        self, assumptions: Iterable[int] = (), expect_interrupt: bool = True
    ) -> bool | None:
        """Solve; None then only means that the budget is spent."""
        self._search.look()
        answer: bool | None = self._solver.solve_limited(
            assumptions=list(assumptions), expect_interrupt=True
        )
        self._search.look()
        if answer:
            self._search.show(self._solver.get_model())
        return answer

    def add_clause(self, clause: Iterable[int]) -> None:
        self._search.look()
        self._solver.add_clause(clause)

    def propagate(self, assumptions: Iterable[int] = (), phase_saving: int = 0) -> Any:
        self._search.look()
        return self._solver.propagate(assumptions=assumptions, phase_saving=phase_saving)


class _StratifiedSearch(RC2Stratified):  # type: ignore[misc]
    """RC2 with stratification, adaptation, core exhaustion and core minimisation.

    It looks for a mapping with a score of at least *level*.
    """

    def __init__(self, search: "_LevelSearch", task: _Task, level: int) -> None:
        self._search = search
        self._task = task
        self._level = level
        self.most = task.most
        super().__init__(
            _affordable(task, level), solver=_ORACLE, adapt=True, exhaust=True, minz=True
        )

    def init(self, *arguments: Any, **options: Any) -> None:
        super().init(*arguments, **options)
        self.oracle.set_phases(self._task.start)
        self.oracle: _Oracle = _Oracle(self.oracle, self)

    @property
    def upper(self) -> int:
        """A bound on all scores, from the proven cost."""
        return max(self._level - 1, (self._task.most - int(self.cost)) // self._task.unit)

    def look(self) -> None:
        """Raise `_Stop` if nothing is left to do, or if it is told to stop."""
        self._search.bound(self.upper)
        if self._search.is_stopping or self._search.upper < self._level or self._search.is_done:
            raise _Stop

    def show(self, model: Sequence[int]) -> None:
        self._search.best.take(model, self._task.mapped)


def _affordable(task: _Task, level: int) -> WCNF:
    """Return the formula of *task*; penalties that *level* cannot afford are hard clauses."""
    slack = task.most - level * task.unit
    result = WCNF()
    result.nv = task.formula.nv
    result.extend(task.formula.hard)
    for clause, weight in zip(task.formula.soft, task.formula.wght, strict=True):
        # A copy: RC2 changes soft clauses that are not units.
        result.append([*clause], weight=weight if weight <= slack else None)
    if not result.soft:  # RC2 fails in that case
        result.append([result.nv + 1], weight=1)
    return result


class _LevelSearch:
    """A search by scores from the top if the relaxation bounds them, otherwise all at once."""

    def __init__(self, problem: MatchingProblem, best: _Best, upper: int) -> None:
        self._problem = problem
        self.best = best
        self.upper = upper
        self.is_stopping = False
        self._oracle: Any = None

    @property
    def is_done(self) -> bool:
        """Whether the best mapping is proven to be best."""
        return self.best.value >= self.upper

    def bound(self, upper: int) -> None:
        """Take a bound on all scores."""
        self.best.work.bounded(upper)
        self.upper = min(self.upper, upper)

    def stop(self) -> None:
        """End as soon as possible."""
        self.is_stopping = True
        if self._oracle is not None:
            self._oracle.interrupt()

    def run(self, deadline: Deadline) -> None:
        """Search until it is done or told to stop."""
        with suppress(OutOfTime):
            task = None
            if self._problem.n_terms > PLAIN_TERMS:
                task = _relaxed(self._problem, self.best, deadline)
            task = task or _plain(self._problem, self.best.mapping, deadline)
            self.bound(task.most // task.unit)
            for depth in _DEPTHS if task.is_relaxed else [self.upper]:
                if self.is_done or self.is_stopping:
                    break
                self._try(task, max(self.upper - depth, self.best.value + 1))

    def _try(self, task: _Task, level: int) -> None:
        """Look for a mapping with a score of at least *level*, or prove that there is none."""
        search = _StratifiedSearch(self, task, level)
        self._oracle = search.oracle
        with suppress(_Stop):
            if search.compute() is None:
                self.bound(level - 1)
            else:
                self.bound(search.upper)
        self._oracle = None
        # Not in a "with": after an interrupt, the solver is still running and must not be freed.
        search.delete()


ENCODING: Encoding = MaxSat()
