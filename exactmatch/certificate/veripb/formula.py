"""The best score of a pair as a problem of pseudo-Boolean optimisation, in the format OPB.

x_p is 1 if the mapping holds pair p, and y_t is 1 if term t counts; for a term of one pair, y_t is
its x. The objective is the sum of weight(t) y_t; OPB minimises, so its negative is written.

1. At most one x is 1 of those of each test variable, and of each gold variable: the x that are 1
   are a one-to-one mapping, and every mapping of pairs that terms speak of is one. (Other pairs
   score nothing.)
2. If weight(t) > 0, y_t <= x_p for each p in t: y_t may be 1 only if all of t is in the mapping.
   The largest sum has it 1 then.
3. If weight(t) < 0, y_t >= (sum of x_p over p in t) - (number of p in t) + 1: y_t has to be 1 if
   all of t is in the mapping. The largest sum has it 0 otherwise.

So the least value is the negative of the best score, exactly. Terms of weight 0 are left out.
"""

from collections import defaultdict
from collections.abc import Sequence

from exactmatch.certificate.checker import Pair, Term
from exactmatch.certificate.veripb.derivation import Constraint, linear

#: The pairs of a term, in order.
Pairs = tuple[Pair, ...]
#: The sides of a pair, as places in it.
Side = int
SYSTEM, GOLD = 0, 1


class PairFormula:
    """The problem: its variables, numbered from 1, and its constraints, likewise.

    pairs: the variable of each pair; terms: that of each term, by its pairs.
    weights: that of each variable in the score.
    at_most_one: the number of the first kind of constraints, by side and position.
    only_with: that of the second kind, by the variable of the term and the pair.
    """

    def __init__(self, terms: Sequence[Term]) -> None:
        known = [(weight, pairs) for weight, pairs in terms if weight]
        places = sorted({pair for _, pairs in known for pair in pairs})
        self.pairs = {pair: number for number, pair in enumerate(places, 1)}
        self.terms: dict[Pairs, int] = {(pair,): k for pair, k in self.pairs.items()}
        longer = [pairs for _, pairs in known if len(pairs) > 1]
        self.terms |= {pairs: number for number, pairs in enumerate(longer, len(places) + 1)}
        self.weights = dict(sorted((self.terms[pairs], weight) for weight, pairs in known))
        self.constraints: list[Constraint] = []
        self.at_most_one: dict[tuple[Side, int], int] = {}
        self.only_with: dict[tuple[int, Pair], int] = {}
        self._headings: dict[int, str] = {}
        self._add_at_most_one(SYSTEM, "at most one pair of each test variable")
        self._add_at_most_one(GOLD, "at most one pair of each gold variable")
        self._add_terms([(self.weights[self.terms[pairs]], pairs) for pairs in longer])

    def _add_at_most_one(self, side: Side, heading: str) -> None:
        self._headings[len(self.constraints)] = heading
        found = defaultdict(list)
        for pair, variable in self.pairs.items():
            found[pair[side]].append(variable)
        for position in sorted(found):
            self.constraints.append(Constraint(dict.fromkeys(found[position], -1), -1))
            self.at_most_one[side, position] = len(self.constraints)

    def _add_terms(self, longer: Sequence[Term]) -> None:
        self._headings[len(self.constraints)] = "a term counts only with each of its pairs"
        for pairs in (pairs for weight, pairs in longer if weight > 0):
            for pair in pairs:
                variable = self.terms[pairs]
                self.constraints.append(Constraint({self.pairs[pair]: 1, variable: -1}, 0))
                self.only_with[variable, pair] = len(self.constraints)
        self._headings[len(self.constraints)] = "a term that costs something counts with its pairs"
        for pairs in (pairs for weight, pairs in longer if weight < 0):
            forced = {**{self.pairs[pair]: -1 for pair in pairs}, self.terms[pairs]: 1}
            self.constraints.append(Constraint(forced, 1 - len(pairs)))

    def score_at_least(self, score: int) -> Constraint:
        """Return that the mapping scores *score* or more."""
        return Constraint(self.weights, score)

    def score_at_most(self, score: int) -> Constraint:
        """Return that the mapping scores *score* or less."""
        return Constraint({variable: -w for variable, w in self.weights.items()}, -score)

    def assignment(self, mapping: Sequence[int | None]) -> str:
        """Return the values of all variables under a mapping, as literals."""
        held = {(i, j) for i, j in enumerate(mapping) if j is not None}
        literals = [
            f"x{variable}" if held.issuperset(pairs) else f"~x{variable}"
            for pairs, variable in self.terms.items()
        ]
        return " ".join(literals)

    def text(self) -> str:
        """Return the problem in the format OPB, with comments that explain the variables."""
        lines = [f"* #variable= {len(self.terms)} #constraint= {len(self.constraints)}"]
        lines.append(
            "* A pair: the position of a test variable, and that of a gold variable, from 0"
        )
        for pairs, variable in self.terms.items():
            kind = "pair" if len(pairs) == 1 else "term"
            lines.append(f"* x{variable}: {kind} {' '.join(f'{i}-{j}' for i, j in pairs)}")
        lines.append("* minus the score")
        lines.append(f"min: {linear({v: -w for v, w in self.weights.items()})};")
        for number, constraint in enumerate(self.constraints):
            if number in self._headings:
                lines.append(f"* {self._headings[number]}")
            lines.append(constraint.text())
        return "\n".join(lines) + "\n"
