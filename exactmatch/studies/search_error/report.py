"""The report on search error: what heuristics lose, in tables like the paper's and by what."""

from collections.abc import Sequence

from exactmatch.graphs.items import FilePair
from exactmatch.report.document import (
    Cell,
    Chart,
    Column,
    Linked,
    Marked,
    Plot,
    Provenance,
    Report,
    Series,
    Table,
)
from exactmatch.report.wording import listed
from exactmatch.studies.common.notes import counted, limits, proven, reading_notes
from exactmatch.studies.search_error.by_group import GroupScore
from exactmatch.studies.search_error.measure import SearchError

EXACT = "exact"
AT_MOST = f"{EXACT}, at most"

#: What heuristics map, by their starts.
_MAPPED = {
    "all": "all variables of the smaller graph at any time",
    "candidates": "only variables to each other of which some triples may match",
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
        study="search-error",
        title="Search error",
        result=_result(study),
        tables=tables,
        provenance=provenance,
        notes=_notes(study),
        plots=_plots(study),
    )


def _result(study: SearchError) -> str:
    """Return who loses least, and how much; and who loses most."""
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
        # What loses nothing ranks them rightly anyway.
        told = best if study.methods[best].forth.worst else study.most[0]
        right, seeds = study.methods[told].rankings_right, counted(study.seeds, "seed")
        said = f"{said}; {told} ranks the files rightly in {right} of {seeds}"
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
    if proofs.skipped:
        notes.append(f"Pairs of which a graph is missing or cannot be read: {proofs.skipped}.")
    return [*notes, *limits(proofs), *reading_notes(study.study)]


def _methods(study: SearchError) -> Table:
    columns = [
        Column("method", "method"),
        Column("documents_right", "scores right", "percent"),
        Column("pairs_right", "pairs right", "percent"),
        Column("triples", "triples lost"),
        Column("triples_worst", "worst seed"),
        Column("f1", "F1 lost"),
        Column("f1_worst", "worst seed"),
        Column("seconds", "seconds", "seconds"),
    ]
    rows: list[list[Cell]] = []
    for method, row in study.methods.items():
        lost = row.forth
        shares = (lost.documents_right, lost.right)
        losses = (lost.triples, lost.worst, lost.f1, lost.f1_worst)
        rows.append([method, *shares, *losses, lost.seconds])
    exact = study.exact
    rows.append([EXACT, exact.documents, exact.pairs, 0.0, 0, 0.0, 0.0, exact.seconds])
    length = f"{study.document} consecutive pairs" if study.document else "a pair of files"
    if study.groups:
        length = "a pair of files on a group of items"
    return Table(
        "methods",
        "What the methods find",
        columns,
        rows,
        f"A score is that of {length}; it is right if no triple is lost. Triples and F1 are "
        "those of all pairs in one run, the mean over seeds and the worst seed. Seconds are from "
        f"the triples to the score, for all pairs once. The row {EXACT} gives the shares proven.",
    )


def _scores(study: SearchError) -> Table:
    names = [_named(pair) for pair in study.trials]
    columns = [Column("method", "method"), *(Column(name, name) for name in names)]
    rows: list[list[Cell]] = [
        [method, *(row.f1[pair] for pair in study.trials)] for method, row in study.methods.items()
    ]
    rows.append([EXACT, *(score.f1 for score in study.scores.values())])
    rows.append([AT_MOST, *(score.f1_upper for score in study.scores.values())])
    return Table("scores", "Micro F1 by method", columns, rows, "Mean over seeds.")


def _groups(study: SearchError) -> Table:
    """Return table 1 of the paper, its columns those of one pair of files."""
    scores = {(score.files, score.group): score for score in study.by_group}
    columns = [
        Column("files", "files"),
        Column("method", "method"),
        *(Column(f"group {group}", group) for group in study.groups),
    ]
    rows: list[list[Cell]] = []
    for files in study.trials:
        found = [scores.get((files, group)) for group in study.groups]
        names = [*study.methods, EXACT]
        if any(score is not None and score.exact < score.exact_upper for score in found):
            names.append(AT_MOST)
        rows += [
            [
                Linked(_named(files), files),
                name,
                *(None if score is None else _f1(score, name) for score in found),
            ]
            for name in names
        ]
    return Table(
        "groups",
        "Micro F1 by method and group",
        columns,
        rows,
        "Mean over seeds. Starred or bold: a search error; of some pair, a better mapping is known "
        "than some seed has found.",
    )


def _f1(score: GroupScore, name: str) -> float:
    if name == EXACT:
        return score.exact
    if name == AT_MOST:
        return score.exact_upper
    f1 = score.f1[name]
    return Marked(f1) if name in score.below else f1


def _sizes(study: SearchError) -> Table:
    columns = [
        Column("variables", "variables"),
        Column("pairs", "pairs"),
        Column("method", "method"),
        Column("pairs_right", "pairs right", "percent"),
        Column("triples", "triples lost a pair"),
        Column("f1", "F1 lost"),
    ]
    rows: list[list[Cell]] = [
        [size, group.pairs, method, lost.right, group.triples[method], lost.f1]
        for size, group in study.sizes.items()
        for method, lost in group.losses.items()
    ]
    return Table(
        "sizes",
        "Loss by the size of the graphs",
        columns,
        rows,
        "Variables of the larger graph of a pair.",
    )


def _orders(study: SearchError) -> Table:
    columns = [
        Column("method", "method"),
        Column("pairs_right", "pairs right", "percent"),
        Column("triples", "triples lost"),
        Column("pairs_right_swapped", "right, swapped", "percent"),
        Column("triples_swapped", "lost, swapped"),
        Column("different", "pairs that differ", "percent"),
    ]
    rows: list[list[Cell]] = []
    for method, row in study.methods.items():
        forth, back = row.forth, row.back
        shares = (forth.right, forth.triples, back.right, back.triples)
        rows.append([method, *shares, row.different])
    return Table(
        "orders",
        "Loss by the order of the files",
        columns,
        rows,
        "Swapped: the second file judged by the first, with the same seeds.",
    )


def _rankings(study: SearchError) -> Table:
    columns = [
        Column("method", "method"),
        Column("right", "rankings right"),
        Column("seeds", "of"),
    ]
    rows: list[list[Cell]] = [
        [method, row.rankings_right, study.seeds] for method, row in study.methods.items()
    ]
    return Table(
        "rankings",
        "Do the files come in the order of their exact scores?",
        columns,
        rows,
        "For each seed, the comparisons of files are sorted by their F1.",
    )


def _worst(study: SearchError, top: int) -> Table:
    columns = [
        Column("files", "files"),
        Column("item", "item"),
        Column("method", "method"),
        Column("best", "best"),
        Column("found", "found"),
        Column("lost", "lost"),
        Column("f1_lost", "F1 lost"),
    ]
    rows: list[list[Cell]] = []
    for loss in study.worst[:top]:
        counts = (loss.best, loss.found, loss.lost)
        item = Linked(loss.item, loss.files, loss.item)
        rows.append([_named(loss.files), item, loss.method, *counts, loss.f1])
    return Table("worst", "The greatest losses on a pair", columns, rows, "Of the worst seed.")


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
    quality.append(Series(EXACT, [study.exact.seconds], [1.0]))
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
