"""The matching problem as a 0/1 linear program, for linear solvers and for export.

All programs have a variable for each candidate, the *v* of Cai and Knight (2013, section 3), and
variables for terms, their *t*. In all, at most one of the candidates that share a variable of a
graph is chosen, and the weight of the terms is maximised. They differ in how a term depends on its
pairs:

* `one_by_one`: a term is at most each of its pairs. `as_printed` is the published program itself,
  with a *v* for every two variables, and with terms over the same pairs not merged into one;
* `grouped`: all terms that exclude each other given a pair are together at most that pair, and a
  term of a single pair is that pair;
* `paired`: the same, with tighter rows for terms of three pairs or more
  (`exactmatch.problem.pair_rows`).

The relaxations get tighter in this order. Grouped rows are fewer if many labels are equal (Adams
and Johnson 1994; see ``encodings/README.md``). `folded` is `paired` without its redundant
variables; solvers get that program.
"""

from collections.abc import Sequence
from itertools import count, product
from typing import NamedTuple

from exactmatch.problem import Mapping, MatchingProblem, Pair, Row, Term
from exactmatch.problem.pair_rows import PairRows, Pairs, pair_rows
from exactmatch.stopping.deadline import Deadline, looking

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
    (it is scored), and last ``s_K`` for each added set of pairs (the mapping holds them).
    """

    names: list[str]
    objective: list[Summand]
    rows: list[Inequality]


def one_by_one(problem: MatchingProblem, deadline: Deadline) -> LinearProgram:
    """Return the published program of candidates and terms.

    Raises `OutOfTime` if *deadline* comes first.
    """
    return _published(problem.candidates, problem.terms, _one_to_one(problem), deadline)


def every_pair(problem: MatchingProblem) -> list[Pair]:
    """Return the pairs of all left and all right variables: first the candidates, in order."""
    pairs = product(range(problem.n_left), range(problem.n_right))
    return list(dict.fromkeys((*problem.candidates, *pairs)))


def as_printed(pairs: Sequence[Pair], matches: Sequence[Term], deadline: Deadline) -> LinearProgram:
    """Return the program of Cai and Knight (2013, section 3) as printed.

    pairs: all pairs of variables, each of which has a *v*.
    matches: a term for each pair of triples that may match, each of which has a *t*.

    Raises `OutOfTime` if *deadline* comes first.
    """
    sharing: dict[tuple[int, int], list[int]] = {}
    for side in (0, 1):
        for position, pair in enumerate(pairs):
            sharing.setdefault((side, pair[side]), []).append(position)
    rows = [Inequality([(1, v) for v in sharing[key]], 1) for key in sorted(sharing)]
    return _published(pairs, matches, rows, deadline)


def _published(
    pairs: Sequence[Pair], terms: Sequence[Term], rows: list[Inequality], deadline: Deadline
) -> LinearProgram:
    """Return the program of *rows*, and of rows by which each term needs each of its pairs."""
    deadline.check()
    position = {pair: v for v, pair in enumerate(pairs)}
    linked = sorted(
        (position[pair], t)
        for t, term in enumerate(looking(terms, deadline), start=len(pairs))
        for pair in term.pairs
    )
    return LinearProgram(
        names=[*_names(pairs), *(f"t_{t}" for t in range(len(terms)))],
        objective=[(term.weight, t) for t, term in enumerate(terms, start=len(pairs))],
        rows=[*rows, *(Inequality([(1, t), (-1, v)], 0) for v, t in looking(linked, deadline))],
    )


def grouped(problem: MatchingProblem, deadline: Deadline) -> LinearProgram:
    """Return the program of few, tight rows; raise `OutOfTime` if *deadline* comes first."""
    return _of_rows(problem, problem.grouped_rows, deadline)


def undominated(problem: MatchingProblem, deadline: Deadline) -> LinearProgram:
    """Return the grouped program without rows that another one implies.

    The last ones are `MatchingProblem.undominated_rows`. Raises `OutOfTime` if *deadline* comes
    first.
    """
    return _of_rows(problem, problem.undominated_rows, deadline)


def _of_rows(problem: MatchingProblem, given: Sequence[Row], deadline: Deadline) -> LinearProgram:
    names, scored = _variables(problem)
    rows = _one_to_one(problem)
    for candidate, terms in given:
        deadline.check()
        rows.append(Inequality([*((1, scored[t]) for t in terms), (-1, candidate)], 0))
    return LinearProgram(names, _objective(problem, scored), rows)


def paired(problem: MatchingProblem, deadline: Deadline) -> LinearProgram:
    """Return the program of pair rows; raise `OutOfTime` if *deadline* comes first.

    Without terms of three pairs or more, the program is the grouped one.
    """
    names, scored = _variables(problem)
    return _with_pair_rows(problem, names, range(len(problem.candidates)), scored, deadline).program


def _variables(problem: MatchingProblem) -> tuple[list[str], list[int]]:
    """Return the names of all variables, and the position of that of each term.

    A term of a single pair has the variable of that pair.
    """
    names = _names(problem.candidates)
    position = {pair: c for c, pair in enumerate(problem.candidates)}
    scored = []
    for t, (_, pairs) in enumerate(problem.terms):
        if len(pairs) == 1:
            scored.append(position[pairs[0]])
        else:
            scored.append(len(names))
            names.append(f"t_{t}")
    return names, scored


def _objective(problem: MatchingProblem, scored: Sequence[int]) -> list[Summand]:
    return [(term.weight, y) for term, y in zip(problem.terms, scored, strict=True)]


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
    return _with_pair_rows(problem, names, mapped, scored, deadline)


def _with_pair_rows(
    problem: MatchingProblem,
    names: list[str],
    mapped: Sequence[int],
    scored: Sequence[int],
    deadline: Deadline,
) -> PlacedProgram:
    """Return the program of pair rows over the variables *names*, and those of added sets."""
    closed = pair_rows(problem, deadline)
    added = list(zip(closed.added, count(len(names)), strict=False))
    program = LinearProgram(
        names=[*names, *(f"s_{k}" for k in range(len(added)))],
        objective=_objective(problem, scored),
        rows=_needed_rows(problem, closed, mapped, scored, dict(added)),
    )
    return PlacedProgram(program, mapped, scored, added)


def _needed_rows(
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


def _names(pairs: Sequence[Pair]) -> list[str]:
    return [f"v_{left}_{right}" for left, right in pairs]


def _one_to_one(problem: MatchingProblem) -> list[Inequality]:
    return [Inequality([(1, c) for c in group], 1) for group in problem.rivals]
