"""Score two files exactly, with certificates, and keep the results, pair by pair.

A finished run is kept as a JSON file beside its certificates. It is not repeated as long as the
digests of its files and the way of counting stay the same.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from digests import sha256

import exactmatch
from exactmatch.metrics.base import Metric
from exactmatch.studies.common.statistics import Items

#: Seconds for a pair.
_LIMIT = 60.0
#: Names for `Rescored.traces`.
TRACES = ("lost by climbing", "certificates", "seconds")


class PairRow(NamedTuple):
    """The results of a pair.

    matched, upper: the lower and the upper bound of the matches, equal if proven.
    climbed: the matches by hill climbing with the method of the released programs (``s+4r``).
    variables: of the graph of the system. seconds: of the exact score.
    """

    matched: int
    upper: int
    system_total: int
    gold_total: int
    climbed: int
    variables: int
    certified: bool
    seconds: float

    @property
    def f1(self) -> float:
        """The F1 of the pair, 0 for two empty graphs."""
        total = self.system_total + self.gold_total
        return 2 * self.matched / total if total else 0.0


@dataclass(frozen=True, kw_only=True)
class Rescored:
    """The exact score of a file against another one.

    words: the options that `exactmatch.verify` needs to count as the certificates do.
    emptied: pairs of which a graph could not be read, and counts as empty.
    """

    name: str
    system: str
    gold: str
    inputs: tuple[str, str]
    signature: str
    words: dict[str, str]
    certificates: str
    emptied: int
    rows: Sequence[PairRow]

    @property
    def f1(self) -> float:
        """The micro F1."""
        return micro_f1(self.rows)

    @property
    def macro_f1(self) -> float:
        """The mean of the F1 of all pairs."""
        return sum(row.f1 for row in self.rows) / len(self.rows) if self.rows else 0.0

    @property
    def proven(self) -> int:
        """The number of pairs whose score is proven to be the best."""
        return sum(row.matched == row.upper for row in self.rows)

    @property
    def certified(self) -> int:
        """The number of pairs whose proof was checked."""
        return sum(row.certified for row in self.rows)

    @property
    def lost(self) -> int:
        """The triples that hill climbing does not find."""
        return sum(row.matched - row.climbed for row in self.rows)

    @property
    def seconds(self) -> float:
        """The seconds of all pairs."""
        return sum(row.seconds for row in self.rows)

    @property
    def traces(self) -> tuple[int, str, float]:
        """What hill climbing loses, the beginning of the certificates' digest, and the seconds."""
        return self.lost, self.certificates[:16], self.seconds

    @property
    def items(self) -> Items:
        """The counts of all pairs, to be resampled."""
        columns = np.array([row[:4] for row in self.rows], dtype=np.int64).reshape(-1, 4)
        return Items(columns[:, 0], columns[:, 1], columns[:, 2] + columns[:, 3])


def micro_f1(rows: Sequence[PairRow]) -> float:
    """Return the F1 of all *rows* together."""
    total = sum(row.system_total + row.gold_total for row in rows)
    return 2 * sum(row.matched for row in rows) / total if total else 0.0


@dataclass(frozen=True, kw_only=True)
class Workshop:
    """Where runs are kept, and how many processes share their pairs."""

    folder: Path
    workers: int = 1

    def written(self, name: str, text: str) -> Path:
        """Return a file of graphs that were taken from elsewhere."""
        path = self.folder / "graphs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def rescore(
        self, name: str, system: Path, gold: Path, metric: Metric, **words: str
    ) -> Rescored:
        """Score *system* against *gold*, unless this run is kept.

        *words* are the arguments of `exactmatch.verify`, beside the profile, that count as
        *metric*.
        """
        kept = self.folder / "runs" / f"{name}.json"
        inputs = (sha256(system), sha256(gold))
        if kept.exists():
            known = load(kept)
            if known.inputs == inputs and known.signature == metric.signature():
                return known
        kept.parent.mkdir(parents=True, exist_ok=True)
        proofs = kept.with_suffix(".certificates.jsonl")
        exact = exactmatch.score(
            system,
            gold,
            metric=metric,
            timeout=_LIMIT,
            on_error="empty",
            workers=self.workers,
            certificates=proofs,
        )
        climbed = exactmatch.score(
            system,
            gold,
            metric=metric,
            method="s+4r",
            starts="candidates",
            on_error="empty",
            workers=self.workers,
        )
        done = Rescored(
            name=name,
            system=str(system),
            gold=str(gold),
            inputs=inputs,
            signature=metric.signature(),
            words=words,
            certificates=sha256(proofs),
            emptied=exact.emptied,
            rows=_rows(exact, climbed, proofs),
        )
        _store(done, kept)
        return done


def _rows(
    exact: exactmatch.CorpusScore, climbed: exactmatch.CorpusScore, proofs: Path
) -> list[PairRow]:
    with proofs.open(encoding="utf-8") as lines:
        certificates = map(json.loads, lines)
        variables = {one["id"]: len(one["mapping"]) for one in certificates}
    return [
        PairRow(
            pair.matched,
            pair.matched_upper,
            pair.system_total,
            pair.gold_total,
            found.matched,
            variables.get(pair.identifier, 0),  # an ill-formed text has no certificate
            pair.certified,
            round(pair.seconds, 6),
        )
        for pair, found in zip(exact.per_pair, climbed.per_pair, strict=True)
    ]


def _store(done: Rescored, kept: Path) -> None:
    """Write a run in one step, so that an interrupted run leaves no file."""
    with tempfile.NamedTemporaryFile("w", dir=kept.parent, delete=False, encoding="utf-8") as file:
        json.dump(asdict(done), file)
    Path(file.name).replace(kept)


def load(kept: Path) -> Rescored:
    """Return a run that is kept."""
    known: dict[str, Any] = json.loads(kept.read_text("utf-8"))
    known["inputs"] = tuple(known["inputs"])
    known["rows"] = [PairRow(*row) for row in known["rows"]]
    return Rescored(**known)


def certificates_digest(runs: Sequence[Rescored]) -> str:
    """Return one digest for the certificates of several runs: of the list of theirs."""
    import hashlib

    lines = sorted(f"{run.certificates}  {run.name}\n" for run in runs)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
