"""Subscores of graphs of SBN: the fine-grained scores of the Parallel Meaning Bank.

After the script of PMB 5 (LastDance500/neural-symbolic-parsing, ``sbn_smatch_fine_grained.py``),
which does for SBN what that of Damonte et al. (2017) does for AMR.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from exactmatch.graphs.graph import MEMBER
from exactmatch.graphs.readers.sbn_tokens import OPERATORS
from exactmatch.metrics.subscores.label_scores import LabelScore
from exactmatch.metrics.subscores.statements import INSTANCE, ROOT, Statements
from exactmatch.metrics.triples import NormalisedGraph

#: The part of speech in a concept, which may have lost its number, or got tabs.
_PART_OF_SPEECH = re.compile(r".+\.([nvarx])(\.\d+)?(\+\d+tabs)?")
#: The concept of a box, with tabs or without.
_BOX = re.compile(r"box(\+\d+tabs)?")
_OPERATORS = frozenset(word.lower() for word in OPERATORS)
#: The roles of the parts of a concept, if it is taken apart.
_PARTS_OF_CONCEPTS = frozenset({"lemma", "pos", "sense"})


class SbnPart(NamedTuple):
    """The triples of one kind, with the concepts at both ends.

    title: its name in tables. takes: tells whether a triple belongs to the part, by its role in
    lower case and by whether its source is a box: result and source are relations of either.
    """

    title: str
    takes: Callable[[str, bool], bool]

    def graph(self, statements: Statements) -> NormalisedGraph:
        """Return this part of a graph, with all variables."""
        members = {
            position
            for position, s in enumerate(statements.statements)
            if s.role not in (INSTANCE, ROOT)
            and self.takes(s.role.lower(), _BOX.fullmatch(statements.called(s.source)) is not None)
        }
        return statements.part(statements.with_concepts(members))


def _is_name(role: str, of_box: bool) -> bool:
    return role == "name" and not of_box


def _is_negation(role: str, of_box: bool) -> bool:
    return role == "negation" and of_box


def _is_other_discourse(role: str, of_box: bool) -> bool:
    return of_box and role not in ("negation", MEMBER)


def _is_role(role: str, of_box: bool) -> bool:
    return not of_box and role not in _OPERATORS and role not in _PARTS_OF_CONCEPTS


def _is_operator(role: str, of_box: bool) -> bool:
    return role in _OPERATORS and not of_box


def _is_member(role: str, of_box: bool) -> bool:
    return role == MEMBER and of_box


#: By name.
SBN_PARTS: Mapping[str, SbnPart] = {
    "sbn-names": SbnPart("names", _is_name),
    "sbn-negation": SbnPart("negated boxes", _is_negation),
    "sbn-discourse": SbnPart("other relations of boxes", _is_other_discourse),
    "sbn-roles": SbnPart("roles", _is_role),
    "sbn-operators": SbnPart("operators", _is_operator),
    "sbn-members": SbnPart("concepts in their boxes", _is_member),
}


def _concepts_of(parts_of_speech: str, graph: Statements) -> Iterator[tuple[str, ...]]:
    for s in graph.statements:
        match = _PART_OF_SPEECH.fullmatch(s.target.text) if s.role == INSTANCE else None
        if match is not None and match[1] in parts_of_speech:
            yield (s.target.text,)


#: By name.
SBN_LABEL_SCORES: Mapping[str, LabelScore] = {
    "sbn-concepts": LabelScore("concepts, no boxes", partial(_concepts_of, "nvarx")),
    "sbn-nouns": LabelScore("nouns", partial(_concepts_of, "n")),
    "sbn-verbs": LabelScore("verbs", partial(_concepts_of, "v")),
    "sbn-adjectives": LabelScore("adjectives", partial(_concepts_of, "a")),
    "sbn-adverbs": LabelScore("adverbs", partial(_concepts_of, "r")),
}
