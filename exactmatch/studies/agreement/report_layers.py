"""Tables of the layers of UMR, for the report of an agreement study."""

from collections.abc import Mapping

from exactmatch.graphs.items import FilePair
from exactmatch.report.document import Column, Linked, Rows, Table
from exactmatch.report.wording import counted
from exactmatch.studies.agreement.layers import Layer
from exactmatch.studies.agreement.measure import Agreement


def layer_tables(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables if the files are in UMR; people see *top* rows of those of values."""
    if not agreement.layers:
        return []
    side_by_side = [_side_by_side(agreement)] if len(agreement.compared) > 1 else []
    return [
        *side_by_side,
        _layers(agreement),
        _values(agreement, top, said_by_both=True),
        _values(agreement, top, said_by_both=False),
    ]


def _side_by_side(agreement: Agreement) -> Table:
    def of_files(files: FilePair) -> Column[str, Mapping[FilePair, Layer]]:
        one, other = files
        return Column(
            f"{one}--{other}",
            f"{one} / {other}",
            lambda _, layers: layers[files].score.f1 if files in layers else None,
        )

    columns = [Column("layer", "layer", lambda name, _: name), *map(of_files, agreement.compared)]
    return Rows(agreement.layers.items()).table("layer_f1", "F1 of each layer", columns)


def _layers(agreement: Agreement) -> Table:
    note = (
        "F1 under the defined mapping; at least and at most: under any best mapping (bounds of "
        "these for the document level, and for mapped nodes with many best mappings). Surface "
        "alignment: nodes that are mapped to each other and have the same tokens, or none. Token "
        "sets: the distinct sets of each sentence, mapped or not."
    )
    if agreement.unranged:
        unranged = counted(agreement.unranged, "pair")
        note += f" For {unranged} of graphs, only the defined mapping is known."
    return Rows(
        (name, files, layer)
        for name, by_files in agreement.layers.items()
        for files, layer in by_files.items()
    ).table(
        "layers",
        "Agreement by layer",
        [
            Column("layer", "layer", lambda name, files, layer: name),
            Column("first", "first", lambda name, files, layer: Linked(files[0], files)),
            Column("second", "second", lambda name, files, layer: files[1]),
            Column("f1", "F1", lambda name, files, layer: layer.score.f1),
            Column("matched", "both", lambda name, files, layer: layer.score.matched),
            Column(
                "matched_least",
                "at least",
                lambda name, files, layer: layer.least,
                upper_of="matched",
            ),
            Column(
                "matched_most", "at most", lambda name, files, layer: layer.most, upper_of="matched"
            ),
            Column("first_total", "of first", lambda name, files, layer: layer.score.system_total),
            Column("second_total", "of second", lambda name, files, layer: layer.score.gold_total),
            Column("precision", "precision", lambda name, files, layer: layer.score.precision),
            Column("recall", "recall", lambda name, files, layer: layer.score.recall),
        ],
        note,
    )


def _values(agreement: Agreement, top: int, *, said_by_both: bool) -> Table:
    """Return the table of values of one annotator where the other has another value, or none."""
    key, title, says = "unsaid", "Values that one annotator has alone, by layer", "only {}"
    if said_by_both:
        key, title, says = "values", "Values that differ, by layer", "{} says"
    return Rows(
        (files, value, times)
        for files, value, times in agreement.other_values
        if (None not in (value.one, value.other)) == said_by_both
    ).table(
        key,
        title,
        [
            Column("layer", "layer", lambda files, value, times: value.layer),
            Column("first", "first", lambda files, value, times: files[0]),
            Column("second", "second", lambda files, value, times: files[1]),
            Column("one", says.format("first"), lambda files, value, times: value.one),
            Column("other", says.format("second"), lambda files, value, times: value.other),
            Column("times", "times", lambda files, value, times: times),
        ],
        "Of nodes that the defined mapping maps to each other.",
        top,
    )
