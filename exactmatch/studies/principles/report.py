"""The report on the principles of metrics."""

from collections.abc import Sequence
from dataclasses import replace

from exactmatch.graphs.distinct_names import distinct
from exactmatch.report.document import (
    Chart,
    Column,
    Provenance,
    Report,
    Rows,
    Scatter,
    Series,
    Table,
    plot_key,
)
from exactmatch.report.wording import counted, listed
from exactmatch.studies.common.notes import idle_notes, reading_notes, signatures_table, unchecked
from exactmatch.studies.principles.gradedness import SENSE, SYNONYM
from exactmatch.studies.principles.measure import Measurements, Principles

_METRIC: Column[Principles] = Column("metric", "metric", lambda one: one.metric)
#: Tables that are left out if they are empty.
_OPTIONAL = frozenset({"trees", "gradedness", "rewiring"})


def principles_report(measurements: Measurements, provenance: Provenance) -> Report:
    """Return the report on the principles of several metrics."""
    principles = measurements.principles
    pairs, seeds = counted(measurements.pairs, "pair"), counted(measurements.seeds, "seed")
    tables = [
        _table(measurements),
        _determinacy(measurements),
        _bias(measurements),
        _trees(principles),
        _overlap(principles),
        _disputed(principles),
        _gradedness(principles),
        _rewiring(principles),
        _examples(principles),
        signatures_table([(one.metric, one.signature) for one in principles]),
    ]
    return Report(
        "principles",
        "Principles of metrics",
        _result(measurements),
        [table for table in tables if table.rows or table.key not in _OPTIONAL],
        provenance,
        notes=[
            *idle_notes(measurements.solver),
            f"{pairs} of graphs, {seeds}. Proven: {counted(measurements.proven, 'pair')}.",
            *unchecked(measurements.unchecked),
            *reading_notes(measurements.study),
        ],
        plots=[_chart(measurements), *_symmetry(principles)],
    )


def _result(measurements: Measurements) -> str:
    """Return the principles that each metric breaks."""
    broken: dict[str, list[str]] = {}
    for one in measurements.principles:
        broken.setdefault(listed(one.broken) if one.broken else "", []).append(one.metric)
    said = [
        f"{listed(metrics)} {'break' if len(metrics) > 1 else 'breaks'} {principles or 'none'}"
        for principles, metrics in broken.items()
    ]
    return f"Principles I to IV and VI on these pairs: {'; '.join(said)}."


def _table(measurements: Measurements) -> Table:
    return Rows((one,) for one in measurements.principles).table(
        "principles",
        "The seven principles",
        [
            _METRIC,
            Column("low", "I: least", lambda one: one.symmetry.low),
            Column("high", "largest", lambda one: one.symmetry.high),
            Column("outside", "outside", lambda one: one.symmetry.outside),
            Column("selves_below", "II: itself not 1", lambda one: one.symmetry.selves_below),
            Column("twins", "others 1", lambda one: one.symmetry.twins),
            Column("asymmetric", "III: svr", lambda one: one.symmetry.asymmetric, "percent"),
            Column("asymmetry", "msv", lambda one: one.symmetry.asymmetry),
            Column("corpus_deviation", "IV: corpus", lambda one: one.determinacy.corpus),
            Column("pair_deviation", "pair", lambda one: one.determinacy.pair),
            Column("bias", "V: cost ratio", lambda one: one.bias),
            Column("violated", "VI: violated", lambda one: one.overlap.violated, "percent"),
            Column("sense_spared", "VII: sense", lambda one: _spared(one, SENSE), "percent"),
            Column("synonym_spared", "synonym", lambda one: _spared(one, SYNONYM), "percent"),
        ],
        "I: scores, and the number outside 0 to 1. II: graphs whose score against themselves is "
        "not 1, and pairs of different graphs whose score is 1. III: share of pairs whose score "
        f"changes by more than {measurements.tolerance} when they are swapped (svr), and the mean "
        "change in points (msv). IV: standard deviation over the seeds, of the corpus score and "
        "in the mean of a pair. V: cost of a wrong concept at nodes of high degree divided by "
        "that at nodes of degree 1 (1: no bias; a root whose concept counts costs two triples). "
        "VI: comparisons of two graphs with a third in which the metric, without graded matching, "
        "disagrees with the Jaccard index of its triples. VII: share of the cost of a wrong "
        "concept that is spared if it is another sense, or a near-synonym.",
    )


def _spared(principles: Principles, kind: str) -> float | None:
    graded = principles.gradedness.get(kind)
    return None if graded is None else graded.spared


def _determinacy(measurements: Measurements) -> Table:
    return Rows(
        [
            *((one.metric, one.search, one.determinacy) for one in measurements.principles),
            *(
                (metric, search, determinacy)
                for metric, climbs in measurements.climbs.items()
                for search, determinacy in climbs.items()
            ),
        ]
    ).table(
        "determinacy",
        "IV: variation of scores from run to run",
        [
            Column("metric", "metric", lambda metric, search, runs: metric),
            Column("search", "search", lambda metric, search, runs: search),
            Column("corpus_deviation", "corpus", lambda metric, search, runs: runs.corpus),
            Column("pair_deviation", "pair", lambda metric, search, runs: runs.pair),
            Column("corpus_spread", "corpus spread", lambda m, search, runs: runs.corpus_spread),
            Column("worst_pair", "worst pair", lambda metric, search, runs: runs.worst_pair),
        ],
        "Standard deviation over the seeds of the corpus score, and the mean of that of a pair's "
        "score; largest minus least score of the corpus, and of the pair that differs most. "
        "Below, by the number of random starts of a hill climb (4r), and with a smart start in "
        "addition (s+4r). Exact and proven scores do not depend on the seed.",
    )


def _bias(measurements: Measurements) -> Table:
    def at(degree: str) -> Column[Principles]:
        return Column(degree.replace(" ", "_"), degree, lambda one: one.costs.get(degree))

    return Rows((one,) for one in measurements.principles).table(
        "bias",
        "V: cost of a wrong concept, by the degree of its node",
        [_METRIC, *map(at, measurements.degrees)],
        "In triples: 1 - score, times the number of triples of the graph.",
    )


def _trees(principles: Sequence[Principles]) -> Table:
    return Rows((one.metric, costs) for one in principles for costs in one.trees).table(
        "trees",
        "V: cost of errors in a tree",
        [
            Column("metric", "metric", lambda metric, _: metric),
            Column("degree", "degree d", lambda _, costs: costs.degree),
            Column("root", "root", lambda _, costs: costs.root),
            Column("leaves", "d leaves", lambda _, costs: costs.leaves),
            Column("branching", "branching node", lambda _, costs: costs.branching),
        ],
        "The number of units of the gold tree (n-grams, triples) that no longer match if its "
        "root is wrong, d leaves are wrong, or one branching node is wrong; every inner node has "
        "d children. If the search errs, more is lost.",
    )


def _overlap(principles: Sequence[Principles]) -> Table:
    return Rows((one,) for one in principles).table(
        "overlap",
        "VI: order of two graphs against a third, compared with their Jaccard indices",
        [
            _METRIC,
            Column("comparisons", "comparisons", lambda one: one.overlap.comparisons),
            Column("violated", "violated", lambda one: one.overlap.violated, "percent"),
            Column("opposite", "opposite", lambda one: one.overlap.opposite, "percent"),
            Column("metric_ties", "metric ties", lambda one: one.overlap.metric_ties, "percent"),
            Column("jaccard_ties", "Jaccard ties", lambda one: one.overlap.jaccard_ties, "percent"),
            Column("graded", "graded", lambda one: one.overlap.graded, "percent", if_known=True),
            Column("tau", "tau", lambda one: one.overlap.tau),
        ],
        "The third is the gold graph; the two are any of the system's graph and of copies of the "
        "gold graph, little and much disturbed. Violated: the order is the opposite, or only the "
        "metric ties, or only the Jaccard index ties. The index J is that of the triples that the "
        "metric counts, or of the signature below if the metric counts none. An exact F1 is "
        "2 J / (1 + J), and agrees by construction. Graded: only graded matching of concepts, "
        "which the principle allows, makes the order another one. tau: Kendall's, of scores and "
        "Jaccard indices over the pairs.",
    )


def _disputed(principles: Sequence[Principles]) -> Table:
    table = Rows((one.metric, pair) for one in principles for pair in one.overlap.disputed).table(
        "disputed",
        "VI: pairs with comparisons in another order",
        [
            Column("metric", "metric", lambda metric, _: metric),
            Column("item", "item", lambda _, pair: pair.item),
            Column("comparisons", "comparisons", lambda _, pair: pair.comparisons),
            Column("violated", "violated", lambda _, pair: pair.violated),
            Column("graded", "graded", lambda _, pair: pair.graded),
        ],
        "Violated: the symbolic part of the metric alone puts so many comparisons in another "
        "order. Graded: only graded matching of concepts does, which the principle allows.",
    )
    return replace(table, aside=True)


def _gradedness(principles: Sequence[Principles]) -> Table:
    return Rows(
        (one.metric, kind, graded) for one in principles for kind, graded in one.gradedness.items()
    ).table(
        "gradedness",
        "VII: cost of a similar concept",
        [
            Column("metric", "metric", lambda metric, kind, graded: metric),
            Column("kind", "replaced by", lambda metric, kind, graded: kind),
            Column("graphs", "graphs", lambda metric, kind, graded: graded.graphs),
            Column("similar", "cost", lambda metric, kind, graded: graded.similar),
            Column("unrelated", "unrelated", lambda metric, kind, graded: graded.unrelated),
            Column("spared", "spared", lambda metric, kind, graded: graded.spared, "percent"),
        ],
        "In triples, beside the cost of an unrelated concept at the same node.",
    )


def _rewiring(principles: Sequence[Principles]) -> Table:
    return Rows(
        (one.metric, one.consistency) for one in principles if one.consistency is not None
    ).table(
        "rewiring",
        "Structural consistency: graphs rewired step by step",
        [
            Column("metric", "metric", lambda metric, _: metric),
            Column("graphs", "graphs", lambda _, consistency: consistency.graphs),
            Column("comparisons", "comparisons", lambda _, consistency: consistency.comparisons),
            Column("settled", "settled", lambda _, consistency: consistency.settled),
            Column("damage", "damage", lambda _, consistency: consistency.damage, "percent"),
            Column("rho", "rho", lambda _, consistency: consistency.rho),
        ],
        "Copies of the gold graph whose relations exchange targets, and whose attributes "
        "exchange role and value, one exchange after the other, against the gold graph itself. "
        "rho: Spearman's, of scores and the share of unchanged triples (1: the metric orders "
        "graphs by their damage). settled: comparisons whose score is proven, or needs no "
        "search. damage: the share of changed triples after the last step, mean of the graphs.",
    )


def _examples(principles: Sequence[Principles]) -> Table:
    return Rows(
        (one.metric, example) for one in principles for example in one.symmetry.examples
    ).table(
        "examples",
        "The worst counter-examples",
        [
            Column("principle", "principle", lambda _, example: example.principle),
            Column("metric", "metric", lambda metric, _: metric),
            Column("item", "item", lambda _, example: example.item),
            Column("score", "score", lambda _, example: example.score),
            Column("other", "other", lambda _, example: example.other),
        ],
    )


def _chart(measurements: Measurements) -> Chart:
    return Chart(
        "bias",
        "Cost of a wrong concept",
        "degree of its node",
        "triples",
        [Series(p.metric, list(p.costs), list(p.costs.values())) for p in measurements.principles],
        categories=measurements.degrees,
    )


def _symmetry(principles: Sequence[Principles]) -> list[Scatter]:
    """Return a plot for each metric, as in Figure 4 of Opitz et al. (2020)."""
    keys = distinct(plot_key(f"symmetry-{one.metric}") for one in principles)
    return [
        Scatter(
            key,
            f"Symmetry of {one.metric}",
            "score of A against B",
            "score of B against A",
            [Series("pairs", one.symmetry.forth, one.symmetry.back)],
            unit_square=True,
        )
        for key, one in zip(keys, principles, strict=True)
    ]
