"""Compute the subscores of a pair of graphs."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from exactmatch.errors import UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.counts import Range
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.subscores.asked import (
    Labelled,
    Searched,
    Subscores,
    Whole,
    is_of_documents,
    uses_frames,
)
from exactmatch.metrics.subscores.statements import Statements
from exactmatch.metrics.subscores.subscore import Subscore
from exactmatch.metrics.triples import Duplicates, Label, NormalisedGraph

#: A part of the system's graph, and one of the gold graph.
Part = tuple[NormalisedGraph, NormalisedGraph]

#: The least and the most matches.
Interval = tuple[int, int]

#: Returns the matches of two graphs under their best mapping.
Search = Callable[[NormalisedGraph, NormalisedGraph], Interval]

#: Returns the least and the most matches of parts under the best mappings of the whole graphs, if
#: they are known.
Ranges = Callable[[Mapping[str, Part]], Mapping[str, Range]]


def with_subscores(metric: Metric) -> Smatch:
    """Return *metric* if it has subscores; otherwise raise `UsageError`."""
    if not isinstance(metric, Smatch):
        raise UsageError(f"{metric.name} has no subscores; smatch has some")
    if metric.credits:
        raise UsageError("subscores count whole matches; leave out the credits")
    if metric.root_distance == "weighted":
        raise UsageError("subscores count each triple once; use root_distance core or ignore")
    return metric


def check_sentences_known(asked: Subscores, metrics: Sequence[Metric]) -> None:
    """Raise `UsageError` if subscores of documents are asked for, and no metric knows sentences."""
    names = [name for name, what in asked.definitions.items() if is_of_documents(what)]
    if names and all(with_subscores(metric).sentences == "free" for metric in metrics):
        raise UsageError(
            f"{names[0]} needs documents with aligned sentences, which are free here: use "
            "sentences aligned, or the profile docsmatch"
        )


class _BothSides(NamedTuple):
    """The statements of both graphs of a pair."""

    system: Statements
    gold: Statements


def measured(
    asked: Subscores,
    system: NormalisedGraph,
    gold: NormalisedGraph,
    metric: AlignmentMetric,
    *,
    whole: Interval,
    search: Search,
    ranges: Ranges,
) -> dict[str, Subscore]:
    """Return the requested subscores of two graphs that have anything to count.

    *metric* has made the graphs, and *whole* has the number of matches. Raises `UsageError` if the
    metric has no subscores.
    """
    # Complex: a branch for each kind of definition, with a separate one for those that share a
    # search.
    smatch = with_subscores(metric)
    duplicates = smatch.duplicates
    plain = _BothSides(Statements.of(system, smatch), Statements.of(gold, smatch))
    framed = plain
    if asked.frames is not None:
        framed = _BothSides(*(side.renamed(asked.frames.role) for side in plain))
    subscores: dict[str, Subscore] = {}
    joint: dict[str, Part] = {}
    for name, definition in asked.definitions.items():
        pair = framed if uses_frames(definition) else plain
        if isinstance(definition, Labelled):
            subscores[name] = _of_labels(definition, pair)
            continue
        if isinstance(definition, Whole):
            subscores[name] = _searched((system, gold), whole, duplicates)
            continue
        part = (definition.part.graph(pair.system), definition.part.graph(pair.gold))
        if not isinstance(definition, Searched):
            joint[name] = part
        elif _may_match(part):
            subscores[name] = _searched(part, search(*map(_with_own_variables, part)), duplicates)
        else:
            subscores[name] = _of_part(part, (0, 0), duplicates)
    asked_for = {name: part for name, part in joint.items() if _may_match(part)}
    known = ranges(asked_for) if asked_for else {}
    for name, part in joint.items():
        interval = _interval(known.get(name)) if name in asked_for else (0, 0)
        subscores[name] = _of_part(part, interval, duplicates)
    return {name: subscores[name] for name in asked.definitions if subscores[name].pairs}


def _of_labels(definition: Labelled, pair: _BothSides) -> Subscore:
    system, gold = (Counter(definition.score.labels(side)) for side in pair)
    if definition.once:
        system, gold = Counter(system.keys()), Counter(gold.keys())
    matched = (system & gold).total()
    return Subscore.of((matched, matched), system.total(), gold.total())


def _with_own_variables(graph: NormalisedGraph) -> NormalisedGraph:
    """Return a part of a graph without the variables that do not occur in it."""
    named = {variable for triple in graph.triples for variable in triple.variables}
    variables = tuple(v for v in graph.variables if v in named)
    return NormalisedGraph(variables, graph.triples, keys=graph.keys)


def _searched(part: Part, interval: Interval, duplicates: Duplicates) -> Subscore:
    """Return the subscore of a part with a mapping of its own: proven if it is one value."""
    return _of_part(part, interval, duplicates, proven=interval[0] == interval[1])


def _may_match(part: Part) -> bool:
    return all(side.triples for side in part)


def _interval(known: Range | None) -> Interval | None:
    return None if known is None or known.unknown else known[:2]


def _of_part(
    part: Part, interval: Interval | None, duplicates: Duplicates, *, proven: bool = True
) -> Subscore:
    totals = (side.total(duplicates) for side in part)
    if interval is None:
        return Subscore.of((0, _most(part, duplicates)), *totals, proven=False)
    return Subscore.of(interval, *totals, proven=proven)


def _most(part: Part, duplicates: Duplicates) -> int:
    """Return an upper bound on matches: the triples that are equal except for their variables."""
    if duplicates == "product":
        return _most_products(part)
    system, gold = (Counter(triple.label for triple in side.triples) for side in part)
    return (system & gold).total()


def _most_products(part: Part) -> int:
    """Return an upper bound on matches if each pair of occurrences counts.

    For one label, the sum of products of numbers is largest if the largest numbers are multiplied
    with each other, then the next ones, and so on.
    """
    system, gold = (_times_by_label(side) for side in part)
    return sum(sum(map(mul, times, gold.get(label, ()))) for label, times in system.items())


def _times_by_label(graph: NormalisedGraph) -> dict[Label, list[int]]:
    """Return how often the triples of each label occur, the most frequent first."""
    times_of: dict[Label, list[int]] = {}
    for triple, times in Counter(graph.triples).most_common():
        times_of.setdefault(triple.label, []).append(times)
    return times_of
