"""Choose the graph of a sentence with the largest mean F1: minimum Bayes risk.

Kumar and Byrne (2004), *Minimum Bayes-Risk Decoding for Statistical Machine Translation*, choose
the candidate of the least expected loss over the other candidates. Here the loss is 1 - F1.

A graph is out of the question if its mean cannot reach that of another, whatever its open pairs
score. So pairs are examined one by one, and only until one graph is left.

Files with graphs for the same sentences are read side by side.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain, zip_longest
from typing import NamedTuple

from exactmatch.errors import InputError
from exactmatch.graphs.distinct_names import DistinctNames
from exactmatch.graphs.graph import PENMAN, UMR, Graph
from exactmatch.graphs.pairing import read_mended
from exactmatch.graphs.pairing_advice import DifferingIdentifiers, instead_of_position
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.sentences import strangers, with_common_tokens
from exactmatch.many.candidates import EMPTY, CandidatePairs
from exactmatch.many.consensus import consensus_of
from exactmatch.many.in_penman import in_penman
from exactmatch.many.repaired_text import repaired_text
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.solver_totals import SolverRun


def best_of(pairs: CandidatePairs) -> int:
    """Return the graph with the largest mean, as far as it is known; of equals the first.

    A graph of a lower rank is not the best.
    """
    return max(range(len(pairs.graphs)), key=lambda i: (pairs.ranks[i], pairs.lower[i], -i))


def choose(pairs: CandidatePairs) -> None:
    """Solve *pairs* until the best graph is known, or no pair can get tighter bounds."""
    for members in pairs.members:
        if len(members) > 1:
            pairs.solve(members[0], members[1])
    if not is_decided(pairs):
        pairs.bound_by_labels()
    while (found := _next_pair(pairs)) is not None:
        pairs.solve(*found)


def is_decided(pairs: CandidatePairs) -> bool:
    """Tell whether it is proven that no graph is better than the best known one.

    Where no graph is readable, nothing is compared, and nothing is proven.
    """
    return any(pairs.ranks) and not _rivals(pairs, best_of(pairs))


def _rivals(pairs: CandidatePairs, best: int) -> list[int]:
    return [i for i in range(len(pairs.graphs)) if i != best and not is_better(pairs, best, i)]


def is_better(pairs: CandidatePairs, best: int, other: int) -> bool:
    """Tell whether *best* is proven to come before *other*, for any scores of open pairs."""
    if pairs.ranks[best] != pairs.ranks[other]:
        return pairs.ranks[best] > pairs.ranks[other]
    least = pairs.lower[best] - pairs.upper[other] + _saved(pairs, best, other)
    return least > 0 or (least == 0 and best < other)


def _saved(pairs: CandidatePairs, best: int, other: int) -> int:
    """Return the gain of using one score for the pair of both in both means."""
    if not pairs.pairwise.is_symmetric:
        return 0
    known = pairs.bounds(best, other)
    ours, theirs = pairs.means.contribution(best, other), pairs.means.contribution(other, best)
    apart = ours * known.matched - theirs * known.upper
    together = (ours - theirs) * (known.matched if ours >= theirs else known.upper)
    return together - apart


def _next_pair(pairs: CandidatePairs) -> tuple[int, int, int] | None:
    """Return a pair that may decide, and the matches without which one of its graphs is out.

    The result is None if all is decided, or if no pair can get tighter bounds.
    """
    best = best_of(pairs)
    rivals = _rivals(pairs, best)
    if not rivals:
        return None
    for i in _by_upper(pairs, [best, *rivals]):
        for j in _by_upper(pairs, range(len(pairs.graphs))):
            if j != i and pairs.is_open(i, j):
                return i, j, 0 if best in (i, j) else _least(pairs, best, i, j)
    return None


def _by_upper(pairs: CandidatePairs, some: Iterable[int]) -> list[int]:
    """Return *some* graphs, the most promising first, so that others are ruled out sooner."""
    return sorted(some, key=lambda i: (-pairs.upper[i], i))


def _least(pairs: CandidatePairs, best: int, i: int, j: int) -> int:
    """Return how many triples of *i* must match in *j* to keep *i* in question."""
    value = pairs.means.contribution(i, j)
    if not value:
        return 0
    without = pairs.upper[i] - value * pairs.bounds(i, j).upper
    return max(0, -((without - pairs.lower[best]) // value))


class Alternatives(NamedTuple):
    """The texts of several files for one sentence, in the order of the files, or None.

    sources: the names of the files in messages.
    """

    identifier: str
    sources: Sequence[str]
    texts: Sequence[GraphText | None]


def by_position(
    sources: Sequence[str],
    files: Sequence[Iterator[GraphText]],
    tolerated: DifferingIdentifiers | None = None,
) -> Iterator[Alternatives]:
    """Yield the alternatives for each sentence of *files*, which are called *sources*.

    Repeated identifiers get numbers. Raises `InputError` if the files hold different numbers of
    graphs, or graphs at one position have different identifiers, unless these are *tolerated*: then
    the last one counts. In UMR, tokens identify sentences.
    """
    # Complex: files of the same length, and identifiers of which each graph may have one or none.
    given = DistinctNames()
    read: list[list[str | None]] = [[] for _ in files]  # identifiers, for messages
    rows = zip_longest(*files)
    for number, texts in enumerate(rows, start=1):
        if None in texts:
            advice = _advice(sources, read, texts, rows)
            raise _ended(number - 1, sources, texts, advice)
        found = [text for text in texts if text is not None]
        named = [text for text in found if text.identifier is not None]
        other = _of_other_name(named)
        if other is not None and tolerated is None:
            advice = _advice(sources, read, texts, rows)
            raise InputError(
                f"graph {number}: identifier {named[0].identifier} at {_place(named[0])}, but "
                f"{other.identifier} at {_place(other)} ({advice})"
            )
        if other is not None and tolerated is not None:
            tolerated.add(text.identifier for text in named)
        name = named[0 if other is None else -1].identifier if named else None
        for identifiers, text in zip(read, found, strict=True):
            # An identifier of all files is kept once: the files may be large.
            identifiers.append(name if text.identifier == name else text.identifier)
        yield Alternatives(given.distinct(name or str(number)), sources, found)


def _ended(
    number: int, sources: Sequence[str], texts: Sequence[GraphText | None], advice: str
) -> InputError:
    """Return the error about a file that ends after so many graphs, before the others."""
    longer = next(text.source for text in texts if text is not None)
    ended = sources[texts.index(None)]
    return InputError(f"number of graphs: {number} in {ended}, more in {longer} ({advice})")


def _of_other_name(named: Sequence[GraphText]) -> GraphText | None:
    """Return the first text whose identifier is not that of the first one; in UMR, none is."""
    for text in named:
        if text.identifier != named[0].identifier and text.format != UMR:
            return text
    return None


def _advice(
    sources: Sequence[str],
    read: Sequence[list[str | None]],
    texts: Sequence[GraphText | None],
    rest: Iterable[Sequence[GraphText | None]],
) -> str:
    """Return the advice after the identifiers *read*, *texts*, and the *rest* of all files."""
    with suppress(InputError):  # a file that cannot be read to its end has an error of its own
        for row in chain([texts], rest):
            for identifiers, text in zip(read, row, strict=True):
                if text is not None:
                    identifiers.append(text.identifier)
    return instead_of_position(sources, read)


def _place(text: GraphText) -> str:
    return f"{text.source}:{text.line}"


class Chosen(NamedTuple):
    """The graph chosen from the alternatives for a sentence.

    best: the position of its file.
    means, means_upper: the weighted mean F1 of each file's graph with the others, and its upper
        bound. Pairs that cannot change the choice are not solved, and leave a gap.
    is_proven: whether it is proven that no graph is better.
    stages: how many pairs each stage decided.
    errors: the errors of unreadable graphs, by the position of the file.
    notes: other notes on the graphs, one message each.
    mended: the number of repaired graphs and replaced DRSs.
    faults: why the consensus is no AMR; None if no consensus was asked for.
    text: the text of the graph in its file; of a repaired AMR or UMR, one that needs no repair.
    agreed: the consensus or, if it is no AMR, *text*; empty if no consensus was asked for.
    solver: the work of a solver by name.
    """

    identifier: str
    best: int
    means: Sequence[float]
    means_upper: Sequence[float]
    is_proven: bool
    stages: Mapping[str, int]
    errors: Mapping[int, str]
    notes: Sequence[str]
    mended: int
    faults: Sequence[str] | None
    text: bytes
    agreed: bytes
    solver: SolverRun = SolverRun()


def _read(
    alternatives: Alternatives, metric: AlignmentMetric, settings: Settings
) -> tuple[list[Graph], dict[int, str]]:
    """Return the graph of each file, and the errors of unreadable ones, which become empty."""
    graphs: list[Graph] = []
    errors: dict[int, str] = {}
    for position, text in enumerate(alternatives.texts):
        if text is not None and settings.repair:
            text = text._replace(repair=True)
        graph = read_mended(text, metric.ill_formed_policy.mending)
        if isinstance(graph, Graph):
            graphs.append(graph)
            continue
        missing = f"{alternatives.sources[position]}: no graph {alternatives.identifier}"
        errors[position] = missing if graph is None else str(graph)
        graphs.append(EMPTY)
    for position, error in strangers(graphs).items():
        errors[position] = str(error)
        graphs[position] = EMPTY
    return with_common_tokens(graphs), errors


def choose_candidate(
    alternatives: Alternatives,
    *,
    metric: AlignmentMetric,
    settings: Settings,
    weights: Sequence[int],
    solve_all: bool,
    threshold: Fraction | None,
) -> Chosen:
    """Read the graphs of alternatives and choose one; with a threshold, build a consensus, too.

    Raises `VerificationError` if two computations of the same number disagree.
    """
    identifier, sources, texts = alternatives
    graphs, errors = _read(alternatives, metric, settings)
    pairs = CandidatePairs(
        [f"{identifier} of {source}" for source in sources],
        [metric.normalise(graph) for graph in graphs],
        # Unreadable graphs rank after readable ones, and missing ones last.
        [(text is not None) + (k not in errors) for k, text in enumerate(texts)],
        weights,
        metric,
        settings,
    )
    if solve_all:
        pairs.solve_all()
    else:
        choose(pairs)
    best = best_of(pairs)
    chosen = texts[best]
    assert chosen is not None  # some file has a graph
    chosen = in_penman(chosen, None if best in errors else graphs[best])
    notes = [note for graph in graphs for note in graph.notes]
    data = chosen.data
    if settings.repair and graphs[best].mended and chosen.format in (PENMAN, UMR):
        data = repaired_text(chosen, graphs[best])
        notes += _unrepaired(f"{sources[best]}: graph {identifier}", data == chosen.data)
    agreed, faults = b"", None
    if threshold is not None:
        found = consensus_of(graphs, pairs, best, threshold, errors)
        faults = found.faults
        agreed = data if faults else _with_identifier(found.to_penman(), chosen.identifier)
    return Chosen(
        identifier,
        best,
        pairs.mean_f1(pairs.lower),
        pairs.mean_f1(pairs.upper),
        is_decided(pairs),
        pairs.stages(),
        errors,
        notes,
        sum(graph.mended for graph in graphs),
        faults,
        data,
        agreed,
    )


def _unrepaired(name: str, is_unchanged: bool) -> list[str]:
    """Return a note if the text of a repaired graph is unchanged."""
    if not is_unchanged:
        return []
    return [f"{name}: PENMAN notation cannot write the repaired graph; the text stays as it is"]


def _with_identifier(text: str, identifier: str | None) -> bytes:
    comment = "" if identifier is None else f"# ::id {identifier}\n"
    return f"{comment}{text}".encode()
