"""Show the pairs of two sides, or of a finished score, on pages."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_args

from exactmatch.errors import UsageError
from exactmatch.graphs.inputs import Graphs, as_path
from exactmatch.graphs.pairing import OnError
from exactmatch.metrics.base import Choice
from exactmatch.report.pages.page_proofs import PageProofs
from exactmatch.report.pages.site import is_file
from exactmatch.report.shown_pairs import PageContent, Shown, show_scored
from exactmatch.report.views.pair_view import MOST_MAPPINGS
from exactmatch.runtime.output import check_outputs
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.corpus import BADNESS, score_corpus
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import PickedPairs, ShowingPairs
from exactmatch.scoring.options import VIEW_LIMIT, NamedMetricOptions
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.sides import check_known, check_number, check_one_stdin
from exactmatch.scoring.stream import ScoringTask


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


def show_later(request: PairRequest, output: Path) -> Path:
    """Write the pages of a score that is finished. Raises as `exactmatch.show` does."""
    for given in (request.system, request.gold):
        if isinstance(given, Iterator) or str(given) == "-":
            raise UsageError("the graphs were read once, and cannot be read again to be shown")
    shown = run_show(request, output)
    if shown.scored.cut_by is not None:
        raise shown.scored.cut_by
    return shown.page


def _page_of(output: Path) -> Path:
    # Standard output is no folder either; another message says that it cannot be named.
    return output if is_file(output) or str(output) == "-" else output / "index.html"


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
