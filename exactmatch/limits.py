"""Solving a pair of graphs within limits of time and memory, however large they are.

Graphs of many equal labels make a term of every two triples of a label. What would be too large is
not built: the bound is then by counts of triples, and the mapping grows along the edges.
"""

from exactmatch.bounds.counts import prove_by_counts
from exactmatch.certificate.checker import MALFORMED, counts
from exactmatch.comparison import Comparison
from exactmatch.deadline import Deadline, OutOfTime
from exactmatch.errors import VerificationError
from exactmatch.search.growth import grow_mapping
from exactmatch.solve import Solution, solve

COUNTS = "counts"

#: What a term takes, in bytes, from the problem to the check of its proof; measured.
_TERM = 1200
#: Problems of fewer terms than this are built without counting first, and solved from nothing.
_SMALL = 100_000
#: Building may take this part of the time, and growing a mapping to start from that one.
_BUILDING = 0.5
_GROWING = 0.1


def solve_within(
    comparison: Comparison,
    *,
    method: str,
    solver: str,
    seed: int,
    deadline: Deadline,
    memory: int,
    certify: bool = False,
) -> Solution:
    """Return a mapping and a proven bound for two graphs, in *memory* bytes and before *deadline*.

    See `exactmatch.solve.solve` for the rest. Raises `VerificationError` as that does.
    """
    hint: dict[int, int] = {}
    fits = True
    most = len(comparison.test.items) * len(comparison.gold.as_gold())
    if most > min(_SMALL, memory // _TERM):
        compact = comparison.compact()
        fits = compact.size().terms * _TERM <= memory
        hint = grow_mapping(compact, deadline.share(_GROWING) if fits else deadline)
    if fits:
        try:
            return solve(
                comparison.built(deadline.share(_BUILDING)),
                method=method,
                solver=solver,
                seed=seed,
                deadline=deadline,
                certify=certify,
                hint=hint,
            )
        except OutOfTime:
            pass
    return _coarse(comparison, hint, deadline, too_large=not fits)


def _coarse(
    comparison: Comparison, mapping: dict[int, int], deadline: Deadline, *, too_large: bool
) -> Solution:
    """Return *mapping*, and a bound by counts."""
    compact = comparison.compact()
    mapping = mapping or grow_mapping(compact, deadline)
    proof = prove_by_counts(compact, deadline)
    try:
        shown = counts(comparison.as_json(""), proof.as_json()["counts"])
    except MALFORMED as error:
        raise VerificationError(f"a proof by counts is wrong: {error}") from error
    value = compact.value(mapping)
    if not value <= shown <= proof.upper:
        raise VerificationError(
            f"a proof by counts shows {shown}, not {proof.upper}, and a mapping scores {value}"
        )
    late = value < proof.upper and not too_large
    return Solution(value, proof.upper, mapping, COUNTS, late, proof, too_large)
