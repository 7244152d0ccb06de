"""List best mappings in an order that only depends on the two graphs.

A mapping is listed by its pairs that take part in a match, since others can come and go. Mappings
are ordered by the images of the first left variable, then of the second one, and so on; no image
comes last. The *defined* mapping is the first of all best ones.

Each block has an order of its own, and the first mappings of the whole combine first mappings of
the blocks.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from exactmatch.errors import VerificationError
from exactmatch.solving.best.backbone import backbone_of
from exactmatch.solving.best.cases import all_of_block, holding, solved, taking_part, without
from exactmatch.solving.best.optimum import Optimum, ProblemBlock, Undecided, Weights
from exactmatch.solving.best.small_block import TooLarge, visit_best_mappings

#: Blocks with more left variables are not searched, since the search is recursive.
_MOST_VARIABLES = 400
#: The most problems that are solved for a block before its mappings are called too many.
_MOST_SOLVED = 20_000
#: A block is small if visiting all of its mappings takes at most so many branches.
_MOST_BRANCHES = 2000
#: A block that takes no more does not need a dual of its own.
_FEW_BRANCHES = 100


class Listing(NamedTuple):
    """The first best *mappings*, and whether these are all."""

    mappings: list[dict[int, int]]
    are_all: bool


def first_best_mappings(optimum: Optimum, limit: int) -> Listing:
    """Return the first *limit* best mappings, or all if there are fewer.

    Raises `Undecided` if the solver leaves a gap or the search is too large, and `OutOfTime`.
    """
    certain, blocks = optimum.certain, optimum.tight_blocks
    lists = [_first_of_block(optimum, block, limit + 1) for block in blocks]
    states = [lists]  # for each beginning, the mappings of every block with that beginning
    place = {left: b for b, block in enumerate(blocks) for left in block.lefts}
    for left in sorted(place):
        states = [state for before in states for state in _mapped(before, place[left], left)]
        del states[limit + 1 :]
    found = []
    for state in states[:limit]:
        mapping = dict(certain)
        for (of_block,) in state:
            mapping.update(of_block)
        found.append(dict(sorted(mapping.items())))
    return Listing(found, len(states) <= limit)


#: By block, mappings of it.
_State = list[list[dict[int, int]]]


def _mapped(state: _State, b: int, left: int) -> Iterator[_State]:
    """Yield the rest of *state* for each image of *left*, a variable of block *b*, in order."""
    images = {mapping.get(left) for mapping in state[b]}
    for image in sorted(images, key=_place):
        chosen = [mapping for mapping in state[b] if mapping.get(left) == image]
        yield [*state[:b], chosen, *state[b + 1 :]]


def _place(image: int | None) -> tuple[bool, int]:
    return image is None, image or 0


def defined_mapping(optimum: Optimum) -> dict[int, int]:
    """Return the first best mapping, which is faster than listing several.

    Raises as `first_best_mappings` does.
    """
    if optimum.has_no_rivals:  # the best mappings score all remaining terms
        return dict(sorted({pair for pairs in optimum.weights for pair in pairs}))
    found = dict(optimum.certain)
    for block in optimum.loose_blocks:
        first = _found_at_once(block, _FEW_BRANCHES)
        if first is None:
            for part in optimum.tightened(block):
                found.update(_defined_of_block(optimum, part))
        else:
            found.update(first)
    return dict(sorted(found.items()))


class _Found(Exception):  # noqa: N818
    """The mapping was found."""


def _defined_of_block(optimum: Optimum, block: ProblemBlock) -> dict[int, int]:
    first = _found_at_once(block, _MOST_BRANCHES)
    return next(_OrderedSearch(optimum, block).mappings()) if first is None else first


def _found_at_once(block: ProblemBlock, most_branches: int) -> dict[int, int] | None:
    """Return the first best mapping of a block; None if that takes more branches."""

    def visit(mapping: dict[int, int]) -> None:
        if len(taking_part(block.weights, mapping)) == len(mapping):
            raise _Found(mapping.copy())

    try:
        visit_best_mappings(block, visit, most_branches, in_order=True)
    except _Found as found:
        mapping: dict[int, int] = found.args[0]
        return mapping
    except TooLarge:
        return None
    raise VerificationError("a block has no best mapping")


def _first_of_block(optimum: Optimum, block: ProblemBlock, limit: int) -> list[dict[int, int]]:
    try:
        return _sorted(block, all_of_block(block, _MOST_BRANCHES))[:limit]
    except TooLarge:
        return _first_of_large(optimum, block, limit)


def _first_of_large(optimum: Optimum, block: ProblemBlock, limit: int) -> list[dict[int, int]]:
    """Return the first best mappings of a block, without the pairs that are in none."""
    some = backbone_of(optimum, block).some
    weights = {pairs: w for pairs, w in block.weights.items() if some.issuperset(pairs)}
    smaller = ProblemBlock(weights, block.mapping, block.value)
    try:
        return _sorted(smaller, all_of_block(smaller, _MOST_BRANCHES))[:limit]
    except TooLarge:
        return list(islice(_OrderedSearch(optimum, smaller).mappings(), limit))


def _sorted(block: ProblemBlock, mappings: list[dict[int, int]]) -> list[dict[int, int]]:
    lefts = block.lefts
    return sorted(mappings, key=lambda mapping: [_place(mapping.get(left)) for left in lefts])


class _OrderedSearch:
    """The best mappings of a block that is too large to visit all of its mappings."""

    def __init__(self, optimum: Optimum, block: ProblemBlock) -> None:
        self._optimum = optimum
        self._block = block
        self._lefts = block.lefts
        if len(self._lefts) > _MOST_VARIABLES:
            raise Undecided
        self._images: dict[int, list[int]] = {
            left: sorted({r for pairs in block.weights for i, r in pairs if i == left})
            for left in self._lefts
        }
        self._solved = 0

    def mappings(self) -> Iterator[dict[int, int]]:
        """Yield them in order."""
        for mapping in self._extended(0, {}, self._block.weights, self._block.value):
            if len(taking_part(self._block.weights, mapping)) == len(mapping):
                yield mapping

    def _extended(
        self, place: int, mapping: dict[int, int], rest: Weights, missing: int
    ) -> Iterator[dict[int, int]]:
        """Yield the best mappings that begin with *mapping*, where *rest* can still be scored."""
        if place == len(self._lefts):
            yield dict(mapping)
            return
        left = self._lefts[place]
        for right in self._images[left]:
            if not any((left, right) in pairs for pairs in rest):
                continue
            held, gained = holding(rest, {left: right})
            if self._can_score(held, missing - gained):
                extended = {**mapping, left: right}
                yield from self._extended(place + 1, extended, held, missing - gained)
        dropped = without(rest, lambda pair: pair[0] == left)
        if self._can_score(dropped, missing):
            yield from self._extended(place + 1, mapping, dropped, missing)

    def _can_score(self, weights: Weights, value: int) -> bool:
        """Tell whether a mapping scores *value*, which is the largest possible score."""
        self._solved += 1
        if self._solved > _MOST_SOLVED:
            raise Undecided
        return solved(self._optimum, weights).lower == value
