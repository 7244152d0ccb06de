"""``exactmatch show``: the data of pages, in a file or in a folder."""

import json
import os
import re
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from study_files import blocks_of, write

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import UsageError

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
#: Files of the current folder, with the first eight items of two annotators.
A, B = "a.amr", "b.amr"
SCORES = ("matched", "upper", "system_total", "gold_total", "status", "certified", "solver")

_SCRIPT = re.compile(r'<script type="application/json" id="([\w-]+)">(.*?)</script>', re.DOTALL)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (A, B):
        write(name, blocks_of(INSTANCES / "agreement" / name)[:8])


def show(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["show", *words], catch_exceptions=False)
    assert result.exit_code == status, (result.stdout, result.stderr)
    return result


def contents(page: Path | str) -> dict[str, Any]:
    """Return the JSON in a page, by the identifiers of its elements."""
    text = Path(page).read_text(encoding="utf-8")
    return {name: json.loads(found) for name, found in _SCRIPT.findall(text)}


def in_folder(page: Path | str) -> tuple[dict[str, Any], list[Any]]:
    """Return the data of a page in a folder, and the pairs in its files."""
    content = contents(page)["page-data"]
    pairs: list[Any] = []
    for file in sorted(Path(page).parent.glob("pairs/*.js")):
        head, _, rest = file.read_text(encoding="utf-8").partition(", ")
        assert head == f"exactmatchPairs({len(pairs)}"
        pairs += json.loads(rest.rstrip().removesuffix(");"))
    return content, pairs


def per_pair() -> list[Any]:
    CliRunner().invoke(main, ["score", A, B, "--per-pair", "pairs.jsonl"], catch_exceptions=False)
    return [json.loads(line) for line in Path("pairs.jsonl").read_text("utf-8").splitlines()]


def test_a_file_holds_all_pairs() -> None:
    assert show(A, B, "-o", "page.html").stdout == "page.html\n"
    found = contents("page.html")
    page, wanted = found.pop("page-data"), per_pair()
    assert page["chunks"] is None and page["title"] == "a.amr / b.amr"
    assert [found[f"pair-{k}"]["id"] for k in range(len(found))] == [w["id"] for w in wanted]
    for row, pair, line in zip(page["rows"], found.values(), wanted, strict=True):
        assert row["id"] == line["id"] and row["score"] == line["f1"]
        assert {name: row[name] for name in SCORES} == {name: line[name] for name in SCORES}
        assert pair["score"]["f1_upper"] == line["f1_upper"]
        left, right = pair["system"]["variables"], pair["gold"]["variables"]
        named = {(left[i], right[j]) for i, j in pair["mapping"]}
        assert named == {tuple(both) for both in line["mapping"]}
        assert {tuple(both) for both in pair["every"]} <= {tuple(both) for both in pair["some"]}
    corpus = exactmatch.score(Path(A), Path(B))
    assert page["corpus"]["matched"] == corpus.matched and page["corpus"]["f1"] == corpus.f1


@pytest.mark.slow
@pytest.mark.parametrize("size", [50, 3])
def test_a_folder_holds_pairs_in_files_of_their_own(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file has all pairs, or each of several files names the number of its first pair."""
    monkeypatch.setattr("exactmatch.report.pages.site._CHUNK", size)
    show(A, B, "-o", "page.html")
    assert show(A, B, "-o", "out/pages").stdout == "out/pages/index.html\n"
    page, pairs = in_folder("out/pages/index.html")
    whole = contents("page.html")
    assert page == {**whole.pop("page-data"), "chunks": size}
    assert pairs == list(whole.values())


def test_a_folder_is_written_over_and_what_is_not_ours_stays() -> None:
    kept = {"mine.js": "exactmatchPairs(0, [", "0099.js": "x", "notes": "y"}
    Path("out/pairs").mkdir(parents=True)
    for name, text in kept.items():
        Path("out/pairs", name).write_text(text, encoding="utf-8")
    Path("out/pairs/0007.js").write_text("exactmatchPairs(350, [\n{}\n]);\n", encoding="utf-8")
    show(A, B, "-o", "out", "--worst", "2")
    found = {path.name: path.read_text("utf-8") for path in Path("out/pairs").iterdir()}
    assert {*found} == {*kept, "0000.js"}
    assert {name: found[name] for name in kept} == kept


def test_a_page_of_others_is_not_replaced() -> None:
    Path("out").mkdir()
    Path("out/index.html").write_text("of others")
    assert "index.html: of another program" in show(A, B, "-o", "out", status=1).stderr
    assert [path.name for path in Path("out").iterdir()] == ["index.html"]
    assert Path("out/index.html").read_text() == "of others"
    Path("out/index.html").unlink()
    show(A, B, "-o", "out", "--worst", "1")
    show(A, B, "-o", "out", "--worst", "1")


def test_pairs_of_others_are_not_replaced() -> None:
    Path("out/pairs").mkdir(parents=True)
    Path("out/pairs/0000.js").write_text("of others")
    assert "pairs/0000.js: of another program" in show(A, B, "-o", "out", status=1).stderr
    assert [path.name for path in Path("out").iterdir()] == ["pairs"]
    assert Path("out/pairs/0000.js").read_text() == "of others"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_pairs_that_former_runs_have_left_are_removed() -> None:
    show(A, B, "-o", "out", "--id", "study.2")
    pairs = Path("out/pairs")
    text = (pairs / "0000.js").read_text("utf-8")
    for name in ("0007.js", "0008.js.00000000.partial"):  # the run was killed in the second
        (pairs / name).write_text(text, encoding="utf-8")
    (pairs / "0009.js").write_text("of others", encoding="utf-8")
    os.mkfifo(pairs / "0010.js")  # nobody waits for it
    show(A, B, "-o", "out", "--id", "study.2")
    assert sorted(path.name for path in pairs.iterdir()) == ["0000.js", "0009.js", "0010.js"]
    assert sorted(path.name for path in Path("out").iterdir()) == ["index.html", "pairs"]


@pytest.mark.skipif(os.name == "nt", reason="links need a permission there")
def test_no_link_leads_out_of_the_folder() -> None:
    Path("elsewhere").mkdir()
    Path("out").mkdir()
    Path("out/pairs").symlink_to("../elsewhere")
    assert "out/pairs: a link leads out of out" in show(A, B, "-o", "out", status=1).stderr
    assert not [*Path("elsewhere").iterdir()]


def test_mapped_nodes_have_the_same_place() -> None:
    show(A, B, "-o", "page.html", "--id", "study.2")
    pair = contents("page.html")["pair-0"]
    places = [
        {node["variable"]: (node["x"], node["y"]) for node in pair[side]["nodes"]}
        for side in ("system", "gold")
    ]
    assert len(pair["mapping"]) > 5
    assert all(places[0][i] == places[1][j] for i, j in pair["mapping"])


def test_the_gold_text_is_in_the_order_of_the_systems() -> None:
    amrs = "(a / x :ARG0 (b / y) :ARG1 (c / z))", "(d / x :ARG1 (e / z) :ARG0 (f / y))"
    assert text_of_gold(*amrs) == ["(d / x", ":top", ":ARG0 (f / y)", ":ARG1 (e / z))"]
    drss = 'b1 man "n.01" x1\nb1 Name x1 "tom"', 'b2 Name x2 "tom"\nb2 man "n.01" x2'
    assert text_of_gold(*drss) == ['b2 man "n.01" x2', 'b2 Name x2 "tom"']


def text_of_gold(system: str, gold: str) -> list[str]:
    lines = contents(exactmatch.show(system, gold, "page.html"))["pair-0"]["gold"]["text"]
    return ["".join(piece[0] for piece in pieces) for _, pieces in lines]


def test_an_empty_anchor_is_written_as_one() -> None:
    """The node has no empty line, and the text no blank before a bracket."""
    node = '{"id": 0, "anchors": [{"from": 3, "to": 4}]}'
    graph = (
        '{"id": "1", "flavor": 1, "framework": "ucca", "version": 1.0, "time": "2020-01-01",'
        f' "input": "The ,", "tops": [0], "nodes": [{node}], "edges": []}}'
    )
    page = exactmatch.show(graph, graph, "page.html")
    assert ':anchor "")' in " ".join(text_of_gold(graph, graph))
    lines = contents(page)["pair-0"]["gold"]["nodes"][0]["lines"]
    assert 'anchor ""' in ["".join(piece[0] for piece in line) for line in lines]


def test_roles_are_not_written_like_the_words_that_they_are_of() -> None:
    """``A`` of UCCA stays that over the word ``a``, and concepts stay as they are over roles."""
    nodes = '{"id": 0, "anchors": [{"from": 0, "to": 1}]}, {"id": 1}'
    graph = (
        '{"id": "1", "flavor": 1, "framework": "ucca", "version": 1.0, "time": "2020-01-01",'
        f' "input": "a dog", "tops": [1], "nodes": [{nodes}],'
        ' "edges": [{"source": 1, "target": 0, "label": "A"}]}'
    )
    pair = contents(exactmatch.show(graph, graph, "page.html"))["pair-0"]
    assert [edge["label"] for edge in pair["gold"]["edges"]] == ["A"]
    assert ":A (0" in " ".join(text_of_gold(graph, graph))
    amr = "(a / arg0 :ARG0 (b / Arg1) :ARG1 b)"
    assert text_of_gold(amr, amr) == ["(a / arg0", ":top", ":ARG0 (b / Arg1)", ":ARG1 b)"]


def test_a_triple_that_counts_several_times_matches_all_equal_ones() -> None:
    sides = "(a / a :quant 3)", "(a / a :quant 3 :quant 3)"
    exactmatch.show(*sides, "page.html", duplicates="product")
    assert contents("page.html")["page-data"]["rows"][0]["kinds"] == {}


@pytest.mark.nightly
def test_workers_change_nothing() -> None:
    show(A, B, "-o", "one.html", "--workers", "1")
    show(A, B, "-o", "two.html", "--workers", "2")
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()


def test_one_pair_and_the_worst() -> None:
    show(A, B, "-o", "one.html", "--id", "study.7")
    assert [row["id"] for row in contents("one.html")["page-data"]["rows"]] == ["study.7"]
    show(A, B, "-o", "worst.html", "--worst", "3", "--sort", "size")
    pairs = exactmatch.score(Path(A), Path(B)).per_pair
    sizes = sorted(pairs, key=lambda pair: -(pair.system_total + pair.gold_total))
    found = contents("worst.html")
    assert found["page-data"]["notes"] == [
        "Shown: the 3 worst pairs by size; the scores above are those of all 8 pairs."
    ]
    show(A, B, "-o", "all.html", "--worst", "8")
    assert contents("all.html")["page-data"]["notes"] == []
    wanted = [pair.identifier for pair in sizes[:3]]
    assert [row["id"] for row in found["page-data"]["rows"]] == wanted
    assert [found[f"pair-{k}"]["id"] for k in range(3)] == wanted


def test_differences_are_counted_by_kind() -> None:
    path = exactmatch.show("(a / b :x (c / d) :q 1)", "(a / b :x (c / e) :y a)", "page.html")
    found = contents(path)
    assert found["page-data"]["kinds"] == ["instance", "relation", "attribute"]
    counts = {"instance": [1, 0, 0, 0], "relation": [0, 0, 1, 0], "attribute": [0, 1, 0, 0]}
    assert found["page-data"]["rows"][0]["kinds"] == counts


@pytest.mark.parametrize("metric", by_day(["smatch", "s2match", "mrp", "counter"], 2))
def test_every_metric_with_a_mapping(metric: str) -> None:
    """Numbers of triples, labels and variables are in range, and each triple is shown."""
    files = {
        "mrp": ("mrp/system.mrp", "mrp/gold.mrp"),
        "counter": ("drs/system.clf", "drs/gold.clf"),
    }.get(metric, ("paper/system.amr", "paper/gold.amr"))
    words = ["--vectors", str(INSTANCES / "vectors" / "words.txt")] if metric == "s2match" else []
    show(*(str(INSTANCES / file) for file in files), "-o", "page.html", "--metric", metric, *words)
    found = contents("page.html")
    for name, pair in found.items():
        if name == "page-data":
            continue
        for side in ("system", "gold"):
            graph = pair[side]
            for label, *variables in graph["triples"]:
                assert 0 <= label < len(pair["labels"])
                assert all(0 <= v < len(graph["variables"]) for v in variables)
            told = {piece[1] for _, pieces in graph["text"] for piece in pieces}
            drawn = {
                piece[1] for node in graph["nodes"] for line in node["lines"] for piece in line
            }
            drawn |= {edge["triple"] for edge in graph["edges"]}
            assert told - {None} == drawn - {None} == {*range(len(graph["triples"]))}


def test_what_cannot_be_shown() -> None:
    assert (
        "no pair is called nobody" in show(A, B, "-o", "x.html", "--id", "nobody", status=1).stderr
    )
    assert "sembleu" in show(A, B, "-o", "x.html", "--metric", "sembleu", status=2).stderr
    Path("own.html").write_text("(a / b)\n", encoding="utf-8")
    assert "overwritten" in show("own.html", B, "-o", "own.html", status=2).stderr
    assert not Path("x.html").exists() and Path("own.html").read_text("utf-8") == "(a / b)\n"
    assert "standard output" in show(A, B, "-o", "-", status=2).stderr
    assert not Path("-").exists()
    assert "--worst" in show(A, B, "-o", "x.html", "--sort", "gap", status=2).stderr
    Path("file").write_text("", encoding="utf-8")
    assert "file" in show(A, B, "-o", "file", status=1).stderr


def test_skipped_pairs_are_told() -> None:
    Path("broken.amr").write_text("(a / b\n\n(c / d)\n", encoding="utf-8")
    Path("gold.amr").write_text("(a / b)\n\n(c / d)\n", encoding="utf-8")
    show("broken.amr", "gold.amr", "-o", "x.html", "--on-error", "skip", status=1)
    page = contents("x.html")["page-data"]
    assert page["notes"] == ["pairs skipped: 1"] and len(page["rows"]) == 1


def test_help_says_that_the_worst_are_shown_alone() -> None:
    help = {
        command: " ".join(CliRunner().invoke(main, [command, "--help"]).stdout.split())
        for command in ("show", "score")
    }
    assert "Show only the N worst pairs." in help["show"]
    assert "Also show the N worst pairs, by --sort." in help["score"]


@pytest.mark.slow
def test_a_limit_of_its_own_keeps_a_page_short() -> None:
    show(A, B, "-o", "whole.html")
    show(A, B, "-o", "some.html", "--view-limit", "60")
    whole, some = contents("whole.html"), contents("some.html")
    assert some["page-data"] == whole["page-data"]
    excerpts = [name for name in some if "part" in some[name]]
    assert excerpts and all(some[name] == whole[name] for name in {*some} - {*excerpts})
    for name in excerpts:
        assert some[name]["score"] == whole[name]["score"]
        sizes = [
            sum(len(pairs[name][side][what]) for side in ("system", "gold")
                for what in ("variables", "triples"))
            for pairs in (some, whole)
        ]  # fmt: skip
        assert sizes[0] <= 60 < sizes[1] == some[name]["part"]["size"]
    exactmatch.show(Path(A), Path(B), "function.html", view_limit=60)
    assert contents("function.html") == some
    with pytest.raises(UsageError, match="view_limit"):
        exactmatch.show(Path(A), Path(B), "x.html", view_limit=0)


def test_labels_cannot_leave_their_place() -> None:
    label = '"</script><script>window.hacked=1</script><!--\u2028"'
    exactmatch.show(f"(a / b :name {label})", "(a / b)", "page.html")
    text = Path("page.html").read_text(encoding="utf-8")
    assert "hacked=1</script>" not in text and "<!--\u2028" not in text
    assert any("hacked" in "".join(words) for words in contents("page.html")["pair-0"]["labels"])


class Browser(webbrowser.BaseBrowser):
    """Records the address that it is told to open."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.opened: list[str] = []

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.opened.append(url)
        return True


def browser_in(patch: pytest.MonkeyPatch, name: str = "firefox") -> list[str]:
    """Install a browser of this name; return the list of addresses it is told to open."""
    browser = Browser(name)
    patch.setattr("webbrowser.get", lambda: browser)
    return browser.opened


def temporary_pages(patch: pytest.MonkeyPatch, folder: Path) -> Path:
    folder.mkdir()
    patch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_without_a_file_the_page_is_temporary_and_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = temporary_pages(monkeypatch, tmp_path / "temporary")
    opened = browser_in(monkeypatch)
    result = show(A, B, "--id", "study.7")
    (page,) = folder.glob("*/pairs.html")
    assert opened == [page.as_uri()] and result.stdout == ""
    assert f"note: opened {page}\n" in result.stderr
    assert [row["id"] for row in contents(page)["page-data"]["rows"]] == ["study.7"]


@pytest.mark.parametrize("name", ["", "/usr/bin/w3m"])
def test_without_a_browser_it_is_said_where_the_page_is(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A terminal browser runs no scripts, so it would show an empty page."""

    def no_browser() -> None:
        raise webbrowser.Error("none")

    folder = temporary_pages(monkeypatch, tmp_path / "temporary")
    opened = browser_in(monkeypatch, name)
    if not name:
        monkeypatch.setattr("webbrowser.get", no_browser)
    result = show(A, B, "--worst", "1")
    (page,) = folder.glob("*/pairs.html")
    assert f"note: {page}: no browser was found" in result.stderr and "-o" in result.stderr
    assert opened == [] and result.stdout == ""


def test_an_error_leaves_no_temporary_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = temporary_pages(monkeypatch, tmp_path / "temporary")
    show(A, "nobody.amr", status=1)
    assert [*folder.iterdir()] == []


def test_scores_open_their_pages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened = browser_in(monkeypatch)
    score = exactmatch.score(Path(A), Path(B), ids=["study.7", "study.8"])
    assert score.show("two.html") == Path("two.html")
    assert opened == [(tmp_path / "two.html").as_uri()]
    assert [row["id"] for row in contents("two.html")["page-data"]["rows"]] == [
        "study.7",
        "study.8",
    ]
    for pair in (
        exactmatch.best_mapping("(a / b)", "(a / c)", top="none"),
        exactmatch.best_mappings("(a / b)", "(a / c)", top="none"),
    ):
        page = pair.show()
        assert contents(page)["pair-0"]["score"]["matched"] == pair.matched == 0
        page.unlink()
        page.parent.rmdir()
    with pytest.raises(UsageError, match="does not know its graphs"):
        score.per_pair[0].show()
    with pytest.raises(UsageError, match="read once"):
        exactmatch.score(iter(["(a / b)"]), "(a / b)").show("x.html")


def test_a_page_of_repaired_graphs_says_so_in_its_signature() -> None:
    """As the score of the same files does."""
    Path("open.amr").write_text("(a / b :ARG0 (c / d)\n", encoding="utf-8")
    Path("whole.amr").write_text("(a / b :ARG0 (c / d))\n", encoding="utf-8")
    show("open.amr", "whole.amr", "--repair", "-o", "repaired.html")
    show("whole.amr", "whole.amr", "-o", "plain.html")
    said = [contents(name)["page-data"]["signature"] for name in ("repaired.html", "plain.html")]
    assert ["|repair:on|" in one for one in said] == [True, False]
