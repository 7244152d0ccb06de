"""The consensus of several graphs for one sentence: their triples, with the votes for each.

In Hoang et al. (2021), *Ensembling Graph Predictions for AMR Parsing*, candidates vote for the
triples of one of them, the pivot, under mappings of their variables to those of the pivot. Here the
mappings are the best ones. An unmapped variable is kept under a new name, so that its triples get
only the vote of its candidate.

The triples with enough votes are the consensus. If they are an AMR, they are written in PENMAN
notation; nothing is repaired.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.convert.networkx import as_graph
from exactmatch.graphs.graph import PENMAN, Graph
from exactmatch.many.candidates import CandidatePairs
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import Label, NormalisedGraph, NormalisedTriple


class Vote(NamedTuple):
    """A triple that candidates vote for.

    label, variables: see `exactmatch.metrics.triples.NormalisedTriple`; variables are those of the
        pivot, or new ones.
    voters: the candidates that have the triple, by position.
    share: their share of all weights.
    """

    label: Label
    variables: tuple[str, ...]
    voters: tuple[int, ...]
    share: Fraction

    @property
    def kind(self) -> str:
        """The kind of triple, in the terms of its metric (``instance``, ``relation``)."""
        return self.label[0]


def votes(
    graphs: Sequence[NormalisedGraph],
    weights: Sequence[int],
    pivot: int,
    mapping: Callable[[int, int], Mapping[str, str]],
) -> list[Vote]:
    """Return the triples of all candidates: those of the pivot first, then others in order.

    *mapping* returns the best mapping of one candidate to another, by positions.
    """
    names = _Names(graphs, pivot)
    voters: dict[NormalisedTriple, list[int]] = {}
    order = sorted(range(len(graphs)), key=lambda i: (i != pivot, i))
    for i in order:
        renamed = names.own if i == pivot else names.renamed(graphs[i], mapping(i, pivot))
        for triple in dict.fromkeys(graphs[i].triples):
            image = NormalisedTriple(triple.label, tuple(renamed[v] for v in triple.variables))
            voters.setdefault(image, []).append(i)
    total = sum(weights)
    return [
        Vote(*triple, tuple(sorted(found)), Fraction(sum(weights[i] for i in found), total))
        for triple, found in voters.items()
    ]


class Outline(NamedTuple):
    """The shape of the graph of a consensus.

    variables: those that occur. tops: those that are marked as roots. parts: the number of
        unconnected parts.
    """

    variables: Sequence[str]
    tops: Sequence[str]
    parts: int


def outline(triples: Sequence[Vote]) -> Outline:
    """Return the shape of the graph of *triples*."""
    from networkx import Graph, number_connected_components

    network = Graph()
    for triple in triples:
        network.add_nodes_from(triple.variables)
        network.add_edges_from(zip(triple.variables, triple.variables[1:], strict=False))
    tops = [triple.variables[0] for triple in triples if triple.kind == "top"]
    return Outline([*network], tops, number_connected_components(network))


class _Names:
    """Names of variables: those of the pivot, *own*, and new ones that are not in use."""

    def __init__(self, graphs: Sequence[NormalisedGraph], pivot: int) -> None:
        self.own = {name: name for name in graphs[pivot].variables}
        # Nor may a variable have the name of a constant, from which it could not be distinguished.
        words = (word for graph in graphs for triple in graph.triples for word in triple.label)
        self._taken = {*self.own, *words}

    def renamed(self, graph: NormalisedGraph, mapping: Mapping[str, str]) -> dict[str, str]:
        """Return the name of each variable of *graph*, given its mapping to the pivot.

        A variable that stands for a role in a standardised pivot does not count.
        """
        images = {name: self.own.get(mapping.get(name, "")) for name in graph.variables}
        return {name: image or self._new(name) for name, image in images.items()}

    def _new(self, name: str) -> str:
        new = next(one for one in _like(name) if one not in self._taken)
        self._taken.add(new)
        return new


def _like(name: str) -> Iterator[str]:
    """Yield *name*, and then similar names with other numbers."""
    yield name
    stem = re.sub(r"\d+$", "", name)
    number = 2
    while True:
        yield f"{stem}{number}"
        number += 1


#: The triples of AMRs as written, except for the direction of roles and surface alignment marks.
AS_WRITTEN = Smatch.profiles["default"].with_choices(case="keep", quotes="keep")


def voting_form(metric: AlignmentMetric) -> AlignmentMetric:
    """Return the metric whose triples are voted for, given the *metric* of the mappings."""
    return AS_WRITTEN if metric.is_of_amr else metric


def faults(triples: Sequence[Vote], form: Outline) -> list[str]:
    """Return why the triples of AMRs are no AMR, one reason each; nothing if they are one."""
    found = []
    if form.parts != 1:
        found.append(f"{form.parts} unconnected parts" if form.parts else "no triple")
    if len(form.tops) != 1:
        found.append(f"{len(form.tops)} roots" if form.tops else "no root")
    concepts = Counter(triple.variables[0] for triple in triples if triple.kind == "instance")
    for name in form.variables:
        if concepts[name] != 1:
            has = f"{concepts[name]} concepts" if concepts[name] else "no concept"
            found.append(f"{name} has {has}")
    return found


def penman_text(
    triples: Sequence[Vote | NormalisedTriple], top: str, metric: Smatch = AS_WRITTEN
) -> str | None:
    """Return the AMR of *triples* of *metric*, without faults.

    Return None if PENMAN notation cannot write it, or if it were read differently.
    """
    import penman
    from penman.exceptions import PenmanError
    from penman.models.amr import model

    written = [_as_penman(triple) for triple in triples if triple.kind != "top"]
    try:
        text: str = penman.encode(penman.Graph(written, top=top), model=model)
        read = metric.normalise(as_graph(text))
    except (PenmanError, InputError):  # of a relation called instance, penman makes no branch
        return None
    same = {(t.label, t.variables) for t in read.triples} == {
        (t.label, t.variables) for t in triples
    }
    return text if same else None


def _as_penman(triple: Vote | NormalisedTriple) -> tuple[str, str, str]:
    if triple.kind == "relation":
        source, target = triple.variables
        return source, f":{triple.label[1]}", target
    (source,) = triple.variables
    if triple.kind == "instance":
        return source, ":instance", triple.label[1]
    return source, f":{triple.label[1]}", triple.label[2]


@dataclass(frozen=True, repr=False)
class Consensus:
    """The triples of several graphs, with the votes for each.

    pivot: the graph to which the others were mapped, by position.
    votes: all triples, those of the pivot first.
    threshold: the share of votes that a triple needs to be kept.
    triples: the triples that are kept.
    is_connected: whether the variables of the kept triples are connected.
    is_rooted: whether exactly one root is kept.
    faults: why the kept triples are no AMR, one reason each; empty if they are one.
    errors: the errors of unreadable graphs, by position; these graphs vote for no triple.
    """

    pivot: int
    votes: Sequence[Vote] = field(repr=False)
    triples: Sequence[Vote] = field(repr=False)
    threshold: Fraction
    is_connected: bool
    is_rooted: bool
    faults: Sequence[str]
    errors: Mapping[int, str]
    _voters: int
    _text: str | None

    def to_penman(self) -> str:
        """Return the AMR of the kept triples. Raises `UsageError`, with reasons, if it is none."""
        if self._text is None:
            raise UsageError(f"the consensus is no AMR: {'; '.join(self.faults)}")
        return self._text

    def __repr__(self) -> str:
        number = f"{len(self.triples)} of {len(self.votes)} triples"
        unreadable = unreadable_of(self.errors, self._voters)
        return f"<Consensus {number}{unreadable}{''.join(f', {fault}' for fault in self.faults)}>"


def unreadable_of(errors: Mapping[int, str], number: int) -> str:
    """Return the words for unreadable graphs among so many; nothing if all are readable."""
    return f", {len(errors)} of {number} graphs unreadable" if errors else ""


def consensus_of(
    graphs: Sequence[Graph],
    pairs: CandidatePairs,
    pivot: int,
    threshold: Fraction,
    errors: Mapping[int, str],
) -> Consensus:
    """Return the consensus of *graphs* with known *pairs*, on triples that reach *threshold*.

    *errors* are those of the unreadable graphs, by position.
    """
    metric = voting_form(pairs.pairwise.metric)
    voting = [metric.normalise(graph) for graph in graphs]
    found = votes(voting, pairs.weights, pivot, pairs.mapping)
    kept = [vote for vote in found if vote.share >= threshold]
    form = outline(kept)
    text = None
    if all(graph.format == PENMAN for graph in graphs):
        wrong = faults(kept, form)
        if not wrong and (text := penman_text(kept, form.tops[0])) is None:
            wrong = ["PENMAN notation cannot write it"]
    else:
        wrong = ["these are no AMRs in PENMAN notation"]
    return Consensus(
        pivot,
        found,
        kept,
        threshold,
        is_connected=form.parts == 1,
        is_rooted=len(form.tops) == 1,
        faults=wrong,
        errors=errors,
        _voters=len(graphs),
        _text=text,
    )
