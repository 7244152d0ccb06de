"""Score a corpus until it ends, or an interrupt cuts it short.

The command uses this module alone, since the signatures of public functions take time to make.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from exactmatch.errors import UsageError
from exactmatch.graphs.graph import UMR
from exactmatch.graphs.inputs import Graphs, as_path
from exactmatch.graphs.pairing import OnError
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.runtime.output import FINISHED_PART, check_apart, check_outputs
from exactmatch.runtime.workers import Workers, default_limit
from exactmatch.scoring.asked_details import check_by_sentence, check_subscores
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.corpus import Output, Scored, score_corpus
from exactmatch.scoring.options import PairFiles
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import check_known
from exactmatch.scoring.stream import ScoringTask
from exactmatch.scoring.text_notes import TextNotes

if TYPE_CHECKING:
    from exactmatch.api.runs import InputDigests
    from exactmatch.runtime.checkpoint import Checkpoint
    from exactmatch.scoring.corpus import Worst
    from exactmatch.scoring.validity.file_faults import FaultCounter


def run_score(
    request: PairRequest,
    files: PairFiles,
    memory: int | None,
    *,
    keep_pairs: bool = False,
    worst: tuple[int, str] | None = None,
    counters: "Sequence[FaultCounter]" = (),
    free_too: bool = False,
) -> Scored:
    """Do what `exactmatch.score` does; return an interrupt beside the finished part.

    *memory* is that of the settings, None for the usual. *worst* is the number of worst pairs to
    return as well, and the measure of badness. *counters* count the faults of both sides as they
    are read. With *free_too*, the second of two metrics is the first one with free sentences; files
    are written for the first.
    """
    # Complex: each part of a run is made once, with or without files, faults and a checkpoint.
    pairing = request.pairing
    check_known("on_error", pairing.on_error, get_args(OnError))
    certificates = None if isinstance(files.certificates, bool) else files.certificates
    named = (files.per_pair, files.mappings, certificates)
    paths = [None if path is None else Path(path) for path in named]
    _check_paths(request.system, request.gold, *paths, resume=files.resume)
    digests = None if files.resume is None else _digests(request.system, request.gold)
    watches = (None, None) if digests is None else digests.watches
    with (
        _resumed(files.resume) as checkpoint,
        request.opened(counters, watches=watches) as sides,
    ):
        chosen = request.chosen(sides.format)
        settings = request.full_settings
        _check_chosen(chosen, settings, sides.format, free_too)
        for lacking in filter(None, (one.lacking() for one in chosen)):
            request.sum_up(lacking)
        outputs = _outputs(
            chosen[:1] if free_too else chosen,
            *paths,
            with_seconds=files.seconds,
            further=_further_columns(settings, chosen, pairing.repair),
        )
        settings = replace(
            settings,
            memory=_memory(memory, request.workers, checkpoint),
            best_mappings=_best_mappings(files, settings.by_sentence),
        )
        resumable = None
        if checkpoint is not None and digests is not None:
            from exactmatch.api.runs import run_in_words
            from exactmatch.scoring.resumable import Resumable

            run = run_in_words(
                digests.in_words(sides.streams),
                chosen,
                settings,
                request,
                {output.name: output.path for output in outputs},
                with_seconds=files.seconds,
                worst=worst,
            )
            checkpoint.begin(run, [output.name for output in outputs])
            resumable = Resumable(checkpoint, partial(digests.check, sides.streams))
        texts = TextNotes(chosen)
        scored = score_corpus(
            texts.passing(sides.couples(*chosen)),
            ScoringTask(chosen, settings, pairing.on_error, request.workers, request.selection),
            outputs=outputs,
            keep_pairs=keep_pairs,
            worst=None if worst is None else _worst(*worst, with_seconds=files.seconds),
            resumable=resumable,
            watching=request.watching(sides),
        )
    for note in (*filter(None, [scored.note]), *texts.notes()):
        request.sum_up(note)
    return scored


def _check_paths(
    system: Graphs,
    gold: Graphs,
    per_pair: Path | None,
    *others: Path | None,
    resume: StrPath | None,
) -> None:
    """Raise `UsageError` if an output file is also an input, or cannot be written."""
    inputs = [str(path) for path in map(as_path, (system, gold)) if path is not None]
    check_outputs(inputs, per_pair, *others)
    if resume is not None:
        inside = (per_pair, *others, *map(Path, inputs))
        check_apart(Path(resume), *inside, holds=FINISHED_PART)
    if per_pair is not None:
        from exactmatch.scoring.frames import check_parquet

        check_parquet(per_pair)


def _digests(system: Graphs, gold: Graphs) -> "InputDigests":
    from exactmatch.api.runs import InputDigests

    return InputDigests(system, gold)


@contextmanager
def _resumed(folder: StrPath | None) -> "Iterator[Checkpoint | None]":
    """Yield what *folder* holds of the run to resume; None if no folder is named."""
    if folder is None:
        yield None
        return
    from exactmatch.runtime.checkpoint import checkpoint_in

    with checkpoint_in(Path(folder)) as checkpoint:
        yield checkpoint


def _memory(given: int | None, workers: Workers, checkpoint: "Checkpoint | None") -> int:
    """Return the memory for a pair; a resumed run keeps the limit that it began with."""
    if given is None and checkpoint is not None and checkpoint.run is not None:
        from exactmatch.api.runs import kept_memory

        return kept_memory(checkpoint.run)
    return default_limit(workers) if given is None else given


def _best_mappings(files: PairFiles, by_sentence: bool) -> int | None:
    """Return how many best mappings the requested files and tables need."""
    if files.mappings is not None:
        return 1
    return None if files.per_pair is None and not by_sentence else 0


def _check_chosen(
    metrics: Sequence[Metric], settings: Settings, graph_format: str, free_too: bool
) -> None:
    """Raise `UsageError` if *metrics*, or graphs of this format, lack a requested feature."""
    check_subscores(settings.subscores, metrics)
    check_by_sentence(settings.by_sentence, metrics)
    if free_too and graph_format == UMR:
        raise UsageError("--free-too is for documents of AMR; documents of UMR are always aligned")


def _further_columns(settings: Settings, metrics: Sequence[Metric], repair: bool) -> list[str]:
    replaces = any(one.ill_formed_policy.mending in ("dummy", "spar") for one in metrics)
    asked = {
        "subscores": settings.subscores is not None,
        "sentences": settings.by_sentence,
        "mended": repair or replaces,
        "given": settings.is_by_name,
        "own": settings.is_by_name,
    }
    return [name for name, is_asked in asked.items() if is_asked]


def _outputs(
    metrics: Sequence[Metric],
    per_pair: Path | None,
    mappings: Path | None,
    certificates: Path | None,
    *,
    with_seconds: bool,
    further: Sequence[str],
) -> list[Output]:
    """Return the requested files. Raises `UsageError` if *metrics* do not support them."""
    outputs = []
    if per_pair is not None:
        from exactmatch.report.per_pair import per_pair_output

        outputs.append(
            per_pair_output(per_pair, metrics[0], with_seconds=with_seconds, further=further)
        )
    if mappings is not None:
        from exactmatch.report.text import mapping_text

        outputs.append(Output("mappings", mappings, mapping_text))
    if certificates is not None:
        from exactmatch.report.text import certificate_line

        outputs.append(Output("certificates", certificates, certificate_line))
    if outputs and len(metrics) > 1:
        raise UsageError("files for each pair need a single metric")
    if mappings is not None or certificates is not None:
        alignment_based(metrics[0])
    return outputs


def _worst(most: int, field: str, *, with_seconds: bool) -> "Callable[[], Worst]":
    from exactmatch.report.json import pair_content
    from exactmatch.scoring.corpus import Worst

    return partial(Worst, most, field, partial(pair_content, with_seconds=with_seconds))
