"""Map variables with equal labels in the time of a look at each triple, where no more is left.

Variables with the same labels around them are mapped in their order. So a graph is mapped to itself
by the identity. Variables that are left are mapped if they have one label in common, the rarest
labels first. Images of neighbours do not count.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from exactmatch.problem import Pair
from exactmatch.problem.joining import Occurrences, credit

#: For each label of the left side, the labels of the right side that it matches, and the value.
_Worths = Mapping[tuple[str, ...], Sequence[tuple[tuple[str, ...], int]]]

#: A label and a place in its triples, as one number.
_Code = int


def map_equal_labels(
    left: Occurrences,
    right: Occurrences,
    left_keys: Sequence[Sequence[str]],
    right_keys: Sequence[Sequence[str]],
    allows: Callable[[Pair], bool],
) -> dict[int, int]:
    """Return a one-to-one mapping of the variables, by position.

    The keys of variables restrict mappings: only pairs that *allows* accepts are mapped.
    """
    numbers = {label: number for number, label in enumerate(dict.fromkeys((*left, *right)))}
    ours, theirs = (
        _codes(side, numbers, len(keys)) for side, keys in ((left, left_keys), (right, right_keys))
    )
    mapping: dict[int, int] = {}
    taken: set[int] = set()

    def take(lefts: Sequence[int], rights: Sequence[int]) -> None:
        free = (j for j in rights if j not in taken)
        for i, j in zip((i for i in lefts if i not in mapping), free, strict=False):
            if allows((i, j)):
                mapping[i] = j
                taken.add(j)

    alike = _by_look(theirs, right_keys)
    for look, lefts in _by_look(ours, left_keys).items():
        take(lefts, alike.get(look, ()))
    if len(mapping) < min(len(left_keys), len(right_keys)):
        with_code = _by_code(theirs, taken)
        groups = [
            (lefts, with_code[code])
            for code, lefts in _by_code(ours, mapping).items()
            if code in with_code
        ]
        for lefts, rights in sorted(groups, key=lambda group: len(group[0]) * len(group[1])):
            take([*dict.fromkeys(lefts)], [*dict.fromkeys(rights)])
    return mapping


def value_of(
    mapping: Mapping[int, int],
    left: Occurrences,
    right: Occurrences,
    worths: _Worths,
    duplicates: str,
) -> int:
    """Return the score of a one-to-one *mapping* of positions."""
    value = 0
    for label, ours in left.items():
        for other, worth in worths[label]:
            if other not in right:
                continue
            wanted = {tuple(variables): times for times, *variables in right[other]}
            for times, *variables in ours:
                others = wanted.get(tuple([mapping.get(i, -1) for i in variables]))
                if others is not None:
                    value += worth * credit(times, others, duplicates)
    return value


def _codes(
    side: Occurrences, numbers: Mapping[tuple[str, ...], int], n_variables: int
) -> list[list[_Code]]:
    """Return, for each variable, the codes of the triples around it, sorted."""
    codes: list[list[_Code]] = [[] for _ in range(n_variables)]
    for label, triples in side.items():
        for _, *variables in triples:
            for place, variable in enumerate(variables):
                codes[variable].append(numbers[label] + place * len(numbers))
    for of_variable in codes:
        of_variable.sort()
    return codes


def _by_look(
    codes: Sequence[Sequence[_Code]], keys: Sequence[Sequence[str]]
) -> Mapping[object, list[int]]:
    """Return the variables with the same codes and keys, in order; all have a code."""
    looks: defaultdict[object, list[int]] = defaultdict(list)
    for variable, (of_variable, its_keys) in enumerate(zip(codes, keys, strict=True)):
        if of_variable:
            looks[tuple(of_variable), tuple(its_keys)].append(variable)
    return looks


def _by_code(codes: Sequence[Sequence[_Code]], mapped: object) -> Mapping[_Code, list[int]]:
    """Return the variables that are not *mapped* by each of their codes."""
    found: defaultdict[_Code, list[int]] = defaultdict(list)
    for variable, of_variable in enumerate(codes):
        if variable not in mapped:  # type: ignore[operator]
            for code in of_variable:
                found[code].append(variable)
    return found
