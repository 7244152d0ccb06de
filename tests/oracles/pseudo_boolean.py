"""A checker of pseudo-Boolean proofs, of the rules that we use, from their descriptions.

It reads the text of two files, a problem in the format OPB and a log of version 1.1 or 2.0, and
shares no code with exactmatch. A constraint is kept in the normal form of the papers: numbers above
0 times literals, no variable twice, at least a degree. A literal is a number other than 0; its
negation is the number's.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

Constraint = tuple[dict[int, int], int]


class Refused(ValueError):  # noqa: N818
    """An invalid proof; the message says where."""


def require(condition: bool, what: str) -> None:
    if not condition:
        raise Refused(what)


def literal(word: str) -> int:
    require(re.fullmatch(r"~?x[1-9]\d*", word) is not None, f"no literal: {word}")
    return -int(word[2:]) if word[0] == "~" else int(word[1:])


def normal(summands: Iterable[tuple[int, int]], degree: int) -> Constraint:
    """Return the normal form of: the sum of numbers times literals is *degree* or more."""
    coefficients: dict[int, int] = {}
    for times, lit in summands:
        other = coefficients.pop(-lit, 0)  # other (1 - l): other, and - other l
        own = coefficients.pop(lit, 0) - other + times
        degree -= other + min(own, 0)  # own l, if own < 0: own, and - own (1 - l)
        if own:
            coefficients[lit if own > 0 else -lit] = abs(own)
    return coefficients, degree


def parse_sum(words: Sequence[str]) -> list[tuple[int, int]]:
    require(len(words) % 2 == 0, "no sum")
    return [(int(a), literal(x)) for a, x in zip(words[::2], words[1::2], strict=True)]


def parse_constraint(words: Sequence[str]) -> Constraint:
    require(len(words) >= 3 and words[-3] == ">=" and words[-1] == ";", "no constraint")
    return normal(parse_sum(words[:-3]), int(words[-2]))


def contradicts(constraint: Constraint) -> bool:
    coefficients, degree = constraint
    return sum(coefficients.values()) < degree


@dataclass
class Problem:
    """The content of an OPB file: objective, constraints, number of variables."""

    objective: list[tuple[int, int]]
    constraints: list[Constraint]
    variables: int

    @classmethod
    def parse(cls, text: str) -> "Problem":
        first, *lines = text.splitlines()
        head = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", first)
        require(head is not None, "no head")
        assert head is not None
        said = [line.split() for line in lines if not line.startswith("*")]
        require(bool(said) and said[0][0] == "min:" and said[0][-1] == ";", "no objective")
        found = cls(parse_sum(said[0][1:-1]), [*map(parse_constraint, said[1:])], int(head[1]))
        require(len(found.constraints) == int(head[2]), "not as many constraints")
        used = {abs(x) for coefficients, _ in found.constraints for x in coefficients}
        used |= {abs(x) for _, x in found.objective}
        require(used <= {*range(1, found.variables + 1)}, "a variable above their number")
        return found

    def value(self, true: set[int]) -> int:
        """Return the objective where the literals in *true* are so."""
        return sum(a for a, x in self.objective if x in true)

    def allows(self, true: set[int]) -> bool:
        return all(sum(c[x] for x in c.keys() & true) >= degree for c, degree in self.constraints)

    def at_least(self, value: int) -> Constraint:
        return normal(self.objective, value)


def in_polish_notation(words: Sequence[str], known: Callable[[str], Constraint]) -> Constraint:
    """Return the constraint that a line of a log derives. Number operands precede *, d and w."""
    stack: list[Constraint] = []
    place = 0
    while place < len(words):
        word = words[place]
        operator = words[place + 1] if place + 1 < len(words) else ""
        if operator in ("*", "d", "w"):
            stack.append(changed(stack.pop(), word, operator))
            place += 2
            continue
        if word == "+":
            (first, one), (second, other) = stack.pop(), stack.pop()
            summands = [(a, x) for c in (first, second) for x, a in c.items()]
            stack.append(normal(summands, one + other))
        elif word.isdecimal():
            stack.append(known(word))
        else:
            stack.append(({literal(word): 1}, 0))
        place += 1
    require(len(stack) == 1, "not one constraint is left")
    return stack[0]


def changed(constraint: Constraint, operand: str, operator: str) -> Constraint:
    coefficients, degree = constraint
    if operator == "w":
        variable = literal(operand)
        require(variable > 0, "w is of variables")
        gone = sum(coefficients.get(x, 0) for x in (variable, -variable))
        return {x: a for x, a in coefficients.items() if abs(x) != variable}, degree - gone
    number = int(operand)
    require(number > 0, "not above 0")
    if operator == "*":
        return {x: a * number for x, a in coefficients.items()}, degree * number
    require(degree >= 0, "implementations differ in how they divide this")
    return {x: -(-a // number) for x, a in coefficients.items()}, -(-degree // number)


class Checker:
    """Follows a log line by line.

    best: the value of the best solution in the log; least: the proven lower bound of the objective.
    """

    def __init__(self, problem: Problem, version: str) -> None:
        self.problem = problem
        self.version = version
        self.known: dict[int, Constraint] = {}
        self.numbers = 0
        self.best: int | None = None
        self.least = sum(min(0, a) for a, _ in problem.objective)

    def learn(self, constraint: Constraint) -> None:
        self.numbers += 1
        self.known[self.numbers] = constraint

    def get(self, word: str) -> Constraint:
        require(word.isdecimal() and int(word) in self.known, f"no constraint {word}")
        return self.known[int(word)]

    def follow(self, lines: Iterator[str], *, inside: bool = False) -> str:
        """Follow *lines* up to one that ends them, and return that, or an empty text."""
        for line in lines:
            rule, *words = line.split()
            if rule in ("end", "output") or (rule, inside) == ("c", True):
                return line
            if rule == "pol":
                self.learn(in_polish_notation(words, self.get))
            elif rule == "red" and not inside:
                self.by_contradiction(words, lines)
            elif rule == ("o" if self.version == "1.1" else "soli") and not inside:
                self.solution(words)
            elif rule == "e" and self.version == "1.1":
                self.equals(self.get(words[0]), parse_constraint(words[1:]))
            elif rule == "c" and self.version == "1.1":
                require(len(words) == 1 and contradicts(self.get(words[0])), line)
                require(self.best is not None, "nothing to contradict")
                assert self.best is not None
                self.least = self.best
            else:
                raise Refused(line)
        return ""

    def solution(self, words: Sequence[str]) -> None:
        found = {*map(literal, words)}
        variables = {*range(1, self.problem.variables + 1)}
        require({*map(abs, found)} == variables and len(words) == len(variables), "not of all")
        require(self.problem.allows(found), "no solution")
        value = self.problem.value(found)
        self.best = value if self.best is None else min(self.best, value)
        better = [(-a, x) for a, x in self.problem.objective]
        self.learn(normal(better, 1 - value))

    def equals(self, known: Constraint, said: Constraint) -> None:
        require(known == said, "not equal")
        coefficients, none = self.problem.at_least(0)
        if self.best is None and said[0] == coefficients:  # of all solutions, not of better ones
            self.least = said[1] - none

    def by_contradiction(self, words: Sequence[str], lines: Iterator[str]) -> None:
        """Follow the proof of a constraint C: not C, once more, and 0 >= 1 from that."""
        require(words[-3:] == [";", ";", "begin"] and next(lines) == "proofgoal #1", "red")
        bound = parse_constraint(words[:-2])
        coefficients, degree = bound
        before, negation = {*self.known}, [(-a, x) for x, a in coefficients.items()]
        self.learn(normal(negation, 1 - degree))
        self.learn(normal(negation, 1 - degree))
        last = self.follow(lines, inside=True).split()
        require(last[:1] == (["c"] if self.version == "1.1" else ["end"]), "no end")
        require(len(last) == 2 and contradicts(self.get(last[1])), "no contradiction")
        if self.version == "1.1":
            require(next(lines, "") == "end", "no end")
        require(next(lines, "") == "end", "no end")
        self.known = {number: self.known[number] for number in before}
        self.learn(bound)

    def conclude(self, lines: Sequence[str]) -> None:
        require(len(lines) == 3 and lines[0] == "output NONE", "output")
        require(lines[2] == "end pseudo-Boolean proof", "end")
        said = re.fullmatch(r"conclusion BOUNDS (-?\d+) (-?\d+)", lines[1])
        require(said is not None, "conclusion")
        assert said is not None
        lower, upper = int(said[1]), int(said[2])
        require(self.best is not None and self.best == upper >= lower, "no such solution")
        bound, degree = self.problem.at_least(lower)
        least = [degree for known, degree in self.known.values() if known == bound]
        require(degree <= max([0, *least]), "no such bound")
        self.least = lower


def bounds(formula: str, proof: str) -> tuple[int, int]:
    """Return the proven bounds of the least value of *formula*, as *proof* derives them.

    Raises `Refused`, or another `ValueError`, if the proof derives none.
    """
    problem = Problem.parse(formula)
    first, second, *lines = proof.splitlines()
    head = re.fullmatch(r"pseudo-Boolean proof version (1\.1|2\.0)", first)
    require(head is not None and second == f"f {len(problem.constraints)}", "no head")
    assert head is not None
    checker = Checker(problem, head[1])
    for constraint in problem.constraints:
        checker.learn(constraint)
    waiting = iter(lines)
    last = checker.follow(waiting)
    if checker.version == "2.0":
        checker.conclude([last, *waiting])
    require(last == "" or checker.version == "2.0", "lines after the end")
    require(checker.best is not None, "no solution")
    assert checker.best is not None
    return checker.least, checker.best
