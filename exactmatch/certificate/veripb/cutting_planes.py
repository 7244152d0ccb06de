"""Translate certificates into cutting-planes proofs for VeriPB.

VeriPB (Gocht, McCreesh and Nordström; https://gitlab.com/MIAOresearch/software/VeriPB) reads a
problem in the format OPB, and a log of constraints that are derived from it, in whole numbers. The
problem is that of `pair_formula`: its least value is the negative of the best score. `derivation`
describes the lines of a log, `score_bounds` and `clauses` turn a proof into lines. This module
writes the rest of the log.

* value = upper: the log names the mapping as a solution (``o`` in version 1.1, ``soli`` in 2.0),
  from which VeriPB has the constraint that the score is larger. From that, 0 >= 1 is derived.
* value < upper: first, the log shows that the score is upper or less. A single leaf and counts are
  sums that show it directly. A tree shows it by contradiction (``red`` without any substitution):
  from the negation, 0 >= 1 is derived. Then the log names the mapping.

Version 2.0 ends with the bounds of the least value, which are the negatives of upper and value, and
has the lower bound as a constraint. Version 1.1 has no such end. There, ``e`` states a derived
constraint. "The score is value + 1 or more" comes from the solution. If value < upper, "the score
is upper or less", or a stronger bound, comes from the proof.
"""

from typing import Literal, NamedTuple

from exactmatch.certificate.checker import Object, kinds, terms
from exactmatch.certificate.veripb.derivation import Combination, Constraint, Derivation
from exactmatch.certificate.veripb.formula import PairFormula
from exactmatch.certificate.veripb.node_clauses import Case, Clauses
from exactmatch.certificate.veripb.score_bounds import NONE_BANNED, ScoreBounds

#: The most matches of triples that are listed for a certificate by counts.
MOST_MATCHES = 300_000

_UNPROVEN = "the certificate does not prove what it claims"


class Untranslatable(ValueError):  # noqa: N818
    """A certificate has no translation; the message says why."""


class PseudoBooleanProof(NamedTuple):
    """The texts of two files: a problem in the format OPB, and a log for VeriPB."""

    formula: str
    proof: str


def translate(
    pair: Object, certificate: Object, version: Literal["1.1", "2.0"]
) -> PseudoBooleanProof:
    """Return the problem of *pair*, and a proof of the claim of *certificate*.

    Both are as `exactmatch.certificate.checker` takes them, which has to have found the certificate
    verified or bounded. *version* is that of the log. The same input gives the same bytes.

    Raises `Untranslatable` if the certificate is by counts and the terms are too many, or if it
    does not prove its claim.
    """
    if "counts" in certificate["proof"]:
        matches = sum(len(own) * len(other) for _, own, other in kinds(pair))
        if matches > MOST_MATCHES:
            raise Untranslatable(f"{matches} matches of triples are too many to list")
    translation = _Translation(pair, certificate, version)
    return PseudoBooleanProof(translation.formula.text(), translation.proof())


class _Translation:
    """A log, and its subject."""

    def __init__(self, pair: Object, certificate: Object, version: str) -> None:
        self._terms = terms(pair)
        self.formula = PairFormula(self._terms)
        self._mapping, self._proof = certificate["mapping"], certificate["proof"]
        self._value, self._upper = certificate["value"], certificate["upper"]
        self._gains = sum(weight for weight in self.formula.weights.values() if weight > 0)
        self._old = version == "1.1"
        self._log = Derivation(self.formula.constraints)
        self._bounds = ScoreBounds(pair, self.formula, self._log)
        self._lines = self._log.lines
        self._lines.append(f"pseudo-Boolean proof version {version}")
        self._lines.append(f"f {len(self.formula.constraints)}")

    def proof(self) -> str:
        """Return the whole log."""
        if self._value == self._upper:
            contradiction = self._contradiction(self._solution())
            if self._old:
                self._lines.append(f"c {contradiction}")
            else:
                self._bound_from(contradiction)
        else:
            self._show_bound()
            self._solution()
        if not self._old:
            conclusion = f"conclusion BOUNDS {-self._upper} {-self._value}"
            self._lines += ["output NONE", conclusion, "end pseudo-Boolean proof"]
        return "\n".join(self._lines) + "\n"

    def _solution(self) -> int:
        """Name the mapping; return the number of the added constraint "the score is larger"."""
        rule = "o" if self._old else "soli"
        self._lines.append(f"{rule} {self.formula.assignment(self._mapping)}")
        number = self._log.number(self.formula.score_at_least(self._value + 1))
        self._say(number)
        return number

    def _say(self, number: int) -> None:
        """Write a comment on a constraint."""
        if self._old:
            self._lines.append(f"e {number} {self._log[number].text()}")

    def _contradiction(self, goal: int) -> int:
        """Derive 0 >= 1 from the goal; return its number."""
        clauses = Clauses(self.formula, self._log, self._bounds)
        if "counts" in self._proof:
            found = clauses.of_counts(self._proof["counts"], self._upper, goal)
        else:
            found = clauses.of_tree(self._proof, Case(self._terms, goal))
        if self._log[found] != Constraint({}, 1):
            raise Untranslatable(_UNPROVEN)
        return found

    def _bound_from(self, contradiction: int) -> None:
        """Derive from 0 >= 1 that the score is upper or less."""
        line = Combination(self._log)
        if self._gains > self._upper:
            line.add(contradiction, self._gains - self._upper)
        self._derive_from_gains(line)

    def _derive_from_gains(self, line: Combination) -> None:
        """Add that no variable is below 0 or above 1: the score is the sum of all gains or less."""
        for variable, weight in self.formula.weights.items():
            line.add_literal(variable, positive=weight < 0, times=abs(weight))
        if self.formula.weights:  # otherwise there is nothing to write
            self._say(line.derive())

    def _show_bound(self) -> None:
        """Derive that the score is upper or less, without the mapping."""
        if self._gains <= self._upper:
            self._derive_from_gains(Combination(self._log))
        elif "counts" in self._proof or "denominator" in self._proof:
            self._say(self._bound())
        else:
            self._say(self._by_contradiction())

    def _bound(self) -> int:
        """Derive that the score is upper or less, or even less, from a single sum."""
        if "counts" in self._proof:
            found = self._bounds.bound(*self._bounds.counts(self._proof["counts"], self._upper))
        else:
            found = self._bounds.bound(*self._bounds.leaf(self._proof, self._terms, NONE_BANNED))
        coefficients, degree = self.formula.score_at_most(self._upper)
        if self._log[found].coefficients != coefficients or self._log[found].degree < degree:
            raise Untranslatable(_UNPROVEN)
        return found

    def _by_contradiction(self) -> int:
        """Derive that the score is upper or less, by contradiction."""
        bound = self.formula.score_at_most(self._upper)
        self._lines += [f"red {bound.text()} ; begin", "proofgoal #1"]
        negation = self.formula.score_at_least(self._upper + 1)
        self._log.number(negation)  # of the bound; then of the goal, which is the bound again
        contradiction = self._contradiction(self._log.number(negation))
        self._lines += [f"c {contradiction}", "end"] if self._old else [f"end {contradiction}"]
        self._lines.append("end")
        return self._log.number(bound)
