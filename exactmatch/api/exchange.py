"""A pair's model for any solver, and the answer of one."""

from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from exactmatch.api.metrics import StrPath, chosen_metric
from exactmatch.api.pairs import (
    Note,
    check_known,
    check_one_stdin,
    pair_of,
    read_pairs,
    unheard,
    with_graphs,
)
from exactmatch.api.range_certificates import contents
from exactmatch.certificate.writer import line
from exactmatch.comparison import compare
from exactmatch.errors import InputError, UsageError
from exactmatch.exchange.export import FORMATS
from exactmatch.exchange.export import export as model
from exactmatch.exchange.solution import read_solution
from exactmatch.harmless import on_one_line
from exactmatch.inputs import Graphs
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.pair_scoring import score_mapping
from exactmatch.pairing import GraphPair, OnError, PairBy
from exactmatch.progress import Progress, unwatched
from exactmatch.readers.source import LONGEST_LINE, read_lines, source_name
from exactmatch.results import PairScore

Target = Literal["wcnf", "opb", "lp", "mps", "cpsat-proto", "json", "triples"]

_TRIPLES = "triples"
#: What a pair can be exported to.
TARGETS = (*FORMATS, _TRIPLES)


class Imported(NamedTuple):
    """A pair of graphs, and the score of the mapping that another solver has found for it."""

    pair: GraphPair
    score: PairScore


def export(
    system: Graphs,
    gold: Graphs,
    to: Target,
    *,
    id: str | None = None,
    metric: str | Metric | None = None,
    profile: str = "default",
    breakdown: bool = False,
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    progress: Progress = unwatched,
    note: Note = unheard,
    **choices: str,
) -> str:
    """Return the model of one pair for any solver.

    Its largest value is the number of triples that the best mapping matches; in formats that
    minimise it is the negative (opb, mps), or the weight that is left out (wcnf).

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        to: ``wcnf`` (MaxSAT), ``opb`` (pseudo-Boolean), ``lp`` or ``mps`` (0/1 linear program),
            ``cpsat-proto`` (CP-SAT), ``json`` (the matching problem itself), or ``triples`` (both
            graphs, as the checker of certificates reads them; without *id*, all pairs).
        id: which pair, if there are several: its identifier or its number.
        metric: the name of a metric that maps variables, or such a `Metric`.
        breakdown: with ``triples``, what the certificates of ranges are about as well, after each
            pair.
        profile, pair_by, on_error, progress, note, **choices: as for `exactmatch.score`.

    Raises:
        InputError: for files and graphs that cannot be used, and if there is no such pair.
        UsageError: for options that do not exist, and if *id* is needed.

    Example:
        >>> import exactmatch
        >>> exactmatch.export("(b / bird)", "(c / cat)", "lp").splitlines()[0]
        '\\\\ exactmatch: pair 1, smatch|profile:default.1|top:constant|duplicates:set|...'
    """
    check_known("format", to, TARGETS)
    if breakdown and to != _TRIPLES:
        raise UsageError(f"a breakdown goes with {_TRIPLES} alone")
    with read_pairs(
        system,
        gold,
        "reading",
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=note,
        choose=lambda form: alignment_based(chosen_metric(form, metric, profile, choices)),
        only=id,
    ) as (pairs, counted):
        triples = partial(_triples, breakdown=breakdown)
        write = triples if to == _TRIPLES else partial(_model, target=to)
        every = to == _TRIPLES and id is None
        chosen = with_graphs(pairs) if every else [pair_of(pairs, id)]
        return "".join(write(pair, counted) for pair in chosen)


def import_solution(
    solution: StrPath,
    system: Graphs,
    gold: Graphs,
    *,
    id: str | None = None,
    metric: str | Metric | None = None,
    profile: str = "default",
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    progress: Progress = unwatched,
    note: Note = unheard,
    **choices: str,
) -> Imported:
    """Score the mapping that another solver has found for an exported model.

    *solution* is the path of what the solver printed or wrote; the other arguments, and what is
    raised, are those of `export`. The triples are counted from the graphs, whatever the solver
    claims.
    """
    check_one_stdin(Path(solution), system, gold)
    with read_pairs(
        system,
        gold,
        "reading",
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=note,
        choose=lambda form: alignment_based(chosen_metric(form, metric, profile, choices)),
        only=id,
    ) as (pairs, counted):
        pair = pair_of(pairs, id)
    name = source_name(solution)
    try:
        text = read_lines(solution, longest=LONGEST_LINE).whole().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not a text in UTF-8") from error
    mapping = read_solution(text, compare(pair, counted).problem, name)
    return Imported(pair, score_mapping(pair, counted, mapping, solver=name))


def _triples(pair: GraphPair, metric: AlignmentMetric, breakdown: bool) -> str:
    """Return a pair as a line that the checker of certificates reads; with ranges, several."""
    comparison = compare(pair, metric)
    if not breakdown:
        return line(comparison.as_json(pair.identifier)) + "\n"
    return "".join(line(content) + "\n" for content in contents(comparison, pair.identifier))


def _model(pair: GraphPair, metric: AlignmentMetric, target: str) -> str:
    """Return the model of a pair in the format *target*."""
    comparison = compare(pair, metric)
    left, right = (
        tuple(map(on_one_line, graph.variables)) for graph in (comparison.system, comparison.gold)
    )
    title = on_one_line(f"exactmatch: pair {pair.identifier}, {comparison.metric.signature()}")
    totals = (comparison.system_total, comparison.gold_total)
    return model(comparison.problem, (left, right), totals, title, target)
