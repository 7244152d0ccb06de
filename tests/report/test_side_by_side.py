"""Pairs in the terminal: their text, its width, and no control sequence from graphs."""

import re
from pathlib import Path

import pytest
from nightly import by_day
from rich.cells import cell_len
from view_samples import metric_called, view_of

import exactmatch
from exactmatch.graphs.pairing import GraphPair
from exactmatch.report.side_by_side import DiffLayout, differs, pair_text
from exactmatch.report.terminal import visible
from exactmatch.report.views.marks import Mark
from exactmatch.report.views.pair_view import PairView, pair_view

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
WIDTHS = [20, 37, 80, 99, 100, 131, 400]
#: What colours are, and nothing else is.
STYLE = re.compile(r"\x1b\[[0-9;]*m")
HOSTILE = (
    "# ::id \x1b[31mx\n# ::snt \x1b]8;;http://x\x07y \u202eback\n"
    '(a / "\x1b[2J" :op1 "日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語"'
    f' :op2 "שלום עולם" :op3 "[bold]{"z" * 500}" :op4 "\x9b1m\t\x01" :op5 "ab" :R (b / c))'
)
OTHER = '(a / "\x1b[2J" :op1 "日本語" :op2 "עולם" :op3 "y" :op4 "\x07" :R (k / d) :S (b / c))'


def views() -> list[PairView]:
    """Return pairs of every format, and some that are hard to show."""
    found = []
    for system, gold, name in (
        ("agreement/a.amr", "agreement/b.amr", "smatch"),
        ("mrp/system.mrp", "mrp/gold.mrp", "mrp"),
        ("drs/system.clf", "drs/gold.clf", "counter"),
    ):
        sides = (exactmatch.load(INSTANCES / path)[:4] for path in (system, gold))
        metric = metric_called(name)
        for one, other in zip(*sides, strict=True):
            pair = GraphPair("x.1", one, other)
            score = exactmatch.best_mappings([one], [other], metric=metric)
            found.append(pair_view(pair, metric, score))
    return [*found, view_of(HOSTILE, OTHER), view_of(OTHER, HOSTILE)]


VIEWS = views()


@pytest.mark.parametrize("width", by_day(WIDTHS, 2))
def test_no_line_is_too_wide_and_colours_say_the_same(width: int) -> None:
    for view in VIEWS:
        plain = pair_text(view, DiffLayout(width))
        coloured = STYLE.sub("", pair_text(view, DiffLayout(width, color=True)))
        for text in (plain, coloured):
            assert max(map(cell_len, text.splitlines())) <= width
            assert not re.search(r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
            assert not re.search(r" $", text, re.MULTILINE)


def without_brackets(text: str) -> str:
    return re.sub(r"[\]\[{}]", "", text)


def test_brackets_and_colours_mark_the_same() -> None:
    for view in VIEWS:
        plain, coloured = (pair_text(view, DiffLayout(None, color)) for color in (False, True))
        assert without_brackets(plain) == without_brackets(STYLE.sub("", coloured))
        bracketed = re.findall(r"[\[{](.*?)[\]}]", plain) if "bold]" not in plain else []
        styled = re.findall(r"\x1b\[[\d;]*4[\d;]*m(.*?)\x1b\[0m", coloured)
        assert {*bracketed} <= {*styled}


def test_everything_is_told() -> None:
    """Each piece of both texts, in lines that are not folded; hostile ones escaped."""
    for view in VIEWS:
        text = pair_text(view, DiffLayout(None))
        for lines in view.texts:
            for line in lines:
                for piece in line.pieces:
                    if piece.triple is not None:
                        assert visible(piece.text).strip().lower() in text.lower()


def test_signs_are_counted() -> None:
    for view in VIEWS:
        text = pair_text(view, DiffLayout(None))
        counts = view.marks.counts(view.system, view.gold)
        signs: list[tuple[Mark, str]] = [
            ("extra", r"\+ \[only system\]"),
            ("missing", r"- \[only gold\]"),
            ("other", r"! {other label}"),
        ]
        for mark, words in signs:
            number = sum(count[mark] for count in counts.values())
            found = re.search(rf"^# .*{words}: (\d+)", text, re.MULTILINE)
            assert (int(found[1]) if found else 0) == number


def body(system: str, gold: str, width: int | None = None) -> list[str]:
    text = pair_text(view_of(system, gold), DiffLayout(width))
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_one_below_the_other() -> None:
    system = "(a / b :R (c / d) :quant 1 :polarity -)"
    assert body(system, "(x / b :polarity - :S (y / d) :quant 2 :T x)") == [
        "   (a=x / b :top",
        "<!   {:R} (c=y / d)",
        ">!   {:S} (y / d)",
        "<!   :quant 1",
        ">!   :quant 2",
        ">-   :T x",
        "     :polarity -)",
    ]


def test_two_graphs_stand_side_by_side() -> None:
    found = body("(a / b :R (c / d))", "(x / b :quant 3 :S (y / e))", 100)
    assert [re.split(r" +\| ?", line) for line in found] == [
        ["  system", "  gold"],
        ["  (a / b :top", "  (x / b :top"],
        ["+   :R (c / d))", ""],
        ["", "-   :quant 3"],
        ["", "-   :S (y / e))"],
    ]


def test_what_matches_on_another_line() -> None:
    found = body("(a / b :R (c / d))", "(y / d :R-of (x / b))")
    assert found == [
        "<! (a=x / b {:top}",
        "<=   :R (c=y / d))",
        ">! (y / d {:top}",
        ">=   :r-of (x=a / b))",
    ]


def test_arbitrary_pairs_are_marked() -> None:
    system = "(a / and :op1 (x / bird) :op2 (y / bird))"
    view = view_of(system, "(z / and :op4 (b / bird))")
    text = pair_text(view, DiffLayout(None))
    assert "(a=z / and" in text and "1 other mapping is as good" in text
    assert "(x~b / bird" in text and "(y~ / bird" in text and "(b~ / bird" in text


def test_clauses_say_where_variables_come_first_what_they_are_mapped_to() -> None:
    system = 'b1 man "n.01" x1\nb1 Agent e1 x1\nb1 run "v.01" e1'
    gold = 'b1 run "v.01" e2\nb1 man "n.01" x2\nb1 Theme e2 x2'
    metric = metric_called("counter")
    lines = pair_text(view_of(system, gold, metric=metric), DiffLayout(None)).splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        '   b1 man "n.01" x1=x2',
        "<! b1 Agent e1=e2 x1",
        ">! b1 Theme e2 x2",
        '   b1 run "v.01" e1',
    ]


@pytest.mark.parametrize("clause", ["NOT b2", "Agent e1 x1"])
def test_a_clause_that_differs_is_underlined_without_a_gap(clause: str) -> None:
    system, gold = f'b1 man "n.01" x1\nb1 {clause}', 'b1 man "n.01" x2\nb1 Theme e2 x2'
    view = view_of(system, gold, metric=metric_called("counter"))
    text = pair_text(view, DiffLayout(None, color=True))
    assert f"b1 {clause}" in re.findall(r"\x1b\[1;4;\d+m(.*?)\x1b\[0m", text)


def test_similar_labels_are_marked() -> None:
    from exactmatch.metrics.registry import alignment_based

    similarity = INSTANCES / "opitz" / "similarities.txt"
    metric = alignment_based(exactmatch.metric("s2match", similarity=similarity))
    system, gold = (
        (INSTANCES / "opitz" / f"{name}.amr").read_text("utf-8") for name in ("system", "gold")
    )
    texts = [
        pair_text(view_of(one, other, metric=metric), DiffLayout(None))
        for one, other in zip(system.split("\n\n"), gold.split("\n\n"), strict=True)
    ]
    assert any("% {similar}" in text and "\n<%" in text for text in texts)


def test_who_has_proven_it() -> None:
    system, gold = "(a / b :R (c / d))", "(x / b :R (y / e))"
    proven = pair_text(view_of(system, gold), DiffLayout(None))
    assert "# 3 triples matched of 4 and 4, F1 0.7500; proven (dual, proof checked)" in proven
    rng = "(v0 / c :R (v1 / c :R v0) :R (v2 / c :R (v3 / c :R v1) :R (v4 / c :R (v5 / c :R v2))))"
    turned = rng.replace(":R (v3", ":R-of (v3").replace(":R (v5", ":R-of (v5")
    open_text = pair_text(view_of(rng, turned, timeout=0), DiffLayout(None))
    if "not proven" in open_text:
        assert "the time limit was reached: at most" in open_text


def test_a_missing_graph_has_an_empty_side() -> None:
    (graph,) = exactmatch.loads("(a / b)")
    text = exactmatch.diff("(a / b)", ["(x / b"], on_error="empty")
    assert "<+ (a / b :top)\n>  ()\n" in text and "one graph is missing" in text
    assert graph.variables


@pytest.mark.slow
def test_deep_graphs_stand_side_by_side() -> None:
    size = 1200
    chain = "".join(f"(v{k} / c{k % 7} :R " for k in range(size))
    system, gold = (f"{chain}(w / {last}{')' * (size + 1)}" for last in "xy")
    view = view_of(system, gold, timeout=0)
    for width in (None, 40, 160):
        lines = pair_text(view, DiffLayout(width)).splitlines()
        assert len(lines) < 5 * size
        assert any(f" {size - 1} :R" in line for line in lines)
        assert sum(map(len, lines)) < 500 * size


def test_pairs_that_do_not_differ() -> None:
    view = view_of("(a / b :R (c / d))", "(x / B :R (y / d))")
    assert not differs(view)
    assert exactmatch.diff("(a / b)", "(x / b)") == ""
    assert "(a=x / b" in exactmatch.diff("(a / b)", "(x / b)", id="1")
