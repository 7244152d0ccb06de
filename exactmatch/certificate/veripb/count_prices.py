"""Prices of triples that prove the bound by counts of a certificate.

Consider triples of a kind, with the multiplicities m_1 >= m_2 >= ... and n_1 >= n_2 >= ... on the
two sides. Let the credit c(m, n) be 0 if m or n is 0, and have increasing differences. Then a
one-to-one matching has a credit of at most the sum over k of c(m_k, n_k), which
`exactmatch.certificate.checker` calls the most of the kind. By linear programming duality, there
are prices u, v >= 0 of the triples of both sides that add up to the most, with u_k + v_l >= c(m_k,
n_l) for all k and l. Missing multiplicities count as 0. These are such prices:

    u_k = sum over l >= k of c(m_l, n_l) - c(m_l+1, n_l)
    v_k = sum over l >= k of c(m_l+1, n_l) - c(m_l+1, n_l+1)

The sum telescopes, so u_k + v_k = c(m_k, n_k). For k < l, u_k + v_l is c(m_l, n_l) plus the sum
over r from k to l - 1 of c(m_r, n_r) - c(m_r+1, n_r). Since n_r >= n_l, each of these is at least
c(m_r, n_l) - c(m_r+1, n_l), so the whole is at least c(m_k, n_l). For k > l, exchange the sides:
each c(m_r+1, n_r) - c(m_r+1, n_r+1), with r from l to k - 1, is at least c(m_k, n_r) - c(m_k,
n_r+1), since m_r+1 >= m_k.

So prices of triples bound the credits of a kind under any mapping, since each triple has at most
one match. The same holds for the matches that need a pair (i, j): their triples have i in a place
on one side and j there on the other.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise, zip_longest
from math import lcm

from exactmatch.certificate.checker import CREDIT, Object, Pair, Triples, kinds
from exactmatch.certificate.veripb.exclusions import Positions, RowPrices
from exactmatch.certificate.veripb.formula import GOLD, SYSTEM, Side


def triple_prices(pair: Object) -> Counter[tuple[Side, Positions]]:
    """Return the prices of "the terms over variables of one side", for counts without prices."""
    prices: Counter[tuple[Side, Positions]] = Counter()
    for worth, *sides in kinds(pair):
        for side, variables, price in _prices(pair, *sides):
            if worth * price > 0:
                prices[side, tuple(sorted(variables))] += worth * price
    return prices


def star_prices(pair: Object, places: Iterable[Pair]) -> tuple[int, RowPrices]:
    """Return the denominator of counts with prices, and the prices of rows and columns.

    Triples of one variable have no prices: their terms are pairs, which count as they are.
    """
    found = kinds(pair)
    scale = lcm(*(len(triples[0][0]) for _, triples, _ in found))
    prices: RowPrices = Counter()
    for worth, *sides in found:
        size = len(sides[0][0][0])
        if worth > 0 and size > 1:
            stars = [_stars(triples) for triples in sides]
            for held in places:
                for place in range(size):
                    near = [star[place, k] for star, k in zip(stars, held, strict=True)]
                    for side, variables, price in _prices(pair, *near):
                        others = tuple(sorted({*variables} - {held[side]}))
                        prices[held, side, others] += worth * scale // size * price
    return scale, prices


def _stars(triples: Triples) -> defaultdict[tuple[int, int], Triples]:
    """Return the triples that have a variable in a place, by place and variable."""
    found: defaultdict[tuple[int, int], Triples] = defaultdict(list)
    for variables, times in triples:
        for place, variable in enumerate(variables):
            found[place, variable].append((variables, times))
    return found


def _prices(pair: Object, system: Triples, gold: Triples) -> Iterable[tuple[Side, Positions, int]]:
    """Yield the variables of each triple with its price."""
    multiplicities = ([times for _, times in triples] for triples in (system, gold))
    found = dual(CREDIT[pair["duplicates"]], *multiplicities)
    for side, triples, prices in zip((SYSTEM, GOLD), (system, gold), found, strict=True):
        for (variables, _), price in zip(triples, prices, strict=True):
            yield side, variables, price


def dual(
    credit: Callable[[int, int], int], system: Sequence[int], gold: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return u and v for the multiplicities of triples, which are given largest first."""

    def both(m: int, n: int) -> int:
        return credit(m, n) if m and n else 0

    ends = [*zip_longest(system, gold, fillvalue=0), (0, 0)]
    steps = list(pairwise(ends))
    first = [both(m, n) - both(lower, n) for (m, n), (lower, _) in steps]
    second = [both(lower, n) - both(lower, less) for (_, n), (lower, less) in steps]
    u, v = ([*accumulate(reversed(prices))][::-1] for prices in (first, second))
    return u[: len(system)], v[: len(gold)]
