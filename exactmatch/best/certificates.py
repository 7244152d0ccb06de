"""Certificates of the ends of ranges: problems whose best mappings match the least, or the most.

Every triple counts K times what it does, and one of the part once more, or once less, where K
exceeds what can match of the part (see `exactmatch.best.ranges`). In the pair's JSON that is a
larger *scale*, and labels that are similar to themselves: the checker needs to know nothing of
ranges. Together with the certificate of the pair itself, such a one shows an end of the range: its
mapping scores as much as the best one, and the rest of its value is what it matches of the part.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from exactmatch.comparison import Comparison
from exactmatch.triples import Label, NormalisedGraph

Side = Literal["least", "most"]


class RangeEnd(NamedTuple):
    """The *least* or the *most* that the best mappings match of a part."""

    part: str
    side: Side

    def __str__(self) -> str:
        return f"{self.side} {self.part}"


def ends_of(comparison: Comparison) -> Iterator[tuple[RangeEnd, Comparison]]:
    """Yield the ends of all parts that occur, and the comparison whose best mappings reach each."""
    for part, its_triples in comparison.parts().items():
        yield (
            RangeEnd(part, "least"),
            _towards(comparison, its_triples, RangeEnd(part, "least"), -1),
        )
        yield RangeEnd(part, "most"), _towards(comparison, its_triples, RangeEnd(part, "most"), 1)


def factor(part: Comparison) -> int:
    """Return a whole number that exceeds what any mapping matches of *part*."""
    if part.metric.duplicates == "product":
        return part.problem.total + 1
    most = max([part.scale, *part.similar.values()])
    return most * min(len(part.system.triples), len(part.gold.as_gold())) + 1


def _towards(whole: Comparison, part: Comparison, end: RangeEnd, sign: int) -> Comparison:
    times = factor(part)
    worth = Counter({labels: times * credit for labels, credit in whole.similar.items()})
    systems, golds = _labels(part.system), _labels(part.gold)
    for label in systems & golds:
        worth[label, label] += sign * whole.scale
    for (label, other), credit in part.similar.items():
        if label in systems and other in golds:
            worth[label, other] += sign * credit
    return replace(
        whole, similar=dict(sorted(worth.items())), scale=times * whole.scale, about=str(end)
    )


def _labels(graph: NormalisedGraph) -> set[Label]:
    return {triple.label for triple in (*graph.triples, *graph.as_gold())}
