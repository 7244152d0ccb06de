"""Folders of certificates: the files allowed in them, and the manifest, which is written last."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from hashlib import sha256
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
from exactmatch.runtime.output import check_outputs, make_folder, partial_file, write_text
from exactmatch.runtime.own_files import LOCK, check_plain, locked
from exactmatch.runtime.partial_file import PartialFile, is_partial_of
from exactmatch.studies.common.manifest import (
    MANIFEST,
    CertificateFile,
    Certifying,
    GroupsFile,
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
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs

#: The files that metrics take (`AlignmentMetric.files`), and the options of ``verify`` for them.
_OPTIONS = {
    "similarity": "--vectors",
    "synonyms": "--synonyms",
    "table": "--reification-table",
    "lengths": "--lengths",
    "credits": "--credits",
}

#: The key of a file of certificates: the names of two files and, with several metrics, of the
#: metric.
Key = tuple[str, ...]


class Certified(NamedTuple):
    """The score of two files by a metric, which the study calls *name*, with certificates.

    groups: the score on each group of items, by its name; empty if there are no groups.
    """

    key: Key
    files: FilePair
    name: str
    metric: AlignmentMetric
    score: ScoredPairs
    groups: Mapping[str, ScoredPairs] = {}


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


class Certificates:
    """The certificates of a study while it runs: the folder, and its *files* by key.

    folder: None if certificates are not wanted.
    """

    def __init__(self, folder: Path | None, files: Mapping[Key, PartialFile]) -> None:
        self.folder = folder
        self.manifest: Manifest | None = None
        self._files = files

    def keep(self, key: Key, certificate: str) -> None:
        """Write a certificate to the file of *key*."""
        self._files[key].text.write(f"{certificate}\n")

    def digest(self, key: Key) -> str:
        """Return the SHA-256 of what is written to the file of *key*."""
        file = self._files[key]
        file.text.flush()
        return file_digest(file.place)


@contextmanager
def writing_certificates(
    folder: Path, keys: Sequence[Key], inputs: Sequence[str]
) -> Iterator[Certificates]:
    """Yield certificates, to be sealed; their files get their names when the block ends well.

    The manifest comes last, and an old one is removed before another file changes: with a manifest,
    a folder is whole, of one run. Raises `UsageError` for files that no manifest would name, and if
    one of *inputs* would be replaced, and `InputError` if another run is using the folder.
    """
    names = certificate_names(keys)
    make_folder(folder)
    with locked(folder, strict=False):
        _check_folder(folder, [*names.values()], inputs)
        with ExitStack() as stack:
            files = {
                key: stack.enter_context(partial_file(folder / name)) for key, name in names.items()
            }
            certificates = Certificates(folder, files)
            yield certificates
            assert certificates.manifest is not None
            (folder / MANIFEST).unlink(missing_ok=True)
        write_text(folder / MANIFEST, certificates.manifest.as_json())


def _check_folder(folder: Path, names: Sequence[str], inputs: Sequence[str]) -> None:
    """Raise an error for entries that no manifest would name, for *inputs*, and for no plain files.

    Partial files, of runs that were killed, are removed.
    """
    ours = [*names, MANIFEST]
    for entry in sorted(folder.iterdir()):
        if any(is_partial_of(entry.name, name) for name in ours):
            entry.unlink()
        elif entry.name in ours:
            check_plain(entry)
            check_outputs(inputs, entry)
        elif entry.name != LOCK:
            raise UsageError(
                f"{folder} holds {entry.name}, which this study does not write: name a new or "
                "empty folder for the certificates"
            )


def seal(
    certificates: Certificates,
    folder: Path,
    kind: Certifying,
    command: str,
    study: Study,
    certified: Sequence[Certified],
    choices: StudyChoices,
) -> ProofFolder:
    """Make the manifest of the *certificates* in *folder*, which *command* has made."""
    sources, group_by = study.sources, choices.group_by
    paths = [source.path for source in sources]
    if isinstance(group_by, GroupsFile):
        paths.append(group_by.path)
    inside = written_paths(paths)
    shown = inside or shortened_paths(paths)
    graphs = graph_files(shown[: len(sources)], [source.digest for source in sources])
    if isinstance(group_by, GroupsFile):
        group_by = group_by._replace(path=shown[-1])
    called = {source.name: file.name for source, file in zip(study.sources, graphs, strict=True)}
    against = choices.against
    manifest = certificates.manifest = Manifest(
        version=__version__,
        study=kind,
        command=command,
        verify=_verifying(folder, [] if inside else ["--graphs"], certified),
        choices=choices._replace(
            against=None if against is None else called[against],
            runs={
                system: [called[name] for name in names] for system, names in choices.runs.items()
            },
            group_by=group_by,
        ),
        metrics=[
            metric_choices(name, metric)
            for name, metric in {one.name: one.metric for one in certified}.items()
        ],
        graphs=graphs,
        certificates=_files(certificates, certified, called),
        schema=choices.schema,
    )
    return ProofFolder(manifest.verify, sha256(manifest.as_json().encode()).hexdigest())


def _verifying(folder: Path, asked: Sequence[str], certified: Sequence[Certified]) -> str:
    """Return the command that checks *folder*, with placeholders for the reader's own values."""
    taken = {name for one in certified for name in one.metric.files()}
    words = [option for name, option in _OPTIONS.items() if name in taken]
    command = shlex.join(["exactmatch", "verify", shown_path(str(folder))])
    return " ".join([command, *(f"{option} ..." for option in (*asked, *words))])


def _files(
    certificates: Certificates, certified: Sequence[Certified], called: Mapping[str, str]
) -> list[CertificateFile]:
    names = certificate_names([one.key for one in certified])
    return [
        CertificateFile(
            file=names[one.key],
            sha256=certificates.digest(one.key),
            first=called[one.files[0]],
            second=called[one.files[1]],
            metric=one.name,
            **counted_pairs(one.score),
            groups={name: counted_pairs(part) for name, part in one.groups.items()},
        )
        for one in certified
    ]


def with_proofs(document: Report, proofs: ProofFolder, certified: Sequence[Certified]) -> Report:
    """Return a report with the number of certified pairs, and the command that checks them."""
    proven = ProofCounts.of([one.score for one in certified])
    text = certified_text(proven.certified, proven.pairs, proven.by_word)
    note = (
        f"Certificates: {text}; {proofs.command} checks all of them. "
        f"SHA-256 of their manifest: {proofs.digest}"
    )
    first, *others = document.notes
    return replace(
        document,
        provenance=replace(document.provenance, proofs=proofs),
        notes=[first, note, *others],
    )
