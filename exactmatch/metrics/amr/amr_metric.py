"""The common base of Smatch and S2match: the triples of an AMR under their choices.

A profile can first standardise the notation of graphs (`exactmatch.metrics.amr`). Every step is off
by default, and the signature names each step that is on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.graph import (
    CAMR,
    CONCEPT,
    MRP,
    PENMAN,
    SBN,
    UMR,
    Argument,
    Constant,
    Extent,
    Graph,
    Triple,
    Variable,
)
from exactmatch.graphs.unicode_form import UnicodeForm, in_form
from exactmatch.metrics.alignment_based import INSTANCE, AlignmentMetric, of_one_concept
from exactmatch.metrics.amr.labels import (
    LabelChoices,
    direction,
    folded,
    label_values,
    labels,
    may_be_inverse,
)
from exactmatch.metrics.base import Choice
from exactmatch.metrics.triples import Duplicates, Label, NormalisedGraph, NormalisedTriple

if TYPE_CHECKING:
    from exactmatch.metrics.amr.numbered_labels import NumberedLabels
    from exactmatch.metrics.amr.reifications import Reification, ReificationTable
    from exactmatch.metrics.amr.standardise import Triples
    from exactmatch.problem import Pair

#: The concepts whose operands have no order.
_COORDINATIONS = ("and", "or")


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)  # subclasses have these
class AmrMetric(AlignmentMetric):
    """How the triples of two AMRs are compared.

    top: how the root counts: as a triple of its own with a constant value, as an attribute ``TOP``
        that a role of the same name in the file matches, as a triple with the root's concept as
        value, or not at all.
    duplicates: a repeated triple counts once (set), at most as often as on the other side
        (multiset), or once for each pair of occurrences (product).
    strings: strings count whole, or only up to their first space.
    inverse: inverse roles (``ARG0-of``) are turned around wherever possible and in any case, once
        and in lower case only, or never. ``consist-of``, ``prep-on-behalf-of`` and ``prep-out-of``
        are no inverses (penman's AMR model), unless all roles that end so are.
    mod: ``mod``, ``domain`` and their inverses are one relation, or only a plain ``mod`` is inverse
        ``domain``, or all are different.
    inverse_constants: a constant under an inverse role is kept or dropped.
    case: letter case is folded as in Unicode, lower-cased, or kept.
    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    quotes: the quotes of strings are ignored or kept, or all quotes and apostrophes are deleted,
        wherever they are.
    underscores: underscores at the end are kept or stripped.
    surface_alignments: surface alignment marks (``~e.4``) are dropped, or kept as text.
    wiki: attributes ``wiki`` are kept or dropped.
    reification: nodes that are reified roles (``have-quant-91``) are kept, or collapsed to the
        role; or such roles are expanded to nodes.
    reification_table: the rules for this, in a table of the package or in one from a file.
    coordination: the operands of ``and`` and ``or`` are numbered, or all have the role ``op``.
    constants: constants are attributes, or nodes with the constant as their concept; as in
        smatch++, a constant that is spelled like a concept of the graph, or stands under an inverse
        role, makes no new node.
    anchors: in UMR, a variable is mapped to any, or only to one that shares a token with it or, if
        both are aligned with none, to any such one.
    document_level: sentences of UMR are compared one by one, or whole documents with the triples of
        their document level, where a variable is only mapped within its sentence.
    sentences: in documents of AMR (``:snt1``), a variable is mapped to any, or only to one that
        shares a sentence with it, by one of the rules of `exactmatch.metrics.amr.sentence_sets`;
        whole documents of UMR are always aligned.
    own_table: the table from a file.
    """

    format: ClassVar[str] = PENMAN
    also: ClassVar[Sequence[str]] = (MRP, UMR, CAMR)
    parts: ClassVar[Sequence[str]] = (
        "instance", "relation", "attribute", "top", "temporal", "modal", "coreference",
    )  # fmt: skip

    is_of_amr: ClassVar[bool] = True
    parameters: ClassVar[Sequence[str]] = ("credits",)
    together: ClassVar[Sequence[Sequence[str]]] = (
        ("reification", "reification_table", "own_table"),
    )

    #: The choices of notation, each with the value that changes nothing.
    as_written: ClassVar[Mapping[str, str]] = {
        "wiki": "keep",
        "reification": "keep",
        "coordination": "numbered",
        "constants": "attributes",
    }

    #: The choices that restrict mappings, each with the value that changes nothing.
    linking: ClassVar[Mapping[str, str]] = {
        "anchors": "none",
        "document_level": "ignore",
        "sentences": "free",
    }

    unsaid: ClassVar[Mapping[str, str]] = {
        **AlignmentMetric.unsaid,
        **as_written,
        **linking,
    }

    #: The choices of `unsaid` that numbers of labels take into account. Unless all others have
    #: their usual values, `numbered_labels` returns None.
    numbered: ClassVar[frozenset[str]] = frozenset(LabelChoices._fields)

    top: Literal["constant", "attribute", "concept", "none"] = "constant"
    duplicates: Duplicates = "set"
    strings: Literal["whole", "first-word"] = "whole"
    inverse: Literal["restored", "all", "once", "as-written"] = "restored"
    mod: Literal["unified", "plain", "separate"] = "unified"
    inverse_constants: Literal["keep", "drop"] = "keep"
    case: Literal["fold", "lower", "keep"] = "fold"
    unicode: UnicodeForm = "as-written"
    quotes: Literal["ignore", "delete", "keep"] = "ignore"
    underscores: Literal["keep", "strip"] = "keep"
    surface_alignments: Literal["drop", "keep"] = "drop"
    wiki: Literal["keep", "drop"] = "keep"
    reification: Literal["keep", "collapse", "expand"] = "keep"
    reification_table: Literal["penman-1.3.1", "smatchpp-1.8", "file"] = "penman-1.3.1"
    coordination: Literal["numbered", "unordered"] = "numbered"
    constants: Literal["attributes", "nodes", "nodes-smatchpp-1.8"] = "attributes"
    anchors: Literal["none", "tokens"] = "none"
    document_level: Literal["ignore", "count"] = "ignore"
    sentences: Literal["free", "aligned", "aligned-by-order", "aligned-docsmatch"] = "free"
    own_table: "ReificationTable | None" = None

    @property
    def extent(self) -> Extent:
        return "document" if self.document_level == "count" else "sentence"

    def with_choices(self, **choices: Choice) -> Self:
        """Return this metric with some choices changed; *reification_table* may be a table.

        Raises `UsageError` as the base does.
        """
        table = choices.get("reification_table")
        if table is not None:
            from exactmatch.metrics.amr.reifications import ReificationTable

            if isinstance(table, ReificationTable):
                choices["reification_table"] = "file"
                return replace(AlignmentMetric.with_choices(self, **choices), own_table=table)
        return AlignmentMetric.with_choices(self, **choices)

    def files(self) -> Mapping[str, str]:
        files = AlignmentMetric.files(self)
        if self.reification_table != "file" or self.own_table is None:
            return files
        return {"table": self.own_table.digest[:12], **files}

    @property
    def label_choices(self) -> LabelChoices:
        """The choices on which labels depend."""
        return LabelChoices(*label_values(self))

    def labelled(self, role: str, value: str) -> Sequence[Label]:
        own = labels(self.label_choices)
        if role == INSTANCE:
            return [own.of_concept(value, "")]
        label = own.of_attribute(role, value, "")
        return () if label is None else [label]

    def said(self) -> Sequence[str]:
        said = AlignmentMetric.said(self)
        if self.reification == "keep" and self.reification_table == "penman-1.3.1":
            return [choice for choice in said if choice != "reification_table"]
        return said

    @property
    def tells_sentences(self) -> bool:
        is_by_sentence = self.sentences != "free" or self.document_level == "count"
        return is_by_sentence and self.anchors == "none"

    def check(self, system: Graph, gold: Graph) -> None:
        if self.sentences != "free" and {UMR, SBN}.isdisjoint((system.format, gold.format)):
            from exactmatch.metrics.amr.documents import check_documents

            check_documents(_as_amr(system), _as_amr(gold), self.sentences)

    def normalise(self, graph: Graph) -> NormalisedGraph:
        if graph.format != PENMAN:  # labels alone are compared in PENMAN
            graph = in_form(_as_amr(graph), self.unicode)
        variables, triples = tuple(graph.variables), labels(self.label_choices).normalised(graph)
        if any(getattr(self, choice) != usual for choice, usual in self.as_written.items()):
            from exactmatch.metrics.amr.standardise import Triples

            standard = self.standardised(Triples(variables, _facts(triples, self)), graph.tops)
            variables, triples = tuple(standard.variables), _normalised(standard.triples)
        if self.top != "none":
            concepts = _concepts(triples) if self.top == "concept" else {}
            triples += [
                NormalisedTriple(top_label(concepts.get(top, ""), self), (top,))
                for top in graph.tops
            ]
        if self._is_linked():
            return self._linked(graph, variables, triples)
        return NormalisedGraph(variables, triples)

    def _is_linked(self) -> bool:
        """Tell whether keys restrict which variables are mapped to each other."""
        return any(getattr(self, choice) != usual for choice, usual in self.linking.items())

    def _linked(
        self, graph: Graph, variables: tuple[str, ...], triples: list[NormalisedTriple]
    ) -> NormalisedGraph:
        """Return a graph with keys.

        Raises `InputError` if anchors, or the document level, are asked for and the graph is not in
        UMR.
        """
        if graph.format == UMR:
            return self._linked_umr(graph, variables, triples)
        is_for_umr = self.anchors != "none" or self.document_level != "ignore"
        if is_for_umr and graph.variables:
            where = f"{graph.location.source}:{graph.location.line}"
            raise InputError(
                f"{where}: tokens and document levels belong to UMR; this graph is not in UMR"
            )
        if self.sentences == "free":
            return NormalisedGraph(variables, triples, keys={})
        from exactmatch.metrics.amr.documents import coreferent
        from exactmatch.metrics.amr.sentence_sets import sentence_sets
        from exactmatch.metrics.umr.keys import with_new

        sentences = sentence_sets(graph, self.sentences)
        linked = NormalisedGraph(variables, triples, keys=with_new(sentences, triples))
        linked.coreferent = coreferent(graph, sentences)
        return linked

    def _linked_umr(
        self, graph: Graph, variables: tuple[str, ...], triples: list[NormalisedTriple]
    ) -> NormalisedGraph:
        """Return a graph of UMR with keys, and the document level.

        Raises `UsageError` if sentences are to be aligned as in documents of AMR.
        """
        if self.sentences in ("aligned-by-order", "aligned-docsmatch"):
            raise UsageError(
                f"sentences {self.sentences} is for documents of AMR; sentences of UMR are paired "
                "when the files are read: use aligned, or free"
            )
        from exactmatch.metrics.umr.document_relations import normalised, part_of_block
        from exactmatch.metrics.umr.keys import sentence_keys, token_keys

        by = token_keys if self.anchors == "tokens" else sentence_keys
        keys = dict(by(graph, triples))
        for number, sentence in enumerate(graph.sentences, start=1):
            if self.document_level == "count":
                level = (t._replace(kind=part_of_block(t.kind)) for t in sentence.document_level)
                relations, itself = normalised(level, number)
                triples += relations
                keys.update(itself)
                variables += tuple(itself)
        return NormalisedGraph(variables, triples, keys=keys)

    def numbered_labels(self) -> "NumberedLabels | None":
        others = [choice for choice in self.unsaid if choice not in self.numbered]
        if self.top == "concept" or not all(map(self.is_unsaid, others)):
            return None
        from exactmatch.metrics.amr.numbered_labels import NumberedLabels

        top = None if self.top == "none" else top_label("", self)
        return NumberedLabels(self.label_choices, top)

    def standardised(self, graph: "Triples", tops: Sequence[str]) -> "Triples":
        """Return a graph in standard notation, with labels and directions of this metric."""
        from exactmatch.metrics.amr import standardise as steps

        if self.wiki == "drop":
            graph = steps.without_role(graph, folded("wiki", self.label_choices))
        if self.reification == "collapse":
            graph = steps.collapsed(graph, _rules(self)[1], tops)
        elif self.reification == "expand":
            graph = steps.expanded(graph, _rules(self)[0])
        if self.coordination == "unordered":
            choices = self.label_choices
            concepts = [folded(concept, choices) for concept in _COORDINATIONS]
            graph = steps.unordered(graph, concepts, folded("op", choices))
        if self.constants != "attributes":
            graph = steps.with_nodes(graph, as_smatchpp=self.constants == "nodes-smatchpp-1.8")
        return graph

    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> "Iterator[Pair]":
        concepts, gold_concepts = (_concepts(graph.triples) for graph in (system, gold))
        return of_one_concept(system, gold, concepts, gold_concepts)


def _as_amr(graph: Graph) -> Graph:
    if graph.format not in (MRP, CAMR):
        return graph
    from exactmatch.metrics.amr.as_amr import as_amr

    return as_amr(graph)


def _concepts(triples: Iterable[NormalisedTriple]) -> dict[str, str]:
    """Return the concept of each variable."""
    return {t.variables[0]: t.name for t in triples if t.kind == "instance"}


def top_label(concept: str, metric: AmrMetric) -> tuple[str, ...]:
    """Return the label of the root's triple, where the root has this concept."""
    if metric.top == "attribute":
        choices = metric.label_choices
        return ("attribute", folded("TOP", choices), folded("top", choices))
    return ("top", concept) if metric.top == "concept" else ("top",)


@lru_cache(maxsize=16)
def _rules(metric: AmrMetric) -> "tuple[Mapping[str, Reification], Mapping[str, Reification]]":
    """Return the rules by role and by concept, in the labels of *metric*.

    Raises `UsageError` if they are to come from a file, and none is given.
    """
    from exactmatch.metrics.amr.reifications import Reification, named_table

    if metric.reification_table != "file":
        table = named_table(metric.reification_table)
    elif metric.own_table is not None:
        table = metric.own_table
    else:
        raise UsageError("the reification table is to come from a file; name the file")
    by_role: dict[str, Reification] = {}
    by_concept: dict[str, Reification] = {}
    choices = metric.label_choices
    for rule in table.rules:
        role, is_inverse = direction(rule.role, choices)
        ends = (rule.target, rule.source) if is_inverse else (rule.source, rule.target)
        own = Reification(*(folded(word, choices) for word in (role, rule.concept, *ends)))
        by_role.setdefault(own.role, own)
        by_concept.setdefault(own.concept, own)
    return by_role, by_concept


def _facts(triples: Iterable[NormalisedTriple], metric: AmrMetric) -> list[Triple]:
    """Return the triples with roles and ends; under an inverse role, the constant is the source."""
    facts, choices = [], metric.label_choices
    for triple in triples:
        ends: tuple[Argument, ...] = tuple(map(Variable, triple.variables))
        role = CONCEPT if triple.kind == "instance" else triple.name
        if triple.kind != "relation":
            ends = (*ends, Constant(triple.label[-1]))
        if triple.kind == "attribute" and role.endswith("-of") and may_be_inverse(role, choices):
            role, ends = role[:-3], ends[::-1]
        facts.append(Triple(role, ends))
    return facts


def _normalised(triples: Iterable[Triple]) -> list[NormalisedTriple]:
    """Return the normalised triples with these roles and ends."""
    return [
        NormalisedTriple(
            _label(triple), tuple(end.name for end in triple.arguments if isinstance(end, Variable))
        )
        for triple in triples
    ]


def _label(triple: Triple) -> Label:
    role, (source, target), _ = triple
    if isinstance(source, Constant):
        return ("attribute", f"{role}-of", source.text)
    if isinstance(target, Constant):
        return ("instance", target.text) if role == CONCEPT else ("attribute", role, target.text)
    return ("relation", role)


def last_of_parallel(graph: NormalisedGraph) -> NormalisedGraph:
    """Return *graph* with only the last of parallel triples, which older programs overwrite.

    Parallel triples are relations between the same two variables, and attributes of one variable
    and name.
    """
    last = {_place(triple): triple for triple in graph.triples}
    return graph.with_triples([*last.values()])


def _place(triple: NormalisedTriple) -> tuple[str, ...]:
    """Return a key that exactly the parallel triples share."""
    kept = 1 if triple.kind == "relation" else 2
    return (*triple.label[:kept], *triple.variables)
