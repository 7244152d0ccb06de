"""Two annotators' graphs of an item compared, in the process that parses them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from exactmatch.errors import VerificationError
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.triples import Duplicates, NormalisedGraph
from exactmatch.scoring.comparison import compare
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline
from exactmatch.studies.agreement.layers import PairLayers, layer_parts, pair_layers
from exactmatch.studies.agreement.varying import VaryingDifferences
from exactmatch.studies.common.differences import differences
from exactmatch.studies.common.outcomes import PairOutcome, PairRow

#: The metadata of a graph with the date of its annotation (AMR releases of ISI and LDC).
_DATES = ("date", "save-date")
_DATE_FORMATS = ("%a %b %d, %Y", "%Y/%m/%d", "%d.%m.%Y")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair(PairOutcome):
    """The part of a pair of graphs that is kept."""

    differences: VaryingDifferences
    month: str | None
    layers: PairLayers | None


def compared_pair(metric: AlignmentMetric, settings: Settings, pair: GraphPair) -> ComparedPair:
    """Compare two graphs. Raises `VerificationError` if equal graphs do not score 1."""
    has_layers = bool(pair.system.sentences or pair.gold.sentences)
    parts: dict[str, Any] = {"parts": partial(layer_parts, pair=pair)} if has_layers else {}
    score = score_pair(pair, metric, settings, Deadline(), **parts)
    comparison = compare(pair, metric)
    system, gold = comparison.system, comparison.gold
    has_links = system.keys is None or all(system.keys.values())
    can_match = bool(system.triples) and set(system.triples) <= set(system.as_gold())
    if system == gold and can_match and has_links and score.f1_upper < 1:
        raise VerificationError(
            f"{pair.identifier}: two equal graphs score {score.f1_upper}, not 1"
        )
    return ComparedPair(
        row=PairRow.of(score),
        certificate=score.certificate,
        work=score.work,
        differences=_differences(system, gold, score, metric.duplicates),
        month=_month(pair.system.metadata),
        layers=pair_layers(pair, comparison, score) if has_layers else None,
    )


def _differences(
    system: NormalisedGraph, gold: NormalisedGraph, score: PairScore, duplicates: Duplicates
) -> VaryingDifferences:
    """Return the differences under the best mappings of a pair, or under the known one."""
    best = score.best
    listed = [score.mapping] if best is None else best.mappings
    return VaryingDifferences.of(
        [differences(system, gold, mapping, duplicates) for mapping in listed],
        are_all=best is not None and best.are_all,
    )


def _month(metadata: Mapping[str, str]) -> str | None:
    """Return year and month of a graph's date; None if there is no readable date."""
    for key in _DATES:
        if key in metadata:
            date = _parsed(metadata[key])
            return None if date is None else f"{date:%Y-%m}"
    return None


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for known in _DATE_FORMATS:
        try:
            return datetime.strptime(text, known)
        except ValueError:
            continue
    return None
