"""Certificates as cutting-planes proofs, for VeriPB to check.

VeriPB (Gocht, McCreesh and Nordström; https://gitlab.com/MIAOresearch/software/VeriPB) reads a
problem in the format OPB, and a log of constraints that are derived from it, in whole numbers. The
problem is that of `pair_formula`: its least value is the negative of the best score. What a line of
the log may do stands in `derivation`; how a proof becomes lines, in `clauses`. Here is what goes
around them.

* value = upper: the log names the mapping as a solution (``o`` in version 1.1, ``soli`` in 2.0),
  from which VeriPB has the constraint that the score is larger. From that, 0 >= 1 is derived.
* value < upper: the log shows that the score is upper or less by contradiction (``red`` without any
  substitution): from the negation, 0 >= 1 is derived. Then it names the mapping.

Version 2.0 ends with the bounds of the least value, which are the negatives of upper and value, and
has the lower bound as a constraint. In 1.1 there is no such end. There, ``e`` says what has been
reached, as a constraint: "the score is value + 1 or more" is what the solution has added, and, if
value < upper, "the score is upper or less" is what has been shown.
"""

from typing import Literal, NamedTuple

from exactmatch.certificate.checker import Object, kinds, terms
from exactmatch.certificate.clauses import Clauses
from exactmatch.certificate.derivation import Combination, Constraint, Derivation
from exactmatch.certificate.pair_formula import PairFormula

#: So many matches of triples can be written down for a certificate by counts.
MOST_MATCHES = 300_000


class Untranslatable(ValueError):  # noqa: N818
    """A certificate has no such proof; the message says why."""


class PseudoBooleanProof(NamedTuple):
    """The texts of two files: a problem in the format OPB, and a log for VeriPB."""

    formula: str
    proof: str


def translate(
    pair: Object, certificate: Object, version: Literal["1.1", "2.0"]
) -> PseudoBooleanProof:
    """Return the problem of *pair*, and a proof of what *certificate* claims.

    Both are as `exactmatch.certificate.checker` takes them, which has to have found the certificate
    verified or bounded. *version* is that of the log. The same input gives the same bytes.

    Raises `Untranslatable` if the certificate is by counts and the terms are too many, or if it
    does not prove what it claims.
    """
    if "counts" in certificate["proof"]:
        matches = sum(len(own) * len(other) for _, own, other in kinds(pair))
        if matches > MOST_MATCHES:
            raise Untranslatable(f"{matches} matches of triples are too many to write down")
    translation = _Translation(pair, certificate, version)
    return PseudoBooleanProof(translation.formula.text(), translation.proof())


class _Translation:
    """A log, and what it is of."""

    def __init__(self, pair: Object, certificate: Object, version: str) -> None:
        self.formula = PairFormula(terms(pair))
        self._pair = pair
        self._certificate = certificate
        self._old = version == "1.1"
        self._log = Derivation(self.formula.constraints)
        self._lines = self._log.lines
        self._lines.append(f"pseudo-Boolean proof version {version}")
        self._lines.append(f"f {len(self.formula.constraints)}")

    def proof(self) -> str:
        """Return all of the log."""
        value, upper = self._certificate["value"], self._certificate["upper"]
        if value == upper:
            contradiction = self._contradiction(self._solution(value))
            if self._old:
                self._lines.append(f"c {contradiction}")
            else:
                self._bound(contradiction, upper)
        else:
            self._by_contradiction(upper)
            self._solution(value)
        if not self._old:
            conclusion = f"conclusion BOUNDS {-upper} {-value}"
            self._lines += ["output NONE", conclusion, "end pseudo-Boolean proof"]
        return "\n".join(self._lines) + "\n"

    def _solution(self, value: int) -> int:
        """Name the mapping; return the number of "the score is larger", which that adds."""
        rule = "o" if self._old else "soli"
        self._lines.append(f"{rule} {self.formula.assignment(self._certificate['mapping'])}")
        return self._reached(self.formula.score_at_least(value + 1))

    def _reached(self, constraint: Constraint) -> int:
        """Return the number of a constraint that the log has now, and say what it is."""
        number = self._log.number(constraint)
        if self._old:
            self._lines.append(f"e {number} {constraint.text()}")
        return number

    def _contradiction(self, goal: int) -> int:
        """Derive 0 >= 1 from the goal; return its number."""
        clauses, proof = Clauses(self.formula, self._log, goal), self._certificate["proof"]
        if "counts" in proof:
            found = clauses.of_counts(self._pair, self._certificate["upper"], proof["counts"])
        else:
            found = clauses.of_tree(terms(self._pair), proof)
        if self._log[found] != Constraint({}, 1):
            raise Untranslatable("the certificate does not prove what it claims")
        return found

    def _bound(self, contradiction: int, upper: int) -> None:
        """Derive from 0 >= 1 that the score is *upper* or less."""
        weights = self.formula.weights
        line = Combination(self._log)
        excess = sum(weight for weight in weights.values() if weight > 0) - upper
        if excess > 0:
            line.add(contradiction, excess)
        for variable, weight in weights.items():
            line.add_literal(variable, positive=weight < 0, times=abs(weight))
        if weights:
            line.derive()

    def _by_contradiction(self, upper: int) -> None:
        """Derive that the score is *upper* or less from what follows from its negation."""
        bound, negation = self.formula.score_at_most(upper), self.formula.score_at_least(upper + 1)
        self._lines += [f"red {bound.text()} ; begin", "proofgoal #1"]
        self._log.number(negation)  # from the first line; and the same as the negation of the goal
        contradiction = self._contradiction(self._log.number(negation))
        self._lines += [f"c {contradiction}", "end"] if self._old else [f"end {contradiction}"]
        self._lines.append("end")
        self._reached(bound)
