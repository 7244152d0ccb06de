"""Write graphs of SBN as text; reading the text gives the same graph."""

import doctest
import random

import pytest
from sbn_samples import random_sbn

import exactmatch
from exactmatch.errors import InputError
from exactmatch.graphs.convert import sbn as sbn_text
from exactmatch.graphs.graph import PENMAN, SBN, Constant, Graph, IllFormedError, Triple, Variable
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.readers.recognition import recognise


def read(text: str) -> Graph:
    (graph,) = exactmatch.loads(text)
    return graph


def test_the_example_in_the_docstring_holds() -> None:
    results = doctest.testmod(sbn_text)
    assert (results.failed, results.attempted) == (0, 3)


def test_random_graphs_come_back_equal() -> None:
    rng = random.Random("text")
    for _ in range(200):
        graph = read(random_sbn(rng, 8))
        again = read(exactmatch.to_sbn(graph))
        assert (again.triples, again.tops) == (graph.triples, graph.tops)
        assert [*again.variables.items()] == [*graph.variables.items()]


@pytest.mark.parametrize(
    "text",
    [
        'male.n.02 Name "New York" EQU "" see.v.01 Agent -1 Time +1 time.n.08 EQU now TPR ?',
        "NEGATION <1 NEGATION <1 x.n.01 NEGATION <3 CONTINUATION <0",
        "x.n.01 Proposition >1 Theme +1 NEGATION <1 y.n.01",
        "x.n.01 CONTINUATION <0 y.n.01 Proposition >1 NEGATION >1 z.n.01 CONTINUATION <0",
        "CONTINUATION <0 x.n.01 Proposition <1",
        "x.n.01 Sub +1 EQU +1 Sub +1 y.n.01",
    ],
)
def test_what_is_written_in_one_way_is_the_same_text(text: str) -> None:
    assert exactmatch.to_sbn(read(text)) == text


@pytest.mark.parametrize(
    "text, written",
    [
        ("x.n.01 NEGATION <7", "x.n.01 NEGATION <1"),
        ("x.n.01 NEGATION -1", "x.n.01 NEGATION <1"),
        ("x.n.01 NEGATION <0", "x.n.01 CONTINUATION <0"),
        ("x.n.01 NEGATION <1 EQU now", "x.n.01 EQU now NEGATION <1"),
        ("p01/d0001\tRaw .\tx.n.01  EQU   now", "x.n.01 EQU now"),
        ("%%% Raw .\nx.n.01 % it\ny.n.01 Sub -1\n", "x.n.01 y.n.01 Sub -1"),
    ],
)
def test_what_can_be_written_in_several_ways(text: str, written: str) -> None:
    assert exactmatch.to_sbn(read(text)) == written


def test_names_of_variables_do_not_matter() -> None:
    graph = read("x.n.01 NEGATION <1 y.n.01 Sub -1")
    names = {name: f"v{place}" for place, name in enumerate(graph.variables)}
    renamed = graph._replace(
        variables={names[name]: sort for name, sort in graph.variables.items()},
        triples=tuple(
            Triple(
                triple.relation,
                tuple(
                    Variable(names[end.name]) if isinstance(end, Variable) else end
                    for end in triple.arguments
                ),
            )
            for triple in graph.triples
        ),
    )
    assert exactmatch.to_sbn(renamed) == "x.n.01 NEGATION <1 y.n.01 Sub -1"


B0, S0, S1 = map(Variable, ("b0", "s0", "s1"))


@pytest.mark.parametrize(
    "old, new",
    [
        (Triple("Sub", (S1, S0)), Triple("Foo", (S1, S0))),
        (Triple("Sub", (S1, S0)), Triple("Sub", (S1, Constant("a b")))),
        (Triple("Sub", (S1, S0)), Triple("Sub", (S1, Constant("+0")))),
        (Triple("Sub", (S1, S0)), Triple("Sub", (B0, S0))),
        (Triple("Sub", (S1, S0)), Triple("Sub", (S1, S1))),
        (Triple("member", (B0, S1)), Triple("member", (S0, S1))),
        (Triple("member", (B0, S1)), Triple("member", (B0, Constant("s1")))),
        (Triple("/", (S1, Constant("y.n.01"))), Triple("/", (S1, Constant("y")))),
    ],
)
def test_a_graph_that_sbn_cannot_say_is_an_error(old: Triple, new: Triple) -> None:
    graph = read("x.n.01 y.n.01 Sub -1")
    assert old in graph.triples
    changed = graph._replace(triples=tuple(new if t == old else t for t in graph.triples))
    with pytest.raises(InputError, match=r"^text:1: graph cannot be written in SBN$"):
        exactmatch.to_sbn(changed)


def test_no_other_graphs_are_written() -> None:
    with pytest.raises(InputError, match=r"^text:2: graph \(id x\) cannot be written in SBN$"):
        exactmatch.to_sbn(read("# ::id x\n(x / y.n.01)"))
    (error,) = read_text("x.n.01 Agent -1 Time +1\n%%%\n", "f").graphs
    assert isinstance(error, IllFormedError)
    assert error.lenient is not None
    with pytest.raises(InputError, match="cannot be written"):
        exactmatch.to_sbn(error.lenient)


@pytest.mark.parametrize(
    "text",
    ["(b /\tperson.n.01\n :mod 5)", "  (b /\tperson.n.01\n :mod 5)",
     "(b / cat :ARG0\tperson.n.01 :mod 5)", "(b :mod\tperson.n.01 :x 5)",
     "# ::id x\tperson.n.01 y\n(b / c)", "# ::snt a\tb.n.01\n(b /\tperson.n.01\n :mod 5)",
     '(b / ":)\ty.n.01 z"\n :mod 3)'],
)  # fmt: skip
def test_penman_with_tabs_is_no_sequence_notation(text: str) -> None:
    """PENMAN allows any blanks between its parts, and a concept may look like one of SBN."""
    assert recognise(line.encode() + b"\n" for line in text.split("\n")) == PENMAN


@pytest.mark.parametrize(
    "text",
    ["(Tom / Mary) left.\tleave.v.01 Agent +1 person.n.01", "(Laughs) I went.\tperson.n.01",
     "(Note: he left.\tperson.n.01", "p00/d0001\t(b / c\tperson.n.01",
     "# 3 is left.\tleave.v.01 Theme +1 number.n.01", "(Tom / Mary left.\tleave.v.01 Agent +1",
     "(Tom :x\tmale.n.02 Name \"(a / b\" time.n.08", "# :: snt1 x\tmale.n.02 leave.v.01 Agent -1",
     "# ::id a\tbe.v.01 Time +1 time.n.08", "instance(a, b) ^\tmale.n.02 Name \"Tom\""],
)  # fmt: skip
def test_raw_text_may_have_brackets(text: str) -> None:
    assert recognise([text.encode() + b"\n"]) == SBN
