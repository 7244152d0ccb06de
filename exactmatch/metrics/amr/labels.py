# cython: language_level=3
"""The labels of roles, concepts and constants of AMRs under a metric.

The same few words recur, so the label of each is computed once.
"""

from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import cython

from exactmatch.graphs.graph import CONCEPT, MRP, Constant, Graph
from exactmatch.graphs.unicode_form import nfc
from exactmatch.metrics.triples import Label, NormalisedTriple

#: Roles that end in -of and are not inverses (penman's AMR model, and smatch).
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})
_DELETED = str.maketrans("", "", "\"'")
#: The size of the cache; then it is cleared.
_MOST_KNOWN = 100_000
_NO_MARKS = cython.declare(tuple, ("", ""))
_CONCEPT = cython.declare(str, CONCEPT)
_TRIPLE = cython.declare(object, NormalisedTriple)
_CONSTANT = cython.declare(object, Constant)
#: Faster than the constructor of a named tuple.
_make = cython.declare(object, tuple.__new__)


class LabelChoices(NamedTuple):
    """The values of the choices on which labels depend; `AmrMetric` describes these choices."""

    case: str
    inverse: str
    inverse_constants: str
    mod: str
    quotes: str
    strings: str
    surface_alignments: str
    underscores: str
    unicode: str


#: Returns the values of these choices of a metric, in order.
label_values = attrgetter(*LabelChoices._fields)


@cython.cfunc
@cython.inline
def _as_tuple(value: Any) -> tuple[Any, ...]:
    """Return *value* as a tuple; compiled code reads plain tuples, including named ones, fast."""
    if not isinstance(value, tuple):
        raise TypeError(f"not a tuple: {value!r}")
    return cython.cast(tuple, value)


@cython.cclass
class _Form:
    """The normalised form of a triple.

    variable: the variable of its target, if the graph has it; None if it can be none.
    edge: the label of the triple in that case; its ends are swapped if it is *inverted*.
    label: its label if the target is no variable; None if it is dropped.
    """

    variable: Any
    edge: Any
    inverted: cython.bint
    label: Any

    def __init__(
        self, variable: str | None, edge: Label, inverted: bool, label: Label | None
    ) -> None:
        self.variable = variable
        self.edge = edge
        self.inverted = inverted
        self.label = label


class Labels:
    """The labels of triples under the *choices* of a metric."""

    def __init__(self, choices: LabelChoices) -> None:
        self.choices = choices
        self._keeps_marks = choices.surface_alignments == "keep"
        self._concepts: dict[str, _Form] = {}  # without marks
        self._edges: dict[str, _Form] = {}  # by role, without marks, if the target is a variable
        self._forms: dict[tuple[str, str, bool, tuple[str, str]], _Form] = {}

    def normalised(self, graph: Graph) -> list[NormalisedTriple]:
        """Return the triples of an AMR, without its root."""
        # Complex: all triples of all graphs go through this loop, where a call for each would be
        # slow.
        concepts: dict[str, Any] = self._concepts
        edges: dict[str, Any] = self._edges
        variables: Any = graph.variables
        keeps_marks: cython.bint = self._keeps_marks
        # Nodes in MRP are numbers, which no word of a file can mean.
        are_words: cython.bint = graph.format != MRP
        found: list[Any] = []
        for each in graph.triples:
            triple: tuple[Any, ...] = _as_tuple(each)
            relation: Any = triple[0]
            arguments: tuple[Any, ...] = _as_tuple(triple[1])
            if len(arguments) != 2:
                raise ValueError(f"a triple of an AMR has two arguments, not {len(arguments)}")
            source: tuple[Any, ...] = _as_tuple(arguments[0])
            target: tuple[Any, ...] = _as_tuple(arguments[1])
            name: Any = source[0]
            text: Any = target[0]
            marks: Any = triple[2]
            is_constant: cython.bint = type(target) is _CONSTANT
            is_marked: cython.bint = keeps_marks and marks != _NO_MARKS
            # The label of a role does not depend on its target variable.
            is_edge: cython.bint = not is_constant and not is_marked and text.isalnum()
            known: Any
            if is_edge:
                known = edges.get(relation)
                if known is None:
                    known = edges[relation] = self._form_of(relation, "", False, _NO_MARKS)
            elif relation == _CONCEPT and not is_marked:
                known = concepts.get(text)
                if known is None:
                    known = concepts[text] = self._form_of(relation, text, True, _NO_MARKS)
            else:
                kept = marks if is_marked else _NO_MARKS
                known = self._form_of(relation, text, is_constant, kept)
            form: _Form = known
            variable: Any = text if is_edge else form.variable
            if variable is not None and (are_words or not is_constant) and variable in variables:
                ends = (variable, name) if form.inverted else (name, variable)
                found.append(_make(_TRIPLE, (form.edge, ends)))
            elif form.label is not None:
                found.append(_make(_TRIPLE, (form.label, (name,))))
        return found

    def of_concept(self, concept: str, mark: str) -> Label:
        """Return the label of the concept of a variable, with its mark."""
        return "instance", self._concept(concept, mark)

    def of_edge(self, role: str) -> tuple[Label, bool]:
        """Return the label of a role between two variables, and whether it is turned around."""
        form: _Form = self._form(role, "", False, "")
        return form.edge, form.inverted

    def of_attribute(self, role: str, constant: str, mark: str) -> Label | None:
        """Return the label of a constant with its mark under a role; None if it is dropped."""
        form: _Form = self._form(role, constant, True, mark)
        return form.label

    @cython.annotation_typing(False)
    def _form_of(
        self, relation: str, target: str, is_constant: bool, marks: tuple[str, str]
    ) -> _Form:
        key = (relation, target, is_constant, marks)
        form = self._forms.get(key)
        if form is None:
            if len(self._forms) >= _MOST_KNOWN:
                for known in (self._forms, self._concepts, self._edges):
                    known.clear()
            # From here on, Cython would refuse subclasses of text, such as numpy's.
            relation, target = str.__str__(relation), str.__str__(target)
            if relation == CONCEPT:
                form = _Form(None, (), False, ("instance", self._concept(target, marks[1])))
            else:
                form = self._form(relation + marks[0], target, is_constant, marks[1])
            self._forms[key] = form
        return form

    def _form(self, role: str, target: str, is_constant: bool, mark: str) -> _Form:
        choices = self.choices
        relation, inverted = direction(role, choices)
        variable, value = self._target(target, is_constant, mark)
        # A constant cannot be a source: the role stays inverse, under the name of its relation.
        name = f"{relation}-of" if inverted else relation
        attribute = ("attribute", folded(name, choices), folded(value, choices))
        is_dropped = inverted and choices.inverse_constants == "drop"
        edge = ("relation", folded(relation, choices))
        return _Form(variable, edge, inverted, None if is_dropped else attribute)

    def _target(self, target: str, is_constant: bool, mark: str) -> tuple[str | None, str]:
        """Return the variable of a target, if any, and otherwise its text."""
        if self.choices.strings == "first-word":
            word = first_word(target + mark)
            return word, word
        if is_constant:
            return None, _unquoted(target, self.choices) + mark
        return (None if mark else target), target + mark

    def _concept(self, concept: str, mark: str) -> str:
        choices = self.choices
        if choices.strings == "first-word":
            return folded(_without_quotes(concept + mark).replace(" ", ""), choices)
        return folded(_unquoted(concept, choices) + mark, choices)


#: Return the labels of some choices; they are cached.
labels = lru_cache(maxsize=4)(Labels)


def direction(role: str, choices: LabelChoices) -> tuple[str, bool]:
    """Return the relation of *role*, and whether its ends are swapped."""
    inverted = False
    if choices.inverse in ("restored", "all"):
        while role.lower().endswith("-of") and may_be_inverse(role, choices):
            role, inverted = role[:-3], not inverted
    elif choices.inverse == "once" and role.endswith("-of") and role not in _NO_INVERSES:
        role, inverted = role[:-3], True
    is_mod = (choices.mod == "unified" and role.lower() == "mod") or (
        choices.mod == "plain" and role == "mod" and not inverted
    )
    return ("domain", not inverted) if is_mod else (role, inverted)


def may_be_inverse(role: str, choices: LabelChoices) -> bool:
    """Tell whether a role that ends in -of is an inverse, with the exceptions of *choices*."""
    return choices.inverse == "all" or role.lower() not in _NO_INVERSES


def first_word(text: str) -> str:
    """Return the part of a constant that smatch reads: the text before its first space."""
    return next(iter(_without_quotes(text).split()), "")


def _without_quotes(text: str) -> str:
    """Read *text* as smatch does: quotes are removed, and a closing one leaves an underscore.

    So a single quoted word never equals the name of a variable, unlike the first word of several. A
    backslash before a quote has no meaning.
    """
    pieces = text.split('"')
    return "".join(
        piece + "_" if i % 2 == 1 and i + 1 < len(pieces) else piece
        for i, piece in enumerate(pieces)
    )


@cython.cfunc
def _unquoted(text: str, choices: LabelChoices) -> str:
    is_string = choices.quotes != "keep" and text.startswith('"')
    return text[1:-1] if is_string else text


@cython.ccall
def folded(text: str, choices: LabelChoices) -> str:
    """Return *text* in the Unicode form and the case that *choices* compare."""
    if choices.unicode == "nfc" and not text.isascii():
        text = nfc(text)
    if choices.quotes == "delete":
        text = text.translate(_DELETED)
    if choices.case != "keep":
        text = text.casefold() if choices.case == "fold" else text.lower()
    return text.rstrip("_") if choices.underscores == "strip" else text
