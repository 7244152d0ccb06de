"""The content of a page for a pair, as values for JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from exactmatch.metrics.anchors import Anchor
from exactmatch.metrics.best_mappings import BestMappings
from exactmatch.metrics.triples import Duplicates, Label, NormalisedTriple
from exactmatch.report.json import pair_content
from exactmatch.report.text import equally_good_note
from exactmatch.report.views.excerpt import Excerpt
from exactmatch.report.views.graph_drawing import Drawing, drawing, label_width, with_ellipses
from exactmatch.report.views.graph_layout import Placed, laid_out
from exactmatch.report.views.lines import in_system_order
from exactmatch.report.views.marks import Mark, targets_of
from exactmatch.report.views.pair_view import PairView
from exactmatch.report.views.shown_graph import ShownGraph
from exactmatch.report.views.written_graphs import Line

#: What a page shows of the score; the keys are those of JSON.
_FIGURES = (
    "matched", "upper", "system_total", "gold_total", "precision", "recall", "f1", "f1_upper",
    "status", "solver", "certified", "timed_out", "too_large", "emptied",
)  # fmt: skip
#: The largest number of similarities and allowed pairs of variables in a page, for each node and
#: triple that it may show.
_CHOICES_FOR_EACH = 10
#: The marks that are counted for each kind of triples, in this order.
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
    """Return everything that a page shows of a pair; triples, labels and variables are numbers."""
    shown, score = view.shown, view.score
    system, gold = shown.system, shown.gold
    figures = pair_content(score)
    by_hand = _can_be_mapped_by_hand(view)
    similar = view.similar if by_hand else {}
    known = _numbered(
        [triple.label for graph in (system, gold) for triple in graph.triples]
        + [label for both in similar for label in both]
    )
    anchors = view.anchors
    mapping = shown.numbers(score.mapping.items())
    text, gold_text = view.texts
    images = {i: j for i, j in mapping}
    gold_text = in_system_order(text, gold_text, shown.marks, images, are_clauses=view.is_drs)
    drawings = _drawing(system, view), _drawing(gold, view)
    placed = laid_out(*drawings, _same_nodes(*drawings, mapping))
    return {
        "id": score.identifier,
        "sentences": view.sentences,
        "score": {**{name: figures[name] for name in _FIGURES}, "checked": score.checked},
        "scale": view.metric.scale,
        "duplicates": view.metric.duplicates,
        "mapping": mapping,
        **(_links(view) if by_hand else _fixed(view)),
        **_best(score.best, shown),
        "labels": [*known],
        "worded": _worded((system, gold), known),
        "similar": [[known[a], known[b], credit] for (a, b), credit in similar.items()],
        "system": _graph(system, known, text, anchors[0], _drawn(drawings[0], placed[0])),
        "gold": {
            **_graph(gold, known, gold_text, anchors[1], _drawn(drawings[1], placed[1])),
            **(_targets(gold, view.metric.duplicates) if by_hand else {}),
        },
    }


def _can_be_mapped_by_hand(view: PairView) -> bool:
    """Tell whether a page has all that it needs to count for another mapping.

    Excerpts do not. Nor do pages that would be too large: similarities, and lists of candidates,
    can be as many as the products of the triples or variables.
    """
    if view.shown.parts is not None:
        return False
    left = _CHOICES_FOR_EACH * view.limit - len(view.similar)
    links = view.comparison.links
    if links is not None:
        for variable in range(len(view.system.variables)):
            if left < 0:
                break
            left -= len(links.images(variable))
    return left >= 0


def _fixed(view: PairView) -> dict[str, Any]:
    """Return the parts that a page cannot compute: the marks, and the matches of each variable.

    And how much of each graph is shown, if that is not all.
    """
    marks, parts = view.shown.marks, view.shown.parts
    counts = _counts_of_variables(view)
    partner = [marks.partner.get(number) for number in range(len(marks.system))]
    fixed = {"system": marks.system, "gold": marks.gold, "partner": partner, "counts": counts}
    if parts is None:
        return {"fixed": fixed}
    one, other = (part._asdict() for part in parts)
    part = {"size": view.size, "limit": view.limit, "system": one, "gold": other}
    return {"fixed": fixed, "part": part}


def _counts_of_variables(view: PairView) -> list[list[int]]:
    """Return, for each shown variable of the system, its matching triples and all of them."""
    totals = [[0, 0] for _ in view.system.variables]
    for triple, mark in zip(view.system.triples, view.marks.system, strict=True):
        for variable in set(triple.variables):
            counts = totals[view.system.place[variable]]
            counts[0] += mark in ("matched", "partly")
            counts[1] += 1
    return [totals[view.system.place[variable]] for variable in view.shown.system.variables]


def _links(view: PairView) -> dict[str, Any]:
    """Return the candidates of each system variable, if there is a restriction."""
    links = view.comparison.links
    if links is None:
        return {}
    images = {v: links.images(i) for i, v in enumerate(view.comparison.system.variables)}
    gold = [view.gold.place[variable] for variable in view.comparison.gold.variables]
    return {"links": [sorted(gold[j] for j in images[v]) for v in view.system.variables]}


def _best(best: BestMappings | None, shown: Excerpt) -> dict[str, Any]:
    """Return the facts about all best mappings, and a sentence on their number."""
    if best is None:
        return {"every": None, "some": None, "others": "other mappings may be as good"}
    return {
        "every": shown.numbers(best.every),
        "some": shown.numbers(best.some),
        "others": equally_good_note(best),
    }


def _numbered(labels: Sequence[Label]) -> dict[Label, int]:
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def _worded(graphs: Sequence[ShownGraph], labels: Mapping[Label, int]) -> dict[int, Label]:
    """Return the labels whose spelling in a file differs, in that spelling; the system's first."""
    found: dict[int, Label] = {}
    for graph in graphs:
        for triple, worded in zip(graph.triples, graph.worded, strict=True):
            if triple.label != worded.label:
                found.setdefault(labels[triple.label], worded.label)
    return found


def _drawing(graph: ShownGraph, view: PairView) -> Drawing:
    sentence = view.sentences[0][1] if view.sentences else ""
    return with_ellipses(drawing(graph.variables, graph.worded, sentence), graph.cut)


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
    """Return the drawn elements, with positions."""
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
                "w": label_width(edge.label),
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
            if variable in place
            for anchor in found
        ]
    return content


def _targets(gold: ShownGraph, duplicates: Duplicates) -> dict[str, Any]:
    """Return the orders of variables in which triples can match, where these differ."""
    targets = gold.graph.targets
    if targets is None:
        return {}
    own = targets_of(gold)
    occurrences: Counter[NormalisedTriple] = Counter()
    places = []
    for target in dict.fromkeys(targets) if duplicates == "set" else targets:
        numbers = own[target]
        number = numbers[occurrences[target] % len(numbers)]
        occurrences[target] += 1
        places.append([number, *map(gold.place.__getitem__, target.variables)])
    return {"targets": places}
