"""Faults of a UMR document beyond those that its reader finds."""

import re
from collections.abc import Iterator

from exactmatch.graphs.graph import CONCEPT, Argument, Constant
from exactmatch.graphs.readers.examined import USED_TWICE, Defect, ExaminedGraph
from exactmatch.scoring.validity import amr
from exactmatch.scoring.validity.kinds import TOKEN_OUT_OF_RANGE, UNDECLARED

#: The usual names of variables: the sentence, one or a few letters, and a number.
LIKE_A_VARIABLE = re.compile(r"s\d+[a-z]+\d*")
#: Roles from a statement to its source, in whose graph it stands: these cycles are intended.
LEADING_BACK = frozenset({"quote", "modal-predicate"})


def tokens_out_of_range(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield surface alignments with tokens beyond the end of the sentence, if it has tokens."""
    for sentence, lines in zip(examined.graph.sentences, examined.sentence_lines, strict=True):
        known = len(sentence.tokens)
        for variable, tokens in sentence.tokens_of.items():
            if known and tokens[-1] > known:
                named = sentence.written.get(variable, variable)
                reason = f"{named} is aligned with token {tokens[-1]} of {known}"
                yield Defect(TOKEN_OUT_OF_RANGE, lines.surface[variable], reason)


def used_twice(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield variables that an earlier sentence of the document has as well."""
    line_of = {
        triple.arguments[0][0]: line
        for triple, line in zip(examined.graph.triples, examined.lines, strict=True)
        if triple.relation == CONCEPT
    }
    first: dict[tuple[int, str], str | None] = {}
    for sentence in examined.graph.sentences:
        for variable in sentence.variables:
            written = sentence.written.get(variable, variable)
            key = sentence.document, written
            if key in first:
                reason = f"variable {written} is also one of {first[key]}"
                yield Defect(USED_TWICE, line_of.get(variable, sentence.line), reason)
            first.setdefault(key, sentence.identifier or f"the sentence in line {sentence.line}")


def cyclic(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield cycles of relations, inverse roles turned around, without roles that lead back."""
    graph = examined.graph
    pairs = zip(graph.triples, examined.lines, strict=True)
    kept = [
        (triple, line)
        for triple, line in pairs
        if triple.relation.removesuffix("-of") not in LEADING_BACK
    ]
    without = graph._replace(triples=tuple(triple for triple, _ in kept))
    return amr.cyclic(ExaminedGraph(without, [line for _, line in kept]))


def undeclared(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield constants that look like variables, in graphs and at the document level.

    The variables of an unreadable sentence are unknown, so a document with one may name any
    variable.
    """
    for triple, line in zip(examined.graph.triples, examined.lines, strict=True):
        source, target = triple.arguments
        if triple.relation != CONCEPT and _looks_like_a_variable(target):
            shown = f"{source[0]} :{triple.relation} {target[0]}"
            reason = f"{shown}, but the graph has no such variable"
            yield Defect(UNDECLARED, line, reason, *amr.place_of(triple))
    if examined.graph.unread:
        return
    for sentence, lines in zip(examined.graph.sentences, examined.sentence_lines, strict=True):
        for link, line in zip(sentence.document_level, lines.document_level, strict=True):
            for end in (link.source, link.target):
                if _looks_like_a_variable(end):
                    shown = f"{link.source[0]} :{link.relation} {link.target[0]}"
                    reason = f"{shown}, but {end[0]} is no variable of the document"
                    yield Defect(UNDECLARED, line, reason)


def _looks_like_a_variable(argument: Argument) -> bool:
    return isinstance(argument, Constant) and bool(LIKE_A_VARIABLE.fullmatch(argument.text))
