"""Read the mapping from a solver's answer to an exported model.

Solvers write answers in many ways. The reader understands

* the ``v`` lines of the MaxSAT Evaluation (literals, or one string of bits) and of the
  Pseudo-Boolean Competition (``x1 -x2``);
* lines on which a variable's name (``v_0_1``, ``x1``) is followed by its value, as linear solvers
  write them;
* the response of CP-SAT, as a protocol buffer in text form;
* JSON with a list of pairs of positions under ``mapping``.

Comments (lines that start with ``c``, ``*``, ``#`` or a backslash) are ignored.
"""

import json
import re
from collections.abc import Sequence
from itertools import compress

from exactmatch.errors import InputError
from exactmatch.problem import MatchingProblem, Pair

_COMMENT = re.compile(r"\s*(c\s|[*#\\])")
_BITS = re.compile(r"[01]+")
_LITERAL = re.compile(r"(-?)x?(\d{1,9})")
#: The name of a variable, and its value; glpsol puts a star between them.
_VALUE = re.compile(r"\b(v_\d+_\d+|x\d+)\s+(?:\*\s+)?([-+]?\d\S*)")
_RESPONSE = re.compile(r"^solution: (\d+)$", re.MULTILINE)


def read_solution(text: str, problem: MatchingProblem, source: str) -> dict[int, int]:
    """Return the mapping that a solver has found for the exported *problem*.

    Raises `InputError` if there is none in *text*, if it names variables outside the model, or if
    the mapping is not one-to-one.
    """
    try:
        chosen = sorted(set(_pairs(text, problem)))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise InputError(f"{source}: not a solution of this pair's model: {error}") from error
    mapping = dict(chosen)
    if len(mapping) < len(chosen) or len(set(mapping.values())) < len(chosen):
        raise InputError(f"{source}: the mapping is not one-to-one")
    return mapping


def _pairs(text: str, problem: MatchingProblem) -> list[Pair]:
    """Return the pairs that the solution maps; raise `ValueError` if there is no solution."""
    if text.lstrip().startswith("{"):
        return [_position(pair, problem) for pair in json.loads(text)["mapping"]]
    lines = [line for line in text.splitlines() if not _COMMENT.match(line)]
    stated = [line[2:].split() for line in lines if line.startswith("v ")]
    if stated:
        return _from_literals(stated, problem)
    values = [match.groups() for line in lines for match in _VALUE.finditer(line)]
    if values:
        return _from_values(values, problem)
    response = _RESPONSE.findall("\n".join(lines))
    if response:
        return list(compress(problem.candidates, map(int, response)))
    if problem.candidates:
        raise ValueError("no values of variables in it")
    return []


def _position(pair: object, problem: MatchingProblem) -> Pair:
    if isinstance(pair, list) and [type(number) for number in pair] == [int, int]:
        left, right = pair
        if 0 <= left < problem.n_left and 0 <= right < problem.n_right:
            return left, right
    raise ValueError(f"{json.dumps(pair)[:40]} is no pair of positions")


def _from_literals(stated: Sequence[Sequence[str]], problem: MatchingProblem) -> list[Pair]:
    bits = "".join(word for words in stated for word in words)
    one_a_line = all(len(words) <= 1 for words in stated)
    if one_a_line and _BITS.fullmatch(bits) and len(bits) >= len(problem.candidates):
        return list(compress(problem.candidates, map(int, bits)))
    pairs = []
    for word in (word for words in stated for word in words):
        literal = _LITERAL.fullmatch(word)
        if literal is None:
            raise ValueError(f"{word[:40]} is no literal")
        # Variables above those of the candidates belong to the model alone.
        if not literal[1] and 0 < int(literal[2]) <= len(problem.candidates):
            pairs.append(problem.candidates[int(literal[2]) - 1])
    return pairs


def _from_values(values: Sequence[tuple[str, ...]], problem: MatchingProblem) -> list[Pair]:
    by_name = {f"v_{i}_{j}": (i, j) for i, j in problem.candidates}
    by_name |= {f"x{k}": pair for k, pair in enumerate(problem.candidates, start=1)}
    pairs = []
    for name, value in values:
        is_true = float(value) > 0.5
        if name in by_name and is_true:
            pairs.append(by_name[name])
        elif name not in by_name and not _is_without_match(name, problem):
            raise ValueError(f"variable {name} is not in the model")
    return pairs


def _is_without_match(name: str, problem: MatchingProblem) -> bool:
    """Tell whether a variable that is no candidate may still be in a model.

    The model of the paper has all pairs of variables, also those that match nothing. A model has
    further variables, which have numbers only.
    """
    kind, *positions = name.split("_")
    if kind != "v":
        return True
    left, right = map(int, positions)
    return left < problem.n_left and right < problem.n_right
