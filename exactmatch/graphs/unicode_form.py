"""Compare text that looks the same: canonically equivalent strings have one form, Unicode's NFC.

``São`` may be written with one character for ``ã``, or with ``a`` and a combining tilde.
"""

from itertools import chain, filterfalse
from operator import itemgetter
from typing import Literal, TypeAlias

from exactmatch.graphs.graph import (
    ANCHOR,
    Argument,
    Constant,
    DocumentTriple,
    Graph,
    Sentence,
    Triple,
)

#: How text is compared: in NFC, or as it is written.
UnicodeForm: TypeAlias = Literal["nfc", "as-written"]

#: The relation of a triple, and its arguments.
_relation_of, _arguments_of = itemgetter(0), itemgetter(1)
#: The name of a variable, or the text of a constant.
_text_of = itemgetter(0)


def nfc(text: str) -> str:
    """Return *text* in Unicode's Normalization Form C."""
    if text.isascii():
        return text
    from unicodedata import normalize  # most runs need no table of characters

    return normalize("NFC", text)


def in_form(graph: Graph, form: UnicodeForm) -> Graph:
    """Return *graph* with its roles, constants and tokens in this form.

    Names of variables are as written, and so is the text of anchors, which has positions.
    """
    if form == "as-written" or _is_in_nfc(graph):
        return graph
    return graph._replace(
        triples=tuple(map(_triple, graph.triples)),
        sentences=tuple(map(_sentence, graph.sentences)),
    )


def _is_in_nfc(graph: Graph) -> bool:
    # All graphs are asked, so there is no Python code for each word, and one question for all of
    # them. A line break composes with nothing.
    words: list[str] = []
    for triples in (graph.triples, *(sentence.triples for sentence in graph.sentences)):
        words += map(_relation_of, triples)
        words += map(_text_of, chain.from_iterable(map(_arguments_of, triples)))
    for sentence in graph.sentences:
        words += sentence.tokens
        for triple in sentence.document_level:
            words += (triple.source[0], triple.relation, triple.target[0])
    text = "\n".join(filterfalse(str.isascii, words))
    return nfc(text) == text


def _triple(triple: Triple) -> Triple:
    if triple.relation == ANCHOR:
        return triple
    return triple._replace(
        relation=nfc(triple.relation), arguments=tuple(map(_argument, triple.arguments))
    )


def _argument(argument: Argument) -> Argument:
    return Constant(nfc(argument.text)) if isinstance(argument, Constant) else argument


def _sentence(sentence: Sentence) -> Sentence:
    return sentence._replace(
        tokens=tuple(map(nfc, sentence.tokens)),
        triples=tuple(map(_triple, sentence.triples)),
        document_level=tuple(map(_of_document, sentence.document_level)),
    )


def _of_document(triple: DocumentTriple) -> DocumentTriple:
    return triple._replace(
        source=_argument(triple.source),
        relation=nfc(triple.relation),
        target=_argument(triple.target),
    )
