"""Tables of the layers of UMR, for the report of an agreement study."""

from collections.abc import Mapping

from exactmatch.graphs.items import FilePair
from exactmatch.report.document import Column, Linked, Rows, Table
from exactmatch.report.wording import counted
from exactmatch.studies.agreement.chance import ChanceAgreement
from exactmatch.studies.agreement.layer_chance import LayerAlpha, LayerChance
from exactmatch.studies.agreement.layers import Layer
from exactmatch.studies.agreement.measure import Agreement
from exactmatch.studies.agreement.report_alpha import (
    alpha_columns,
    alpha_text,
    disagreement_columns,
)
from exactmatch.studies.chance.coefficients import Coefficient
from exactmatch.studies.common.statistics import Resampling


def layer_tables(agreement: Agreement, top: int) -> list[Table]:
    """Return the tables if the files are in UMR; people see *top* rows of those of values."""
    if not agreement.layers:
        return []
    side_by_side = [_side_by_side(agreement)] if len(agreement.compared) > 1 else []
    return [
        *side_by_side,
        _layers(agreement),
        *_alphas(agreement.chance, agreement.resampling),
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


def _alphas(chance: ChanceAgreement | None, resampling: Resampling) -> list[Table]:
    layers = None if chance is None else chance.layers
    if layers is None or not layers.by_layer:
        return []

    def plain(_: str, alpha: LayerAlpha) -> Coefficient:
        return alpha.plain

    def norm(_: str, alpha: LayerAlpha) -> Coefficient:
        return alpha.norm

    return [
        Rows(layers.by_layer.items()).table(
            "layer_alpha",
            "Agreement by layer, corrected for chance",
            [
                Column("layer", "layer", lambda name, _: name),
                *alpha_columns("alpha", "alpha", plain),
                *disagreement_columns(plain),
                Column(
                    "standard_error",
                    "error of sample",
                    lambda _, alpha: alpha.plain.standard_error,
                    if_known=True,
                ),
                *alpha_columns("alpha_norm", "alpha of 1 - F1", norm),
            ],
            _alphas_note(layers, resampling),
        )
    ]


def _alphas_note(layers: LayerChance, resampling: Resampling) -> str:
    """Return what the columns are, how many pairs they rest on, and what is not defined."""
    taken = f"{layers.taken:,}"
    if layers.taken < layers.expected:
        taken += f" of {layers.expected:,}, drawn with seed {resampling.seed}"
    said = [
        "Alpha: Krippendorff's alpha for the triples of the layer without a partner, squared, and "
        "for 1 - F1, squared. Alpha and at most: whatever best mappings of the whole graphs are "
        f"taken. Pairs of graphs of different items: {taken}. From/to: {resampling.percent} "
        f"confidence interval (bootstrap over items, {resampling.resamples} resamples, seed "
        f"{resampling.seed}), from that of the low end to that of the high end."
    ]
    if layers.unknown:
        unknown = counted(layers.unknown, "pair")
        said.append(f"For {unknown} of graphs, the best mappings are not known: all is possible.")
    said += [
        f"Alpha of {name} is undefined: {alpha.plain.undefined}."
        for name, alpha in layers.by_layer.items()
        if alpha.plain.value is None
    ]
    return " ".join(said)


def layer_texts(chance: ChanceAgreement | None, resampling: Resampling) -> dict[str, str]:
    """Return the agreement in each layer corrected for chance in words, by its name."""
    layers = None if chance is None else chance.layers
    return {
        name: "; ".join(
            [
                alpha_text("plain", alpha.plain, resampling),
                alpha_text("norm", alpha.norm, resampling),
            ]
        )
        for name, alpha in ({} if layers is None else layers.by_layer).items()
    }


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
