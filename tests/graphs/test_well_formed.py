"""The reader of well-formed graphs gives the result of the general reader, or none."""

import pytest
from changed_texts import blocks, mutated
from seeds import cases
from whole_files import read_graphs

import exactmatch
from exactmatch.errors import GraphError
from exactmatch.graphs.readers import penman, well_formed
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.readers.well_formed import read_well_formed


def read_twice(text: str, patch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the results for *text* with and without the quick reader, in words.

    Words are needed since a variable and a constant of one name would be equal.
    """
    found = []
    for quick in (read_well_formed, lambda _: None):
        patch.setattr(well_formed, "read_well_formed", quick)
        read = read_graphs(penman, text.encode(), "f")
        found.append([str(one) if isinstance(one, GraphError) else repr(one) for one in read])
    return found


def test_instances_are_read_quickly() -> None:
    texts = blocks()
    assert len(texts) > 100
    assert [text for text in texts if "#" not in text and read_well_formed(text) is None] == []


@pytest.mark.slow
def test_changed_texts_are_read_as_the_usual_reader_reads_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short, every = blocks(longest=300), blocks()
    quick = graphs = 0
    for text in [*mutated(short, cases(3000), seed=1), *mutated(every, cases(500), seed=2)]:
        one, other = read_twice(text, monkeypatch)
        assert one == other, text
        quick += read_well_formed(text) is not None
        graphs += any(each.startswith("Graph(") for each in other)
    assert 0.8 * graphs < quick  # else nothing is shown


#: What a word is may be known only later: a variable, if one is called so anywhere.
LATER = (
    *("(a / b :x c :y (c / d))", "(a / b :x a :y c)", "(a / c :x (c / a :y a) :z d)"),
    *('(a / b :x "c" :y (c / d))', "(a / b :x~e.1 c~e.2 :y (c / d~e.3,4) :z c~1)"),
    *("(a / b :x (d / e :y c) :y (c / d) :z c)", "(a / b :x~e.1 -of :y c)"),
)


@pytest.mark.parametrize("text", LATER)
def test_words_that_turn_out_to_be_variables(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_well_formed(text) is not None
    one, other = read_twice(text, monkeypatch)
    assert one == other


NOT_WELL_FORMED = (
    *("", "a", "~", "(", "(a", "(a /", "(a / b", "(a / b))", "(a / b) c", "(a)", "() / b"),
    *("(a / b :x)", "(a / b :x (", "(a / b :x (c", "(a / b :x (a / c))", "(a / b :x ~e.1)"),
    *('(a / "b)', "(a / b / c)", "(a / (b / c))", "(a / b :x # y\n)"),
)


@pytest.mark.parametrize("text", NOT_WELL_FORMED)
def test_what_is_not_well_formed_is_left_alone(text: str) -> None:
    assert read_well_formed(text) is None


def test_marks_and_strings_are_read_apart() -> None:
    text = '(a~e.1 / b~e.2 :x~3 (c / "d e"~4) :y "f\\"g" :z a :w c~e.5)'
    assert read_well_formed(text) is None  # a variable has no mark
    found = read_well_formed(text.replace("a~e.1", "a"))
    assert found is not None
    variables, triples = found
    assert list(variables) == ["a", "c"]
    assert [(t.relation, t.arguments[1][0], t.marks) for t in triples] == [
        ("/", "b", ("", "~e.2")), ("x", "c", ("~3", "")), ("/", '"d e"', ("", "~4")),
        ("y", '"f\\"g"', ("", "")), ("z", "a", ("", "")), ("w", "c", ("", "~e.5")),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ['"\\', '"#\\'])
def test_a_string_without_end_is_sought_once(text: str) -> None:
    """Models repeat such text without end. Sought from each quote, the end takes minutes."""
    many = "(a / b :x " + 60_000 * text
    (found,) = read_graphs(penman, many.encode(), "f")
    assert isinstance(found, GraphError) and "this quote is not closed" in str(found)
    umr = f"# :: snt1\n# sentence level graph:\n{many}\n"
    (found,) = read_text(umr, "f").graphs
    assert isinstance(found, GraphError) and "this quote is not closed" in str(found)
    assert exactmatch.reward(many, "(a / b)") == 0
