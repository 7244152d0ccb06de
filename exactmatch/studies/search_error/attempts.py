"""Attempts at a pair of graphs: it is solved, and then searched by each method, in both orders.

A hill climb goes through the variables of one side, so it may find less, or more, with exchanged
files. Besides the heuristics, there is the integer linear program of Cai and Knight (2013, section
3), whose result does not depend on the seed.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, NamedTuple

from exactmatch.encodings.base import OutOfMemory
from exactmatch.errors import InputError, UsageError, VerificationError
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.problem import MatchingProblem, Pair
from exactmatch.scoring.by_cover import counter_of
from exactmatch.scoring.comparison import compare_triples
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.solving.asking import can_hold
from exactmatch.solving.search.methods import METHODS, Method, search
from exactmatch.solving.solver_process import get_solver
from exactmatch.stopping.deadline import Deadline, OutOfTime
from exactmatch.studies.common.outcomes import TIMED_OUT, PairOutcome, PairRow

#: The program of the paper, by the name of its encoding.
PROGRAM: Literal["ilp-paper"] = "ilp-paper"
#: The methods of the paper's tables, in order.
PAPER_METHODS = ("base", PROGRAM, "r", "10r", "s", "s+4r", "s+9r")

#: A heuristic, or the program.
Attempt = Method | Literal["ilp-paper"]


def chosen_methods(names: Sequence[str], restarts: Sequence[int]) -> dict[str, Attempt]:
    """Return the named methods, and ``s+Nr`` for each number of *restarts*."""
    named: dict[str, Attempt] = {
        name: PROGRAM if name == PROGRAM else METHODS[name] for name in names
    }
    return named | {f"s+{n}r": Method(smart=True, random_starts=n) for n in restarts}


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedPair(PairOutcome):
    """The result of a pair: its score, its size, and the matches and times of each seed."""

    size: int
    found: Mapping[str, tuple[Sequence[int], Sequence[int], float]]


def try_methods(
    methods: Mapping[str, Attempt],
    seeds: int,
    metric: AlignmentMetric,
    settings: Settings,
    pair: GraphPair,
) -> TriedPair:
    score = score_pair(pair, metric, settings, Deadline(), counter=counter_of(metric, settings))
    if score.too_large:
        raise InputError(
            f"pair {pair.identifier} is too large to be searched in {settings.memory} bytes; "
            "allow more with --memory, or leave the pair out"
        )
    system, gold = metric.normalise(pair.system), metric.normalise(pair.gold)
    start = time.perf_counter()
    forth = _Searched.of(system, gold, metric, settings)
    building = time.perf_counter() - start
    back = _Searched.of(gold, system, metric, settings)
    attempts = {}
    row = PairRow.of(score)
    for name, method in methods.items():
        deadline = Deadline.after(settings.timeout)  # of all runs of the method
        start = time.perf_counter()
        there = forth.attempted(method, seeds, deadline)
        loading = 0.0 if deadline.loading is None else deadline.loading.seconds
        seconds = (time.perf_counter() - start - loading) / there.runs + building
        again = back.attempted(method, seeds, deadline)
        _check(pair, there, score.matched, score.matched_upper)
        _check(pair, again, score.matched, score.matched_upper)
        attempts[name] = (there.matched, again.matched, seconds)
        if deadline.passed():
            row = row._replace(flags=row.flags | TIMED_OUT)
    size = max(len(system.variables), len(gold.variables))
    return TriedPair(
        row=row, certificate=score.certificate, work=score.work, size=size, found=attempts
    )


class _Attempted(NamedTuple):
    """The matches of each seed, in so many *runs*; and the method's own bound, if any."""

    matched: Sequence[int]
    runs: int
    upper: int | None = None


def _check(pair: GraphPair, attempted: _Attempted, lower: int, upper: int) -> None:
    """Raise `VerificationError` if a found mapping and a proven bound contradict each other."""
    best = max(attempted.matched)
    if best > upper:
        raise VerificationError(
            f"pair {pair.identifier}: a search found {best}, above the bound {upper}"
        )
    if attempted.upper is not None and attempted.upper < lower:
        raise VerificationError(
            f"pair {pair.identifier}: {PROGRAM} claims that no mapping scores more than "
            f"{attempted.upper}, but one scores {lower}"
        )


class _Searched(NamedTuple):
    """A problem for the methods to search, and its similar pairs."""

    problem: MatchingProblem
    likely: Sequence[Pair]
    settings: Settings

    @classmethod
    def of(
        cls,
        system: NormalisedGraph,
        gold: NormalisedGraph,
        metric: AlignmentMetric,
        settings: Settings,
    ) -> "_Searched":
        """Compute what every method needs, so that no method is charged for it alone."""
        comparison = compare_triples(system, gold, metric)
        problem = comparison.problem
        _ = problem.candidates, problem.terms_of
        return cls(problem, comparison.likely(), settings)

    def attempted(self, attempt: Attempt, seeds: int, deadline: Deadline) -> _Attempted:
        """Return the results of *attempt*, for each seed."""
        if isinstance(attempt, Method):
            first = self.settings.seed
            matched = [self.climbed(attempt, first + k, deadline) for k in range(seeds)]
            return _Attempted(matched, seeds)
        lower, upper = self.programmed(deadline)
        return _Attempted([lower] * seeds, 1, upper)

    def climbed(self, method: Method, seed: int, deadline: Deadline) -> int:
        """Return the score of the mapping that *method* finds."""
        mapping = search(
            self.problem,
            method,
            self.likely,
            starts=self.settings.starts,
            seed=seed,
            deadline=deadline,
        )
        return self.problem.value(mapping)

    def programmed(self, deadline: Deadline) -> tuple[int, int]:
        """Return the score of the mapping of the paper's program, and its bound.

        The program receives no start and no presolve of exactmatch.
        """
        if not can_hold(PROGRAM, self.problem):
            raise UsageError(
                f"{PROGRAM} computes in floating point, which is too coarse for such weights"
            )
        every_term = sum(term.weight for term in self.problem.terms)
        solve = get_solver(PROGRAM, self.settings.memory).solve
        with suppress(OutOfTime, OutOfMemory):
            outcome = solve(
                self.problem, hint={}, upper=every_term, deadline=deadline, seed=self.settings.seed
            )
            return outcome.lower, outcome.upper
        return 0, every_term
