"""Tables of the layers of UMR, for the report of an agreement study."""

from exactmatch.counts import Score
from exactmatch.report.document import Cell, Column, Linked, Table
from exactmatch.studies.agreement import Agreement
from exactmatch.studies.layers import Layer


def layer_tables(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables if the files are in UMR; that of values shows the *top* rows."""
    if not any(compared.layers for compared in agreement.compared.values()):
        return []
    return [_layers(agreement), _values(agreement, top)]


def _layers(agreement: Agreement) -> Table:
    columns = [
        Column("first", "first"),
        Column("second", "second"),
        Column("layer", "layer"),
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
        [Linked(one, (one, other)), other, name, *_cells(layer)]
        for (one, other), compared in agreement.compared.items()
        if compared.layers is not None
        for name, layer in compared.layers.layers.items()
    ]
    return Table("layers", "Agreement by layer", columns, rows, _note(agreement))


def _cells(layer: Layer) -> list[Cell]:
    score: Score = layer.counts.score()
    ends = [score.matched, layer.least, layer.most, score.system_total, score.gold_total]
    return [*ends, score.precision, score.recall, score.f1]


def _note(agreement: Agreement) -> str:
    unknown = sum(c.layers.unknown for c in agreement.compared.values() if c.layers is not None)
    said = (
        "Under the defined mapping and, at least and at most, under any best mapping; on the "
        "document level these are bounds. Nodes agree in their surface alignment if they are "
        "mapped to each other and have the same tokens, or none; token sets are the distinct ones "
        "of a sentence, mapped or not."
    )
    return f"{said} Of {unknown} pairs, only the defined mapping is known." if unknown else said


def _values(agreement: Agreement, top: int) -> Table:
    columns = [
        Column("first", "first"),
        Column("second", "second"),
        Column("layer", "layer"),
        Column("one", "first says"),
        Column("other", "second says"),
        Column("times", "times"),
    ]
    rows: list[list[Cell]] = [
        [one, other, *said, times]
        for (one, other), compared in agreement.compared.items()
        if compared.layers is not None
        for said, times in compared.layers.values
    ]
    rows.sort(key=lambda row: -int(row[-1] or 0))
    note = (
        "Of nodes that the defined mapping identifies. Where there is nothing, one says what the "
        "other does not."
    )
    return Table("values", "Other values, layer by layer", columns, rows, note, top=top)
