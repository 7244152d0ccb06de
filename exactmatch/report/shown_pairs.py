"""Write pages that show the pairs of two sides, their best mappings, and their differences.

Write pages of a finished score on demand: graphs are read and scored again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args

from exactmatch._version import __version__
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.inputs import Graphs, as_path
from exactmatch.graphs.pairing import GraphPair, OnError, Skipped
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice
from exactmatch.report.json import pair_content
from exactmatch.report.pages.page_proofs import PageProofs, proof_content
from exactmatch.report.pages.pair_content import row_content, view_content
from exactmatch.report.pages.site import PairStore, is_file, writing_pages
from exactmatch.report.views.pair_view import MOST_MAPPINGS, pair_view
from exactmatch.runtime.output import check_outputs
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.corpus import (
    BADNESS,
    Output,
    Scored,
    Worst,
    score_corpus,
)
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import PickedPairs, ShowingPairs
from exactmatch.scoring.options import (
    VIEW_LIMIT,
    NamedMetricOptions,
    Note,
    ignore_note,
)
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.results import COUNTERS, CorpusScore, PairScore
from exactmatch.scoring.sides import (
    check_known,
    check_number,
    check_one_stdin,
)
from exactmatch.scoring.stream import ScoringTask

_NO_CHOICES: Mapping[str, Choice] = {}

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


@keywords
def show(
    system: Graphs,
    gold: Graphs,
    output: StrPath,
    *,
    picked: PickedPairs,
    certificates: StrPath | None = None,
    named: NamedMetricOptions,
    showing: ShowingPairs,
    **choices: Choice,
) -> Path:
    """Write a page that shows pairs of graphs side by side; return the file to open.

    The page has a table of all pairs. For each pair, it has both graphs as drawings and as text,
    the mapping, the differences, and what is proven. The page loads nothing from elsewhere.

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        output: a file, if its name ends in ``.html``, with all pairs in it; otherwise a folder,
            whose pairs are in files of their own, read when they are opened.
        id: show only this pair: its identifier or its number.
        worst: the number of pairs to show, the worst by *sort*: ``difference``, ``score``, ``gap``,
            ``size`` or ``seconds``, as for the command ``score``.
        certificates: the path of the certificates that scoring these files has written. The page
            contains them and checks them itself.
        metric: the name of an alignment-based metric, or such a `Metric`.
        profile, **choices: as for `exactmatch.score`.
        {options}

    Raises:
        InputError: for files and graphs that cannot be used, a page that cannot be written, and if
            there is no pair to show.
        UsageError: for unknown options, and options that cannot be combined.
        VerificationError: if two computations of the same number disagree.
        WorkerError: if a worker process has died.

    Example:
        >>> import exactmatch, tempfile
        >>> from pathlib import Path
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     exactmatch.show(system, gold, Path(folder, "page.html")).name
        'page.html'
    """
    if picked.id is not None:
        showing = showing.but(ids=None)
    request = PairRequest.of(system, gold, named, choices, showing).of_shown(showing)
    shown = run_show(
        request,
        Path(output),
        certificates,
        showing.view_limit,
        worst=picked.ranking,
        identifier=picked.id,
    )
    if shown.scored.cut_by is not None:
        raise shown.scored.cut_by
    return shown.page


def run_show(
    request: PairRequest,
    output: Path,
    certificates: StrPath | None = None,
    view_limit: int = VIEW_LIMIT,
    *,
    worst: tuple[int, str] | None = None,
    identifier: str | None = None,
) -> Shown:
    """Do what `show` does; after an interrupt, the page shows what was finished.

    *worst* is the number of pairs to show and the measure of badness. *certificates* are the proofs
    for the page. *identifier* is the only pair to show.
    """
    check_known("on_error", request.pairing.on_error, get_args(OnError))
    check_number("view_limit", view_limit, 1)
    if worst is not None:
        check_number("worst", worst[0], 1)
        check_known("sort", worst[1], [*BADNESS])
    given = (request.system, request.gold)
    paths = [path for path in map(as_path, given) if path is not None]
    if certificates is not None:
        check_one_stdin(Path(certificates), request.system, request.gold)
        paths.append(Path(certificates))
    check_outputs([*map(str, paths)], _page_of(output))
    with request.opened() as sides:
        counted = request.aligning(sides.format)
        content = PageContent(
            output,
            _names(request.system, request.gold),
            worst,
            None if certificates is None else PageProofs(certificates, counted),
            view_limit,
        )
        score = partial(
            score_corpus,
            sides.couples(counted, only=identifier),
            ScoringTask(
                [counted],
                replace(request.full_settings, best_mappings=MOST_MAPPINGS),
                request.pairing.on_error,
                request.workers,
                request.selection,
            ),
            watching=request.watching(sides),
        )
        return show_scored(score, counted, content, request.sum_up)


def show_scored(
    score: Callable[..., Scored],
    metric: AlignmentMetric,
    content: PageContent,
    sum_up: Note = ignore_note,
) -> Shown:
    """Write the pages of the pairs that *score* compares by *metric*.

    *score* is `exactmatch.scoring.corpus.score_corpus` without its *outputs* and *worst*; it lists
    `MOST_MAPPINGS` best mappings. Raises as `run_show` does.
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


def _page_of(output: Path) -> Path:
    # Standard output is no folder either; another message says that it cannot be named.
    return output if is_file(output) or str(output) == "-" else output / "index.html"


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


def _names(system: Graphs, gold: Graphs) -> tuple[str, str]:
    """Return the names of the sides: those of the files, with folders if names are equal."""
    paths = [
        Path(name) if path is None or str(path) == "-" else Path(path)
        for path, name in ((as_path(system), "system"), (as_path(gold), "gold"))
    ]
    one, other = (path.name for path in paths)
    if one == other:
        one, other = (f"{path.parent.name}/{path.name}".lstrip("/") for path in paths)
    return one, other


def show_later(request: PairRequest, output: Path) -> Path:
    """Write the pages of a score that is finished. Raises as `exactmatch.show` does."""
    for given in (request.system, request.gold):
        if isinstance(given, Iterator) or str(given) == "-":
            raise UsageError("the graphs were read once, and cannot be read again to be shown")
    shown = run_show(request, output)
    if shown.scored.cut_by is not None:
        raise shown.scored.cut_by
    return shown.page
