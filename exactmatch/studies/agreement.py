"""Inter-annotator agreement: every two annotators compared (Cai and Knight 2013, section 5)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations
from statistics import fmean

from exactmatch.comparison import count_triples
from exactmatch.corpus import CorpusScore, Options, PairScore, Tally, score_pairs, sum_up
from exactmatch.errors import UsageError, VerificationError
from exactmatch.metrics.profiles import Profile
from exactmatch.pairing import GraphPair, Pairing
from exactmatch.studies.differences import Difference, differences
from exactmatch.studies.sources import Study

#: Where the metadata of a graph may say when it was annotated (AMR releases of ISI and LDC).
_DATES = ("date", "save-date")
_DATE_FORMATS = ("%a %b %d, %Y", "%Y/%m/%d", "%d.%m.%Y")

Pair = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Two annotators: their score, and by item what differs under the mapping found."""

    score: CorpusScore
    differences: Mapping[str, Sequence[Difference]]


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How far annotators agree.

    study: the files and their items.
    annotators: their names; *consensus* is the name of the agreed version, if there is one.
    compared: every two of them, the consensus always second.
    """

    study: Study
    annotators: Sequence[str]
    consensus: str | None
    compared: Mapping[Pair, Compared]

    def score(self, one: str, other: str) -> CorpusScore:
        """Return the score of two annotators. Precision and recall are those of their order."""
        return self.compared[(one, other) if (one, other) in self.compared else (other, one)].score

    def between_annotators(self) -> list[Pair]:
        """Return the pairs of annotators without the consensus."""
        return [pair for pair in self.compared if self.consensus not in pair]

    def with_consensus(self) -> list[Pair]:
        """Return the pairs of an annotator and the consensus."""
        return [pair for pair in self.compared if self.consensus in pair]

    def mean_f1(self, annotator: str, f1: Callable[[CorpusScore], float]) -> float:
        """Return the mean of *f1* over the scores of an annotator with all other annotators."""
        others = [name for name in self.annotators if name != annotator]
        return fmean(f1(self.score(annotator, other)) for other in others)

    def disputed_items(self) -> list[tuple[str, list[PairScore]]]:
        """Return the items with their scores, those of the lowest mean F1 first."""
        scores = defaultdict(list)
        for pair in self.between_annotators() or self.with_consensus():
            for score in self.compared[pair].score.per_pair:
                if score.status != "skipped":
                    scores[score.identifier].append(score)
        return sorted(scores.items(), key=lambda entry: fmean(s.f1 for s in entry[1]))

    def confusions(self, pairs: Sequence[Pair], item: str | None = None) -> Counter[Difference]:
        """Count the differences of *pairs*, on one *item* or all, whichever side says what.

        What is said on one side alone stands first.
        """
        return Counter(
            _unordered(difference)
            for pair in pairs
            for name, found in self.compared[pair].differences.items()
            if item in (None, name)
            for difference in found
        )

    def by_month(self, annotator: str) -> dict[str, CorpusScore]:
        """Return an annotator's scores with the consensus by month, where graphs have dates."""
        assert self.consensus is not None
        whole = self.score(annotator, self.consensus)
        months = defaultdict(list)
        for score in whole.per_pair:
            if score.status == "skipped":
                continue
            graph = self.study.graphs[annotator].get(score.identifier)
            month = None if graph is None else _month(graph.metadata)
            if month is not None:
                months[month].append(score)
        return {month: restricted(whole, months[month]) for month in sorted(months)}


def agreement(
    study: Study,
    options: Options,
    *,
    consensus: str | None = None,
    workers: int = 1,
    advance: Callable[[], None] = lambda: None,
) -> Agreement:
    """Compare every two annotators of *study*, and each with the *consensus* if one is named.

    *advance* is called after each two. Raises `UsageError` if there are no two files,
    `InputError` if two have no item in common, and `VerificationError` if two computations
    disagree or equal graphs do not agree in full.
    """
    names = [source.name for source in study.sources if source.name != consensus]
    pairs = list(combinations(names, 2)) + [(name, consensus) for name in names if consensus]
    if not pairs:
        raise UsageError("agreement takes at least two files, or one and a consensus")
    compared = {}
    for one, other in pairs:
        pairing = study.pairing(one, other)
        scores = list(score_pairs(pairing, options, workers))
        compared[one, other] = Compared(
            score=sum_up(scores, options, seconds=sum(score.seconds for score in scores)),
            differences=dict(_differences(pairing, scores, options.profile)),
        )
        advance()
    return Agreement(study=study, annotators=names, consensus=consensus, compared=compared)


def restricted(score: CorpusScore, pairs: Sequence[PairScore]) -> CorpusScore:
    """Return the score of some *pairs* of a corpus alone."""
    return replace(score, per_pair=pairs, **Tally.of(pairs).numbers(score.profile.parts))


def _differences(
    pairing: Pairing, scores: Sequence[PairScore], profile: Profile
) -> Iterator[tuple[str, list[Difference]]]:
    for pair, score in zip(pairing.pairs, scores, strict=True):
        if isinstance(pair, GraphPair):
            test, gold = count_triples(pair, profile)
            can_match = bool(test.items) and set(test.items) <= set(test.as_gold())
            if test == gold and can_match and score.f1_upper < 1:
                raise VerificationError(
                    f"{pair.identifier}: two equal graphs score {score.f1_upper}, not 1"
                )
            found = differences(test, gold, score.mapping, profile.duplicates)
            yield pair.identifier, found


def _unordered(difference: Difference) -> Difference:
    one, other = sorted((difference.test, difference.gold), key=lambda text: (text is None, text))
    return Difference(difference.kind, one, other)


def _month(metadata: Mapping[str, str]) -> str | None:
    """Return year and month of a graph's date, None if there is none that can be read."""
    for key in _DATES:
        if key in metadata:
            date = _parsed(metadata[key])
            return None if date is None else f"{date:%Y-%m}"
    return None


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for known in _DATE_FORMATS:
        try:
            return datetime.strptime(text, known)
        except ValueError:
            continue
    return None
