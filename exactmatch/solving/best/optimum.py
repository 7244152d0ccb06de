"""A solved problem, and how its best mappings may still differ.

*Ruled out*: a candidate is in no best mapping if the reduced costs of the proof's root show that
mappings with it score less (the sieve of `exactmatch.certificate.checker`). Candidates that are
left are called open.

*Contracted*: an open candidate that shares no variable with another open one, and has a score of
its own, is in every best mapping, since it could be added to any other. One without a score of its
own can be added, too, without making a mapping worse. If either is taken as given, the terms that
hold it become smaller.

*Blocks*: the rest divides into parts that share no variable. A mapping is best if it is best in
each of them.

*Tightened*: a proof of a score may stop as soon as its bound is less than 1 above it, but reduced
costs rule out more pairs if the bound is lower. So a large block gets a dual of its own, which
lowers the bound as far as it can.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from exactmatch.certificate import proof_check
from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.proof import Leaf
from exactmatch.solving.dual.branch_and_bound import Proof
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.kernel import relax
from exactmatch.solving.strategy import Solution
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: A block of so many candidates gets a dual of its own.
_MANY = 15
#: A larger block would take long, and nobody would visit all of its best mappings.
_TOO_MANY = 1000
#: Iterations of that dual, at each pace, twice.
_ITERATIONS = 300

_NEVER = Deadline()

#: Terms without order: the pairs that each needs, and its weight.
Weights = Mapping[tuple[Pair, ...], int]

#: Solves a problem, from a mapping to start from. Raises `OutOfTime`.
Solve = Callable[[MatchingProblem, Mapping[int, int]], Solution]


class Undecided(Exception):  # noqa: N818
    """The limits do not allow an answer about all best mappings."""


class ProblemBlock(NamedTuple):
    """A part of a problem that shares no variable with the rest.

    weights: its terms. mapping: a best mapping of it, which scores *value*.
    """

    weights: Weights
    mapping: dict[int, int]
    value: int

    @property
    def lefts(self) -> list[int]:
        """Its left variables, in order."""
        return sorted({left for pairs in self.weights for left, _ in pairs})


class Optimum:
    """A problem whose best mappings score *value*, one of them being *mapping*.

    solve: finds mappings and proofs of smaller problems, before *deadline*.
    """

    def __init__(
        self,
        problem: MatchingProblem,
        solution: Solution,
        solve: Solve,
        deadline: Deadline = _NEVER,
    ) -> None:
        self.problem = problem
        self.value = solution.lower
        self.mapping = solution.mapping
        self.solve = solve
        self.deadline = deadline
        self._proof = solution.proof

    @property
    def sides(self) -> tuple[int, int]:
        """The numbers of left and right variables."""
        return self.problem.n_left, self.problem.n_right

    @property
    def has_no_rivals(self) -> bool:
        """Whether no two of the candidates that are left share a variable."""
        return len(self.granted) == len(self.open)

    @property
    def is_settled(self) -> bool:
        """Whether all best mappings score the same terms."""
        return not self.blocks

    @cached_property
    def all_terms(self) -> frozenset[tuple[Pair, ...]]:
        """The pairs that each term of the problem needs."""
        return frozenset(pairs for _, pairs in self.problem.terms)

    @cached_property
    def open(self) -> frozenset[Pair]:
        """The candidates that are not ruled out."""
        return frozenset(self.problem.candidates) - self.ruled_out

    @cached_property
    def weights(self) -> Weights:
        """The terms that a best mapping may score."""
        return {
            pairs: weight for weight, pairs in self.problem.terms if self.open.issuperset(pairs)
        }

    @cached_property
    def granted(self) -> dict[int, int]:
        """Open candidates that share no variable: any best mapping can include them."""
        return dict(_without_rivals(self.open))

    @cached_property
    def blocks(self) -> tuple[ProblemBlock, ...]:
        """The blocks of the rest if the pairs *granted* are taken."""
        if self.has_no_rivals:  # the usual case, which should be fast
            return ()
        return tuple(self._blocks(contracted(self.weights, self.granted)))

    def with_others(
        self, foreign: Collection[tuple[Pair, ...]]
    ) -> tuple[dict[int, int], tuple[ProblemBlock, ...]]:
        """Return pairs of all best mappings, and the blocks if terms of weight 0 are added.

        *foreign* are these terms. Here, only candidates with a score of their own are taken.
        """
        own = {pairs[0] for pairs in self.weights if len(pairs) == 1}
        everything = self.open.union(*foreign)
        certain = dict(_without_rivals(everything) & own)
        terms = {**dict.fromkeys(foreign, 0), **self.weights}
        return certain, tuple(self._blocks(contracted(terms, certain)))

    def _blocks(self, weights: Weights) -> Iterator[ProblemBlock]:
        for terms in _apart(weights):
            pairs = set(chain.from_iterable(terms))
            mapping = {
                left: right for left, right in self.mapping.items() if (left, right) in pairs
            }
            yield ProblemBlock(terms, mapping, value_of(terms, mapping))

    @cached_property
    def ruled_out(self) -> frozenset[Pair]:
        """The candidates that the root of the proof shows to be in no best mapping."""
        if not isinstance(self._proof, Proof):
            return frozenset()
        return _ruled_out(self.problem, self._proof.root, self.value)

    @cached_property
    def _certain_and_blocks(self) -> tuple[dict[int, int], tuple[ProblemBlock, ...]]:
        return self.with_others(())

    @property
    def certain(self) -> dict[int, int]:
        """Open candidates that are in every best mapping, since they share no variable."""
        return self._certain_and_blocks[0]

    @cached_property
    def tight_blocks(self) -> tuple[ProblemBlock, ...]:
        """The blocks of the rest if the pairs that are *certain* are taken, tightened.

        In large blocks, more pairs are ruled out than otherwise, which takes longer.
        """
        return tuple(chain.from_iterable(map(self.tightened, self.loose_blocks)))

    @property
    def loose_blocks(self) -> tuple[ProblemBlock, ...]:
        """The blocks of the rest if the pairs that are *certain* are taken."""
        return self._certain_and_blocks[1]

    def tightened(self, block: ProblemBlock) -> Iterable[ProblemBlock]:
        """Return the rest of a block after ruling out more pairs, if it is large."""
        problem = matching_problem(self.problem, block.weights)
        if len(problem.candidates) < _MANY or problem.n_terms > _TOO_MANY:
            return [block]
        leaf = _low_bound(problem, block.value, self.deadline)
        if leaf is None:
            return [block]
        out = _ruled_out(problem, leaf, block.value)
        return self._blocks({p: w for p, w in block.weights.items() if out.isdisjoint(p)})


def _ruled_out(problem: MatchingProblem, leaf: Leaf, best: int) -> frozenset[Pair]:
    """Return the candidates that *leaf* shows to be in no mapping that scores *best*."""
    arguments = (problem.n_left, problem.n_right, problem.arrays, leaf, best - 1)
    try:
        return proof_check.fixed(*arguments)
    except OverflowError:
        wide = interpreted("exactmatch.certificate.proof_check")
        return frozenset(wide.fixed(*arguments))


def _low_bound(problem: MatchingProblem, best: int, deadline: Deadline) -> Leaf | None:
    """Return the proof of a low bound for a problem whose best mappings score *best*.

    Returns None if *deadline* comes first.
    """
    incumbent = Incumbent(best - 1)
    try:
        descent = Descent(relax(problem, deadline), incumbent, deadline)
        for _ in range(2):
            incumbent.value = best - 1  # otherwise it would stop at the score itself
            descent.converge(_ITERATIONS)
        incumbent.value = best - 1
        descent.fixed()
        return descent.leaf()
    except OutOfTime:
        return None


def value_of(weights: Weights, mapping: Mapping[int, int]) -> int:
    """Return the score of *mapping*."""
    return sum(
        weight
        for pairs, weight in weights.items()
        if all(mapping.get(left) == right for left, right in pairs)
    )


def contracted(weights: Weights, taken: Mapping[int, int]) -> dict[tuple[Pair, ...], int]:
    """Return the terms without the pairs *taken*; terms that need no other pair are left out."""
    remaining: Counter[tuple[Pair, ...]] = Counter()
    for pairs, weight in weights.items():
        remaining[tuple([pair for pair in pairs if taken.get(pair[0]) != pair[1]])] += weight
    remaining.pop((), None)
    return dict(remaining)


def matching_problem(problem: MatchingProblem, weights: Weights) -> MatchingProblem:
    """Return the problem of the variables of *problem* with other terms."""
    terms = [Term(weight, pairs) for pairs, weight in sorted(weights.items())]
    return MatchingProblem(problem.n_left, problem.n_right, terms)


def _without_rivals(pairs: Collection[Pair]) -> set[Pair]:
    """Return those of *pairs* that share no variable with another one."""
    lefts = Counter(left for left, _ in pairs)
    rights = Counter(right for _, right in pairs)
    return {(left, right) for left, right in pairs if lefts[left] == 1 == rights[right]}


def _apart(weights: Weights) -> Iterator[dict[tuple[Pair, ...], int]]:
    """Return the terms of each block, in the order in which their first ones come."""
    blocks: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for pairs in weights:
        variables = [(side, pair[side]) for pair in pairs for side in (0, 1)]
        known = {id(block): block for v in variables if (block := blocks.get(v)) is not None}
        joined = max(known.values(), key=len, default=[])
        for block in known.values():
            if block is not joined:
                joined += block
                blocks.update(dict.fromkeys(block, joined))
        for variable in variables:
            if blocks.get(variable) is not joined:
                joined.append(variable)
                blocks[variable] = joined
    by_block: defaultdict[int, dict[tuple[Pair, ...], int]] = defaultdict(dict)
    for pairs, weight in weights.items():
        by_block[id(blocks[0, pairs[0][0]])][pairs] = weight
    yield from by_block.values()
