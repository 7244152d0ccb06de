"""Several graphs for one sentence: compare them, choose one, and find their consensus."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.convert.networkx import as_graph
from exactmatch.graphs.graph import PENMAN, Graph, Mending
from exactmatch.graphs.inputs import Graphs, opened
from exactmatch.graphs.pairing import read_mended
from exactmatch.graphs.readers.detect import cut_texts, parse, same_format
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import fraction, text_chunks
from exactmatch.graphs.sentences import with_common_tokens
from exactmatch.many.candidates import EMPTY, CandidatePairs, whole_weights
from exactmatch.many.choice import best_of, choose, is_decided
from exactmatch.many.consensus import Consensus, consensus_of, unreadable_of
from exactmatch.many.pairwise import COVER, PROOF, WORD, f1_of
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice
from exactmatch.metrics.registry import alignment_based
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import CandidateComparing
from exactmatch.scoring.options import CandidateOnError, NamedMetricOptions, Note
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import check_known

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A weight for each candidate; as text it is exact.
Weights = Sequence[float | str | Fraction]


@dataclass(frozen=True, kw_only=True, repr=False)
class Candidates:
    """Several graphs for one sentence, each compared with each by one metric.

    Row *i* of an array is graph *i* as the system, column *j* is graph *j* as gold; the diagonal is
    each graph with itself.

    metric, signature: the metric, and every choice that changes a score.
    matched, upper: the matches of a mapping, and their upper bound; equal if proven.
    totals: the number of triples of each graph, times the `scale` of the metric, as are matches.
    means, means_upper: the weighted mean F1 of each graph with the others, and its upper bound; 0
        if there is no other with a weight above 0.
    best: the graph with the largest mean; of several the first.
    is_proven: whether it is proven that no graph is better. Limits of time and memory may leave
        this open; where no graph is readable, nothing is proven.
    solved, spared: the pairs of different graphs that were solved, and those that were not, since
        equal graphs have the same scores.
    errors: the errors of unreadable graphs, by position.
    mended: the number of repaired graphs and replaced DRSs.
    """

    metric: AlignmentMetric = field(repr=False)
    signature: str
    matched: "NDArray[np.int64]"
    upper: "NDArray[np.int64]"
    totals: "NDArray[np.int64]"
    means: "NDArray[np.float64]"
    means_upper: "NDArray[np.float64]"
    best: int
    is_proven: bool
    solved: int
    spared: int
    errors: Mapping[int, str]
    mended: int
    _pairs: CandidatePairs

    @property
    def f1(self) -> "NDArray[np.float64]":
        """F1 of each pair."""
        return self._f1(self.matched)

    @property
    def f1_upper(self) -> "NDArray[np.float64]":
        """The upper bound of the true F1 of each pair."""
        return self._f1(self.upper)

    def mapping(self, i: int, j: int) -> Mapping[str, str]:
        """Return the mapping of graph *i* to graph *j*, variable to variable by name.

        Raises `UsageError` for an invalid position.
        """
        for position in (i, j):
            check_position(position, len(self.totals))
        return self._pairs.mapping(i, j)

    def __repr__(self) -> str:
        number = len(self.totals)
        unreadable = unreadable_of(self.errors, number)
        proven = "" if self.is_proven else ", not proven"
        mean = f"{self.means[self.best]:.4f}"
        return f"<Candidates {number}, best {self.best} with mean F1 {mean}{unreadable}{proven}>"

    def _f1(self, matched: "NDArray[np.int64]") -> "NDArray[np.float64]":
        return f1_of(matched, self.totals[:, None] + self.totals[None, :])


@keywords
def candidates(
    graphs: Graphs,
    weights: Weights | None = None,
    *,
    named: NamedMetricOptions,
    comparing: CandidateComparing,
    **choices: Choice,
) -> Candidates:
    """Compare several graphs for one sentence with each other, and choose the best.

    The best graph has the largest mean F1 with the others: the choice of minimum Bayes risk. Each
    pair is solved once, and equal graphs are recognised.

    Args:
        graphs: several graphs, see `exactmatch.graphs.inputs.Graphs`; each text must hold one.
        weights: the weight of each graph in the means of the others; None is equal weights.
        metric: the name of an alignment-based metric, or such a `Metric`; None is the usual one for
            the format of the graphs.
        profile: a named set of choices of the metric.
        {options}
        **choices: single choices of the metric, such as ``top="none"``; see its class.

    Raises:
        InputError: for graphs that cannot be used.
        UsageError: for an unknown metric, profile or choice, for invalid weights, and for a metric
            whose `scale` is too large for arrays.
        VerificationError: if two computations of the same number disagree.

    Example:
        >>> import exactmatch
        >>> graphs = ["(s / sing-01 :ARG0 (b / bird))", "(s / sing-01)", "(x / sing-01 :ARG0 x)"]
        >>> found = exactmatch.candidates(graphs)
        >>> found.f1.round(2).tolist()
        [[1.0, 0.67, 0.57], [0.67, 1.0, 0.8], [0.57, 0.8, 1.0]]
        >>> found.best, found.means.round(2).tolist()
        (1, [0.62, 0.73, 0.69])
        >>> found.mapping(2, 0)
        {'x': 's'}
    """
    found = prepared(graphs, weights, named, choices, comparing)
    found.pairs.solve_all()
    return _result(found)


class Prepared(NamedTuple):
    """Several graphs and their pairs, and the errors of unreadable ones, by position."""

    graphs: Sequence[Graph]
    errors: Mapping[int, str]
    pairs: CandidatePairs


def prepared(
    given: Graphs,
    weights: Weights | None,
    named: NamedMetricOptions,
    choices: Mapping[str, Choice],
    comparing: CandidateComparing,
) -> Prepared:
    """Read graphs; their pairs are not examined yet. Arguments are those of `candidates`."""
    check_known("on_error", comparing.on_error, get_args(CandidateOnError))
    unread = [*_each(given, comparing.repair)]
    found = [parse(one) if isinstance(one, GraphText) else one for one in unread]
    counted = alignment_based(chosen_metric(_format(found), named.metric, named.profile, choices))
    mending = counted.ill_formed_policy.mending
    if mending != "none":
        found = [one if isinstance(one, InputError) else _mended(one, mending) for one in unread]
    kept, errors = _kept(found, comparing.on_error, comparing.note)
    graphs = with_common_tokens(kept)
    pairs = CandidatePairs(
        [f"graph {i}" for i in range(len(graphs))],
        [counted.normalise(graph) for graph in graphs],
        [int(i not in errors) for i in range(len(graphs))],
        checked_weights(weights, len(graphs)),
        counted,
        Settings.of(comparing),
    )
    return Prepared(graphs, errors, pairs)


def _result(found: Prepared) -> Candidates:
    import numpy as np

    pairs = found.pairs
    metric = pairs.pairwise.metric
    positions = range(len(pairs.graphs))
    bounds = [[pairs.bounds(i, j) for j in positions] for i in positions]
    stages = pairs.stages()
    solved = stages[COVER] + stages[PROOF] + stages[WORD]
    return Candidates(
        metric=metric,
        signature=pairs.pairwise.settings.signature(metric),
        matched=np.array([[known.matched for known in row] for row in bounds], dtype=np.int64),
        upper=np.array([[known.upper for known in row] for row in bounds], dtype=np.int64),
        totals=np.array(pairs.totals, dtype=np.int64),
        means=np.array(pairs.mean_f1(pairs.lower)),
        means_upper=np.array(pairs.mean_f1(pairs.upper)),
        best=best_of(pairs),
        is_proven=is_decided(pairs),
        solved=solved,
        spared=stages.total() - solved,
        errors=found.errors,
        mended=sum(graph.mended for graph in found.graphs),
        _pairs=pairs,
    )


def _format(found: Sequence[Graph | InputError]) -> str:
    """Return the format of the readable graphs, PENMAN if there is none.

    Raises `InputError` for graphs of several formats, and `UsageError` if there are no graphs.
    """
    if not found:
        raise UsageError("graphs: the list is empty")
    formats = {
        f"graphs[{position}]": graph.format
        for position, graph in enumerate(found)
        if isinstance(graph, Graph)
    }
    return same_format(formats) if formats else PENMAN


def _mended(unread: GraphText | Graph, mending: Mending) -> Graph | InputError:
    read = read_mended(unread, mending)
    assert read is not None  # as there is something to read
    return read


def _kept(
    found: Sequence[Graph | InputError], on_error: CandidateOnError, note: Note
) -> tuple[list[Graph], dict[int, str]]:
    """Return several graphs, and the errors of unreadable ones.

    An empty graph replaces an unreadable one. Raises `InputError` for it if that is asked for.
    """
    graphs: list[Graph] = []
    errors: dict[int, str] = {}
    for position, graph in enumerate(found):
        if isinstance(graph, InputError):
            if on_error == "stop":
                raise graph
            errors[position] = str(graph)
            note(str(graph))
            graph = EMPTY
        else:
            for message in graph.notes:
                note(message)
        graphs.append(graph)
    return graphs, errors


def _each(given: Graphs, repair: bool) -> "Iterable[GraphText | Graph | InputError]":
    """Yield each graph, which may still be unread, or its error."""
    if isinstance(given, str | PathLike | Graph):
        with opened(given, "graphs") as found:
            for unread in found.graphs:
                if isinstance(unread, GraphText):
                    yield unread._replace(repair=repair)
                else:
                    yield unread
        return
    if not isinstance(given, Iterable):
        raise UsageError(f"graphs: {type(given).__name__} holds no graphs")
    for position, one in enumerate(given):
        graph: Any = one
        name = f"graphs[{position}]"
        try:
            if isinstance(graph, str):
                yield _one_text(graph, name)._replace(repair=repair)
            else:
                yield as_graph(graph, name)
        except InputError as error:
            yield error


def _one_text(text: str, name: str) -> GraphText:
    """Return the text of the graph in *text*. Raises `InputError` if that does not hold one."""
    texts = [*cut_texts(text_chunks(text), name).texts]
    if len(texts) != 1:
        raise InputError(f"{name}: {len(texts)} graphs, expected one")
    return texts[0]


def checked_weights(weights: Weights | None, number: int) -> list[int]:
    """Return whole numbers in the proportion of *weights*, whose number is given.

    Raises `UsageError` for invalid weights, and if less than two are above 0.
    """
    if weights is None:
        return [1] * number
    if isinstance(weights, str | bytes | Set):
        raise UsageError(f"weights: expected a list, not {weights!r}")
    try:
        exact = [Fraction(w) if isinstance(w, Rational) else fraction(str(w)) for w in weights]
    except (ValueError, ZeroDivisionError, TypeError):
        raise UsageError(f"weights: expected numbers, not {weights!r}") from None
    if len(exact) != number:
        raise UsageError(f"weights: {len(exact)} for {number} graphs")
    if min(exact) < 0 or sum(weight > 0 for weight in exact) < min(2, number):
        raise UsageError("weights: none may be below 0, and two must be above it")
    return whole_weights(exact)


def check_position(position: object, number: int) -> None:
    """Raise `UsageError` unless *position* is that of one of so many graphs."""
    if type(position) is not int or not 0 <= position < number:
        raise UsageError(
            f"no graph is at {position!r}; the positions of the {number} graphs begin at 0"
        )


@keywords
def consensus(
    graphs: Graphs,
    threshold: float | str | Fraction = 0.5,
    pivot: int | None = None,
    weights: Weights | None = None,
    *,
    named: NamedMetricOptions,
    comparing: CandidateComparing,
    **choices: Choice,
) -> Consensus:
    """Have several graphs for one sentence vote for triples, and keep those with enough votes.

    The best mappings map all graphs to one of them, the pivot. An unmapped variable is kept under a
    new name. AMRs vote for triples as written, with inverse roles turned around; other graphs vote
    for triples as the metric counts them. Nothing is repaired: the kept triples may lack a root or
    concepts, or be unconnected.

    Args:
        threshold: from 0 to 1, the share of votes that a triple needs; as text it is exact.
        pivot: the position of a graph; None is the best graph of `candidates`.
        weights: the weight of each graph's vote, and of its score in the means of others.

    The other arguments, and the errors, are those of `candidates`.

    Example:
        >>> import exactmatch
        >>> graphs = [
        ...     "(s / sing-01 :ARG0 (b / bird))",
        ...     "(x / sing-01 :ARG0 (y / bird) :time (n / now))",
        ...     "(s / shout-01 :ARG0 (b / bird))",
        ... ]
        >>> found = exactmatch.consensus(graphs)
        >>> found.to_penman()
        '(s / sing-01\\n   :ARG0 (b / bird))'
        >>> [(vote.label, vote.voters) for vote in found.votes if vote.kind == "instance"][:2]
        [(('instance', 'sing-01'), (0, 1)), (('instance', 'bird'), (0, 1, 2))]
    """
    exact = checked_threshold(threshold)
    found = prepared(graphs, weights, named, choices, comparing)
    if pivot is None:
        choose(found.pairs)
        pivot = best_of(found.pairs)
    else:
        check_position(pivot, len(found.graphs))
    return consensus_of(found.graphs, found.pairs, pivot, exact, found.errors)


def checked_threshold(threshold: float | str | Fraction) -> Fraction:
    """Return a share of votes as an exact number. Raises `UsageError` for anything else."""
    try:
        exact = fraction(str(threshold))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise UsageError(f"threshold is {threshold!r}; give a number from 0 to 1")
    return exact
