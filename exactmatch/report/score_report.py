"""The report of scores of files: its tables for CSV, Markdown, LaTeX and HTML."""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from exactmatch._version import __version__
from exactmatch.metrics.counts import Range, Score
from exactmatch.report.document import Cell, Column, Provenance, Report, Rows, Table, at_most
from exactmatch.report.solver_text import idle_solver, solver_lines
from exactmatch.report.text import without_range
from exactmatch.report.validity import validity_table
from exactmatch.report.wording import counted
from exactmatch.scoring.corpus import Shown
from exactmatch.scoring.results import COUNTERS, CorpusScore
from exactmatch.scoring.validity.file_faults import FileValidity


def score_report(
    scores: Mapping[str, CorpusScore],
    worst: Sequence[Sequence[Shown]],
    validity: Sequence[FileValidity],
    command: str,
    *,
    signed: bool = False,
) -> Report:
    """Return the report of *scores* by their names, with the *worst* pairs of each.

    *validity* are the faults of the files, *command* is the origin. The first table has a row for
    each score; if it is to be *signed*, with the signature.
    """
    tables = [_scores(scores, [_SIGNATURE] if signed else []), _parts(scores)]
    tables += [_subscores(scores), _frameworks(scores), _worst(scores, worst)]
    tables += [validity_table(validity)] if validity else []
    signatures = (score.signature for score in scores.values())
    long_signatures = (score.long_signature for score in scores.values())
    return Report(
        study="score",
        title="Scores",
        result="; ".join(_said(name, score) for name, score in scores.items()),
        tables=[table for table in tables if table.rows],
        provenance=Provenance(
            command,
            inputs=[],
            signature="; ".join(signatures),
            long_signature="; ".join(long_signatures),
            versions=f"exactmatch {__version__}, Python {platform.python_version()}",
        ),
        notes=[
            note
            for name, score in scores.items()
            for note in (*_solver_notes(name, score), *_exceptions(name, score))
        ],
    )


def _said(name: str, score: CorpusScore) -> str:
    value = f"{score.value:.4f}"
    if score.value < score.value_upper:
        value = f"between {value} and {score.value_upper:.4f}"
    proven = f", {score.optimal} of {counted(score.pairs, 'pair')} proven"
    return f"{name}: {score.value_name} {value}{proven if score.metric.maps_variables else ''}"


def _exceptions(name: str, score: CorpusScore) -> Iterator[str]:
    """Yield the exceptions that keep a result from being a plain one."""
    if score.partial:
        yield f"{name}: interrupted, so this result is partial"
    for counter in COUNTERS:
        number = getattr(score, counter.name)
        if counter.words and isinstance(number, int) and number:
            yield f"{name}: {counter.words}: {number}"
    yield from (
        f"{name}: {words}: {count}" for words, count in without_range(score).items() if count
    )


def _solver_notes(name: str, score: CorpusScore) -> Iterator[str]:
    lines = [*idle_solver(score), *solver_lines(score, with_seconds=False)]
    yield from (f"{name}: {line}" for line in lines)


def _count(score: CorpusScore, number: int) -> Cell:
    """Return a number of triples, with a fraction if the metric counts parts of them."""
    return number if score.metric.scale == 1 else number / score.metric.scale


#: The column of a table with a single column.
_SIGNATURE = Column[str, CorpusScore]("signature", "signature", lambda _, one: one.signature)


def _scores(scores: Mapping[str, CorpusScore], more: Sequence[Column[str, CorpusScore]]) -> Table:
    return Rows(scores.items()).table(
        "scores",
        "Scores",
        [
            Column("metric", "metric", lambda name, _: name),
            Column("score", "score", lambda _, one: one.value),
            at_most("score", lambda _, one: one.value_upper),
            *_ratios(lambda _, one: one),
            Column("matched", "matched", lambda _, one: _count(one, one.matched)),
            at_most("matched", lambda _, one: _count(one, one.matched_upper)),
            Column("system_total", "of system", lambda _, one: _count(one, one.system_total)),
            Column("gold_total", "of gold", lambda _, one: _count(one, one.gold_total)),
            Column("pairs", "pairs", lambda _, one: one.pairs),
            Column("optimal", "proven", lambda _, one: one.optimal),
            Column("certified", "checked", lambda _, one: one.certified),
            *more,
        ],
    )


def _parts(scores: Mapping[str, CorpusScore]) -> Table:
    """Return the table of the kinds of triples, over the best mappings."""
    rows = [
        (name, score, part, score.ranges.get(part, Range(counts.matched, *counts)))
        for name, score in scores.items()
        for part, counts in score.breakdown.items()
    ]
    return Rows(rows).table(
        "breakdown",
        "Kinds of triples",
        [
            Column("metric", "metric", lambda *row: row[0]),
            Column("part", "part", lambda *row: row[2]),
            Column("matched", "matched", lambda *row: _count(row[1], row[3].least)),
            at_most("matched", lambda *row: _count(row[1], row[3].most)),
            Column("system_total", "of system", lambda *row: _count(row[1], row[3].system_total)),
            Column("gold_total", "of gold", lambda *row: _count(row[1], row[3].gold_total)),
        ],
    )


def _subscores(scores: Mapping[str, CorpusScore]) -> Table:
    rows = [
        (name, score.score(), what, score.pairs)
        for name, whole in scores.items()
        for what, score in whole.subscores.items()
    ]
    return _table_of_ratios("subscores", "Subscores", "subscore", rows)


def _frameworks(scores: Mapping[str, CorpusScore]) -> Table:
    rows: list[tuple[str, Score, str, int]] = [
        (name, score, what, score.pairs)
        for name, whole in scores.items()
        for what, score in whole.frameworks.items()
    ]
    return _table_of_ratios("frameworks", "Frameworks", "framework", rows)


def _table_of_ratios(
    key: str, title: str, what: str, rows: Sequence[tuple[str, Score, str, int]]
) -> Table:
    return Rows(rows).table(
        key,
        title,
        [
            Column("metric", "metric", lambda *row: row[0]),
            Column(what, what, lambda *row: row[2]),
            *_ratios(lambda *row: row[1]),
            Column("pairs", "pairs", lambda *row: row[3]),
        ],
    )


def _ratios(of: Callable[..., Score]) -> list[Column[*tuple[Any, ...]]]:
    """Return the columns of precision, recall and F1."""
    columns = []
    for key, title in {"precision": "precision", "recall": "recall", "f1": "F1"}.items():
        columns += [
            Column(key, title, lambda *row, key=key: of(*row).figure(key)),
            at_most(key, lambda *row, key=key: of(*row).figure(f"{key}_upper")),
        ]
    return columns


#: The columns of a pair, by their keys in JSON.
_OF_PAIRS = {
    "id": "pair",
    "score": "score",
    "matched": "matched",
    "upper": "at most",
    "system_total": "of system",
    "gold_total": "of gold",
}


def _worst(scores: Mapping[str, CorpusScore], worst: Sequence[Sequence[Shown]]) -> Table:
    rows = [(name, pair) for name, pairs in zip(scores, worst, strict=False) for pair in pairs]

    def of_pair(key: str, title: str) -> Column[str, Shown]:
        return Column(key, title, lambda _, pair: pair[key])

    columns = [of_pair(key, title) for key, title in _OF_PAIRS.items()]
    named = Column[str, Shown]("metric", "metric", lambda name, _: name)
    return Rows(rows).table("worst", "Worst pairs", [named, *columns])
