"""A graph for display: its triples as its metric counts them, by number."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from exactmatch.graphs.graph import PENMAN, UMR, Constant, Graph
from exactmatch.metrics.triples import Duplicates, NormalisedGraph, NormalisedTriple
from exactmatch.metrics.umr.document_relations import worded

#: The kinds of triples that say what a variable stands for.
CONCEPTS = ("instance", "label", "concept")
#: The kind of triples that mark the root of a graph.
TOP = "top"
#: Stands for triples that are not shown.
ELLIPSIS = "…"


@dataclass(frozen=True, eq=False)
class ShownGraph:
    """A graph for display. Triples and variables are given by their positions.

    triples: the triples as they count. worded: the same for people, in the upper and lower case of
    the file. tops: the roots of the graph. follows_tree: its variables are in the order of its
    file, which is a tree. cut: the variables with triples that are not shown.
    """

    graph: NormalisedGraph
    triples: Sequence[NormalisedTriple]
    worded: Sequence[NormalisedTriple]
    tops: Sequence[str]
    follows_tree: bool = False
    cut: frozenset[int] = frozenset()

    @property
    def variables(self) -> Sequence[str]:
        """The variables, in order."""
        return self.graph.variables

    @cached_property
    def place(self) -> dict[str, int]:
        """The number of each variable."""
        return {variable: i for i, variable in enumerate(self.variables)}

    @cached_property
    def concept(self) -> dict[str, int]:
        """The first triple that defines a variable, if there is one."""
        concepts: dict[str, int] = {}
        for number, triple in enumerate(self.triples):
            if triple.kind in CONCEPTS:
                concepts.setdefault(triple.variables[-1], number)
        return concepts

    def called(self, variable: str) -> str:
        """Return a variable with its concept, such as ``b / boy``."""
        number = self.concept.get(variable)
        return variable if number is None else f"{variable} / {self.worded[number].name}"


def shown_graph(graph: NormalisedGraph, source: Graph, duplicates: Duplicates) -> ShownGraph:
    """Return *graph*, the triples of *source* as a metric counts them, as it is shown.

    Equal triples are shown once where they count once.
    """
    triples = graph.triples
    if duplicates == "set":
        triples = list(dict.fromkeys(triples))
    roles = _words(relation for relation, _, _ in source.triples)
    words = _words(
        one.text
        for _, arguments, _ in source.triples
        for one in arguments
        if isinstance(one, Constant)
    )
    known = set(graph.variables)
    return ShownGraph(
        graph,
        triples,
        worded=[_worded(triple, roles, words) for triple in triples],
        tops=[top for top in source.tops if top in known],
        follows_tree=source.format in (PENMAN, UMR),
    )


def _words(written: Iterable[str]) -> dict[str, str]:
    """Return words by their folded form; if spellings differ in case, the folded form itself."""
    words: dict[str, str] = {}
    for word in written:
        plain = word[1:-1] if word.startswith('"') else word
        folded = plain.casefold()
        if plain == folded or folded not in words:
            words[folded] = plain
    return words


def _worded(
    triple: NormalisedTriple, roles: Mapping[str, str], words: Mapping[str, str]
) -> NormalisedTriple:
    """Return a triple in the words of its file, except its role."""
    kind, *said = worded(triple.label)
    first, second = (words, roles) if kind in CONCEPTS else (roles, words)
    named = [first.get(word, second.get(word, word)) for word in said[:1]]
    rest = [words.get(word, roles.get(word, word)) for word in said[1:]]
    return triple._replace(label=(kind, *named, *rest))
