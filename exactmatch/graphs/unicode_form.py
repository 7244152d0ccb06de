"""Compare text that looks the same: canonically equivalent strings have one form, Unicode's NFC.

``São`` may be written with one character for ``ã``, or with ``a`` and a combining tilde.
"""

from collections.abc import Sequence
from itertools import chain
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

#: The first combining character; text of characters before it is in NFC.
_FIRST_MARK = "\u0300"

#: The relation of a triple, and its arguments.
_relation_of, _arguments_of = itemgetter(0), itemgetter(1)
#: The name of a variable, or the text of a constant.
_text_of = itemgetter(0)


def nfc(text: str) -> str:
    """Return *text* in Unicode's Normalization Form C."""
    if text.isascii() or max(text) < _FIRST_MARK:
        return text
    from unicodedata import normalize  # takes a while

    return normalize("NFC", text)


def in_form(graph: Graph, form: UnicodeForm) -> Graph:
    """Return *graph* with its roles, constants and tokens in this form.

    Names of variables are as written, and so is the text of anchors, which has positions.
    """
    if form == "as-written" or _is_ascii(graph):
        return graph
    return graph._replace(
        triples=tuple(map(_triple, graph.triples)),
        sentences=tuple(map(_sentence, graph.sentences)),
    )


def _is_ascii(graph: Graph) -> bool:
    sentences = graph.sentences
    return _are_ascii(graph.triples) and all(
        _are_ascii(s.triples)
        and all(map(str.isascii, s.tokens))
        and all(_is_plain(*level[1:]) for level in s.document_level)
        for s in sentences
    )


def _are_ascii(triples: Sequence[Triple]) -> bool:
    # All graphs are asked, so there is no Python code for each word.
    arguments = chain.from_iterable(map(_arguments_of, triples))
    words = chain(map(_relation_of, triples), map(_text_of, arguments))
    return all(map(str.isascii, words))


def _is_plain(source: Argument, relation: str, target: Argument) -> bool:
    return source[0].isascii() and relation.isascii() and target[0].isascii()


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
