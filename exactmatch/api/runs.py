"""The identity of a run in words: everything its result depends on, compared by ``--resume``."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from os import PathLike
from pathlib import Path

from exactmatch._version import __version__, solver_versions
from exactmatch.errors import UsageError
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.selection import Selection
from exactmatch.metrics.base import Metric
from exactmatch.runtime.checkpoint import file_digest
from exactmatch.scoring.options import Pairing, Settings


def inputs_in_words(system: Graphs, gold: Graphs) -> dict[str, str]:
    """Return the words that identify the inputs of a run.

    Raises `UsageError` or `InputError` if the inputs are not files that can be read again.
    """
    found = {}
    for name, given in (("system", system), ("gold", gold)):
        if not isinstance(given, PathLike) or str(given) == "-":
            raise UsageError(f"{name}: to resume a run, its input has to be a file")
        found[name] = f"{given} (SHA-256 {file_digest(Path(given))})"
    return found


def run_in_words(
    inputs: Mapping[str, str],
    metrics: Sequence[Metric],
    settings: Settings,
    pairing: Pairing,
    selection: Selection,
    outputs: Mapping[str, Path],
    *,
    with_seconds: bool,
    worst: tuple[int, str] | None,
) -> dict[str, str]:
    """Return the words that identify a run, by name."""
    run = {"version": __version__, "solvers": solver_versions(), **inputs}
    run["metrics"] = " ".join(metric.signature(settings.search) for metric in metrics)
    run |= {f.name: str(getattr(settings, f.name)) for f in fields(settings)}
    run |= {**pairing.identity(), "seconds": str(with_seconds)}
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
