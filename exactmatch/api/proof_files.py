"""Certificates as proofs that other programs check: a file or two for each."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from exactmatch.api.certified_pairs import CertifiedPairs, certified_pairs
from exactmatch.api.metrics import Share, StrPath, similarity_of, synonyms_of
from exactmatch.api.metrics import reification_table as table_of
from exactmatch.api.pairs import Note, check_known, unheard
from exactmatch.certificate.checker import MALFORMED, REFUTED, UNPROVEN, Refused, check, parse
from exactmatch.certificate.cutting_planes import Untranslatable, translate
from exactmatch.certificate.theorem import theorem
from exactmatch.errors import InputError
from exactmatch.inputs import Graphs
from exactmatch.output import make_folder, write_text
from exactmatch.pairing import OnError, PairBy
from exactmatch.progress import Progress, unwatched

ProofFormat = Literal["coq", "veripb", "veripb-1.1"]

_Object = dict[str, Any]


class Unwritten(NamedTuple):
    """A certificate of which nothing is written, or a pair without one, and why."""

    identifier: str
    verdict: Literal["refuted", "unproven", "untranslatable"]
    reason: str


@dataclass(frozen=True, kw_only=True)
class ProofFiles:
    """What was written: to *folder*, a file or two for each of so many certificates.

    The files are called ``pair_k``, where k is the number of the certificate, from 1.
    """

    folder: Path
    written: int
    unwritten: Sequence[Unwritten]

    @property
    def refuted(self) -> int:
        """Certificates with a claim that does not hold."""
        return sum(one.verdict == "refuted" for one in self.unwritten)


def export_proofs(
    certificates: StrPath,
    system: Graphs,
    gold: Graphs,
    to: ProofFormat,
    folder: StrPath,
    *,
    id: str | None = None,
    metric: str | None = None,
    profile: str | None = None,
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    reification_table: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    progress: Progress = unwatched,
    note: Note = unheard,
) -> ProofFiles:
    """Write the certificates of a score of *system* against *gold* as proofs for other checkers.

    The k-th certificate becomes ``pair_k.v`` (``coq``), a theorem that ``coqc`` checks, with the
    graphs as they are counted; or ``pair_k.opb`` and ``pair_k.pbp`` (``veripb``, ``veripb-1.1``), a
    problem and the proof that VeriPB checks, in its format 2.0 or 1.1. What the theorems rest on is
    written into the folder ``Exactmatch`` beside them. What the checker does not accept is not
    written.

    Args:
        certificates: the path of the file that scoring has written.
        system, gold: the graphs that were scored, as for `exactmatch.score`.
        to: for whom.
        folder: where the files go; made if it is not there.
        id: the certificates of this pair alone, its identifier or its number.
        metric, profile, vectors, similarity, synonyms, reification_table, cut_off, sense_factor,
        pair_by, on_error, progress, note: as for `exactmatch.verify`.

    Raises:
        InputError: for files that cannot be used, if *folder* cannot be written, and if there is no
            pair called *id*.
        UsageError: for options that do not exist, or other similarities, synonyms or tables.
    """
    check_known("format", to, get_args(ProofFormat))
    with certified_pairs(
        certificates,
        system,
        gold,
        "translating",
        metric=metric,
        profile=profile,
        similarity=similarity_of(vectors, similarity, cut_off, sense_factor),
        synonyms=synonyms_of(synonyms),
        table=table_of(reification_table),
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=note,
        only=id,
    ) as certified:
        folder = Path(folder)
        make_folder(folder)
        if to == "coq":
            _write_development(folder / "Exactmatch")
        return _written(certified, _TRANSLATIONS[to], folder, are_all=id is None)


def _written(
    certified: CertifiedPairs, translate: "_Translate", folder: Path, *, are_all: bool
) -> ProofFiles:
    """Write what the certificates of all pairs say, or those of the pairs that there are."""
    waiting, unwritten = _by_id(certified.lines)
    written = 0
    seen: set[str] = set()
    for pair in certified.pairs:
        name = pair["id"]
        number, certificate = waiting[name].popleft() if waiting[name] else (0, None)
        seen.add(name)
        try:
            for suffix, text in _translated(pair, certificate, translate).items():
                write_text(folder / f"pair_{number}{suffix}", text)
            written += 1
        except _Unwritable as error:
            unwritten.append(Unwritten(name, *error.args))
    if not are_all and not seen:
        raise InputError("the pair is left out")
    unwritten += [
        Unwritten(name, "refuted", "there is no such pair, or it had one")
        for name, left in waiting.items()
        for _ in left
    ]
    chosen = [one for one in unwritten if are_all or one.identifier in seen]
    return ProofFiles(folder=folder, written=written, unwritten=chosen)


def _by_id(lines: Sequence[bytes]) -> tuple[dict[str, deque[tuple[int, _Object]]], list[Unwritten]]:
    """Return the certificates with their numbers, by identifier, and what cannot be read."""
    waiting: defaultdict[str, deque[tuple[int, _Object]]] = defaultdict(deque)
    malformed = []
    for number, line in enumerate(lines, 1):
        try:
            certificate = parse(line)
            waiting[certificate["id"]].append((number, certificate))
        except MALFORMED as error:
            name = f"certificate {number}"
            malformed.append(Unwritten(name, "refuted", f"malformed: {error!r}"))
    return waiting, malformed


class _Unwritable(Exception):  # noqa: N818, its arguments are a verdict and a reason
    """Nothing is written for a certificate."""


def _translated(
    pair: _Object, certificate: _Object | None, translate: "_Translate"
) -> Mapping[str, str]:
    """Return texts by the ends of their names. Raises `_Unwritable` if there are none."""
    if certificate is None:
        raise _Unwritable(UNPROVEN, "there is no certificate")
    try:
        if check(pair, certificate) == UNPROVEN:
            raise _Unwritable(UNPROVEN, "there is no proof that no mapping scores more")
    except MALFORMED as error:
        what = "" if isinstance(error, Refused) else f"malformed: {type(error).__name__} "
        raise _Unwritable(REFUTED, f"{what}{error}") from error
    try:
        return translate(pair, certificate)
    except Untranslatable as error:
        raise _Unwritable("untranslatable", str(error)) from error


_Translate = Callable[[_Object, _Object], Mapping[str, str]]


def _theorem(pair: _Object, certificate: _Object) -> Mapping[str, str]:
    return {".v": theorem(pair, certificate)}


def _cutting_planes(
    pair: _Object, certificate: _Object, version: Literal["1.1", "2.0"]
) -> Mapping[str, str]:
    found = translate(pair, certificate, version)
    return {".opb": found.formula, ".pbp": found.proof}


_TRANSLATIONS: Mapping[ProofFormat, _Translate] = {
    "coq": _theorem,
    "veripb": partial(_cutting_planes, version="2.0"),
    "veripb-1.1": partial(_cutting_planes, version="1.1"),
}


def _write_development(folder: Path) -> None:
    """Write what the theorems rest on, and the script that compiles it."""
    make_folder(folder)
    for source in (files("exactmatch.certificate") / "coq").iterdir():
        if source.name.endswith((".v", "prove")) and source.name != "Extract.v":
            write_text(folder / source.name, source.read_text(encoding="utf-8"))
