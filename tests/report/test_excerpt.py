"""Excerpts of large pairs count the omitted parts, and show the rest unchanged."""

import copy
import json
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from drs_samples import random_drs
from nightly import by_day
from samples import random_graph
from view_samples import metric_called, view_of

from exactmatch.metrics.triples import Label, NormalisedTriple
from exactmatch.report.pages import pair_content
from exactmatch.report.pages.pair_content import row_content, view_content
from exactmatch.report.side_by_side import DiffLayout, pair_text
from exactmatch.report.views.graph_drawing import drawing
from exactmatch.report.views.pair_view import PairView
from exactmatch.report.views.shown_graph import ELLIPSIS, ShownGraph

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
SIDES = ("system", "gold")


def limited(view: PairView, limit: int) -> PairView:
    return PairView(view.pair, view.metric, view.score, view.comparison, limit)


def limited_quickly(view: PairView, limit: int) -> PairView:
    """Do the same, with the whole graphs and their marks, which do not depend on the limit."""
    other = limited(view, limit)
    vars(other).update(system=view.system, gold=view.gold, marks=copy.deepcopy(view.marks))
    return other


def marked(graph: ShownGraph, marks: list[Any]) -> "Counter[tuple[NormalisedTriple, Any]]":
    return Counter(zip(graph.triples, marks, strict=True))


def mapped(view: PairView) -> set[tuple[str, str]]:
    system, gold = view.shown.system.place, view.shown.gold.place
    return {(v, w) for v, w in view.score.mapping.items() if v in system and w in gold}


def check_true(view: PairView) -> None:
    """Check that an excerpt contains only parts of the whole."""
    shown = view.shown
    assert shown.parts is not None
    graphs = (shown.system, view.system), (shown.gold, view.gold)
    marks = (shown.marks.system, view.marks.system), (shown.marks.gold, view.marks.gold)
    for (part, whole), (kept, known), figures in zip(graphs, marks, shown.parts, strict=True):
        assert marked(part, kept) <= marked(whole, known)
        named = {variable for triple in part.triples for variable in triple.variables}
        assert named <= set(part.variables) <= set(whole.variables)
        assert [*part.variables] == [v for v in whole.variables if v in part.place]
        assert set(part.concept) == set(whole.concept) & set(part.variables)
        told, all_told = (
            Counter(v for t in g.triples for v in set(t.variables)) for g in (part, whole)
        )
        more = {part.place[v] for v in part.variables if told[v] < all_told[v]}
        assert part.cut == more
        assert figures.nodes == (len(part.variables), len(whole.variables))
        assert figures.triples == (len(part.triples), len(whole.triples))
        assert figures.differing == tuple(
            sum(m != "matched" for m in all_) for all_ in (kept, known)
        )
    # Who is mapped, or has a partner, has both shown.
    assert {v for v, _ in mapped(view)} == set(view.score.mapping) & set(shown.system.variables)
    assert {w for _, w in mapped(view)} == {*view.score.mapping.values()} & {*shown.gold.variables}
    partners = {
        (view.system.triples[one], view.gold.triples[other])
        for one, other in view.marks.partner.items()
    }
    kept_partners = {
        (shown.system.triples[one], shown.gold.triples[other])
        for one, other in shown.marks.partner.items()
    }
    assert kept_partners <= partners
    ones, others = {one for one, _ in kept_partners}, {other for _, other in kept_partners}
    assert ones == {one for one, _ in partners} & set(shown.system.triples)
    assert others == {other for _, other in partners} & set(shown.gold.triples)


def size(view: PairView) -> int:
    shown = view.shown
    return sum(len(graph.variables) + len(graph.triples) for graph in (shown.system, shown.gold))


def random_views(seed: int) -> PairView:
    rng = random.Random(seed)
    if seed % 3 == 0:
        return view_of(random_drs(rng), random_drs(rng), metric=metric_called("counter"))
    return view_of(*(random_graph(rng, rng.randint(2, 9))[0] for _ in SIDES))


@pytest.mark.slow
@pytest.mark.parametrize("seed", by_day(range(90), 15))
def test_an_excerpt_says_nothing_that_the_whole_does_not_say(seed: int) -> None:
    whole = random_views(seed)
    differing = [
        marks.count("matched") - len(marks) for marks in (whole.marks.system, whole.marks.gold)
    ]
    for limit in range(1, whole.size):
        view = limited_quickly(whole, limit)
        check_true(view)
        assert size(view) <= limit
        assert view.shown.parts is not None
        if any(part.differing[0] < part.differing[1] for part in view.shown.parts):
            continue
        # All that differs is there.
        assert [-part.differing[0] for part in view.shown.parts] == differing


@pytest.mark.slow
@pytest.mark.parametrize("seed", by_day(range(60), 10))
def test_texts_and_drawings_of_an_excerpt_tell_all_that_is_in_it(seed: int) -> None:
    whole = random_views(seed)
    for limit in (1, whole.size // 3, whole.size * 2 // 3, whole.size - 1):
        view = limited(whole, max(1, limit))
        content = json.loads(json.dumps(view_content(view)))
        for side, graph, text in zip(SIDES, view.shown[:2], view.texts, strict=True):
            assert isinstance(graph, ShownGraph)
            numbers = {*range(len(graph.triples))}
            assert {p.triple for line in text for p in line.pieces} - {None} == numbers
            drawn = content[side]
            lines = [line for node in drawn["nodes"] for line in node["lines"]]
            told = {piece[1] for line in lines for piece in line} - {None}
            assert told | {edge["triple"] for edge in drawn["edges"]} == numbers
            for node in drawn["nodes"]:
                assert (node["lines"][-1][0][0] == ELLIPSIS) == (node["variable"] in graph.cut)
        for width in (None, 40, 120):
            assert pair_text(view, DiffLayout(width))


def test_a_pair_as_large_as_the_limit_is_shown_as_a_whole() -> None:
    whole = random_views(1)
    view = limited(whole, whole.size)
    assert view.shown.parts is None and view.shown.system is view.system
    assert view_content(view) == view_content(limited(whole, 10**9))
    assert "fixed" not in view_content(view)
    assert pair_text(view, DiffLayout()) == pair_text(limited(whole, 10**9), DiffLayout())


def chain(length: int, odd: int = -1) -> str:
    """Return a graph in which each node but the last has one child; one may be called otherwise."""
    opened = " :ARG0 ".join(f"(n{i} / {'odd' if i == odd else f'c{i}'}" for i in range(length))
    return opened + ")" * length


def test_what_differs_is_shown_with_its_parent_and_its_child() -> None:
    view = limited(view_of(chain(60), chain(60, odd=30)), 100)
    shown = view.shown
    assert [*shown.system.variables] == [*shown.gold.variables] == ["n29", "n30", "n31"]
    assert {shown.gold.variables[place] for place in shown.gold.cut} == {"n29", "n31"}
    text = pair_text(view, DiffLayout(120))
    assert [re.sub(" +", " ", line).strip() for line in text.splitlines()[-3:]] == [
        "(n29 / c29 … | (n29 / c29 …",
        "! :ARG0 (n30 / {c30} | ! :ARG0 (n30 / {odd}",
        ":ARG0 (n31 / c31 …))) | :ARG0 (n31 / c31 …)))",
    ]
    assert (
        "# an excerpt, since 360 nodes and triples exceed --view-limit 100: the differences, "
        "and some of their surroundings; … after a node: it has more triples\n# system: 3 of 60 "
        "nodes, 5 of 120 triples, 1 of 1 that differ\n# gold: 3 of 60 nodes, 5 of 120 triples, 1 "
        "of 1 that differ\n"
    ) in pair_text(view, DiffLayout())


def test_what_nodes_hang_from_comes_before_what_else_is_said_of_them() -> None:
    said = " ".join(f":op{i} {i}" for i in range(1, 9))
    text = "(r / root :ARG0 (p / one :ARG0 (n / {} {said})) :ARG1 (q / two :ARG0 (m / {} {said})))"
    whole = view_of(text.format("a", "b", said=said), text.format("c", "d", said=said))
    for limit, names in ((8, "nm"), (20, "pnqm")):
        shown = limited(whole, limit).shown
        assert "".join(shown.system.variables) == "".join(shown.gold.variables) == names


def test_of_a_node_with_many_children_not_all_are_shown() -> None:
    hub = " ".join(f":ARG{i % 5} (n{i} / c{i})" for i in range(300))
    view = limited(view_of(f"(h / hub {hub})", f"(h / other {hub})"), 600)
    assert len(view.shown.system.variables) < 20
    check_true(view)


def test_what_differs_fills_the_excerpt_of_both_sides_in_turn() -> None:
    ones, others = (" ".join(f":op{i} (n{i} / {c}{i})" for i in range(1, 200)) for c in "pq")
    view = limited(view_of(f"(a / and {ones})", f"(b / but {others})"), 200)
    check_true(view)
    assert view.shown.parts is not None
    system, gold = view.shown.parts
    assert 190 < size(view) <= 200
    assert abs(system.differing[0] - gold.differing[0]) <= 2
    assert "n1" in view.shown.system.place and "n150" not in view.shown.system.place


def test_of_a_large_pair_in_which_nothing_differs_the_beginning_is_shown() -> None:
    view = limited(view_of(chain(60), chain(60)), 200)
    assert view.shown.system.variables[0] == "n0"
    assert 5 < len(view.shown.system.variables) < 30
    check_true(view)


def referents(graph: ShownGraph) -> set[tuple[str, str]]:
    """Return the referents in the heads of drawn boxes, each with its box."""
    return {
        (graph.variables[node.variable], graph.variables[piece.variable])
        for node in drawing(graph.variables, graph.triples).nodes
        for line in node.lines
        for piece in line
        if piece.variable is not None and not any(other.text.endswith("(") for other in line)
    }


@pytest.mark.parametrize("seed", range(30))
def test_referents_stand_in_the_boxes_in_which_they_stand_in_the_whole(seed: int) -> None:
    whole = random_views(3 * seed)
    all_system, all_gold = referents(whole.system), referents(whole.gold)
    for limit in range(1, whole.size):
        shown = limited_quickly(whole, limit).shown
        assert referents(shown.system) <= all_system
        assert referents(shown.gold) <= all_gold


def test_a_referent_is_never_taken_for_a_box() -> None:
    clauses = 'b1 REF x1\nb1 Name x1 "{}"\n' + "".join(
        f'b{i} REF x{i}\nb{i} Theme x1 x{i}\nb{i} dog "n.0{i}" x{i}\n' for i in range(2, 9)
    )
    whole = view_of(clauses.format("tom"), clauses.format("tim"), metric=metric_called("counter"))
    for limit in range(1, whole.size):
        shown = limited(whole, limit).shown
        for graph in (shown.system, shown.gold):
            drawn = drawing(graph.variables, graph.triples)
            names = [graph.variables[node.variable] for node in drawn.nodes]
            assert all(name.startswith("b") for name in names), limit


def test_counts_are_those_of_the_whole_pair() -> None:
    whole = view_of(chain(60, odd=3), chain(60, odd=30))
    view = limited(whole, 60)
    assert row_content(view) == row_content(whole)
    content, all_ = view_content(view), view_content(whole)
    assert content["score"] == all_["score"]
    counts = dict(zip(content["system"]["variables"], content["fixed"]["counts"], strict=True))
    assert counts["n30"] == [2, 3] and counts["n29"] == [3, 3]
    assert content["part"]["size"] == 360 and content["part"]["limit"] == 60
    legend = [line for line in pair_text(view, DiffLayout()).splitlines() if "other label" in line]
    assert "! {other label}: 2" in legend[0]


def test_mapped_nodes_stand_in_the_same_place_of_both_drawings() -> None:
    content = view_content(random_views(2))
    left, right = (
        {node["variable"]: (node["x"], node["y"], node["w"]) for node in content[side]["nodes"]}
        for side in SIDES
    )
    assert len(content["mapping"]) > 1
    assert all(left[i] == right[j] for i, j in content["mapping"])


def test_an_excerpt_tells_its_marks_and_no_choices() -> None:
    table = INSTANCES / "opitz" / "similarities.txt"
    metric = metric_called("s2match", similarity=str(table))
    texts = ((INSTANCES / "opitz" / f"{side}.amr").read_text("utf-8") for side in SIDES)
    sides = (text.strip().split("\n\n") for text in texts)
    for one, other in zip(*sides, strict=True):
        whole = view_of(one, other, metric=metric)
        view = limited(whole, whole.size - 1)
        content = view_content(view)
        assert content["fixed"]["system"] == view.shown.marks.system
        assert content["similar"] == [] and "links" not in content


def test_where_too_much_may_be_mapped_the_page_counts_nothing_by_hand() -> None:
    whole = random_views(2)
    labels: list[Label] = [("instance", f"c{i}") for i in range(80)]
    similar: dict[tuple[Label, Label], int] = {(a, b): 500 for a in labels for b in labels}
    few, many = whole.size * pair_content._CHOICES_FOR_EACH, len(similar)
    assert few < many
    crowded = replace(whole.comparison, similar=similar)
    view = PairView(whole.pair, whole.metric, whole.score, crowded, whole.size)
    content = view_content(view)
    assert content["similar"] == [] and "part" not in content
    assert content["fixed"]["system"] == view.marks.system
    assert content["fixed"]["gold"] == view.marks.gold
    roomy = PairView(whole.pair, whole.metric, whole.score, crowded, many)
    assert len(view_content(roomy)["similar"]) == many and "fixed" not in view_content(roomy)


def test_the_page_of_a_large_pair_is_no_longer_than_its_limit_allows() -> None:
    lengths = []
    for length in (400, 800):
        nodes = (" ".join(f":op{i} (n{i} / {c}{i})" for i in range(1, length)) for c in "pq")
        one, other = (f"(a / and {text})" for text in nodes)
        view = limited(view_of(one, other, timeout=0), 300)
        lengths.append((len(json.dumps(view_content(view))), len(pair_text(view, DiffLayout()))))
    assert lengths[1][0] < 1.1 * lengths[0][0] and lengths[1][1] < 1.1 * lengths[0][1]
