"""The score as a bound less penalties, each a clause, by multipliers of a linear program's rows.

Let every row of a 0/1 program say that a sum of literals is at most 1: of a sum of variables
that is at most 1, these are the variables; of one that is at most x, they are the variables and
"not x". Then what is left of the row, 1 less its sum, is 1 if none of its literals holds and else
0: it is whether their clause is violated. Add a multiple of this, which is an equation, for each
row: the sum of the multipliers is a constant, each variable has a weight that is left over, and

    unit * score = most - the weights of all violated clauses,

where a variable of weight w > 0 is a clause with w in *most*, and one of weight -w < 0 makes the
clause that it does not hold. That is exact for any multipliers >= 0, and *most* is a bound. With
those that solve the dual of the linear relaxation, it is the bound of this relaxation, the lowest
that there is: optimal soft arc consistency (Cooper, de Givry and Schiex 2007).
"""

import datetime
import math
from collections.abc import Sequence
from typing import NamedTuple

from exactmatch.problem.linear_program import Inequality, LinearProgram
from exactmatch.stopping.deadline import Deadline

#: Multipliers are fractions with small denominators, most of them; all up to 12 divide this.
_PARTS = 27720
#: What a multiplier may lie above a whole number of parts, and still be taken for it.
_NOISE = 1e-3
#: Weights are given to the linear solver as numbers of so many bits at most.
_BITS = 40
#: A year in seconds, as much as a time limit needs to hold.
_LONGEST = 3e7


class Multipliers(NamedTuple):
    """A whole number >= 0 for each row, in parts of 1 / *unit*, and a relaxed solution."""

    unit: int
    of_row: Sequence[int]
    relaxed: Sequence[float]


class Penalties(NamedTuple):
    """*unit* times the score is *most* less the weights of violated *clauses*.

    Literals count variables from 1.
    """

    unit: int
    most: int
    clauses: list[tuple[int, list[int]]]


def literals(row: Inequality) -> list[int]:
    """Return the literals of which *row* says that at most one holds."""
    return [position + 1 if sign > 0 else -1 - position for sign, position in row.summands]


def penalties(program: LinearProgram, multipliers: Multipliers) -> Penalties:
    """Return the score of *program* as a bound less penalties."""
    unit, of_row, _ = multipliers
    most = 0
    left = [0] * len(program.names)
    for weight, position in program.objective:
        left[position] += unit * weight
    clauses = []
    for row, multiplier in zip(program.rows, of_row, strict=True):
        if multiplier > 0:
            most += multiplier * row.limit
            for sign, position in row.summands:
                left[position] -= sign * multiplier
            clauses.append((multiplier, literals(row)))
    for variable, weight in enumerate(left, start=1):
        if weight:
            most += max(0, weight)
            clauses.append((abs(weight), [variable if weight > 0 else -variable]))
    return Penalties(unit, most, clauses)


def dual_multipliers(program: LinearProgram, deadline: Deadline) -> Multipliers | None:
    """Return those of the linear relaxation, rounded up; None if *deadline* comes first.

    HiGHS computes them in floating point. Nothing depends on that being right; where weights are
    huge, it may fail, which is None as well.
    """
    from ortools.math_opt.python import mathopt

    largest = max(weight for weight, _ in program.objective)
    step = 1 << max(0, largest.bit_length() - _BITS)
    model = mathopt.Model()
    variables = [model.add_variable(lb=0.0, ub=1.0) for _ in program.names]
    rows = []
    for summands, limit in program.rows:
        deadline.check()
        row = model.add_linear_constraint(ub=limit)
        for coefficient, position in summands:
            row.set_coefficient(variables[position], coefficient)
        rows.append(row)
    model.objective.is_maximize = True
    for weight, position in program.objective:
        model.objective.set_linear_coefficient(variables[position], weight / step)
    seconds = datetime.timedelta(seconds=min(deadline.remaining(), _LONGEST))
    parameters = mathopt.SolveParameters(time_limit=None if math.isinf(deadline.at) else seconds)
    parameters.highs.string_options["parallel"] = "off"
    try:
        result = mathopt.solve(model, mathopt.SolverType.HIGHS, params=parameters)
    except (AttributeError, RuntimeError, ValueError):  # OR-tools 9.15 fails to say how it failed
        return None
    if result.termination.reason != mathopt.TerminationReason.OPTIMAL:
        return None
    return Multipliers(
        unit=_PARTS,
        of_row=[step * max(0, math.ceil(v * _PARTS - _NOISE)) for v in result.dual_values(rows)],
        relaxed=result.variable_values(variables),
    )
