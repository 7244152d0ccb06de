"""Rows for sets of pairs inside larger terms, which make a relaxation tighter.

Grouped rows (`MatchingProblem.grouped_rows`) say of a candidate and the terms that hold it: given
the other variables, at most one is scored. Two terms of three pairs that hold the candidate, but
need different images of a second variable, exclude each other whatever their third variables are;
no grouped row says so. So some *sets* of pairs inside larger terms get a 0/1 variable of weight 0,
which is 1 only if the mapping holds them all. For a set s (a term or an added set), a pair q of s,
and the variable of q on one side, at most one of the sets ``s - q + q'`` holds, over all q' with
that variable; and none holds unless ``s - q`` does. For terms of two pairs, these are the grouped
rows. ``encodings/README.md`` has the mathematics.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import NamedTuple

from exactmatch.problem import MatchingProblem, Pair, Row
from exactmatch.stopping.deadline import Deadline, looking

#: The pairs of a candidate, of a term, or of an added set, sorted.
Pairs = tuple[Pair, ...]


class SetRow(NamedTuple):
    """A set of pairs and sets that hold it: a mapping holds at most one, and none without it."""

    base: Pairs
    members: tuple[Pairs, ...]


class PairRows(NamedTuple):
    """The *added* sets, which are no terms; *rows* of sets, and *grouped* rows beside them."""

    added: tuple[Pairs, ...]
    rows: Sequence[SetRow]
    grouped: Sequence[Row]


def pair_rows(problem: MatchingProblem, deadline: Deadline) -> PairRows:
    """Return the rows of *problem*: the grouped ones, or tighter ones for larger terms.

    Raises `OutOfTime` if *deadline* comes first.
    """
    deadline.check()
    if all(len(pairs) <= 2 for _, pairs in problem.terms):
        return PairRows((), (), problem.grouped_rows)
    terms = [pairs for _, pairs in problem.terms]
    added = _added(terms, deadline)
    if not added:
        return PairRows((), (), problem.grouped_rows)
    known = {*terms, *added}
    kept = [
        row
        for row in looking(problem.grouped_rows, deadline)
        if _is_needed(problem.candidates[row.candidate], [terms[t] for t in row.terms], known)
    ]
    return PairRows(added, list(dict.fromkeys(_rows([*terms, *added], known))), kept)


def _added(terms: Sequence[Pairs], deadline: Deadline) -> tuple[Pairs, ...]:
    """Return the sets to add, which no grouped row replaces.

    A row of sets is only tighter than the grouped ones if the terms behind it have several third
    variables: its base, and the images of its variable, go with one of them or the other.
    """
    known = {*terms}
    thirds: defaultdict[tuple[Pairs, int, int], set[tuple[int, ...]]] = defaultdict(set)
    keys: defaultdict[Pairs, set[tuple[Pairs, int, int]]] = defaultdict(set)
    for pairs in looking(terms, deadline):
        for size in range(2, len(pairs) + 1):
            for inside in combinations(pairs, size):
                others = [pair for pair in pairs if pair not in inside]
                for pair, side in product(inside, (0, 1)):
                    base = tuple(other for other in inside if other != pair)
                    key = base, side, pair[side]
                    thirds[key].add(tuple(sorted(other[side] for other in others)))
                    keys[inside].add(key)
    return tuple(
        inside
        for inside, its in keys.items()
        if inside not in known and any(len(thirds[key]) > 1 for key in its)
    )


def _rows(sets: Sequence[Pairs], known: set[Pairs]) -> Iterator[SetRow]:
    """Yield the rows of *sets* whose base is a candidate or a known set."""
    rows: defaultdict[tuple[Pairs, int, int], list[Pairs]] = defaultdict(list)
    for pairs in sets:
        for pair in pairs if len(pairs) > 1 else ():
            base = tuple(other for other in pairs if other != pair)
            if len(base) == 1 or base in known:
                for side in (0, 1):
                    rows[base, side, pair[side]].append(pairs)
    return (SetRow(base, tuple(members)) for (base, _, _), members in rows.items())


def _is_needed(candidate: Pair, terms: Sequence[Pairs], known: set[Pairs]) -> bool:
    """Tell whether the rows of sets do not imply the grouped row of *candidate* and *terms*.

    They do if all terms are reached from the candidate one pair after the other, in the same order
    of variables, through known sets.
    """
    if len(terms[0]) == 2:
        return False
    others = [[pair for pair in pairs if pair != candidate] for pairs in terms]
    for side in (0, 1):
        variables = {tuple(sorted(pair[side] for pair in pairs)) for pairs in others}
        if len(variables) == 1 and any(
            all(_chain(candidate, pairs, order, side) <= known for pairs in others)
            for order in permutations(variables.pop())
        ):
            return False
    return True


def _chain(candidate: Pair, others: Sequence[Pair], order: Sequence[int], side: int) -> set[Pairs]:
    """Return the sets from *candidate* to its term: *others* come in the *order* of variables."""
    ranked = sorted(others, key=lambda pair: order.index(pair[side]))
    return {tuple(sorted([candidate, *ranked[:size]])) for size in range(1, len(ranked))}
