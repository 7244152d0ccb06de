"""Search error: how far heuristics stay below the optimum (Cai and Knight 2013, section 4).

Every pair of graphs is solved, and then searched by each method from several seeds, in both
orders of its graphs: a hill climb goes through the variables of one side, so that it may find
less, or more, with the files exchanged.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from exactmatch.comparison import compare_triples, count_triples
from exactmatch.corpus import CorpusScore, Options, PairScore, score_pair, sum_up
from exactmatch.deadline import Deadline
from exactmatch.errors import UsageError
from exactmatch.metrics.items import ItemGraph
from exactmatch.metrics.profiles import Profile
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.parallel import in_order
from exactmatch.problem import MatchingProblem
from exactmatch.search.methods import METHODS, Method, search
from exactmatch.studies.sources import Study

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """What a method found on a pair, one entry a seed.

    forth: triples matched, the test side's variables mapped in order; back: the gold side's.
    seconds: from the triples to the mapping, one search of *forth*.
    """

    forth: tuple[int, ...]
    back: tuple[int, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Trial:
    """A pair of graphs: its score, and what each method found.

    *size* is the number of variables of the larger graph.
    """

    score: PairScore
    size: int
    found: Mapping[str, Found]

    @property
    def best(self) -> int:
        """The triples of the best mapping known: the optimum, unless the pair is not proven."""
        known = (max(*f.forth, *f.back) for f in self.found.values())
        return max(self.score.matched, *known) if self.found else self.score.matched

    @property
    def total(self) -> int:
        """The triples of both graphs: what F1 divides twice the matched ones by."""
        return self.score.test_total + self.score.gold_total


@dataclass(frozen=True, slots=True)
class Losses:
    """How a method did over pairs and seeds.

    runs: searches (pairs by seeds); right: those that found the best mapping.
    documents: documents by seeds; documents_right: those without any loss.
    triples: lost in the mean over seeds; worst: lost by the worst seed.
    f1: lost in the micro F1, mean and worst.
    seconds: for all pairs once.
    """

    runs: int
    right: int
    documents: int
    documents_right: int
    triples: float
    worst: int
    f1: float
    f1_worst: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class SearchError:
    """What heuristics lose on several pairs of files.

    trials: for each two files, the trials of their pairs, without those that are skipped.
    scores: the exact scores of each two files.
    methods: the names of the methods; *seeds* is how often each was run on every pair.
    document: so many consecutive pairs make a document; None if the whole file is one.
    """

    study: Study
    methods: Sequence[str]
    seeds: int
    document: int | None
    trials: Mapping[Pair, Sequence[Trial]]
    scores: Mapping[Pair, CorpusScore]

    def every_trial(self) -> list[Trial]:
        """Return the trials of all files."""
        return [trial for trials in self.trials.values() for trial in trials]

    def documents(self) -> Iterator[Sequence[Trial]]:
        """Yield the documents: what the paper computes one score for."""
        for trials in self.trials.values():
            length = self.document or max(1, len(trials))
            for start in range(0, len(trials), length):
                yield trials[start : start + length]

    def f1(self, pair: Pair, method: str) -> list[float]:
        """Return the micro F1 that *method* gives two files, one for each seed."""
        trials = self.trials[pair]
        total = sum(trial.total for trial in trials)
        matched = [sum(trial.found[method].forth[k] for trial in trials) for k in range(self.seeds)]
        return [2 * count / total if total else 0.0 for count in matched]

    def rankings_right(self, method: str) -> int:
        """Return for how many seeds the files come in the order of their exact scores."""
        exact = {pair: score.f1 for pair, score in self.scores.items()}
        found = {pair: self.f1(pair, method) for pair in self.trials}
        return sum(
            _order(exact) == _order({pair: values[k] for pair, values in found.items()})
            for k in range(self.seeds)
        )


def search_error(
    study: Study,
    pairs: Sequence[Pair],
    methods: Mapping[str, Method],
    options: Options,
    *,
    seeds: int,
    document: int | None = None,
    workers: int = 1,
    advance: Callable[[], None] = lambda: None,
) -> SearchError:
    """Solve the pairs of graphs of each two files, and search them by each of *methods*.

    *advance* is called after each pair. Raises `InputError` if two files have no item in
    common, and `VerificationError` if two computations disagree.
    """
    if not pairs:
        raise UsageError("search error takes at least two files")
    try_pair = partial(_try_methods, methods=methods, seeds=seeds, options=options)
    trials: dict[Pair, list[Trial]] = {}
    scores: dict[Pair, CorpusScore] = {}
    for pair in pairs:
        found = []
        for trial in in_order(try_pair, study.pairing(*pair).pairs, workers):
            found.append(trial)
            advance()
        scored = [trial.score for trial in found]
        scores[pair] = sum_up(scored, options, seconds=sum(score.seconds for score in scored))
        trials[pair] = [trial for trial in found if trial.score.status != "skipped"]
    return SearchError(
        study=study,
        methods=list(methods),
        seeds=seeds,
        document=document,
        trials=trials,
        scores=scores,
    )


def chosen_methods(names: Sequence[str], restarts: Sequence[int]) -> dict[str, Method]:
    """Return the named methods, and ``s+Nr`` for each number of *restarts*."""
    more = {f"s+{n}r": Method(smart=True, random_starts=n) for n in restarts}
    return {name: METHODS[name] for name in names} | more


def losses(
    documents: Sequence[Sequence[Trial]], method: str, seeds: int, *, back: bool = False
) -> Losses:
    """Sum up what *method* lost on *documents*; with *back*, in the other order of the graphs."""
    by_seed = [[_lost(document, method, k, back) for document in documents] for k in range(seeds)]
    trials = [trial for document in documents for trial in document]
    total = sum(trial.total for trial in trials)
    lost = [sum(sum(document) for document in documents) for documents in by_seed]
    right = sum(loss == 0 for rows in by_seed for document in rows for loss in document)
    share = [2 * loss / total if total else 0.0 for loss in lost]
    return Losses(
        runs=len(trials) * seeds,
        right=right,
        documents=len(documents) * seeds,
        documents_right=sum(not any(document) for rows in by_seed for document in rows),
        triples=fmean(lost),
        worst=max(lost),
        f1=fmean(share),
        f1_worst=max(share),
        seconds=sum(trial.found[method].seconds for trial in trials),
    )


def by_size(trials: Sequence[Trial], bounds: Sequence[int]) -> dict[str, list[Trial]]:
    """Return the trials by the size of their graphs: up to each of *bounds*, and above."""
    groups: dict[str, list[Trial]] = {}
    start = 0
    for end in (*bounds, None):
        inside = [t for t in trials if t.size >= start and (end is None or t.size <= end)]
        name = f"{start} or more" if end is None else f"{start} to {end}"
        if inside:
            groups[name] = inside
        start = 0 if end is None else end + 1
    return groups


def _lost(document: Sequence[Trial], method: str, seed: int, back: bool) -> list[int]:
    return [
        trial.best - (trial.found[method].back if back else trial.found[method].forth)[seed]
        for trial in document
    ]


def _order(values: Mapping[Pair, float]) -> list[Pair]:
    return sorted(values, key=lambda pair: (-values[pair], pair))


def _try_methods(
    pair: GraphPair | Skipped, methods: Mapping[str, Method], seeds: int, options: Options
) -> Trial:
    score = score_pair(pair, options, Deadline())
    if isinstance(pair, Skipped):
        return Trial(score, 0, {})
    test, gold = count_triples(pair, options.profile)
    start = time.perf_counter()
    forth = _problem(test, gold, options.profile)
    building = time.perf_counter() - start
    back = _problem(gold, test, options.profile)
    found = {}
    for name, method in methods.items():
        start = time.perf_counter()
        there = tuple(_matched(forth, method, options.seed + k) for k in range(seeds))
        seconds = (time.perf_counter() - start) / seeds + building
        again = tuple(_matched(back, method, options.seed + k) for k in range(seeds))
        found[name] = Found(there, again, seconds)
    return Trial(score, max(len(test.variables), len(gold.variables)), found)


def _problem(test: ItemGraph, gold: ItemGraph, profile: Profile) -> MatchingProblem:
    """Return the problem with all that every method needs, so that none is charged for it alone."""
    problem = compare_triples(test, gold, profile).problem
    _ = problem.candidates, problem.terms_of
    return problem


def _matched(problem: MatchingProblem, method: Method, seed: int) -> int:
    return problem.value(search(problem, method, seed=seed, deadline=Deadline()))
