"""AnCast and AnCast++: relations, modality, time and coreference under their own mapping.

AnCast (Sun and Xue 2024, *Anchor and Broadcast: An Efficient Concept Alignment Approach for
Evaluation of Semantic Graphs*, LREC-COLING) compares sentence graphs of UMR, AnCast++ (*AnCast++:
Document-Level Evaluation of Graph-based Meaning Representations*, Findings of ACL 2025) documents.
Rules map the nodes, see `exactmatch.metrics.ancast.broadcast`: no solver is needed, and no mapping
is proven to be best.

* sent: the labels of relations and attributes that are also between the images of both ends. Each
  counts the mean similarity of the names of the concepts at both ends: the share of the longer name
  that the shorter one covers, if it is part of it, times 0.9 if the senses differ; constants have
  to be equal.
* modal: triples of that block, with their ends mapped.
* temporal, coref: the relations implied by triples of these blocks (see
  `exactmatch.metrics.ancast.document_level`), with ends mapped: the share of them that is implied
  on the other side, cluster by cluster, each weighted by its number of nodes.
* comprehensive, the score: the matches of all four divided by the totals of all four, of the system
  for precision, and of the gold standard for recall.

Anchors are pairs of nodes whose name (the concept without sense) occurs once in each graph and in
the text; or pairs of nodes aligned with the same tokens.

AMRs in PENMAN are compared as sentence graphs, whose text is the comment ``# ::snt``.

Profile ``program`` computes what the authors' program computes, with names of variables that belong
to the whole file. The program only reads the first range of a surface alignment, and has faults,
which the choice *faults* reproduces:

* the first node of a graph is never chosen by its roles among equally similar ones;
* at the document level, a variable that is first mentioned in a sentence after its own is not
  mapped, but identified with a variable of the same name;
* of several triples with the same ends, only the last one counts;
* ``same-event`` leads only from its target to its source, and a node declared the same as itself
  counts as a node about which nothing is implied;
* a node that can be reached by several relations is only continued by those that reach it before
  the first of them is processed;
* a word that looks like a variable (``s2x``) but is none of the sentence is left out; in AMRs (its
  ``--scope snt --data-format amr``), so is any constant without quotes except numbers and modes;
* names are looked up in all lines above the graph, including glosses;
* sentences that its reader mistakes for damaged are left out, see
`exactmatch.metrics.ancast.labelled_graph`.

Some faults are not reproduced: the program cannot score files in which a constant stands under an
inverse role, misreads variables with other letters than a to z and roles at the end of a line,
loses blocks of the document level that are not closed, mixes blocks that share a line, and gives
files without relations the similarity of their concepts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple, Self

from exactmatch.errors import InputError
from exactmatch.graphs.graph import PENMAN, UMR, Extent, Graph, Sentence
from exactmatch.graphs.unicode_form import UnicodeForm, in_form, nfc
from exactmatch.metrics.ancast.broadcast import (
    MOST_PAIRS,
    IsAnchor,
    TooManyNodes,
    broadcast_mapping,
    unique_in_text,
)
from exactmatch.metrics.ancast.document_level import (
    MOST_IMPLIED,
    Closure,
    Numbers,
    NumbersByFirstMention,
    NumbersByMapping,
    Pairs,
    TooManyRelations,
    numbered_blocks,
)
from exactmatch.metrics.ancast.labelled_graph import (
    AncastNode,
    ancast_graph,
    is_of_amr,
    of_amr,
    program_reads,
    text_for_program,
)
from exactmatch.metrics.ancast.relations import LabelledRelations
from exactmatch.metrics.base import (
    MAPPED_BY_RULES,
    AlignmentFreeMetric,
    Measurement,
    Statistics,
)
from exactmatch.metrics.counts import NOTHING, Counts, Figures
from exactmatch.metrics.umr.nodes import names_of

#: The scores of the parts.
_SENT, _MODAL, _TEMPORAL, _COREF = "sent", "modal", "temporal", "coref"
#: The counts of each part, without the weights of its score.
_COUNTED = {
    _SENT: "labels of relations",
    _MODAL: "modal triples",
    _TEMPORAL: "temporal relations implied",
    _COREF: "coreference implied",
}
#: Words that the program takes for variables to be declared later: in UMR, and in AMRs.
_LIKE_VARIABLES = {
    False: re.compile(r"s[0-9]+[a-z]+[0-9]*"),
    True: re.compile(r'(?!"|(?:imperative|expressive|[0-9.:+-]+)$).*'),
}


class _Shares(NamedTuple):
    """The part found on the other side, and the total: of the system, and of the gold standard."""

    of_system: Fraction
    system_total: int
    of_gold: Fraction
    gold_total: int

    @classmethod
    def in_sums(cls, sums: "Mapping[str, Fraction]", figure: str) -> "_Shares":
        """Return the shares that `as_sums` put into *sums*; empty ones if there are none."""
        shares = (sums.get(f"{figure}, {name}", Fraction()) for name in cls._fields)
        of_system, system_total, of_gold, gold_total = shares
        return cls(of_system, int(system_total), of_gold, int(gold_total))

    def as_sums(self, figure: str) -> "dict[str, Fraction]":
        """Return this as sums of statistics."""
        return {f"{figure}, {name}": Fraction(n) for name, n in self._asdict().items()}

    @classmethod
    def of(cls, found: Fraction | int, counts: Counts) -> "_Shares":
        """Return shares in which both sides find the number in *counts*."""
        return cls(Fraction(found), counts.system_total, Fraction(found), counts.gold_total)

    def score(self) -> tuple[float, float, float]:
        """Return precision, recall and their harmonic mean; 0 if there is nothing."""
        precision, recall = (
            share / total if total else Fraction() for share, total in (self[:2], self[2:])
        )
        both = precision + recall
        f1 = 2 * precision * recall / both if both else both
        return float(precision), float(recall), float(f1)


@dataclass(frozen=True, slots=True)
class AnCast(AlignmentFreeMetric):
    """How two UMR graphs are compared.

    anchors: pairs of nodes by unique names in the text, or by equal tokens.
    ranges: all ranges of tokens in a surface alignment, or only the first.
    document_level: counts, as in AnCast++; or only sentence graphs are compared.
    scope: names of variables belong to the document, or to the file.
    faults: the faults of the authors' program are fixed, or reproduced.
    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    """

    name: ClassVar[str] = "ancast"
    title: ClassVar[str] = "AnCast"
    papers: ClassVar[Sequence[str]] = ("sun-2024-ancast", "sun-2025-ancast")
    unit: ClassVar[str] = "relations"
    format: ClassVar[str] = UMR
    also: ClassVar[Sequence[str]] = (PENMAN,)
    unproven: ClassVar[str] = MAPPED_BY_RULES
    profiles: ClassVar[Mapping[str, "AnCast"]]

    anchors: Literal["names", "tokens"] = "names"
    ranges: Literal["all", "first"] = "all"
    document_level: Literal["count", "ignore"] = "count"
    scope: Literal["document", "file"] = "document"
    faults: Literal["mended", "kept"] = "mended"
    unicode: UnicodeForm = "as-written"

    @property
    def extent(self) -> Extent:
        return self.scope if self.document_level == "count" else "sentence"

    def for_format(self, form: str) -> Self:
        """Return this metric; for AMRs, which have no document level, without it."""
        return self if form == UMR else replace(self, document_level="ignore")

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        """Compare two graphs. Raises `InputError` if they are too large for the rules."""
        what = f"a sentence with more than {MOST_PAIRS:,} pairs of nodes"
        try:
            return self._measured(system, gold)
        except TooManyNodes:
            pass
        except TooManyRelations:
            what = f"more than {MOST_IMPLIED:,} relations are implied"
        where = " and ".join(f"{g.location.source}:{g.location.line}" for g in (system, gold))
        raise InputError(f"{where}: {what}, too many for the rules of AnCast")

    def _measured(self, system: Graph, gold: Graph) -> Measurement:
        system, gold = in_form(system, self.unicode), in_form(gold, self.unicode)
        both = [(of_amr(system), of_amr(gold))]
        if UMR in (system.format, gold.format):
            both = [*zip(system.sentences, gold.sentences, strict=True)]
        if self.faults == "kept":
            both = [pair for pair in both if all(map(program_reads, pair))]
        mapped = [self._mapped(*sentences) for sentences in both]
        mappings = [sentence.variables() for sentence in mapped]
        figures = {_SENT: _sent(mapped)}
        if self.document_level == "count":
            names = names_of(system), names_of(gold)
            figures.update(self._document_level(both, mappings, names))
        breakdown = {_COUNTED[figure]: counts for figure, (counts, _) in figures.items()}
        every = sum(breakdown.values(), NOTHING)
        totals = (every.matched, every.matched, every.system_total, every.gold_total)
        sums: dict[str, Fraction] = {}
        for figure, (_, shares) in figures.items():
            sums.update(shares.as_sums(figure))
        mapping = {variable: other for one in mappings for variable, other in one.items()}
        return Measurement(Statistics(*totals, breakdown, sums), mapping)

    def figures(self, statistics: Statistics) -> Figures:
        shares = {figure: _Shares.in_sums(statistics.sums, figure) for figure in _COUNTED}
        if self.document_level == "ignore":
            precision, recall, f1 = shares[_SENT].score()
            return Figures(f1, f"F1 ({_SENT})", precision, recall, f1)
        precision, recall, f1 = _added([*shares.values()]).score()
        others = {figure: share.score()[-1] for figure, share in shares.items()}
        return Figures(f1, "F1 (comprehensive)", precision, recall, f1, others)

    def signature(self, search: str = "") -> str:
        named = [choice for choice in self.choices() if choice != "unicode"]
        choices = (f"{name.replace('_', '-')}:{getattr(self, name)}" for name in named)
        return self._with_form("|".join((self.name, *choices)))

    def _mapped(self, system: Sentence, gold: Sentence) -> LabelledRelations:
        is_kept = self.faults == "kept"
        dropped = _LIKE_VARIABLES[is_of_amr(system)] if is_kept else None
        ours, theirs = (ancast_graph(sentence, dropped) for sentence in (system, gold))
        is_anchor: IsAnchor = self._have_same_tokens
        if self.anchors == "names":
            text = text_for_program(system) if is_kept else " ".join(system.tokens)
            text = nfc(text) if self.unicode == "nfc" else text
            is_anchor = unique_in_text(text, ours, theirs)
        mapping = broadcast_mapping(ours, theirs, is_anchor, first_wins=not is_kept)
        return LabelledRelations(ours, theirs, mapping)

    def _have_same_tokens(self, node: AncastNode, other: AncastNode) -> bool:
        one, another = node.tokens, other.tokens
        if self.ranges == "first":
            one, another = _first_range(one), _first_range(another)
        return bool(one) and one == another

    def _document_level(
        self,
        sentences: Pairs,
        mappings: Sequence[Mapping[str, str]],
        names: tuple[Mapping[str, str], Mapping[str, str]],
    ) -> "Iterator[tuple[str, tuple[Counts, _Shares]]]":
        """Yield the scores of the document level, each with its shares."""
        is_kept = self.faults == "kept"
        numbers: Numbers
        if is_kept:
            numbers = NumbersByFirstMention(names, sentences, mappings)
        else:
            numbers = NumbersByMapping({v: o for one in mappings for v, o in one.items()})
        blocks = numbered_blocks(sentences, numbers, one_relation=is_kept)
        for figure in (_MODAL, _TEMPORAL, _COREF):
            ours, theirs = blocks[figure]
            if figure == _MODAL:
                counts = Counts.of({*ours}, {*theirs})
                yield figure, (counts, _Shares.of(counts.matched, counts))
            else:
                yield (
                    figure,
                    _implied(*(Closure(figure, t, as_program=is_kept) for t in (ours, theirs))),
                )


_DEFAULT = AnCast(profile="ancast.2", unicode="nfc")
AnCast.profiles = {
    "default": _DEFAULT,
    "program": AnCast(profile="program", ranges="first", scope="file", faults="kept"),
}


def _sent(sentences: Sequence[LabelledRelations]) -> tuple[Counts, _Shares]:
    counts = sum((sentence.counts() for sentence in sentences), NOTHING)
    return counts, _Shares.of(sum((s.weight() for s in sentences), Fraction()), counts)


def _implied(system: Closure, gold: Closure) -> tuple[Counts, _Shares]:
    counts = Counts.of({*system.relations}, {*gold.relations})
    return counts, _Shares(*system.share_in(gold), *gold.share_in(system))


def _added(shares: Sequence[_Shares]) -> _Shares:
    of_system, system_total, of_gold, gold_total = map(sum, zip(*shares, strict=True))
    return _Shares(Fraction(of_system), system_total, Fraction(of_gold), gold_total)


def _first_range(tokens: tuple[int, ...]) -> tuple[int, ...]:
    """Return the first range of consecutive tokens."""
    return tuple(token for k, token in enumerate(tokens) if token == tokens[0] + k)
