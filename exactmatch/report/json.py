"""Results as JSON, in ASCII: one object for a corpus, one line for each pair."""

from collections.abc import Mapping, Sequence
from typing import Any

from exactmatch.counts import Counts, Score
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.results import CorpusScore, FrameworkScore, PairScore

#: Raised when a key changes its meaning or goes; new keys may come without notice.
SCHEMA = 2

_RATIOS = ("precision", "recall", "f1", "precision_upper", "recall_upper", "f1_upper")


def results_json(scores: Sequence[CorpusScore]) -> str:
    """Return one score as a JSON object, or several as an object with a list of such."""
    import json

    contents = [_corpus(score) for score in scores]
    if len(contents) == 1:
        return json.dumps(contents[0], indent=2)
    return json.dumps({"schema": SCHEMA, "metrics": contents}, indent=2)


def _corpus(score: CorpusScore) -> dict[str, Any]:
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
        "seconds": round(score.seconds, 3),
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


def pair_json(score: PairScore) -> str:
    """Return the result of a pair as one line of JSON."""
    import json

    content: dict[str, Any] = {
        "id": score.identifier,
        "matched": score.matched,
        "upper": score.matched_upper,
        "status": score.status,
        "system_total": score.system_total,
        "gold_total": score.gold_total,
        **_ratios(score, "precision", "recall", "f1", "f1_upper"),
        "solver": score.solver,
        "seconds": round(score.seconds, 6),
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
    return json.dumps(content)


def pair_line(pair: GraphPair | Skipped, score: PairScore) -> str:
    """Return what a file of results gets for a pair."""
    return pair_json(score)


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
