"""Folders of certificates: the files allowed in them, and the manifest, which is written last."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from exactmatch._version import __version__
from exactmatch.errors import UsageError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.items import FilePair, Study
from exactmatch.graphs.paths import shown_path
from exactmatch.graphs.readers.source import file_digest
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.report.document import ProofFolder, Report
from exactmatch.runtime.output import write_text
from exactmatch.studies.common.manifest import (
    MANIFEST,
    CertificateFile,
    Certifying,
    Manifest,
    StudyChoices,
    counted_pairs,
    graph_files,
    metric_choices,
    shortened_paths,
    written_paths,
)
from exactmatch.studies.common.notes import certified_text
from exactmatch.studies.common.pages import folder_name
from exactmatch.studies.common.pairs import ScoredPairs

#: The files that metrics take (`AlignmentMetric.files`), and the options of ``verify`` for them.
_OPTIONS = {
    "similarity": "--vectors",
    "synonyms": "--synonyms",
    "table": "--reification-table",
}

#: The key of a file of certificates: the names of two files and, with several metrics, of the
#: metric.
Key = tuple[str, ...]


class Certified(NamedTuple):
    """The score of two files by a metric, which the study calls *name*, with certificates."""

    key: Key
    files: FilePair
    name: str
    metric: AlignmentMetric
    score: ScoredPairs


def certificate_names(keys: Sequence[Key]) -> dict[Key, str]:
    """Return the name of the file of each key.

    They differ not only in case: some file systems ignore case.
    """
    names = [folder_name("--".join(key)) for key in keys]
    folded = distinct(name.casefold() for name in names)
    numbers = [apart[len(name.casefold()) :] for name, apart in zip(names, folded, strict=True)]
    return {
        key: f"{name}{number}.jsonl" for key, name, number in zip(keys, names, numbers, strict=True)
    }


def clear(folder: Path, names: Sequence[str]) -> None:
    """Remove an old manifest. Raises `UsageError` for files that no manifest would name."""
    ours = {*names, MANIFEST}
    ours |= {f"{name}.partial" for name in ours}
    others = sorted(entry.name for entry in folder.iterdir() if entry.name not in ours)
    if others:
        raise UsageError(
            f"{folder} holds {others[0]}, which this study does not write: name a new or "
            "empty folder for the certificates"
        )
    (folder / MANIFEST).unlink(missing_ok=True)


def seal(
    folder: Path,
    kind: Certifying,
    command: str,
    study: Study,
    certified: Sequence[Certified],
    choices: StudyChoices,
) -> ProofFolder:
    """Write the manifest of the certificates in *folder*, which *command* has made."""
    paths = [source.path for source in study.sources]
    inside = written_paths(paths)
    digests = [source.digest for source in study.sources]
    graphs = graph_files(inside or shortened_paths(paths), digests)
    called = {source.name: file.name for source, file in zip(study.sources, graphs, strict=True)}
    against = choices.against
    manifest = Manifest(
        version=__version__,
        study=kind,
        command=command,
        verify=_verifying(folder, [] if inside else ["--graphs"], certified),
        choices=choices._replace(against=None if against is None else called[against]),
        metrics=[
            metric_choices(name, metric)
            for name, metric in {one.name: one.metric for one in certified}.items()
        ],
        graphs=graphs,
        certificates=_files(folder, certified, called),
    )
    write_text(folder / MANIFEST, manifest.as_json())
    return ProofFolder(manifest.verify, file_digest(folder / MANIFEST))


def _verifying(folder: Path, asked: Sequence[str], certified: Sequence[Certified]) -> str:
    """Return the command that checks *folder*, with placeholders for the reader's own values."""
    taken = {name for one in certified for name in one.metric.files()}
    words = [option for name, option in _OPTIONS.items() if name in taken]
    command = shlex.join(["exactmatch", "verify", shown_path(str(folder))])
    return " ".join([command, *(f"{option} ..." for option in (*asked, *words))])


def _files(
    folder: Path, certified: Sequence[Certified], called: Mapping[str, str]
) -> list[CertificateFile]:
    names = certificate_names([one.key for one in certified])
    return [
        CertificateFile(
            file=names[one.key],
            sha256=file_digest(folder / names[one.key]),
            first=called[one.files[0]],
            second=called[one.files[1]],
            metric=one.name,
            **counted_pairs(one.score),
        )
        for one in certified
    ]


def with_proofs(document: Report, proofs: ProofFolder, certified: Sequence[Certified]) -> Report:
    """Return a report with the number of certified pairs, and the command that checks them."""
    pairs = sum(one.score.pairs for one in certified)
    proven = sum(one.score.certified for one in certified)
    note = (
        f"Certificates: {certified_text(proven, pairs)}; {proofs.command} checks all of them. "
        f"SHA-256 of their manifest: {proofs.digest}"
    )
    first, *others = document.notes
    return replace(
        document,
        provenance=replace(document.provenance, proofs=proofs),
        notes=[first, note, *others],
    )
