"""Subscores of graphs of SBN: the fine-grained scores of the Parallel Meaning Bank.

After the scripts of PMB 5 (LastDance500/neural-symbolic-parsing, ``sbn_smatch_fine_grained.py``),
which do for SBN what Damonte et al. (2017) did for AMR.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from exactmatch.graph import MEMBER
from exactmatch.readers.sbn_words import OPERATORS
from exactmatch.subscores.labels import LabelScore
from exactmatch.subscores.statements import INSTANCE, ROOT, Statement, Statements
from exactmatch.triples import NormalisedGraph

#: The part of speech of a concept, which may have lost its number, or got tabs.
_PART_OF_SPEECH = re.compile(r".+\.([nvarx])(\.\d+)?(\+\d+tabs)?")
#: The concept of a box, with tabs or without.
_BOX = re.compile(r"box(\+\d+tabs)?")
_OPERATORS = frozenset(word.lower() for word in OPERATORS)
#: The attributes that concepts consist of, where they are taken apart.
_PARTS_OF_CONCEPTS = frozenset({"lemma", "pos", "sense"})


class SbnPart(NamedTuple):
    """The triples of one kind, with the concepts at both ends. title: what it is called in tables.

    takes: tells whether a triple is one of them, by its role in lower case, and whether it is said
    of a box.
    """

    title: str
    takes: Callable[[str, bool], bool]

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return the part of a graph that this is, with all variables."""
        found = {
            position
            for position, s in enumerate(statements.statements)
            if s.role not in (INSTANCE, ROOT)
            and self.takes(s.role.lower(), _is_of_box(s, statements))
        }
        return statements.part(statements.with_concepts(found))


def _is_of_box(statement: Statement, graph: Statements) -> bool:
    return _BOX.fullmatch(graph.called(statement.source)) is not None


def _is_role(role: str, of_box: bool) -> bool:
    return not of_box and role not in _OPERATORS | _PARTS_OF_CONCEPTS


#: By name. In lower case, some relations of boxes are called as roles are: result, source.
SBN_PARTS: Mapping[str, SbnPart] = {
    "sbn-names": SbnPart("names", lambda role, of_box: role == "name" and not of_box),
    "sbn-negation": SbnPart("negated boxes", lambda role, of_box: role == "negation" and of_box),
    "sbn-discourse": SbnPart(
        "other relations of boxes",
        lambda role, of_box: of_box and role not in ("negation", MEMBER),
    ),
    "sbn-roles": SbnPart("roles", _is_role),
    "sbn-operators": SbnPart("operators", lambda role, of_box: role in _OPERATORS and not of_box),
    "sbn-members": SbnPart("concepts in boxes", lambda role, of_box: role == MEMBER and of_box),
}


def _concepts_of(*parts_of_speech: str) -> Callable[[Statements], Iterable[tuple[str, ...]]]:
    def labels(graph: Statements) -> Iterable[tuple[str, ...]]:
        for s in graph.statements:
            found = _PART_OF_SPEECH.fullmatch(s.target.text) if s.role == INSTANCE else None
            if found is not None and found[1] in parts_of_speech:
                yield (s.target.text,)

    return labels


#: By name.
SBN_LABEL_SCORES: Mapping[str, LabelScore] = {
    "sbn-concepts": LabelScore("concepts, no boxes", _concepts_of(*"nvarx")),
    "sbn-nouns": LabelScore("nouns", _concepts_of("n")),
    "sbn-verbs": LabelScore("verbs", _concepts_of("v")),
    "sbn-adjectives": LabelScore("adjectives", _concepts_of("a")),
    "sbn-adverbs": LabelScore("adverbs", _concepts_of("r")),
}
