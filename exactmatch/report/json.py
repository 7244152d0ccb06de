"""Results as JSON, in ASCII: one object for a corpus, one line for each pair."""

from collections.abc import Mapping, Sequence
from typing import Any

from exactmatch.counts import Counts, Score
from exactmatch.results import CorpusScore, FrameworkScore, PairScore

#: Raised when a key changes its meaning or goes; new keys may come without notice.
SCHEMA = 2

_RATIOS = ("precision", "recall", "f1", "precision_upper", "recall_upper", "f1_upper")


def results_json(
    scores: Sequence[CorpusScore],
    worst: Sequence[Sequence[Mapping[str, Any]]] = (),
    validity: Mapping[str, Any] | None = None,
    *,
    with_seconds: bool = True,
) -> str:
    """Return one score as a JSON object, or several as an object with a list of such.

    *worst* has for each score the `pair_content` of the pairs that are to be shown with it,
    *validity* what is wrong with the graphs of both sides; without *with_seconds*, times are null.
    """
    import json

    contents = [_corpus(score, with_seconds) for score in scores]
    for content, pairs in zip(contents, worst, strict=False):
        content["worst"] = pairs
    whole = contents[0] if len(contents) == 1 else {"schema": SCHEMA, "metrics": contents}
    if validity:
        whole["validity"] = validity
    return json.dumps(whole, indent=2)


def _corpus(score: CorpusScore, with_seconds: bool) -> dict[str, Any]:
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "metric": score.metric.name,
        "signature": score.signature,
        "long_signature": score.long_signature,
        "pairs": score.pairs,
        "optimal": score.optimal,
        "certified": score.certified,
        "by_word": dict(score.by_word),
        "bounded_by_word": dict(score.bounded_by_word),
        "timed_out": score.timed_out,
        "too_large": score.too_large,
        "skipped": score.skipped,
        "emptied": score.emptied,
        "noted": score.noted,
        "unselected": score.unselected,
        "missing_ids": score.missing_ids,
        "confirmed": score.confirmed,
        "partial": score.partial,
        "notes": list(score.notes),
        "scale": score.metric.scale,
        "matched": score.matched,
        "matched_upper": score.matched_upper,
        "system_total": score.system_total,
        "gold_total": score.gold_total,
        **_ratios(score, *_RATIOS),
        "gap": score.gap,
        "seconds": round(score.seconds, 3) if with_seconds else None,
    }
    if score.breakdown:
        content["breakdown"] = _breakdown(score.breakdown)
    if score.frameworks:
        content["frameworks"] = {name: _framework(one) for name, one in score.frameworks.items()}
        content["framework_average"] = score.framework_average
        content["framework_average_upper"] = score.framework_average_upper
    return content


def _framework(score: FrameworkScore) -> dict[str, Any]:
    return {
        "pairs": score.pairs,
        "optimal": score.optimal,
        "matched": score.matched,
        "matched_upper": score.matched_upper,
        "system_total": score.system_total,
        "gold_total": score.gold_total,
        **_ratios(score, "precision", "recall", "f1", "f1_upper"),
    }


def _ratios(score: Score, *names: str) -> dict[str, float | str | None]:
    """Return the score and the ratios called so, None for those that the metric does not have."""
    figures = score.figures
    content: dict[str, float | str | None] = {"score": score.value, "score_name": score.value_name}
    content |= {name: score.figure(name) for name in names}
    if figures is not None:
        content |= {name.replace(" ", "_"): value for name, value in figures.others.items()}
    return content


def pair_content(score: PairScore, *, with_seconds: bool = True) -> dict[str, Any]:
    """Return the result of a pair, such as JSON can be made of."""
    content: dict[str, Any] = {
        "id": score.identifier,
        "matched": score.matched,
        "upper": score.matched_upper,
        "status": score.status,
        "system_total": score.system_total,
        "gold_total": score.gold_total,
        **_ratios(score, "precision", "recall", "f1", "f1_upper"),
        "solver": score.solver,
        "seconds": round(score.seconds, 6) if with_seconds else None,
        "mapping": [list(pair) for pair in score.mapping.items()],
        "timed_out": score.timed_out,
        "too_large": score.too_large,
        "emptied": score.emptied,
        "noted": score.noted,
        "certified": score.certified,
        "confirmed": score.confirmed,
    }
    if score.breakdown:
        content["breakdown"] = _breakdown(score.breakdown)
    if score.framework:
        content["framework"] = score.framework
    return content


def pair_json(score: PairScore, *, with_seconds: bool = True) -> str:
    """Return the result of a pair as one line of JSON."""
    import json

    return json.dumps(pair_content(score, with_seconds=with_seconds))


def _breakdown(counts: Mapping[str, Counts]) -> dict[str, dict[str, int | float]]:
    found = {}
    for part, count in counts.items():
        score = count.score()
        found[part] = {
            "matched": score.matched,
            "system_total": score.system_total,
            "gold_total": score.gold_total,
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
        }
    return found
