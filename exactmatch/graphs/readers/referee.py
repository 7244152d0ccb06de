"""Decide whether a DRS in clause form is well-formed, as Referee does for Counter.

Referee is Lasha Abzianidze's ``clf_referee.py`` with its signature; official scores are computed
with it. A DRS is well-formed if every clause has an operator or role of the signature, or a concept
with a sense, and arguments of the right sorts; if no box is below itself and all boxes are
connected; and if every referent is introduced in its own box or in one above it.

A box is above the boxes that are arguments of its operators, above those that it presupposes or is
related to in discourse, and above those that use referents which it introduces. Being above is
inherited: a box above another is above all boxes below that. And if one box is directly above a
second one, all other boxes above the second are above the first.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from exactmatch.graphs.graph import Argument, Triple, Variable

#: The sorts of arguments: boxes, referents, constants in quotes, and terms, which are referents or
#: constants.
_BOX, _REFERENT, _CONSTANT, _TERM = "bxct"


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


#: Operators between boxes, by the way in which the first is above the others.
_ABOVE_ONE = frozenset({"NOT", "POS", "NEC"})
_ABOVE_BOTH = frozenset({"IMP", "DIS", "DUP"})
#: Of two boxes below a third, the first is above the second as well.
_ABOVE_EACH_OTHER = frozenset({"IMP", "DUP"})
_PROPOSITIONS = frozenset({"PRP", "Proposition"})
_DISCOURSE = _names(
    "ALTERNATION ATTRIBUTION BACKGROUND COMMENTARY CONDITION CONSEQUENCE CONTINUATION CONTRAST "
    "ELABORATION EXPLANATION INSTANCE NARRATION NECESSITY NEGATION PARALLEL POSSIBILITY "
    "PRECONDITION PRESUPPOSITION RESULT SOURCE TOPIC"
)
#: The operators whose arguments are all boxes.
OPERATORS_OF_BOXES = _ABOVE_ONE | _ABOVE_BOTH | _DISCOURSE
#: Comparisons, places and roles, between two terms.
_BETWEEN_TERMS = _names(
    "APX EQU LEQ LES NEQ TAB TIN TPR STI STO SXN SXP SXY SY1 SY2 SZN SZP "
    "Affector Agent Asset Attribute AttributeOf Bearer Beneficiary Cause Causer ClockTime Co-Agent "
    "Co-Patient Co-Theme Colour ColourOf Consumer Content ContentOf Context Creator DayOfMonth "
    "DayOfWeek Decade Degree Destination Duration Equal Experiencer Extent Finish Frequency Goal "
    "Instance Instrument Location MadeOf Manner Material Measure MonthOfYear Of Operand Order "
    "Owner Part PartOf Participant Path Patient Pivot Player Precondition Product Quantity "
    "Recipient Result Role Source Start Stimulus Sub SubOf Theme Time Title Topic Unit User Value "
    "YearOfCentury"
)
#: The sorts that the arguments must have, beginning with the box of the clause.
_SIGNATURE = {
    "REF": _BOX + _REFERENT,
    "Name": _BOX + _TERM + _CONSTANT,
    **dict.fromkeys(_ABOVE_ONE | _DISCOURSE, _BOX + _BOX),
    **dict.fromkeys(_ABOVE_BOTH, _BOX + _BOX + _BOX),
    **dict.fromkeys(_PROPOSITIONS, _BOX + _REFERENT + _BOX),
    **dict.fromkeys(_BETWEEN_TERMS, _BOX + _TERM + _TERM),
}
_OF_CONCEPT = _BOX + _CONSTANT + _TERM

_SENSE = re.compile(r'"[avnr]\.\d\d"$')
_CONCEPT = re.compile(r"[.'\w]")
_ARGUMENT = re.compile(r'"[^"]+"$|[^"]+$')

Relation = set[tuple[str, str]]


def fault(clauses: Iterable[Sequence[str]]) -> str | None:
    """Return the fault of a DRS, given by the words of its clauses; None if there is none."""
    try:
        _check([*clauses])
    except _IllFormedError as error:
        return str(error)
    return None


def words(clause: Triple) -> Sequence[str]:
    """Return the words of a parsed clause."""
    box, *others = map(_text, clause.arguments)
    return [box, clause.relation, *others]


class _IllFormedError(Exception):
    """The DRS is not well-formed."""


def _text(argument: Argument) -> str:
    return argument.name if isinstance(argument, Variable) else argument.text


def _check(clauses: Sequence[Sequence[str]]) -> None:
    """Raise `_IllFormedError` if a DRS is ill-formed."""
    sorts: dict[str, str] = {}
    for clause in clauses:
        for argument, sort in _sorted_arguments(clause):
            known = sorts.get(argument, sort)
            sorts[argument] = _common(known, sort)
            if not sorts[argument]:
                raise _IllFormedError(f"{argument} is of two sorts")
    boxes = _Nesting(clauses, sorts)
    above = boxes.above()
    loop = min((one for one, other in above if one == other), default=None)
    if loop is not None:
        raise _IllFormedError(f"box {loop} is below itself")
    _check_connected(boxes.names, above)
    unbound = boxes.unbound(above)
    if unbound is not None:
        raise _IllFormedError(f"referent {unbound} is introduced nowhere above")


def _sorted_arguments(clause: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the arguments of a clause with their sorts."""
    if not 3 <= len(clause) <= 4:
        raise _IllFormedError(f"a clause of {len(clause)} words")
    box, relation, *others = clause
    wanted = _wanted(relation, others)
    if len(wanted) != len(clause) - 1:
        raise _IllFormedError(f"{relation} takes {len(wanted) - 1} arguments, not {len(others)}")
    for argument, sort in zip((box, *others), wanted, strict=True):
        is_quoted = argument[0] == argument[-1] == '"'
        may_be = sort in (_CONSTANT, _TERM) if is_quoted else sort != _CONSTANT
        if not _ARGUMENT.match(argument) or not may_be:
            raise _IllFormedError(f"{argument} cannot be an argument of {relation}")
        yield argument, _CONSTANT if is_quoted else sort


def _wanted(relation: str, others: Sequence[str]) -> str:
    """Return the sorts that the arguments of a clause must have."""
    if _is_concept(relation, others):
        return _OF_CONCEPT
    if relation in _SIGNATURE:
        return _SIGNATURE[relation]
    role = relation.removesuffix("Of")
    if role != relation and role[-1:].islower() and role[0].isupper() and role in _SIGNATURE:
        return _SIGNATURE[role]
    raise _IllFormedError(f"{relation} is no operator or role")


def _is_concept(relation: str, others: Sequence[str]) -> bool:
    return bool(_SENSE.match(others[0]) and _CONCEPT.match(relation)) and relation[0] != "_"


def _common(one: str, other: str) -> str:
    """Return the sort that satisfies both sorts; empty if there is none."""
    if one == other:
        return one
    both = {one, other}
    return (both - {_TERM}).pop() if _TERM in both and _BOX not in both else ""


class _Nesting:
    """The boxes of a DRS: what each introduces and uses, and the boxes directly below it.

    related: the boxes that presuppositions and discourse relations put above each other.
    """

    def __init__(self, clauses: Sequence[Sequence[str]], sorts: Mapping[str, str]) -> None:
        self.names: dict[str, None] = {}
        self.introduced: dict[str, set[str]] = defaultdict(set)
        self.used: dict[str, set[str]] = defaultdict(set)
        self.below: dict[str, set[str]] = defaultdict(set)
        self.related: Relation = set()
        for box, relation, *others in clauses:
            boxes = [one for one in others if sorts[one] == _BOX]
            self.names.update(dict.fromkeys([box, *boxes]))
            referents = {one for one in others if sorts[one] in (_REFERENT, _TERM)}
            if _is_concept(relation, others):
                self.used[box] |= referents
            elif relation == "REF":
                self.introduced[box] |= referents
            else:
                self.used[box] |= referents
                self._put_below(box, relation, boxes)

    def _put_below(self, box: str, relation: str, boxes: Sequence[str]) -> None:
        if relation in _DISCOURSE:
            self.related.add((box, boxes[0]))
            return
        self.below[box].update(boxes)
        if relation in _ABOVE_EACH_OTHER:
            first, second = boxes
            self.below[first].add(second)

    def above(self) -> Relation:
        """Return the boxes above each box."""
        above = self.related | {(one, other) for one in self.below for other in self.below[one]}
        for box in self.names:
            foreign = self.used[box] - self.introduced[box]
            above |= {(one, box) for one in self.names if foreign & self.introduced[one]}
        while True:
            further = self._with_those_above(_transitive(above))
            if further == above:
                return above
            above = further

    def _with_those_above(self, above: Relation) -> Relation:
        """Return *above*, where a box takes over the boxes above those directly below it."""
        by_lower = defaultdict(set)
        for one, other in above:
            by_lower[other].add(one)
        return above | {
            (one, box)
            for box in self.names
            for lower in self.below[box]
            for one in by_lower[lower]
            if one != box and (box, one) not in above
        }

    def unbound(self, above: Relation) -> str | None:
        """Return a referent that is used and introduced nowhere above."""
        for box in self.names:
            known = self.introduced[box].union(
                *(self.introduced[one] for one, other in above if other == box)
            )
            if not self.used[box] <= known:
                return min(self.used[box] - known)
        return None


def _transitive(relation: Relation) -> Relation:
    following = defaultdict(set)
    for one, other in relation:
        following[one].add(other)
    found = set()
    for start in [*following]:
        seen: set[str] = set()
        waiting = [*following[start]]
        while waiting:
            box = waiting.pop()
            if box not in seen:
                seen.add(box)
                waiting += following.get(box, ())
        found |= {(start, box) for box in seen}
    return found


def _check_connected(names: Iterable[str], above: Relation) -> None:
    """Raise `_IllFormedError` if boxes are not connected, unless no box is above another.

    Referee checks nothing in that case.
    """
    if not above:
        return
    beside = defaultdict(set)
    for one, other in above:
        beside[one].add(other)
        beside[other].add(one)
    first, *others = names
    seen = {first}
    waiting = [first]
    while waiting:
        new = beside[waiting.pop()] - seen
        seen |= new
        waiting += new
    apart = min((name for name in others if name not in seen), default=None)
    if apart is not None:
        raise _IllFormedError(f"box {apart} is not connected with {first}")
