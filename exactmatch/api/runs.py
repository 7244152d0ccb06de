"""The identity of a run in words: everything its result depends on, compared by ``--resume``."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

from exactmatch._version import __version__, solver_versions
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.inputs import Graphs, as_path
from exactmatch.graphs.readers.source import ByteStream, changed
from exactmatch.metrics.base import Metric
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.settings import Settings


class InputDigests:
    """The digests of both inputs of a run: of the whole files, and of the bytes that are scored.

    watches: a function for each side, which takes the bytes as they are read.
    """

    def __init__(self, system: Graphs, gold: Graphs) -> None:
        """Raises `UsageError` or `InputError` for inputs that are not files to be read again."""
        for name, given in (("system", system), ("gold", gold)):
            path = as_path(given)
            if path is None or str(path) == "-":
                raise UsageError(f"{name}: to resume a run, its input has to be a file")
            if Path(path).exists() and not Path(path).is_file():
                raise InputError(f"{path}: not a regular file, as the input of a run has to be")
        self._whole: list[str] = []
        self._scored = [sha256(), sha256()]
        self.watches = [digest.update for digest in self._scored]

    def in_words(self, streams: Sequence[ByteStream]) -> dict[str, str]:
        """Return the words that identify the inputs of a run, which *streams* have opened.

        Raises `InputError` if a file has changed since it was opened, or was replaced.
        """
        self._whole = [stream.whole_digest() for stream in streams]
        named = zip(("system", "gold"), streams, self._whole, strict=True)
        return {name: f"{stream.name} (SHA-256 {digest})" for name, stream, digest in named}

    def check(self, streams: Sequence[ByteStream]) -> None:
        """Raise `InputError` if the bytes scored are not those of the files.

        A file that was changed and has its former size and time again is found only here.
        """
        for stream, whole, scored in zip(streams, self._whole, self._scored, strict=True):
            is_read = stream.position == stream.size
            if is_read and scored.hexdigest() != whole:
                raise changed(stream.name)


def run_in_words(
    inputs: Mapping[str, str],
    metrics: Sequence[Metric],
    settings: Settings,
    request: PairRequest,
    outputs: Mapping[str, Path],
    *,
    with_seconds: bool,
    worst: tuple[int, str] | None,
) -> dict[str, str]:
    """Return the words that identify a run of *request*, by name.

    *settings* are those that pairs are scored with.
    """
    selection = request.selection
    run = {"version": __version__, "solvers": solver_versions(), **inputs}
    run["metrics"] = " ".join(metric.signature(settings.search) for metric in metrics)
    run |= {f.name: str(getattr(settings, f.name)) for f in fields(settings)}
    run |= {**request.pairing.identity(), "seconds": str(with_seconds)}
    if selection.ids is not None:
        named = json.dumps(sorted(selection.ids))
        run["ids"] = f"{len(selection.ids)} (SHA-256 {sha256(named.encode()).hexdigest()})"
    if selection.conditions:
        run["where"] = json.dumps(selection.conditions)
    if worst is not None:
        run["worst"] = "{} by {}".format(*worst)
    return run | {name: str(path.absolute()) for name, path in outputs.items()}


def kept_memory(run: Mapping[str, str]) -> int:
    """Return the memory for a pair in *run*, or 0 if the words of the run do not name it."""
    kept = run.get("memory", "")
    return int(kept) if re.fullmatch(r"[0-9]{1,18}", kept) else 0
