"""Write the score as a bound minus penalties, by multipliers of a linear program's rows.

Let every row of a 0/1 program say that a sum of literals is at most 1. For a sum of variables that
is at most 1, the literals are these variables; for a sum that is at most x, they are the variables
and "not x". The slack of the row, 1 minus its sum, is then 1 if none of its literals holds and
otherwise 0: it tells whether their clause is violated. Add a multiple of this equation for each
row. The sum of the multipliers is a constant, each variable keeps a weight, and

    unit * score = most - the weights of all violated clauses,

where a variable of weight w > 0 is a clause with w in *most*, and one of weight -w < 0 makes the
clause that it does not hold. This is exact for any multipliers >= 0, and *most* is a bound. With
multipliers that solve the dual of the linear relaxation, it is the bound of this relaxation, the
lowest possible one: optimal soft arc consistency (Cooper, de Givry and Schiex 2007).
"""

import datetime
import math
from collections.abc import Sequence
from typing import NamedTuple

from exactmatch.problem.linear_program import Inequality, LinearProgram
from exactmatch.stopping.deadline import Deadline

#: Most multipliers are fractions with small denominators; all denominators up to 12 divide this.
_PARTS = 27720
#: The largest excess over a whole number of parts that is still rounded down.
_NOISE = 1e-3
#: Weights are given to the linear solver as numbers of at most so many bits.
_BITS = 40
#: A year in seconds, the largest time limit that is needed.
_LONGEST = 3e7


class Multipliers(NamedTuple):
    """A whole number >= 0 for each row, in parts of 1 / *unit*, and a relaxed solution."""

    unit: int
    of_row: Sequence[int]
    relaxed: Sequence[float]


class Penalties(NamedTuple):
    """*unit* times the score is *most* minus the weights of violated *clauses*.

    Literals number variables from 1.
    """

    unit: int
    most: int
    clauses: list[tuple[int, list[int]]]


def literals(row: Inequality) -> list[int]:
    """Return the literals of *row*, of which at most one holds."""
    return [position + 1 if sign > 0 else -1 - position for sign, position in row.summands]


def penalties(program: LinearProgram, multipliers: Multipliers) -> Penalties:
    """Return the score of *program* as a bound minus penalties."""
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
    """Return the multipliers of the linear relaxation, rounded up; None if *deadline* comes first.

    HiGHS computes them in floating point. Errors do no harm; with huge weights it may fail, which
    also returns None.
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
