"""Tables of the layers of UMR, for the report of an agreement study."""

from exactmatch.report.document import Cell, Column, Linked, Table
from exactmatch.studies.agreement import Agreement
from exactmatch.studies.layers import Layer


def layer_tables(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables if the files are in UMR; people see *top* rows of that of values."""
    return [_layers(agreement), _values(agreement, top)] if agreement.layers else []


def _layers(agreement: Agreement) -> Table:
    columns = [
        Column("layer", "layer"),
        Column("first", "first"),
        Column("second", "second"),
        Column("matched", "both"),
        Column("matched_least", "at least", upper_of="matched"),
        Column("matched_most", "at most", upper_of="matched"),
        Column("first_total", "of first"),
        Column("second_total", "of second"),
        Column("precision", "precision"),
        Column("recall", "recall"),
        Column("f1", "F1"),
    ]
    rows: list[list[Cell]] = [
        [name, Linked(one, (one, other)), other, *_cells(layer)]
        for name, by_files in agreement.layers.items()
        for (one, other), layer in by_files.items()
    ]
    note = (
        "Under the defined mapping; at least and at most: under any best mapping or, of the "
        "document level, bounds of that. Surface alignment: nodes that are mapped to each other "
        "and have the same tokens, or none. Token sets: the distinct ones of each sentence, "
        "mapped or not."
    )
    if agreement.unranged:
        note += f" Of {agreement.unranged} pairs of graphs, nothing is known of other mappings."
    return Table("layers", "Agreement by layer", columns, rows, note)


def _cells(layer: Layer) -> list[Cell]:
    score = layer.counts.score()
    ends = [score.matched, layer.least, layer.most, score.system_total, score.gold_total]
    return [*ends, score.precision, score.recall, score.f1]


def _values(agreement: Agreement, top: int) -> Table:
    columns = [
        Column("layer", "layer"),
        Column("first", "first"),
        Column("second", "second"),
        Column("one", "first says"),
        Column("other", "second says"),
        Column("times", "times"),
    ]
    rows: list[list[Cell]] = [
        [value.layer, *files, value.one, value.other, times]
        for files, value, times in agreement.other_values
    ]
    note = (
        "Of nodes that the defined mapping identifies; - is where one says nothing, and the other "
        "does."
    )
    return Table(
        "values", "What one says where the other says something else", columns, rows, note, top
    )
