"""The part of the report of an agreement study about groups of items."""

from collections.abc import Callable, Mapping, Sequence

from exactmatch.report.document import Chart, Column, Rows, Series, Table, at_most
from exactmatch.report.wording import between, counted
from exactmatch.studies.agreement.by_group import GroupAlpha, GroupRange
from exactmatch.studies.agreement.chance import ChanceAgreement
from exactmatch.studies.agreement.means import MeanAgreement, PartScore
from exactmatch.studies.agreement.report_alpha import (
    alpha_columns,
    alpha_text,
    disagreement_columns,
)
from exactmatch.studies.chance.coefficients import ONE_ITEM, Coefficient
from exactmatch.studies.common.notes import interval_text
from exactmatch.studies.common.statistics import Interval, Resampling

#: The mean F1 of each group, by its name.
_Means = Mapping[str, MeanAgreement | None]
#: For each annotator, the scores with the consensus by group.
_Scores = Mapping[str, Mapping[str, PartScore]]


def group_tables(
    means: _Means, chance: ChanceAgreement | None, resampling: Resampling
) -> list[Table]:
    """Return the table of groups if there are any."""
    if not means:
        return []
    alphas = {} if chance is None else chance.by_group

    def f1(of: Callable[[MeanAgreement], float | None]) -> Callable[..., float | None]:
        return lambda _, mean, __: None if mean is None else of(mean)

    def plain(_: str, __: MeanAgreement | None, one: GroupAlpha | None) -> Coefficient | None:
        return None if one is None else one.plain

    def norm(_: str, __: MeanAgreement | None, one: GroupAlpha | None) -> Coefficient | None:
        return None if one is None else one.norm

    return [
        Rows((name, mean, alphas.get(name)) for name, mean in means.items()).table(
            "groups",
            "Agreement by group of items",
            [
                Column("group", "group", lambda name, mean, one: name),
                Column("items", "items", lambda _, mean, __: 0 if mean is None else mean.items),
                Column("f1", "mean F1", f1(lambda mean: mean.micro.value)),
                at_most("f1", f1(lambda mean: mean.micro.upper)),
                Column("f1_low", "from", f1(lambda mean: _end(mean.micro.interval, 0))),
                Column("f1_high", "to", f1(lambda mean: _end(mean.micro.interval, 1))),
                *alpha_columns("alpha", "alpha", plain),
                *disagreement_columns(plain),
                *alpha_columns("alpha_norm", "alpha of 1 - F1", norm),
            ],
            _note(chance, resampling),
        )
    ]


def scores_table(scores: _Scores, resampling: Resampling) -> Table:
    """Return the table of agreement with the consensus, by annotator and group."""
    return Rows(
        (annotator, group, *part)
        for annotator, parts in scores.items()
        for group, part in parts.items()
    ).table(
        "group_scores",
        "Agreement with the consensus by group of items",
        [
            Column("annotator", "annotator", lambda annotator, group, score, ends: annotator),
            Column("group", "group", lambda annotator, group, score, ends: group),
            Column("f1", "F1", lambda annotator, group, score, ends: score.f1),
            at_most("f1", lambda annotator, group, score, ends: score.f1_upper),
            Column("f1_low", "from", lambda annotator, group, score, ends: _end(ends, 0)),
            Column("f1_high", "to", lambda annotator, group, score, ends: _end(ends, 1)),
            Column("matched", "matched", lambda annotator, group, score, ends: score.matched),
            Column("pairs", "pairs", lambda annotator, group, score, ends: score.pairs),
        ],
        f"From/to: {resampling.percent} confidence interval (bootstrap over the items of the "
        f"group, {resampling.resamples} resamples, seed {resampling.seed}).",
    )


def groups_plot(scores: _Scores, groups: Sequence[str], resampling: Resampling) -> Chart:
    """Return a line for each annotator, over the groups in the order of their first items.

    With sessions as groups, this is Figure 1 of Cai and Knight (2013).
    """
    series = [
        Series(
            annotator,
            [*parts],
            [part.score.f1 for part in parts.values()],
            [part.interval for part in parts.values()],
        )
        for annotator, parts in scores.items()
        if parts
    ]
    y = f"micro F1 with its {resampling.percent} confidence interval"
    title = "Agreement with the consensus by group of items"
    return Chart("group_scores", title, "group", y, series, categories=groups)


def _end(interval: Interval | None, end: int) -> float | None:
    return None if interval is None else interval[end]


def _note(chance: ChanceAgreement | None, resampling: Resampling) -> str:
    """Return what alpha of a group compares, and which groups have none."""
    alphas = {} if chance is None else chance.by_group
    said = [
        f"Items: those that at least two annotators have. From/to: {resampling.percent} confidence "
        f"interval (bootstrap over the items of the group, {resampling.resamples} resamples, seed "
        f"{resampling.seed})."
    ]
    if alphas:
        said.append(
            "Alpha: Krippendorff's alpha for the triples without a partner, squared, and for "
            "1 - F1, squared. D_o, D_e: of the former; the expected disagreement of a group is "
            "that of its own graphs."
        )
    if chance is not None and chance.drawn_for_groups:
        said.append(f"Pairs of graphs drawn for single groups: {chance.drawn_for_groups:,}.")
    alone = [name for name, one in alphas.items() if one.items == 1]
    if alone:
        said.append(f"Alpha is 0 where {ONE_ITEM}: {counted(len(alone), 'group')}.")
    undefined = {
        name: one.plain.undefined for name, one in alphas.items() if one.plain.value is None
    }
    said += [f"Alpha of {name} is undefined: {why}." for name, why in undefined.items()]
    return " ".join(said)


def groups_sentence(means: _Means, chance: ChanceAgreement | None) -> str:
    """Return the range of alpha over groups, or of the mean F1 if no alpha is computed.

    Groups of one item have no part in the range of alpha, which is always 0 for them. Return an
    empty text for fewer than two groups.
    """
    alphas = {} if chance is None else chance.by_group
    name = "Krippendorff's alpha" if alphas else "mean F1"
    found = GroupRange.of_alphas(alphas) if alphas else GroupRange.of_means(means)
    if found is None:
        return ""
    return (
        f"Over {found.groups} groups of items, {name} ranges from {found.low:.4f} ({found.lowest}) "
        f"to {found.high:.4f} ({found.highest})."
    )


def group_texts(
    means: _Means, scores: _Scores, chance: ChanceAgreement | None, resampling: Resampling
) -> dict[str, str]:
    """Return the agreement on each group in words, by its name."""
    alphas = {} if chance is None else chance.by_group
    return {
        name: "; ".join(
            [
                _text(mean, alphas.get(name), resampling),
                *(
                    _text_with_consensus(annotator, parts[name], resampling)
                    for annotator, parts in scores.items()
                    if name in parts
                ),
            ]
        )
        for name, mean in means.items()
    }


def _text(mean: MeanAgreement | None, one: GroupAlpha | None, resampling: Resampling) -> str:
    if mean is None:
        return "no item with two graphs"
    micro = mean.micro
    said = [
        counted(mean.items, "item"),
        f"mean F1 {between(micro.value, micro.upper)}{interval_text(micro.interval, resampling)}",
    ]
    if one is not None:
        said += [alpha_text("plain", one.plain, resampling)]
        said += [alpha_text("norm", one.norm, resampling)]
    return "; ".join(said)


def _text_with_consensus(annotator: str, part: PartScore, resampling: Resampling) -> str:
    score = part.score
    f1 = f"{between(score.f1, score.f1_upper)}{interval_text(part.interval, resampling)}"
    matched = f"{score.matched} matched in {counted(score.pairs, 'pair')}"
    return f"F1 of {annotator} with the consensus {f1}, {matched}"
