"""Counter (van Noord et al. 2018): the clauses of a DRS as a profile counts them.

Rik van Noord, Lasha Abzianidze, Hessel Haagsma and Johan Bos. 2018. *Evaluating Scoped Meaning
Representations.* Proceedings of LREC 2018.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from exactmatch.graphs.graph import (
    BOX,
    CLAUSES,
    DUMMY,
    REFERENT,
    SENSE,
    Argument,
    Constant,
    Graph,
    IllFormedPolicy,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.clauses import ROLE
from exactmatch.graphs.readers.referee import OPERATORS_OF_BOXES
from exactmatch.graphs.unicode_form import UnicodeForm, in_form
from exactmatch.graphs.words import Classes, Synonyms
from exactmatch.metrics.alignment_based import INSTANCE, AlignmentMetric, label_credits
from exactmatch.metrics.credits import PARTS
from exactmatch.metrics.triples import (
    Duplicates,
    Label,
    NormalisedGraph,
    NormalisedTriple,
    Similar,
)
from exactmatch.problem import Pair
from exactmatch.stopping.deadline import NEVER, Deadline

if TYPE_CHECKING:
    from exactmatch.graphs.camr_places import SentenceLengths
    from exactmatch.metrics.similarity import Similarity

#: Operators whose two arguments may be swapped: approximately equal, not equal, equal, abutting.
_SYMMETRIC = frozenset({"APX", "NEQ", "EQU", "TAB"})

#: The word classes of WordNet by their letters in senses; s stands for adjective satellites.
_WORD_CLASSES = {"n": "noun", "v": "verb", "a": "adjective", "s": "adjective", "r": "adverb"}


@dataclass(frozen=True, slots=True)
class CounterMetric(AlignmentMetric):
    """How two DRSs are compared.

    Boxes are mapped to boxes and referents to referents. A repeated clause counts once. A role that
    ends in ``Of`` is the inverse of the one without it. Clauses of APX, NEQ, EQU and TAB also match
    with swapped arguments.

    refs: the REF clauses that count: those whose referent occurs in no other clause of their box;
        the same, but a repeated REF clause counts as another clause, so that neither counts; or all
        of them.
    senses: the senses of concepts are compared or ignored.
    concepts: concepts and their senses are compared, or any two are equal.
    roles: roles are compared, or any two are equal.
    loops: a clause of three variables, two of which are the same, can match or never does.
    swapped: two clauses that differ in the order of such arguments alone are one, or two.
    sorts: boxes follow from the relations; or also from the order of the clauses, where the first
        mention of a variable decides: a box that is first an argument of DRS or PRP is a referent.
    second_constant: if both arguments of a concept or an operator are constants, the second one is
        compared, or mapped like a variable.
    ill_formed: DRSs that Referee refuses (see `exactmatch.graphs.readers.referee`) are scored as
        they are; or they are replaced by a dummy that matches nothing, or by SPAR's DRS, as Counter
        does with ``-ill``. To score one that our reader refuses, the first mention has to decide
        about sorts (`exactmatch.graphs.readers.ill_formed_clauses`).
    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    synonyms: concepts that count as others, such as the first one of their synset in WordNet;
        Counter itself always uses them.
    similarity: the similarity of concepts, which then match in part; Counter itself has none.
    """

    name: ClassVar[str] = "counter"
    title: ClassVar[str] = "Counter"
    papers: ClassVar[Sequence[str]] = ("noord-2018-counter",)
    unit: ClassVar[str] = "clauses"
    format: ClassVar[str] = CLAUSES
    parts: ClassVar[Sequence[str]] = (
        "operator", "role", "concept", "noun", "verb", "adjective", "adverb",
    )  # fmt: skip

    takes: ClassVar[Sequence[str]] = ("synonyms", "similarity")
    parameters: ClassVar[Sequence[str]] = ("credits",)
    profiles: ClassVar[Mapping[str, "CounterMetric"]]
    unsaid: ClassVar[Mapping[str, str]] = {**AlignmentMetric.unsaid, "ill_formed": "score"}

    refs: Literal["unused", "unused-unrepeated", "all"] = "unused"
    senses: Literal["keep", "ignore"] = "keep"
    concepts: Literal["keep", "ignore"] = "keep"
    roles: Literal["keep", "ignore"] = "keep"
    loops: Literal["match", "never"] = "match"
    swapped: Literal["one", "two"] = "one"
    sorts: Literal["by-relation", "by-first-mention"] = "by-relation"
    second_constant: Literal["keep", "map"] = "keep"
    ill_formed: Literal["score", "dummy", "spar"] = "score"
    unicode: UnicodeForm = "as-written"
    synonyms: Synonyms | None = None
    similarity: "Similarity | None" = None

    @property
    def scale(self) -> int:  # type: ignore[override]
        if self.similarity is not None:
            return PARTS
        return 1 if self.credits is None else self.credits.scale

    @property
    def duplicates(self) -> Duplicates:
        return "set" if self.swapped == "one" else "multiset"

    @property
    def ill_formed_policy(self) -> IllFormedPolicy:
        if self.ill_formed != "score":
            return IllFormedPolicy(mending=self.ill_formed)
        return IllFormedPolicy(mending="none" if self.sorts == "by-relation" else "as-counter")

    def normalise(self, graph: Graph) -> NormalisedGraph:
        if self.ill_formed != "score":
            from exactmatch.graphs.stand_ins import stood_in

            graph = stood_in(graph, self.ill_formed)
        graph = in_form(graph, self.unicode)
        clauses = [_normal_order(clause, self) for clause in _kept(graph, self)]
        sorts = graph.variables if self.sorts == "by-relation" else _by_first_mention(clauses)
        triples, targets = [], []
        for triple in dict.fromkeys(_normalised(clause, sorts, self) for clause in clauses):
            orders = _orders(triple)
            triples.append(orders[0])
            if _may_match(triple, self):
                targets += orders
        mapped = (variable for triple in triples for variable in triple.variables)
        return NormalisedGraph(tuple(dict.fromkeys((*graph.variables, *mapped))), triples, targets)

    def files(self) -> Mapping[str, str]:
        files = dict(AlignmentMetric.files(self))
        if self.synonyms is not None:
            files = {"synonyms": self.synonyms.digest[:12], **files}
        if self.similarity is not None:
            files |= {**self.similarity.parameters(), "scale": str(self.scale)}
        return files

    def similar(
        self, system: NormalisedGraph, gold: NormalisedGraph, deadline: Deadline = NEVER
    ) -> Similar:
        if self.similarity is None:
            return AlignmentMetric.similar(self, system, gold, deadline)
        from exactmatch.metrics.label_credits import NO_CREDITS
        from exactmatch.metrics.similar_synsets import similar_synsets

        targets = gold.as_gold()
        values = similar_synsets(system.triples, targets, self.similarity, deadline)
        known = label_credits(self) if self.credits else NO_CREDITS
        return known.with_values(values).between(system.triples, targets)

    def similar_kinds(self) -> Sequence[str]:
        kinds = AlignmentMetric.similar_kinds(self)
        return kinds if self.similarity is None else [*dict.fromkeys(("concept", *kinds))]

    @property
    def is_similar_by_credits(self) -> bool:
        return self.similarity is None

    def symbolic(self) -> Self:
        return replace(self, similarity=None, credits=None)

    def labelled(self, role: str, value: str) -> Sequence[Label]:
        """Return the labels of clauses about a referent, or a box, with a value.

        A concept is written with its sense (``person.n.01``). Quotes of other values may be left
        out.
        """
        box, about = Variable("box"), Variable("other")
        if role == INSTANCE:
            word, _, sense = value.partition(".")
            clause = Triple(word, (box, Constant(f'"{sense}"'), about))
        else:
            text = value if value.startswith('"') else f'"{value}"'
            clause = Triple(role, (box, about, Constant(text)))
        return [
            _normalised(clause, {"box": BOX, "other": sort}, self).label for sort in (REFERENT, BOX)
        ]

    def lacking(self) -> str | None:
        if self.synonyms is None and self == _COUNTER_2021:
            return (
                "counter-2021 needs --synonyms: Counter always has WordNet's "
                "(wordnet_dict_en.py, or the folder of its files)"
            )
        return None

    def with_words(
        self,
        *,
        similarity: "Similarity | None" = None,
        synonyms: Synonyms | None = None,
        classes: Classes | None = None,
        lengths: "SentenceLengths | None" = None,
    ) -> Self:
        return replace(self, synonyms=synonyms, similarity=similarity)

    def parts_of(self, label: Sequence[str]) -> Sequence[str]:
        named = word_class(label)
        return (label[0],) if named is None else (label[0], named)

    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> Iterator[Pair]:
        by_label = defaultdict(list)
        right = {variable: j for j, variable in enumerate(gold.variables)}
        for label, variables in _concepts(gold):
            by_label[label].append([right[w] for w in variables])
        left = {variable: i for i, variable in enumerate(system.variables)}
        for label, variables in _concepts(system):
            for rights in by_label[label]:
                yield from zip([left[v] for v in variables], rights, strict=True)


#: What Counter computes, apart from search errors and rounding: the objective of its
#: hill_climbing.py on the clauses that its counter.py makes, as of December 2021.
_COUNTER_2021 = CounterMetric(
    profile="counter-2021",
    refs="unused-unrepeated",
    loops="never",
    swapped="two",
    sorts="by-first-mention",
    second_constant="map",
)

#: Our own profile carries a version, which any change increases.
#: The first one compared text as written.
_DEFAULT_1 = CounterMetric(profile="counter.1")

CounterMetric.profiles = {
    "default": replace(_DEFAULT_1, profile="counter.2", unicode="nfc"),
    "counter-2021": _COUNTER_2021,
}

CounterMetric.former = (_DEFAULT_1,)


def word_class(label: Sequence[str]) -> str | None:
    """Return ``noun``, ``verb``, ``adjective`` or ``adverb`` for the label of a concept.

    Labels begin with the kind of the clause (``operator``, ``role``, ``concept``) and its relation.
    Then comes each argument: the sort of a variable, or a constant as written.
    """
    is_concept = label[0] == "concept" and SENSE.fullmatch(label[3])
    return _WORD_CLASSES[label[3][1]] if is_concept else None


def _kept(graph: Graph, metric: CounterMetric) -> Sequence[Triple]:
    """Return the clauses that count."""
    if metric.refs == "all":
        return graph.triples
    clauses = graph.triples
    if metric.refs == "unused":
        clauses = tuple(dict.fromkeys(clauses))
    uses: Counter[tuple[Argument, ...]] = Counter(
        (clause.arguments[0], word) for clause in clauses for word in _last(clause)
    )
    return [
        clause
        for clause in clauses
        if clause.relation != "REF"
        or uses[clause.arguments[:2]] == (clause.arguments[1] in _last(clause))
    ]


def _last(clause: Triple) -> Set[Argument]:
    """Return the last two arguments of a clause, which has no more unless it is ill-formed."""
    return {*clause.arguments[1:][-2:]}


def _by_first_mention(clauses: Iterable[Triple]) -> Mapping[str, str]:
    """Return the sort of each variable in its first clause."""
    sorts: dict[str, str] = {}
    for clause in clauses:
        for position, argument in enumerate(clause.arguments):
            if isinstance(argument, Variable):
                is_box = position == 0 or clause.relation in OPERATORS_OF_BOXES
                sorts.setdefault(argument.name, BOX if is_box else REFERENT)
    return sorts


def _normalised(
    clause: Triple, sorts: Mapping[str, str], metric: CounterMetric
) -> NormalisedTriple:
    """Return a clause as *metric* compares it."""
    kind = _kind(clause)
    arguments = [
        sorts.get(argument.name, REFERENT) if isinstance(argument, Variable) else argument.text
        for argument in clause.arguments
    ]
    relation = clause.relation
    names = tuple(a.name for a in clause.arguments if isinstance(a, Variable))
    if len(names) == 1:
        arguments[0] = BOX  # Counter looks at no sort where two constants follow
    if kind == "concept" and metric.synonyms is not None:
        relation, arguments[1] = metric.synonyms.of(relation, arguments[1])
    if kind == "role" and metric.roles == "ignore":
        relation = ""
    if kind == "concept" and metric.concepts == "ignore":
        relation = ""
    if kind == "concept" and "ignore" in (metric.senses, metric.concepts):
        arguments[1] = ""
    return NormalisedTriple((kind, relation, *arguments), names)


def _kind(clause: Triple) -> str:
    """Return ``operator``, ``role`` or ``concept``; ill-formed ones as Counter has them."""
    argument = clause.arguments[1]
    if isinstance(argument, Constant) and SENSE.fullmatch(argument.text):
        return "concept"
    if clause.relation.isupper() or len(clause.arguments) == 2:
        return "operator"
    return "role" if ROLE.fullmatch(clause.relation) else "concept"


def _normal_order(clause: Triple, metric: CounterMetric) -> Triple:
    """Return *clause* with its arguments in the defined order, except for two variables.

    Of an ill-formed clause with more arguments, the first ones are left.
    """
    if len(clause.arguments) != 3:
        return clause._replace(arguments=clause.arguments[:3])
    relation = clause.relation
    box, first, second = clause.arguments
    if _kind(clause) == "role":
        is_inverse = relation.endswith("Of") and relation != "Of"
        return Triple(relation.removesuffix("Of"), (box, second, first)) if is_inverse else clause
    if isinstance(first, Variable):
        return clause
    if isinstance(second, Constant) and metric.second_constant == "map":
        return Triple(relation, (box, first, Variable(second.text)))
    if relation in _SYMMETRIC and (isinstance(second, Variable) or second < first):
        return Triple(relation, (box, second, first))
    return clause


def _orders(triple: NormalisedTriple) -> list[NormalisedTriple]:
    """Return *triple*, and the same with swapped arguments if they may be swapped, sorted.

    A triple of a system's graph has the first order, and the targets of a gold graph have both. So
    it matches at most once: a one-to-one mapping turns it into one of them.
    """
    if len(triple.variables) == 3 and triple.kind == "operator" and triple.name in _SYMMETRIC:
        box, first, second = triple.variables
        return sorted({triple, NormalisedTriple(triple.label, (box, second, first))})
    return [triple]


def _may_match(triple: NormalisedTriple, metric: CounterMetric) -> bool:
    return triple.name != DUMMY and (metric.loops == "match" or not _is_loop(triple))


def _is_loop(triple: NormalisedTriple) -> bool:
    return len(triple.variables) == 3 > len(set(triple.variables))


def _concepts(graph: NormalisedGraph) -> Iterator[NormalisedTriple]:
    return (triple for triple in graph.triples if triple.kind == "concept")
