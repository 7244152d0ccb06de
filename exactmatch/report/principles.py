"""The report on the principles of metrics."""

from collections.abc import Sequence

from exactmatch.report.document import Cell, Chart, Column, Provenance, Report, Series, Table
from exactmatch.report.notes import reading_notes
from exactmatch.studies.principles import Measurements, Principles


def principles_report(measurements: Measurements, provenance: Provenance) -> Report:
    """Return the report on the principles of several metrics."""
    found = measurements.principles
    counted = f"{measurements.pairs} pairs of graphs, {measurements.seeds} seeds."
    read = reading_notes(measurements.study)
    return Report(
        study="principles",
        title="Principles of metrics",
        tables=[_table(measurements), _bias(measurements), _examples(found), _signatures(found)],
        provenance=provenance,
        notes=[f"{counted} Proven: {measurements.proven} pairs.", *read],
        plots=[
            Chart(
                "bias",
                "What a wrong concept costs",
                "degree of its node",
                "triples",
                [Series(p.metric, list(p.costs), list(p.costs.values())) for p in found],
                categories=measurements.degrees,
            )
        ],
    )


def _table(measurements: Measurements) -> Table:
    columns = [
        Column("metric", "metric"),
        Column("low", "I: least"),
        Column("high", "largest"),
        Column("outside", "outside"),
        Column("selves_below", "II: itself not 1"),
        Column("twins", "others 1"),
        Column("asymmetric", "III: asymmetric", "percent"),
        Column("asymmetry", "mean"),
        Column("corpus_spread", "IV: corpus spread"),
        Column("pair_spread", "worst pair"),
        Column("bias", "V: cost ratio"),
        Column("tau", "VI: tau"),
        Column("graded", "VII: graded"),
    ]
    rows: list[list[Cell]] = [
        [getattr(principles, column.key) for column in columns]
        for principles in measurements.principles
    ]
    return Table(
        "principles",
        "The seven principles",
        columns,
        rows,
        "I: scores, and how many are outside of 0 to 1. II: graphs whose score against themselves "
        "is not 1, and pairs of different graphs whose score is 1. III: share of pairs whose score "
        f"changes by more than {measurements.tolerance} when they are swapped, and the mean "
        "change. IV: largest minus least score over the seeds. V: cost of a wrong concept at nodes "
        "of high degree by that at nodes of degree 1 (1: no bias). VI: Kendall's tau with the "
        "Jaccard index of the triples under the best mapping. VII: what another sense of a frame "
        "costs less than a wrong concept.",
    )


def _bias(measurements: Measurements) -> Table:
    degrees = measurements.degrees
    columns = [Column("metric", "metric"), *(Column(d.replace(" ", "_"), d) for d in degrees)]
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


def _examples(found: Sequence[Principles]) -> Table:
    columns = [
        Column("principle", "principle"),
        Column("metric", "metric"),
        Column("item", "item"),
        Column("score", "score"),
        Column("other", "other"),
    ]
    rows: list[list[Cell]] = [
        [example.principle, example.metric, example.item, example.score, example.other]
        for principles in found
        for example in principles.examples
    ]
    return Table("examples", "The worst counter-examples", columns, rows)


def _signatures(found: Sequence[Principles]) -> Table:
    columns = [Column("metric", "metric"), Column("signature", "signature")]
    rows = [[principles.metric, principles.signature] for principles in found]
    return Table("signatures", "The metrics", columns, rows)
