"""The reader of UMR: accepted input, messages for the rest, and lost parts."""

import random
import re
from pathlib import Path

import pytest
from seeds import cases
from umr_samples import FIRST, HEAD, ONE, SECOND, TWO

import exactmatch
from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.extents import by_extent
from exactmatch.graphs.graph import (
    UMR,
    Constant,
    DocumentTriple,
    Extent,
    Graph,
    Sentence,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.detect import cut_texts, metadata, parse, read_file, read_text
from exactmatch.graphs.readers.source import text_chunks

#: The surface alignment of `FIRST`.
SURFACE_LINES = "s1s: 4-4\ns1b: 1-1, 3-3\ns1o: 2-2"

EXTENTS: tuple[Extent, ...] = ("document", "file")


def graphs(text: str) -> list[Graph | GraphError]:
    found = read_text(text, "f.umr")
    assert found.format == UMR
    return found.graphs


def only(text: str) -> Graph:
    (graph,) = graphs(text)
    assert isinstance(graph, Graph), graph
    return graph


def sentence(text: str) -> Sentence:
    (found,) = only(text).sentences
    return found


def whole(text: str, extent: Extent) -> list[Graph]:
    texts = [*cut_texts(text_chunks(text), "f.umr").texts]
    (side,) = by_extent([texts], extent)
    found = [parse(one) for one in side]
    return [graph for graph in found if isinstance(graph, Graph)]


def test_a_sentence_of_umr_is_read() -> None:
    graph = only(FIRST)
    (found,) = graph.sentences
    s, b, o = Variable("s1s"), Variable("s1b"), Variable("s1o")
    assert (graph.identifier, graph.format, graph.location) == ("snt1", UMR, ("f.umr", 1))
    assert list(graph.variables) == ["s1s", "s1b", "s1o"]
    assert graph.tops == ("s1s",)
    assert graph.notes == ()
    assert graph.triples == found.triples == (
        Triple("/", (s, Constant("sing-01"))),
        Triple("ARG0", (s, b)),
        Triple("/", (b, Constant("bird"))),
        Triple("mod", (b, o)),
        Triple("/", (o, Constant("old"))),
        Triple("refer-number", (b, Constant("plural"))),
        Triple("aspect", (s, Constant("performance"))),
    )  # fmt: skip
    assert graph.metadata["sent_id"] == "birds-1"
    assert graph.metadata["type"] == "made_up"
    assert graph.metadata["Sentence"] == "The old birds sang."
    assert graph.metadata["input"] == "The old birds sang ."
    assert found.text == FIRST.rstrip("\n")
    assert found._replace(text="") == Sentence(
        name="snt1",
        document=1,
        line=1,
        tokens=("The", "old", "birds", "sang", "."),
        variables=("s1s", "s1b", "s1o"),
        triples=graph.triples,
        top="s1s",
        written={},
        tokens_of={"s1s": (4,), "s1b": (1, 3), "s1o": (2,)},
        document_level=(
            DocumentTriple("temporal", Constant("document-creation-time"), "before", s),
            DocumentTriple("modal", Constant("root"), "modal", Constant("author")),
            DocumentTriple("modal", Constant("author"), "full-affirmative", s),
        ),
        damaged=frozenset(),
    )


@pytest.mark.parametrize(
    "text",
    [
        FIRST.replace("\n", "\r\n"),
        "\ufeff" + FIRST,
        FIRST.rstrip("\n"),
        "\n\n" + FIRST + "\n\n\n",
        FIRST.replace("\n\n", "\n\n\n\n"),  # as in release 3.0
        FIRST.replace("\n\n", "\n"),
        FIRST.replace("    ", "\t"),
        FIRST.replace("3-3", "3-3 # a comment"),
        FIRST.replace("(s1o / old)", "(s1o / old) # a comment) :op1 1"),
        FIRST.replace("(s1b / bird", "# a comment\n(s1b / bird# another"),
        FIRST.replace("(author :f", "# (a :b c)\n(author :f"),
        FIRST.replace("# alignment:\n", ""),
        FIRST.replace("# document level annotation:\n", ""),
        FIRST.replace("1-1, 3-3", "1-1,3-3").replace("s1o: 2-2", "s1o:2-2"),
        FIRST.replace("s1o: 2-2", "s1o: 2-2\ns1s: 4-4"),
        FIRST.replace("        :refer-number", "\n        :refer-number"),
        FIRST.replace(":ARG0 (s1b", ":ARG0\n\n(s1b"),
        FIRST.replace("(author :full", "\n(author :full"),
        FIRST.replace("(s1s0 / sentence", "(s1s0/ sentence").replace("((", "( ("),
        FIRST + f"{HEAD}\n",
    ],
)
def test_the_same_sentence_however_written(text: str) -> None:
    graph, wanted = only(text), only(FIRST)
    assert graph.triples == wanted.triples
    assert graph.notes == ()
    found, expected = sentence(text), sentence(FIRST)
    assert found._replace(line=1, text="") == expected._replace(text="")


def test_how_a_file_is_known(tmp_path: Path) -> None:
    assert (
        read_text("# ::id x\n(a / b)\n\n# sentence level graph:\n(c / d)", "f").format == "PENMAN"
    )
    assert read_text("# a\n\n# sentence level graph:\n(c / d)", "f").format == UMR
    assert read_text(f"{HEAD}\n# ::snt1\n# ::snt A bird.\n\n(c / d)", "f").format == "PENMAN"
    assert only(FIRST.replace("# sentence level graph:\n", "")).triples == only(FIRST).triples
    path = tmp_path / "x"
    path.write_text(ONE, encoding="utf-8")
    assert read_file(path).format == UMR
    assert [graph.identifier for graph in exactmatch.load(path)] == ["snt1", "snt2"]
    texts = cut_texts(text_chunks(ONE), "f").texts
    assert [metadata(text)["sent_id"] for text in texts] == ["birds-1", "birds-2"]


def test_a_hash_in_a_string_is_no_comment() -> None:
    graph = only(FIRST.replace(":aspect performance)", ':wiki "a#b") # c'))
    assert graph.triples[-1].arguments[1] == Constant('"a#b"')
    assert graph.notes == ()


def test_a_hash_may_begin_a_concept() -> None:
    graph = only(FIRST.replace("(s1o / old)", "(s1o / #Rcp) # (c"))
    assert graph.triples[4].arguments[1] == Constant("#Rcp")
    assert graph.notes == ()


def test_tokens_may_stand_beside_the_name() -> None:
    text = "# :: snt1\t  Birds sing .\n\n# sentence level graph:\n(s1s / sing-01)\n"
    assert sentence(text).tokens == ("Birds", "sing", ".")
    assert sentence(text.replace("\t  Birds sing .", "")).tokens == ()
    assert sentence(text.replace("\n\n", "\nWords: Other words\n\n")).tokens == ("Other", "words")


def test_a_name_with_a_number_too_large_is_none() -> None:
    assert only(FIRST.replace("snt1", f"snt{'1' * 5000}")).identifier is None


def test_blocks_may_be_missing() -> None:
    bare = sentence("# sentence level graph:\n(s1s / sing-01)\n")
    assert (bare.name, bare.tokens, bare.tokens_of, bare.document_level) == ("", (), {}, ())
    assert only("# sentence level graph:\n(s1s / sing-01)\n").identifier is None
    text = f"{FIRST.split('# alignment')[0]}# document level annotation:\n"
    assert (sentence(text).tokens_of, sentence(text).document_level) == ({}, ())


def test_zero_is_no_token() -> None:
    assert "s1o" not in sentence(FIRST.replace("s1o: 2-2", "s1o: 0-0")).tokens_of
    assert sentence(FIRST.replace("s1o: 2-2", "s1o: 2-4, 3-5")).tokens_of["s1o"] == (2, 3, 4, 5)


def test_a_file_may_hold_several_documents() -> None:
    found = graphs(TWO)
    assert [graph.identifier for graph in found] == ["snt1", "snt2", "d2.snt1", "d2.snt2"]
    assert [graph.line if isinstance(graph, GraphError) else graph.location.line for graph in found]
    first, second = whole(TWO, "document")
    assert (first.identifier, second.identifier) == ("d1", "d2")
    assert [one.document for one in (*first.sentences, *second.sentences)] == [1, 1, 2, 2]
    assert first.tops == second.tops == ("s1s", "s2f")
    assert first.triples == second.triples
    assert [one.written for one in second.sentences] == [{}, {}]
    lines = [n for n, line in enumerate(TWO.split("\n"), start=1) if line == HEAD]
    assert [one.line for one in (*first.sentences, *second.sentences)] == lines
    assert [one.number for one in (*first.sentences, *second.sentences)] == [1, 2, 3, 4]


def test_a_field_may_say_the_document() -> None:
    """The numbers of sentences rise where sentences were left out."""
    sentence = "{}# :: snt{}\n\n# sentence level graph:\n(x / y)\n\n\n"
    said = "# meta-info :: sent_id = x :: document = {} :: who = y\n"
    text = "".join(
        sentence.format(said.format(document) if document else "", number)
        for document, number in [(0, 1), (2, 2), (2, 3), (2, 1), (7, 4), (0, 5)]
    )
    names = [graph.identifier for graph in graphs(text)]
    assert names == ["snt1", "d2.snt2", "d2.snt3", "d3.snt1", "d7.snt4", "d7.snt5"]
    documents = [[one.name for one in graph.sentences] for graph in whole(text, "document")]
    assert documents == [["snt1"], ["snt2", "snt3"], ["snt1"], ["snt4", "snt5"]]


def test_a_file_as_a_whole() -> None:
    (graph,) = whole(TWO, "file")
    assert graph.identifier is None
    assert [*graph.variables] == [
        *("s1s", "s1b", "s1o", "s2f", "s2t"),
        *("s1s#2", "s1b#2", "s1o#2", "s2f#2", "s2t#2"),
    ]
    third = graph.sentences[2]
    assert third.written == {"s1s#2": "s1s", "s1b#2": "s1b", "s1o#2": "s1o"}
    assert third.tokens_of == {"s1s#2": (4,), "s1b#2": (1, 3), "s1o#2": (2,)}
    assert third.triples[1] == Triple("ARG0", (Variable("s1s#2"), Variable("s1b#2")))
    assert graph.sentences[3].document_level[1] == DocumentTriple(
        "coref", Variable("s1b#2"), "same-entity", Variable("s2t#2")
    )
    assert [*graph.variables] == [v for one in graph.sentences for v in one.variables]
    assert [*graph.triples] == [t for one in graph.sentences for t in one.triples]


def test_the_ends_of_document_triples() -> None:
    """The order is: this sentence, the latest one before it, the first one after it."""
    second = SECOND.replace("s2f", "s1s").replace("(s1s :before s1s)", "(s1s :before s1o)")
    third = FIRST.replace("snt1", "snt3").replace("s1s)", "s1o)").replace("s1b", "s3b")
    third = third.replace("(author :full-affirmative s1o)", "(s2t :full-affirmative s9x)")
    (graph,) = whole(f"{FIRST}\n\n{second}\n\n{third}", "document")
    assert [*graph.variables] == [*("s1s", "s1b", "s1o", "s1s#2", "s2t", "s1s#3", "s3b", "s1o#2")]
    _, two, three = (found.document_level for found in graph.sentences)
    assert two[0] == DocumentTriple("temporal", Variable("s1s#2"), "before", Variable("s1o"))
    assert three[0].target == Variable("s1o#2")
    assert three[2][1:] == (Variable("s2t"), "full-affirmative", Constant("s9x"))
    later = FIRST.replace("(root :modal author)", "(root :modal s2t)")
    (graph,) = whole(f"{later}\n\n{SECOND}", "document")
    assert graph.sentences[0].document_level[1].target == Variable("s2t")
    assert sentence(later).document_level[1].target == Constant("s2t")


#: What is changed in the first sentence, the line of the note, the note, and what is damaged.
USABLE = {
    "unclosed graph": (
        (":aspect performance)", ":aspect performance"), 13,
        "graph: not closed; 1 parenthesis missing", "",
    ),
    "text after the graph": (
        (":aspect performance)", ":aspect performance))\n:op1 5"), 13,
        "graph: text after its end; 2 lines lost from here on", "graph",
    ),
    "two graphs": (
        (":aspect performance)", ":aspect performance) (s1x / x)"), 13,
        "graph: text after its end; 1 line lost from here on", "graph",
    ),
    "no variable": (
        ("s1b: 1-1", "s9b: 1-1"), 17,
        "alignment: s9b is no variable of the graph; this line is lost", "alignment",
    ),
    "no intervals": (
        ("s1o: 2-2", "s1o: 2"), 18,
        "alignment: 's1o: 2' is no variable with intervals of tokens; this line is lost",
        "alignment",
    ),
    "a number too large": (
        ("3-3", "3-999999999"), 17, "alignment: 's1b: 1-1, 3-999999999' is no", "alignment",
    ),
    "zero among others": (
        ("1-1, 3-3", "0-0, 3-3"), 17, "alignment: 's1b: 0-0, 3-3' is no variable", "alignment",
    ),
    "unclosed document level": (
        ("s1s)))", "s1s))"), 24,
        "document level: not closed; 1 parenthesis missing", "",
    ),
    "unclosed kind": (
        ("before s1s))", "before s1s)"), 24,
        "document level: not closed; 1 parenthesis missing", "",
    ),
    "unclosed triple": (
        ("before s1s))", "before s1s"), 22,
        "document level: found ':modal', expected ')'; 3 triples lost from here on",
        "document level",
    ),
    "broken triple": (
        ("(root :modal author)", "(root modal author)"), 23,
        "document level: found 'modal', expected a relation; 2 triples lost from here on",
        "document level",
    ),
    "a word too much": (
        ("(author :full", "word (author :full"), 24,
        "document level: found 'word', expected '('; 1 triple lost from here on",
        "document level",
    ),
    "no document level": (
        ("(s1s0 / sentence", "(s1s0 sentence"), 21,
        "document level: found 'sentence', expected '/'; 3 triples lost from here on",
        "document level",
    ),
    "ends in a triple": (
        ("s1s)))", "s1s"), 24,
        "document level: it ends where ')' is expected; 1 triple lost from here on",
        "document level",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", USABLE)
def test_what_leaves_a_sentence_usable(name: str) -> None:
    (old, new), line, reason, damaged = USABLE[name]
    assert FIRST.count(old) == 1
    graph = only(FIRST.replace(old, new))
    (note,) = graph.notes
    assert note.startswith(f"f.umr:{line}: graph 1 (id snt1): {reason}")
    (found,), wanted = graph.sentences, sentence(FIRST)
    assert found.damaged == frozenset(filter(None, [damaged]))
    assert found.triples == wanted.triples
    kept, lost = dict(found.tokens_of), dict(wanted.tokens_of)
    assert kept.items() <= lost.items()
    assert (len(kept) < len(lost)) == (damaged == "alignment")
    level = found.document_level
    assert level == wanted.document_level[: len(level)]
    number = re.search(r"(\d+) triple", note)
    assert len(wanted.document_level) - len(level) == (int(number[1]) if number else 0)
    assert len(lost) - len(kept) == ("this line is lost" in note)


#: Lines of a surface alignment that lose themselves alone: without tokens, or of no variable.
LOST_LINES = ("s1b: 1", "s1b:", "s1b: undefined", "s1b: 1\u20131", "s1b: 1-1,", "s9b: 1-1", "word")


@pytest.mark.parametrize("line", LOST_LINES)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_faulty_line_of_a_surface_alignment_loses_itself(line: str, place: int) -> None:
    """The order of lines does not matter: here, s1b has a faulty line and no other."""
    good = ["s1s: 4-4", "s1o: 2-2"]
    lines = "\n".join([*good[:place], line, *good[place:]])
    graph = only(FIRST.replace(SURFACE_LINES, lines))
    assert graph.sentences[0].tokens_of == {"s1s": (4,), "s1o": (2,)}
    (note,) = graph.notes
    assert note.startswith(f"f.umr:{16 + place}: graph 1 (id snt1): alignment: ")
    assert line.split(":")[0] in note and note.endswith("; this line is lost")


def test_each_lost_line_of_a_surface_alignment_is_named() -> None:
    graph = only(FIRST.replace(SURFACE_LINES, "s1s: 4\ns1b: 1-1\ns7x: 2-2\ns1o: 2-2"))
    assert graph.sentences[0].tokens_of == {"s1b": (1,), "s1o": (2,)}
    assert [note.split(":")[1] for note in graph.notes] == ["16", "18"]


def test_no_token_as_in_release_1() -> None:
    graph = only(FIRST.replace("s1s: 4-4", "s1s: -1--1"))
    assert graph.notes == ()
    wanted = only(FIRST.replace("s1s: 4-4", "s1s: 0-0"))
    assert graph.sentences[0].tokens_of == wanted.sentences[0].tokens_of == {
        "s1b": (1, 3), "s1o": (2,)
    }  # fmt: skip
    lines = SURFACE_LINES.replace("s1s: 4-4", "s1s: -1--1")
    without_comment = FIRST.replace(f"# alignment:\n{SURFACE_LINES}", lines)
    assert only(without_comment).sentences[0].tokens_of == {"s1b": (1, 3), "s1o": (2,)}


def test_space_before_the_colon_of_a_surface_alignment_is_no_fault() -> None:
    found = only(FIRST.replace("s1b: 1-1, 3-3", "s1b :\u00a01-1, 3-3"))
    assert found.notes == () and found.sentences[0].tokens_of["s1b"] == (1, 3)


def test_a_reversed_interval_is_turned_around() -> None:
    graph = only(FIRST.replace("s1b: 1-1, 3-3", "s1b: 5-3, 1-1"))
    assert graph.sentences[0].tokens_of["s1b"] == (1, 3, 4, 5)
    (note,) = graph.notes
    assert note.startswith("f.umr:17: graph 1 (id snt1): alignment: an interval of 's1b: 5-3, 1-1'")


@pytest.mark.parametrize("line", [*LOST_LINES, "s1b: -1--1", "s1b: 3-1", "s1b : 1-1, 3-3"])
def test_what_programs_read_ends_at_the_first_fault(line: str) -> None:
    found = sentence(FIRST.replace("s1b: 1-1, 3-3", line))
    assert found.tokens_of["s1o"] == (2,)
    assert found.damaged == {"alignment"}
    assert found.before_faults().tokens_of == {"s1s": (4,)}
    wanted = sentence(FIRST)
    assert wanted.before_faults() == wanted


def test_a_document_level_that_is_closed_too_early_is_read_on() -> None:
    graph = only(FIRST.replace("before s1s))", "before s1s)))"))
    (found,), wanted = graph.sentences, sentence(FIRST)
    assert found.document_level == wanted.document_level
    assert found.before_faults().document_level == wanted.document_level[:1]
    assert found.damaged == {"document level"}
    (note,) = graph.notes
    said = "document level: closed before ':modal'; reading goes on there"
    assert note == f"f.umr:23: graph 1 (id snt1): {said}"
    twice = FIRST.replace("before s1s))", "before s1s))) :coref ((s1b :same-entity s1s)))")
    kinds = [triple.kind for triple in sentence(twice).document_level]
    assert kinds == ["temporal", "coref", "modal", "modal"]


def test_other_text_behind_a_document_level_is_lost() -> None:
    graph = only(FIRST.replace("before s1s))", "before s1s))) :other ((s1b :x s1s))"))
    assert len(graph.sentences[0].document_level) == 1
    (note,) = graph.notes
    assert note.endswith("document level: ':other' follows its end; 3 triples lost from here on")


#: What is changed in the first sentence so that its graph is none, the line, and the reason.
UNREADABLE = {
    "no concept": (("(s1o / old)", "(s1o)"), 11, "variable s1o has no concept"),
    "a concept in a comment": (("(s1o / old)", "(s1o / # old)"), 11, "variable s1o has no concept"),
    "role without value": ((":refer-number plural", ":refer-number"), 12, "role :refer-number has"),
    "role at the end": ((":aspect performance)", ":aspect"), 13, "role :aspect has no value"),
    "declared twice": (("(s1o / old)", "(s1b / old)"), 11, "variable s1b is declared twice"),
    "two concepts": (("(s1o / old)", "(s1o / old / new)"), 11, "found '/', expected a role or ')'"),
    "unclosed string": (("plural", '"plural'), 12, "this quote is not closed"),
    "no graph": ((FIRST[FIRST.index("(s1s /") : FIRST.index("\n# align")], ""), 1, "no sentence"),
    "value without role": (("(s1o / old)", "(s1o / old) x"), 11, "found 'x', expected a role"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_graph_takes_no_other_with_it(name: str) -> None:
    (old, new), line, reason = UNREADABLE[name]
    assert FIRST.count(old) == 1
    error, other = graphs(f"{FIRST.replace(old, new)}\n\n{SECOND}")
    assert isinstance(error, GraphError)
    assert isinstance(other, Graph)
    assert (error.source, error.number, error.identifier) == ("f.umr", 1, "snt1")
    assert error.reason.startswith(reason)
    assert error.line == line
    (graph,) = whole(f"{FIRST.replace(old, new)}\n\n{SECOND}", "document")
    assert [*graph.unread] == [0]
    assert str(graph.unread[0]) == str(error)
    empty, second = graph.sentences
    assert (empty.name, empty.tokens[:2], empty.variables) == ("snt1", ("The", "old"), ())
    assert graph.tops == ("s2f",)
    assert second.document_level[0].source == Constant("s1s")


def test_bytes_that_are_no_text_are_an_error() -> None:
    data = FIRST.encode().replace(b"old birds", b"old \xff")
    (error,) = read_text(data.decode("utf-8", errors="surrogateescape"), "f").graphs
    assert isinstance(error, GraphError)
    assert (error.line, error.reason[:4]) == (5, "byte")
    with pytest.raises(InputError, match="f: holds no graph"):
        read_text(f"{HEAD}\n# a comment\n", "f")


def test_a_sentence_without_graph_before_another() -> None:
    header = FIRST.split("\n\n")[0]
    error, graph = graphs(f"# sentence level graph:\n\n{header}\n\n\n{SECOND}")[-2:]
    assert isinstance(error, GraphError)
    assert (error.reason, error.identifier) == ("no sentence level graph", "snt1")
    assert isinstance(graph, Graph)
    assert graph.metadata["sent_id"] == "birds-2"


def test_sentences_without_a_header_are_read() -> None:
    block = "# sentence level graph:\n(a / b)\n\n# alignment:\na: 1-1\n"
    one, two = graphs(f"{block}\n{block}")
    assert isinstance(one, Graph)
    assert isinstance(two, Graph)
    assert one.sentences[0].tokens_of == two.sentences[0].tokens_of == {"a": (1,)}


def test_texts_are_cut_alike_whatever_the_chunks() -> None:
    data = TWO.encode()
    wanted = [*cut_texts([data], "f").texts]
    for size in (1, 7, 100):
        chunks = [data[i : i + size] for i in range(0, len(data), size)]
        assert [*cut_texts(chunks, "f").texts] == wanted


@pytest.mark.slow
def test_damage_raises_nothing_else() -> None:
    """Each line of a file is read, is counted as lost, or belongs to the place of an error."""
    rng = random.Random(3)
    usable = unreadable = 0
    for _ in range(cases(400)):
        text = TWO
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            piece = rng.choice(["", "\n", "\n\n", "#", *' ()/:"~-,', ":r ", "(a / b)", text[place]])
            text = text[:place] + piece + text[place + rng.randint(0, 2) :]
        form, found = read_text(text, "f.umr")
        if form != UMR:
            continue
        for graph in found:
            if isinstance(graph, GraphError):
                unreadable += 1
                continue
            (one,) = graph.sentences
            usable += 1
            assert bool(one.damaged) <= bool(graph.notes)
            assert one.tokens_of.keys() <= set(one.variables) == graph.variables.keys()
            ends = [end for triple in one.document_level for end in (triple.source, triple.target)]
            assert all(end.name in graph.variables for end in ends if isinstance(end, Variable))
        errors = [str(graph) for graph in found if isinstance(graph, GraphError)]
        for extent in EXTENTS:
            again = whole(text, extent)
            assert sum(len(graph.sentences) for graph in again) == len(found)
            assert [str(e) for graph in again for e in graph.unread.values()] == errors
    assert min(usable, unreadable) > cases(100)


def test_a_concept_with_a_slash() -> None:
    graph = only(
        '# :: snt1\n\n# sentence level graph:\n(a / and/or :op1 (b / x) :op2 (c / "y"/z))\n'
    )
    concepts = [t.arguments[1] for t in graph.triples if t.relation == "/"]
    assert concepts == [Constant("and/or"), Constant("x"), Constant('"y"/z')]
    (error,) = graphs("# :: snt1\n\n# sentence level graph:\n(a / and / or)\n")
    assert isinstance(error, GraphError)


def test_of_two_surface_alignments_the_last_one_counts() -> None:
    graph = only(FIRST.replace("s1o: 2-2", "s1o: 2-2\ns1o: 3-3"))
    assert graph.sentences[0].tokens_of["s1o"] == (3,)
    (note,) = graph.notes
    assert note.startswith("f.umr:19: graph 1 (id snt1): alignment: s1o occurs again")


#: What the annotation tool puts before the first sentence and behind the last one.
EXPORTED = (
    "user name: one\nuser id: 2\nfile language: english\nexport time: 1/10/2024, 11:38:07 PM\n\n",
    "\n# Source File: \nThe old birds sang .\n(They / sang) :modal ((a :b c)) .\n",
)


def test_an_export_of_the_annotation_tool_is_umr() -> None:
    header, raw = EXPORTED
    found = graphs(f"{header}{FIRST}\n\n{SECOND}{raw}")
    wanted = graphs(TWO)[:2]
    for graph, other in zip(found, wanted, strict=True):
        assert isinstance(graph, Graph) and isinstance(other, Graph)
        assert graph.notes == ()
        assert graph.triples == other.triples
        (one,), (same,) = graph.sentences, other.sentences
        assert (one.tokens, one.document_level) == (same.tokens, same.document_level)


@pytest.mark.parametrize("title", ["Birds", "Birds and songs", "My own birds:", "b1 is my bird"])
def test_a_title_before_umr_does_not_decide(title: str) -> None:
    graph = only(f"{title}\n\n{FIRST}")
    assert graph.triples == only(FIRST).triples


def test_a_parenthesis_that_closes_too_early_is_not_missed_later() -> None:
    moved = FIRST.replace("before s1s))", "before s1s)))").replace("s1s)))\n", "s1s))\n")
    moved = moved.replace("before s1s))\n", "before s1s)))\n")
    (note,) = only(moved).notes
    assert note.endswith("closed before ':modal'; reading goes on there")
    (first, second) = only(moved.replace("s1s))\n", "s1s)\n", 1)).notes
    assert first.endswith("closed before ':modal'; reading goes on there")
    assert second.endswith("document level: not closed; 1 parenthesis missing")
