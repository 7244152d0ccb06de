"""Derive clauses for the nodes of a certificate by cutting planes.

The *goal* is a constraint of the log: the score is upper + 1 or more. Each node of a proof becomes
a *clause*: the sum of x_b over some pairs b that are banned there is 1 or more. That is, no mapping
without banned pairs reaches the goal. At the root, where no pair is banned, that is 0 >= 1. The
steps and terms are those of `exactmatch.certificate.checker`, with D for the denominator:

leaf    Its sum (`score_bounds`), and D times the goal. The degree is D (upper + 1) less the total,
        or more, which is above 0. Only banned x_b can have coefficients above 0: weaken all else
        away, and divide by so much that all that is left is 1.
sieve   The same sum, not weakened, has a degree -e, and says that the sum of slack(p) x_p is at
        most e and multiples of x_b. The rest may ban p if slack(p) > e. That is at least what the
        sieve bans; and the more is banned, the smaller is every worth, and every bound. Let P be
        the pairs in the clause of the rest that only the rest bans. Reduce their slacks to e + 1,
        weaken all other p away, divide by e + 1: the sum of x_p over P is at most the sum of
        multiples of x_b. Add that to the clause of the rest; the x of P cancel.
split   In the clause of "with", let P be the pairs that have just one variable in common with p =
        (i, j). "At most one pair of i" says that x_p and those of P that are of i add up to 1 at
        most, and that of j likewise. Add to the clause one or both, as there are such. It has then
        as many -x_p, and 1 less as many for its degree. Add the clause of "without" as often.
rows    That of the rest, whose goal follows from the goal (`clique_constraints`). The more is
        banned, the smaller is every bound of the rest, too: a pair that is banned may only be worth
        less than nothing without that, and so nothing either way.
counts  As a leaf.
"""

from collections.abc import Generator, Sequence
from typing import NamedTuple

from exactmatch.certificate.checker import Object, Pair, Term, reweighted
from exactmatch.certificate.veripb.clique_constraints import CliqueConstraints
from exactmatch.certificate.veripb.derivation import Combination, Derivation
from exactmatch.certificate.veripb.formula import GOLD, SYSTEM, PairFormula
from exactmatch.certificate.veripb.score_bounds import NONE_BANNED, Banned, ScoreBounds


class Case(NamedTuple):
    """The subject of a node: *terms*, a *goal* with its number in the log, and *banned* pairs."""

    terms: Sequence[Term]
    goal: int
    banned: Banned = NONE_BANNED

    def without(self, pairs: Banned) -> "Case":
        """Return the case with these pairs banned as well."""
        return self._replace(banned=self.banned | pairs)


class Clauses:
    """Derives clauses from goals."""

    def __init__(self, formula: PairFormula, log: Derivation, bounds: ScoreBounds) -> None:
        self._formula = formula
        self._log = log
        self._bounds = bounds
        self._cliques = CliqueConstraints(formula, log)

    def of_counts(self, advice: Object, upper: int, goal: int) -> int:
        """Return the number of the clause of counts that show *upper* or less."""
        line, scale = self._bounds.counts(advice, upper)
        line.add(goal, scale)
        return self._clause(line, NONE_BANNED)

    def of_tree(self, root: Object, case: Case) -> int:
        """Return the number of the clause of a tree; 0 >= 1 if it shows that the goal is wrong."""
        waiting = [self._node(root, case)]  # no recursion: a tree may be deep
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

    def _node(self, node: Object, case: Case) -> Generator[tuple[Object, Case], int, int]:
        """Return the number of the clause of a node; requires those of the nodes below it."""
        if "denominator" in node:
            return self._clause(self._leaf(node, case), case.banned)
        if "sieve" in node:
            whole = self._leaf(node["sieve"], case)
            if whole.degree > 0:
                return self._clause(whole, case.banned)
            out = self._out(whole) - case.banned
            number = whole.derive()
            rest = yield node["rest"], case.without(out)
            return self._fixed(number, rest, out, case.banned)
        if "pair" not in node:
            terms, _ = reweighted([*case.terms], node)
            goal = self._cliques.goal_of_rest(case.goal, node)
            return (yield node["rest"], case._replace(terms=terms, goal=goal))
        i, j = node["pair"]
        rivals = frozenset(q for q in self._formula.pairs if (q[0] == i) != (q[1] == j))
        first = yield node["with"], case.without(rivals)
        second = yield node["without"], case.without(frozenset({(i, j)}))
        return self._either((i, j), rivals, first, second)

    def _leaf(self, leaf: Object, case: Case) -> Combination:
        """Return the sum of a leaf, and its D times the goal."""
        line, scale = self._bounds.leaf(leaf, case.terms, case.banned)
        line.add(case.goal, scale)
        return line

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
