"""Faults of graphs: each kind, its place, and graphs without it."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import penman
import pytest
from samples import MRP_TEXT, mrp_rewritten, random_graph, random_mrp_graph
from seeds import cases
from umr_samples import FIRST, ONE, SECOND, TWO

import exactmatch
from exactmatch.errors import GraphError
from exactmatch.graphs.extents import by_extent
from exactmatch.graphs.graph import CLAUSES, MRP, PENMAN, SBN, UMR, Graph
from exactmatch.graphs.readers.detect import cut_texts, examine, parse
from exactmatch.graphs.readers.examined import ExaminedGraph
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.scoring.validity.checks import CHECKS, UNCHECKED, kinds_of
from exactmatch.scoring.validity.kinds import KINDS


def faults(given: str | Graph) -> list[tuple[str, int, str]]:
    """Return kind, line and reason of all faults in a text or graph."""
    (file,) = exactmatch.check(given).files
    assert sum(file.counts.values()) == len(file.faults)
    return [(fault.kind, fault.line, fault.reason) for fault in file.faults]


@pytest.mark.parametrize(
    "text, kind, line, reason",
    [
        ("(a / b\n:ARG0 (c / d)", "unreadable", 1, "this parenthesis is not closed; an empty line"),
        ("(a / b\n:ARG0 (c))", "no-concept", 2, "variable c has no concept"),
        ("(a / b\n:ARG0 (c /))", "no-concept", 2, "variable c has no concept"),
        ("(a / b\n:ARG0 (c / d / e))", "several-concepts", 2, "variable c has another concept, e"),
        ("(a / b\n:instance e)", "several-concepts", 2, "variable a has another concept, e"),
        ("(a / b :ARG0\n(c / d)\n:ARG1\n(c / d))", "declared-twice", 4, "variable c is declared"),
        ("(a / b\n:ARG0 b2)", "undeclared", 2, "a :ARG0 b2, but there is no such variable"),
        ("(a / b\n:ARG0 x)", "undeclared", 2, "a :ARG0 x, but"),
        ("(a / b\n:ARG0 aa12)", "undeclared", 2, "a :ARG0 aa12, but"),
        ("(a / b\n:ARG0 )", "no-value", 2, "role :ARG0 has no value"),
        ("(a / b\n:ARG0 a)", "cycle", 2, "a leads to itself"),
        ("(a / b\n:ARG0 (c / d\n:ARG1 a))", "cycle", 2, "among a, c"),
        (
            "(a / b\n:polarity -\n:polarity -)",
            "duplicate",
            3,
            "a :polarity - is repeated from line 3",
        ),
        (
            "(a / b\n:ARG0 (c / d\n:ARG0-of a))",
            "duplicate",
            3,
            "c :ARG0-of a is repeated from line 3",
        ),
        ("(a / b\n:ARG0-of 5)", "inverse-constant", 2, "a :ARG0-of 5, and a constant has no"),
        ("(a / b\n:foo (c / d))", "unknown-role", 2, ":foo of a"),
        ("(a / b\n:arg0 (c / d))", "unknown-role", 2, ":arg0 of a"),
        ("(a / b\n:ARG1-of-of (c / d))", "unknown-role", 2, ":ARG1-of-of of a"),
    ],
)
def test_one_fault(text: str, kind: str, line: int, reason: str) -> None:
    (found,) = faults(f"# ::id x\n{text}\n")
    assert found[:2] == (kind, line + 1)
    assert found[2].startswith(reason)


@pytest.mark.parametrize(
    "text",
    [
        "(a / b)",
        "(a / b :ARG0-of (c / d :ARG1 (e / f)) :ARG1-of e)",
        "(a / b :consist-of (c / d) :prep-on-behalf-of (e / f) :op12 5 :domain-of (g / h))",
        '(a / b :op1 "x" :op2 "b2" :mode imperative :quant 5 :polarity - :value am)',
        "(a / b~e.1 :ARG0~e.2 (c / d~e.3) :ARG1 c~e.4)",
        "(a / b :ARG0 (c / d) :ARG1 c :ARG0 (e / d))",  # no triple is there twice
        "(a / b :prep-in (c / d) :conj-as-if (e / f) :snt2 (g / h))",
    ],
)
def test_no_fault(text: str) -> None:
    assert faults(text) == []


def test_all_faults_of_a_graph_are_found() -> None:
    text = "# ::id x\n(a / b\n  :ARG0 (c)\n  :ARG1\n  :ARG2 (a / d / e)\n  :ARG0 c)\n"
    assert [(kind, line) for kind, line, _ in faults(text)] == [
        ("no-concept", 3),
        ("no-value", 4),
        ("several-concepts", 5),
        ("declared-twice", 5),
        ("cycle", 5),
        ("duplicate", 6),
    ]


def mrp_graph(framework: str = "eds", **members: Any) -> str:
    nodes = [{"id": k, "label": f"n{k}"} for k in range(4)]
    edges = [{"source": k, "target": k + 1, "label": "ARG1"} for k in range(3)]
    content = {"id": "1", "framework": framework, "input": MRP_TEXT, "tops": [0]}
    return json.dumps({**content, "nodes": nodes, "edges": edges, **members})


def edge(source: int, target: int, label: str = "ARG1") -> dict[str, Any]:
    return {"source": source, "target": target, "label": label}


BEYOND = {"from": 0, "to": 99}
CHAIN = [edge(0, 1), edge(1, 2), edge(2, 3)]


@pytest.mark.parametrize(
    "text, found",
    [
        (mrp_graph(), []),
        (mrp_graph(tops=[]), [("no-top", "no node is a top")]),
        (mrp_graph(edges=CHAIN[1:]), [("disconnected", "0 not connected with the 3 nodes of the")]),
        (
            mrp_graph(edges=[]),
            [("disconnected", f"{k} not connected with the 1 nodes") for k in (1, 2, 3)],
        ),
        (
            mrp_graph(
                nodes=[{"id": k, "label": "n"} for k in range(6)],
                edges=[edge(0, 5), edge(2, 3), edge(3, 4)],
            ),
            [("disconnected", f"{named} not connected with the 3") for named in ("0, 5", "1")],
        ),
        (mrp_graph(edges=[*CHAIN, edge(2, 1)]), [("cycle", "among 1, 2")]),
        (mrp_graph(edges=[*CHAIN, edge(0, 1)]), [("duplicate", "ARG1 from 0 to 1 is repeated")]),
        (mrp_graph(edges=[*CHAIN, edge(0, 1, "x")]), []),
        (mrp_graph(nodes=[{"id": 0}], edges=[]), [("no-concept", "node 0 has no label")]),
        (mrp_graph("ucca", nodes=[{"id": 0}], edges=[]), []),
        (
            mrp_graph(nodes=[{"id": 0, "label": "a", "anchors": [BEYOND]}], edges=[]),
            [("repaired", "1 anchor ends beyond the input, which has 17 characters; it was cut")],
        ),
        (mrp_graph(edges=[edge(0, 9)]), [("unreadable", "edges[0]: target is 9, but there is no")]),
        ("{", [("unreadable", "not JSON")]),
        # AMRs have all the kinds of faults of AMRs that they can have in MRP.
        (mrp_graph("amr", edges=[*CHAIN, edge(1, 0, "ARG1-of")]), [("duplicate", "1 :ARG1-of 0")]),
        (mrp_graph("amr", edges=[*CHAIN, edge(0, 2, "foo")]), [("unknown-role", ":foo of 0")]),
        (mrp_graph("eds", edges=[*CHAIN, edge(0, 2, "foo")]), []),
        (
            mrp_graph(
                "amr",
                nodes=[{"id": 0, "label": "a", "properties": ["op1-of"], "values": ["5"]}],
                edges=[],
            ),
            [("inverse-constant", "0 :op1-of 5, and")],
        ),
    ],
)  # fmt: skip
def test_mrp(text: str, found: list[tuple[str, str]]) -> None:
    said = faults(text)
    assert [(kind, line) for kind, line, _ in said] == [(kind, 1) for kind, _ in found]
    assert all(one[2].startswith(other[1]) for one, other in zip(said, found, strict=True))


GOOD_DRS = ["b1 REF x1", 'b1 person "n.01" x1', "b1 REF e1", 'b1 sing "v.01" e1', "b1 Agent e1 x1"]


@pytest.mark.parametrize(
    "clauses, found",
    [
        (GOOD_DRS, []),
        (
            [*GOOD_DRS, "b1 Agent e1 x1"],
            [("duplicate", 6, "b1 Agent e1 x1 is repeated from line 5")],
        ),
        (GOOD_DRS[1:], [("undeclared", 1, "referent x1 has no REF clause")]),
        (
            [*GOOD_DRS, "b1 REF x2"],
            [
                ("no-concept", 6, "referent x2 has no concept"),
                ("unused", 6, "referent x2 is only in its REF clause"),
            ],
        ),
        ([*GOOD_DRS, "b1 REF x2", "b1 Theme e1 x2"], [("no-concept", 6, "referent x2 has no")]),
        (["b1 REF p1", "b1 PRP p1 b2", 'b2 sing "v.01" p1'], []),
        ([*GOOD_DRS, "b2 NOT b3"], [("disconnected", 1, "b2, b3 not connected with the 3 nodes")]),
        ([*GOOD_DRS, "b1 NOT b2", "b2 NOT b1"], [("cycle", 6, "among b1, b2")]),
        ([*GOOD_DRS, "b1 NOT b2", "b1 POS b2"], []),
        ([*GOOD_DRS, "b1 what"], [("unreadable", 6, "a clause has 3 or 4 words, not 2")]),
    ],
)
def test_clauses(clauses: list[str], found: list[tuple[str, int, str]]) -> None:
    said = faults("\n".join(clauses))
    assert [one[:2] for one in said] == [other[:2] for other in found]
    assert all(one[2].startswith(other[2]) for one, other in zip(said, found, strict=True))


def test_lines_of_clauses_count_comments_and_blanks() -> None:
    text = "\n".join(["% a comment", *GOOD_DRS[:2], "  % another", *GOOD_DRS[2:], GOOD_DRS[0]])
    assert [(kind, line) for kind, line, _ in faults(text)] == [("duplicate", 8)]


@pytest.mark.parametrize(
    "old, new, found",
    [
        ("", "", []),
        ("s1o: 2-2", "s9o: 2-2", [("unknown-variable", 18, "alignment: s9o is no variable of")]),
        ("s1o: 2-2", "s1o: 2-5", []),
        ("s1o: 2-2", "s1o: 2-6", [("token-out-of-range", 18, "s1o is aligned with token 6 of 5")]),
        ("s1o: 2-2", "s1o 2", [("damaged", 18, "alignment: 's1o 2' is no variable with")]),
        (
            "s1b: 1-1, 3-3", "s8b: 1-1",
            [("unknown-variable", 17, "alignment: s8b is no variable of the graph; this line")],
        ),
        ("1-1, 3-3", "4-3", [("repaired", 17, "alignment: an interval of 's1b: 4-3' is reversed")]),
        ("before s1s))", "before s1s)))", [("repaired", 23, "document level: closed before")]),
        ("s1s)))", "s1s))", [("unclosed", 24, "document level: not closed; 1")]),
        (":aspect performance)", ":aspect performance", [("unclosed", 13, "graph: not closed")]),
        ("(root :modal", "(root modal", [("damaged", 23, "document level: found 'modal'")]),
        (":aspect performance)", ":aspect performance) x", [("damaged", 13, "graph: text after")]),
        ("(s1o / old)", "(s1o / old / new)", [("several-concepts", 11, "variable s1o has")]),
        ("(s1o / old)", "(s1o)", [("no-concept", 11, "variable s1o has no concept")]),
        ("(s1o / old)", "(s1s / old)",
            [("cycle", 10, "among s1s, s1b"), ("declared-twice", 11, "variable s1s is declared"),
             ("unknown-variable", 18, "alignment: s1o is no variable")]),
        (":refer-number plural", ":refer-number", [("no-value", 12, "role :refer-number has")]),
        ("(s1o / old)", "s1o", [("undeclared", 11, "s1b :mod s1o, but the graph has no such"),
            ("unknown-variable", 18, "alignment: s1o is no variable")]),
        ("before s1s)", "before s3s)",
            [("undeclared", 22, "document-creation-time :before s3s, but s3s is no variable of")]),
        (":aspect performance)", ":mod s1b :mod s1b)", [("duplicate", 13, "s1s :mod s1b is repe")]),
        (":aspect performance)", ":ARG1-of 5)", [("inverse-constant", 13, "s1s :ARG1-of 5, and")]),
        ("(s1o / old)", "(s1o / old :mod s1s)", [("cycle", 10, "among s1s, s1b, s1o")]),
        ("(s1o / old)", "(s1o / old :quote s1s :modal-predicate s1s)", []),
        (":aspect performance)", ":quote-of s1b :quote-of s1o)", []),
        ("(s1o / old)", "(s1o / old", [("unclosed", 13, "graph: not closed")]),
        ("(s1s / sing-01", "s1s / sing-01", [("unreadable", 9, "found 's1s', expected '('")]),
    ],
)  # fmt: skip
def test_umr(old: str, new: str, found: list[tuple[str, int, str]]) -> None:
    said = faults(f"{FIRST.replace(old, new, 1)}\n\n{SECOND}".replace("s1s :before", "s2f :before"))
    assert [one[:2] for one in said] == [other[:2] for other in found]
    assert all(one[2].startswith(other[2]) for one, other in zip(said, found, strict=True))


@pytest.mark.parametrize(
    "text, found",
    [
        ("sing.v.01 Agent +1 bird.n.01", []),
        ("sing.v.01 Agent +1", [("unreadable", 1, "index +1 is out of range")]),
        (
            "sing.v.01 EQU now EQU now EQU then",
            [("duplicate", 1, "EQU from s0 to now is repeated")],
        ),
        ("a.n.01 Sub +1 Sub +1 b.n.01", [("duplicate", 1, "Sub from s0 to s1 is repeated")]),
        ("a.n.01 Sub +1 EQU +1 b.n.01", [("parallel-edges", 1, "EQU from s0 to s1, besides Sub")]),
        (
            "a.n.01 CONTINUATION <0 b.n.01",
            [("unreachable", 1, "box (b1) cannot be reached from b0")],
        ),
        (
            "%%% x\nsing.v.01 % x\nbird.n.01; EQU now % y",
            [("repaired", 3, "bird.n.01; is read as")],
        ),
    ],
)
def test_sbn(text: str, found: list[tuple[str, int, str]]) -> None:
    told = faults(text)
    assert [fault[:2] for fault in told] == [wanted[:2] for wanted in found]
    assert all(fault[2].startswith(wanted[2]) for fault, wanted in zip(told, found, strict=True))


def test_variables_of_two_sentences_of_a_document() -> None:
    """Each fault is one of a sentence, whose number and identifier it has."""
    assert exactmatch.check(TWO).found == 0
    text = TWO.replace("s2t", "s1b")
    (file,) = exactmatch.check(text).files
    assert (file.graphs, file.faulty) == (4, 2)
    assert [(fault.number, fault.identifier, fault.line) for fault in file.faults] == [
        (2, "snt2", 35),
        (4, "d2.snt2", 82),
    ]
    assert [fault.reason for fault in file.faults] == [
        "variable s1b is also one of snt1",
        "variable s1b is also one of d2.snt1",
    ]
    assert {fault.kind for fault in file.faults} == {"used-twice"}
    unread = exactmatch.check(f"{ONE}\n\n{FIRST}".replace("(s2t / they", "(s2t / they (")).files[0]
    assert (unread.graphs, unread.faulty, unread.counts["unreadable"]) == (3, 1, 1)
    assert unread.faults[-1].identifier == "snt2"


def test_umr_from_python() -> None:
    text = FIRST.replace("s1o: 2-2", "s1o: 6-6").replace("before s1s", "before s3s")
    (graph,) = exactmatch.loads(text)
    found = exactmatch.check(graph).files[0].faults
    assert [(fault.kind, fault.line) for fault in found] == [
        ("token-out-of-range", 1),
        ("undeclared", 1),
    ]
    (side,) = by_extent([[*cut_texts([TWO.encode()], "f").texts]], "file")
    whole = parse(side[0])
    assert isinstance(whole, Graph)
    assert exactmatch.check(whole).found == 0  # variables are those of a document


def test_score_and_compare_count_the_faults_of_umr(tmp_path: Path) -> None:
    path = tmp_path / "x.umr"
    path.write_text(TWO.replace("s2t", "s1b"), encoding="utf-8")
    found = exactmatch.compare([path], path, resamples=10, check=True)
    (_, row) = found.to_frame("validity").to_dict("records")
    assert (row["graphs"], row["faulty"], row["used-twice"]) == (4, 2, 2)


def test_every_kind_has_a_check_and_every_check_a_kind() -> None:
    assert {check.kind for check in CHECKS} | {*UNCHECKED} == set(KINDS)
    assert {kind for form in (PENMAN, MRP, CLAUSES, UMR, SBN) for kind in kinds_of(form)} == set(
        KINDS
    )


def test_an_identifier_that_occurs_twice_is_a_fault_of_the_later_graph() -> None:
    graph = "# ::id {}\n(a / b)\n\n"
    text = "".join(map(graph.format, ["x", "y", "x", "x"])) + "(a / b)\n\n(a / b\n"
    (file,) = exactmatch.check(text).files
    assert (file.graphs, file.faulty) == (6, 3)
    assert {kind: n for kind, n in file.counts.items() if n} == {
        "unreadable": 1,
        "identifier-twice": 2,
    }
    first, second, _ = file.faults
    assert first[2:] == (7, 3, "x", "graph 1, in line 1, has the same identifier")
    assert second[2:5] == (10, 4, "x")
    assert exactmatch.check(text, without=["identifier-twice"]).found == 1
    graphs = exactmatch.loads(text.removesuffix("(a / b\n"))
    assert exactmatch.check(graphs).counts["identifier-twice"] == 2


def test_graphs_from_python() -> None:
    (graph,) = exactmatch.loads("# ::id x\n\n\n(a / b :foo (c / d))")
    (fault,) = exactmatch.check(graph).files[0].faults
    assert (fault.kind, fault.number, fault.identifier) == ("unknown-role", 1, "x")
    assert fault.line == graph.location.line
    apart = penman.Graph([("a", ":instance", "b"), ("c", ":instance", "d")])
    (fault,) = exactmatch.check(apart).files[0].faults
    assert (fault.kind, fault.reason[:16]) == ("disconnected", "c not connected ")
    empty = penman.Graph([("a", ":instance", None)])
    (fault,) = exactmatch.check([empty]).files[0].faults
    assert fault.kind == "unreadable"


def test_what_a_file_says_moves_no_cursor() -> None:
    lines = exactmatch.check("# ::id x\x1b[2J\n(a / b :ro\x1b[1mle 1)").report().splitlines()
    assert lines[:2] == [
        "given:2: graph 1 (id x\\u001b[2J): invisible: the role ro\\u001b[1mle has an invisible "
        "character",
        "given:2: graph 1 (id x\\u001b[2J): unknown-role: :ro\\u001b[1mle of a",
    ]


def test_only_and_without() -> None:
    text = "(a / b :foo (c) :ARG0 c :ARG0 c)"
    every = exactmatch.check(text)
    assert {kind for kind, n in every.counts.items() if n} == {
        "no-concept", "duplicate", "unknown-role",
    }  # fmt: skip
    only = exactmatch.check(text, only=["duplicate", "no-concept"], without=["no-concept"])
    assert only.counts == {"duplicate": 1}
    assert exactmatch.check(text, without=[*KINDS][:-1]).counts == {"unknown-role": 1}
    assert exactmatch.check("(a", only=["cycle"]).files[0].faulty == 0
    for wrong, reason in {
        "only": "no kind of faults is called 'x'; the values are unreadable, identifier-twice",
        "without": "no kind of faults is called 'x'",
    }.items():
        with pytest.raises(exactmatch.UsageError, match=reason):
            exactmatch.check(text, **{wrong: ["x"]})  # type: ignore[arg-type]
    with pytest.raises(exactmatch.UsageError, match="no kind of faults is left"):
        exactmatch.check(text, only=["cycle"], without=["cycle"])
    with pytest.raises(exactmatch.UsageError, match="only"):
        exactmatch.check(text, only="cycle")
    with pytest.raises(exactmatch.UsageError, match="most is -1"):
        exactmatch.check(text, most=-1)
    with pytest.raises(exactmatch.UsageError, match="nothing to check"):
        exactmatch.check()


def test_so_many_are_kept_and_all_are_counted() -> None:
    text = "\n\n".join("(a / b :foo 1 :bar 2)" for _ in range(5))
    for most, kept in ((None, 10), (3, 3), (0, 0)):
        (file,) = exactmatch.check(text, most=most).files
        assert (file.graphs, file.faulty, file.found, len(file.faults)) == (5, 5, 10, kept)


def damaged(rng: random.Random, text: str) -> str:
    """Return a text with some of its characters gone, doubled or changed."""
    for _ in range(rng.randint(0, 3)):
        place = rng.randrange(len(text))
        piece = rng.choice(["", text[place] * 2, *' ()/:"~', ":r", "(a)", "/ x"])
        text = text[:place] + piece + text[place + 1 :]
    return text


@pytest.mark.slow
def test_both_ways_of_reading_agree() -> None:
    """Every strictly readable text is read leniently, too, without any defect, and vice versa."""
    rng = random.Random(5)
    fine = lenient = broken = 0
    for number in range(cases(3000)):
        text = damaged(rng, random_graph(rng, rng.randint(1, 5))[0])
        if number % 10 == 0:
            text = json.dumps(mrp_rewritten(random_mrp_graph(rng, 4), rng))
        form = MRP if number % 10 == 0 else PENMAN
        given = GraphText(text.encode(), "x", 1, 1, form, None)
        graph, examined = parse(given), examine(given)
        if isinstance(examined, GraphError):
            assert isinstance(graph, GraphError)
            broken += 1
            continue
        assert isinstance(examined, ExaminedGraph)
        assert len(examined.lines) == len(examined.graph.triples)
        if isinstance(graph, Graph):
            assert examined.graph == graph
            assert len(examined.defects) == len(graph.notes)
            fine += 1
        else:
            first = examined.defects[0]
            assert (first.line, first.reason) == (graph.line, graph.reason) or (
                first.kind == "several-concepts"  # which is told before anything else is read
            )
            lenient += 1
    assert min(fine, lenient, broken) > cases(100)


def test_progress_and_several_given(tmp_path: Path) -> None:
    told: dict[tuple[str, int | None, str], int] = {}

    @contextmanager
    def watching(doing: str, total: int | None, unit: str) -> Iterator[Callable[[int], object]]:
        told[doing, total, unit] = 0

        def advance(n: int) -> None:
            told[doing, total, unit] += n

        yield advance

    file = tmp_path / "x.amr"
    file.write_text("(a / b :foo 1)\n\n(a / b)\n", encoding="utf-8")
    found = exactmatch.check(file, "(a / b)", progress=watching)
    assert [(one.name, one.graphs) for one in found.files] == [(str(file), 2), ("given 2", 1)]
    assert repr(found) == "<Validity 1 faults in 3 graphs>"
    size = file.stat().st_size
    assert told == {(f"checking {file}", size, "bytes"): size, ("checking", None, "graphs"): 1}
