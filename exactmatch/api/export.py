"""Export the model of a pair for any solver, and import the solver's answer."""

from functools import partial
from pathlib import Path
from typing import NamedTuple, get_args

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.graph_lines import holds_graphs
from exactmatch.graphs.readers.source import LONGEST_LINE, read_lines, source_name
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.problem.model_formats import PAPER, PROGRAMS
from exactmatch.problem.model_formats import export as written
from exactmatch.problem.solver_output import read_solution
from exactmatch.report.range_certificates import contents
from exactmatch.runtime.harmless import on_one_line
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.comparison import compare, compare_for_proof
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import (
    PairReading,
)
from exactmatch.scoring.options import Model, NamedMetricOptions, Target
from exactmatch.scoring.pair import score_mapping
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.sides import (
    check_known,
    check_one_stdin,
    pair_of,
    with_graphs,
)
from exactmatch.scoring.triple_pairs import triple_pairs
from exactmatch.solving.certificates import line

_TRIPLES = "triples"


class Imported(NamedTuple):
    """A pair of graphs, and the score of a mapping that another solver has found for it."""

    pair: GraphPair
    score: PairScore


@keywords
def export(
    system: Graphs,
    gold: Graphs,
    to: Target,
    *,
    model: Model | None = None,
    id: str | None = None,
    named: NamedMetricOptions,
    breakdown: bool = False,
    pairing: PairReading,
    **choices: str,
) -> str:
    """Return the model of one pair for any solver.

    The largest value of the model is the number of triples that the best mapping matches. In
    formats that minimise, it is the negative (opb, mps) or the weight that is left out (wcnf).

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        to: ``wcnf`` (MaxSAT), ``opb`` (pseudo-Boolean), ``lp`` or ``mps`` (0/1 linear program),
            ``cpsat-proto`` (CP-SAT), ``json`` (the matching problem itself), or ``triples`` (both
            graphs, as the checker of certificates reads them; without *id*, all pairs).
        model: the rows of a program: ``paper`` (as Cai and Knight, 2013, print them), ``grouped``,
            or ``pairs`` (tighter for clauses of DRSs). By default ``grouped``, and in ``wcnf``
            plain implications. Not with ``json`` and ``triples``, which are no programs.
        id: the pair, if there are several: its identifier or its number.
        metric: the name of an alignment-based metric, or such a `Metric`.
        breakdown: with ``triples``, also write the subjects of range certificates, after each pair.
        profile, **choices: as for `exactmatch.score`.
        {options}

    Raises:
        InputError: for files and graphs that cannot be used, and if there is no such pair.
        UsageError: for unknown options, if *id* is missing, and for a *model* of a format without
            programs.

    Example:
        >>> import exactmatch
        >>> exactmatch.export("(b / bird)", "(c / cat)", "lp").splitlines()[0]
        '\\\\ exactmatch: pair 1, smatch|profile:default.2|top:constant|duplicates:set|...'
    """
    request = PairRequest.of(system, gold, named, choices, pairing)
    return run_export(request, to, model, id, breakdown=breakdown)


def run_export(
    request: PairRequest,
    to: Target,
    model: Model | None,
    identifier: str | None,
    *,
    breakdown: bool,
) -> str:
    """Do what `export` does. *identifier* names the pair."""
    check_known("format", to, get_args(Target))
    if model is not None:
        check_known("model", model, get_args(Model))
        if to not in PROGRAMS:
            raise UsageError(f"a model needs one of the formats {', '.join(PROGRAMS)}")
    if breakdown and to != _TRIPLES:
        raise UsageError(f"breakdown needs the format {_TRIPLES}")
    with request.reading("reading", identifier) as (pairs, counted):
        triples = partial(_triples, breakdown)
        write = triples if to == _TRIPLES else partial(_model, to, model)
        every = to == _TRIPLES and identifier is None
        chosen = with_graphs(pairs) if every else [pair_of(pairs, identifier)]
        return "".join(write(pair, counted) for pair in chosen)


@keywords
def import_solution(
    solution: StrPath,
    system: Graphs,
    gold: Graphs,
    *,
    id: str | None = None,
    named: NamedMetricOptions,
    pairing: PairReading,
    **choices: str,
) -> Imported:
    """Score the mapping that another solver has found for an exported model.

    The triples are counted from the graphs; the solver's own count is not trusted.

    Args:
        solution: the path of the solver's output, in any of the forms that ``exactmatch
            import-solution --help`` lists.

    The other arguments, and the errors, are those of `export`. The result has the pair of graphs
    (``pair``) and the `PairScore` of the mapping (``score``).

    Example:
        >>> import exactmatch, tempfile
        >>> from pathlib import Path
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(x / sing-01 :ARG0 (y / cat))"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     solution = Path(folder, "solution.json")
        ...     written = solution.write_text('{"mapping": [[0, 0], [1, 1]]}')
        ...     exactmatch.import_solution(solution, system, gold).score.f1
        0.75
    """
    request = PairRequest.of(system, gold, named, choices, pairing)
    return run_import(solution, request, id)


def run_import(solution: StrPath, request: PairRequest, identifier: str | None) -> Imported:
    """Do what `import_solution` does. *identifier* names the pair, None the only one."""
    check_one_stdin(Path(solution), request.system, request.gold)
    text, name = _solution(solution), source_name(solution)
    pair, counted = request.one_pair(identifier)
    mapping = read_solution(text, compare(pair, counted).problem, name)
    return Imported(pair, score_mapping(pair, counted, mapping, solver=name))


def _solution(path: StrPath) -> str:
    """Return the solution of a solver. Raises `InputError` if the file holds no solution."""
    raw, name = read_lines(path, longest=LONGEST_LINE).whole(), source_name(path)
    if holds_graphs(raw.splitlines()):
        raise InputError(f"{name}: holds graphs; the solution is the first of the three files")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text") from error


def _triples(breakdown: bool, pair: GraphPair, metric: AlignmentMetric) -> str:
    """Return a pair as the line that the checker of certificates reads; ranges add lines."""
    comparison = compare_for_proof(pair, metric)
    if not breakdown:
        return line(comparison.as_json(pair.identifier)) + "\n"
    return "".join(line(content) + "\n" for content in contents(comparison, pair.identifier))


def _model(target: str, model: Model | None, pair: GraphPair, metric: AlignmentMetric) -> str:
    """Return the *model* of a pair in the format *target*."""
    comparison = compare(pair, metric)
    left, right = (
        tuple(map(on_one_line, graph.variables)) for graph in (comparison.system, comparison.gold)
    )
    title = on_one_line(f"exactmatch: pair {pair.identifier}, {comparison.metric.signature()}")
    totals = (comparison.system_total, comparison.gold_total)
    matches = list(triple_pairs(comparison)) if model == PAPER else []
    return written(comparison.problem, (left, right), totals, title, target, model, matches)
