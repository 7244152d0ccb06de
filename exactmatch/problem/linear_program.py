"""The matching problem as a 0/1 linear program, for linear solvers and for export.

Both programs have a variable for each candidate, the *v* of Cai and Knight (2013, section 3), and
variables for terms, their *t* (where terms over the same pairs are not yet merged into one). In
both, at most one of the candidates that share a variable of a graph is chosen, and the weight of
the terms is maximised. They differ in how a term depends on its pairs:

* `one_by_one`, as published: a term is at most each of its pairs;
* `grouped`: all terms that exclude each other given a pair are together at most that pair, and a
  term of a single pair is that pair.

The second has a tighter relaxation, and fewer rows if many labels are equal (Adams and Johnson
1994; see ``encodings/README.md``). `folded` is the second one without its redundant parts, and with
tighter rows for terms of three pairs or more (`exactmatch.problem.pair_rows`); solvers get that
one.
"""

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.problem.pair_rows import PairRows, Pairs, pair_rows
from exactmatch.stopping.deadline import Deadline

#: A coefficient and the position of a variable.
Summand = tuple[int, int]


class Inequality(NamedTuple):
    """A sum, and its upper limit."""

    summands: list[Summand]
    limit: int


class LinearProgram(NamedTuple):
    """Maximise the sum *objective* over 0/1 variables, subject to *rows*.

    *names* are those of the variables: first ``v_I_J`` for each candidate, in order (left variable
    I is mapped to right variable J), then ``t_K`` for each term K that has a variable of its own
    (it is scored).
    """

    names: list[str]
    objective: list[Summand]
    rows: list[Inequality]


def one_by_one(problem: MatchingProblem, deadline: Deadline) -> LinearProgram:
    """Return the program as published; raise `OutOfTime` if *deadline* comes first."""
    first = len(problem.candidates)
    rows = _one_to_one(problem)
    for candidate, terms in enumerate(problem.terms_of):
        deadline.check()
        rows += [Inequality([(1, first + t), (-1, candidate)], 0) for t in terms]
    return LinearProgram(
        names=_candidate_names(problem) + [f"t_{t}" for t in range(len(problem.terms))],
        objective=[(term.weight, first + t) for t, term in enumerate(problem.terms)],
        rows=rows,
    )


def grouped(problem: MatchingProblem, deadline: Deadline) -> LinearProgram:
    """Return the program of few, tight rows; raise `OutOfTime` if *deadline* comes first."""
    names = _candidate_names(problem)
    position = {pair: c for c, pair in enumerate(problem.candidates)}
    scored = []
    for t, (_, pairs) in enumerate(problem.terms):
        if len(pairs) == 1:
            scored.append(position[pairs[0]])
        else:
            scored.append(len(names))
            names.append(f"t_{t}")
    rows = _one_to_one(problem)
    for candidate, terms in problem.grouped_rows:
        deadline.check()
        rows.append(Inequality([*((1, scored[t]) for t in terms), (-1, candidate)], 0))
    return LinearProgram(
        names=names,
        objective=[(term.weight, y) for term, y in zip(problem.terms, scored, strict=True)],
        rows=rows,
    )


class PlacedProgram(NamedTuple):
    """A program, and the positions of the variables of each candidate and each term.

    added: further sets of pairs with a variable, which is 1 only if the mapping holds them, and its
        position.
    """

    program: LinearProgram
    mapped: Sequence[int]
    scored: Sequence[int]
    added: Sequence[tuple[Pairs, int]] = ()

    def start(self, problem: MatchingProblem, mapping: Mapping) -> list[bool]:
        """Return the value of each variable under *mapping*."""
        values = [False] * len(self.program.names)
        for (left, right), position in zip(problem.candidates, self.mapped, strict=True):
            values[position] = mapping.get(left) == right
        for (_, pairs), position in zip(problem.terms, self.scored, strict=True):
            values[position] = all(mapping.get(left) == right for left, right in pairs)
        # A candidate and its only term are one variable, which is 0 unless the term is scored.
        of_pair = dict(zip(problem.candidates, self.mapped, strict=True))
        for pairs, position in self.added:
            values[position] = all(values[of_pair[pair]] for pair in pairs)
        return values


def folded(problem: MatchingProblem, deadline: Deadline) -> PlacedProgram:
    """Return the program of pair rows, with a candidate and its only term as one variable.

    Nothing is lost: a mapping that holds the candidate, but not all of the term, scores no less
    without it. So the optimum is the same, and so is that of the relaxation. Without terms of three
    pairs or more, pair rows are the grouped ones. Raises `OutOfTime` if *deadline* comes first.
    """
    is_single = [len(term.pairs) == 1 for term in problem.terms]
    mapped = [-1] * len(problem.candidates)
    names: list[str] = []
    for c, terms in enumerate(problem.terms_of):
        if len(terms) > 1 or is_single[terms[0]]:
            mapped[c] = len(names)
            names.append("v_{}_{}".format(*problem.candidates[c]))
    scored = []
    position = {pair: c for c, pair in enumerate(problem.candidates)}
    for t, (_, pairs) in enumerate(problem.terms):
        scored.append(mapped[position[pairs[0]]] if is_single[t] else len(names))
        names += [] if is_single[t] else [f"t_{t}"]
    mapped = [
        scored[problem.terms_of[c][0]] if place < 0 else place for c, place in enumerate(mapped)
    ]
    closed = pair_rows(problem, deadline)
    added = list(zip(closed.added, count(len(names)), strict=False))
    names += [f"s_{k}" for k in range(len(added))]
    program = LinearProgram(
        names=names,
        objective=[(term.weight, y) for term, y in zip(problem.terms, scored, strict=True)],
        rows=_folded_rows(problem, closed, mapped, scored, dict(added)),
    )
    return PlacedProgram(program, mapped, scored, added)


def _folded_rows(
    problem: MatchingProblem,
    closed: PairRows,
    mapped: Sequence[int],
    scored: Sequence[int],
    place: dict[Pairs, int],
) -> list[Inequality]:
    """Return the rows that the variables do not imply, each once; *place* is that of added sets."""
    rivals = dict.fromkeys(tuple(mapped[c] for c in group) for group in problem.rivals)
    rows = [Inequality([(1, x) for x in group], 1) for group in rivals]
    linked = [(mapped[c], *(scored[t] for t in terms)) for c, terms in closed.grouped]
    if closed.rows:
        place |= zip((pairs for _, pairs in problem.terms), scored, strict=True)
        place |= {(pair,): x for pair, x in zip(problem.candidates, mapped, strict=True)}
        linked += [(place[base], *map(place.__getitem__, sets)) for base, sets in closed.rows]
    # If the base is among the rest, the base is a candidate, and this is its only term.
    rows += [
        Inequality([*((1, y) for y in ys), (-1, x)], 0)
        for x, *ys in dict.fromkeys(linked)
        if x not in ys
    ]
    return rows


def _candidate_names(problem: MatchingProblem) -> list[str]:
    return [f"v_{left}_{right}" for left, right in problem.candidates]


def _one_to_one(problem: MatchingProblem) -> list[Inequality]:
    return [Inequality([(1, c) for c in group], 1) for group in problem.rivals]
