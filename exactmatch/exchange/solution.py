"""What a solver has answered to an exported model: the mapping in it.

Solvers have many ways to say it. Understood are

* the ``v`` lines of the MaxSAT Evaluation (literals, or one string of bits) and of the
  Pseudo-Boolean Competition (``x1 -x2``);
* lines on which a variable's name (``v_0_1``, ``x1``) is followed by its value, as linear solvers
  write them;
* JSON with a list of pairs of positions under ``mapping``.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import compress

from exactmatch.errors import InputError
from exactmatch.problem import MatchingProblem, Pair

_BITS = re.compile(r"[01]{2,}")
#: A variable that is true.
_LITERAL = re.compile(r"x?(\d+)")
#: The name of a variable, and its value; glpsol puts a star between them.
_VALUE = re.compile(r"\b(v_\d+_\d+|x\d+)\s+(?:\*\s+)?([-+]?\d[\d.eE+-]*)")


def read_solution(text: str, problem: MatchingProblem, source: str) -> dict[int, int]:
    """Return the mapping that a solver has found for the exported *problem*.

    Raises `InputError` if there is none in *text*, or if it is not one-to-one.
    """
    pairs = _json_pairs(text, source) if text.lstrip().startswith("{") else _pairs(text, problem)
    chosen = sorted(set(pairs) & set(problem.candidates)) if pairs is not None else None
    if chosen is None:
        raise InputError(f"{source}: no values of this model's variables in it")
    mapping = dict(chosen)
    if len(mapping) < len(chosen) or len(set(mapping.values())) < len(chosen):
        raise InputError(f"{source}: the mapping is not one-to-one")
    return mapping


def _json_pairs(text: str, source: str) -> list[Pair]:
    try:
        return [(int(left), int(right)) for left, right in json.loads(text)["mapping"]]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{source}: not JSON with pairs under 'mapping'") from error


def _pairs(text: str, problem: MatchingProblem) -> list[Pair] | None:
    """Return the pairs whose variables are true, or None if no variable is mentioned at all."""
    lines = text.splitlines()
    words = [word for line in lines if line.startswith("v ") for word in line[2:].split()]
    if words:
        return list(_from_literals(words, problem))
    values = [match.groups() for line in lines for match in _VALUE.finditer(line)]
    if not values:
        return None
    by_name = {f"v_{i}_{j}": (i, j) for i, j in problem.candidates}
    by_name |= {f"x{k}": pair for k, pair in enumerate(problem.candidates, start=1)}
    return [by_name[name] for name, value in values if name in by_name and float(value) > 0.5]


def _from_literals(words: Iterable[str], problem: MatchingProblem) -> Iterator[Pair]:
    bits = "".join(words)
    if _BITS.fullmatch(bits):
        yield from compress(problem.candidates, map(int, bits))
        return
    for literal in map(_LITERAL.fullmatch, words):
        variable = int(literal[1]) if literal is not None else 0
        if 0 < variable <= len(problem.candidates):
            yield problem.candidates[variable - 1]
