"""Write pages that show scored pairs, their best mappings, and their differences."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from exactmatch._version import __version__
from exactmatch.errors import InputError
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.report.json import pair_content
from exactmatch.report.pages.page_proofs import PageProofs, proof_content
from exactmatch.report.pages.pair_content import row_content, view_content
from exactmatch.report.pages.site import PairStore, writing_pages
from exactmatch.report.views.pair_view import pair_view
from exactmatch.scoring.corpus import Output, Scored, Worst
from exactmatch.scoring.options import VIEW_LIMIT, Note, ignore_note
from exactmatch.scoring.results import COUNTERS, CorpusScore, PairScore

#: The counters of a corpus that a page shows if they are not 0.
_NOTED = ("skipped", "emptied", "timed_out", "too_large")


class Shown(NamedTuple):
    """Pages that were written: the *page* to open, and the *scored* corpus that they show."""

    page: Path
    scored: Scored


class PageContent(NamedTuple):
    """What pages show, and where.

    names: those of the files.
    worst: the number of pairs to show and the measure of badness; None for all pairs.
    by_names: the sides are called by their *names*, since neither is a gold standard for the other.
    """

    output: Path
    names: tuple[str, str]
    worst: tuple[int, str] | None = None
    proofs: PageProofs | None = None
    view_limit: int = VIEW_LIMIT
    by_names: bool = False


def show_scored(
    score: Callable[..., Scored],
    metric: AlignmentMetric,
    content: PageContent,
    sum_up: Note = ignore_note,
) -> Shown:
    """Write the pages of the pairs that *score* compares by *metric*.

    *score* is `exactmatch.scoring.corpus.score_corpus` without its *outputs* and *worst*; it lists
    `MOST_MAPPINGS` best mappings. Raises as `exactmatch.show` does.
    """
    worst, names = content.worst, content.names
    store = PairStore(content.proofs)
    line = partial(_line, metric, content.view_limit, content.proofs is not None)
    with writing_pages(content.output) as write:
        scored = score(
            outputs=[Output("pages", content.output, line, store.collecting)],
            worst=None if worst is None else partial(Worst, *worst, pair_content),
        )
        if not store.rows:
            raise scored.cut_by or InputError(scored.note or "there is no pair to show")
        if scored.note is not None:
            sum_up(scored.note)
        if worst is not None:
            store.choose([pair["id"] for pair in scored.worst[0]])
        kinds = [part for part in metric.parts if any(part in row["kinds"] for row in store.rows)]
        about = _about(scored.scores[0], metric, names, kinds)
        if worst is not None:
            about["notes"] += _only(len(store.rows), about["corpus"]["pairs"], worst[1])
        if content.by_names:
            about["sides"] = dict(zip(("system", "gold"), names, strict=True))
        return Shown(write(about, store), scored)


def _line(
    metric: AlignmentMetric,
    limit: int,
    proofs: bool,
    pair: GraphPair | Skipped,
    score: PairScore,
) -> str | None:
    """Return the line of a pair for `PairStore`; nothing for skipped pairs."""
    import json

    if isinstance(pair, Skipped):
        return None
    view = pair_view(pair, metric, score, limit)
    parts = [
        json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        for content in (row_content(view), view_content(view))
    ]
    if proofs:
        parts += proof_content(view.comparison, score.identifier)
    return "\t".join(parts)


def _about(
    score: CorpusScore, metric: AlignmentMetric, names: tuple[str, str], kinds: Sequence[str]
) -> dict[str, Any]:
    """Return what a page says about the corpus; *kinds* are the kinds of triples that differ."""
    figures = ("pairs", "optimal", "certified", "skipped", "matched", "system_total", "gold_total")
    ratios = ("precision", "recall", "f1", "f1_upper", "partial")
    return {
        "title": " / ".join(names),
        "system": names[0],
        "gold": names[1],
        "metric": metric.title,
        "unit": metric.unit,
        "signature": score.signature,
        "versions": f"exactmatch {__version__}",
        "score_name": score.value_name,
        "scale": metric.scale,
        "kinds": kinds,
        "corpus": {
            **{name: getattr(score, name) for name in (*figures, *ratios)},
            "upper": score.matched_upper,
        },
        "notes": _notes(score),
    }


def _only(shown: int, pairs: int, sort: str) -> list[str]:
    """Return a note that not all pairs are shown, although the scores are those of all."""
    if shown == pairs:
        return []
    said = f"the {shown} worst pairs by {sort}" if shown > 1 else f"the worst pair by {sort}"
    return [f"Shown: {said}; the scores above are those of all {pairs} pairs."]


def _notes(score: CorpusScore) -> list[str]:
    words = {counter.name: counter.words for counter in COUNTERS}
    counts = {words[name]: getattr(score, name) for name in _NOTED}
    if score.ill_formed is not None:
        zero = "pairs that count 0 in macro F1 only, because a graph is ill-formed"
        counts[zero] = score.ill_formed.zero
    notes = [f"{what}: {count}" for what, count in counts.items() if count]
    if score.partial:
        notes.insert(0, "Interrupted: later pairs are not in these scores, and not shown.")
    return notes
