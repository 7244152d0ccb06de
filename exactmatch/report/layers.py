"""Tables of the layers of UMR, for the report of an agreement study."""

from collections.abc import Mapping

from exactmatch.report.document import Cell, Column, Linked, Table
from exactmatch.studies.agreement import Agreement
from exactmatch.studies.layers import Layer, LayerAgreement
from exactmatch.studies.sources import FilePair


def layer_tables(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables if the files are in UMR; people see *top* rows of that of values."""
    compared = {
        pair: found.layers for pair, found in agreement.compared.items() if found.layers is not None
    }
    return [_layers(compared), _values(compared, top)] if compared else []


def _layers(compared: Mapping[FilePair, LayerAgreement]) -> Table:
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
    names = dict.fromkeys(name for found in compared.values() for name in found.layers)
    rows: list[list[Cell]] = [
        [name, Linked(one, (one, other)), other, *_cells(found.layers[name])]
        for name in names
        for (one, other), found in compared.items()
        if name in found.layers
    ]
    note = (
        "Under the defined mapping; at least and at most: under any best mapping or, of the "
        "document level, bounds of that. Surface alignment: nodes that are mapped to each other "
        "and have the same tokens, or none. Token sets: the distinct ones of each sentence, "
        "mapped or not."
    )
    unknown = sum(found.unknown for found in compared.values())
    if unknown:
        note += f" Of {unknown} pairs of graphs, only the defined mapping is known."
    return Table("layers", "Agreement by layer", columns, rows, note)


def _cells(layer: Layer) -> list[Cell]:
    score = layer.counts.score()
    ends = [score.matched, layer.least, layer.most, score.system_total, score.gold_total]
    return [*ends, score.precision, score.recall, score.f1]


def _values(compared: Mapping[FilePair, LayerAgreement], top: int) -> Table:
    columns = [
        Column("layer", "layer"),
        Column("first", "first"),
        Column("second", "second"),
        Column("one", "first says"),
        Column("other", "second says"),
        Column("times", "times"),
    ]
    found = [
        (times, pair, value) for pair, layers in compared.items() for value, times in layers.values
    ]
    rows: list[list[Cell]] = [
        [value.layer, *pair, value.one, value.other, times]
        for times, pair, value in sorted(found, key=lambda entry: -entry[0])
    ]
    note = (
        "Of nodes that the defined mapping identifies; - is where one says nothing, and the other "
        "does."
    )
    return Table(
        "values", "What one says where the other says something else", columns, rows, note, top
    )
