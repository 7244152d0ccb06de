"""The document level of UMR under the mapping of juːmæʧ: the variables of its triples.

A triple counts once in a sentence, whatever its block. It matches if its image is in the same
sentence of the other side, with its variables mapped and its constants unchanged.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Set
from typing import Generic, TypeVar

from exactmatch.graphs.graph import Argument, Graph, Variable
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.umr.nodes import names_of

_End = TypeVar("_End")
#: An end: whether it is a variable, and its name or text.
_Known = tuple[bool, str]
_Triple = tuple[_End, str, _End]


class DocumentImages(ABC, Generic[_End]):
    """The document level of a graph, with the images of its variables on the other side."""

    @abstractmethod
    def triples(self, position: int) -> Set[_Triple[_End]]:
        """Return the triples of a sentence, by its position in the graph."""

    @abstractmethod
    def image(self, end: _End, position: int) -> _End | None:
        """Return the image of an end of a triple of a sentence.

        None if it is not mapped.
        """

    def has_image(
        self, triple: _Triple[_End], position: int, other: "DocumentImages[_End]"
    ) -> bool:
        """Tell whether a triple of a sentence matches."""
        source, relation, target = triple
        image = self.image(source, position), relation, self.image(target, position)
        return image in other.triples(position)


class ByVariable(DocumentImages[_Known]):
    """Ends that refer to the variables of their document."""

    def __init__(self, graph: Graph, mapping: Mapping[str, str]) -> None:
        """*mapping* maps the variables of *graph* to those of the other side."""
        self._sentences = [
            {(_known(source), relation, _known(target)) for _, source, relation, target in triples}
            for triples in (sentence.document_level for sentence in graph.sentences)
        ]
        self._mapping = mapping

    def triples(self, position: int) -> Set[_Triple[_Known]]:
        return self._sentences[position]

    def image(self, end: _Known, position: int) -> _Known | None:
        is_variable, name = end
        if not is_variable:
            return end
        return (True, self._mapping[name]) if name in self._mapping else None


class ByName(DocumentImages[str]):
    """Ends that are names. A name refers to the last variable of the file with that name.

    It is unmapped as long as its sentence is still to come. Damaged parts are lost, as
    `exactmatch.metrics.juumaetsh` describes.
    """

    def __init__(self, graph: Graph, images: Mapping[str, str]) -> None:
        """*images* are the images of the names of variables of *graph*."""
        names = names_of(graph)
        self._sentences = [
            {
                (_name(source, names), relation, _name(target, names))
                for _, source, relation, target in sentence.document_level
                if not sentence.damaged & {"graph", "alignment"}
            }
            for sentence in graph.sentences
        ]
        self._last = {
            names[variable]: (position, variable)
            for position, sentence in enumerate(graph.sentences)
            if "graph" not in sentence.damaged
            for variable in sentence.variables
        }
        self._images = images

    def triples(self, position: int) -> Set[_Triple[str]]:
        return self._sentences[position]

    def image(self, end: str, position: int) -> str | None:
        if end not in self._last:
            return end
        last, variable = self._last[end]
        return self._images.get(variable) if last <= position else None


def _known(end: Argument) -> _Known:
    return isinstance(end, Variable), end[0]


def _name(end: Argument, names: Mapping[str, str]) -> str:
    return names[end.name] if isinstance(end, Variable) else end.text


def document_level_counts(
    system: DocumentImages[_End],
    gold: DocumentImages[_End],
    position: int,
    counts: Callable[[str], bool],
) -> Counts:
    """Count the triples of a sentence whose relations *counts* accepts.

    A triple of the system that does not match is in its total if its own image is missing. If
    variables belong to a document, this is always so.
    """
    ours, theirs = (
        [triple for triple in side.triples(position) if counts(triple[1])]
        for side in (system, gold)
    )
    matched = sum(gold.has_image(triple, position, system) for triple in theirs)
    spurious = sum(not system.has_image(triple, position, gold) for triple in ours)
    return Counts(matched, matched + spurious, len(theirs))
