"""Results as JSON, in ASCII: one object for a corpus, one line for each pair."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.metrics.counts import Counts, Range, Score, difference
from exactmatch.problem.solver_work import SolverWork
from exactmatch.scoring.results import COUNTERS, CorpusScore, PairScore
from exactmatch.scoring.sentence_losses import SentenceSummary
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.solver_totals import SolverRun, SolverTotals

if TYPE_CHECKING:
    from exactmatch.metrics.best_mappings import BestMappings
    from exactmatch.metrics.sentence_triples import SentenceTriples
    from exactmatch.metrics.subscores.subscore import Subscore
    from exactmatch.scoring.framework_score import FrameworkScore

#: Raised when a key changes its meaning or is removed; new keys may be added without notice.
SCHEMA = 3

_RATIOS = ("precision", "recall", "f1", "precision_upper", "recall_upper", "f1_upper")


def results_json(
    scores: Sequence[CorpusScore],
    worst: Sequence[Sequence[Mapping[str, Any]]] = (),
    validity: Mapping[str, Any] | None = None,
    further: Mapping[str, Any] | None = None,
    *,
    with_seconds: bool = True,
) -> str:
    """Return one score as a JSON object, or several as an object with a list of such.

    *worst* has for each score the `pair_content` of the pairs to show with it, *validity* the
    faults of the graphs of both sides, *further* the comparison of the scores. Without
    *with_seconds*, times are null.
    """
    import json

    contents = [_corpus(score, with_seconds) for score in scores]
    for content, pairs in zip(contents, worst, strict=False):
        content["worst"] = pairs
    whole = contents[0] if len(contents) == 1 else {"schema": SCHEMA, "metrics": contents}
    if validity:
        whole["validity"] = validity
    whole.update(further or {})
    return json.dumps(whole, indent=2)


def difference_content(within: CorpusScore, free: CorpusScore) -> dict[str, Any]:
    """Return the matches of *free* beyond those of *within*, as values for JSON."""
    gained = difference(within, free)
    return {name: getattr(gained, name) for name in ("matched", "matched_upper", "f1", "f1_upper")}


def _corpus(score: CorpusScore, with_seconds: bool) -> dict[str, Any]:
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "metric": score.metric.name,
        "signature": score.signature,
        "long_signature": score.long_signature,
        **_counts(score),
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
    if score.left_out:
        content["left_out"] = score.left_out
    if score.mended:
        content["mended"] = score.mended
    if score.ill_formed is not None:
        content["macro_f1"], content["macro_f1_upper"] = score.macro_f1, score.macro_f1_upper
        counts = score.ill_formed._asdict()
        content["ill_formed"] = {**counts, "error_rate": score.ill_formed.error_rate}
    if score.breakdown:
        content["breakdown"] = _breakdown(score.breakdown, score.ranges)
    asked = score.settings.subscores
    if asked is not None:
        content["subscores_signature"] = asked.signature()
        content["subscores"] = {
            name: {"title": what.title, "mapping": what.mapping, **_subscore(score.subscores[name])}
            for name, what in asked.definitions.items()
        }
    if score.sentences is not None:
        content["sentences"] = _sentences(score.sentences)
    if score.solver_totals is not None:
        content["solver_work"] = _solver_totals(score.settings, score.solver_totals, with_seconds)
    if score.frameworks:
        content["frameworks"] = {name: _framework(one) for name, one in score.frameworks.items()}
        content["framework_average"] = score.framework_average
        content["framework_average_upper"] = score.framework_average_upper
    return content


def _counts(score: CorpusScore) -> dict[str, Any]:
    """Return the counters of pairs; some only if they are not None."""
    counts = {counter.name: getattr(score, counter.name) for counter in COUNTERS}
    del counts["left_out"], counts["mended"]
    return counts


def _framework(score: "FrameworkScore") -> dict[str, Any]:
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
    """Return the score and the named ratios, None for those that the metric does not have."""
    figures = score.figures
    content: dict[str, float | str | None] = {"score": score.value, "score_name": score.value_name}
    content |= {name: score.figure(name) for name in names}
    if figures is not None and not figures.is_known:
        content["score_upper"] = score.value_upper
    if figures is not None:
        content |= {name.replace(" ", "_"): value for name, value in figures.others.items()}
    return content


def pair_content(score: PairScore, *, with_seconds: bool = True) -> dict[str, Any]:
    """Return the result of a pair, as values for JSON."""
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
        "mapping_defined": score.best is not None,
        "timed_out": score.timed_out,
        "too_large": score.too_large,
        "emptied": score.emptied,
        "noted": score.noted,
        "certified": score.certified,
        "confirmed": score.confirmed,
    }
    if score.left_out:
        content["left_out"] = score.left_out
    if score.mended:
        content["mended"] = score.mended
    if score.ill_formed:
        content["ill_formed"] = list(score.ill_formed)
    if score.breakdown:
        content["breakdown"] = _breakdown(score.breakdown, score.ranges)
    if score.subscores:
        subscores = score.subscores.items()
        content["subscores"] = {name: _subscore(subscore) for name, subscore in subscores}
    if score.sentences:
        content["sentences"] = {name: _lost(counts) for name, counts in score.sentences.items()}
    if score.framework:
        content["framework"] = score.framework
    if score.work is not None:
        content["given"], content["own"] = _solver_work(score.work, with_seconds)
    return content


def _solver_work(work: SolverWork, with_seconds: bool) -> tuple[dict[str, Any], Any]:
    """Return the input and the findings of a solver for a pair; None if it did not run."""
    given = {"presolve": work.terms, "start": work.start, "bound": work.bound}
    if not work.asked:
        return given, None
    own: dict[str, Any] = {**work.own._asdict(), "failure": work.failure}
    for name in ("lower_seconds", "upper_seconds"):
        has_seconds = with_seconds and own[name] is not None
        own[name] = round(own[name], 6) if has_seconds else None
    return given, own


def run_content(run: SolverRun) -> dict[str, Any]:
    """Return the work of a solver on many pairs, by its key; nothing if none ran by name."""
    if run.settings is None:
        return {}
    return {"solver_work": _solver_totals(run.settings, run.solver_totals, with_seconds=True)}


def _solver_totals(settings: Settings, totals: SolverTotals, with_seconds: bool) -> dict[str, Any]:
    times = {
        name: round(getattr(totals, name), 3) if with_seconds else None
        for name in ("seconds", "loading")
    }
    given = list(settings.given_parts)
    return {"given": given, **totals._asdict(), "worked": totals.worked, **times}


def _sentences(summary: SentenceSummary) -> dict[str, Any]:
    worst = [
        {"id": identifier, "sentence": sentence, **_lost(counts)}
        for identifier, sentence, counts in summary.worst
    ]
    return {
        "worst": worst,
        "totals": {name: _lost(counts) for name, counts in summary.totals.items()},
    }


def _lost(counts: "SentenceTriples") -> dict[str, Any]:
    ranges = {
        name: {"least": known.least, "most": known.most, "unknown": known.unknown}
        for name, known in (
            ("system_range", counts.system_range),
            ("gold_range", counts.gold_range),
        )
    }
    return {"lost": counts.lost, **counts._asdict(), **ranges}


def best_mappings_json(score: PairScore) -> str:
    """Return the result of a pair, and its best mappings, as one line of JSON."""
    import json

    best = None if score.best is None else _best_mappings(score.best)
    return json.dumps({**pair_content(score), "best_mappings": best})


def _best_mappings(best: "BestMappings") -> dict[str, Any]:
    return {
        "mappings": [[list(pair) for pair in mapping.items()] for mapping in best.mappings],
        "are_all": best.are_all,
        "every": sorted(map(list, best.every)),
        "some": sorted(map(list, best.some)),
    }


def pair_json(score: PairScore, *, with_seconds: bool = True) -> str:
    """Return the result of a pair as one line of JSON."""
    import json

    return json.dumps(pair_content(score, with_seconds=with_seconds))


def _breakdown(
    counts: Mapping[str, Counts], ranges: Mapping[str, Range]
) -> dict[str, dict[str, Any]]:
    content: dict[str, dict[str, Any]] = {}
    for part, count in counts.items():
        score = count.score()
        content[part] = {
            "matched": score.matched,
            "system_total": score.system_total,
            "gold_total": score.gold_total,
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
        }
        if part in ranges:
            content[part]["range"] = _range(ranges[part])
    return content


def _range(known: Range) -> dict[str, Any]:
    """Return the range over all best mappings; without ratios if no pair has a range."""
    least, most = known.ends
    is_known = known.system_total or known.gold_total or not known.unknown
    ratios = {
        name: [getattr(least, name), getattr(most, name)] if is_known else None
        for name in ("precision", "recall", "f1")
    }
    return {**known._asdict(), **ratios}


def _subscore(subscore: "Subscore") -> dict[str, int | float | None]:
    """Return the counts of a subscore, and its ratios; None if no pair has it."""
    score = subscore.score()
    ratios = {name: getattr(score, name) if subscore.pairs else None for name in _RATIOS}
    return {**subscore._asdict(), **ratios}
