"""Tables of the layers of UMR, for the report of an agreement study."""

from exactmatch.report.document import Cell, Column, Linked, Table
from exactmatch.studies.agreement.layers import Layer
from exactmatch.studies.agreement.measure import Agreement


def layer_tables(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables if the files are in UMR; people see *top* rows of those of values."""
    if not agreement.layers:
        return []
    side_by_side = [_side_by_side(agreement)] if len(agreement.compared) > 1 else []
    return [*side_by_side, _layers(agreement), _values(agreement, top), _unsaid(agreement, top)]


def _side_by_side(agreement: Agreement) -> Table:
    columns = [
        Column("layer", "layer"),
        *(Column(f"{one}--{other}", f"{one} / {other}") for one, other in agreement.compared),
    ]
    rows: list[list[Cell]] = [
        [
            name,
            *(
                by_files[files].counts.score().f1 if files in by_files else None
                for files in agreement.compared
            ),
        ]
        for name, by_files in agreement.layers.items()
    ]
    return Table("layer_f1", "F1 of each layer", columns, rows)


def _layers(agreement: Agreement) -> Table:
    columns = [
        Column("layer", "layer"),
        Column("first", "first"),
        Column("second", "second"),
        Column("f1", "F1"),
        Column("matched", "both"),
        Column("matched_least", "at least", upper_of="matched"),
        Column("matched_most", "at most", upper_of="matched"),
        Column("first_total", "of first"),
        Column("second_total", "of second"),
        Column("precision", "precision"),
        Column("recall", "recall"),
    ]
    rows: list[list[Cell]] = [
        [name, Linked(one, (one, other)), other, *_cells(layer)]
        for name, by_files in agreement.layers.items()
        for (one, other), layer in by_files.items()
    ]
    note = (
        "Under the defined mapping; at least and at most: under any best mapping (of the document "
        "level, and of mapped nodes where best mappings are many, bounds of that). Surface "
        "alignment: nodes that are mapped to each other and have the same tokens, or none. Token "
        "sets: the distinct ones of each sentence, mapped or not."
    )
    if agreement.unranged:
        note += f" Of {agreement.unranged} pairs of graphs, nothing is known of other mappings."
    return Table("layers", "Agreement by layer", columns, rows, note)


def _cells(layer: Layer) -> list[Cell]:
    score = layer.counts.score()
    ends: list[Cell] = [score.matched, layer.least, layer.most]
    return [score.f1, *ends, score.system_total, score.gold_total, score.precision, score.recall]


def _values(agreement: Agreement, top: int) -> Table:
    columns = [*_OF_VALUES, Column("one", "first says"), Column("other", "second says"), _TIMES]
    note = "Of nodes that the defined mapping identifies."
    title = "What one says where the other says something else"
    return Table("values", title, columns, _rows(agreement, said_by_both=True), note, top)


def _unsaid(agreement: Agreement, top: int) -> Table:
    columns = [*_OF_VALUES, Column("one", "only first"), Column("other", "only second"), _TIMES]
    note = "Of nodes that the defined mapping identifies."
    title = "What one says where the other says nothing"
    return Table("unsaid", title, columns, _rows(agreement, said_by_both=False), note, top)


_OF_VALUES = [Column("layer", "layer"), Column("first", "first"), Column("second", "second")]
_TIMES = Column("times", "times")


def _rows(agreement: Agreement, *, said_by_both: bool) -> list[list[Cell]]:
    return [
        [value.layer, *files, value.one, value.other, times]
        for files, value, times in agreement.other_values
        if (None not in (value.one, value.other)) == said_by_both
    ]
