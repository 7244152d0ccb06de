"""Derive constraints on terms of which a mapping can hold only one.

Let T be terms over the same variables of one side, for example over R of the test side. A mapping
takes R to one image, and so holds at most one term of T. Terms count only with each of their pairs,
and a variable has one pair at most. So the constraint follows in two steps, which call each other:

_one_of(T)      The sum of y_t over T is 1 at most. Let r be the first of R, and group T by the
                pair of r. By `_with`, the terms of the group of p add up to x_p at most; and all
                x_p of r add up to 1 at most.
_with(T, p)     If all of T hold p, the sum of y_t over T is even x_p at most. A single y_t is. For
                n of them, add n - 1 times _one_of(T), grouped by variables other than that of p,
                and the n constraints y_t <= x_p: n times the sum is at most n x_p + n - 1. Divided
                by n and rounded, this is the constraint.

Both sides are treated alike. Terms of negative weight are left out, since an upper bound does not
need them.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from exactmatch.certificate.checker import Pair
from exactmatch.certificate.veripb.derivation import Combination, Derivation
from exactmatch.certificate.veripb.formula import GOLD, SYSTEM, PairFormula, Pairs, Side

#: Positions of variables of one side, in order.
Positions = tuple[int, ...]
#: Prices of rows (of test variables) and columns (of gold variables): the price of a pair in terms
#: with all the others that are named.
RowPrices = Counter[tuple[Pair, Side, Positions]]


def positions(pairs: Pairs, side: Side, without: Pair | None = None) -> Positions:
    """Return the variables of one side of a term, except that of the pair *without*."""
    return tuple(sorted(pair[side] for pair in pairs if pair != without))


class Exclusions:
    """Derives these constraints on demand."""

    def __init__(self, formula: PairFormula, log: Derivation) -> None:
        self._formula = formula
        self._log = log
        self._over: defaultdict[tuple[Side, Positions], list[Pairs]] = defaultdict(list)
        self._around: defaultdict[tuple[Pair, Side, Positions], list[Pairs]] = defaultdict(list)
        self._derived: dict[tuple[Pair, Side, Positions], int] = {}
        for pairs, variable in formula.terms.items():
            if len(pairs) > 1 and formula.weights[variable] > 0:
                self._register(pairs)

    def _register(self, pairs: Pairs) -> None:
        for side in (SYSTEM, GOLD):
            self._over[side, positions(pairs, side)].append(pairs)
            for pair in pairs:
                self._around[pair, side, positions(pairs, side, pair)].append(pairs)

    def over(self, side: Side, variables: Positions) -> int | None:
        """Return the number of "of all terms over *variables*, at most one counts".

        None if there are no such terms.
        """
        if len(variables) == 1:
            return self._formula.at_most_one.get((side, variables[0]))
        found = self._over.get((side, variables))
        return self._one_of(found, side, variables) if found else None

    def around(self, pair: Pair, side: Side, others: Positions) -> int | None:
        """Return the number of "of all terms of *pair* and *others*, one counts, with *pair*".

        *others* are variables of one side. None if there are no such terms.
        """
        key = pair, side, others
        if key not in self._around:
            return None
        if key not in self._derived:
            self._derived[key] = self._with(self._around[key], pair, side, others)
        return self._derived[key]

    def _one_of(self, terms: Sequence[Pairs], side: Side, variables: Positions) -> int:
        first, *rest = variables
        groups: defaultdict[Pair, list[Pairs]] = defaultdict(list)
        for pairs in terms:
            groups[next(pair for pair in pairs if pair[side] == first)].append(pairs)
        known = [self._with(group, pair, side, tuple(rest)) for pair, group in groups.items()]
        line = Combination(self._log)
        for number in [*known, self._formula.at_most_one[side, first]]:
            line.add(number)
        for pair, variable in self._formula.pairs.items():
            if pair[side] == first and pair not in groups:
                line.weaken(variable)
        return line.derive()

    def _with(self, terms: Sequence[Pairs], pair: Pair, side: Side, others: Positions) -> int:
        formula = self._formula
        single = [formula.only_with[formula.terms[pairs], pair] for pairs in terms]
        if len(terms) == 1:
            return single[0]
        one = self._one_of(terms, side, others)
        line = Combination(self._log)
        line.add(one, len(terms) - 1)
        for number in single:
            line.add(number)
        line.divide(len(terms))
        return line.derive()
