"""Write the pages that show the pairs of a study, for its report to link to."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.items import NOWHERE, FilePair, Study
from exactmatch.graphs.pairing import Couple
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.report.shown_pairs import PageContent, show_scored
from exactmatch.report.views.pair_view import MOST_MAPPINGS
from exactmatch.runtime.progress import Progress
from exactmatch.scoring.corpus import score_corpus
from exactmatch.scoring.stream import Answer, ScoringTask


def write_study_pages(
    study: Study,
    pairs: Sequence[FilePair],
    metric: AlignmentMetric,
    task: ScoringTask,
    folder: Path,
    *,
    progress: Progress,
    by_names: bool,
) -> dict[FilePair, str]:
    """Write the pages of each two files into a folder of their own in *folder*; return the folders.

    *study* is the study after its graphs were read; *task* scores its pairs by *metric*. With
    *by_names*, the sides are called by the names of the files, not system and gold. Raises the
    errors of `exactmatch.show`.
    """
    keys = distinct(folder_name("--".join(pair)) for pair in pairs)
    places = {pair: folder / key for pair, key in zip(pairs, keys, strict=True)}
    settings = replace(task.settings, best_mappings=MOST_MAPPINGS, certificates=False)
    task = task._replace(settings=settings, on_error=study.missing_policy.on_error)
    for pair, place in places.items():
        couples = [*_couples(study, pair)]
        watching = _watching(progress, len(couples))
        score_couples = partial(score_corpus, iter(couples), task, watching=watching)
        shown = show_scored(score_couples, metric, PageContent(place, pair, by_names=by_names))
        if shown.scored.cut_by is not None:
            raise shown.scored.cut_by
    return {pair: str(place) for pair, place in places.items()}


def folder_name(text: str) -> str:
    """Return *text* without characters that would lead to another folder, or to none."""
    return re.sub(r"[/\\:=]", "_", text)


def _couples(study: Study, pair: FilePair) -> Iterator[Couple]:
    """Yield the pairs of graphs of two files that the study has compared."""
    texts = {source.name: source.texts for source in study.sources}
    for item, name in enumerate(study.names):
        if not study.pairs_on(item, [pair]):
            continue
        places = [study.places[side][item] for side in pair]
        if NOWHERE in places and study.missing_policy.on_error == "skip":
            continue
        system, gold = (
            None if place == NOWHERE else texts[side][place]
            for side, place in zip(pair, places, strict=True)
        )
        yield Couple(name, system, gold, *pair, item + 1)


@contextmanager
def _watching(progress: Progress, pairs: int) -> Iterator[Callable[[Answer], object]]:
    with progress("writing pages", pairs, "pairs") as advance:
        yield lambda _: advance(1)
