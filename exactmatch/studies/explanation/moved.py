"""The effect of a change of choices on a pair of graphs: on its triples and their matches."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

from exactmatch.errors import VerificationError
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.metrics.triples import Label, NormalisedGraph, NormalisedTriple
from exactmatch.metrics.umr.document_relations import mapped_sentences
from exactmatch.scoring.comparison import Comparison, compare
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline
from exactmatch.studies.common.differences import most_alike_first
from exactmatch.studies.common.outcomes import PairRow

Side = Literal["system", "gold"]


class MovedTriple(NamedTuple):
    """A triple of one side that a change has altered, removed, or added.

    before, after: None if the triple does not exist.
    """

    side: Side
    before: NormalisedTriple | None
    after: NormalisedTriple | None


class MatchedTriple(NamedTuple):
    """A triple of the system whose match a change gains or loses.

    before, after: as in `MovedTriple`; equal, if only the mapping changes.
    more: the increase of its value; below 0 if it no longer matches.
    """

    before: NormalisedTriple | None
    after: NormalisedTriple | None
    more: int


@dataclass(frozen=True, slots=True)
class PairMove:
    """The effect of the change at the position *step* of a path on a pair.

    matched: the triples whose match changes, under a common mapping before and after, if one that
        was found is best for both.
    by_label: the increase of the matches of each label, where there is one.
    """

    step: int
    triples: Sequence[MovedTriple]
    matched: Sequence[MatchedTriple]
    by_label: Mapping[Label, int]


@dataclass(frozen=True, slots=True)
class PairPath:
    """A pair of graphs on a path: its numbers before the first change and after each.

    moves: the effects of the changes that alter its triples or how they are counted.
    """

    rows: Sequence[PairRow]
    moves: Sequence[PairMove]


class _State(NamedTuple):
    comparison: Comparison
    row: PairRow
    mapping: Mapping[str, str]
    is_searched: bool = True


def along(metrics: Sequence[Metric], settings: Settings, pair: GraphPair) -> PairPath:
    """Score a pair by each of *metrics*; each differs from the previous one in one choice.

    If the first maps variables by its own rules, the second has to count the same triples. A
    problem that a change leaves unchanged is not solved again. Raises `VerificationError` if two
    computations of one number disagree.
    """
    solved = partial(_solved, pair, settings)
    first, *others = metrics
    if isinstance(first, AlignmentMetric):
        state = solved(compare(pair, first))
    else:
        state = _by_rules(pair, first, compare(pair, alignment_based(others[0])), settings)
    rows, moves = [state.row], []
    for step, metric in enumerate(map(alignment_based, others)):
        comparison = compare(pair, metric)
        if state.is_searched and _same(state.comparison, comparison):
            state = state._replace(comparison=comparison, row=state.row._replace(seconds=0.0))
        else:
            after = _with_mapping_of(state, solved(comparison))
            moves.append(_move(step, _with_mapping_of(after, state), after))
            state = after
        rows.append(state.row)
    return PairPath(rows, moves)


def _solved(pair: GraphPair, settings: Settings, comparison: Comparison) -> _State:
    score = score_pair(pair, comparison.metric, settings, Deadline())
    return _State(comparison, PairRow.of(score), score.mapping)


def _by_rules(
    pair: GraphPair, metric: Metric, comparison: Comparison, settings: Settings
) -> _State:
    """Return the score of a pair by *metric*, in the triples of *comparison*."""
    score = score_pair(pair, metric, settings, Deadline())
    sentences = mapped_sentences(comparison.system, comparison.gold)
    mapping = {**score.mapping, **sentences}
    counts = comparison.counts(mapping)
    if counts != (score.matched, score.system_total, score.gold_total):
        raise VerificationError(
            f"{pair.identifier}: {metric.title} matches {score.matched} of {score.system_total} "
            f"and {score.gold_total} {metric.unit}, but its mapping gives {counts.matched} of "
            f"{counts.system_total} and {counts.gold_total}"
        )
    return _State(comparison, PairRow.of(score), mapping, is_searched=False)


def _same(one: Comparison, other: Comparison) -> bool:
    """Tell whether two comparisons have the same problem for a pair."""
    return (
        one.metric.duplicates == other.metric.duplicates
        and one.metric.scale == other.metric.scale
        and one.system == other.system
        and one.gold == other.gold
        and one.similar == other.similar
    )


def _with_mapping_of(other: _State, state: _State) -> _State:
    """Return *state* with the mapping of the *other* one, if that matches as much."""
    as_good = state.comparison.count_matched(other.mapping) == state.row.matched
    return state._replace(mapping=other.mapping) if as_good else state


def _move(step: int, before: _State, after: _State) -> PairMove:
    if before.comparison.metric.name != after.comparison.metric.name:
        before = before._replace(comparison=_in_words_of_smatch(before.comparison))
    sides: Sequence[tuple[Side, NormalisedGraph, NormalisedGraph]] = (
        ("system", before.comparison.system, after.comparison.system),
        ("gold", before.comparison.gold, after.comparison.gold),
    )
    triples = [
        MovedTriple(side, one, other)
        for side, old, new in sides
        for one, other in _moved(
            _counted(old.triples, before.comparison.metric),
            _counted(new.triples, after.comparison.metric),
        )
    ]
    then, now = (_matched(state.comparison, state.mapping) for state in (before, after))
    by_label = _by_label(now)
    by_label.subtract(_by_label(then))
    return PairMove(
        step,
        triples,
        matched=[*_differing(then, now, [t for t in triples if t.side == "system"])],
        by_label={label: by_label[label] for label in sorted(by_label) if by_label[label]},
    )


def _in_words_of_smatch(comparison: Comparison) -> Comparison:
    """Return a comparison by umatch, with concepts named as in Smatch."""
    system, gold = (
        graph.with_triples(
            [
                triple._replace(label=("instance", *triple.label[1:]))
                if triple.kind == "concept"
                else triple
                for triple in graph.triples
            ]
        )
        for graph in (comparison.system, comparison.gold)
    )
    return replace(comparison, system=system, gold=gold)


def _matched(comparison: Comparison, mapping: Mapping[str, str]) -> Counter[NormalisedTriple]:
    """Return the value of each triple of the system that *mapping* matches."""
    targets: defaultdict[Label, list[NormalisedTriple]] = defaultdict(list)
    for target in comparison.gold.as_gold():
        targets[target.label].append(target)
    similar: defaultdict[Label, list[Label]] = defaultdict(list)
    for own, other in comparison.similar:
        similar[own].append(other)
    matched: Counter[NormalisedTriple] = Counter()
    for triple, times in Counter(comparison.system.triples).items():
        wanted = [t for label in (triple.label, *similar[triple.label]) for t in targets[label]]
        if not wanted:
            continue
        alone = replace(
            comparison,
            system=comparison.system.with_triples([triple] * times),
            gold=comparison.gold.with_triples(wanted),
        )
        matched[triple] = alone.count_matched(
            {v: w for v in triple.variables if (w := mapping.get(v))}
        )
    return +matched


def _by_label(matched: Counter[NormalisedTriple]) -> Counter[Label]:
    numbers: Counter[Label] = Counter()
    for triple, number in matched.items():
        numbers[triple.label] += number
    return numbers


def _differing(
    then: Counter[NormalisedTriple],
    now: Counter[NormalisedTriple],
    moved: Iterable[MovedTriple],
) -> Iterator[MatchedTriple]:
    """Yield the triples whose value changes *now*; those that have *moved*, with both forms."""
    then, now = Counter(then), Counter(now)
    for _, before, after in moved:
        more = (now.pop(after, 0) if after else 0) - (then.pop(before, 0) if before else 0)
        if more:
            yield MatchedTriple(before, after, more)
    for triple in sorted(then.keys() | now.keys()):
        more = now[triple] - then[triple]
        if more:
            yield MatchedTriple(triple, triple, more)


def _moved(
    old: Counter[NormalisedTriple], new: Counter[NormalisedTriple]
) -> Iterator[tuple[NormalisedTriple | None, NormalisedTriple | None]]:
    """Yield the differences between the triples of a graph, grouped by variables."""
    gone, come = _by_variables(old - new), _by_variables(new - old)
    for variables in sorted(gone.keys() | come.keys()):
        yield from most_alike_first(gone.get(variables, []), come.get(variables, []), _alike)


def _counted(
    triples: Iterable[NormalisedTriple], metric: AlignmentMetric
) -> Counter[NormalisedTriple]:
    """Return the triples, repeated as often as they count in the total."""
    return Counter(dict.fromkeys(triples, 1) if metric.duplicates == "set" else triples)


def _by_variables(
    triples: Counter[NormalisedTriple],
) -> dict[tuple[str, ...], list[NormalisedTriple]]:
    groups: defaultdict[tuple[str, ...], list[NormalisedTriple]] = defaultdict(list)
    for triple in triples.elements():
        groups[tuple(sorted(triple.variables))].append(triple)
    return groups


def _alike(one: NormalisedTriple, other: NormalisedTriple) -> int:
    """Return the number of equal parts of the labels, and then whether their order is equal."""
    parts = sum(a == b for a, b in zip(one.label, other.label, strict=False))
    return 2 * parts + (one.variables == other.variables)
