"""Grow a mapping along the edges of both graphs, for problems with too many terms.

The mapping grows from a pair of variables with unusual similarity, by the pair among the neighbours
of mapped pairs that adds most to its score. When it cannot grow further, it continues from the next
seed. Then images are exchanged, a few at a time, while that gains. This is seed and extend, a
known method for matching large networks. Variables are similar if refining their colours does not
separate them (Weisfeiler and Leman 1968).

Everything is counted in triples, never in pairs of triples: if many triples of one variable could
match many of the other, only some pairs are examined.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product

from exactmatch.problem import Pair
from exactmatch.problem.compact import CompactProblem, Occurrence
from exactmatch.stopping.deadline import Deadline, OutOfTime

_FREE = -1
#: The part of the time for refining colours.
_LOOKING = 0.4
#: All pairs of similar variables are seeds, if there are at most so many of a colour.
_FEW = 25
#: The number of refinements: similar variables are so up to this distance.
_ROUNDS = 4
#: The number of pairs of triples of a kind that are examined around two variables; if there are
#: more, the most similar ones, as many as there are triples.
_MOST_PAIRS = 100
#: The number of other images of a variable that are tried for each triple.
_MOST_IMAGES = 8
#: The number of consecutive exchanges before the whole has to gain.
_CHAIN = 3
#: Steps between two looks at the clock, and triples or variables if each is fast.
_INTERVAL = 64
_MANY = 10_000

#: A kind of triples, and the place of a variable in them.
_Place = tuple[int, int]


def grow_mapping(
    problem: CompactProblem, deadline: Deadline, most_looked_at: int
) -> dict[int, int]:
    """Return a good one-to-one mapping of the variables, by position.

    Up to *most_looked_at* triples are examined to exchange images. The result is deterministic,
    unless *deadline* cuts the search short: then it is the mapping found by then.
    """
    try:
        growth = _Growth(problem, deadline)
    except OutOfTime:
        return {}
    growth.grow()
    growth.exchange(most_looked_at)
    return growth.mapping()


@dataclass(frozen=True, slots=True)
class _Triple:
    """An occurrence, and its kind."""

    kind: int
    variables: tuple[int, ...]
    times: int


class _Graph:
    """The triples of one graph, around each variable by kind and place."""

    def __init__(
        self, n_variables: int, groups: Sequence[Sequence[Occurrence]], deadline: Deadline
    ) -> None:
        """Raises `OutOfTime` if *deadline* comes first."""
        self.around: list[defaultdict[_Place, list[_Triple]]]
        self.around = [defaultdict(list) for _ in range(n_variables)]
        looked_at = 0
        for kind, group in enumerate(groups):
            for variables, times in group:
                looked_at += 1
                if looked_at % _MANY == 0:
                    deadline.check()
                triple = _Triple(kind, variables, times)
                for place, variable in enumerate(variables):
                    self.around[variable][kind, place].append(triple)
        self.degrees = [sum(map(len, places.values())) for places in self.around]


class _Colours:
    """The colours of the variables of both graphs, refined from their own triples."""

    def __init__(self, problem: CompactProblem) -> None:
        self._worth = [kind.worth * kind.is_equal for kind in problem.kinds]
        #: By round, and then for both graphs by variable.
        self.rounds: list[list[list[int]]] = []
        #: By round and colour: which triples are around a variable of this colour, and how often.
        self._looks: list[list[Counter[tuple[int, ...]]]] = []
        self._known: dict[Pair, int] = {}

    def refine(self, graphs: Sequence[_Graph], deadline: Deadline) -> None:
        """Add a round: separate variables with triples to different colours.

        Raises `OutOfTime`, and adds none, if *deadline* comes first.
        """
        numbers: dict[tuple[tuple[int, ...], ...], int] = {}
        colours: list[list[int]] = []
        for side, graph in enumerate(graphs):
            colours.append([])
            for variable in range(len(graph.around)):
                if variable % _MANY == _MANY - 1:
                    deadline.check()
                look = self._look(graph, side, variable)
                colours[side].append(numbers.setdefault(look, len(numbers)))
        self.rounds.append(colours)
        self._looks.append([Counter(look) for look in numbers])

    def _look(self, graph: _Graph, side: int, variable: int) -> tuple[tuple[int, ...], ...]:
        before = self.rounds[-1][side] if self.rounds else None
        look = []
        for (kind, place), triples in graph.around[variable].items():
            if not self._worth[kind]:
                continue
            for triple in triples:
                if before is not None:
                    others = [before[v] for v in triple.variables]
                    look.append((kind, place, triple.times, *others))
                elif len(triple.variables) == 1:
                    look.append((kind, place, triple.times))
        return tuple(sorted(look))

    def likeness(self, i: int, j: int) -> int:
        """Return the worth of the triples around *i* and *j* that are similar, over all rounds."""
        last = self.rounds[-1]
        key = last[0][i], last[1][j]
        if key not in self._known:
            self._known[key] = sum(
                self._in_common(looks[colours[0][i]], looks[colours[1][j]])
                for looks, colours in zip(self._looks, self.rounds, strict=True)
            )
        return self._known[key]

    def _in_common(self, one: Counter[tuple[int, ...]], other: Counter[tuple[int, ...]]) -> int:
        if len(one) > len(other):
            one, other = other, one
        return sum(
            self._worth[key[0]] * min(n, other[key]) for key, n in one.items() if key in other
        )


class _Growth:
    """A mapping in both directions, that only ever holds one-to-one pairs."""

    def __init__(self, problem: CompactProblem, deadline: Deadline) -> None:
        self._problem = problem
        self._deadline = deadline
        self._left = _Graph(problem.n_left, [kind.left for kind in problem.kinds], deadline)
        self._right = _Graph(problem.n_right, [kind.right for kind in problem.kinds], deadline)
        self._wanted = [dict(kind.right) for kind in problem.kinds]
        self.of_left = [_FREE] * problem.n_left
        self.of_right = [_FREE] * problem.n_right
        self._colours = _Colours(problem)
        self._gains: dict[Pair, int] = {}
        self._frontier: list[tuple[int, int, int, int]] = []
        self._looked_at = 0

    def mapping(self) -> dict[int, int]:
        """Return the pairs that contribute to the score."""
        return {i: j for i, j in enumerate(self.of_left) if j != _FREE and self._value(i, _FREE)}

    def grow(self) -> None:
        """Map as much as possible, from one seed after the other."""
        looking = self._deadline.share(_LOOKING)
        with suppress(OutOfTime):
            for _ in range(_ROUNDS + 1):
                looking.check()
                self._colours.refine((self._left, self._right), self._deadline)
        if not self._colours.rounds or self._deadline.passed():
            return
        classes = self._look_alikes()
        for lefts, rights in classes:
            if len(lefts) * len(rights) <= _FEW and not self._deadline.passed():
                for pair in product(lefts, rights):
                    self._add_gain(pair, 0)
        self._follow()
        for seed in self._seeds(classes):
            self._accept(*seed)
            self._follow()

    def _follow(self) -> None:
        """Add pairs of the frontier, the best first, until there are none."""
        steps = 0
        while self._frontier:
            steps += 1
            if steps % _INTERVAL == 0 and self._deadline.passed():
                return
            *_, i, j = heappop(self._frontier)
            if self._are_free(i, j):
                self._accept(i, j)

    def _are_free(self, i: int, j: int) -> bool:
        return self.of_left[i] == _FREE == self.of_right[j]

    def _seeds(self, classes: Sequence[tuple[list[int], list[int]]]) -> Iterator[Pair]:
        """Yield free pairs of similar variables, the rarest first."""
        for lefts, rights in classes:
            free = iter(rights)
            for i in lefts:
                if self._deadline.passed():
                    return
                if self.of_left[i] == _FREE:
                    j = next((j for j in free if self.of_right[j] == _FREE), None)
                    if j is None:
                        break
                    yield i, j

    def _look_alikes(self) -> list[tuple[list[int], list[int]]]:
        """Return classes of variables: of one colour in some round, or with one equal triple."""
        alike = []
        for number, colours in enumerate(self._colours.rounds):
            sides = []
            for side in colours:
                members = defaultdict(list)
                for variable, colour in enumerate(side):
                    members[colour].append(variable)
                sides.append(members)
            alike += [(number, sides[0][c], sides[1][c]) for c in sides[0] if c in sides[1]]
        for _, system, gold, _ in self._problem.kinds:
            if len(system[0].variables) == 1:
                lefts, rights = (
                    [triple.variables[0] for triple in side] for side in (system, gold)
                )
                alike.append((-1, sorted(lefts), sorted(rights)))
        alike.sort(key=lambda entry: (len(entry[1]) * len(entry[2]), -entry[0]))
        return [(lefts, rights) for _, lefts, rights in alike]

    def _accept(self, i: int, j: int) -> None:
        """Add a free pair, and update the gains of the pairs around it."""
        self.of_left[i], self.of_right[j] = j, i
        around = self._right.around[j]
        for (kind, place), triples in self._left.around[i].items():
            if self._problem.kinds[kind].size > 1 and (kind, place) in around:
                triples = [triple for triple in triples if self._has_free(triple, self.of_left)]
                others = around[kind, place]
                others = [triple for triple in others if self._has_free(triple, self.of_right)]
                for triple, other in self._likely(triples, others):
                    self._note(triple, other)

    @staticmethod
    def _has_free(triple: _Triple, images: Sequence[int]) -> bool:
        return any(images[v] == _FREE for v in triple.variables)

    def _likely(
        self, triples: Sequence[_Triple], others: Sequence[_Triple]
    ) -> Iterator[tuple[_Triple, _Triple]]:
        """Yield all pairs of triples or, if there are too many, those that look alike in order."""
        if len(triples) * len(others) <= _MOST_PAIRS:
            for triple in triples:
                for other in others:
                    yield triple, other
            return
        for lefts, rights in reversed(self._colours.rounds):
            waiting = defaultdict(list)
            for other in reversed(others):
                waiting[tuple([rights[v] for v in other.variables])].append(other)
            rest = []
            for triple in triples:
                same = waiting.get(tuple([lefts[v] for v in triple.variables]))
                if same:
                    yield triple, same.pop()
                else:
                    rest.append(triple)
            triples, others = rest, [other for group in waiting.values() for other in group]
        yield from zip(triples, others, strict=False)

    def _note(self, triple: _Triple, other: _Triple) -> None:
        """Record the gain for all free pairs that would map *triple* to *other*."""
        pairs = list(zip(triple.variables, other.variables, strict=True))
        missing = [(i, j) for i, j in pairs if self.of_left[i] != j]
        if not all(self._are_free(i, j) for i, j in missing):
            return
        worth = self._problem.kinds[triple.kind].worth
        gain = worth * self._problem.credit(triple.times, other.times)
        for pair in missing:
            # An triple that lacks several pairs will be noted again, once it lacks one less.
            self._add_gain(pair, gain // len(missing))

    def _add_gain(self, pair: Pair, gain: int) -> None:
        """Record that a free *pair* would add so much more, and put it into the frontier."""
        known = self._gains.get(pair)
        if known is not None and gain == 0:
            return
        self._gains[pair] = known = gain + (self._own_worth(*pair) if known is None else known)
        heappush(self._frontier, (-known, -self._colours.likeness(*pair), *pair))

    def _own_worth(self, i: int, j: int) -> int:
        """Return the gain of the pair by triples of these variables alone."""
        kinds, credit = self._problem.kinds, self._problem.credit
        total = 0
        others = self._right.around[j]
        for (kind, place), triples in self._left.around[i].items():
            if kinds[kind].size == 1 and (kind, place) in others:
                total += kinds[kind].worth * credit(triples[0].times, others[kind, place][0].times)
        return total

    def exchange(self, most_looked_at: int) -> None:
        """Exchange images while that gains and the limit is not reached."""
        gained = True
        while gained:
            gained = False
            for i in range(self._problem.n_left):
                for j in self._other_images(i):
                    if self._looked_at > most_looked_at or self._deadline.passed():
                        return
                    gained |= self._try(i, j)

    def _other_images(self, i: int) -> list[int]:
        """Return the images at which some more triples around *i* would match."""
        images: dict[int, None] = {}
        for (kind, place), triples in self._left.around[i].items():
            for triple in triples[:_MOST_IMAGES]:
                for k, variable in enumerate(triple.variables):
                    image = self.of_left[variable]
                    if k != place and image != _FREE:
                        others = self._right.around[image].get((kind, k), [])
                        images.update((o.variables[place], None) for o in others[:_MOST_IMAGES])
        return list(images)

    def _try(self, i: int, j: int) -> bool:
        """Map *i* to *j*, and some variables around *i* to ones around *j*, if that gains.

        The variable that had the image takes the one that *i* gives up.
        """
        gain = 0
        done: list[tuple[int, int, int, int]] = []
        waiting = [(0, i, j)]
        while waiting and len(done) < _CHAIN:
            _, i, j = heappop(waiting)
            old, rival = self.of_left[i], self.of_right[j]
            if old == j or any(i == entry[0] for entry in done):
                continue
            gain -= self._value(i, rival)
            self._set(i, j, rival, old)
            gain += self._value(i, rival)
            if gain > 0:
                return True
            done.append((i, old, rival, j))
            for k, other in self._pairs_around(i, j):
                heappush(waiting, (-self._colours.likeness(k, other), k, other))
        for entry in reversed(done):
            self._set(*entry)
        return False

    def _pairs_around(self, i: int, j: int) -> Iterator[Pair]:
        """Yield the pairs that triples around *i* and *j* need in order to match."""
        around = self._right.around[j]
        for key, triples in self._left.around[i].items():
            if self._problem.kinds[key[0]].size > 1 and key in around:
                for triple, other in product(triples[:_MOST_IMAGES], around[key][:_MOST_IMAGES]):
                    for pair in zip(triple.variables, other.variables, strict=True):
                        if self.of_left[pair[0]] != pair[1]:
                            yield pair

    def _set(self, i: int, j: int, rival: int, old: int) -> None:
        for left, right in ((i, j), (rival, old)):
            if left != _FREE:
                self.of_left[left] = right
            if right != _FREE:
                self.of_right[right] = left

    def _value(self, i: int, rival: int) -> int:
        """Return the score of the triples around *i* and *rival*."""
        total = 0
        for variable in (i, rival):
            if variable == _FREE:
                continue
            self._looked_at += self._left.degrees[variable]
            for (kind, _), triples in self._left.around[variable].items():
                worth, wanted = self._problem.kinds[kind].worth, self._wanted[kind]
                for triple in triples:
                    if variable == rival and i in triple.variables:
                        continue
                    others = wanted.get(tuple([self.of_left[v] for v in triple.variables]))
                    if others is not None:
                        total += worth * self._problem.credit(triple.times, others)
        return total
