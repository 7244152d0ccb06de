"""Pair the sentences of two UMR graphs, and return the graphs of the paired sentences."""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import UMR, Argument, Constant, Graph, Location, Sentence, Variable
from exactmatch.graphs.segmentation import cut_alike, same_characters, same_tokens

#: The places of two paired sentences; None where a graph has none.
_Places: TypeAlias = tuple[int | None, int | None]


class PairedSentences(NamedTuple):
    """Two graphs whose sentences correspond one by one.

    errors: errors on sentences that do not belong together, or are unreadable.
    unmatched: errors on sentences that only one graph has.
    lacking: whether an empty sentence replaces a missing or unusable one.
    left_out: the number of sentences that are not compared.
    """

    system: Graph
    gold: Graph
    errors: tuple[GraphError, ...]
    unmatched: tuple[GraphError, ...] = ()
    lacking: bool = False
    left_out: int = 0


def pair_sentences(
    system: Graph, gold: Graph, on_error: Literal["stop", "skip", "empty"]
) -> PairedSentences:
    """Return two graphs of UMR with the same number of sentences in the same order.

    Sentences of two documents are paired by their names if they share any name. If there are
    equally many, and each two have the same name or the same tokens, they are paired by position;
    otherwise by their documents and names, if all have one; otherwise by position as well. If
    *on_error* is ``empty``, an empty sentence replaces a missing or unreadable one, and a sentence
    of *system* with other tokens than that of *gold*; otherwise both are left out. Tokens of the
    same characters are no other tokens: they are cut alike, with a note.
    """
    kept: list[_Places] = []
    errors: list[GraphError] = []
    unmatched: list[GraphError] = []
    lacking = False
    left_out = 0
    for places in _places(system.sentences, gold.sentences):
        left, right = places
        wrong = [*_unread(system, left), *_unread(gold, right)]
        if left is not None and right is not None:
            mismatch = _mismatch(system, left, gold, right)
            if mismatch is not None:
                wrong.append(mismatch)
                places = (None, right)
        else:
            unmatched += _unmatched(system, left, gold) or _unmatched(gold, right, system)
        errors += wrong
        is_usable = not wrong and None not in places
        if is_usable or on_error == "empty":
            kept.append(places)
            lacking = lacking or not is_usable
        else:
            left_out += 1
    lefts, rights = [left for left, _ in kept], [right for _, right in kept]
    gold_kept, system_kept = with_common_tokens(
        [
            _with_sentences(gold, rights, [_at(system, place) for place in lefts]),
            _with_sentences(system, lefts, [_at(gold, place) for place in rights]),
        ]
    )
    return PairedSentences(
        system_kept,
        gold_kept,
        tuple(errors),
        tuple(unmatched),
        lacking,
        left_out,
    )


def empty_beside(graph: Graph | None) -> Graph:
    """Return an empty graph to compare with *graph*; in UMR, with as many sentences."""
    empty = Graph(None, {}, (), (), Location("", 0))
    if graph is None or graph.format != UMR:
        return empty
    return _with_sentences(empty, [None] * len(graph.sentences), graph.sentences)


def strangers(graphs: Sequence[Graph]) -> dict[int, GraphError]:
    """Return the graphs of one sentence of UMR whose sentence differs from the first, and why.

    Graphs in other formats, and empty ones, have no sentence.
    """
    known = [place for place, graph in enumerate(graphs) if graph.sentences]
    mismatches = ((place, _mismatch(graphs[place], 0, graphs[known[0]], 0)) for place in known[1:])
    return {place: error for place, error in mismatches if error is not None}


def with_common_tokens(graphs: Sequence[Graph]) -> list[Graph]:
    """Return graphs whose sentences at one place have the same tokens if they hold the same text.

    Sentences at one place are cut alike if all of them that have tokens hold the same characters.
    There is a note on each whose tokens differ from those of the first. Graphs in other formats,
    and empty ones, have no sentence, and stay as they are.
    """
    found = [*graphs]
    having = [number for number, graph in enumerate(graphs) if graph.sentences]
    for place in range(min((len(graphs[number].sentences) for number in having), default=0)):
        known = [number for number in having if graphs[number].sentences[place].tokens]
        sentences = [graphs[number].sentences[place] for number in known]
        first = next(iter(sentences), None)
        if first is None or all(same_tokens(first, other) for other in sentences):
            continue
        if not all(same_characters(first, other) for other in sentences):
            continue
        where = f"{graphs[known[0]].location.source}:{first.line}"
        reason = f"its tokens are cut otherwise than those at {where}; characters are compared"
        for number, cut in zip(known, cut_alike(sentences), strict=True):
            graph = found[number]
            is_other = not same_tokens(first, graphs[number].sentences[place])
            found[number] = graph._replace(
                sentences=(*graph.sentences[:place], cut, *graph.sentences[place + 1 :]),
                notes=(*graph.notes, *([str(_error(graph, place, reason))] if is_other else ())),
            )
    return found


def _places(system: Sequence[Sentence], gold: Sequence[Sentence]) -> list[_Places]:
    """Return the places of the sentences that are paired, see `pair_sentences`."""
    by_position = [*zip_longest(range(len(system)), range(len(gold)))]
    left, right = _by_name(system), _by_name(gold)
    if left is None or right is None or len(system) == len(gold) == 1:
        return by_position
    are_documents = len({document for document, _ in (*left, *right)}) == 1
    is_shared = are_documents and not left.keys().isdisjoint(right)
    if not is_shared and len(system) == len(gold):
        pairs = zip(system, gold, strict=True)
        if all(_named_alike(*two) or (two[0].tokens and same_tokens(*two)) for two in pairs):
            return by_position
    return [(left.get(name), right.get(name)) for name in sorted(left.keys() | right.keys())]


def _by_name(sentences: Sequence[Sentence]) -> dict[tuple[int, int], int] | None:
    """Return the places of sentences by document (relative to the first) and number.

    None if a sentence has no name.
    """
    if not all(sentence.name for sentence in sentences):
        return None
    return {
        (sentence.document - sentences[0].document, int(sentence.name.removeprefix("snt"))): place
        for place, sentence in enumerate(sentences)
    }


def _named_alike(one: Sentence, other: Sentence) -> bool:
    return one.name == other.name or not (one.name and other.name)


def _unread(graph: Graph, place: int | None) -> Iterator[GraphError]:
    if place is not None and place in graph.unread:
        yield graph.unread[place]


def _unmatched(graph: Graph, place: int | None, other: Graph) -> list[GraphError]:
    """Return the error about a sentence of *graph* that the other graph lacks."""
    if place is None:
        return []
    return [_error(graph, place, f"{other.location.source} has no such sentence")]


def _mismatch(system: Graph, left: int, gold: Graph, right: int) -> GraphError | None:
    """Return why two sentences differ; None if they are the same."""
    ours, theirs = system.sentences[left], gold.sentences[right]
    where = f"{gold.location.source}:{theirs.line}"
    if ours.tokens and theirs.tokens:
        if same_tokens(ours, theirs) or same_characters(ours, theirs):
            return None
        pairs = enumerate(zip_longest(ours.tokens, theirs.tokens), start=1)
        number, (one, other) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
        one, other = (repr(token) if token else "missing" for token in (one, other))
        return _error(system, left, f"token {number} is {one}, but {other} at {where}")
    if _named_alike(ours, theirs):
        return None
    return _error(system, left, f"{ours.name}, but {theirs.name} at {where}")


def _error(graph: Graph, place: int, reason: str) -> GraphError:
    sentence = graph.sentences[place]
    return GraphError(
        reason,
        source=graph.location.source,
        line=sentence.line,
        number=sentence.number,
        identifier=sentence.identifier,
    )


def _at(graph: Graph, place: int | None) -> Sentence | None:
    return None if place is None else graph.sentences[place]


def _with_sentences(
    graph: Graph, places: Sequence[int | None], partners: Sequence[Sentence | None]
) -> Graph:
    """Return *graph* with its sentences at *places*; for None, an empty one like the *partner*.

    In the document level, variables of other sentences become constants.
    """
    if places == [*range(len(graph.sentences))]:
        return graph
    kept = [graph.sentences[place] for place in places if place is not None]
    there = {name for sentence in kept for name in sentence.variables}
    written = {name: w for sentence in graph.sentences for name, w in sentence.written.items()}
    sentences = []
    for place, partner in zip(places, partners, strict=True):
        if place is not None:
            sentences.append(_speaking_of(graph.sentences[place], there, written))
        elif partner is not None:
            sentences.append(_emptied(partner))
    return _of_sentences(graph, sentences)


def _of_sentences(graph: Graph, sentences: Sequence[Sentence]) -> Graph:
    """Return *graph* with only these *sentences*, all of which are readable."""
    return graph._replace(
        variables={name: "" for sentence in sentences for name in sentence.variables},
        triples=tuple(triple for sentence in sentences for triple in sentence.triples),
        tops=tuple(sentence.top for sentence in sentences if sentence.top),
        sentences=tuple(sentences),
        unread={},
    )


def _speaking_of(sentence: Sentence, there: Container[str], written: Mapping[str, str]) -> Sentence:
    """Return *sentence*, in whose document level variables not in *there* are constants."""

    def end(argument: Argument) -> Argument:
        if isinstance(argument, Variable) and argument.name not in there:
            return Constant(written.get(argument.name, argument.name))
        return argument

    level = tuple(
        triple._replace(source=end(triple.source), target=end(triple.target))
        for triple in sentence.document_level
    )
    return sentence._replace(document_level=level)


def _emptied(sentence: Sentence) -> Sentence:
    """Return an empty sentence with the same tokens."""
    return sentence._replace(
        variables=(),
        triples=(),
        top="",
        written={},
        tokens_of={},
        document_level=(),
        damaged=frozenset(),
        text="",
        tokens_before_fault=None,
        triples_before_fault=None,
    )
