"""Scoring the pairs of a corpus, one after the other, and summing them up."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from exactmatch._version import __version__
from exactmatch.certificate.checker import MALFORMED, check
from exactmatch.certificate.writer import certificate_json, line
from exactmatch.comparison import Comparison, compare
from exactmatch.deadline import Deadline, OutOfTime
from exactmatch.errors import UsageError, VerificationError
from exactmatch.memory import MOST
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.profiles import Profile
from exactmatch.metrics.smatch import SmatchProfile
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.scores import Score
from exactmatch.search.methods import METHODS
from exactmatch.solving.limits import solve_within
from exactmatch.solving.strategy import (
    AUTO,
    EXACT,
    SOLVERS,
    Solution,
    bounded,
    confirm,
    solver_versions,
)
from exactmatch.sums import ExactSum

Status = Literal["optimal", "feasible", "skipped"]


#: CP-SAT and SCIP take seeds of 31 bits.
_LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Options:
    """What is computed, and how long it may take. Raises `UsageError` for what makes no sense.

    profile: how triples are counted.
    method: ``exact``, or a heuristic of `exactmatch.search.methods.METHODS`.
    solver: what proves the exact result, one of `exactmatch.solving.strategy.SOLVERS`.
    timeout: seconds for a pair, total_timeout: seconds for all; None is no limit.
    seed: of every random choice; each pair starts from it anew.
    memory: bytes that a pair may take; one that would take more is not solved but bounded.
    cross_check: solve every pair again with another solver.
    certificates: write down a proof of every result.
    breakdown: count the matched triples of each kind as well.
    """

    profile: Profile = SmatchProfile.known["default"]
    method: str = EXACT
    solver: str = AUTO
    timeout: float | None = None
    total_timeout: float | None = None
    seed: int = 0
    memory: int = MOST
    cross_check: bool = False
    certificates: bool = False
    breakdown: bool = False

    def __post_init__(self) -> None:
        for name, known in (("method", (EXACT, *METHODS)), ("solver", SOLVERS)):
            if getattr(self, name) not in known:
                raise UsageError(
                    f"no {name} is called {getattr(self, name)!r}; there are {', '.join(known)}"
                )
        for seconds in (self.timeout, self.total_timeout):
            if seconds is not None and not (type(seconds) in (int, float) and seconds >= 0):
                raise UsageError(f"a time limit of {seconds!r} seconds")
        if not (type(self.memory) is int and self.memory >= 0):
            raise UsageError(f"a limit of {self.memory!r} bytes")
        if not (isinstance(self.seed, int) and 0 <= self.seed <= _LARGEST_SEED):
            raise UsageError(f"seed {self.seed!r}: not a whole number from 0 to {_LARGEST_SEED}")
        only_exact = self.cross_check or self.certificates or self.solver != AUTO
        if self.method != EXACT and only_exact:
            raise UsageError(
                "solvers, certificates and cross-checking go with the exact method alone"
            )

    def signature(self) -> str:
        """Return one line that fixes every choice that moves the score."""
        method = f"method:{self.method}"
        if self.method != EXACT:
            method += f"|seed:{self.seed}"
        return f"{self.profile.metric}|{self.profile.signature()}|{method}|version:{__version__}"

    def long_signature(self) -> str:
        """Return the signature with the limits and, where it proves, solver, seed, versions."""
        parts = [self.signature()]
        for name in ("timeout", "total_timeout"):
            seconds = getattr(self, name)
            parts.append(f"{name.replace('_', '-')}:{'none' if seconds is None else seconds}")
        parts.append(f"memory:{self.memory}")
        if self.method == EXACT:
            parts += [f"solver:{self.solver}", f"seed:{self.seed}", f"with:{solver_versions()}"]
        return "|".join(parts)


@dataclass(frozen=True, kw_only=True)
class PairScore(Score):
    """The score of one pair of graphs.

    seconds: from the triples to the result, without reading.
    mapping: test variable to gold variable, by name.
    solver: what proved the result or, if nothing did, what worked on it last.
    timed_out: the time limit left a gap.
    too_large: the problem would not fit into the memory it may take, and was not solved.
    emptied: an empty graph stands for one that is missing or unreadable.
    noted: there is something to note about one of the graphs.
    certified: the upper bound rests on a proof that was checked.
    confirmed: another solver proved the same optimum; None if it was not asked.
    certificate: the proof as a line of JSON, see `exactmatch.certificate.checker`; None if it was
        not asked for.
    breakdown: what the mapping found matches of each kind of triples, if that was asked for. Of
        several best mappings, others may match more of a kind.
    """

    identifier: str
    status: Status
    solver: str
    seconds: float
    mapping: Mapping[str, str]
    timed_out: bool = False
    too_large: bool = False
    emptied: bool = False
    noted: bool = False
    certified: bool = False
    confirmed: bool | None = None
    certificate: str | None = None
    breakdown: Mapping[str, Counts] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<PairScore {self.identifier}: {_summary(self)}, {self.status} ({self.solver})>"


@dataclass(frozen=True, kw_only=True)
class CorpusScore(Score):
    """The score of a corpus: micro-averaged, from the sums over its pairs.

    profile: how graphs were compared.
    signature: every choice that moves the score, in one line; the long one has the limits and
        the versions of the solvers as well.
    seconds: of the whole run, with reading.
    per_pair: the scores of the pairs, skipped ones among them, where they are kept.
    notes: what is the matter with pairs, one message each.
    partial: the run was interrupted, and later pairs are not in it.
    pairs, skipped: numbers of pairs that were scored, and that were left out.
    optimal: pairs whose score is proven to be the best; certified: those of them whose proof was
        checked; by_word: the others, by the name of the solver whose word it is.
    bounded_by_word: pairs not proven whose upper bound is the word of a solver, by its name.
    timed_out: pairs in which the time limit left a gap.
    too_large: pairs that were not solved, as they would not fit into the memory they may take.
    emptied: pairs in which an empty graph stands for a missing or unreadable one.
    noted: pairs about whose graphs there is something to note.
    confirmed: pairs confirmed by another solver; None if it was not asked.
    breakdown: what the mappings found match of each kind of triples, if that was asked for.
    macro_f1, macro_f1_upper: the mean F1 of the pairs that were scored, 0 if there is none, and
        what its true value does not exceed.
    """

    profile: Profile
    signature: str
    long_signature: str
    seconds: float
    per_pair: Sequence[PairScore] = field(default=(), repr=False)
    notes: Sequence[str] = ()
    partial: bool = False
    pairs: int = 0
    skipped: int = 0
    optimal: int = 0
    certified: int = 0
    by_word: Mapping[str, int] = field(default_factory=dict)
    bounded_by_word: Mapping[str, int] = field(default_factory=dict)
    timed_out: int = 0
    too_large: int = 0
    emptied: int = 0
    noted: int = 0
    confirmed: int | None = None
    breakdown: Mapping[str, Counts] = field(default_factory=dict)
    macro_f1: float = 0.0
    macro_f1_upper: float = 0.0

    def __repr__(self) -> str:
        partial = ", partial" if self.partial else ""
        return f"<CorpusScore {_summary(self)}, {self.optimal} of {self.pairs} optimal{partial}>"


@dataclass(slots=True)
class Tally:
    """What `CorpusScore` says of the pairs added so far; it keeps no pair."""

    matched: int = 0
    matched_upper: int = 0
    test_total: int = 0
    gold_total: int = 0
    pairs: int = 0
    optimal: int = 0
    certified: int = 0
    by_word: Counter[str] = field(default_factory=Counter)
    bounded_by_word: Counter[str] = field(default_factory=Counter)
    timed_out: int = 0
    too_large: int = 0
    skipped: int = 0
    emptied: int = 0
    noted: int = 0
    confirmed: int | None = None
    _breakdown: dict[str, Counts] = field(default_factory=dict)
    _f1: ExactSum = field(default_factory=ExactSum)
    _f1_upper: ExactSum = field(default_factory=ExactSum)

    @classmethod
    def of(cls, scores: Iterable[PairScore]) -> Self:
        """Return the tally of *scores*."""
        tally = cls()
        for score in scores:
            tally.add(score)
        return tally

    def add(self, score: PairScore) -> None:
        """Add the score of a pair, which may be skipped."""
        if score.status == "skipped":
            self.skipped += 1
            return
        self.pairs += 1
        self.matched += score.matched
        self.matched_upper += score.matched_upper
        self.test_total += score.test_total
        self.gold_total += score.gold_total
        self._f1.add(score.f1)
        self._f1_upper.add(score.f1_upper)
        self.optimal += score.status == "optimal"
        self.certified += score.status == "optimal" and score.certified
        if not score.certified:
            words = self.by_word if score.status == "optimal" else self.bounded_by_word
            words[score.solver] += 1
        self.timed_out += score.timed_out
        self.too_large += score.too_large
        self.emptied += score.emptied
        self.noted += score.noted
        if score.confirmed is not None:
            self.confirmed = (self.confirmed or 0) + score.confirmed
        for part, counts in score.breakdown.items():
            self._breakdown[part] = self._breakdown.get(part, Counts(0, 0, 0)) + counts

    def numbers(self, parts: Sequence[str]) -> dict[str, Any]:
        """Return the fields of `CorpusScore` that are numbers; *parts* are those of the metric."""
        return {
            "matched": self.matched,
            "matched_upper": self.matched_upper,
            "test_total": self.test_total,
            "gold_total": self.gold_total,
            "pairs": self.pairs,
            "optimal": self.optimal,
            "certified": self.certified,
            "by_word": dict(sorted(self.by_word.items())),
            "bounded_by_word": dict(sorted(self.bounded_by_word.items())),
            "timed_out": self.timed_out,
            "too_large": self.too_large,
            "skipped": self.skipped,
            "emptied": self.emptied,
            "noted": self.noted,
            "confirmed": self.confirmed,
            "breakdown": {p: self._breakdown[p] for p in parts if p in self._breakdown},
            "macro_f1": self._mean(self._f1),
            "macro_f1_upper": self._mean(self._f1_upper),
        }

    def _mean(self, total: ExactSum) -> float:
        return total.total() / self.pairs if self.pairs else 0.0


def score_pair(pair: GraphPair | Skipped, options: Options, end: Deadline) -> PairScore:
    """Score one pair within its own time limit, and before *end*."""
    if isinstance(pair, Skipped):
        return _skipped(pair)
    start = time.monotonic()
    deadline = Deadline.after(options.timeout).earlier(end)
    comparison = compare(pair, options.profile)
    try:
        solution = solve_within(
            comparison,
            method=options.method,
            solver=options.solver,
            seed=options.seed,
            deadline=deadline,
            memory=options.memory,
            certify=options.certificates,
        )
        confirmed = _confirmed(comparison, solution, options, end)
        certificate = _certificate(pair, comparison, solution) if options.certificates else None
        seconds = time.monotonic() - start
        score = _pair_score(pair, comparison, solution, seconds, confirmed, certificate)
    except VerificationError as error:
        message = f"pair {pair.identifier}: {error}"
        raise VerificationError(message, _reproduction(pair, comparison, options)) from error
    if options.breakdown:
        return replace(score, breakdown=comparison.breakdown(score.mapping))
    return score


def _reproduction(pair: GraphPair, comparison: Comparison, options: Options) -> str:
    """Return the triples of *pair* and what was asked for, as a line of JSON."""
    return line(
        {"signature": options.long_signature(), "pair": comparison.as_json(pair.identifier)}
    )


def _confirmed(
    comparison: Comparison, solution: Solution, options: Options, end: Deadline
) -> bool | None:
    """Tell whether another solver proves the same optimum; None if that is not asked for."""
    if not options.cross_check:
        return None
    if solution.too_large:
        return False
    again = Deadline.after(options.timeout).earlier(end)
    try:
        problem = comparison.built(again)
    except OutOfTime:
        return False
    return confirm(problem, solution, seed=options.seed, deadline=again)


def _certificate(pair: GraphPair, comparison: Comparison, solution: Solution) -> str:
    """Return the certificate of what is proven of *solution*.

    Raises `VerificationError` if the checker refutes it.
    """
    content = comparison.as_json(pair.identifier)
    certificate = certificate_json(
        content, solution.proof, mapping=solution.mapping, lower=solution.lower
    )
    try:
        check(content, certificate)
    except MALFORMED as error:
        raise VerificationError(f"the certificate is refuted: {error}") from error
    return line(certificate)


def score_mapping(
    pair: GraphPair, comparison: Comparison, mapping: Mapping[int, int], solver: str
) -> PairScore:
    """Score a *mapping* that *solver* has found elsewhere, beside a bound of our own."""
    problem = comparison.problem
    value = problem.value(mapping)
    quick = bounded(problem)
    solution = Solution(value, quick.upper, dict(mapping), solver, timed_out=False, proof=quick)
    return _pair_score(pair, comparison, solution, seconds=0.0)


def _pair_score(
    pair: GraphPair,
    comparison: Comparison,
    solution: Solution,
    seconds: float,
    confirmed: bool | None = None,
    certificate: str | None = None,
) -> PairScore:
    """Return the score of *solution*, its matched triples counted anew from the graphs."""
    mapping = comparison.named(solution.mapping)
    matched = comparison.count_matched(mapping)
    if matched != solution.lower:
        raise VerificationError(
            f"{solution.solver} claims {solution.lower} matched triples, "
            f"but its mapping matches {matched}"
        )
    return PairScore(
        identifier=pair.identifier,
        matched=matched,
        matched_upper=solution.upper,
        test_total=comparison.test_total,
        gold_total=comparison.gold_total,
        status="optimal" if solution.is_optimal else "feasible",
        solver=solution.solver,
        seconds=seconds,
        mapping=mapping,
        timed_out=solution.timed_out,
        emptied=pair.emptied,
        noted=pair.noted,
        too_large=solution.too_large,
        certified=solution.is_certified,
        confirmed=confirmed,
        certificate=certificate,
    )


def sum_up(
    scores: Iterable[PairScore],
    options: Options,
    *,
    seconds: float,
    notes: Sequence[str] = (),
    partial: bool = False,
) -> CorpusScore:
    """Return the score of the corpus whose pairs are scored so; it keeps them."""
    per_pair = tuple(scores)
    score = corpus_score(Tally.of(per_pair), options, seconds=seconds, notes=notes, partial=partial)
    return replace(score, per_pair=per_pair)


def corpus_score(
    tally: Tally,
    options: Options,
    *,
    seconds: float,
    notes: Sequence[str] = (),
    partial: bool = False,
) -> CorpusScore:
    """Return the score of the corpus whose numbers are added up in *tally*."""
    return CorpusScore(
        profile=options.profile,
        signature=options.signature(),
        long_signature=options.long_signature(),
        seconds=seconds,
        notes=notes,
        partial=partial,
        **tally.numbers(options.profile.parts),
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


def _summary(score: Score) -> str:
    interval = f"{score.f1:.4f}" if score.gap == 0 else f"{score.f1:.4f} to {score.f1_upper:.4f}"
    return f"P {score.precision:.4f}, R {score.recall:.4f}, F1 {interval}"
