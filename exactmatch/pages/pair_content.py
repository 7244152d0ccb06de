"""What a page is told of a pair, such as JSON can be made of."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from exactmatch.mappings import BestMappings
from exactmatch.metrics.anchors import Anchor
from exactmatch.report.json import pair_content
from exactmatch.report.text import as_good
from exactmatch.triples import Duplicates, Label, NormalisedTriple
from exactmatch.views.drawing import Drawing, drawing
from exactmatch.views.layout import Placed, laid_out
from exactmatch.views.marks import Mark, targets_of
from exactmatch.views.pair_view import PairView
from exactmatch.views.pieces import Line
from exactmatch.views.shown_graph import ShownGraph

#: What a page says of the score; the keys are those of JSON.
_FIGURES = (
    "matched", "upper", "system_total", "gold_total", "precision", "recall", "f1", "f1_upper",
    "status", "solver", "certified", "timed_out", "too_large", "emptied",
)  # fmt: skip
#: The marks that are counted of each kind of triples, in this order.
_COUNTED: Sequence[Mark] = ("other", "extra", "missing", "partly")


def row_content(view: PairView) -> dict[str, Any]:
    """Return the row of a pair in the table of all pairs."""
    score, marks = view.score, view.marks
    counts = marks.counts(view.system, view.gold)
    return {
        "id": score.identifier,
        "score": score.value,
        "score_upper": score.value_upper,
        "matched": score.matched,
        "upper": score.matched_upper,
        "system_total": score.system_total,
        "gold_total": score.gold_total,
        "status": score.status,
        "certified": score.certified,
        "solver": score.solver,
        "kinds": {kind: [counts[kind][mark] for mark in _COUNTED] for kind in sorted(counts)},
        "words": " ".join(text for _, text in view.sentences),
    }


def view_content(view: PairView) -> dict[str, Any]:
    """Return all that a page shows of a pair; triples, labels and variables are numbers."""
    system, gold, score = view.system, view.gold, view.score
    figures = pair_content(score)
    known = _numbered(
        [triple.label for graph in (system, gold) for triple in graph.triples]
        + [label for both in view.similar for label in both]
    )
    pairs = _Pairs(system, gold)
    texts, anchors = view.texts, view.anchors
    mapping = pairs.numbers(score.mapping.items())
    drawings = _drawing(system, view), _drawing(gold, view)
    placed = laid_out(*drawings, _same_nodes(*drawings, mapping))
    return {
        "id": score.identifier,
        "sentences": view.sentences,
        "score": {name: figures[name] for name in _FIGURES},
        "scale": view.metric.scale,
        "duplicates": view.metric.duplicates,
        "mapping": mapping,
        **_links(view),
        **_best(score.best, pairs),
        "labels": [*known],
        "worded": _worded((system, gold), known),
        "similar": [[known[a], known[b], credit] for (a, b), credit in view.similar.items()],
        "system": _graph(system, known, texts[0], anchors[0], _drawn(drawings[0], placed[0])),
        "gold": {
            **_graph(gold, known, texts[1], anchors[1], _drawn(drawings[1], placed[1])),
            **_targets(gold, view.metric.duplicates),
        },
    }


class _Pairs:
    """Pairs of variables by name, and the numbers of these."""

    def __init__(self, system: ShownGraph, gold: ShownGraph) -> None:
        self._system, self._gold = system.place, gold.place

    def numbers(self, pairs: Any) -> list[list[int]]:
        return sorted([self._system[one], self._gold[other]] for one, other in pairs)


def _links(view: PairView) -> dict[str, Any]:
    """Return what each system variable may be mapped to, where not all may be to all."""
    links = view.comparison.links
    if links is None:
        return {}
    images = {v: links.images(i) for i, v in enumerate(view.comparison.system.variables)}
    gold = [view.gold.place[variable] for variable in view.comparison.gold.variables]
    return {"links": [sorted(gold[j] for j in images[v]) for v in view.system.variables]}


def _best(best: BestMappings | None, pairs: _Pairs) -> dict[str, Any]:
    """Return what is known of all best mappings, and what is said of their number."""
    if best is None:
        return {"every": None, "some": None, "others": "other mappings may be as good"}
    return {
        "every": pairs.numbers(best.every),
        "some": pairs.numbers(best.some),
        "others": as_good(best),
    }


def _numbered(labels: Sequence[Label]) -> dict[Label, int]:
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def _worded(graphs: Sequence[ShownGraph], labels: Mapping[Label, int]) -> dict[int, Label]:
    """Return the labels that a file spells otherwise, as it does; that of the system first."""
    found: dict[int, Label] = {}
    for graph in graphs:
        for triple, worded in zip(graph.triples, graph.worded, strict=True):
            if triple.label != worded.label:
                found.setdefault(labels[triple.label], worded.label)
    return found


def _drawing(graph: ShownGraph, view: PairView) -> Drawing:
    sentence = view.sentences[0][1] if view.sentences else ""
    return drawing(graph.variables, graph.worded, sentence)


def _same_nodes(
    system: Drawing, gold: Drawing, mapping: Sequence[Sequence[int]]
) -> list[tuple[int, int]]:
    """Return the nodes that are mapped to each other."""
    left, right = (
        {node.variable: number for number, node in enumerate(drawn.nodes)}
        for drawn in (system, gold)
    )
    return [(left[i], right[j]) for i, j in mapping if i in left and j in right]


def _drawn(drawing: Drawing, placed: Placed) -> dict[str, Any]:
    """Return what is drawn, and where."""
    return {
        "nodes": [
            {
                "x": box.x,
                "y": box.y,
                "w": box.width,
                "h": box.height,
                "variable": node.variable,
                "lines": node.lines,
            }
            for node, box in zip(drawing.nodes, placed.nodes, strict=True)
        ],
        "edges": [
            {
                "triple": edge.triple,
                "label": edge.label,
                "from": edge.source,
                "to": edge.target,
                **curve._asdict(),
            }
            for edge, curve in zip(drawing.edges, placed.edges, strict=True)
        ],
        "size": placed.size,
    }


def _graph(
    graph: ShownGraph,
    labels: Mapping[Label, int],
    text: Sequence[Line],
    anchors: Mapping[str, Sequence[Anchor]],
    drawn: dict[str, Any],
) -> dict[str, Any]:
    place = graph.place
    content: dict[str, Any] = {
        "variables": graph.variables,
        "names": [graph.called(variable) for variable in graph.variables],
        "triples": [[labels[t.label], *map(place.__getitem__, t.variables)] for t in graph.triples],
        "text": text,
        **drawn,
    }
    if anchors:
        content["anchors"] = [
            [place[variable], anchor.start, anchor.end]
            for variable, found in anchors.items()
            for anchor in found
        ]
    return content


def _targets(gold: ShownGraph, duplicates: Duplicates) -> dict[str, Any]:
    """Return the orders of variables in which triples can be matched, where these differ."""
    targets = gold.graph.targets
    if targets is None:
        return {}
    own = targets_of(gold)
    occurrences: Counter[NormalisedTriple] = Counter()
    found = []
    for target in dict.fromkeys(targets) if duplicates == "set" else targets:
        numbers = own[target]
        number = numbers[occurrences[target] % len(numbers)]
        occurrences[target] += 1
        found.append([number, *map(gold.place.__getitem__, target.variables)])
    return {"targets": found}
