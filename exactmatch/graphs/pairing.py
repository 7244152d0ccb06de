"""Decide how each pair of graphs is treated.

`read_pair` reads the two graphs of a pair. Only `pair_graphs` decides how to treat unreadable,
ill-formed and missing graphs, and sentences of UMR that do not belong together. Which graphs are a
pair is decided in `exactmatch.graphs.coupling`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.graph import (
    ALL_ERRORS,
    PENMAN,
    SBN,
    UMR,
    Graph,
    IllFormedError,
    IllFormedPolicy,
    IllFormedSides,
    Location,
    Mending,
    RepairableError,
    Side,
    Treatment,
)
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText

PairBy = Literal["position", "id"]

OnError = Literal["stop", "skip", "empty"]

Missing = Literal["pairwise", "common", "empty"]


class MissingPolicy(NamedTuple):
    """How an item is treated that a file lacks; *words* say so of such items in a report.

    needs_all: the item is left out everywhere. on_error: a pair without one of its graphs is left
    out, or an empty graph replaces the missing one.
    """

    words: str
    needs_all: bool = False
    on_error: OnError = "skip"

    def leaves_out(self, lacking: int) -> bool:
        """Tell whether an item is left out everywhere that *lacking* files lack."""
        return self.needs_all and lacking > 0


#: The policies by their names.
MISSING: Mapping[Missing, MissingPolicy] = {
    "pairwise": MissingPolicy("left out where the file is compared"),
    "common": MissingPolicy("left out everywhere", needs_all=True),
    "empty": MissingPolicy(
        "compared as empty graphs, unless both files that are compared lack them", on_error="empty"
    ),
}

#: More errors than these are not worth reading at once.
SHOWN = 20


class GraphPair(NamedTuple):
    """Two graphs to compare, and the pair's name in results.

    *emptied* tells that an empty graph replaces a missing or unreadable one. *left_out* counts
    sentences of documents that are not compared. *ill_formed* are the sides whose faults were
    overlooked.
    """

    identifier: str
    system: Graph
    gold: Graph
    emptied: bool = False
    left_out: int = 0
    ill_formed: IllFormedSides = None

    @property
    def noted(self) -> bool:
        """Whether there is a note on one of the graphs."""
        return bool(self.system.notes or self.gold.notes)

    @property
    def mended(self) -> int:
        """The number of repairs and replacements in both graphs."""
        return self.system.mended + self.gold.mended

    @property
    def framework(self) -> str:
        """The MRP framework of the graphs; empty in other formats."""
        return self.gold.framework or self.system.framework


class Skipped(NamedTuple):
    """A pair that is left out or, if *is_zero*, counts 0 because graphs of it are *ill_formed*."""

    identifier: str
    ill_formed: IllFormedSides = None
    is_zero: bool = False


#: A graph that may have been read, or the error that kept it from being read.
Unread = GraphText | Graph | GraphError


class Couple(NamedTuple):
    """The two sides of a pair: graphs that may still be unread, or nothing.

    system_name, gold_name: the names of the files in messages.
    position: the number of the pair, from 1.
    """

    identifier: str
    system: Unread | None
    gold: Unread | None
    system_name: str
    gold_name: str
    position: int = 0


class Paired(NamedTuple):
    """The two graphs of a pair, and the decision about the pair.

    graphs: the graphs as read, also those whose faults are overlooked; None for a missing graph.
    mismatched: errors on sentences that do not belong together, or are unreadable.
    unmatched: errors on sentences that only one graph has.
    """

    pair: GraphPair | Skipped
    graphs: tuple[Graph | None, Graph | None]
    mismatched: tuple[GraphError, ...] = ()
    unmatched: tuple[GraphError, ...] = ()

    @property
    def misfits(self) -> tuple[GraphError, ...]:
        """All errors that keep sentences from being compared."""
        return (*self.mismatched, *self.unmatched)


class ReadPair(NamedTuple):
    """A pair whose graphs have been read.

    errors: the errors of unreadable graphs.
    notes: problems found in the pair, one message each, including the errors.
    """

    pair: GraphPair | Skipped
    errors: tuple[GraphError, ...]
    notes: tuple[str, ...]


def read_pair(
    couple: Couple, on_error: OnError, ill_formed: IllFormedPolicy = ALL_ERRORS
) -> ReadPair:
    """Read the graphs of *couple*, and return how the pair is treated; see `pair_graphs`."""
    sides = [read_mended(graph, ill_formed.mending) for graph in (couple.system, couple.gold)]
    paired = pair_graphs(couple.identifier, sides, on_error, ill_formed)
    errors = tuple(
        side
        for side, treatment in zip(sides, ill_formed.treatments, strict=True)
        if isinstance(side, GraphError) and not is_overlooked(side, treatment)
    )
    notes: list[str] = []
    names = (couple.system_name, couple.gold_name)
    for side, graph, name in zip(sides, paired.graphs, names, strict=True):
        if side is None:
            notes.append(f"{name}: no graph {couple.identifier}")
        elif isinstance(side, GraphError):
            notes.append(str(side))
        if graph is not None:
            notes += graph.notes
    misfits = paired.misfits
    return ReadPair(paired.pair, (*errors, *misfits), (*notes, *map(str, misfits)))


def pair_graphs(
    identifier: str,
    sides: Sequence[Graph | GraphError | None],
    on_error: OnError,
    policy: IllFormedPolicy = ALL_ERRORS,
) -> Paired:
    """Return how the two *sides* of a pair (graphs, errors or nothing) are treated.

    For an unreadable or missing graph, *on_error* says whether the pair is left out or an empty
    graph replaces it. Otherwise, *policy* says how a pair with an ill-formed graph is treated.
    Sentences of UMR are paired as well, see `pair_sentences`.
    """
    system, gold = sides
    if isinstance(system, Graph) and isinstance(gold, Graph):
        return _pair_readable(identifier, system, gold, on_error)
    treated = zip(sides, policy.treatments, strict=True)
    if all(isinstance(side, Graph) or is_overlooked(side, how) for side, how in treated):
        return _pair_ill_formed(identifier, sides, policy)
    left, right = (side if isinstance(side, Graph) else None for side in sides)
    pair: GraphPair | Skipped = Skipped(identifier)
    if on_error == "empty":
        from exactmatch.graphs.sentences import empty_beside

        both = left or empty_beside(right), right or empty_beside(left)
        pair = GraphPair(identifier, *both, emptied=True)
    return Paired(pair, (left, right))


def read_mended(unread: Unread | None, mending: Mending) -> Graph | GraphError | None:
    """Return a graph, read and mended by *mending*, or its error, or None."""
    read = parse(unread) if isinstance(unread, GraphText) else unread
    if mending == "none" or read is None:
        return read
    if mending == "close" or mending == "smatch":
        return _closed(unread, read, by_smatch=mending == "smatch")
    if mending == "as-counter":
        if not isinstance(unread, GraphText) or not isinstance(read, GraphError):
            return read
        from exactmatch.graphs.readers.ill_formed_clauses import read_ill_formed

        return read_ill_formed(unread, read)
    from exactmatch.graphs.stand_ins import stood_in, stood_in_text

    if isinstance(unread, GraphText):
        return stood_in_text(unread, read, mending)
    return stood_in(read, mending) if isinstance(read, Graph) else read


def _closed(
    unread: Unread | None, read: Graph | GraphError, *, by_smatch: bool
) -> Graph | GraphError:
    """Return a graph with its last parentheses or, *by_smatch*, split at blanks as smatch does."""
    if not isinstance(read, GraphError):
        return read
    if by_smatch and isinstance(unread, GraphText) and unread.format == PENMAN:
        from exactmatch.graphs.readers.penman import read_by_smatch

        found = read_by_smatch(unread, read)
        if found is not None:
            return found
    if isinstance(read, RepairableError) and read.lacks_end_alone:
        return read.repaired
    return read


def is_overlooked(side: Unread | None, treatment: Treatment) -> bool:
    """Tell whether *side* is an ill-formed graph that *treatment* accepts."""
    return treatment != "error" and isinstance(side, IllFormedError)


def _pair_readable(identifier: str, system: Graph, gold: Graph, on_error: OnError) -> Paired:
    """Return how a pair of readable graphs is treated; in UMR, sentences are paired first."""
    graphs = (system, gold)
    if not is_umr(system, gold):
        ill_formed = () if gold.format == SBN else None
        return Paired(GraphPair(identifier, system, gold, ill_formed=ill_formed), graphs)
    from exactmatch.graphs.sentences import pair_sentences

    paired = pair_sentences(system, gold, on_error)
    if not paired.gold.sentences:
        return Paired(Skipped(identifier), graphs, paired.errors, paired.unmatched)
    noted = map(str, (*paired.errors, *paired.unmatched))
    pair = GraphPair(
        identifier,
        paired.system,
        paired.gold._replace(notes=(*gold.notes, *noted)),
        emptied=paired.lacking,
        left_out=paired.left_out,
    )
    return Paired(pair, graphs, paired.errors, paired.unmatched)


def _pair_ill_formed(
    identifier: str, sides: Sequence[Graph | GraphError | None], policy: IllFormedPolicy
) -> Paired:
    """Return how a pair is treated whose *sides* are graphs or ill-formed."""
    system, gold = (
        _overlooked(side, treatment)
        for side, treatment in zip(sides, policy.treatments, strict=True)
    )
    wrong: list[Side] = [
        name
        for side, name in zip(sides, get_args(Side), strict=True)
        if isinstance(side, IllFormedError)
    ]
    pair: GraphPair | Skipped
    if any(getattr(policy, name) == "skip" for name in wrong):
        pair = Skipped(identifier, wrong)
    elif system is None or gold is None:
        pair = Skipped(identifier, wrong, is_zero=True)
    else:
        pair = GraphPair(identifier, system, gold, ill_formed=wrong)
    return Paired(pair, (system, gold))


def _overlooked(side: Graph | GraphError | None, treatment: Treatment) -> Graph | None:
    """Return the graph to compare: for an ill-formed one, the graph with the fault overlooked."""
    if isinstance(side, IllFormedError):
        return side.lenient if treatment == "lenient" else None
    return side if isinstance(side, Graph) else None


def is_umr(one: Unread, other: Unread) -> bool:
    """Tell whether both graphs are in UMR, so that tokens identify their sentences."""
    return all(getattr(graph, "format", None) == UMR for graph in (one, other))


def unreadable(errors: Sequence[InputError], *, more: int = 0, are_all: bool = True) -> InputError:
    """Return one error that lists *errors*, the first ones in full, and says if there may be more.

    *more* is the number of further errors. *are_all* tells that both files were read to the end.
    """
    more += max(0, len(errors) - SHOWN)
    messages = [str(error) for error in errors[:SHOWN]]
    if more > 0:
        messages.append(f"... and {more} more")
    if not are_all:
        messages.append("(the rest was not read)")
    return InputError("\n".join(messages))


def place_of(graph: Unread) -> Location:
    """Return file and first line of a graph; of an unread graph, the first line of its comments."""
    return graph.location if isinstance(graph, Graph) else Location(graph.source, graph.line)
