"""Derive the constraints of cliques: a mapping includes at most one of the sets of a clique.

A set of one pair p is included if x_p is 1. For a set that is a term t of positive weight, y_t is
then at most 1. Other sets are left out of a clique: they have no x or y, and could only lower a
score. Leaving them out lowers no bound of the rest; see `score_bounds`.

Let p of one set and q of another have just one variable in common. This variable has at most one
pair, so x_p and x_q add up to at most 1, and so do the x or y of the two sets. For a clique of k
sets, suppose that the first k - 1 add up to at most 1. Take k - 2 times that constraint, and add,
for each of these k - 1 sets, the constraint that this set and the last one add up to at most 1. The
sum says that k - 1 times all sets together are at most 2 k - 3. After division and rounding, all
sets together are at most 1.

The *goal* says that the score is upper + 1 or more. The goal of the rest follows from it: the unit
times the goal, plus each clique times its multiplier.
"""

from collections.abc import Iterator

from exactmatch.certificate.checker import Object, Pair
from exactmatch.certificate.veripb.derivation import Combination, Derivation
from exactmatch.certificate.veripb.formula import GOLD, SYSTEM, PairFormula, Pairs, Side


class CliqueConstraints:
    """Derives these constraints on demand."""

    def __init__(self, formula: PairFormula, log: Derivation) -> None:
        self._formula = formula
        self._log = log
        self._two: dict[tuple[Pairs, Pairs], int] = {}

    def goal_of_rest(self, goal: int, rows: Object) -> int:
        """Return the number of the goal of the rest of *rows*, whose goal is constraint *goal*."""
        line = Combination(self._log)
        line.add(goal, rows["unit"])
        for multiplier, listed in rows["cliques"]:
            sets = [tuple((i, j) for i, j in pairs) for pairs in listed]
            known = [pairs for pairs in sets if self._is_known(pairs)]
            if multiplier and len(known) > 1:
                line.add(self._one_of(known), multiplier)
            elif multiplier and known:
                variable = self._formula.terms[known[0]]
                line.add_literal(variable, positive=False, times=multiplier)
        return line.derive()

    def _is_known(self, pairs: Pairs) -> bool:
        variable = self._formula.terms.get(pairs)
        return variable is not None and (len(pairs) == 1 or self._formula.weights[variable] > 0)

    def _one_of(self, sets: list[Pairs]) -> int:
        """Return the number of "these sets add up to 1 at most"."""
        number = self._one_of_two(sets[0], sets[1])
        for k, last in enumerate(sets[2:], 3):
            line = Combination(self._log)
            line.add(number, k - 2)
            for other in sets[: k - 1]:
                line.add(self._one_of_two(other, last))
            line.divide(k - 1)
            number = line.derive()
        return number

    def _one_of_two(self, one: Pairs, other: Pairs) -> int:
        if (one, other) not in self._two:
            self._two[one, other] = self._derived(one, other)
        return self._two[one, other]

    def _derived(self, one: Pairs, other: Pairs) -> int:
        formula = self._formula
        p, q, side = next(_conflicts(one, other))
        line = Combination(self._log)
        line.add(formula.at_most_one[side, p[side]])
        for variable in list(line.coefficients):
            if variable not in (formula.pairs[p], formula.pairs[q]):
                line.weaken(variable)
        for pairs, pair in ((one, p), (other, q)):
            if len(pairs) > 1:
                line.add(formula.only_with[formula.terms[pairs], pair])
        return line.derive()


def _conflicts(one: Pairs, other: Pairs) -> Iterator[tuple[Pair, Pair, Side]]:
    """Yield a pair of each set that share exactly one variable, and the side of that variable."""
    for p in one:
        for q in other:
            if (p[SYSTEM] == q[SYSTEM]) != (p[GOLD] == q[GOLD]):
                yield p, q, SYSTEM if p[SYSTEM] == q[SYSTEM] else GOLD
