"""Align-smatch (Xiao et al. 2022): Smatch for Chinese AMRs, with their places in the sentence.

It counts what its program in CAMRP 2022 counts, under the best mapping:

* the concept of each node (``instance``);
* the place of each node in the sentence, if it has one (``place``);
* each relation between nodes, turned around if its name ends in ``-of``, but for ``consist-of``
  (``relation``);
* once more, each relation that has a word, by place and text of the word alone (``word``);
* the first node of the file (``top``).

A relation and a word only match if both nodes have the same concepts as their images, apart from
senses (``-01``). The top only matches a node of the same concept, with its sense. Letters are
compared in lower case. A triple counts once for each equal triple of the other graph.

A node has a place if its identifier names several words, or characters, or a number up to the
length of the sentence. The text form has the words of the sentence; tables need a file of lengths.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from exactmatch.errors import InputError
from exactmatch.graphs.camr_places import SentenceLengths, places, words_by_place
from exactmatch.graphs.graph import CAMR, CONCEPT, Constant, Graph, Variable
from exactmatch.metrics.alignment_based import AlignmentMetric, of_one_concept
from exactmatch.metrics.triples import Duplicates, NormalisedGraph, NormalisedTriple
from exactmatch.problem import Pair

if TYPE_CHECKING:
    from exactmatch.graphs.words import Classes, Synonyms
    from exactmatch.metrics.similarity import Similarity

#: The only relation that ends in ``-of`` and is no inverse.
_NO_INVERSE = "consist-of"
_SENSE = re.compile(r"-\d\d$")


@dataclass(frozen=True, slots=True)
class AlignSmatch(AlignmentMetric):
    """How two Chinese AMRs are compared.

    lengths: the numbers of words of the sentences, for graphs without a comment ``# ::wid``.
    """

    name: ClassVar[str] = "align-smatch"
    title: ClassVar[str] = "Align-smatch"
    papers: ClassVar[Sequence[str]] = ("xiao-2022-align-smatch",)
    format: ClassVar[str] = CAMR
    parts: ClassVar[Sequence[str]] = ("instance", "place", "relation", "word", "attribute", "top")
    takes: ClassVar[Sequence[str]] = ("lengths",)
    profiles: ClassVar[Mapping[str, "AlignSmatch"]]

    lengths: SentenceLengths | None = None

    @property
    def duplicates(self) -> Duplicates:
        return "product"

    def with_words(
        self,
        *,
        similarity: "Similarity | None" = None,
        synonyms: "Synonyms | None" = None,
        classes: "Classes | None" = None,
        lengths: SentenceLengths | None = None,
    ) -> Self:
        return replace(self, lengths=lengths)

    def files(self) -> Mapping[str, str]:
        return {} if self.lengths is None else {"lengths": self.lengths.digest[:12]}

    def normalise(self, graph: Graph) -> NormalisedGraph:
        """Return the triples. Raises `InputError` if the length of the sentence is not known."""
        concepts = _concepts(graph)
        triples = [
            NormalisedTriple(("instance", concept), (name,)) for name, concept in concepts.items()
        ]
        length = self._length(graph) if concepts else 0
        for name in concepts:
            named = places(name)
            if len(named) > 1 or "." in "".join(named) or (named and 0 < int(named[0]) <= length):
                triples.append(NormalisedTriple(("place", "_".join(named)), (name,)))
        triples += _relations(graph, concepts)
        for first in [*concepts][:1]:
            triples.append(NormalisedTriple(("top", concepts[first]), (first,)))
        return NormalisedGraph(tuple(graph.variables), triples)

    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> Iterator[Pair]:
        ours, theirs = (
            {t.variables[0]: t.name for t in graph.triples if t.kind == "instance"}
            for graph in (system, gold)
        )
        return of_one_concept(system, gold, ours, theirs)

    def _length(self, graph: Graph) -> int:
        """Return the number of words of the sentence. Raises `InputError` if it is not known."""
        length = None
        if self.lengths is not None and graph.identifier is not None:
            length = self.lengths.by_sentence.get(graph.identifier)
        if length is None:
            length = max(words_by_place(graph.metadata), default=None)
        if length is None:
            where = f"{graph.location.source}:{graph.location.line}: graph {graph.identifier}"
            raise InputError(
                f"{where}: the number of words of the sentence is not known; name a file of "
                "lengths (sentence, number) by --lengths, or add a comment # ::wid"
            )
        return length


def _concepts(graph: Graph) -> dict[str, str]:
    """Return the concept of each node in lower case."""
    found = {}
    for relation, (source, target, *_), _ in graph.triples:
        if relation == CONCEPT and isinstance(source, Variable) and isinstance(target, Constant):
            found[source.name] = target.text.lower()
    return found


def _relations(graph: Graph, concepts: Mapping[str, str]) -> Iterator[NormalisedTriple]:
    """Yield relations and their words. What leads to no node is an attribute, by its value."""
    plain = {name: _SENSE.sub("", concept) for name, concept in concepts.items()}
    for relation, (source, target, *_), (word, _) in graph.triples:
        if relation == CONCEPT or not isinstance(source, Variable):
            continue
        if isinstance(target, Constant):
            yield NormalisedTriple(("attribute", target.text.lower()), (source.name,))
            continue
        ends, name = (source.name, target.name), relation
        if relation.endswith("-of") and relation != _NO_INVERSE:
            ends, name = ends[::-1], relation[:-3]
        of_ends = tuple(plain[end] for end in ends)
        if relation:
            yield NormalisedTriple(("relation", name.lower(), *of_ends), ends)
        if word:
            place, _, text = word.lower().partition("/")
            yield NormalisedTriple(("word", place, text, *of_ends), ends)


#: A change increases the version.
AlignSmatch.profiles = {"default": AlignSmatch(profile="align-smatch.1")}
