"""Cutting planes: derive constraints from others, each with the line of a log that derives it.

A constraint is sum a_v x_v >= degree, in whole numbers, over variables v that are 0 or 1. From
constraints that hold, three steps make another that holds (Cook, Coullard and Turán 1987, On the
complexity of cutting-plane proofs; in the form for pseudo-Boolean constraints that VeriPB has):

* Add: constraints times numbers >= 0, of which x_v >= 0 and -x_v >= -1 may be some.
* Weaken a variable away: add -x_v >= -1 if a_v > 0, x_v >= 0 if a_v < 0, so often that it is 0.
* Divide by d > 0, rounding up. For this, write a_v x_v with a_v < 0 as -a_v (1 - x_v) + a_v, so
  that all coefficients are positive and the sum of them is added to the degree. Rounding up
  coefficients only makes the left side larger; rounded up, it is whole, so that the right side may
  be rounded up as well. (VeriPB 0.3 has another way of rounding degrees below 0; none is divided.)

VeriPB reads them in reverse Polish notation: ``pol 3 7 2 * + x4 w 2 d`` adds constraint 3 and twice
constraint 7, weakens x4 away, and divides by 2.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Constraint(NamedTuple):
    """The sum of coefficients times variables is *degree* or more."""

    coefficients: Mapping[int, int]
    degree: int

    def text(self) -> str:
        """Return the constraint as OPB has it."""
        return f"{linear(self.coefficients)}>= {self.degree} ;"


def linear(coefficients: Mapping[int, int]) -> str:
    """Return a sum as OPB has it, with a space behind each summand."""
    return "".join(f"{a:+} x{v} " for v, a in coefficients.items())


class Derivation:
    """A log: its lines so far, and all its constraints, by number from 1."""

    def __init__(self, axioms: Sequence[Constraint]) -> None:
        self.lines: list[str] = []
        self._known = list(axioms)

    def __getitem__(self, number: int) -> Constraint:
        return self._known[number - 1]

    def number(self, constraint: Constraint) -> int:
        """Return the number of one more constraint, which a line has added."""
        self._known.append(constraint)
        return len(self._known)


class Combination:
    """A line that is being written, and the constraint that it derives so far."""

    def __init__(self, log: Derivation) -> None:
        self.coefficients: dict[int, int] = {}
        self.degree = 0
        self._log = log
        self._words: list[str] = []

    def add(self, number: int, times: int = 1) -> None:
        """Add a constraint of the log, *times* > 0 times."""
        added = self._log[number]
        self._add(str(number), added.coefficients, added.degree, times)

    def add_literal(self, variable: int, *, positive: bool, times: int) -> None:
        """Add that *variable* is 0 or more, or that it is 1 or less, *times* > 0 times."""
        if positive:
            self._add(f"x{variable}", {variable: 1}, 0, times)
        else:
            self._add(f"~x{variable}", {variable: -1}, -1, times)

    def _add(self, word: str, coefficients: Mapping[int, int], degree: int, times: int) -> None:
        first = not self._words
        self._words.append(word)
        if times != 1:
            self._words += [str(times), "*"]
        if not first:
            self._words.append("+")
        self.degree += times * degree
        for variable, a in coefficients.items():
            changed = self.coefficients.get(variable, 0) + times * a
            if changed:
                self.coefficients[variable] = changed
            else:
                self.coefficients.pop(variable, None)

    def weaken(self, variable: int) -> None:
        """Weaken *variable* away; it has to be there."""
        self._words += [f"x{variable}", "w"]
        self.degree -= max(0, self.coefficients.pop(variable))

    def divide(self, divisor: int) -> None:
        """Divide by *divisor* > 0, rounding up."""
        if divisor == 1:
            return
        self._words += [str(divisor), "d"]
        self.degree = -(-(self.degree + self._negative()) // divisor)
        for variable, a in self.coefficients.items():
            size = -(-abs(a) // divisor)
            self.coefficients[variable] = size if a > 0 else -size
        self.degree -= self._negative()

    def _negative(self) -> int:
        return -sum(a for a in self.coefficients.values() if a < 0)

    def derive(self) -> int:
        """Write the line, and return the number of the derived constraint."""
        self._log.lines.append(f"pol {' '.join(self._words)}")
        return self._log.number(Constraint(self.coefficients, self.degree))
