"""The matching problem as a 0/1 linear program: what linear solvers solve, and what is exported.

Both programs have a variable for each candidate, the *v* of Cai and Knight (2013, section 3), and
variables for terms, their *t* (where terms over the same pairs are not yet merged into one). In
both, of the candidates that share a variable of a graph at most one is taken, and the weight of the
terms is maximised. They differ in how a term is bound to its pairs:

* `one_by_one`, as published: a term is at most each of its pairs;
* `grouped`: all terms that exclude each other given a pair are together at most that pair, and a
  term of a single pair is that pair.

The second has fewer rows and a tighter relaxation (Adams and Johnson 1994; see
``encodings/README.md``).
"""

from typing import NamedTuple

from exactmatch.problem import MatchingProblem
from exactmatch.stopping.deadline import Deadline

#: A coefficient and the position of a variable.
Summand = tuple[int, int]


class Inequality(NamedTuple):
    """A sum, and what it must not exceed."""

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


def _candidate_names(problem: MatchingProblem) -> list[str]:
    return [f"v_{left}_{right}" for left, right in problem.candidates]


def _one_to_one(problem: MatchingProblem) -> list[Inequality]:
    return [Inequality([(1, c) for c in group], 1) for group in problem.rivals]
