"""No encoding: every mapping is tried.

The search goes depth first over the left variables, each with its candidates or with none. A term
is scored when the last of its left variables is mapped. A branch is abandoned if an upper bound on
the score of the remaining variables does not beat the best mapping. Brute force serves for small
problems, and as a test of the other encodings that needs no solver.
"""

from collections import defaultdict

from exactmatch.encodings.base import Encoding, Outcome, OwnWork
from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.stopping.deadline import Deadline

#: Branches between two looks at the clock.
_INTERVAL = 1000


class Brute:
    """All mappings, one after the other."""

    name = "brute"

    def solve(
        self,
        problem: MatchingProblem,
        *,
        hint: Mapping,
        upper: int,
        deadline: Deadline,
        seed: int,
    ) -> Outcome:
        """Solve *problem*: see `exactmatch.encodings.base.Encoding`. No choice here is random."""
        search = _Exhaustion(problem, hint, deadline)
        if search.run():
            upper = search.best_value
            search.work.bounded(upper)
        return Outcome(search.best_value, upper, search.best, search.work.own)


class _Exhaustion:
    def __init__(self, problem: MatchingProblem, hint: Mapping, deadline: Deadline) -> None:
        self.work = OwnWork()
        self.best = dict(hint)
        self.best_value = problem.value(hint)
        self._deadline = deadline
        self._choices: defaultdict[int, list[int]] = defaultdict(list)
        for left, right in problem.candidates:
            self._choices[left].append(right)
        self._lefts = sorted(self._choices)
        self._ending: defaultdict[Pair, list[tuple[int, tuple[Pair, ...]]]] = defaultdict(list)
        for weight, pairs in problem.terms:
            self._ending[pairs[-1]].append((weight, pairs[:-1]))
        self._rest = self._most_from_each_depth()
        self._branches = 0

    def run(self) -> bool:
        """Search everything; return False if the deadline came first."""
        return self._extend(0, {}, set(), 0)

    def _most_from_each_depth(self) -> list[int]:
        """Return upper bounds on the scores of the left variables from each depth on."""
        rest = [0]
        for left in reversed(self._lefts):
            scores = (
                sum(weight for weight, _ in self._ending[left, right])
                for right in self._choices[left]
            )
            rest.append(rest[-1] + max(scores))
        return rest[::-1]

    def _extend(self, depth: int, mapping: dict[int, int], used: set[int], value: int) -> bool:
        if value > self.best_value:
            self.best, self.best_value = dict(mapping), value
            self.work.found(value)
        if value + self._rest[depth] <= self.best_value:
            return True
        self._branches += 1
        if self._branches % _INTERVAL == 1 and self._deadline.passed():
            return False
        left = self._lefts[depth]
        for right in self._choices[left]:
            if right in used:
                continue
            mapping[left] = right
            used.add(right)
            gain = self._gain(left, right, mapping)
            complete = self._extend(depth + 1, mapping, used, value + gain)
            used.discard(right)
            del mapping[left]
            if not complete:
                return False
        return self._extend(depth + 1, mapping, used, value)

    def _gain(self, left: int, right: int, mapping: Mapping) -> int:
        """Return the weight of the terms that this pair completes."""
        return sum(
            weight
            for weight, others in self._ending[left, right]
            if all(mapping.get(i) == j for i, j in others)
        )


ENCODING: Encoding = Brute()
