"""Read a manifest of unknown origin: each entry is valid, or an error.

Names of certificates stay in their folder, paths of graphs lead into the given one, nothing is
named twice or has an unchecked key, and numbers are within the limits of computation.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NoReturn, get_args

from exactmatch.errors import InputError
from exactmatch.graphs.graph import IllFormedPolicy, Mending, Treatment
from exactmatch.graphs.items import source_names
from exactmatch.graphs.pairing import Missing, PairBy
from exactmatch.graphs.readers.source import size_shown
from exactmatch.runtime.harmless import on_one_line
from exactmatch.scoring.options import FEWEST_PAIRS, ExpectedPairs, StudyOnError
from exactmatch.studies.common.manifest import (
    SCHEMA,
    SCHEMA_OF_CHANCE,
    SCHEMA_OF_RUNS,
    CertificateFile,
    Certifying,
    GroupsFile,
    ListedGraphs,
    Manifest,
    MetricChoices,
    StudyChoices,
    expected_pairs,
)
from exactmatch.studies.common.statistics import MOST_RESAMPLES, Resampling

#: A longer manifest is invalid.
LONGEST = 16 << 20
#: Limits of counts, and of files.
_MOST, _MOST_GRAPHS = 2**62, 2000
_DIGEST = re.compile("[0-9a-f]{64}")
#: Python's errors for invalid JSON, and for JSON that is nested too deep.
_MALFORMED = (ValueError, RecursionError)


def read_manifest(data: bytes, place: Path) -> Manifest:
    """Return the manifest in *data*, which was read at *place*.

    Raises `InputError`, which names the entry, for an invalid manifest, or one of a later schema.
    """
    # Complex: a line for each entry, and what each schema has.
    if len(data) > LONGEST:
        raise InputError(f"{place}: no manifest is larger than {size_shown(LONGEST)}")
    try:
        content = json.loads(
            data.decode("utf-8"), object_pairs_hook=_without_twins, parse_constant=_no_number
        )
    except _MALFORMED as error:
        raise InputError(f"{place}: not a manifest: {error}") from error
    entry = _Entry(str(place), content)
    schema = entry.take("schema")
    if type(schema) is not int or not 1 <= schema <= SCHEMA:
        raise InputError(
            f"{place}: a manifest of schema {_shown(schema)}; this version reads schemas 1 to "
            f"{SCHEMA}"
        )
    graphs = [_graph(one) for one in entry.entries("graphs")]
    if len(graphs) > _MOST_GRAPHS:
        raise InputError(f"{place}: {len(graphs)} files of graphs; at most {_MOST_GRAPHS} are read")
    _check_names(graphs, place)
    metrics = [_metric(one) for one in entry.entries("metrics")]
    keys = [metric.key for metric in metrics]
    names = [graph.name for graph in graphs]
    study = entry.one_of("study", get_args(Certifying))
    is_agreement = study == "agreement"
    has_chance = schema == SCHEMA_OF_CHANCE and is_agreement
    has_groups = schema == SCHEMA and is_agreement
    has_runs = schema == SCHEMA_OF_RUNS and not is_agreement
    certificates = [
        _certificates(one, names, keys, has_groups=has_groups)
        for one in entry.entries("certificates")
    ]
    choices = _choices(
        entry.entry("choices"),
        names,
        has_runs,
        has_groups,
        has_chance=has_chance or has_groups,
    )
    manifest = Manifest(
        version=entry.text("version"),
        study=study,
        command=entry.text("command"),
        verify=entry.text("verify"),
        choices=choices,
        metrics=metrics,
        graphs=graphs,
        certificates=certificates,
        schema=schema,
    )
    entry.end()
    for what, given in (
        ("metric", keys),
        ("file of certificates", [one.file.casefold() for one in certificates]),
    ):
        _check_once(given, what, place)
    _check_complete(manifest, place)
    return manifest


class _Entry:
    """An object of a manifest, whose values are taken one by one; *where* is its place."""

    def __init__(self, where: str, content: object) -> None:
        if not isinstance(content, dict):
            raise InputError(f"{where}: {_shown(content)} is no object")
        self.where = where
        self._content = content

    def take(self, key: str) -> Any:
        """Return a value of any type."""
        if key not in self._content:
            raise InputError(f"{self.where}: {key} is missing")
        return self._content.pop(key)

    def names(self) -> list[str]:
        """Return the keys whose values were not taken yet."""
        return [*self._content]

    def end(self) -> None:
        """Raise `InputError` if a value was not taken, and so would not be checked."""
        if self._content:
            self.refuse(min(self._content), "is no key of a manifest")

    def refuse(self, key: str, reason: str) -> NoReturn:
        """Raise `InputError` for the value of *key*."""
        raise InputError(f"{self.where}: {_shown(key)} {reason}")

    def text(self, key: str) -> str:
        """Return a text on one line."""
        found = self.take(key)
        if not (isinstance(found, str) and found and found == on_one_line(found)):
            self.refuse(key, f"is {_shown(found)}: not a text on one line")
        return found

    def holds_text(self, key: str) -> bool:
        """Tell whether the value of a key is a text."""
        return isinstance(self._content.get(key), str)

    def digest(self, key: str) -> str:
        found = self.text(key)
        if not _DIGEST.fullmatch(found):
            self.refuse(key, f"is {_shown(found)}: not a SHA-256 in hexadecimal digits")
        return found

    def one_of(self, key: str, known: Sequence[str]) -> Any:
        found = self.take(key)
        if found not in known:
            self.refuse(key, f"is {_shown(found)}; the values are {', '.join(known)}")
        return found

    def one_of_or_none(self, key: str, known: Sequence[str]) -> Any:
        if self._content.get(key, "") is None:
            return self.take(key)
        return self.one_of(key, known)

    def is_true(self, key: str) -> bool:
        """Tell whether the value of a key is true, which is there only then."""
        if key not in self._content:
            return False
        if self.take(key) is not True:
            self.refuse(key, "is not true")
        return True

    def whole(self, key: str, least: int = 0, most: int = _MOST) -> int:
        found = self.take(key)
        if type(found) is not int or not least <= found <= most:
            self.refuse(key, f"is {_shown(found)}: not a whole number from {least} to {most}")
        return found

    def entry(self, key: str) -> "_Entry":
        return _Entry(f"{self.where}: {key}", self.take(key))

    def entries(self, key: str) -> Iterator["_Entry"]:
        found = self.take(key)
        if not isinstance(found, list) or not found:
            self.refuse(key, f"is {_shown(found)}: not a list of entries")
        for number, content in enumerate(found, start=1):
            yield _Entry(f"{self.where}: {key} {number}", content)


def _graph(entry: _Entry) -> ListedGraphs:
    found = ListedGraphs(entry.text("name"), _path(entry), entry.digest("sha256"))
    entry.end()
    return found


def _path(entry: _Entry) -> str:
    """Return a path that leads into the folder of the graphs."""
    path = entry.text("path")
    places = PurePosixPath(path), PureWindowsPath(path)
    if any(place.is_absolute() or place.drive or ".." in place.parts for place in places):
        entry.refuse("path", f"is {_shown(path)}: it leads out of the folder of the graphs")
    if not places[0].name:
        entry.refuse("path", f"is {_shown(path)}: not a file name")
    return path


def _metric(entry: _Entry) -> MetricChoices:
    choices = entry.entry("choices")
    found = MetricChoices(
        entry.text("key"),
        entry.text("name"),
        entry.text("label"),
        {name: choices.text(name) for name in choices.names()},
    )
    entry.end()
    return found


def _certificates(
    entry: _Entry, names: Sequence[str], metrics: Sequence[str], *, has_groups: bool
) -> CertificateFile:
    file = entry.text("file")
    if not re.fullmatch(r"[^/\\:]+\.jsonl", file):
        entry.refuse("file", f"is {_shown(file)}: not a name of certificates in this folder")
    found = CertificateFile(
        file,
        sha256=entry.digest("sha256"),
        first=entry.one_of("first", names),
        second=entry.one_of("second", names),
        metric=entry.one_of("metric", metrics),
        **_counts(entry),
        groups=_counts_of_groups(entry.entry("groups")) if has_groups else {},
    )
    entry.end()
    return found


def _counts_of_groups(entry: _Entry) -> dict[str, dict[str, int]]:
    found = {}
    for name in entry.names():
        of_group = _Entry(f"{entry.where}: {_shown(name)}", entry.take(name))
        found[name] = _counts(of_group)
        of_group.end()
    return found


def _counts(entry: _Entry) -> dict[str, int]:
    counted = ("pairs", "certified", "matched", "first_total", "second_total")
    return {what: entry.whole(what) for what in counted}


def _choices(
    entry: _Entry, names: Sequence[str], has_runs: bool, has_groups: bool, *, has_chance: bool
) -> StudyChoices:
    treatments = entry.take("ill_formed")
    known = get_args(Treatment)
    if not (
        isinstance(treatments, list)
        and 2 <= len(treatments) <= 3
        and all(one in known for one in treatments[:2])
        and all(one in get_args(Mending) for one in treatments[2:])
    ):
        entry.refuse("ill_formed", f"is {_shown(treatments)}: not two of {', '.join(known)}")
    confidence = entry.take("confidence")
    if type(confidence) is not float or not 0 < confidence < 1:
        entry.refuse("confidence", f"is {_shown(confidence)}: not between 0 and 1")
    found = StudyChoices(
        against=entry.one_of_or_none("against", names),
        pair_by=entry.one_of_or_none("pair_by", get_args(PairBy)),
        missing=entry.one_of("missing", get_args(Missing)),
        on_error=entry.one_of("on_error", get_args(StudyOnError)),
        repair=entry.is_true("repair"),
        ill_formed=IllFormedPolicy(*treatments),
        resampling=Resampling(
            entry.whole("resamples", 10, MOST_RESAMPLES),
            confidence,
            entry.whole("seed", 0, 2**31 - 1),
        ),
        chance=_chance(entry, may_lack=has_groups) if has_chance else "none",
    )
    if has_runs:
        found = found._replace(runs=_runs(entry, names, found.against))
    if has_groups:
        found = found._replace(group_by=_group_by(entry))
    entry.end()
    return found


def _group_by(entry: _Entry) -> str | GroupsFile:
    """Return the key of the comments that name groups, or the file of groups."""
    if entry.holds_text("group_by"):
        said = entry.text("group_by")
        if not said.startswith("::"):
            entry.refuse("group_by", f"is {_shown(said)}: not :: and a key of comments")
        return said.removeprefix("::")
    of_file = entry.entry("group_by")
    found = GroupsFile(_path(of_file), of_file.digest("sha256"))
    of_file.end()
    return found


def _runs(entry: _Entry, names: Sequence[str], against: str | None) -> dict[str, list[str]]:
    """Return the files of each system: together all but the gold standard, each of them once."""
    of_systems = entry.entry("runs")
    found: dict[str, list[str]] = {}
    for system in of_systems.names():
        files = of_systems.take(system)
        is_list = isinstance(files, list) and all(isinstance(file, str) for file in files)
        if not (system and system == on_one_line(system) and files and is_list):
            of_systems.refuse(system, f"is {_shown(files)}: not a list of files")
        found[system] = files
    listed = sorted(file for files in found.values() for file in files)
    if listed != sorted(name for name in names if name != against):
        entry.refuse("runs", "does not name each file of a system once")
    return found


def _chance(entry: _Entry, *, may_lack: bool) -> ExpectedPairs:
    """Return the pairs that correct agreement for chance; only some manifests may have none."""
    given = entry.take("chance")
    if given == "all":
        return "all"
    if given == "none" and may_lack:
        return "none"
    if type(given) is int and FEWEST_PAIRS <= given <= _MOST:
        return given
    entry.refuse(
        "chance", f"is {_shown(given)}: not all, and no number of pairs from {FEWEST_PAIRS} on"
    )


def _check_names(graphs: Sequence[ListedGraphs], place: Path) -> None:
    """Raise `InputError` unless the names of files are those that follow from their paths."""
    for graph, name in zip(graphs, source_names([one.path for one in graphs]), strict=True):
        if graph.name != name:
            raise InputError(
                f"{place}: {_shown(graph.path)} is called {_shown(graph.name)}, not {_shown(name)}"
            )


def _check_once(given: Sequence[str], what: str, place: Path) -> None:
    for name, times in Counter(given).items():
        if times > 1:
            raise InputError(f"{place}: two entries name the {what} {_shown(name)}")


def _check_complete(manifest: Manifest, place: Path) -> None:
    """Raise `InputError` unless there are certificates of all pairs of files in the study."""
    names = [graph.name for graph in manifest.graphs]
    against = manifest.choices.against
    if against is None and manifest.study == "ranking":
        raise InputError(f"{place}: choices: against is null; a ranking has a gold standard")
    wanted = {
        (*files, metric.key)
        for files in expected_pairs(manifest.study, names, against)
        for metric in manifest.metrics
    }
    found = [(one.first, one.second, one.metric) for one in manifest.certificates]
    _check_once([" / ".join(one) for one in found], "certificates of", place)
    for what, entries in (("lacks", wanted - {*found}), ("has", {*found} - wanted)):
        if entries:
            first, second, metric = min(entries)
            ruled = "" if what == "lacks" else ", which the study does not compare"
            raise InputError(
                f"{place}: {what} certificates of {first} and {second} by {metric}{ruled}"
            )


def _without_twins(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Raises `ValueError` for a repeated key."""
    ((key, times),) = Counter(key for key, _ in pairs).most_common(1) or [("", 0)]
    if times > 1:
        raise ValueError(f"the key {_shown(key)} occurs twice in an object")
    return dict(pairs)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _shown(value: object) -> str:
    """Return a value in ASCII, on one line, shortened if it is long."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # a number with very many digits
        return "a value too long to be shown"
    return text if len(text) <= 100 else f"{text[:100]}..."
