"""The joint graph of a pair: the common part of its graphs under a mapping, and the rest of each.

It is a ``networkx.MultiDiGraph`` of the normalised triples of a metric. Its nodes are the
variables, named on both sides, ``(system, gold)``: two variables that are mapped to each other are
one node, and None stands for a side without such a variable. Nodes have the attributes

* ``side``: ``both``, ``system`` or ``gold``;
* ``triples``: the normalised triples of this variable alone (concepts, attributes, tops, anchors),
  a list of `JointTriple`.

Its edges are the normalised triples of several variables. The members of `JointTriple` are their
attributes. In clauses of three variables, ``box`` is the node of the first one.

The graph has the attributes ``metric`` and ``signature``, and

* ``matched``: the value of all matches, the sum of the *credit* of all triples;
* ``system_total``, ``gold_total``: the denominators of precision and recall;
* ``scale``: the value of a full match; the numbers above are in units of 1 / *scale*.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from exactmatch.errors import InputError, briefly
from exactmatch.graphs.convert.networkx import OneGraph, as_graph
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import alignment_based, check_format, metric_for, profile_called
from exactmatch.metrics.triples import Label, NormalisedGraph, NormalisedTriple
from exactmatch.problem.joining import credit

if TYPE_CHECKING:
    from networkx import MultiDiGraph

Side = Literal["both", "system", "gold"]

#: The names of a variable on both sides.
Node = tuple[str | None, str | None]


class JointTriple(NamedTuple):
    """A normalised triple of the system, of the gold standard, or of both.

    side: where the triple is; ``both`` if the mapping matches it.
    system, gold: its labels on the two sides, None where it is missing; similar labels may differ.
    system_times, gold_times: how often it counts on each side.
    credit: the value of the match, 0 if there is none.
    """

    side: Side
    system: Label | None
    gold: Label | None
    system_times: int
    gold_times: int
    credit: int


class Mapped(Protocol):
    """An object with a mapping, such as the score of a pair."""

    @property
    def mapping(self) -> Mapping[str, str]:
        """Variables of the system to variables of the gold standard, by name."""
        ...


@briefly
def joint_graph(
    system: OneGraph,
    gold: OneGraph,
    mapping: Mapping[str, str] | Mapped,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    **choices: str,
) -> "MultiDiGraph":
    """Return the joint graph of two graphs under a mapping, a ``networkx.MultiDiGraph``.

    ``help("exactmatch.scoring.joint_graph")`` lists the attributes of its nodes and edges.

    Args:
        system: the graph to judge: text, or a graph of exactmatch, penman or networkx.
        gold: the gold graph.
        mapping: variables of *system* to variables of *gold*, by name, or a score with a mapping.
        metric: an alignment-based metric, or its name; None is the usual one for the format.
        profile: a named set of choices of the metric.
        **choices: single choices of the metric.

    Raises:
        InputError: for graphs that cannot be used, and for an invalid mapping of their variables.
        UsageError: for an unknown metric, profile or choice.

    Example:
        >>> import exactmatch
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(x / sing-01 :ARG0 (y / cat))"
        >>> best = exactmatch.best_mapping(system, gold)
        >>> joint = exactmatch.joint_graph(system, gold, best)
        >>> joint.graph["matched"] == best.matched
        True
        >>> [(t.side, t.system or t.gold) for t in joint.nodes["b", "y"]["triples"]]
        [('system', ('instance', 'bird')), ('gold', ('instance', 'cat'))]
        >>> [(source, target, data["side"]) for source, target, data in joint.edges(data=True)]
        [(('s', 'x'), ('b', 'y'), 'both')]
    """
    left, right = as_graph(system, "system"), as_graph(gold, "gold")
    if left.format != right.format:
        raise InputError(f"system is in {left.format}, but gold in {right.format}")
    if not isinstance(metric, Metric):
        metric = profile_called(metric_for(left.format, metric), profile)
    check_format(metric, left.format)
    chosen = alignment_based(metric.with_choices(**choices))
    chosen.check(left, right)
    names = mapping if isinstance(mapping, Mapping) else mapping.mapping
    return _Joint(chosen.normalise(left), chosen.normalise(right), names, chosen).network()


class _Joint:
    """Two graphs under a mapping, with the triples of *metric*."""

    def __init__(
        self,
        system: NormalisedGraph,
        gold: NormalisedGraph,
        mapping: Mapping[str, str],
        metric: AlignmentMetric,
    ) -> None:
        _check_mapping(system, gold, mapping)
        self._system, self._gold = system, gold
        self._mapping, self._metric = mapping, metric
        self._system_times = self._times(system.triples)
        self._gold_times = self._times(gold.triples)
        self._target_times = self._times(gold.as_gold())
        self._similar: defaultdict[Label, list[tuple[Label, int]]] = defaultdict(list)
        for (label, other), worth in metric.similar(system, gold).items():
            self._similar[label].append((other, worth))

    def network(self) -> "MultiDiGraph":
        """Return the joint graph."""
        from networkx import MultiDiGraph

        scale = self._metric.scale
        network = MultiDiGraph(
            metric=self._metric.name,
            signature=self._metric.signature(),
            matched=0,
            system_total=scale * self._system_times.total(),
            gold_total=scale * self._gold_times.total(),
            scale=scale,
        )
        for node in self._nodes():
            side = "gold" if node[0] is None else "system" if node[1] is None else "both"
            network.add_node(node, side=side, triples=[])
        for triple, nodes in self._triples():
            network.graph["matched"] += triple.credit
            _add(network, triple, nodes)
        return network

    def _times(self, triples: Sequence[NormalisedTriple]) -> Counter[NormalisedTriple]:
        """Return how often each triple counts."""
        is_set = self._metric.duplicates == "set"
        return Counter(list(dict.fromkeys(triples)) if is_set else triples)

    def _nodes(self) -> Iterator[Node]:
        yield from ((variable, self._mapping.get(variable)) for variable in self._system.variables)
        mapped = set(self._mapping.values())
        yield from ((None, variable) for variable in self._gold.variables if variable not in mapped)

    def _triples(self) -> Iterator[tuple[JointTriple, list[Node]]]:
        """Yield the triples, those of the system first, each with its nodes."""
        by_look = {_look(triple): triple for triple in self._gold_times}
        matched = set()
        for triple, times in self._system_times.items():
            nodes: list[Node] = [(v, self._mapping.get(v)) for v in triple.variables]
            targets = list(self._targets(triple))
            for target, worth in targets:
                # A target that is no gold triple is another way of writing one.
                own = target if target in self._gold_times else by_look[_look(target)]
                matched.add(own)
                gained = worth * credit(times, self._target_times[target], self._metric.duplicates)
                gold_times = self._gold_times[own]
                yield JointTriple("both", triple.label, own.label, times, gold_times, gained), nodes
            if not targets:
                yield JointTriple("system", triple.label, None, times, 0, 0), nodes
        back = {right: left for left, right in self._mapping.items()}
        for triple, times in self._gold_times.items():
            if triple not in matched:
                nodes = [(back.get(w), w) for w in triple.variables]
                yield JointTriple("gold", None, triple.label, 0, times, 0), nodes

    def _targets(self, triple: NormalisedTriple) -> Iterator[tuple[NormalisedTriple, int]]:
        """Yield the matches of a system triple, with the value of a single match."""
        if all(variable in self._mapping for variable in triple.variables):
            variables = tuple([self._mapping[variable] for variable in triple.variables])
            for label, worth in [(triple.label, self._metric.scale), *self._similar[triple.label]]:
                target = NormalisedTriple(label, variables)
                if target in self._target_times:
                    yield target, worth


def _add(network: "MultiDiGraph", triple: JointTriple, nodes: Sequence[Node]) -> None:
    if len(nodes) == 1:
        network.nodes[nodes[0]]["triples"].append(triple)
        return
    *box, source, target = nodes
    data = triple._asdict()
    if box:
        (data["box"],) = box
    network.add_edge(source, target, **data)


def _look(triple: NormalisedTriple) -> tuple[Label, tuple[str, ...]]:
    """Return what two ways of writing a triple have in common."""
    return triple.label, tuple(sorted(triple.variables))


def _check_mapping(
    system: NormalisedGraph, gold: NormalisedGraph, mapping: Mapping[str, str]
) -> None:
    sides = {"system": (mapping, system.variables), "gold": (mapping.values(), gold.variables)}
    for side, (named, known) in sides.items():
        unknown = sorted(set(named) - set(known))
        if unknown:
            raise InputError(f"the mapping names {unknown[0]}, but {side} has no such variable")
    if len(set(mapping.values())) < len(mapping):
        raise InputError("the mapping is not one-to-one")
    if system.keys is not None and gold.keys is not None:
        for left, right in mapping.items():
            if {*system.keys[left]}.isdisjoint(gold.keys[right]):
                raise InputError(f"{left} may not be mapped to {right} under this metric")
