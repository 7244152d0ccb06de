"""The nodes of a certificate as clauses, derived by cutting planes.

The *goal* is a constraint of the log: the score is upper + 1 or more. Each node of a proof becomes a
*clause*: the sum of x_b over some pairs b that are banned there is 1 or more. That is, no mapping
without banned pairs reaches the goal. At the root, where none is banned, that is 0 >= 1. In the
words of `exactmatch.certificate.checker`, whose steps these are, and with D for the denominator:

leaf    Add up: of each row of p, the largest share less local price times "of all terms of the row,
        one counts, and with p" (`exclusions`); of each column of p, its local price times the same
        of the column. Each y_t then has its shares at least, and so D weight(t) at least, on the
        smaller side, and x_p the worth of p on the larger one, but for {p}. "At most one pair of i"
        times the largest worth less price of i, and "at most one pair of j" times the price of j,
        leave nothing there but the total. Of a term with a banned pair b, add D weight(t) times
        "y_t counts only with b". Last, add D times the goal. So the degree is D (upper + 1) less
        the total, or more, which is above 0; and only banned x_b can have coefficients above 0.
        Weaken all else away, and divide by so much that all that is left is 1.
sieve   The same sum, not weakened, has a degree -e, and says that the sum of slack(p) x_p is at most
        e and multiples of x_b. The rest may ban p if slack(p) > e: at least what the sieve bans,
        and the more is banned, the smaller is every worth, and every bound. Let P be the pairs in
        the clause of the rest that only the rest bans. Reduce their slacks to e + 1, weaken all
        other p away, divide by e + 1: the sum of x_p over P is at most the sum of multiples of x_b.
        Add that to the clause of the rest; x_p cancels.
split   In the clause of "with", let P be the pairs that have just one variable in common with p =
        (i, j). "At most one pair of i" says that x_p and those of P that are of i add up to 1 at
        most, and that of j likewise. Add to the clause one or both, as there are such. It has then
        as many -x_p, and 1 less as many for its degree. Add the clause of "without" as often.
counts  With prices, as a leaf: the prices of rows and columns are those of triples
        (`count_prices`). Without, prices of triples times "of all terms over the variables of the
        triple, one counts" are all.

Where a price is of nothing that there is, and of terms of weight 0 or less, there is nothing to add:
the total gets smaller, and D weight(t) y_t <= 0.
"""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence

from exactmatch.certificate.checker import Object, Pair, Term, counts
from exactmatch.certificate.count_prices import star_prices, triple_prices
from exactmatch.certificate.derivation import Combination, Derivation
from exactmatch.certificate.exclusions import Exclusions, RowPrices, positions
from exactmatch.certificate.pair_formula import GOLD, SYSTEM, PairFormula

Banned = frozenset[Pair]


class Clauses:
    """Derives clauses from the goal, which is constraint *goal* of the log."""

    def __init__(self, formula: PairFormula, log: Derivation, goal: int) -> None:
        self._formula = formula
        self._log = log
        self._goal = goal
        self._exclusions = Exclusions(formula, log)

    def of_tree(self, terms: Sequence[Term], root: Object) -> int:
        """Return the number of the clause of *root*, which is 0 >= 1 if it proves the goal wrong."""
        self._terms = terms
        waiting = [self._node(root, frozenset())]  # no recursion: a tree may be deep
        found: int | None = None
        while waiting:
            try:
                below = next(waiting[-1]) if found is None else waiting[-1].send(found)
            except StopIteration as end:
                waiting.pop()
                found = end.value
            else:
                waiting.append(self._node(*below))
                found = None
        assert found is not None
        return found

    def of_counts(self, pair: Object, upper: int, advice: Object) -> int:
        """Return the number of 0 >= 1 for counts, which show a bound of *upper* or less."""
        line, scale = Combination(self._log), 1
        if counts(pair, {}) <= upper:
            for (side, variables), price in triple_prices(pair).items():
                number = self._exclusions.over(side, variables)
                if number is not None:
                    line.add(number, price)
        else:
            scale, row_prices = star_prices(pair, self._formula.pairs)
            prices = {int(j): price for j, price in advice["prices"].items()}
            self._add_assignment(line, scale, row_prices, prices, frozenset())
        line.add(self._goal, scale)
        return self._clause(line, frozenset())

    def _node(self, node: Object, banned: Banned) -> Generator[tuple[Object, Banned], int, int]:
        """Return the number of the clause of a node; ask for those of the nodes below it."""
        if "denominator" in node:
            return self._clause(self._leaf(node, banned), banned)
        if "sieve" in node:
            whole = self._leaf(node["sieve"], banned)
            if whole.degree > 0:
                return self._clause(whole, banned)
            out = self._out(whole) - banned
            number = whole.derive()
            rest = yield node["rest"], banned | out
            return self._fixed(number, rest, out, banned)
        i, j = node["pair"]
        rivals = frozenset(q for q in self._formula.pairs if (q[0] == i) != (q[1] == j))
        first = yield node["with"], banned | rivals
        second = yield node["without"], banned | {(i, j)}
        return self._either((i, j), rivals, first, second)

    def _leaf(self, leaf: Object, banned: Banned) -> Combination:
        """Return the sum that a leaf makes, with the goal."""
        scale, formula = leaf["denominator"], self._formula
        prices = {int(j): price for j, price in leaf.get("prices", {}).items()}
        line = Combination(self._log)
        self._add_assignment(line, scale, self._row_prices(leaf, banned), prices, banned)
        for weight, pairs in self._terms:
            used = banned.intersection(pairs)
            if used and weight > 0 and len(pairs) > 1:
                line.add(formula.only_with[formula.terms[pairs], min(used)], scale * weight)
        line.add(self._goal, scale)
        return line

    def _row_prices(self, leaf: Object, banned: Banned) -> RowPrices:
        """Return the prices of the rows and columns of a leaf."""
        scale, shares = leaf["denominator"], leaf.get("shares", {})
        prices: RowPrices = Counter()
        for i, j, column, price in leaf.get("local", []):
            prices[(i, j), GOLD, tuple(column)] = price
        for number, (weight, pairs) in enumerate(self._terms):
            if weight <= 0 or len(pairs) == 1 or not banned.isdisjoint(pairs):
                continue
            whole, up = divmod(scale * weight, len(pairs))
            equal = [whole + (k < up) for k in range(len(pairs))]
            for pair, share in zip(pairs, shares.get(str(number)) or equal, strict=True):
                row = pair, SYSTEM, positions(pairs, SYSTEM, pair)
                local = prices[pair, GOLD, positions(pairs, GOLD, pair)]
                prices[row] = max(prices[row], share - local)
        return prices

    def _add_assignment(
        self,
        line: Combination,
        scale: int,
        row_prices: RowPrices,
        prices: Mapping[int, int],
        banned: Banned,
    ) -> None:
        """Add rows and columns, and then the bound of the assignment of the worths they make."""
        formula = self._formula
        worth: Counter[Pair] = Counter()
        for (pair, side, others), price in row_prices.items():
            if price > 0 and pair not in banned:
                number = self._exclusions.around(pair, side, others)
                if number is not None:
                    line.add(number, price)
                    worth[pair] += price
        best: Counter[int] = Counter()
        for pair, variable in formula.pairs.items():
            if pair not in banned:
                value = worth[pair] + scale * formula.weights.get(variable, 0)
                best[pair[0]] = max(best[pair[0]], value - prices.get(pair[1], 0))
        for side, multiples in ((SYSTEM, best), (GOLD, prices)):
            for position, times in multiples.items():
                if times > 0 and (side, position) in formula.at_most_one:
                    line.add(formula.at_most_one[side, position], times)

    def _clause(self, line: Combination, banned: Banned) -> int:
        """Weaken to a clause over banned pairs."""
        kept = {self._formula.pairs[pair] for pair in banned if pair in self._formula.pairs}
        for variable, a in list(line.coefficients.items()):
            if a < 0 or variable not in kept:
                line.weaken(variable)
        return self._divided(line)

    def _divided(self, line: Combination) -> int:
        """Divide by so much that all that is left is 1."""
        line.divide(max([1, line.degree, *line.coefficients.values()]))
        return line.derive()

    def _out(self, whole: Combination) -> Banned:
        """Return the pairs that the sum of a sieve rules out, of which the degree is 0 or less."""
        sums = whole.coefficients
        return frozenset(p for p, v in self._formula.pairs.items() if sums.get(v, 0) < whole.degree)

    def _fixed(self, whole: int, rest: int, out: Banned, banned: Banned) -> int:
        """Return the clause of a sieve from its sum and the clause of the rest."""
        formula, known = self._formula, self._log[rest].coefficients
        used = {formula.pairs[pair] for pair in out} & known.keys()
        if not used:
            return rest
        line = Combination(self._log)
        line.add(whole)
        least = 1 - line.degree
        kept = {formula.pairs[pair] for pair in banned if pair in formula.pairs}
        for variable, a in list(line.coefficients.items()):
            if variable in used and -a > least:
                line.add_literal(variable, positive=True, times=-a - least)
            elif variable not in used and (a < 0 or variable not in kept):
                line.weaken(variable)
        line.divide(least)
        line.add(rest)
        return self._divided(line)

    def _either(self, pair: Pair, rivals: Banned, first: int, second: int) -> int:
        """Return the clause of a split at *pair* from those with and without it."""
        formula, known = self._formula, self._log[first].coefficients
        variable = formula.pairs.get(pair)
        if variable not in self._log[second].coefficients:
            return second
        used = [q for q in rivals if formula.pairs[q] in known]
        sides = [side for side in (SYSTEM, GOLD) if any(q[side] == pair[side] for q in used)]
        if not sides:
            return first
        line = Combination(self._log)
        line.add(first)
        for side in sides:
            line.add(formula.at_most_one[side, pair[side]])
        for other, a in list(line.coefficients.items()):
            if a < 0 and other != variable:
                line.weaken(other)
        line.add(second, len(sides))
        return self._divided(line)
