"""The least and the most matches of a part of the triples under the best mappings, proven.

Let w be the score and s the matches of the part. A mapping with the highest ``f w + s`` that is
also best for w alone matches the most of the part among all best mappings, for any factor f; and
one with the highest ``f w - s`` the least. If f exceeds the largest possible s, these are best
mappings for w alone. With a smaller f they may not be, which the mapping shows, but if they are,
the proof is far easier. So 2 is tried first.

In ``f w - s``, some terms have a cost. A term costs c if a mapping holds all its pairs. This is the
same as a constant -c and a gain of c as soon as the variable of its last pair is mapped elsewhere,
or nowhere, and all the other pairs are held; and so on for the other pairs. To be mapped nowhere is
to be mapped to an extra variable. So solvers only see problems with `Gains`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.solving.best.optimum import (
    Optimum,
    ProblemBlock,
    Undecided,
    Weights,
    contracted,
    value_of,
)
from exactmatch.solving.best.small_block import TooLarge, visit_best_mappings
from exactmatch.stopping.deadline import Deadline, OutOfTime

_SMALL_FACTOR = 2
#: So many parts are no more than the kinds of triples and subscores of a metric.
_FEW_PARTS = 30
#: If visiting all mappings takes more branches than this, both ends are solved for.
_MOST_BRANCHES = 200


class Witness(NamedTuple):
    """A best mapping, and its matches of a part."""

    matched: int
    mapping: Mapping[int, int]


class Ends(NamedTuple):
    """The least and the most matches of a part under best mappings, with such mappings."""

    least: Witness
    most: Witness


def look(deadline: Deadline, n_parts: int) -> None:
    """Raise `OutOfTime` if *deadline* has come and there are many parts, one for each sentence.

    Of few parts, such as the kinds of triples, what needs no solver is found in any case.
    """
    if n_parts > _FEW_PARTS:
        deadline.check()


def find_ends(optimum: Optimum, parts: Mapping[str, Weights]) -> dict[str, Ends] | None:
    """Return the ends for all *parts*, each given by the terms of its triples.

    The problem itself may lack some of these terms. Returns None if an end is not proven, or time
    ran out.
    """
    known = {name: part for name, part in parts.items() if part.keys() <= optimum.all_terms}
    try:
        ends = _ends(optimum, optimum.granted, optimum.blocks, known)
        for name, part in parts.items():
            if name not in known:
                certain, blocks = optimum.with_others(_possible(optimum, part))
                ends |= _ends(optimum, certain, blocks, {name: part})
    except (OutOfTime, Undecided):
        return None
    return {name: ends[name] for name in parts}


def _possible(optimum: Optimum, part: Weights) -> list[tuple[tuple[int, int], ...]]:
    """Return the terms of *part* that the problem lacks and a best mapping may score."""
    out = optimum.ruled_out
    return [pairs for pairs in part if pairs not in optimum.weights and out.isdisjoint(pairs)]


def _ends(
    optimum: Optimum,
    taken: Mapping[int, int],
    blocks: Iterable[ProblemBlock],
    parts: Mapping[str, Weights],
) -> dict[str, Ends]:
    inside: dict[str, Weights] = {}
    ends: dict[str, list[Ends]] = {}
    for name, part in parts.items():
        look(optimum.deadline, len(parts))
        possible = {p: worth for p, worth in part.items() if optimum.ruled_out.isdisjoint(p)}
        inside[name] = contracted(possible, taken)
        always = Witness(sum(possible.values()) - sum(inside[name].values()), taken)
        ends[name] = [Ends(always, always)]
    for block in blocks:
        look(optimum.deadline, len(parts))
        here = {
            name: {p: terms[p] for p in block.weights if p in terms}
            for name, terms in inside.items()
        }
        for name, its_ends in _block_ends(optimum, block, here).items():
            ends[name].append(its_ends)
    found = {}
    for name, of_blocks in ends.items():
        look(optimum.deadline, len(parts))
        found[name] = Ends(*(_together(witnesses) for witnesses in zip(*of_blocks, strict=True)))
    return found


def _together(witnesses: Iterable[Witness]) -> Witness:
    """Return the mapping of all blocks: adding them one by one would copy it for each block."""
    matched = 0
    mapping: dict[int, int] = {}
    for witness in witnesses:
        matched += witness.matched
        mapping.update(witness.mapping)
    return Witness(matched, mapping)


def _block_ends(
    optimum: Optimum, block: ProblemBlock, parts: Mapping[str, Weights]
) -> dict[str, Ends]:
    """Return the ends for all *parts* of a block; if two add up to the score, one gives both."""
    same = Witness(0, block.mapping)
    ends = {name: Ends(same, same) for name in parts}
    varying = [name for name, part in parts.items() if part]
    with suppress(TooLarge):
        return {**ends, **_looked_up(block, {name: parts[name] for name in varying})}
    if varying and len(varying) <= 2 and _make_up(block, [parts[name] for name in varying]):
        first, *second = varying
        if not second:
            all_of_it = Witness(block.value, block.mapping)
            return {**ends, first: Ends(all_of_it, all_of_it)}
        least, most = _solved(optimum, block, parts[first])
        return {
            **ends,
            first: Ends(least, most),
            second[0]: Ends(_rest(block, most), _rest(block, least)),
        }
    return {**ends, **{name: _solved(optimum, block, parts[name]) for name in varying}}


def _looked_up(block: ProblemBlock, parts: Mapping[str, Weights]) -> dict[str, Ends]:
    """Return the ends by visiting all best mappings; raise `TooLarge` if there are many."""
    witnesses: dict[str, list[Witness]] = {name: [] for name in parts}

    def visit(mapping: dict[int, int]) -> None:
        for name, part in parts.items():
            ends, matched = witnesses[name], value_of(part, mapping)
            if not ends:
                ends[:] = 2 * [Witness(matched, mapping.copy())]
            elif matched < ends[0].matched:
                ends[0] = Witness(matched, mapping.copy())
            elif matched > ends[1].matched:
                ends[1] = Witness(matched, mapping.copy())

    visit_best_mappings(block, visit, _MOST_BRANCHES)
    return {name: Ends(*ends) for name, ends in witnesses.items()}


def _make_up(block: ProblemBlock, parts: list[Weights]) -> bool:
    """Tell whether the counts of *parts* add up to the score."""
    return all(sum(p.get(t, 0) for p in parts) == worth for t, worth in block.weights.items())


def _rest(block: ProblemBlock, witness: Witness) -> Witness:
    return Witness(block.value - witness.matched, witness.mapping)


def _solved(optimum: Optimum, block: ProblemBlock, part: Weights) -> Ends:
    most = _end(optimum, block, part, 1)
    return Ends(_end(optimum, block, part, -1), most)


def _end(optimum: Optimum, block: ProblemBlock, part: Weights, sign: int) -> Witness:
    """Return the largest of *sign* times the matches of *part* under best mappings of the block."""
    enough = sum(part.values()) + 1
    for factor in sorted({min(_SMALL_FACTOR, enough), enough}):
        combined = {
            pairs: factor * weight + sign * part.get(pairs, 0)
            for pairs, weight in block.weights.items()
        }
        made = gains(*optimum.sides, combined)
        solution = optimum.solve(made.problem, block.mapping)
        if not solution.is_optimal:
            raise Undecided
        mapping = made.undo(solution.mapping)
        if value_of(block.weights, mapping) == block.value:
            return Witness(sign * (solution.lower + made.offset - factor * block.value), mapping)
    raise VerificationError("a best mapping scores less than another one")


class Gains(NamedTuple):
    """A problem with gains only.

    The score of a mapping in the problem with costs is that of the best mapping which extends it by
    variables from *n_right* on in *problem*, plus *offset*.
    """

    problem: MatchingProblem
    n_right: int
    offset: int

    def undo(self, mapping: Mapping[int, int]) -> dict[int, int]:
        """Return the part of *mapping* that belongs to the problem with costs."""
        return {left: right for left, right in mapping.items() if right < self.n_right}


def gains(n_left: int, n_right: int, weights: Mapping[tuple[Pair, ...], int]) -> Gains:
    """Return the problem of the terms *weights*, some of which may be negative."""
    gain_of = Counter({pairs: weight for pairs, weight in weights.items() if weight})
    costly = [pairs for pairs, weight in gain_of.items() if weight < 0]
    if costly:
        _replace_costs(gain_of, n_right)
    offset = gain_of.pop((), 0)
    terms = [Term(weight, pairs) for pairs, weight in sorted(gain_of.items()) if weight]
    return Gains(
        MatchingProblem(n_left, n_right + (n_left if costly else 0), terms), n_right, offset
    )


def _replace_costs(gain_of: Counter[tuple[Pair, ...]], n_right: int) -> None:
    images: defaultdict[int, set[int]] = defaultdict(set)
    for pairs in gain_of:
        for left, right in pairs:
            images[left].add(right)
    for size in range(max(map(len, gain_of)), 0, -1):
        for pairs in [pairs for pairs in gain_of if len(pairs) == size]:
            cost = gain_of[pairs]
            if cost >= 0:
                continue
            del gain_of[pairs]
            *rest, (left, right) = pairs
            gain_of[tuple(rest)] += cost
            taken = {its_right for _, its_right in rest}
            for other in {*images[left], n_right + left} - {right} - taken:
                gain_of[tuple(sorted([*rest, (left, other)]))] -= cost
