"""The manifest of a folder of certificates: the compared files, and the results.

No entry has to be believed: `exactmatch.studies.verification` checks every entry, and computes the
results again.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from exactmatch.graphs.graph import IllFormedPolicy
from exactmatch.graphs.items import FilePair, source_names
from exactmatch.graphs.pairing import Missing, PairBy
from exactmatch.graphs.paths import distinct_paths
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.scoring.options import ExpectedPairs, StudyOnError
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import Resampling

#: The name of the file in its folder.
MANIFEST = "manifest.json"
#: The schema of a manifest, which also tells how an agreement study drew the intervals of means: in
#: schema 1, those with and without the consensus together, in the order of the files; since schema
#: 2, an interval depends on the scores of its mean alone. Schema 3 is for agreement corrected for
#: chance, schema 4 for systems with names and runs, and schema 5 for agreement on groups of items.
SCHEMA, SCHEMA_OF_RUNS, SCHEMA_OF_CHANCE, SCHEMA_OF_FILES = 5, 4, 3, 2

#: The studies that write certificates.
Certifying: TypeAlias = Literal["agreement", "ranking", "search-error"]


class ListedGraphs(NamedTuple):
    """A file of graphs: its name in the manifest, its path, and its SHA-256."""

    name: str
    path: str
    sha256: str


class GroupsFile(NamedTuple):
    """A file that assigns items to groups: its path, and its SHA-256."""

    path: str
    sha256: str


class MetricChoices(NamedTuple):
    """A metric: its name in the study, its own name and label, and all of its choices."""

    key: str
    name: str
    label: str
    choices: Mapping[str, str]


class CertificateFile(NamedTuple):
    """A file of certificates of all pairs of graphs of two files, by one metric.

    pairs: the number compared; *certified* of them are proven, and their proof is checked.
    matched, first_total, second_total: the sums over the pairs.
    groups: the same five numbers of each group of items by its name; empty if there are no groups.
    """

    file: str
    sha256: str
    first: str
    second: str
    metric: str
    pairs: int
    certified: int
    matched: int
    first_total: int
    second_total: int
    groups: Mapping[str, Mapping[str, int]] = {}


class StudyChoices(NamedTuple):
    """How the items of a study are found, and how confidence intervals are computed.

    against: the file that all others are compared with, None if there is none.
    repair: graphs are taken as other readers take them.
    ill_formed: as for `exactmatch.studies.common.sweep.Sweep`.
    chance: the pairs of graphs that correct agreement for chance.
    runs: the files of each system, by its name; empty if systems have no names.
    group_by: the key of the comments that name the group of an item, or the file of groups; None if
        there are no groups.
    """

    against: str | None
    pair_by: PairBy | None
    missing: Missing
    on_error: StudyOnError
    repair: bool
    ill_formed: IllFormedPolicy
    resampling: Resampling
    chance: ExpectedPairs = "none"
    runs: Mapping[str, Sequence[str]] = {}
    group_by: str | GroupsFile | None = None

    @property
    def schema(self) -> int:
        """The least schema that has all of these choices."""
        if self.group_by is not None:
            return SCHEMA
        if self.runs:
            return SCHEMA_OF_RUNS
        return SCHEMA_OF_FILES if self.chance == "none" else SCHEMA_OF_CHANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The content of the manifest.

    version: that of exactmatch. command: the origin of the folder; *verify*: the command that
    checks it. schema: as `SCHEMA`.
    """

    version: str
    study: Certifying
    command: str
    verify: str
    choices: StudyChoices
    metrics: Sequence[MetricChoices]
    graphs: Sequence[ListedGraphs]
    certificates: Sequence[CertificateFile]
    schema: int = SCHEMA

    @property
    def read(self) -> "list[ListedGraphs | GroupsFile]":
        """The files that the study read: those of graphs, and that of groups."""
        group_by = self.choices.group_by
        return [*self.graphs, *([group_by] if isinstance(group_by, GroupsFile) else [])]

    def as_json(self) -> str:
        """Return the text of the file, which is the same for the same study and any workers."""
        choices = self.choices._asdict()
        if not self.choices.repair:
            del choices["repair"]
        if self.schema not in (SCHEMA, SCHEMA_OF_CHANCE):
            del choices["chance"]
        if self.schema != SCHEMA_OF_RUNS:
            del choices["runs"]
        group_by = choices.pop("group_by")
        if self.schema == SCHEMA:
            by_file = isinstance(group_by, GroupsFile)
            choices["group_by"] = group_by._asdict() if by_file else f"::{group_by}"
        policy = self.choices.ill_formed
        choices["ill_formed"] = [*(policy.treatments if policy.mending == "none" else policy)]
        choices |= asdict(choices.pop("resampling"))
        certificates = [one._asdict() for one in self.certificates]
        if self.schema != SCHEMA:
            for one in certificates:
                del one["groups"]
        content = {
            "schema": self.schema,
            "version": self.version,
            "study": self.study,
            "command": self.command,
            "verify": self.verify,
            "choices": choices,
            "metrics": [one._asdict() for one in self.metrics],
            "graphs": [one._asdict() for one in self.graphs],
            "certificates": certificates,
        }
        return f"{json.dumps(content, indent=1)}\n"


def expected_pairs(study: Certifying, names: Sequence[str], against: str | None) -> list[FilePair]:
    """Return all pairs of files that a study compares."""
    others = [name for name in names if name != against]
    with_it = [(name, against) for name in others if against is not None]
    every_two = study == "agreement" or (study == "search-error" and against is None)
    return [*(combinations(others, 2) if every_two else ()), *with_it]


def written_paths(paths: Sequence[str]) -> list[str] | None:
    """Return *paths* if all of them lead from the current folder into it; otherwise None.

    The paths of a manifest are relative, so that no folder of a machine is in it.
    """
    places = [Path(path) for path in paths]
    if any(place.is_absolute() or ".." in place.parts for place in places):
        return None
    return [place.as_posix() for place in places]


def shortened_paths(paths: Sequence[str]) -> list[str]:
    """Return the ends of *paths*, as long as needed to be distinct."""
    whole = [os.path.realpath(path) for path in paths]
    apart = distinct_paths([*dict.fromkeys(whole)]) or []
    shown = dict(zip(dict.fromkeys(whole), apart, strict=True))
    return [Path(shown[path]).as_posix() for path in whole]


def graph_files(paths: Sequence[str], digests: Sequence[str]) -> list[ListedGraphs]:
    """Return files of graphs, by their *paths* in a manifest."""
    names = source_names(paths)
    return [ListedGraphs(*found) for found in zip(names, paths, digests, strict=True)]


def metric_choices(key: str, metric: AlignmentMetric) -> MetricChoices:
    """Return the entry of a manifest for a metric with the name *key* in a study."""
    choices = {name: str(getattr(metric, name)) for name in metric.choices()}
    return MetricChoices(key, metric.name, metric.label(), choices)


def counted_pairs(score: ScoredPairs) -> dict[str, int]:
    """Return the numbers of a manifest for two files, or for a group of their items."""
    return {
        "pairs": score.pairs,
        "certified": score.certified,
        "matched": score.matched,
        "first_total": score.system_total,
        "second_total": score.gold_total,
    }
