"""The linear relaxation of a program, by SciPy."""

import numpy as np

from exactmatch.problem.linear_program import LinearProgram


def relaxed(program: LinearProgram) -> float:
    """Return the largest value of a program whose variables may lie between 0 and 1."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    objective = np.zeros(len(program.names))
    for weight, position in program.objective:
        objective[position] -= weight
    entries = [
        (coefficient, row, position)
        for row, (summands, _) in enumerate(program.rows)
        for coefficient, position in summands
    ]
    values, rows, positions = zip(*entries, strict=True)
    shape = (len(program.rows), len(program.names))
    matrix = coo_array((values, (rows, positions)), shape=shape).tocsr()
    limits = [row.limit for row in program.rows]
    return -float(linprog(objective, A_ub=matrix, b_ub=limits, bounds=(0, 1)).fun)
