"""The report on the principles of metrics."""

from collections.abc import Sequence

from exactmatch.report.document import Cell, Chart, Column, Provenance, Report, Series, Table
from exactmatch.report.wording import listed
from exactmatch.studies.common.notes import counted, reading_notes
from exactmatch.studies.principles.determinacy import Determinacy
from exactmatch.studies.principles.gradedness import SENSE, SYNONYM, Gradedness
from exactmatch.studies.principles.measure import Measurements, Principles

_METRIC = Column("metric", "metric")
#: Tables that are left out where there is nothing to say.
_OPTIONAL = frozenset({"trees", "gradedness", "rewiring"})


def principles_report(measurements: Measurements, provenance: Provenance) -> Report:
    """Return the report on the principles of several metrics."""
    found = measurements.principles
    pairs, seeds = counted(measurements.pairs, "pair"), counted(measurements.seeds, "seed")
    tables = [
        _table(measurements),
        _determinacy(measurements),
        _bias(measurements),
        _trees(found),
        _overlap(found),
        _gradedness(found),
        _rewiring(found),
        _examples(found),
        _signatures(found),
    ]
    return Report(
        study="principles",
        title="Principles of metrics",
        result=_result(measurements),
        tables=[table for table in tables if table.rows or table.key not in _OPTIONAL],
        provenance=provenance,
        notes=[
            f"{pairs} of graphs, {seeds}. Proven: {counted(measurements.proven, 'pair')}.",
            *reading_notes(measurements.study),
        ],
        plots=[_chart(measurements)],
    )


def _result(measurements: Measurements) -> str:
    """Return who breaks which of the principles that are kept or broken."""
    broken: dict[str, list[str]] = {}
    for one in measurements.principles:
        broken.setdefault(listed(one.broken) if one.broken else "", []).append(one.metric)
    said = [
        f"{listed(metrics)} {'break' if len(metrics) > 1 else 'breaks'} {principles or 'none'}"
        for principles, metrics in broken.items()
    ]
    return f"Of principles I to IV and VI, on these pairs: {'; '.join(said)}."


def _table(measurements: Measurements) -> Table:
    columns = [
        _METRIC,
        Column("low", "I: least"),
        Column("high", "largest"),
        Column("outside", "outside"),
        Column("selves_below", "II: itself not 1"),
        Column("twins", "others 1"),
        Column("asymmetric", "III: svr", "percent"),
        Column("asymmetry", "msv"),
        Column("corpus_deviation", "IV: corpus"),
        Column("pair_deviation", "pair"),
        Column("bias", "V: cost ratio"),
        Column("violated", "VI: violated", "percent"),
        Column("sense_spared", "VII: sense", "percent"),
        Column("synonym_spared", "synonym", "percent"),
    ]
    return Table(
        "principles",
        "The seven principles",
        columns,
        [_row(principles) for principles in measurements.principles],
        "I: scores, and how many are outside of 0 to 1. II: graphs whose score against themselves "
        "is not 1, and pairs of different graphs whose score is 1. III: share of pairs whose score "
        f"changes by more than {measurements.tolerance} when they are swapped (svr), and the mean "
        "change in points (msv). IV: standard deviation over the seeds, of the corpus score and in "
        "the mean of a pair. V: cost of a wrong concept at nodes of high degree by that at nodes "
        "of degree 1 (1: no bias). VI: comparisons of two graphs with a third in which the metric "
        "disagrees with the Jaccard index. VII: share of the cost of a wrong concept that is "
        "spared where it is another sense, or a near-synonym.",
    )


def _row(principles: Principles) -> list[Cell]:
    symmetry, determinacy = principles.symmetry, principles.determinacy
    return [
        principles.metric,
        symmetry.low,
        symmetry.high,
        symmetry.outside,
        symmetry.selves_below,
        symmetry.twins,
        symmetry.asymmetric,
        symmetry.asymmetry,
        determinacy.corpus,
        determinacy.pair,
        principles.bias,
        principles.overlap.violated,
        _spared(principles, SENSE),
        _spared(principles, SYNONYM),
    ]


def _spared(principles: Principles, kind: str) -> float | None:
    found: Gradedness | None = principles.gradedness.get(kind)
    return None if found is None else found.spared


def _determinacy(measurements: Measurements) -> Table:
    columns = [
        _METRIC,
        Column("search", "search"),
        Column("corpus_deviation", "corpus"),
        Column("pair_deviation", "pair"),
        Column("corpus_spread", "corpus spread"),
        Column("worst_pair", "worst pair"),
    ]
    rows = [[p.metric, p.search, *_deviations(p.determinacy)] for p in measurements.principles]
    rows += [
        [metric, search, *_deviations(determinacy)]
        for metric, found in measurements.climbs.items()
        for search, determinacy in found.items()
    ]
    return Table(
        "determinacy",
        "IV: how far scores differ from run to run",
        columns,
        rows,
        "Standard deviation of the corpus score over the seeds, and of the score of a pair, its "
        "mean; largest minus least score of the corpus, and of the pair that differs most. Below, "
        "by the number of random starts of a hill climb (4r), and with a smart start besides "
        "(s+4r). What is exact and proven does not depend on the seed.",
    )


def _deviations(found: Determinacy) -> list[Cell]:
    return [found.corpus, found.pair, found.corpus_spread, found.worst_pair]


def _bias(measurements: Measurements) -> Table:
    degrees = measurements.degrees
    columns = [_METRIC, *(Column(d.replace(" ", "_"), d) for d in degrees)]
    rows: list[list[Cell]] = [
        [principles.metric, *(principles.costs.get(degree) for degree in degrees)]
        for principles in measurements.principles
    ]
    return Table(
        "bias",
        "V: what a wrong concept costs, by the degree of its node",
        columns,
        rows,
        "In triples: 1 - score, times the number of triples of the graph.",
    )


def _trees(found: Sequence[Principles]) -> Table:
    columns = [
        _METRIC,
        Column("degree", "degree d"),
        Column("root", "root"),
        Column("leaves", "d leaves"),
        Column("branching", "branching node"),
    ]
    rows: list[list[Cell]] = [
        [principles.metric, costs.degree, costs.root, costs.leaves, costs.branching]
        for principles in found
        for costs in principles.trees
    ]
    return Table(
        "trees",
        "V: what errors cost in a tree",
        columns,
        rows,
        "How many units of the gold tree (n-grams, triples) match no more if its root is wrong, or "
        "d leaves are, or one branching node is, where every inner node has d children. Where the "
        "search goes wrong, more is lost.",
    )


def _overlap(found: Sequence[Principles]) -> Table:
    columns = [
        _METRIC,
        Column("comparisons", "comparisons"),
        Column("violated", "violated", "percent"),
        Column("opposite", "opposite", "percent"),
        Column("metric_ties", "metric ties", "percent"),
        Column("jaccard_ties", "Jaccard ties", "percent"),
        Column("tau", "tau"),
    ]
    rows: list[list[Cell]] = [
        [principles.metric, *(getattr(principles.overlap, c.key) for c in columns[1:])]
        for principles in found
    ]
    return Table(
        "overlap",
        "VI: the order of two graphs beside a third, and that of their Jaccard indices",
        columns,
        rows,
        "The third is the gold graph; the two are any of the system's graph and of copies of the "
        "gold graph, little and much disturbed. Violated: the order is the opposite, or only the "
        "metric ties, or only the Jaccard index. An exact F1 over the same triples is "
        "2 J / (1 + J), and agrees by construction. tau: Kendall's, of scores and Jaccard indices "
        "over the pairs.",
    )


def _gradedness(found: Sequence[Principles]) -> Table:
    columns = [
        _METRIC,
        Column("kind", "replaced by"),
        Column("graphs", "graphs"),
        Column("similar", "cost"),
        Column("unrelated", "unrelated"),
        Column("spared", "spared", "percent"),
    ]
    rows: list[list[Cell]] = [
        [principles.metric, kind, *(getattr(graded, c.key) for c in columns[2:])]
        for principles in found
        for kind, graded in principles.gradedness.items()
    ]
    return Table(
        "gradedness",
        "VII: what a concept costs that is similar",
        columns,
        rows,
        "In triples, beside an unrelated concept at the same node.",
    )


def _rewiring(found: Sequence[Principles]) -> Table:
    columns = [
        _METRIC,
        Column("graphs", "graphs"),
        Column("comparisons", "comparisons"),
        Column("settled", "settled"),
        Column("damage", "damage", "percent"),
        Column("rho", "rho"),
    ]
    rows: list[list[Cell]] = [
        [principles.metric, *(getattr(principles.consistency, c.key) for c in columns[1:])]
        for principles in found
        if principles.consistency is not None
    ]
    return Table(
        "rewiring",
        "Structural consistency: graphs that are rewired step by step",
        columns,
        rows,
        "Copies of the gold graph whose relations exchange targets, and attributes role and value, "
        "one exchange after the other, against the gold graph itself. rho: Spearman's, of scores "
        "and the share of triples that is as it was (1: the metric knows how far a graph is "
        "damaged). settled: comparisons whose score is proven, or needs no search. damage: the "
        "share that is not as it was after the last step, mean of the graphs.",
    )


def _examples(found: Sequence[Principles]) -> Table:
    columns = [
        Column("principle", "principle"),
        _METRIC,
        Column("item", "item"),
        Column("score", "score"),
        Column("other", "other"),
    ]
    rows: list[list[Cell]] = [
        [example.principle, principles.metric, example.item, example.score, example.other]
        for principles in found
        for example in principles.symmetry.examples
    ]
    return Table("examples", "The worst counter-examples", columns, rows)


def _signatures(found: Sequence[Principles]) -> Table:
    rows = [[principles.metric, principles.signature] for principles in found]
    return Table("signatures", "The metrics", [_METRIC, Column("signature", "signature")], rows)


def _chart(measurements: Measurements) -> Chart:
    return Chart(
        "bias",
        "What a wrong concept costs",
        "degree of its node",
        "triples",
        [Series(p.metric, list(p.costs), list(p.costs.values())) for p in measurements.principles],
        categories=measurements.degrees,
    )
