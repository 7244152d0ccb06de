"""Complete predications and semantic frames: cases counted by hand, and refused graphs."""

import json
from itertools import starmap

import pytest
from mrp_notation import mrp_graph, mrp_json

import exactmatch
from exactmatch.graphs.graph import Graph, Location
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.predications import Predications

NOTHING = Graph(None, {}, (), (), Location("", 0))
ALL, VERBS = Predications(), Predications(predicates="verbs")

#: Big dogs chase cats, and flee: the predicates are big, chase and flee; the last two are verbs.
NODES = "Big/big/JJ/a1 dogs/dog/NNS/n1 chase/chase/VBP/v1 cats/cat/NNS/n1 flee/flee/VBP/v2"
EDGES = "Big-ARG1>dogs chase-ARG1>dogs chase-ARG2>cats flee-ARG1>dogs"


def assert_counts(
    metric: Predications, framework: str, sides: list[tuple[str, str]], *expected: Counts
) -> None:
    """Check the counts of complete predications and of semantic frames, in both orders."""
    system, gold = (mrp_graph(framework, *side) for side in sides)
    assert tuple(metric.counts(system, gold).values()) == expected
    turned = tuple(Counts(c.matched, c.gold_total, c.system_total) for c in expected)
    assert tuple(metric.counts(gold, system).values()) == turned


@pytest.mark.parametrize(
    "changed, by, complete, frames",
    [
        ("", "", (3, 3, 3), (3, 3, 3)),
        ("chase-ARG2>cats", "chase-ARG3>cats", (2, 3, 3), (2, 3, 3)),  # another label
        ("chase-ARG2>cats", "chase-ARG2>Big", (2, 3, 3), (2, 3, 3)),  # another argument
        ("chase-ARG2>cats", "", (2, 3, 3), (2, 3, 3)),  # one argument less
        ("flee-ARG1>dogs", "flee-ARG1>dogs flee-ARG2>cats", (2, 3, 3), (2, 3, 3)),  # one more
        ("flee-ARG1>dogs", "", (2, 2, 3), (2, 2, 3)),  # no argument is no predication
        ("Big-ARG1>dogs", "dogs-ARG1>Big", (2, 3, 3), (2, 3, 3)),  # another direction
        ("Big-ARG1>dogs", "Big-arg1>dogs", (3, 3, 3), (3, 3, 3)),  # letters in upper case
        ("flee-ARG1>dogs", "flee-ARG1>dogs flee-ARG2>dogs", (2, 3, 3), (2, 3, 3)),  # two to one
        ("Big-ARG1>dogs", "dogs-ARG1-of>Big", (3, 3, 3), (3, 3, 3)),  # an inverse edge
    ],
)
def test_a_predication_is_right_as_a_whole(
    changed: str, by: str, complete: tuple[int, int, int], frames: tuple[int, int, int]
) -> None:
    sides = [(NODES, EDGES.replace(changed, by) if changed else EDGES), (NODES, EDGES)]
    assert_counts(ALL, "dm", sides, *starmap(Counts, (complete, frames)))


@pytest.mark.parametrize(
    "metric, changed, by, complete, frames",
    [
        (ALL, "VBP/v1", "VBP/v9", (3, 3, 3), (2, 3, 3)),  # the frame of chase
        (ALL, "VBP/v1", "VBP", (3, 3, 3), (2, 3, 3)),  # no frame
        (ALL, "VBP/v1", "NN/V1", (3, 3, 3), (3, 3, 3)),  # the part of speech does not count
        (ALL, "/chase/", "/run/", (3, 3, 3), (3, 3, 3)),  # and no label, in DM
        (ALL, "cats/", "cats:cats,/", (3, 3, 3), (3, 3, 3)),  # a comma in an anchor
        (ALL, "cats/", "cats:they/", (2, 3, 3), (2, 3, 3)),  # an argument elsewhere
        (VERBS, "VBP/v1", "VBP/v9", (2, 2, 2), (1, 2, 2)),
        (VERBS, "VBP/v1", "NN/v1", (1, 1, 2), (1, 1, 2)),  # a verb tagged as a noun
        (VERBS, "JJ/", "VBG/", (2, 3, 2), (2, 3, 2)),  # an adjective tagged as a verb
        (VERBS, "NNS/n1", "VBP/n1", (2, 2, 2), (2, 2, 2)),  # verbs without arguments
        (VERBS, "VBP/v1", "/v1", (1, 1, 2), (1, 1, 2)),  # no part of speech
    ],
)
def test_frames_and_verbs(
    metric: Predications,
    changed: str,
    by: str,
    complete: tuple[int, int, int],
    frames: tuple[int, int, int],
) -> None:
    assert changed in NODES
    sides = [(NODES.replace(changed, by), EDGES), (NODES, EDGES)]
    assert_counts(metric, "dm", sides, *starmap(Counts, (complete, frames)))


PRAGUE = "dogs/dog/NNS chase/chase/VBP/f1 cats/cat/NNS then/then/RB"


@pytest.mark.parametrize(
    "framework, edges, complete",
    [
        # Adjuncts do not count in PSD; elsewhere all edges lead to arguments.
        ("psd", "chase-ACT-arg>dogs chase-TWHEN>then", (1, 1, 1)),
        ("dm", "chase-ACT-arg>dogs chase-TWHEN>then", (0, 1, 1)),
        ("psd", "chase-ACT-arg>dogs chase-PAT-arg>then", (0, 1, 1)),
        # A verb with adjuncts alone is a predicate without arguments.
        ("psd", "chase-TWHEN>then", (0, 1, 1)),
        ("psd", "", (0, 0, 1)),
    ],
)
def test_arguments_of_psd_have_a_suffix(
    framework: str, edges: str, complete: tuple[int, int, int]
) -> None:
    sides = [(PRAGUE, edges), (PRAGUE, "chase-ACT-arg>dogs chase-RHEM>then")]
    assert_counts(VERBS, framework, sides, *[Counts(*complete)] * 2)


def test_predicates_without_arguments_match_in_psd() -> None:
    sides = [(PRAGUE, "chase-TWHEN>then"), (PRAGUE, "chase-RHEM>cats")]
    assert_counts(ALL, "psd", sides, Counts(1, 1, 1), Counts(1, 1, 1))


def test_the_frame_of_eds_is_the_label() -> None:
    """Two nodes at the place of dogs have a predication each: the quantifier and the noun."""
    nodes = "q:dogs/udef_q dogs/_dog_n_of chase/_chase_v_{} cats/_cat_n_1"
    edges = "q-BV>dogs dogs-ARG1>cats chase-ARG1>dogs chase-ARG2>cats"
    sides = [(nodes.format(2), edges), (nodes.format(1), edges)]
    assert_counts(ALL, "eds", sides, Counts(3, 3, 3), Counts(2, 3, 3))
    assert_counts(VERBS, "eds", sides, Counts(1, 1, 1), Counts(0, 1, 1))


@pytest.mark.parametrize(
    "label, verbs",
    [("_chase_v", 1), ("_chase_v_1", 1), ("_look+up_v_to", 1), ("_CHASE_V_1", 1)]
    + [(label, 0) for label in ("chase_v_1", "_chase_n_v", "__v", "parg_d", "_vice_n_1", "_x_ve")],
)
def test_verbs_of_eds_have_a_v_in_their_label(label: str, verbs: int) -> None:
    side = (f"chase/{label} dogs/_dog_n_1", "chase-ARG1>dogs")
    assert_counts(VERBS, "EDS", [side, side], *[Counts(verbs, verbs, verbs)] * 2)


@pytest.mark.parametrize("tag, verbs", [("vbz", 1), ("VB", 1), ("nn", 0)])
def test_unknown_verbs_of_eds_are_verbs(tag: str, verbs: int) -> None:
    said = mrp_json("eds", "chase dogs/_dog_n_1", "chase-ARG1>dogs")
    said["nodes"][0]["label"] = f"_chase/{tag}_u_unknown"
    (graph,) = read_text(json.dumps(said), "system").graphs
    assert isinstance(graph, Graph)
    assert set(VERBS.counts(graph, graph).values()) == {Counts(verbs, verbs, verbs)}


def test_tops_are_no_arguments() -> None:
    one, other = (mrp_graph("dm", NODES, EDGES, top) for top in ("chase", "flee"))
    assert set(ALL.counts(one, other).values()) == {Counts(3, 3, 3)}


def test_frameworks_without_verbs_are_refused_if_verbs_count() -> None:
    one = mrp_graph("ucca", "x: chase/", "x-P>chase")
    assert set(ALL.counts(one, one).values()) == {Counts(1, 1, 1)}
    with pytest.raises(exactmatch.InputError, match="is of framework ucca, whose verbs are not k"):
        VERBS.counts(one, one)
    # A missing graph stands for one of any framework.
    assert VERBS.counts(NOTHING, mrp_graph("dm", NODES, EDGES))["semantic frames"] == Counts(
        0, 0, 2
    )


def test_signatures_name_the_predicates() -> None:
    profiles = Predications.profiles
    assert profiles["default"].signature() == "predications|predicates:all|unicode:nfc"
    assert profiles["paper"].signature() == "predications|predicates:verbs"
