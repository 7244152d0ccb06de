"""Pairs of small random UMR files, on which other programs have also been run.

Names of variables recur in several documents, tokens are shared, and there are few concepts, roles
and values, so that many mappings compete. Only `random.Random.random` is used, since its numbers
are the same for a seed in all versions of Python.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

_Value = TypeVar("_Value")

_CONCEPTS = ("person", "say-01", "say-02", "go", "goal", "name", "and", "have-mod-91")
_ROLES = ("ARG0", "ARG1", "ARG0-of", "op1", "op2", "mod")
_CONSTANTS = ("plural", "-", "3", '"Go"', '"go on"')
_WORDS = ("Person", "goal", "and", "went")
_RELATIONS = {
    "temporal": ("before", "after", "overlap", "contained", "depends-on"),
    "modal": ("full-affirmative", "full-negative"),
    "coref": ("same-entity", "same-event", "subset-of"),
}


def random_pair(seed: int, *, ranges: int = 2) -> tuple[str, str]:
    """Return two files, system and gold standard; a surface alignment has up to *ranges*."""
    pick = _Pick(seed)
    numbers: list[int] = []
    for _ in range(1 + pick.below(4)):
        keeps_errors = bool(numbers) and pick.below(4) > 0
        numbers.append(numbers[-1] + 1 if keeps_errors else 1)
    words = [[pick.of(_WORDS) for _ in range(1 + pick.below(4))] for _ in numbers]
    gold, system = (_file(pick, numbers, words, ranges) for _ in range(2))
    if pick.below(2):
        system = gold.replace(":ARG0 ", ":ARG1 ").replace("say-01", "say-02")
    return system, gold


class _Pick:
    """Choices, from a generator of their own."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, number: int) -> int:
        return int(self._random() * number)

    def of(self, values: Sequence[_Value]) -> _Value:
        return values[self.below(len(values))]


def _file(pick: _Pick, numbers: list[int], words: list[list[str]], ranges: int) -> str:
    text, known = "", ["author", "root"]
    for number, tokens in zip(numbers, words, strict=True):
        names = [f"s{number}{letter}" for letter in "abcdefg"[: 1 + pick.below(7)]]
        known = [*known[-6:], *names]
        text += f"# :: snt{number}\nWords: {' '.join(tokens)}\n\n# sentence level graph:\n"
        text += f"{_graph(pick, names)}\n\n# alignment:\n{_surface(pick, names, tokens, ranges)}\n"
        text += f"# document level annotation:\n(s{number}s0 / sentence{_level(pick, known)})\n\n\n"
    return text


def _graph(pick: _Pick, names: list[str]) -> str:
    below: dict[str, list[str]] = {name: [] for name in names}
    for position, name in enumerate(names[1:], start=1):
        below[names[pick.below(position)]].append(name)

    def node(name: str) -> str:
        parts = [f" :{pick.of(_ROLES)} {node(other)}" for other in below[name]]
        if pick.below(3) == 0:
            parts.append(f" :ARG2 {pick.of(names)}")
        if pick.below(2) == 0:
            parts.append(f" :{pick.of(('op1', 'quant', 'aspect'))} {pick.of(_CONSTANTS)}")
        return f"({name} / {pick.of(_CONCEPTS)}{''.join(parts)})"

    return node(names[0])


def _surface(pick: _Pick, names: list[str], tokens: list[str], ranges: int) -> str:
    lines = ""
    for name in names:
        starts = [1 + pick.below(len(tokens)) for _ in range(1 + pick.below(ranges))]
        found = ", ".join(f"{start}-{start}" for start in starts)
        lines += f"{name}: {'0-0' if pick.below(4) == 0 else found}\n"
    return lines


def _level(pick: _Pick, known: list[str]) -> str:
    text = ""
    for block, relations in _RELATIONS.items():
        triples = [
            f"({pick.of(known)} :{pick.of(relations)} {pick.of(known)})"
            for _ in range(pick.below(4))
        ]
        if triples:
            text += f"\n    :{block} ({' '.join(triples)})"
    return text
