"""The matching problem as a 0/1 program, for formats that know linear constraints."""

from typing import NamedTuple

from exactmatch.problem import MatchingProblem

#: A coefficient and the position of a variable.
Summand = tuple[int, int]


class Program(NamedTuple):
    """Maximise *objective* over 0/1 variables.

    *names* are those of the variables: first ``v_I_J`` for each candidate, in order (left variable
    I is mapped to right variable J), then ``t_K`` for each term of two or more pairs (term K is
    scored). Each row is a sum and what it must not exceed.
    """

    names: list[str]
    objective: list[Summand]
    rows: list[tuple[list[Summand], int]]


def program(problem: MatchingProblem) -> Program:
    """Return the grouped program of *problem* (see ``encodings/README.md``)."""
    names = [f"v_{left}_{right}" for left, right in problem.candidates]
    of_pair = {pair: c for c, pair in enumerate(problem.candidates)}
    matched = []
    for t, term in enumerate(problem.terms):
        if len(term.pairs) == 1:
            matched.append(of_pair[term.pairs[0]])
        else:
            matched.append(len(names))
            names.append(f"t_{t}")
    rows = [([(1, c) for c in group], 1) for group in problem.rivals]
    rows += [
        ([(1, matched[t]) for t in terms] + [(-1, candidate)], 0)
        for candidate, terms in problem.grouped_rows
    ]
    objective = [(term.weight, y) for term, y in zip(problem.terms, matched, strict=True)]
    return Program(names, objective, rows)
