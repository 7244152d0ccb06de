"""Results as JSON, in ASCII: one object for a corpus, one line for each pair."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from exactmatch.corpus import CorpusScore, PairScore
from exactmatch.metrics.counts import Counts
from exactmatch.unaligned import UnalignedScore

#: Raised when a key changes its meaning or goes; new keys may come without notice.
SCHEMA = 2


def results_json(scores: Sequence[CorpusScore | UnalignedScore]) -> str:
    """Return one result as a JSON object, or several as an object with a list of such."""
    contents = [_corpus(s) if isinstance(s, CorpusScore) else _unaligned(s) for s in scores]
    if len(contents) == 1:
        return json.dumps(contents[0], indent=2)
    return json.dumps({"schema": SCHEMA, "metrics": contents}, indent=2)


def _unaligned(result: UnalignedScore) -> dict[str, Any]:
    score = result.score
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "metric": result.metric.name,
        "signature": result.signature,
        "pairs": result.pairs,
        "skipped": result.skipped,
        "emptied": result.emptied,
        "noted": result.noted,
        "partial": result.partial,
        "notes": list(result.notes),
        "score": score.value,
        "score_name": score.value_name,
        **{name.replace(" ", "_"): value for name, value in score.figures.items()},
        "parts": _breakdown(score.parts),
        "seconds": round(result.seconds, 3),
    }
    return content


def _corpus(score: CorpusScore) -> dict[str, Any]:
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "metric": score.profile.metric,
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
        "scale": score.profile.scale,
        "matched": score.matched,
        "matched_upper": score.matched_upper,
        "test_total": score.test_total,
        "gold_total": score.gold_total,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "precision_upper": score.precision_upper,
        "recall_upper": score.recall_upper,
        "f1_upper": score.f1_upper,
        "gap": score.gap,
        "seconds": round(score.seconds, 3),
    }
    if score.breakdown:
        content["breakdown"] = _breakdown(score.breakdown)
    return content


def pair_json(score: PairScore) -> str:
    """Return the result of a pair as one line of JSON."""
    content: dict[str, Any] = {
        "id": score.identifier,
        "matched": score.matched,
        "upper": score.matched_upper,
        "status": score.status,
        "test_total": score.test_total,
        "gold_total": score.gold_total,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "f1_upper": score.f1_upper,
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
    return json.dumps(content)


def _breakdown(counts: Mapping[str, Counts]) -> dict[str, dict[str, int | float]]:
    found = {}
    for part, count in counts.items():
        score = count.score()
        found[part] = {
            "matched": score.matched,
            "test_total": score.test_total,
            "gold_total": score.gold_total,
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
        }
    return found
