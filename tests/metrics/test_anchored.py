"""SDP, EDM, UCCA and predications over graphs in MRP: hand-computed cases, and laws."""

import json
import random
from types import ModuleType
from typing import Any

import pytest
from nightly import day_share
from samples import mrp_rewritten, random_mrp_graph

from exactmatch.graphs.graph import Graph, Location
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.edm import Edm
from exactmatch.metrics.predications import Predications
from exactmatch.metrics.sdp import Sdp
from exactmatch.metrics.ucca import Ucca

TEXT = "Big dogs chase cats, and then they flee."
sdp, edm, ucca = Sdp(), Edm(), Ucca()
METRICS = [sdp, edm, ucca, Predications()]
NOTHING = Graph(None, {}, (), (), Location("", 0))

Json = dict[str, Any]


def read(content: Json) -> Graph:
    (found,) = read_text(json.dumps(content), "system").graphs
    assert isinstance(found, Graph), found
    return found


def graph(nodes: list[Json], edges: list[Json], *tops: int) -> Graph:
    members = {"id": "1", "framework": "x", "input": TEXT}
    return read({**members, "nodes": nodes, "edges": edges, "tops": tops})


def node(
    identifier: int, word: str | None = None, label: str | None = None, **properties: str
) -> Json:
    """Return a node that is anchored to *word*."""
    start = TEXT.index(word) if word else 0
    return {
        "id": identifier,
        "label": label,
        "properties": list(properties),
        "values": list(properties.values()),
        "anchors": [{"from": start, "to": start + len(word)}] if word else [],
    }


def edge(source: int, target: int, label: str, **attributes: bool) -> Json:
    marked = {"attributes": list(attributes), "values": list(attributes.values())}
    return {"source": source, "target": target, "label": label, **marked}


def test_counts_add_up() -> None:
    assert Counts.of({1, 2, 3}, {2, 3, 4, 5}) == Counts(2, 3, 4)
    assert Counts(1, 2, 3) + Counts(10, 20, 30) == Counts(11, 22, 33)
    one = Statistics(1, 1, 2, 3, {"a": Counts(1, 2, 3), "b": Counts(0, 1, 1)})
    both = one + Statistics(1, 2, 1, 1, {"a": Counts(1, 1, 1)})
    assert both == Statistics(2, 3, 3, 4, {"a": Counts(2, 3, 4), "b": Counts(0, 1, 1)})
    assert one.breakdown == {"a": Counts(1, 2, 3), "b": Counts(0, 1, 1)}


def test_sdp_is_as_counted_by_hand() -> None:
    gold = graph(
        [node(0, "Big"), node(1, "dogs"), node(2, "chase"), node(3, "cats")],
        [edge(0, 1, "ARG1"), edge(2, 1, "ARG1"), edge(2, 3, "ARG2")],
        2,
    )
    # In the order of the file: both are right; the label is wrong; the direction is wrong.
    system = graph(
        [node(7, "cats,", "x"), node(5, "chase"), node(3, "dogs"), node(1, "Big")],
        [edge(1, 3, "ARG1"), edge(5, 3, "ARG2"), edge(7, 5, "ARG2")],
        5,
        1,
    )
    assert sdp.counts(system, gold) == {
        "labelled": Counts(2, 5, 4),  # Big - dogs, and the top chase
        "unlabelled": Counts(3, 5, 4),  # and chase - dogs
        "labelled exact match": Counts(0, 1, 1),
        "unlabelled exact match": Counts(0, 1, 1),
    }


def test_sdp_exact_matches_without_labels() -> None:
    nodes = [node(0, "Big"), node(1, "dogs")]
    one, other = graph(nodes, [edge(0, 1, "x")], 0), graph(nodes, [edge(0, 1, "y")], 0)
    found = sdp.counts(one, other)
    assert found["labelled exact match"] == Counts(0, 1, 1)
    assert found["unlabelled exact match"] == Counts(1, 1, 1)


def test_sdp_dependencies_are_sets() -> None:
    nodes = [node(0, "Big"), node(1, "dogs"), node(2), node(3)]
    parallel = graph(nodes, [edge(0, 1, "x"), edge(0, 1, "y")])
    assert sdp.counts(parallel, parallel)["labelled"] == Counts(2, 2, 2)
    assert sdp.counts(parallel, parallel)["unlabelled"] == Counts(1, 1, 1)
    nowhere = graph(nodes, [edge(2, 3, "x"), edge(3, 2, "x")])
    assert sdp.counts(nowhere, nowhere)["labelled"] == Counts(1, 1, 1)


def test_sdp_a_top_is_no_loop() -> None:
    nodes = [node(0, "Big")]
    found = sdp.counts(graph(nodes, [], 0), graph(nodes, [edge(0, 0, "x")]))
    assert found["unlabelled"] == Counts(0, 1, 1)


def test_sdp_places_are_joined_and_trimmed() -> None:
    pieces = node(0, "Big dogs") | {
        "anchors": [{"from": 4, "to": 9}, {"from": 0, "to": 4}, {"from": 20, "to": 20}]
    }
    found = sdp.counts(graph([pieces], [], 0), graph([node(0, "Big dogs")], [], 0))
    assert found["labelled"] == Counts(1, 1, 1)


def test_edm_is_as_counted_by_hand() -> None:
    gold = graph(
        [
            node(0, "Big", "_big_a_1"),
            node(1, "dogs", "_dog_n_1", num="pl"),
            node(2, "dogs", "udef_q"),
            node(3, "chase", "_chase_v_1", tense="pres"),
            node(4, "cats,", "_cat_n_1", num="pl"),
        ],
        [edge(0, 1, "ARG1"), edge(2, 1, "BV"), edge(3, 1, "ARG1"), edge(3, 4, "ARG2")],
        3,
    )
    system = graph(
        [
            node(5, "cats", "_cat_n_1", num="sg"),
            node(6, "chase", "_chase_v_1", tense="PRES"),
            node(7, "dogs", "_Dog_n_1", num="pl"),
            node(8, "Big", "_big_a_2"),
            node(9, "cats", "udef_q"),
        ],
        [edge(8, 7, "ARG1"), edge(9, 5, "BV"), edge(6, 7, "ARG1"), edge(6, 5, "ARG1")],
        7,
    )
    assert edm.counts(system, gold) == {
        "names": Counts(3, 5, 5),  # all but big and udef_q
        "arguments": Counts(2, 4, 4),  # Big - dogs and chase - dogs
        "properties": Counts(2, 3, 3),  # all but that of cats
        "tops": Counts(0, 1, 1),
        "all": Counts(7, 13, 13),
    }


def test_edm_nodes_of_the_same_anchors_are_one() -> None:
    twice = graph([node(0, "dogs", "x"), node(1, "dogs", "x"), node(2), node(3)], [], 2, 3)
    found = edm.counts(twice, twice)
    assert (found["names"], found["tops"]) == (Counts(1, 1, 1), Counts(1, 1, 1))


LEAVES = [node(2, "dogs"), node(3, "chase"), node(5, "they"), node(6, "flee"), node(7, "and")]
#: Dogs chase, and they flee: 1 and 4 are the two scenes, and the dogs flee too.
SCENES = graph(
    [node(0), node(1), node(4), *LEAVES],
    [
        *(edge(0, 1, "H"), edge(0, 7, "L"), edge(0, 4, "H")),
        *(edge(1, 2, "A"), edge(1, 3, "P")),
        *(edge(4, 5, "A"), edge(4, 6, "P"), edge(4, 2, "A", remote=True)),
    ],
)


def test_ucca_is_as_counted_by_hand() -> None:
    # Another label for "they", one node more above "flee", another label for the remote edge.
    system = graph(
        [node(0), node(1), node(4), node(8), *LEAVES],
        [
            *(edge(0, 1, "H"), edge(0, 7, "L"), edge(0, 4, "H")),
            *(edge(1, 2, "A"), edge(1, 3, "P", remote=False, implicit=True)),
            *(edge(4, 5, "E"), edge(4, 8, "P"), edge(8, 6, "C"), edge(4, 2, "D", remote=True)),
        ],
    )
    assert ucca.counts(system, SCENES) == {
        "labelled primary": Counts(6, 8, 7),
        "unlabelled primary": Counts(7, 8, 7),
        "labelled remote": Counts(0, 1, 1),
        "unlabelled remote": Counts(1, 1, 1),
    }


def test_ucca_remote_edges_have_no_part_in_yields() -> None:
    # Primary, the edge to the dogs changes the yield of 4: all edges from and to it go wrong.
    nodes = [node(0), node(1), node(4), *LEAVES]
    edges = [
        *(edge(0, 1, "H"), edge(0, 7, "L"), edge(0, 4, "H")),
        *(edge(1, 2, "A"), edge(1, 3, "P")),
        *(edge(4, 5, "A"), edge(4, 6, "P"), edge(4, 2, "A")),
    ]
    found = ucca.counts(graph(nodes, edges), SCENES)
    assert found["labelled primary"] == Counts(4, 8, 7)
    assert found["labelled remote"] == Counts(0, 0, 1)


def test_ucca_edges_between_the_same_yields_are_one() -> None:
    chain = graph([node(0), node(1), node(2, "dogs")], [edge(0, 1, "A"), edge(1, 2, "A")])
    assert ucca.counts(chain, chain)["labelled primary"] == Counts(1, 1, 1)


def test_ucca_yields_do_not_depend_on_how_the_text_is_cut() -> None:
    whole = graph([node(0), node(1, "chase")], [edge(0, 1, "A")])
    pieces = graph(
        [node(0), node(1), node(2, "cha"), node(3, "se")],
        [edge(0, 1, "A"), edge(1, 2, "T"), edge(1, 3, "T")],
    )
    assert ucca.counts(pieces, whole)["labelled primary"] == Counts(1, 3, 1)


def test_ucca_cycles_are_cut_in_the_order_of_the_file() -> None:
    nodes = [node(1, "Big"), node(2, "dogs"), node(3, "chase")]
    edges = [edge(1, 2, "x"), edge(2, 3, "x"), edge(3, 1, "x")]
    # From 1 on, the yield of 3 has no 2; from 3 on, the yield of 2 has no 1.
    one, other = graph(nodes, edges), graph([nodes[2], nodes[0], nodes[1]], edges)
    assert ucca.counts(one, one)["labelled primary"] == Counts(3, 3, 3)
    assert ucca.counts(one, other)["labelled primary"] == Counts(1, 3, 3)


@pytest.mark.slow
def test_graphs_of_ucca_may_be_deep() -> None:
    depth = 5000
    nodes = [*(node(n) for n in range(depth)), node(depth, "dogs"), node(depth + 1, "cats")]
    edges = [edge(n, n + 1, "x") for n in range(depth)] + [edge(0, depth + 1, "x")]
    deep = graph(nodes, edges)
    # The first node also has the cats: the edges from it differ from all below it.
    assert ucca.counts(deep, deep)["labelled primary"] == Counts(3, 3, 3)


def points_upwards(edge: Json) -> bool:
    """Tell whether an edge leads to a higher number, after inverse edges are turned round."""
    if "normal" in edge or edge.get("label") in ("a-of", "mod"):
        return bool(edge["source"] > edge["target"])
    return bool(edge["source"] < edge["target"])


@pytest.mark.parametrize("metric", METRICS)
def test_anchored_metrics_obey_laws(metric: ModuleType) -> None:
    rng = random.Random("laws")
    for _ in range(day_share(100)):
        one = random_mrp_graph(rng, rng.randint(1, 8))
        # Without cycles, on which the order of the file bears in UCCA.
        one["edges"] = [e for e in one["edges"] if points_upwards(e)]
        system, gold = read(one), read(random_mrp_graph(rng, rng.randint(1, 8)))
        forth, back = metric.counts(system, gold), metric.counts(gold, system)
        assert forth == {
            p: Counts(c.matched, c.gold_total, c.system_total) for p, c in back.items()
        }
        again = read(mrp_rewritten(one, rng))
        for counts in metric.counts(system, again).values():
            assert counts.matched == counts.system_total == counts.gold_total
        assert metric.counts(again, gold) == forth


@pytest.mark.parametrize("metric", METRICS)
def test_nothing_matches_an_empty_graph(metric: ModuleType) -> None:
    found = metric.counts(NOTHING, SCENES)
    assert all(counts.matched == 0 for counts in found.values())
    exact = [counts for part, counts in found.items() if "exact" in part]
    assert exact in ([], [Counts(0, 1, 1)] * 2)
    assert {c.system_total for p, c in found.items() if "exact" not in p} == {0}
    assert metric.counts(NOTHING, NOTHING).keys() == found.keys()
