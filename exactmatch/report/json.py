"""Results as JSON, in ASCII: one object for a corpus, one line for each pair."""

import json
from collections.abc import Mapping
from typing import Any

from exactmatch.corpus import CorpusScore, PairScore
from exactmatch.metrics.counts import Counts

#: Raised when a key changes its meaning or goes; new keys may come without notice.
SCHEMA = 1


def corpus_json(score: CorpusScore) -> str:
    """Return the corpus result as one JSON object."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "metric": score.profile.metric,
        "signature": score.signature,
        "long_signature": score.long_signature,
        "pairs": score.pairs,
        "optimal": score.optimal,
        "timed_out": score.timed_out,
        "skipped": score.skipped,
        "emptied": score.emptied,
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
    return json.dumps(content, indent=2)


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
        "emptied": score.emptied,
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
