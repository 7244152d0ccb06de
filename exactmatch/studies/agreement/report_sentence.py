"""The agreement of annotators in a sentence for a paper."""

from exactmatch.report.wording import between, counted, listed
from exactmatch.studies.agreement.chance import ChanceAgreement
from exactmatch.studies.agreement.means import MeanAgreement, MeanAgreements, MeanF1
from exactmatch.studies.common.notes import certified_text, interval_text
from exactmatch.studies.common.statistics import Resampling


def agreement_sentence(
    means: MeanAgreements, title: str, chance: ChanceAgreement | None = None
) -> str:
    """Return the mean agreement by the metric of that *title*: micro, macro, and certified pairs.

    The agreement corrected for chance follows, unless it is undefined. If there is a consensus, the
    sentence also has the agreement of annotators with it.
    """
    said = []
    if means.among is not None:
        said.append(f"{_subject(means.among, title)}: {_figures(means.among, means.resampling)}")
    if chance is not None and chance.measured and chance.alpha.value is not None:
        said.append(_corrected(chance, means.resampling))
    if means.with_consensus is not None:
        found = means.with_consensus
        subject = f"mean {title} F1 with {means.consensus}" if said else _with_one(found, title)
        said.append(f"{subject}: {_figures(found, means.resampling)}")
    return f"{'; '.join(said)}."


def _subject(among: MeanAgreement, title: str) -> str:
    items = counted(among.items, "item")
    if len(among.files) == 1:
        return f"{title} F1 of {listed(among.names)} on {items}"
    return f"Mean pairwise {title} F1 of {len(among.names)} annotators on {items}"


def _with_one(found: MeanAgreement, title: str) -> str:
    (annotator, consensus), *_ = found.files
    return f"{title} F1 of {annotator} with {consensus} on {counted(found.items, 'item')}"


def _figures(mean: MeanAgreement, resampling: Resampling) -> str:
    micro, macro = mean.micro, mean.macro
    said = [
        f"{_value(micro)}{interval_text(micro.interval, resampling)}",
        f"macro {_value(macro)}{_ends(macro)}",
        certified_text(mean.certified, mean.pairs, mean.by_word),
    ]
    return ", ".join(said)


def _corrected(chance: ChanceAgreement, resampling: Resampling) -> str:
    alpha = chance.alpha
    assert alpha.value is not None
    value = between(float(alpha.value.low), float(alpha.value.high))
    text = f"Krippendorff's alpha {value}{interval_text(alpha.interval, resampling)}"
    text += ", distance of triples squared"
    if alpha.standard_error is None:
        return text
    return (
        f"{text}, expected distance from {chance.taken:,} of {chance.expected:,} pairs of graphs "
        f"(standard error {alpha.standard_error:.4f})"
    )


def _value(mean: MeanF1) -> str:
    return between(mean.value, mean.upper)


def _ends(mean: MeanF1) -> str:
    """Return the interval without its level, which comes earlier in the sentence."""
    return (
        "" if mean.interval is None else f" ({mean.interval.low:.4f} to {mean.interval.high:.4f})"
    )
