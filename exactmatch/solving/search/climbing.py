"""The hill climbing of Smatch (Cai and Knight 2013, section 3), by steepest ascent.

The search examines all small changes of the present mapping, and takes the best, until none scores
more. There are two neighbourhoods, as `exactmatch.solving.search.methods.STARTS` names them:

* *all*, as it was published: "We begin with m random one-to-one mappings between the m variables
  of AMR1 and the n variables of AMR2", m <= n. All variables of the smaller graph are mapped at any
  time, and pairs that score nothing take up their variables, too. The m(n - 1) neighbours are those
  to which a move leads (a variable gets an image that no other has) or a swap (two exchange their
  images).
* *candidates*, as in smatch: only pairs that some term holds are mapped, so variables may be left
  out. Moves and swaps are the same, but keep no pair that scores nothing.

In both, a step that gains adds a candidate pair, so no other steps are examined. The gain of a step
is looked up, not computed: for each candidate, its weight with the present mapping is kept up to
date.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import chain, permutations

from exactmatch.problem import MatchingProblem, Pair
from exactmatch.stopping.deadline import Deadline

#: No candidate; no variable.
_NONE = -1
#: Candidates between two looks at the clock.
_INTERVAL = 1000

#: A variable, and its images with the candidates of these pairs, in order.
Row = tuple[int, list[tuple[int, int]]]


class HillClimber:
    """A mapping that climbs, and its score.

    With *maps_all*, it maps all variables of the smaller side, of the left one if both are equally
    large; otherwise left variables by candidate pairs alone. Pairs are here of a variable and its
    image; candidates are named by their position in `problem.candidates`. Of equally good steps,
    the first is taken in the order of the pairs that come in.
    """

    def __init__(self, problem: MatchingProblem, *, maps_all: bool) -> None:
        self._maps_all = maps_all
        self._is_turned = maps_all and problem.n_left > problem.n_right
        self._sizes = self._turned((problem.n_left, problem.n_right))
        self._pairs = [*map(self._turned, problem.candidates)]
        self._position = {pair: c for c, pair in enumerate(self._pairs)}
        self._rows = self._in_order()
        self._columns = self._by_image()
        self._weights = [term.weight for term in problem.terms]
        numbers = {pair: c for c, pair in enumerate(problem.candidates)}
        self._members = [tuple([numbers[pair] for pair in term.pairs]) for term in problem.terms]
        self._terms_of = problem.terms_of
        self._related = self._sharing_terms()
        self._lengths = [len(members) for members in self._members]
        #: For each candidate, what it scores without any other.
        self._gains_alone = [0] * len(self._pairs)
        for members, weight in zip(self._members, self._weights, strict=True):
            if len(members) == 1:
                self._gains_alone[members[0]] += weight
        self._reset()

    def _in_order(self) -> list[list[Row]]:
        """Return the rows of all variables in order, in lists of some `_INTERVAL` candidates."""
        rows: list[Row] = [(i, []) for i in range(self._sizes[0])]
        for (i, j), candidate in sorted(self._position.items()):
            rows[i][1].append((j, candidate))
        found: list[list[Row]] = []
        room = 0
        for row in rows:
            if room <= 0:
                found.append([])
                room = _INTERVAL
            found[-1].append(row)
            room -= len(row[1])
        return found

    def _by_image(self) -> list[dict[int, int]]:
        """Return for each image its candidates by variable."""
        found: list[dict[int, int]] = [{} for _ in range(self._sizes[1])]
        for candidate, (i, j) in enumerate(self._pairs):
            found[j][i] = candidate
        return found

    def _sharing_terms(self) -> list[set[int]]:
        """Return for each candidate those with which it shares a term: few, mostly."""
        found: list[set[int]] = [set() for _ in self._pairs]
        for one, other in chain.from_iterable(permutations(m, 2) for m in self._members):
            found[one].add(other)
        return found

    def _reset(self) -> None:
        """Start over from the empty mapping."""
        n_mapped, n_images = self._sizes
        self._images = [_NONE] * n_mapped
        self._owners = [_NONE] * n_images
        #: The candidate that maps each variable, if its pair is one.
        self._holding = [_NONE] * n_mapped
        self._held = [False] * len(self._terms_of)
        self._missing = [*self._lengths]
        self._gains = [*self._gains_alone]
        self.value: int = 0

    def begin(self, likely: Iterable[Pair], rng: random.Random) -> None:
        """Start over: map as much as possible, *likely* pairs first, and the rest at random."""
        self._reset()
        # "If there are two or more variables to choose from, we pick the first available one."
        for i, j in sorted(map(self._turned, likely)):
            if self._images[i] == _NONE == self._owners[j] and self._may_map(i, j):
                self._map(i, j)
        if self._maps_all:
            self._map_rest_to_any(rng)
        else:
            self._map_rest_to_candidates(rng)

    def _map_rest_to_any(self, rng: random.Random) -> None:
        free = [j for j, owner in enumerate(self._owners) if owner == _NONE]
        for i, image in enumerate(self._images):
            if image == _NONE:
                drawn = int(rng.random() * len(free))
                free[drawn], free[-1] = free[-1], free[drawn]
                self._map(i, free.pop())

    def _map_rest_to_candidates(self, rng: random.Random) -> None:
        by_variable: list[list[int]] = [[] for _ in self._images]
        for i, j in self._pairs:
            by_variable[i].append(j)
        for i, images in enumerate(by_variable):
            free = [j for j in images if self._owners[j] == _NONE]
            if free and self._images[i] == _NONE:
                self._map(i, free[int(rng.random() * len(free))])

    def climb(self, deadline: Deadline) -> None:
        """Take the best step, the first of equals, until none gains or *deadline* has passed."""
        while True:
            best, best_gain = _NONE, 0
            for rows in self._rows:
                if deadline.passed():
                    return
                best, best_gain = self._better_step(rows, best, best_gain)
            if best == _NONE:
                return
            self._step(best)

    def mapping(self) -> dict[int, int]:
        """Return the present mapping, left to right variable."""
        pairs = ((i, image) for i, image in enumerate(self._images) if image != _NONE)
        return dict(sorted(map(self._turned, pairs)))

    def _turned(self, pair: Pair) -> Pair:
        """Turn a pair of left and right into one of variable and image, or back."""
        return (pair[1], pair[0]) if self._is_turned else pair

    def _candidate(self, i: int, j: int) -> int:
        return self._position.get((i, j), _NONE)

    def _may_map(self, i: int, j: int) -> bool:
        return self._maps_all or (i, j) in self._position

    def _map(self, i: int, j: int) -> None:
        self._images[i] = j
        self._owners[j] = i
        self._holding[i] = candidate = self._candidate(i, j)
        if candidate != _NONE:
            self._hold(candidate)

    def _unmap(self, i: int) -> None:
        candidate = self._holding[i]
        self._owners[self._images[i]] = _NONE
        self._images[i] = self._holding[i] = _NONE
        if candidate != _NONE:
            self._let_go(candidate)

    def _step(self, candidate: int) -> None:
        """Map the pair *candidate*, which is not held, by a move or a swap."""
        i, j = self._pairs[candidate]
        image, owner = self._images[i], self._owners[j]
        if image != _NONE:
            self._unmap(i)
        if owner != _NONE:
            self._unmap(owner)
            if image != _NONE and self._may_map(owner, image):
                self._map(owner, image)
        self._map(i, j)

    def _better_step(self, rows: Sequence[Row], best: int, most: int) -> tuple[int, int]:
        """Return the first candidate of *rows* whose step gains more than *most*, and the others.

        Also returns its gain. If there is none, returns *best* and *most*.
        """
        # Looks at millions of candidates, so it takes all in one loop, and looks first at what may
        # show that a step gains no more.
        gains, holding, owners = self._gains, self._holding, self._owners
        related = self._related
        # By variable, what its pair scores.
        losses = [0 if old == _NONE else gains[old] for old in holding]
        for i, row in rows:
            loss, image, old = losses[i], self._images[i], holding[i]
            # The candidates by which an owner gets this image.
            partners = {} if image == _NONE else self._columns[image]
            for j, candidate in row:
                owner = owners[j]
                gain = gains[candidate] - loss
                if owner != _NONE:
                    if owner == i:
                        continue
                    # Images are exchanged, so no term holds one that goes and one that comes.
                    if owner in partners:
                        partner = partners[owner]
                        gain += gains[partner]
                        if partner in related[candidate]:
                            gain += self._joint(candidate, partner, missing=2)
                    # Two pairs that go score together no more than each of them, so at least the
                    # larger loss counts.
                    if gain <= most or gain + loss - losses[owner] <= most:
                        continue
                    gain -= losses[owner]
                    rival = holding[owner]
                    if old != _NONE and rival in related[old]:
                        gain += self._joint(old, rival, missing=0)
                if gain > most:
                    best, most = candidate, gain
        return best, most

    def _joint(self, candidate: int, other: int, missing: int) -> int:
        """Return the weight of the terms that hold both pairs and lack *missing* pairs."""
        weight = 0
        for t in self._terms_of[candidate]:
            if self._missing[t] == missing and other in self._members[t]:
                weight += self._weights[t]
        return weight

    def _hold(self, candidate: int) -> None:
        self.value += self._gains[candidate]
        self._held[candidate] = True
        for t in self._terms_of[candidate]:
            self._missing[t] -= 1
            self._pass_on(t, candidate, self._missing[t], self._weights[t])

    def _let_go(self, candidate: int) -> None:
        self.value -= self._gains[candidate]
        self._held[candidate] = False
        for t in self._terms_of[candidate]:
            self._pass_on(t, candidate, self._missing[t], -self._weights[t])
            self._missing[t] += 1

    def _pass_on(self, term: int, candidate: int, missing: int, weight: int) -> None:
        """Change by *weight* the gains that depend on *candidate* through *term*.

        *missing* pairs of the term are not in the mapping when *candidate* is. If none, the
        term is scored and each other pair has a part in that; if one, that pair would score it.
        """
        if missing > 1:
            return
        for other in self._members[term]:
            if other != candidate and (missing == 0 or not self._held[other]):
                self._gains[other] += weight
