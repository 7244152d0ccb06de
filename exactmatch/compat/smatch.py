"""The names that programs import from smatch 1.0.4, with exact numbers.

    from exactmatch.compat import amr
    from exactmatch.compat import smatch

A program only has to replace ``import amr, smatch`` with these lines. Names, order of arguments,
defaults and types are those of smatch; graphs are read as it reads them (`exactmatch.compat.amr`),
and triples counted as it counts them (profile ``smatch-1.0.4``). But the mapping is the best one,
proven and checked, whereas smatch returns the best that its search found.

Differences:

* `iteration_num` and `match_triple_dict` can be set and cleared, without effect: there are no
  restarts, and nothing is kept from one pair to the next.
* A pair that is not proven within a minute gets the best mapping found, and a `RuntimeWarning`.
* An unreadable AMR is a `ValueError` that is an `AttributeError` too: smatch raises sometimes one,
  sometimes the other.
* Of equally good mappings, another one may be returned. Variables that match nothing may stay
  unmapped (-1).
* The steps of the hill climbing (``get_best_gain``, ``smart_init_mapping`` and so on) do not exist,
  nor does ``main``: use the command ``exactmatch smatch``.
"""

import warnings
from collections.abc import Generator, Iterable, Sequence
from functools import lru_cache
from typing import Any

from exactmatch.compat import amr
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.runtime.harmless import harmless_stream
from exactmatch.runtime.standard_streams import standard_error
from exactmatch.runtime.workers import MOST
from exactmatch.scoring.by_cover import counter_of
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline

#: The names that smatch has as well; editors and ``*`` get no others.
__all__ = [
    "DEBUG_LOG",
    "ERROR_LOG",
    "amr",
    "compute_f",
    "compute_match",
    "compute_pool",
    "generate_amr_lines",
    "get_amr_line",
    "get_amr_match",
    "get_best_match",
    "iteration_num",
    "match_triple_dict",
    "normalize",
    "pr_flag",
    "print_alignment",
    "score_amr_pairs",
    "single_score",
    "verbose",
    "veryVerbose",
]


def __dir__() -> list[str]:
    return __all__


#: A triple as smatch has it: relation, node, and value or other node.
Triple = Sequence[str]
#: The matches of pairs of nodes; see `compute_pool`.
Weights = dict[tuple[int, int], dict[Any, int]]

#: The restarts of smatch's search; here there are none.
iteration_num = 5
#: Print the triples and the mapping of each pair to `DEBUG_LOG`.
verbose = False
#: Print what `compute_pool` finds, and each F-score, to `DEBUG_LOG`.
veryVerbose = False  # noqa: N816
#: Whether `score_amr_pairs` yields one score for all pairs, or one for each.
single_score = True
#: For programs that print.
pr_flag = False
ERROR_LOG = harmless_stream(standard_error())
DEBUG_LOG = harmless_stream(standard_error())
#: Always empty.
match_triple_dict: dict[tuple[int, ...], int] = {}

_SETTINGS = Settings(timeout=60.0, memory=MOST)
_METRIC = Smatch.profiles["smatch-1.0.4"]
_counter_of = lru_cache(maxsize=1)(counter_of)

get_amr_line = amr.AMR.get_amr_line


class UnreadableError(AttributeError, ValueError):
    """An AMR that cannot be read."""


def get_amr_match(
    cur_amr1: str,
    cur_amr2: str,
    sent_num: int = 1,
    justinstance: bool = False,
    justattribute: bool = False,
    justrelation: bool = False,
) -> tuple[int, int, int]:
    """Return the numbers of triples that match, and of triples in the first and the second AMR.

    Both are text in one line; *sent_num* is the number that `verbose` prints. *justinstance*,
    *justattribute* and *justrelation* count only triples of that kind; smatch takes one of them.
    Raises `UnreadableError`.
    """
    amr1, amr2 = _read(1, cur_amr1), _read(2, cur_amr2)
    amr1.rename_node("a")
    amr2.rename_node("b")
    triples1, triples2 = amr1.get_triples(), amr2.get_triples()
    if verbose:
        _show_pair(sent_num, (cur_amr1, cur_amr2), (triples1, triples2))
    just = (justinstance, justattribute, justrelation)
    asked = (
        not (justattribute or justrelation),
        not (justinstance or justrelation),
        not (justinstance or justattribute),
    )
    counts = None
    mapping: list[int] = []
    counter = None if verbose or veryVerbose else _counter_of(_METRIC, _SETTINGS)
    if counter is not None:  # the mapping is not shown
        counts = counter.count_triples(*_normalised_pair(triples1, triples2, "a", "b", asked))
    if counts is not None:
        matched = counts.matched
    else:
        mapping, matched = get_best_match(*triples1, *triples2, "a", "b", *asked)
    if verbose:
        print("best match number", matched, file=DEBUG_LOG)
        print("best node mapping", mapping, file=DEBUG_LOG)
        shown = print_alignment(mapping, triples1[0], triples2[0])
        print("Best node mapping alignment:", shown, file=DEBUG_LOG)
    total1, total2 = (
        len(triples[just.index(True)]) if any(just) else sum(map(len, triples))
        for triples in (triples1, triples2)
    )
    return matched, total1, total2


def get_best_match(
    instance1: Sequence[Triple],
    attribute1: Sequence[Triple],
    relation1: Sequence[Triple],
    instance2: Sequence[Triple],
    attribute2: Sequence[Triple],
    relation2: Sequence[Triple],
    prefix1: str,
    prefix2: str,
    doinstance: bool = True,
    doattribute: bool = True,
    dorelation: bool = True,
) -> tuple[list[int], int]:
    """Return the best mapping of the nodes of two graphs, and the number of triples that match.

    The nodes of a graph are named by its prefix and their position. The mapping has, for each node
    of the first graph, the position of one of the second, or -1. ``doinstance=False`` and so on
    leave out triples of a kind. Raises `IndexError` for a node without an instance triple, or if
    an instance triple of the first graph stands before the position of its node.
    """
    graphs = _normalised_pair(
        (instance1, attribute1, relation1),
        (instance2, attribute2, relation2),
        prefix1,
        prefix2,
        (doinstance, doattribute, dorelation),
    )
    if veryVerbose:
        candidates, weights = compute_pool(
            *(instance1, attribute1, relation1, instance2, attribute2, relation2),
            *(prefix1, prefix2, doinstance, doattribute, dorelation),
        )
        print("Candidate mappings:", candidates, sep="\n", file=DEBUG_LOG)
        print("Weight dictionary", weights, sep="\n", file=DEBUG_LOG)
    deadline = Deadline.after(_SETTINGS.timeout)
    found = Mapper("of smatch", _SETTINGS, deadline, deadline).map_triples(_METRIC, *graphs)
    counts = found.statistics
    if counts.matched < counts.matched_upper:
        warnings.warn(
            f"not proven in time: {counts.matched} triples match, at most {counts.matched_upper} "
            "can",
            RuntimeWarning,
            stacklevel=2,
        )
    mapping = [int(found.mapping.get(str(i), -1)) for i in range(len(instance1))]
    return mapping, counts.matched


def compute_f(match_num: float, test_num: float, gold_num: float) -> tuple[float, float, float]:
    """Return precision, recall and F-score; all 0 if one of the graphs has no triple."""
    precision = recall = f_score = 0.0
    if test_num and gold_num:
        precision, recall = match_num / test_num, match_num / gold_num
        if precision + recall:
            f_score = 2 * precision * recall / (precision + recall)
        if veryVerbose:
            print("F-score:", f_score, file=DEBUG_LOG)
    return precision, recall, f_score


def score_amr_pairs(
    f1: Iterable[str],
    f2: Iterable[str],
    justinstance: bool = False,
    justattribute: bool = False,
    justrelation: bool = False,
) -> Generator[tuple[float, float, float], None, None]:
    """Yield precision, recall and F-score of the AMRs of two open files.

    One result for all together or, if `single_score` is false, one for each pair. Raises
    `UnreadableError`.
    """
    totals = [0, 0, 0]
    for number, (first, second) in enumerate(generate_amr_lines(f1, f2), start=1):
        counts = get_amr_match(
            first,
            second,
            sent_num=number,
            justinstance=justinstance,
            justattribute=justattribute,
            justrelation=justrelation,
        )
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        if not single_score:
            yield compute_f(*counts)
    if verbose:
        print(
            "Total match number, total triple number in AMR 1, and total triple number in AMR 2:",
            file=DEBUG_LOG,
        )
        print(*totals, file=DEBUG_LOG)
        print("-" * 81, file=DEBUG_LOG)
    if single_score:
        yield compute_f(*totals)


def generate_amr_lines(
    f1: Iterable[str], f2: Iterable[str]
) -> Generator[tuple[str, str], None, None]:
    """Yield the AMRs of two open files side by side, each in one line, until one file ends."""
    files = iter(f1), iter(f2)
    while True:
        first, second = map(get_amr_line, files)
        if first and second:
            yield first, second
            continue
        if first or second:
            fewer, more = (2, 1) if first else (1, 2)
            print(f"Error: File {fewer} has less AMRs than file {more}", file=ERROR_LOG)
            print("Ignoring remaining AMRs", file=ERROR_LOG)
        return


def normalize(item: str) -> str:
    """Return a label in the form in which it is compared."""
    return item.lower().rstrip("_")


def compute_pool(
    instance1: Sequence[Triple],
    attribute1: Sequence[Triple],
    relation1: Sequence[Triple],
    instance2: Sequence[Triple],
    attribute2: Sequence[Triple],
    relation2: Sequence[Triple],
    prefix1: str,
    prefix2: str,
    doinstance: bool = True,
    doattribute: bool = True,
    dorelation: bool = True,
) -> tuple[list[set[int]], Weights]:
    """Return the candidates of each node, and the gain of each pair of nodes.

    For each node of the first graph, a set of positions in the second one; and for each pair of
    positions, the number of triples that match through it alone (key -1), and through it and
    another pair. Arguments are as for `get_best_match`.
    """
    # Complex: the six lists and three switches of smatch's own function.
    candidates: list[set[int]] = [set() for _ in instance1]
    weights: Weights = {}

    def add(pair: tuple[int, int], other: tuple[int, int] | None = None) -> None:
        candidates[pair[0]].add(pair[1])
        counts = weights.setdefault(pair, {-1: 0})
        key = -1 if other is None else other
        counts[key] = counts.get(key, 0) + 1

    of_nodes = [(instance1, instance2, doinstance), (attribute1, attribute2, doattribute)]
    for triples1, triples2, is_counted in of_nodes:
        for name1, node1, value1 in triples1 if is_counted else ():
            for name2, node2, value2 in triples2:
                is_same = normalize(name1) == normalize(name2)
                if is_same and normalize(value1) == normalize(value2):
                    add((_position(node1, prefix1), _position(node2, prefix2)))
    for name1, *nodes1 in relation1 if dorelation else ():
        for name2, *nodes2 in relation2:
            if normalize(name1) == normalize(name2):
                lefts = [_position(node, prefix1) for node in nodes1]
                rights = [_position(node, prefix2) for node in nodes2]
                source, target = zip(lefts, rights, strict=True)
                if source == target:
                    add(source)
                else:
                    add(source, target)
                    add(target, source)
    return candidates, weights


def compute_match(mapping: Sequence[int], weight_dict: Weights) -> int:
    """Return the number of triples that match under *mapping*, by the result of `compute_pool`."""
    total = 0
    for pair in enumerate(mapping):
        for other, count in weight_dict.get(pair, {}).items():
            # A gain of two pairs is stored with both of them.
            if other == -1 or (other[0] > pair[0] and mapping[other[0]] == other[1]):
                total += count
    return total


def print_alignment(
    mapping: Sequence[int], instance1: Sequence[Triple], instance2: Sequence[Triple]
) -> str:
    """Return a mapping (not an alignment) as text: ``a0(want-01)-b1(want-01) a1(boy)-Null``."""
    shown = []
    for (_, node, concept), position in zip(instance1, mapping, strict=False):
        other = "Null"
        if position != -1:
            _, other_node, other_concept = instance2[position]
            other = f"{other_node}({other_concept})"
        shown.append(f"{node}({concept})-{other}")
    return " ".join(shown)


def _read(number: int, line: str) -> amr.AMR:
    """Return the AMR in *line*; without one, print a message and raise `UnreadableError`."""
    reason = "malformed"
    try:
        graph = amr.AMR.parse_AMR_line(line)
    except Exception as error:  # for any value
        graph, reason = None, str(error)
        print(f"Error in parsing amr {number}: {line}", file=ERROR_LOG)
        print("Please check if the AMR is ill-formatted. Ignoring remaining AMRs", file=ERROR_LOG)
        print(f"Error message: {reason}", file=ERROR_LOG)
    if graph is None:
        raise UnreadableError(f"AMR {number} cannot be read ({reason}): {line}")
    return graph


def _normalised_pair(
    triples1: Sequence[Sequence[Triple]],
    triples2: Sequence[Sequence[Triple]],
    prefix1: str,
    prefix2: str,
    asked: Sequence[bool],
) -> tuple[NormalisedGraph, NormalisedGraph]:
    """Return the triples of two graphs, of the kinds that are *asked* for.

    Raises `IndexError`; see `get_best_match`.
    """
    positions = [_position(node, prefix1) for _, node, _ in triples1[0]]
    if asked[0] and any(position > i for i, position in enumerate(positions)):
        raise IndexError("instance triples are not in the order of their nodes")
    kinds1, kinds2 = (
        [each if is_asked else () for each, is_asked in zip(triples, asked, strict=True)]
        for triples in (triples1, triples2)
    )
    return (
        _normalised(len(triples1[0]), prefix1, *kinds1),
        _normalised(len(triples2[0]), prefix2, *kinds2),
    )


def _normalised(
    size: int,
    prefix: str,
    instances: Sequence[Triple],
    attributes: Sequence[Triple],
    relations: Sequence[Triple],
) -> NormalisedGraph:
    """Return the triples of a graph of *size* nodes, which are named by their positions."""
    names = [str(i) for i in range(size)]

    def node(name: str) -> str:
        position = _position(name, prefix)
        if position < 0:
            raise IndexError(f"a node called {name}")
        return names[position]

    triples = [
        NormalisedTriple((kind, normalize(said[0]), normalize(said[2])), (node(said[1]),))
        for kind, each in (("instance", instances), ("attribute", attributes))
        for said in each
    ]
    triples += [
        NormalisedTriple(("relation", normalize(role)), (node(source), node(target)))
        for role, source, target in relations
    ]
    return NormalisedGraph(tuple(names), triples)


def _position(name: str, prefix: str) -> int:
    return int(name[len(prefix) :])


def _show_pair(
    number: int, lines: tuple[str, str], triples: Sequence[Sequence[Sequence[Triple]]]
) -> None:
    print("AMR pair", number, file=DEBUG_LOG)
    print("=" * 44, file=DEBUG_LOG)
    for i, line in enumerate(lines, start=1):
        print(f"AMR {i} (one-line):", line, file=DEBUG_LOG)
    for i, of_kinds in enumerate(triples, start=1):
        for kind, shown in zip(("Instance", "Attribute", "Relation"), of_kinds, strict=True):
            print(f"{kind} triples of AMR {i}:", len(shown), file=DEBUG_LOG)
            print(shown, file=DEBUG_LOG)
