"""Read AMRs as smatch 1.0.4 does: the expected values are the output of that program."""

import io

import pytest

from exactmatch.compat import amr

#: A line, and its triples with the nodes called by their positions.
READ = {
    "(a / b)": "instance n0 b, TOP n0 top",
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))": (
        "instance n0 want-01, instance n1 boy, instance n2 go-02, TOP n0 top, "
        "ARG0 n0 n1, ARG1 n0 n2, ARG0 n2 n1"
    ),
    "(a / b :mod (c / d) :mod 1 :ARG0-of e :ARG1-of (e / f) :consist-of (g / h))": (
        "instance n0 b, instance n1 d, instance n2 f, instance n3 h, TOP n0 top, "
        "consist-of n0 n3, domain n1 n0, ARG1 n2 n0, ARG0 n2 n0"
    ),
    '(n / name :op1 "New York" :op2 "x:y(z)/" :op3 \'z)': (
        "instance n0 name, op1 n0 New, op2 n0 x:y(z)/_, op3 n0 'z, TOP n0 top"
    ),
    "(a / b :ARG0 c :ARG1 (c / d :ARG2 a) :quant 5~e.3)": (
        "instance n0 b, instance n1 d, quant n0 5~e.3, TOP n0 top, "
        "ARG1 n0 n1, ARG0 n0 n1, ARG2 n1 n0"
    ),
    "(a / b :r (c / d) junk (e / f))": (
        "instance n0 b, instance n1 d, instance n2 f, TOP n0 top, r n0 n1"
    ),
    "(a / b :r": "instance n0 b, TOP n0 top",
    "(a / b\t:r c)": "instance n0 b\t, r n0 c, TOP n0 top",
}
MALFORMED = [
    "(a/b:r(c/d):p-:q e f)",
    "(a / b (c / d))",
    "(a / b) )",
    "(a / b / c)",
    "(a / b :r :s c)",
    "(a / b :r (c))",
    "(a / b :r (a / c))",
    "(a / b :r (b :s (c / d)))",
    "(a / b :r (:s (c / d))",
]


@pytest.mark.parametrize(("line", "triples"), READ.items())
def test_lines_are_read_as_by_smatch(line: str, triples: str) -> None:
    found = amr.AMR.parse_AMR_line(line)
    assert found is not None
    found.rename_node("n")
    instances, attributes, relations = found.get_triples()
    assert ", ".join(" ".join(t) for t in [*instances, *attributes, *relations]) == triples
    again, others = found.get_triples2()
    assert again == instances
    assert sorted(others) == sorted([*attributes, *relations])


@pytest.mark.parametrize("line", MALFORMED)
def test_malformed_lines_are_none_and_a_message(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(amr, "ERROR_LOG", log)
    assert amr.AMR.parse_AMR_line(line) is None
    assert line in log.getvalue()


@pytest.mark.parametrize("line", ["", "no graph", ":r (a / b)"])
def test_what_has_no_node_raises_as_in_smatch(line: str) -> None:
    with pytest.raises(IndexError):
        amr.AMR.parse_AMR_line(line)


def test_lines_of_a_file() -> None:
    lines = iter(["# ::id 1\n", "(a / b\n", "  :r c)\n", "\n", "\n", "# last\n", "(d / e)\n"])
    found = [amr.AMR.get_amr_line(lines) for _ in range(3)]
    assert found == ["(a / b:r c)", "(d / e)", ""]


def test_an_amr_as_text() -> None:
    found = amr.AMR.parse_AMR_line("(w / want-01 :ARG0 (b / boy) :polarity -)")
    assert str(found).splitlines() == [
        "Node 0 w",
        "Value: want-01",
        "Relations:",
        "Node b via ARG0",
        "Attribute: polarity value -",
        "Attribute: TOP value top",
        "Node 1 b",
        "Value: boy",
        "Relations:",
    ]
    assert amr.AMR().root is None and found is not None and found.root == "w"
