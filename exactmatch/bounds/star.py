"""What a pair can add to the score of any mapping: a bound from its own terms alone."""

from collections.abc import Iterable, Sequence

from exactmatch.problem import MatchingProblem, Row


def star_bounds(problem: MatchingProblem, shares: Sequence[int]) -> list[int]:
    """Bound, for each candidate, the *shares* of the terms that are scored together with it.

    *shares* holds a number >= 0 for each term. Terms of the candidate alone are always scored
    with it. Of the others, those that ask for other images of the same left variables exclude
    each other, so that the largest of them counts; likewise for right variables, and the
    smaller of the two sums holds.
    """
    own = [0] * len(problem.candidates)
    for candidate, terms in enumerate(problem.terms_of):
        own[candidate] = sum(shares[t] for t in terms if len(problem.terms[t].pairs) == 1)
    by_left = _sums(len(own), problem.rows_by_left, shares)
    by_right = _sums(len(own), problem.rows_by_right, shares)
    return [
        alone + min(left, right) for alone, left, right in zip(own, by_left, by_right, strict=True)
    ]


def _sums(count: int, rows: Iterable[Row], shares: Sequence[int]) -> list[int]:
    sums = [0] * count
    for candidate, terms in rows:
        sums[candidate] += max(shares[t] for t in terms)
    return sums
