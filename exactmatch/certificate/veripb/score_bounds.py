"""Bound the score by sums of constraints, from a leaf of a certificate, or from its counts.

Each is "D times the score is the total or less", and is derived in the steps by which
`exactmatch.certificate.checker` computes the total. In its words, the sum of a leaf is that of

* for each row of a pair p, the largest share less local price, times "of all terms of the row, one
  counts, and with p" (`exclusions`): y_t on the smaller side, x_p on the larger;
* for each column of p, its local price, times the same of the column;
* for each i, the largest worth less price, times "at most one pair of i", and for each j, its price
  times "at most one pair of j";
* for each term t with a banned pair b, D weight(t) times "y_t counts only with b".

On the smaller side, y_t then has its shares, or more, and so D weight(t) or more. On the larger
side, x_p has that much less if {p} is a term. Any excess may be weakened away. The larger side
keeps the total, or less, and x_b of banned b.

Prices of unknown variables, and longer terms of weight 0 or less, add nothing: the total gets
smaller, and D weight(t) y_t <= 0. The share of {p} is D times its weight, for any certificate.
Below cliques, the terms are those that the cliques leave. A longer term of positive weight was one
before, so it has its y_t; a pair that only cliques have is worth 0 or less, and has no x_p.

Counts with prices are summed like a leaf: the prices of rows and columns are those of triples
(`count_prices`). Without prices of variables, the sum only has the prices of triples, times "of all
terms over the variables of the triple, one counts".
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from exactmatch.certificate.checker import Object, Pair, Term, counts
from exactmatch.certificate.veripb.count_prices import star_prices, triple_prices
from exactmatch.certificate.veripb.derivation import Combination, Derivation
from exactmatch.certificate.veripb.exclusions import Exclusions, RowPrices, positions
from exactmatch.certificate.veripb.formula import GOLD, SYSTEM, PairFormula

Banned = frozenset[Pair]
NONE_BANNED: Banned = frozenset()


class ScoreBounds:
    """Adds up the constraints on the score of *pair*."""

    def __init__(self, pair: Object, formula: PairFormula, log: Derivation) -> None:
        self._pair = pair
        self._formula = formula
        self._log = log
        self._exclusions = Exclusions(formula, log)

    def leaf(self, leaf: Object, terms: Sequence[Term], banned: Banned) -> tuple[Combination, int]:
        """Return the sum of a leaf for *terms*, and its D."""
        scale, formula = leaf["denominator"], self._formula
        prices = {int(j): price for j, price in leaf.get("prices", {}).items()}
        line = Combination(self._log)
        row_prices = self._row_prices(leaf, terms, banned)
        own = {pairs[0]: scale * weight for weight, pairs in terms if len(pairs) == 1}
        self._add_assignment(line, own, row_prices, prices, banned)
        for weight, pairs in terms:
            used = banned.intersection(pairs)
            if used and weight > 0 and len(pairs) > 1:
                line.add(formula.only_with[formula.terms[pairs], min(used)], scale * weight)
        return line, scale

    def counts(self, advice: Object, upper: int) -> tuple[Combination, int]:
        """Return the sum of counts that show *upper* or less, and its D."""
        line = Combination(self._log)
        if counts(self._pair, {}) > upper:
            scale, row_prices = star_prices(self._pair, self._formula.pairs)
            prices = {int(j): price for j, price in advice["prices"].items()}
            weights = self._formula.weights
            own = {p: scale * weights.get(v, 0) for p, v in self._formula.pairs.items()}
            self._add_assignment(line, own, row_prices, prices, NONE_BANNED)
            return line, scale
        for (side, variables), price in triple_prices(self._pair).items():
            number = self._exclusions.over(side, variables)
            if number is not None:
                line.add(number, price)
        return line, 1

    def bound(self, line: Combination, scale: int) -> int:
        """Derive, from a sum without banned pairs, that the score is the total / D or less."""
        for variable in self._formula.terms.values():
            wanted = -scale * self._formula.weights.get(variable, 0)
            excess = wanted - line.coefficients.get(variable, 0)
            if excess > 0:
                line.add_literal(variable, positive=True, times=excess)
        line.divide(scale)
        return line.derive()

    def _row_prices(self, leaf: Object, terms: Sequence[Term], banned: Banned) -> RowPrices:
        """Return the prices of the rows and columns of a leaf."""
        scale, shares = leaf["denominator"], leaf.get("shares", {})
        prices: RowPrices = Counter()
        for i, j, column, price in leaf.get("local", []):
            prices[(i, j), GOLD, tuple(column)] = price
        for number, (weight, pairs) in enumerate(terms):
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
        own: Mapping[Pair, int],
        row_prices: RowPrices,
        prices: Mapping[int, int],
        banned: Banned,
    ) -> None:
        """Add rows and columns, and then the bound of the assignment of the resulting worths.

        *own* are the terms of single pairs in these worths.
        """
        formula = self._formula
        worth: Counter[Pair] = Counter()
        for (pair, side, others), price in row_prices.items():
            if price > 0 and pair not in banned:
                number = self._exclusions.around(pair, side, others)
                if number is not None:
                    line.add(number, price)
                    worth[pair] += price
        best: Counter[int] = Counter()
        for pair in formula.pairs:
            if pair not in banned:
                value = worth[pair] + own.get(pair, 0)
                best[pair[0]] = max(best[pair[0]], value - prices.get(pair[1], 0))
        for side, multiples in ((SYSTEM, best), (GOLD, prices)):
            for position, times in multiples.items():
                if times > 0 and (side, position) in formula.at_most_one:
                    line.add(formula.at_most_one[side, position], times)
