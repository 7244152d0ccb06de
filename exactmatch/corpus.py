"""Scoring the pairs of a corpus, one after the other, and summing them up."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from exactmatch._version import __version__
from exactmatch.deadline import Deadline
from exactmatch.errors import VerificationError
from exactmatch.metrics.items import count_matched
from exactmatch.metrics.profiles import PROFILES, Profile
from exactmatch.metrics.smatch import matching_problem, normalise
from exactmatch.pairing import GraphPair, Pairing, Skipped
from exactmatch.scores import Score
from exactmatch.solve import EXACT, Solution, confirm, solve, solver_versions

Status = Literal["optimal", "feasible", "skipped"]


@dataclass(frozen=True, slots=True)
class Options:
    """What is computed, and how long it may take.

    profile: how triples are counted.
    method: ``exact``, or a heuristic of `exactmatch.search.methods.METHODS`.
    timeout: seconds for a pair, total_timeout: seconds for all; None is no limit.
    seed: of every random choice; each pair starts from it anew.
    cross_check: solve every pair again with another solver.
    """

    profile: Profile = PROFILES["default"]
    method: str = EXACT
    timeout: float | None = None
    total_timeout: float | None = None
    seed: int = 0
    cross_check: bool = False

    def signature(self) -> str:
        """Return one line that fixes every choice that moves the score."""
        method = f"method:{self.method}"
        if self.method != EXACT:
            method += f"|seed:{self.seed}"
        return f"smatch|{self.profile.signature()}|{method}|version:{__version__}"

    def long_signature(self) -> str:
        """Return the signature with time limits, seed and the versions of the solvers."""
        limits = f"timeout:{self.timeout}|total-timeout:{self.total_timeout}|seed:{self.seed}"
        return f"{self.signature()}|{limits}|solver:{solver_versions()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairScore(Score):
    """The score of one pair of graphs.

    mapping: test variable to gold variable, by name.
    solver: what proved the result or, if nothing did, what worked on it last.
    timed_out: the time limit left a gap.
    confirmed: another solver proved the same optimum; None if it was not asked.
    """

    identifier: str
    status: Status
    solver: str
    seconds: float
    mapping: Mapping[str, str]
    timed_out: bool = False
    confirmed: bool | None = None

    def __repr__(self) -> str:
        return f"<PairScore {self.identifier}: {_summary(self)}, {self.status} ({self.solver})>"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusScore(Score):
    """The score of a corpus: micro-averaged, from the sums over its pairs.

    signature: every choice that moves the score, in one line; the long one has the limits and
        the versions of the solvers as well.
    per_pair: the scores of the pairs, skipped ones among them.
    emptied: pairs in which an empty graph stands for one that is missing or unreadable.
    partial: the run was interrupted, and later pairs are not in it.
    """

    signature: str
    long_signature: str
    per_pair: Sequence[PairScore] = field(repr=False)
    seconds: float
    emptied: int = 0
    partial: bool = False

    @property
    def pairs(self) -> int:
        """The number of pairs that were scored."""
        return len(self.per_pair) - self.skipped

    @property
    def skipped(self) -> int:
        """The number of pairs left out."""
        return sum(pair.status == "skipped" for pair in self.per_pair)

    @property
    def optimal(self) -> int:
        """The number of pairs whose score is proven to be the best."""
        return sum(pair.status == "optimal" for pair in self.per_pair)

    @property
    def timed_out(self) -> int:
        """The number of pairs in which the time limit left a gap."""
        return sum(pair.timed_out for pair in self.per_pair)

    @property
    def confirmed(self) -> int | None:
        """The number of pairs confirmed by another solver; None if it was not asked."""
        answers = [pair.confirmed for pair in self.per_pair if pair.confirmed is not None]
        return sum(answers) if answers else None

    def __repr__(self) -> str:
        partial = ", partial" if self.partial else ""
        return f"<CorpusScore {_summary(self)}, {self.optimal} of {self.pairs} optimal{partial}>"


def score_pairs(pairing: Pairing, options: Options) -> Iterator[PairScore]:
    """Score the pairs in order.

    Raises `VerificationError` if two computations of one number disagree.
    """
    end = Deadline.after(options.total_timeout)
    for pair in pairing.pairs:
        yield _skipped(pair) if isinstance(pair, Skipped) else score_pair(pair, options, end)


def score_pair(pair: GraphPair, options: Options, end: Deadline) -> PairScore:
    """Score one pair within its own time limit, and before *end*."""
    start = time.monotonic()
    deadline = Deadline.after(options.timeout).earlier(end)
    test = normalise(pair.test, options.profile)
    gold = normalise(pair.gold, options.profile)
    problem = matching_problem(test, gold, options.profile)
    solution = solve(problem, method=options.method, seed=options.seed, deadline=deadline)
    mapping = {test.variables[i]: gold.variables[j] for i, j in sorted(solution.mapping.items())}
    matched = count_matched(test, gold, mapping, options.profile.duplicates)
    _check_matched(pair, solution, matched)
    confirmed = None
    if options.cross_check:
        again = Deadline.after(options.timeout).earlier(end)
        confirmed = confirm(problem, solution, seed=options.seed, deadline=again)
    return PairScore(
        identifier=pair.identifier,
        matched=matched,
        matched_upper=solution.upper,
        test_total=problem.left_total,
        gold_total=problem.right_total,
        status="optimal" if solution.is_optimal else "feasible",
        solver=solution.solver,
        seconds=time.monotonic() - start,
        mapping=mapping,
        timed_out=solution.timed_out,
        confirmed=confirmed,
    )


def sum_up(
    scores: Iterable[PairScore],
    options: Options,
    *,
    seconds: float,
    emptied: int = 0,
    partial: bool = False,
) -> CorpusScore:
    """Return the score of the corpus whose pairs are scored so."""
    per_pair = tuple(scores)
    return CorpusScore(
        matched=sum(score.matched for score in per_pair),
        matched_upper=sum(score.matched_upper for score in per_pair),
        test_total=sum(score.test_total for score in per_pair),
        gold_total=sum(score.gold_total for score in per_pair),
        signature=options.signature(),
        long_signature=options.long_signature(),
        per_pair=per_pair,
        seconds=seconds,
        emptied=emptied,
        partial=partial,
    )


def _skipped(pair: Skipped) -> PairScore:
    return PairScore(
        identifier=pair.identifier,
        matched=0,
        matched_upper=0,
        test_total=0,
        gold_total=0,
        status="skipped",
        solver="none",
        seconds=0.0,
        mapping={},
    )


def _check_matched(pair: GraphPair, solution: Solution, matched: int) -> None:
    """Hold the number that was optimised against the one counted from the triples."""
    if matched != solution.lower:
        raise VerificationError(
            f"pair {pair.identifier}: {solution.solver} claims {solution.lower} matched triples, "
            f"but its mapping matches {matched}"
        )


def _summary(score: Score) -> str:
    interval = f"{score.f1:.4f}" if score.gap == 0 else f"{score.f1:.4f} to {score.f1_upper:.4f}"
    return f"P {score.precision:.4f}, R {score.recall:.4f}, F1 {interval}"
