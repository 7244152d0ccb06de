"""Agreement corrected for chance, from any square of distances and from matrices of graphs."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from nightly import day_share
from study_files import AGREEMENT, ANNOTATORS

import exactmatch
from exactmatch.studies.chance import resampled
from exactmatch.studies.chance.alpha import ChanceCorrected
from exactmatch.studies.chance.coefficients import Bounds, krippendorff
from exactmatch.studies.chance.distances import Distance, Fractions, PairDistances
from exactmatch.studies.chance.resampled import Disagreement, _alpha, _by_item, _Sums
from exactmatch.studies.common.statistics import Resampling

#: The example of Krippendorff (2011, *Computing Krippendorff's alpha-reliability*).
KRIPPENDORFF = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)


def designed(rows: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """Return the values of all coders, and the unit of each value."""
    found = [(int(v), u) for row in rows for u, v in enumerate(row.split()) if v != "."]
    return [value for value, _ in found], [unit for _, unit in found]


def square_of(values: list[Any], distance: Any) -> list[list[Any]]:
    return [[distance(v, w) for w in values] for v in values]


def one_node(value: int) -> str:
    return f"(x / c{value})"


def counted_attributes(value: int) -> str:
    return f"(x / c {' '.join(f':op{n} {n}' for n in range(1, value + 1))})"


@pytest.mark.parametrize(
    ("as_graph", "squared", "expected"),
    [(one_node, True, 0.743421), (one_node, False, 0.743421), (counted_attributes, True, 0.849107)],
)
def test_the_examples_of_krippendorff_as_graphs(
    as_graph: Any, squared: bool, expected: float
) -> None:
    values, units = designed(KRIPPENDORFF)
    matrix = exactmatch.matrix([as_graph(value) for value in values])
    found = exactmatch.alpha(matrix, units, squared=squared, resamples=10)
    assert found.alpha.value is not None
    assert float(found.alpha.value.low) == pytest.approx(expected, abs=5e-7)
    assert found.alpha.value.low == found.alpha.value.high
    assert (found.items, found.graphs, found.open) == (11, 40, 0)  # the last unit has one value


#: Computed once by a program of its own, from all distances one by one.
FIGURES: list[tuple[Distance, bool, float, float, float]] = [
    ("plain", True, 743.340278, 4735.745395, 0.843036),
    ("plain", False, 21.979167, 63.031798, 0.651300),
    ("diff", True, 443.805556, 1726.076316, 0.742882),
    ("diff", False, 15.763889, 35.935526, 0.561329),
    ("norm", True, 0.087502, 0.659319, 0.867285),
    ("norm", False, 0.270636, 0.803800, 0.663304),
]


@pytest.fixture(scope="module")
def annotated() -> tuple[exactmatch.Matrix, list[int]]:
    """Return the matrix of four annotators of 24 items, and the item of each graph."""
    each = [[*exactmatch.load(AGREEMENT / name)] for name in ANNOTATORS]
    matrix = exactmatch.matrix([graph for graphs in each for graph in graphs])
    return matrix, [item for graphs in each for item in range(len(graphs))]


@pytest.mark.parametrize(("distance", "squared", "observed", "expected", "value"), FIGURES)
def test_reference_figures(
    annotated: tuple[exactmatch.Matrix, list[int]],
    distance: Distance,
    squared: bool,
    observed: float,
    expected: float,
    value: float,
) -> None:
    found = exactmatch.alpha(*annotated, distance=distance, squared=squared, resamples=10).alpha
    assert found.value is not None
    assert found.observed is not None
    assert found.expected is not None
    ends = found.observed.low, found.expected.low, found.value.low
    assert [*map(float, ends)] == pytest.approx([observed, expected, value], abs=5e-7)


def test_reference_figures_of_braylan(annotated: tuple[exactmatch.Matrix, list[int]]) -> None:
    found = exactmatch.alpha(*annotated, distance="norm", resamples=10)
    for one, expected in ((found.mean, 0.670432), (found.sigma, 1.0), (found.ks, 0.993433)):
        assert one.value is not None
        assert float(one.value.low) == pytest.approx(expected, abs=5e-7)
    assert found.mean.observed is not None
    assert found.mean.expected is not None
    assert float(found.mean.observed.low) == pytest.approx(0.270636, abs=5e-7)
    assert float(found.mean.expected.low) == pytest.approx(0.821186, abs=5e-7)


def by_coincidences(values: list[int], units: list[int], delta: Any) -> Fraction | None:
    """Return alpha from the matrix of coincidences of values, as Krippendorff computes it."""
    coincidences: Counter[tuple[int, int]] = Counter()
    weighted: dict[tuple[int, int], Fraction] = {}
    for unit in {*units}:
        mine = [value for value, one in zip(values, units, strict=True) if one == unit]
        for i, v in enumerate(mine):
            for j, w in enumerate(mine):
                if i != j:
                    coincidences[v, w] += 1
                    weighted[v, w] = weighted.get((v, w), Fraction(0)) + Fraction(1, len(mine) - 1)
    margins: dict[int, Fraction] = {}
    for (v, _), weight in weighted.items():
        margins[v] = margins.get(v, Fraction(0)) + weight
    number = sum(margins.values(), Fraction(0))
    observed = sum((w * delta(*pair) for pair, w in weighted.items()), Fraction(0))
    expected = sum(
        (margins[v] * margins[w] * delta(v, w) for v in margins for w in margins), Fraction(0)
    )
    return None if not expected else 1 - (number - 1) * observed / expected


def test_alpha_equals_that_of_coincidences_in_random_designs() -> None:
    draw = random.Random(3)
    defined, tried = 0, day_share(120)
    for _ in range(tried):
        coders, n_units = draw.randint(2, 6), draw.choice([1, 2, 3, 8, 15])
        missing, most = draw.choice([0, 0.2, 0.5]), draw.choice([1, 2, 3, 6])
        cells = [
            (draw.randint(1, most), unit)
            for _ in range(coders)
            for unit in range(n_units)
            if draw.random() >= missing
        ]
        values, units = [v for v, _ in cells], [u for _, u in cells]
        expected = by_coincidences(values, units, lambda v, w: (v - w) ** 2)
        square = square_of(values, lambda v, w: abs(v - w))
        found = exactmatch.alpha(square, units, resamples=10).alpha
        if expected is None:
            assert found.value is None
            assert found.undefined in ("all graphs are equal", "no item has two graphs")
        else:
            defined += 1
            assert found.value == Bounds(expected, expected)
    assert defined > tried / 2


def test_sigma_and_ks_equal_those_of_numpy() -> None:
    draw = random.Random(4)
    for _ in range(40):
        units = [unit for unit in range(draw.randint(2, 9)) for _ in range(draw.randint(2, 4))]
        values = [unit + draw.randint(0, 4) for unit in units]
        square = square_of(values, lambda v, w: abs(v - w))
        pairs = [*combinations(range(len(values)), 2)]
        near = np.array([square[i][j] for i, j in pairs if units[i] == units[j]])
        far = np.array([square[i][j] for i, j in pairs if units[i] != units[j]])
        found = exactmatch.alpha(square, units, resamples=10)
        grid = np.concatenate([near, far])
        ks = max((near <= x).mean() - (far <= x).mean() for x in grid)
        sigma = 1 - np.mean(near >= np.quantile(far, 0.05))
        for one, expected in ((found.sigma, sigma), (found.ks, ks)):
            assert one.value is not None
            assert float(one.value.low) == pytest.approx(expected)


def test_distances_need_no_whole_numbers() -> None:
    units, values = [1, 1, 2, 2, 3, 3], [1, 2, 2, 5, 4, 4]
    whole = exactmatch.alpha(square_of(values, lambda v, w: abs(v - w)), units, resamples=10)
    thirds = exactmatch.alpha(
        square_of(values, lambda v, w: Fraction(abs(v - w), 3)), units, resamples=10
    )
    halves = exactmatch.alpha(
        np.array(square_of(values, lambda v, w: abs(v - w) / 2)), units, resamples=10
    )
    huge = exactmatch.alpha(
        square_of(values, lambda v, w: abs(v - w) * 10**30), units, resamples=10
    )
    assert whole.alpha.value == thirds.alpha.value == halves.alpha.value == huge.alpha.value
    assert whole.alpha.observed is not None
    assert thirds.alpha.observed is not None
    assert thirds.alpha.observed.low == whole.alpha.observed.low / 9


def test_undefined_coefficients_are_said_in_words() -> None:
    def found(values: list[int], units: list[int]) -> ChanceCorrected:
        return exactmatch.alpha(square_of(values, lambda v, w: abs(v - w)), units, resamples=10)

    equal = found([3, 3, 3, 3], [1, 1, 2, 2])
    assert equal.alpha.value is None
    assert equal.alpha.undefined == equal.mean.undefined == "all graphs are equal"
    alone = found([1, 2, 3], [1, 2, 3])
    assert alone.alpha.undefined == alone.ks.undefined == "no item has two graphs"
    assert alone.graphs == 0
    nothing = found([], [])
    assert nothing.alpha.undefined == "no item has two graphs"
    one = found([1, 2, 4], [1, 1, 1])
    assert one.alpha.value == Bounds(Fraction(0), Fraction(0))
    assert one.alpha.interval is None
    assert one.sigma.undefined == "there is only one item"


@pytest.mark.parametrize(
    ("square", "items", "said"),
    [
        ([[0, 1], [1]], [1, 1], "row 1: 1 distances in a matrix of 2 rows"),
        ([[0, 1], [2, 0]], [1, 1], "row 1, column 0: the distance 2 is not that of the other"),
        ([[0, 1], [1, 3]], [1, 1], "row 1, column 1: the distance 3 is not 0"),
        ([[0, -1], [-1, 0]], [1, 1], "row 0, column 1: -1 is no distance"),
        ([[0, float("nan")], [float("nan"), 0]], [1, 1], "nan is no distance"),
        ([[0, "1"], ["1", 0]], [1, 1], "'1' is no distance"),
        ([[0, 1e101], [1e101, 0]], [1, 1], "1e+101 is no distance (0, or a number from 1e-100"),
        ([[0, 1e-101], [1e-101, 0]], [1, 1], "1e-101 is no distance"),
        ([[0, 1], [1, 0]], [1], "items: 1 for 2 graphs"),
        ([[0, 1], [1, 0]], [[1], [1]], "items: "),
        (7, [1], "expected a matrix or a square of distances, not 7"),
    ],
)
def test_squares_of_no_distances_are_refused(square: Any, items: Any, said: str) -> None:
    with pytest.raises(exactmatch.UsageError) as error:
        exactmatch.alpha(square, items)
    assert said in str(error.value)


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("unit", [1e-100, 1e100])
def test_the_unit_of_distances_does_not_matter(unit: float, squared: bool) -> None:
    values, items = [1, 2, 2, 4, 4, 4], [1, 1, 2, 2, 3, 3]
    one, other = (
        exactmatch.alpha(
            square_of(values, lambda v, w, of=of: of * (v != w)),
            items,
            squared=squared,
            resamples=99,
        ).alpha
        for of in (1, unit)
    )
    assert one.value == other.value
    assert one.interval is not None
    assert other.interval is not None
    assert other.interval.low == pytest.approx(one.interval.low)
    assert other.interval.high == pytest.approx(one.interval.high)


def test_matrices_without_all_distances_are_refused() -> None:
    graphs = ["(a / b)", "(a / b :mod (c / d))", "(c / d)"]
    with pytest.raises(exactmatch.UsageError, match="only the pairs that reach an F1"):
        exactmatch.alpha(exactmatch.matrix(graphs, at_least=0.5), [1, 1, 2])
    with pytest.raises(exactmatch.UsageError, match="not with other graphs"):
        exactmatch.alpha(exactmatch.matrix(graphs, graphs[:2]), [1, 1, 2])
    with pytest.raises(exactmatch.UsageError, match="multiplies repeated triples"):
        exactmatch.alpha(exactmatch.matrix(graphs, duplicates="product"), [1, 1, 2])
    with pytest.raises(exactmatch.UsageError, match="no distance is called 'far'"):
        exactmatch.alpha(exactmatch.matrix(graphs), [1, 1, 2], distance="far")  # type: ignore[arg-type]


def test_open_pairs_widen_every_figure(annotated: tuple[exactmatch.Matrix, list[int]]) -> None:
    """Whatever the true matches are, no figure lies outside of its bounds."""
    matrix, items = annotated
    draw = np.random.default_rng(8)
    is_open = draw.random(len(matrix.row)) < 0.1
    totals = np.minimum(matrix.system_totals[matrix.row], matrix.gold_totals[matrix.column])
    upper = np.where(is_open, np.minimum(matrix.matched + 9, totals), matrix.matched)
    unproven = replace(matrix, upper=upper)
    for distance in ("plain", "diff", "norm"):
        bounds = exactmatch.alpha(unproven, items, distance=distance, resamples=99)
        assert bounds.open > 0
        for share in (0.0, 0.5, 1.0):
            matched = matrix.matched + ((upper - matrix.matched) * share).astype(np.int64)
            true = replace(matrix, matched=matched, upper=matched)
            found = exactmatch.alpha(true, items, distance=distance, resamples=99)
            for name in ("alpha", "mean", "sigma", "ks"):
                wide, narrow = getattr(bounds, name), getattr(found, name)
                assert wide.value.low <= narrow.value.low <= wide.value.high
                assert wide.observed.low <= narrow.observed.low <= wide.observed.high
                assert wide.expected.low <= narrow.expected.low <= wide.expected.high
        narrow_interval = exactmatch.alpha(matrix, items, distance=distance, resamples=99).alpha
        assert bounds.alpha.interval is not None
        assert narrow_interval.interval is not None
        assert bounds.alpha.interval.low < narrow_interval.interval.low


def pairs_of(square: list[list[int]], items: list[int]) -> PairDistances:
    first, second = np.triu_indices(len(square), 1)
    numerators = np.array([square[i][j] for i, j in zip(first, second, strict=True)])
    found = Fractions(numerators, np.ones_like(numerators))
    return PairDistances(
        items=np.array(items), first=first, second=second, least=found, largest=found
    )


def test_a_resample_counts_items_with_all_their_copies() -> None:
    """Alpha of a resample equals that of the graphs written down once for each draw."""
    draw = random.Random(6)
    items = [item for item in range(6) for _ in range(draw.randint(2, 4))]
    values = [3 * item + draw.randint(0, 9) for item in items]
    square = square_of(values, lambda v, w: abs(v - w))
    sums, _ = _by_item(pairs_of(square, items), 2)
    sizes = [items.count(item) for item in range(6)]
    # The sums are in an order of their own: that of the observed disagreement.
    own = [
        sum((v - w) ** 2 for v in mine for w in mine) / (len(mine) - 1)
        for mine in ([v for v, i in zip(values, items, strict=True) if i == k] for k in range(6))
    ]
    order = sorted(range(6), key=lambda k: (own[k], own[k] * (sizes[k] - 1)))
    assert [sizes[k] for k in order] == sums.sizes.tolist()
    for _ in range(20):
        drawn = [draw.randrange(6) for _ in range(6)]
        times = np.array([[drawn.count(k) for k in order]], dtype=float)
        found = _alpha(times @ sums.sizes, times @ sums.observed, sums.expected(times)).item()
        copied = [
            (value, (copy, item))
            for copy, item in enumerate(drawn)
            for value, one in zip(values, items, strict=True)
            if one == item
        ]
        expected = exactmatch.alpha(
            square_of([value for value, _ in copied], lambda v, w: abs(v - w)),
            [unit for _, unit in copied],
            resamples=10,
        ).alpha.value
        assert expected is not None
        assert found == pytest.approx(float(expected.low))


def test_open_pairs_have_both_ends_for_the_same_items() -> None:
    """The worst alpha of a resample takes the largest D_o and the least D_e of the drawn items."""
    draw = random.Random(12)
    items = [item for item in range(5) for _ in range(2)]
    values = [4 * item + draw.randint(0, 3) for item in items]
    least = square_of(values, lambda v, w: abs(v - w))
    # The larger an item differs for certain, the less it may differ beyond that.
    largest = [
        [
            distance + (0 if i == j else 40 - 8 * items[i] if items[i] == items[j] else 99)
            for j, distance in enumerate(row)
        ]
        for i, row in enumerate(least)
    ]
    pairs = replace(pairs_of(least, items), largest=pairs_of(largest, items).largest)
    few, many = _by_item(pairs, 1)
    of_item = [largest[2 * k][2 * k + 1] for k in range(5)]
    order = sorted(range(5), key=of_item.__getitem__)
    assert order != sorted(range(5), key=lambda k: least[2 * k][2 * k + 1])
    for _ in range(10):
        drawn = [draw.randrange(5) for _ in range(5)]
        graphs = [(copy, 2 * item + k) for copy, item in enumerate(drawn) for k in (0, 1)]
        observed = Fraction(sum(of_item[item] for item in drawn), len(drawn))
        total = sum(least[g][h] for _, g in graphs for _, h in graphs)
        expected = Fraction(total, len(graphs) * (len(graphs) - 1))
        times = np.array([[drawn.count(k) for k in order]], dtype=float)
        found = _Sums(observed=many, expected=few).alpha(times).item()
        assert found == pytest.approx(float(1 - observed / expected))


def test_the_interval_of_open_pairs_holds_that_of_proven_ones() -> None:
    """Ends in different parts of a triple once made intervals whose low end was above the high."""
    draw = random.Random(13)
    items = [item for item in range(20) for _ in range(3)]
    for slack in (1, 9, 80):
        values = [draw.randint(0, 30) + draw.randint(0, 3) for _ in items]
        least = square_of(values, lambda v, w: abs(v - w))
        largest = [[d + slack * (i != j) for j, d in enumerate(row)] for i, row in enumerate(least)]
        pairs = replace(pairs_of(least, items), largest=pairs_of(largest, items).largest)
        resampling = Resampling(499, 0.95, 0)
        (wide,) = krippendorff([Disagreement(pairs, 1)], resampling)
        (narrow,) = krippendorff([Disagreement(pairs_of(least, items), 1)], resampling)
        assert wide.value is not None
        assert wide.interval is not None
        assert narrow.interval is not None
        assert wide.interval.low < wide.value.low and wide.interval.low < narrow.interval.low
        assert wide.interval.high > wide.value.high and wide.interval.high > narrow.interval.high


def test_pairs_for_the_intervals_of_sigma_and_ks_are_of_all_annotators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of the pairs have the mean of all, though annotators take turns in the order."""
    items = [item for item in range(40) for _ in range(2)]

    def distance(i: int, j: int) -> int:
        """Graphs of one item are at 1; else the second annotator of the later item is nearer."""
        return 0 if i == j else 1 if items[i] == items[j] else 2 if max(i, j) % 2 else 10

    square = [[distance(i, j) for j in range(80)] for i in range(80)]
    monkeypatch.setattr(resampled, "_MOST_PAIRS", 40 * 39)
    found = exactmatch.alpha(square, items, resamples=99).mean
    assert found.value == Bounds(Fraction(5, 6), Fraction(5, 6))
    assert found.interval is not None
    assert found.interval.low < 5 / 6 < found.interval.high


def test_intervals_depend_neither_on_the_order_of_graphs_nor_on_names() -> None:
    draw = random.Random(9)
    items = [item for item in range(12) for _ in range(3)]
    values = [draw.randint(0, 40) + draw.randint(0, 9) for _ in items]
    places = list(range(len(items)))
    first = exactmatch.alpha(square_of(values, lambda v, w: abs(v - w)), items, resamples=499)
    draw.shuffle(places)
    mixed = exactmatch.alpha(
        square_of([values[k] for k in places], lambda v, w: abs(v - w)),
        [f"item {items[k]}" for k in places],
        resamples=499,
    )
    assert first == mixed
    assert first.alpha.interval is not None
    assert first.alpha.value is not None
    assert first.alpha.interval.low < first.alpha.value.low < first.alpha.interval.high


def test_plain_distances_obey_the_triangle() -> None:
    """Composed mappings keep what both match, so the distance is a metric."""
    draw = random.Random(10)

    def graph(name: str, depth: int) -> str:
        inside = "".join(
            f" :r{draw.randint(0, 1)} {graph(f'{name}{k}', depth - 1)}"
            for k in range(draw.randint(0, 2) if depth else 0)
        )
        return f"({name} / c{draw.randint(0, 2)}{inside})"

    graphs = [graph("v", 3) for _ in range(50)]
    found = exactmatch.matrix(graphs, duplicates="set")
    sizes = found.system_totals
    distances = sizes[:, None] + sizes[None, :] - 2 * found.dense("matched")
    triples = distances[:, :, None] + distances[None, :, :] - distances[:, None, :]
    assert triples.size == 125_000
    assert triples.min() == 0
    assert distances.max() > 5
