"""Choose, for each item of several files, the graph that is nearest to the others.

A line of JSON describes the choice for each item, and a summary all choices.
"""

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path
from typing import get_args

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.graph import CAMR, CLAUSES, MRP, PENMAN, SBN, UMR
from exactmatch.graphs.items import NOWHERE, pair_items, read_sources
from exactmatch.graphs.pairing import PairBy
from exactmatch.graphs.pairing_advice import DifferingIdentifiers
from exactmatch.graphs.readers.detect import cut_texts, same_format
from exactmatch.graphs.readers.source import ByteStream
from exactmatch.many.candidates import EQUAL
from exactmatch.many.choice import Alternatives, Chosen, by_position, choose_candidate
from exactmatch.many.functions import Weights, checked_threshold, checked_weights
from exactmatch.many.pairwise import by_stage
from exactmatch.many.report import STAGES_IN_WORDS
from exactmatch.metrics.base import Choice
from exactmatch.metrics.registry import alignment_based, check_sentences
from exactmatch.report.json import SCHEMA, run_content
from exactmatch.report.solver_text import idle_solver
from exactmatch.report.text_layout import TextLayout
from exactmatch.report.wording import between, noun
from exactmatch.runtime.output import append_text, check_outputs, writing
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.choices import StrPath, chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import ChoosingOptions, ChosenFiles
from exactmatch.scoring.options import CandidateOnError, NamedMetricOptions
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import check_known, check_one_stdin
from exactmatch.scoring.solver_totals import SolverRun, with_run

#: Separates two graphs of a file; each ends with its line.
_BETWEEN = {PENMAN: b"\n", MRP: b"", CLAUSES: b"\n", UMR: b"\n\n", SBN: b"", CAMR: b"\n"}

#: The number of items that a worker gets at once.
_TOGETHER = 16


@keywords
def choose_from(
    files: Sequence[StrPath],
    *,
    chosen_files: ChosenFiles,
    threshold: float | str | Fraction = 0.5,
    weights: Weights | None = None,
    solve_all: bool = False,
    named: NamedMetricOptions,
    choosing: ChoosingOptions,
    **choices: Choice,
) -> Iterator[Chosen]:
    """Yield the choice for each item of *files*, as it is made.

    Args:
        files: paths of files that hold graphs for the same items.
        output: a file for the chosen graphs, with the text of their own files; repaired graphs are
            written anew.
        consensus: a file for the consensus of each item or, where that is no AMR, the chosen graph;
            see `exactmatch.consensus`, whose pivot is the chosen graph.
        threshold: the share of votes that a triple of a consensus needs.
        weights: the weight of the graphs of each file.
        solve_all: solve all pairs, so that all means are exact.
        {options}

    The other arguments, and the errors, are those of `exactmatch.candidates` and, for *workers*, of
    `exactmatch.score`.
    """
    check_known("pair_by", choosing.pair_by or "position", get_args(PairBy))
    check_known("on_error", choosing.on_error, get_args(CandidateOnError))
    paths, outputs = _checked_paths(files, chosen_files.output, chosen_files.consensus)
    whole = checked_weights(weights, len(paths))
    share = checked_threshold(threshold)
    has_consensus = chosen_files.consensus is not None
    settings = Settings.of(choosing, workers=choosing.workers)
    with ExitStack() as stack:
        differing = DifferingIdentifiers()
        if choosing.pair_by == "id":
            form, alternatives = _by_identifier(paths)
        else:
            tolerated = differing if choosing.pair_by == "position" else None
            form, alternatives = _side_by_side(paths, stack, tolerated)
        counted = alignment_based(chosen_metric(form, named.metric, named.profile, choices))
        check_sentences(counted, form)
        if has_consensus and form != PENMAN:
            raise UsageError(f"a consensus needs graphs in {PENMAN} notation; these are in {form}")
        work = partial(
            choose_candidate,
            metric=counted,
            settings=settings,
            weights=whole,
            solve_all=solve_all,
            threshold=share if has_consensus else None,
        )
        writers = [stack.enter_context(_graphs(path, form)) for path in outputs]
        advance = stack.enter_context(choosing.progress("choosing", None, "items"))
        found = stack.enter_context(closing(_in_batches(work, alternatives, choosing.workers)))
        for chosen in found:
            if chosen.errors and choosing.on_error == "stop":
                raise InputError("\n".join(chosen.errors.values()))
            for message in (*chosen.errors.values(), *chosen.notes):
                choosing.note(message)
            for write, text in zip(writers, (chosen.text, chosen.agreed), strict=True):
                write(text)
            yield chosen
            advance(1)
        for message in differing.notes():
            choosing.note(message)


def _checked_paths(
    files: Sequence[StrPath], *outputs: StrPath | None
) -> tuple[list[Path], list[Path | None]]:
    """Return the paths to read and to write. Raises `UsageError` if they conflict."""
    paths = [Path(path) for path in files]
    if len(paths) < 2:
        raise UsageError("name at least two files")
    check_one_stdin(*paths)
    written = [None if path is None else Path(path) for path in outputs]
    check_outputs([str(path) for path in paths], *written)
    return paths, written


def _side_by_side(
    paths: Sequence[Path], stack: ExitStack, tolerated: DifferingIdentifiers | None
) -> tuple[str, Iterator[Alternatives]]:
    """Open files; return their format, and their items by position, as they are read.

    Identifiers that differ are *tolerated*; None tolerates none.
    """
    streams = [stack.enter_context(ByteStream(path)) for path in paths]
    files = [cut_texts(stream.chunks(), stream.name) for stream in streams]
    names = [stream.name for stream in streams]
    form = same_format({name: file.format for name, file in zip(names, files, strict=True)})
    return form, by_position(names, [file.texts for file in files], tolerated)


def _by_identifier(paths: Sequence[Path]) -> tuple[str, Iterator[Alternatives]]:
    """Read files; return their format, and their items by identifier."""
    study = pair_items(read_sources([str(path) for path in paths]), pair_by="id")
    names = [source.path for source in study.sources]
    columns = [(source.texts, study.places[source.name]) for source in study.sources]
    return study.format, (
        Alternatives(
            name,
            names,
            [None if at[item] == NOWHERE else texts[at[item]] for texts, at in columns],
        )
        for item, name in enumerate(study.names)
    )


@contextmanager
def _graphs(path: Path | None, form: str) -> Iterator[Callable[[bytes], object]]:
    """Yield a function that writes texts of graphs to a file; without *path*, it does nothing."""
    if path is None:
        yield lambda _: None
        return
    with writing(path) as file:
        between = b""

        def write(text: bytes) -> None:
            nonlocal between
            append_text(file, between + text + b"\n")
            between = _BETWEEN[form]

        yield write


def _in_batches(
    work: Callable[[Alternatives], Chosen], tasks: Iterator[Alternatives], workers: Workers
) -> Generator[Chosen, None, None]:
    batches = iter(lambda: list(islice(tasks, _TOGETHER)), [])
    with closing(in_order(partial(_run_in_order, work), batches, workers, _called)) as found:
        for some in found:
            yield from some


def _run_in_order(
    work: Callable[[Alternatives], Chosen], batch: list[Alternatives]
) -> list[Chosen]:
    choices = (with_run(alternatives, work) for alternatives in batch)
    return [chosen._replace(solver=run) for chosen, run in choices]


def _called(batch: list[Alternatives]) -> str:
    return f"items {', '.join(alternatives.identifier for alternatives in batch)}"


_IN_WORDS = {EQUAL: "of graphs that equal others", **STAGES_IN_WORDS}


def choice_line(chosen: Chosen, files: Sequence[str]) -> str:
    """Return the choice for an item, as one line of JSON."""
    content = {
        "id": chosen.identifier,
        "chosen": chosen.best,
        "file": files[chosen.best],
        "means": chosen.means,
        "means_upper": chosen.means_upper,
        "proven": chosen.is_proven,
        "stages": by_stage(chosen.stages, [EQUAL]),
        "unreadable": sorted(chosen.errors),
    }
    if chosen.mended:
        content["mended"] = chosen.mended
    if chosen.faults is not None:
        content["faults"] = chosen.faults
    return json.dumps(content)


def choice_text(chosen: Chosen, files: Sequence[str]) -> TextLayout:
    """Return the choice for an item, for people."""
    mean, upper = chosen.means[chosen.best], chosen.means_upper[chosen.best]
    said = f"{chosen.identifier}: {files[chosen.best]}"
    if mean is not None and upper is not None:
        said += f", mean F1 {between(mean, upper)}"
    return TextLayout([said if chosen.is_proven else f"{said}; the choice is not proven"])


#: What people are told who choose from two files, of which none is nearer.
_OF_TWO = "of two graphs, each is as near to the other: the first is chosen if it is readable"


class ChoiceSummary:
    """The sums over choices, updated as they are made.

    unproven: the items with an unproven choice. lost: the items without a readable graph.
    mended: the number of repaired graphs and replaced DRSs.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files
        self._chosen = [0] * len(files)
        self._unreadable = [0] * len(files)
        self._stages: Counter[str] = Counter()
        self._agreed: int | None = None
        self._solver = SolverRun()
        self.unproven = 0
        self.lost = 0
        self.mended = 0

    def add(self, chosen: Chosen) -> None:
        """Add the choice for an item."""
        self._chosen[chosen.best] += 1
        for position in chosen.errors:
            self._unreadable[position] += 1
        self._stages.update(chosen.stages)
        self._solver = self._solver.plus(chosen.solver)
        self.unproven += not chosen.is_proven
        self.mended += chosen.mended
        self.lost += len(chosen.errors) == len(self._files)
        if chosen.faults is not None:
            self._agreed = (self._agreed or 0) + (not chosen.faults)

    def json(self) -> str:
        """Return the summary as a JSON object."""
        files = zip(self._files, self._chosen, self._unreadable, strict=True)
        content = {
            "schema": SCHEMA,
            "items": sum(self._chosen),
            "files": [
                {"path": path, "chosen": chosen, "unreadable": unreadable}
                for path, chosen, unreadable in files
            ],
            "pairs": self._stages.total(),
            "stages": by_stage(self._stages, [EQUAL]),
            "consensus_amrs": self._agreed,
            "unproven": self.unproven,
            **run_content(self._solver),
        }
        if self.mended:
            content["mended"] = self.mended
        return json.dumps(content, indent=2)

    def layout(self) -> TextLayout:
        """Return the summary for people."""
        items, pairs = sum(self._chosen), self._stages.total()
        width = len(f"{pairs:,}")
        lines = [*idle_solver(self._solver), f"{items:,} {noun(items, 'item')}, chosen of"]
        if len(self._files) == 2:
            lines.insert(-1, _OF_TWO)
        for file, number, broken in zip(self._files, self._chosen, self._unreadable, strict=True):
            lines.append(f"{number:>{width},} {file}{f' ({broken} unreadable)' if broken else ''}")
        lines.append(f"{pairs:>{width},} {noun(pairs, 'pair')}, of these")
        lines += [
            f"{count:>{width},} {_IN_WORDS[stage]}"
            for stage, count in by_stage(self._stages, [EQUAL]).items()
            if count
        ]
        if self._agreed is not None:
            agreed = noun(self._agreed, "item")
            lines.append(f"{self._agreed:>{width},} {agreed} whose consensus is an AMR")
        if self.unproven:
            lines.append(f"not proven: {self.unproven} choices")
        if self.mended:
            lines.append(f"repairs of graphs, or replacements: {self.mended}")
        return TextLayout(lines)
