"""Faults of graphs as annotations of their lines: for GitHub's workflows, and as SARIF 2.1.0.

Sources: GitHub's *Workflow commands* (``::error file=...,line=...::message``, in which ``%``, line
ends and, in properties, ``:`` and ``,`` are escaped), and OASIS, *Static Analysis Results
Interchange Format (SARIF) Version 2.1.0* (2020).
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from exactmatch._version import __version__
from exactmatch.report.wording import counted
from exactmatch.runtime.harmless import harmless
from exactmatch.scoring.validity.checks import Fault
from exactmatch.scoring.validity.file_faults import FileValidity
from exactmatch.scoring.validity.kinds import KINDS, UNREADABLE

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def github_annotations(files: Sequence[FileValidity]) -> str:
    """Return a workflow command for each fault, and one for the faults of a file that are left out.

    The text is empty if there is no fault.
    """
    return "\n".join(line for file in files for line in _commands(file))


def sarif(files: Sequence[FileValidity]) -> str:
    """Return the faults as a log in SARIF, whose rules are the kinds of faults.

    A notification of the run tells how many faults of a file are left out.
    """
    kinds = [*KINDS]
    driver = {
        "name": "exactmatch",
        "version": __version__,
        "rules": [{"id": kind, "shortDescription": {"text": KINDS[kind]}} for kind in kinds],
    }
    results = [_result(fault, kinds) for file in files for fault in file.faults]
    run: dict[str, Any] = {"tool": {"driver": driver}, "results": results}
    left_out = [_notification(file) for file in files if _left_out(file)]
    if left_out:
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": left_out}]
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _commands(file: FileValidity) -> Iterator[str]:
    for fault in file.faults:
        place = f"file={_property(_slashed(fault.source))},line={fault.line}"
        title = _property(f"exactmatch check: {fault.kind}")
        yield f"::{_level(fault)} {place},title={title}::{_escaped(_message(fault))}"
    more = _left_out(file)
    if more:
        yield f"::warning file={_property(_slashed(file.name))}::{more}"


def _left_out(file: FileValidity) -> str:
    """Return the number of faults of a file that are not listed; empty if all are."""
    more = file.found - len(file.faults)
    return counted(more, "more fault") if more else ""


def _notification(file: FileValidity) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": _uri(file.name)}}
    return {
        "level": "warning",
        "message": {"text": _left_out(file)},
        "locations": [{"physicalLocation": place}],
    }


def _level(fault: Fault) -> str:
    """Return the level of a fault, which both formats call alike."""
    return "error" if fault.kind == UNREADABLE else "warning"


def _message(fault: Fault) -> str:
    name = "" if fault.identifier is None else f" (id {fault.identifier})"
    graph = "" if fault.number is None else f"graph {fault.number}{name}: "
    return harmless(f"{graph}{fault.kind}: {fault.reason}")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(harmless(text)).replace(":", "%3A").replace(",", "%2C")


def _slashed(name: str) -> str:
    """Return a path with slashes, as both formats want it on any system."""
    return PurePath(name).as_posix()


def _result(fault: Fault, kinds: Sequence[str]) -> dict[str, Any]:
    place = {
        "artifactLocation": {"uri": _uri(fault.source)},
        "region": {"startLine": max(1, fault.line)},
    }
    return {
        "ruleId": fault.kind,
        "ruleIndex": kinds.index(fault.kind),
        "level": _level(fault),
        "message": {"text": _message(fault)},
        "locations": [{"physicalLocation": place}],
    }


def _uri(name: str) -> str:
    """Return the address of a file: relative, or absolute where the path is."""
    if Path(name).is_absolute():
        return Path(name).as_uri()
    return quote(os.fsencode(_slashed(name)))
