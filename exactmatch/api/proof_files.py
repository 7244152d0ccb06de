"""Translate certificates to proofs that other programs check, one or two files for each."""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Literal, NamedTuple

from exactmatch.certificate.checker import MALFORMED, REFUTED, UNPROVEN, Refused, check, parse
from exactmatch.certificate.proof_formats import TRANSLATIONS, ProofFormat, Translation
from exactmatch.certificate.veripb.cutting_planes import Untranslatable
from exactmatch.errors import InputError
from exactmatch.graphs.inputs import Graphs
from exactmatch.report.certified_pairs import CertifiedPairs, certified_pairs
from exactmatch.runtime.output import make_folder
from exactmatch.runtime.together import Together, writing_together
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import (
    CertificateOptions,
)
from exactmatch.scoring.sides import (
    check_known,
)

_Object = dict[str, Any]


class Unwritten(NamedTuple):
    """A certificate that was not translated, or a pair without a certificate, and the reason."""

    identifier: str
    verdict: Literal["refuted", "unproven", "untranslatable"]
    reason: str


@dataclass(frozen=True)
class ProofFiles:
    """The files written to *folder*: one or two for each translated certificate.

    The files are called ``pair_k``, where k is the number of the certificate, from 1.
    """

    folder: Path
    written: int
    unwritten: Sequence[Unwritten]

    @property
    def refuted(self) -> int:
        """Certificates with a claim that does not hold."""
        return sum(one.verdict == "refuted" for one in self.unwritten)


@keywords
def export_proofs(
    certificates: StrPath,
    system: Graphs,
    gold: Graphs,
    to: ProofFormat,
    folder: StrPath,
    *,
    id: str | None = None,
    asked: CertificateOptions,
) -> ProofFiles:
    """Write the certificates of a score of *system* against *gold* as proofs for other checkers.

    The k-th certificate becomes ``pair_k.v`` (``coq``), a theorem that ``coqc`` checks, with the
    graphs as they are counted; or ``pair_k.opb`` and ``pair_k.pbp`` (``veripb``, ``veripb-1.1``), a
    problem and the proof that VeriPB checks, in its format 2.0 or 1.1. The theory that the theorems
    need is written into the folder ``Exactmatch`` beside them. A certificate that the checker
    refuses is not written.

    Args:
        certificates: the path of the file that scoring has written.
        system, gold: the graphs that were scored, as for `exactmatch.score`.
        to: the checker: ``coq``, ``veripb`` or ``veripb-1.1``.
        folder: the folder for the files; made if it does not exist.
        id: write only the certificates of this pair: its identifier or its number.
        metric, profile, vectors, similarity, synonyms, reification_table, lengths, credits,
            cut_off, sense_factor: as for `exactmatch.verify`.
        {options}

    Raises:
        InputError: for files that cannot be used, if *folder* cannot be written, and if there is no
            pair called *id*.
        UsageError: for unknown options, and for other similarities, synonyms, tables, lengths
            or credits than those of the certificates.

    Example:
        >>> import exactmatch, tempfile
        >>> from pathlib import Path
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     proofs = Path(folder, "proofs.jsonl")
        ...     score = exactmatch.score(system, gold, certificates=proofs)
        ...     theorems = Path(folder, "theorems")
        ...     exactmatch.export_proofs(proofs, system, gold, "coq", theorems).written
        1
    """
    check_known("format", to, [*TRANSLATIONS])
    with certified_pairs(certificates, system, gold, "translating", asked, id) as certified:
        folder = Path(folder)
        make_folder(folder)
        with writing_together(folder) as files:
            translation = TRANSLATIONS[to]
            if translation.needs_theory:
                _write_development(folder / "Exactmatch", files)
            return _written(certified, translation, folder, files, are_all=id is None)


def _written(
    certified: CertifiedPairs,
    translation: Translation,
    folder: Path,
    files: Together,
    *,
    are_all: bool,
) -> ProofFiles:
    """Write the translations of all certificates, or of those of the given pairs."""
    waiting, unwritten = _by_id(certified.lines)
    written = 0
    seen: set[str] = set()
    for pair in certified.pairs:
        name = pair["id"]
        number, certificate = waiting[name].popleft() if waiting[name] else (0, None)
        seen.add(name)
        try:
            for suffix, text in _translated(pair, certificate, translation).items():
                files.write(folder / f"pair_{number}{suffix}", text)
            written += 1
        except _Unwritable as error:
            unwritten.append(Unwritten(name, *error.args))
    if not are_all and not seen:
        raise InputError("the pair was left out")
    unwritten += [
        Unwritten(name, "refuted", "there is no such pair, or it has another certificate already")
        for name, left in waiting.items()
        for _ in left
    ]
    chosen = [one for one in unwritten if are_all or one.identifier in seen]
    return ProofFiles(folder, written, unwritten=chosen)


def _by_id(lines: Sequence[bytes]) -> tuple[dict[str, deque[tuple[int, _Object]]], list[Unwritten]]:
    """Return the certificates with their numbers, by identifier, and the unreadable ones."""
    waiting: defaultdict[str, deque[tuple[int, _Object]]] = defaultdict(deque)
    malformed = []
    for number, row in enumerate(lines, 1):
        try:
            certificate = parse(row)
            waiting[certificate["id"]].append((number, certificate))
        except MALFORMED as error:
            name = f"certificate {number}"
            malformed.append(Unwritten(name, "refuted", f"malformed: {error!r}"))
    return waiting, malformed


class _Unwritable(Exception):  # noqa: N818, its arguments are a verdict and a reason
    """Nothing can be written for a certificate; the message says why."""


def _translated(
    pair: _Object, certificate: _Object | None, translation: Translation
) -> Mapping[str, str]:
    """Return the texts by file extension. Raises `_Unwritable` if there is no translation."""
    if certificate is None:
        raise _Unwritable(UNPROVEN, "there is no certificate")
    try:
        if check(pair, certificate) == UNPROVEN:
            raise _Unwritable(UNPROVEN, "there is no proof of an upper bound")
    except MALFORMED as error:
        what = "" if isinstance(error, Refused) else f"malformed: {type(error).__name__} "
        raise _Unwritable(REFUTED, f"{what}{error}") from error
    try:
        return translation.translate(pair, certificate)
    except Untranslatable as error:
        raise _Unwritable("untranslatable", str(error)) from error


def _write_development(folder: Path, files: Together) -> None:
    """Write the theory that the theorems need, and the script that compiles it."""
    make_folder(folder)
    for source in (resources("exactmatch.certificate") / "coq").iterdir():
        if source.name.endswith((".v", "prove")) and source.name != "Extract.v":
            files.write(folder / source.name, source.read_text(encoding="utf-8"))
