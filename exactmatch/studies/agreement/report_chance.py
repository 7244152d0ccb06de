"""The part of the report of an agreement study about agreement corrected for chance."""

from collections.abc import Callable

from exactmatch.report.document import Column, Histograms, Rows, Series, Table, at_most
from exactmatch.report.wording import counted
from exactmatch.studies.agreement.chance import ChanceAgreement, Corrected
from exactmatch.studies.agreement.report_alpha import DISTANCE_WORDS
from exactmatch.studies.chance.coefficients import Bounds, Coefficient
from exactmatch.studies.common.statistics import Resampling

_NAMES = {
    "alpha": "Krippendorff's alpha",
    "mean": "Braylan's alpha",
    "sigma": "sigma",
    "KS": "KS",
}


def chance_tables(chance: ChanceAgreement | None, resampling: Resampling) -> list[Table]:
    """Return the tables of all coefficients, and of alpha without each annotator."""
    if chance is None or not chance.measured:
        return []
    tables = [_coefficients(chance, resampling)]
    if chance.without:
        tables.append(_without_each(chance))
    return tables


def chance_notes(chance: ChanceAgreement | None) -> list[str]:
    """Return a note if agreement could not be corrected for chance, or only from one item."""
    if chance is None:
        return []
    reason = chance.reason or chance.alpha.undefined
    if reason:
        return [f"Agreement corrected for chance is undefined: {reason}."]
    if chance.items == 1:
        return ["Only one item has several graphs, so agreement is that by chance: alpha is 0."]
    return []


def chance_plots(chance: ChanceAgreement | None) -> list[Histograms]:
    """Return the plot of the distances of graphs of one item, and of different items."""
    if chance is None or chance.shares is None:
        return []
    title = "Distances of graphs of one item, and of different items"
    series = [
        Series("of one item", chance.shares.ends, chance.shares.observed),
        Series("of different items", chance.shares.ends, chance.shares.expected),
    ]
    return [Histograms("chance", title, "1 - F1 of two graphs", series)]


def _coefficients(chance: ChanceAgreement, resampling: Resampling) -> Table:
    def of(end: Callable[[Coefficient], float | None]) -> Callable[[Corrected], float | None]:
        return lambda one: end(one.coefficient)

    return Rows((one,) for one in chance.measured).table(
        "chance",
        "Agreement corrected for chance",
        [
            Column("coefficient", "coefficient", lambda one: _NAMES[one.coefficient.name]),
            Column("distance", "distance", _worded),
            Column("value", "value", of(lambda one: _low(one.value))),
            at_most("value", of(lambda one: _high(one.value))),
            Column("low", "from", of(lambda one: one.interval and one.interval.low), if_known=True),
            Column("high", "to", of(lambda one: one.interval and one.interval.high), if_known=True),
            Column("observed", "D_o", of(lambda one: _low(one.observed))),
            at_most("observed", of(lambda one: _high(one.observed))),
            Column("expected", "D_e", of(lambda one: _low(one.expected))),
            at_most("expected", of(lambda one: _high(one.expected))),
            Column(
                "standard_error",
                "error of sample",
                of(lambda one: one.standard_error),
                if_known=True,
            ),
        ],
        _note(chance, resampling),
    )


def _worded(measured: Corrected) -> str:
    """Return the distance in words."""
    return f"{DISTANCE_WORDS[measured.distance]}{', squared' if measured.power == 2 else ''}"


def _low(value: Bounds | None) -> float | None:
    return None if value is None else float(value.low)


def _high(value: Bounds | None) -> float | None:
    return None if value is None else float(value.high)


def _note(chance: ChanceAgreement, resampling: Resampling) -> str:
    """Return what the columns are, how many pairs they rest on, and what is proven."""
    taken = f"{chance.taken:,} pairs"
    if chance.taken < chance.expected:
        taken = f"{chance.taken:,} of {chance.expected:,} pairs, drawn with seed {resampling.seed}"
    proven = f"Proven: {chance.proven} of {chance.pairs} distances"
    if chance.by_word:
        proven += f", {chance.by_word} by the word of a solver"
    return (
        f"{counted(chance.graphs, 'graph')} of {counted(chance.items, 'item')}. D_o: the mean "
        f"distance of graphs of one item ({chance.observed:,} pairs). D_e: that of any two graphs "
        f"or, in the last three rows, of graphs of different items ({taken}). {proven}. Sigma: the "
        "share of distances in items below the 5% quantile of those of different items. KS: the "
        "largest lead of their distribution over that of different items. From/to: "
        f"{resampling.percent} confidence interval (bootstrap over items, {resampling.resamples} "
        f"resamples, seed {resampling.seed}; at most 999 in the last three rows)."
    )


def _without_each(chance: ChanceAgreement) -> Table:
    return Rows(chance.without.items()).table(
        "chance_without",
        "Alpha without each annotator",
        [
            Column("annotator", "without", lambda name, _: name),
            Column("alpha", "alpha", lambda _, one: _low(one.alpha)),
            at_most("alpha", lambda _, one: _high(one.alpha)),
            Column(
                "change",
                "change",
                lambda _, one: None if one.change is None else float(one.change),
            ),
        ],
        "Krippendorff's alpha for the triples without a partner, squared. If it rises without an "
        "annotator, this annotator agrees less with the others than they do.",
    )
