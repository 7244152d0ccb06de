"""Coreference in documents of AMR: its representations, its nodes, and checks before comparing.

DocAMR (Naseem et al. 2022, section 4) has four representations: all mentions of a chain hang from a
node of their own (``no-merge``); named mentions among them are one node (``merge-names``); pronouns
are dropped as well, and relations to them lead to the chain (``docAMR``); or all mentions are one
node (``merge-all``). Annotation tools write pairs of mentions (``same-as``). A graph shows its
representation by structures that others would not have. A document without such structures may have
any representation. If its structures belong to no single representation, as in the output of a
parser, nothing is known either.

Two documents can be compared if they have equally many sentences and the same representation of
chains.

The nodes that stand for coreference are those of docSmatch: the nodes of chains (``coref-entity``),
implicit arguments (``implicit-role``), and nodes of several sentences with relations from at least
two nodes whose sentences differ from its own and from each other's. See ``find_coref`` in
``docSmatch/amr.py`` (IBM/docAMR; Naseem et al. 2022).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

from exactmatch.errors import InputError
from exactmatch.graphs.graph import CONCEPT, Graph, Variable
from exactmatch.metrics.amr.sentence_sets import (
    Arc,
    Rule,
    edges_of,
    is_between,
    sentence_bits,
    sentence_numbers,
)

#: The concepts of nodes that only stand for coreference.
CHAIN, IMPLICIT = "coref-entity", "implicit-role"


def coreferent(graph: Graph, sentences: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return the variables that stand for coreference; *sentences* has the sentences of each."""
    marked = {v for v, concept in concepts_of(graph).items() if concept in (CHAIN, IMPLICIT)}
    around: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for role, source, target in edges_of(graph):
        if not is_between(role):
            around[target].add(sentences[source])
    shared = {
        v for v, those in around.items() if len(sentences[v]) > 1 < len(those - {sentences[v]})
    }
    return frozenset(marked | shared)


def concepts_of(graph: Graph) -> dict[str, str]:
    """Return the concept of each variable that has one, in lower case."""
    return {
        arguments[0][0]: arguments[1][0].lower()
        for relation, arguments, _ in graph.triples
        if relation == CONCEPT and not isinstance(arguments[1], Variable)
    }


Representation = Literal["no-merge", "merge-names", "docAMR", "merge-all", "same-as"]

ALL: tuple[Representation, ...] = get_args(Representation)

#: Pronouns of chains are dropped in docAMR.
_PRONOUNS = frozenset({"i", "you", "he", "she", "it", "we", "they"})


class Sign(NamedTuple):
    """A structure of a document: in words, and the representations that may have it."""

    words: str
    fits: tuple[Representation, ...]


class _Document(NamedTuple):
    """The parts of a document from which signs are read.

    chains: the mentions of each chain. named: nodes with a name. shared: nodes with relations from
    other sentences than their own, except those that only stand for coreference.
    """

    edges: list[Arc]
    concepts: dict[str, str]
    chains: dict[str, set[str]]
    named: set[str]
    shared: set[str]


def signs_of(graph: Graph) -> list[Sign]:
    """Return the signs of the representation of a document; none if there are no signs."""
    return list(_signs(_read(graph)))


def possible(signs: Iterable[Sign]) -> tuple[Representation, ...]:
    """Return the possible representations of a document with *signs*; all if nothing is known."""
    fitting = set(ALL)
    for sign in signs:
        fitting &= {*sign.fits}
    return tuple(name for name in ALL if name in fitting) or ALL


def _signs(document: _Document) -> Iterator[Sign]:
    mentions = [those for those in document.chains.values() if len(those) > 1]
    if any(_is_pair(edge.role) for edge in document.edges):
        yield Sign("pairs of mentions (:same-as)", ("same-as",))
    if mentions:
        yield Sign("chains of several mentions", ("no-merge", "merge-names", "docAMR"))
    if any(len(those & document.named) > 1 for those in mentions):
        yield Sign("chains of several named mentions", ("no-merge",))
    if any(document.concepts.get(node) in _PRONOUNS for those in mentions for node in those):
        yield Sign("chains with pronouns", ("no-merge", "merge-names"))
    if _is_argument(document):
        yield Sign("chains as arguments", ("docAMR",))
    if document.shared & document.named:
        yield Sign("names that sentences share", ("merge-names", "docAMR", "merge-all"))
    if document.shared - document.named:
        yield Sign("nodes without names that sentences share", ("docAMR", "merge-all"))


def _is_pair(role: str) -> bool:
    return role.lower() in ("same-as", "same-as-of")


def _is_argument(document: _Document) -> bool:
    """Tell whether relations other than mentions and bridging lead to a chain."""
    return any(
        document.concepts.get(edge.target) == CHAIN and not is_between(edge.role)
        for edge in document.edges
    )


def _read(graph: Graph) -> _Document:
    edges, concepts = edges_of(graph), concepts_of(graph)
    chains: defaultdict[str, set[str]] = defaultdict(set)
    for role, source, target in edges:
        if role.lower() == "coref" and concepts.get(source) == CHAIN:
            chains[source].add(target)
        elif role.lower() == "coref-of" and concepts.get(target) == CHAIN:
            chains[target].add(source)
    named = {edge.source for edge in edges if edge.role.lower() == "name"}
    return _Document(edges, concepts, chains, named, _shared(graph, concepts))


def _shared(graph: Graph, concepts: dict[str, str]) -> set[str]:
    """Return the nodes that sentences share, including the nodes below them.

    Coreference and bridging are skipped, and inverse roles lead both ways, since a document may be
    written from any of its nodes.
    """
    alone = graph._replace(
        triples=tuple(
            triple
            for triple in graph.triples
            if not (is_between(triple.relation) or _is_pair(triple.relation))
        )
    )
    sentences, _ = sentence_bits(alone, "aligned-docsmatch")
    return {
        target
        for _, source, target in edges_of(alone)
        if sentences[source] & sentences[target] == sentences[source] != sentences[target]
        and concepts.get(target) not in (CHAIN, IMPLICIT)
    } - {*graph.tops}


def check_documents(system: Graph, gold: Graph, rule: Rule) -> None:
    """Raise `InputError` if sentences do not correspond, or representations of coreference differ.

    A graph without variables stands for a missing one, and may be anything.
    """
    if not (system.variables and gold.variables):
        return
    if rule != "aligned-by-order":
        _check_numbers(system, gold)
    _check_representations(system, gold)


def _check_numbers(system: Graph, gold: Graph) -> None:
    ours, theirs = sentence_numbers(system), sentence_numbers(gold)
    if ours != theirs:
        raise InputError(
            f"{_place(system)} has {_sentences(ours)}, {_place(gold)} has {_sentences(theirs)}; "
            "the numbers have to agree, or use --sentences aligned-by-order to pair them by order"
        )


def _check_representations(system: Graph, gold: Graph) -> None:
    ours, theirs = signs_of(system), signs_of(gold)
    if not {*possible(ours)} & {*possible(theirs)}:
        raise InputError(
            f"{_shown(system, ours)}, {_shown(gold, theirs)}: coreference is written in different "
            "ways, so scores would compare these ways, not the systems"
        )


def _shown(graph: Graph, signs: list[Sign]) -> str:
    known = " or ".join(possible(signs))
    return f"{_place(graph)} has {' and '.join(sign.words for sign in signs)} ({known})"


def _place(graph: Graph) -> str:
    return f"{graph.location.source}:{graph.location.line}"


def _sentences(numbers: list[int]) -> str:
    """Return numbers in words; consecutive numbers are an interval."""
    if not numbers:
        return "no :snt"
    starts = [numbers[0], *(b for a, b in pairwise(numbers) if b != a + 1)]
    ends = [*(a for a, b in pairwise(numbers) if b != a + 1), numbers[-1]]
    runs = [
        f":snt{a}" if a == b else f":snt{a} to :snt{b}" for a, b in zip(starts, ends, strict=True)
    ]
    return ", ".join(runs)
