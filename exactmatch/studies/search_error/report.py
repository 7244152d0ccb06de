"""The report on search error: the losses of heuristics, in tables like the paper's and by cause."""

from collections.abc import Mapping, Sequence

from exactmatch.graphs.items import FilePair
from exactmatch.report.document import (
    Chart,
    Column,
    Linked,
    Marked,
    Plot,
    Provenance,
    Report,
    Rows,
    Series,
    Table,
)
from exactmatch.report.wording import counted, listed
from exactmatch.studies.common.notes import limits, proven, reading_notes, unreadable
from exactmatch.studies.search_error.by_group import GroupScore
from exactmatch.studies.search_error.measure import SearchError
from exactmatch.studies.search_error.report_sentence import search_error_sentence

EXACT = "exact"
AT_MOST = f"{EXACT}, at most"

#: What heuristics map, by their starts.
_MAPPED = {
    "all": "all variables of the smaller graph at any time",
    "candidates": "only pairs of variables that share a possible match",
}


def search_error_report(study: SearchError, provenance: Provenance, top: int) -> Report:
    """Return the report; the table of the worst pairs shows *top* rows."""
    tables = [_methods(study), _scores(study)]
    if study.groups:
        tables.append(_groups(study))
    tables += [_sizes(study), _orders(study)]
    if len(study.trials) > 1:
        tables.append(_rankings(study))
    tables.append(_worst(study, top))
    return Report(
        "search-error",
        "Search error",
        _result(study),
        tables,
        provenance,
        sentence=search_error_sentence(
            study.scores, next(iter(study.scores.values())).metric.title
        ),
        notes=_notes(study),
        plots=_plots(study),
    )


def _result(study: SearchError) -> str:
    """Return the methods that lose least and most, and how much."""
    best, *tied = study.least
    if not study.methods[study.most[0]].forth.worst:
        what = "mapping known" if study.proofs.gap else "mapping"
        seeds, pairs = counted(study.seeds, "seed"), counted(study.proofs.pairs, "pair")
        return f"{_subject(study.least)} the best {what} of all {pairs} in {seeds}."
    said = f"{listed(study.least)} {'lose' if tied else 'loses'}"
    if study.least == study.most:
        said = f"{said} {_lost(study, best)}"
    else:
        most = f"{listed(study.most)} most, {_lost(study, study.most[0])}"
        least = "" if not study.methods[best].forth.worst else " least,"
        said = f"{said}{least} {_lost(study, best)}, and {most}"
    if len(study.trials) > 1:
        # A method without losses ranks the files rightly anyway.
        told = best if study.methods[best].forth.worst else study.most[0]
        right, seeds = study.methods[told].rankings_right, counted(study.seeds, "seed")
        said = f"{said}; {told} ranks the files correctly in {right} of {seeds}"
    return f"{said}."


def _subject(methods: Sequence[str]) -> str:
    return f"{listed(methods)} {'find' if len(methods) > 1 else 'finds'}"


def _lost(study: SearchError, method: str) -> str:
    lost = study.methods[method].forth
    if not lost.worst:
        return "nothing that is known of" if study.proofs.gap else "nothing"
    least = "at least " if study.proofs.gap else ""
    mean = f"{least}{lost.f1:.4f} micro F1"
    return mean if study.seeds == 1 else f"{mean} ({lost.f1_worst:.4f} with the worst seed)"


def _notes(study: SearchError) -> list[str]:
    proofs = study.proofs
    notes = [
        f"{proven(proofs)}; {counted(study.seeds, 'seed')} for each method.",
        f"Heuristics map {_MAPPED[study.starts]}.",
    ]
    if not proofs.all_proven:
        gap = proofs.gap
        notes.append(f"Losses are counted from the best mapping known; up to {gap} more triples.")
    if proofs.scale != 1:
        notes.append(f"Triples are counted in 1/{proofs.scale} of a triple.")
    notes += [*unreadable(proofs.skipped), *limits(proofs)]
    metrics = [score.metric for score in study.scores.values()]
    return notes + reading_notes(study.study, metrics, study.scores)


def _methods(study: SearchError) -> Table:
    return Rows(
        [
            *((method, row.forth) for method, row in study.methods.items()),
            (EXACT, study.exact.losses),
        ]
    ).table(
        "methods",
        "What the methods find",
        [
            Column("method", "method", lambda method, lost: method),
            Column(
                "documents_right", "scores right", lambda _, lost: lost.documents_right, "percent"
            ),
            Column("pairs_right", "pairs right", lambda _, lost: lost.right, "percent"),
            Column("triples", "triples lost", lambda _, lost: lost.triples, "count"),
            Column("triples_worst", "worst seed", lambda _, lost: lost.worst),
            Column("f1", "F1 lost", lambda _, lost: lost.f1),
            Column("f1_worst", "worst seed", lambda _, lost: lost.f1_worst),
            Column("seconds", "seconds", lambda _, lost: lost.seconds, "seconds"),
        ],
        f"A score is that of {_documents(study)}; it is right if no triple is lost. Triples and "
        "F1 are those of all pairs in one run: the mean over seeds, and the worst seed. Seconds "
        f"are from the triples to the score, for all pairs once. The row {EXACT} gives the proven "
        "shares.",
    )


def _documents(study: SearchError) -> str:
    """Return the extent of a score in words."""
    if study.groups:
        return "a pair of files on a group of items"
    return f"{study.document} consecutive pairs" if study.document else "a pair of files"


def _scores(study: SearchError) -> Table:
    def of_files(files: FilePair) -> Column[str, Mapping[FilePair, float]]:
        return Column(_named(files), _named(files), lambda _, f1: f1[files])

    return Rows(
        [
            *((method, row.f1) for method, row in study.methods.items()),
            (EXACT, {files: score.f1 for files, score in study.scores.items()}),
            (AT_MOST, {files: score.f1_upper for files, score in study.scores.items()}),
        ]
    ).table(
        "scores",
        "Micro F1 by method",
        [Column("method", "method", lambda method, _: method), *map(of_files, study.trials)],
        "Mean over seeds.",
    )


def _groups(study: SearchError) -> Table:
    """Return table 1 of the paper, its columns those of one pair of files."""

    def of_group(group: str) -> Column[FilePair, str]:
        return Column(
            f"group {group}", group, lambda files, name: _f1(scores.get((files, group)), name)
        )

    scores = {(score.files, score.group): score for score in study.by_group}
    unproven = {score.files for score in study.by_group if score.exact < score.exact_upper}
    return Rows(
        (files, name)
        for files in study.trials
        for name in [*study.methods, EXACT, *([AT_MOST] if files in unproven else [])]
    ).table(
        "groups",
        "Micro F1 by method and group",
        [
            Column("files", "files", lambda files, name: Linked(_named(files), files)),
            Column("method", "method", lambda files, name: name),
            *map(of_group, study.groups),
        ],
        "Mean over seeds. Starred or bold: a search error, where some seed misses a better known "
        "mapping of some pair.",
    )


def _f1(score: GroupScore | None, name: str) -> float | None:
    if score is None:
        return None
    if name == EXACT:
        return score.exact
    if name == AT_MOST:
        return score.exact_upper
    f1 = score.f1[name]
    return Marked(f1) if name in score.below else f1


def _sizes(study: SearchError) -> Table:
    return Rows(
        (size, group, method) for size, group in study.sizes.items() for method in group.losses
    ).table(
        "sizes",
        "Loss by the size of the graphs",
        [
            Column("variables", "variables", lambda size, group, method: size),
            Column("pairs", "pairs", lambda size, group, method: group.pairs),
            Column("method", "method", lambda size, group, method: method),
            Column(
                "pairs_right",
                "pairs right",
                lambda size, group, method: group.losses[method].right,
                "percent",
            ),
            Column(
                "triples", "triples lost a pair", lambda size, group, method: group.triples[method]
            ),
            Column("f1", "F1 lost", lambda size, group, method: group.losses[method].f1),
        ],
        "Variables of the larger graph of a pair.",
    )


def _orders(study: SearchError) -> Table:
    return Rows(study.methods.items()).table(
        "orders",
        "Loss by the order of the files",
        [
            Column("method", "method", lambda method, _: method),
            Column("pairs_right", "pairs right", lambda _, row: row.forth.right, "percent"),
            Column("triples", "triples lost", lambda _, row: row.forth.triples, "count"),
            Column(
                "pairs_right_swapped", "right, swapped", lambda _, row: row.back.right, "percent"
            ),
            Column("triples_swapped", "lost, swapped", lambda _, row: row.back.triples, "count"),
            Column("different", "pairs that differ", lambda _, row: row.different, "percent"),
        ],
        "Swapped: the first file is the gold standard, with the same seeds.",
    )


def _rankings(study: SearchError) -> Table:
    return Rows(study.methods.items()).table(
        "rankings",
        "Ranking of the files against that by exact scores",
        [
            Column("method", "method", lambda method, _: method),
            Column("right", "rankings right", lambda _, row: row.rankings_right),
            Column("seeds", "of", lambda method, _: study.seeds),
        ],
        "For each seed, the comparisons of files are sorted by their F1.",
    )


def _worst(study: SearchError, top: int) -> Table:
    return Rows((loss,) for loss in study.worst[:top]).table(
        "worst",
        "The greatest losses on a pair",
        [
            Column("files", "files", lambda loss: _named(loss.files)),
            Column("item", "item", lambda loss: Linked(loss.item, loss.files, loss.item)),
            Column("method", "method", lambda loss: loss.method),
            Column("best", "best", lambda loss: loss.best),
            Column("found", "found", lambda loss: loss.found),
            Column("lost", "lost", lambda loss: loss.lost),
            Column("f1_lost", "F1 lost", lambda loss: loss.f1),
        ],
        "Of the worst seed.",
    )


def _plots(study: SearchError) -> list[Plot]:
    sizes = list(study.sizes)
    series = [
        Series(method, sizes, [group.losses[method].f1 for group in study.sizes.values()])
        for method in study.methods
    ]
    quality = [
        Series(method, [row.forth.seconds], [row.forth.right])
        for method, row in study.methods.items()
    ]
    quality.append(Series(EXACT, [study.exact.seconds], [1.0], is_reference=True))
    size = "variables of the larger graph"
    return [
        Chart(
            "sizes",
            "Loss and size of the graphs",
            size,
            "F1 lost",
            series,
            categories=sizes,
        ),
        Chart(
            "quality",
            "Time and quality",
            "seconds",
            "share of pairs right",
            quality,
            lines=False,
            log_x=True,
        ),
    ]


def _named(pair: FilePair) -> str:
    return " / ".join(pair)
