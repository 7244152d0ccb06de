"""The files of a study: graphs of the same item, and unreadable graphs."""

import gzip
import json
import os
import re
import threading
from pathlib import Path
from typing import get_args

import pytest
from nightly import by_day
from study_files import FEW, blocks_of, run, tables, write

from exactmatch.errors import GraphError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.graph import Graph, Mending
from exactmatch.graphs.pairing import MISSING, Missing, Unread, read_mended
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.studies.common import sweep
from exactmatch.studies.ranking import scored_pair


@pytest.mark.parametrize(
    "words, status, message",
    [
        (("iaa", "a.amr"), 2, "agreement takes at least two files"),
        (("iaa", "a.amr", "x.amr"), 1, "no item is in both a and x"),
        (("iaa", "a.amr", "nowhere.amr"), 1, "nowhere.amr: No such file"),
        (("iaa", "a.amr", "-"), 2, "a study needs named files"),
        (("iaa", "y.amr", "z.amr"), 1, "no graph has an identifier"),
        (("iaa", "a.amr", "broken.amr"), 1, "broken.amr:2: graph 1 (id study.1)"),
        (("iaa", "a.amr", "twice.amr"), 1, "identifier study.1 occurs twice"),
        (("iaa", "a.amr", "b.amr", "--table", "none"), 2, "'none' is not one of 'agreement'"),
        (("iaa", "a.amr", "b.amr", "--confidence", "2"), 2, "a confidence of 2.0"),
        (("iaa", "a.amr", "b.amr", "--confidence", "0.9999999999999999"), 2, "too near to 1"),
        (("iaa", "a.amr", "b.amr", "-o", "a.amr"), 2, "would be overwritten"),
        (("iaa", "a.amr", "x.amr", "--pair-by", "position"), 1, "number of graphs"),
        (("compare", "a.amr", "--gold", "x.amr"), 1, "no item is in both a and x"),
        (("search-error", "a.amr"), 2, "name a system and a gold standard"),
        (("search-error", "a.amr", "b.amr", "--scores", "x"), 2, "--scores needs --from"),
    ],
)
def test_bad_requests_are_refused(
    files: Path, words: tuple[str, ...], status: int, message: str
) -> None:
    write("x.amr", ["# ::id other\n(a / b)"])
    write("y.amr", ["(a / b)"])
    write("z.amr", ["(a / b)", "(a / c)"])
    write("broken.amr", ["# ::id study.1\n(a / b"])
    write("twice.amr", [blocks_of("a.amr")[0], blocks_of("a.amr")[0]])
    result = run(*words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr


def test_an_annotator_who_skipped_items(files: Path) -> None:
    write("c.amr", blocks_of("c.amr")[5:])
    words = ("iaa", *FEW, "a.amr", "b.amr", "c.amr", "--format", "json")
    result = run(*words)
    assert result.exit_code == 1
    assert result.stderr == "note: c lacks 5 items; the first is study.1\n"
    found = json.loads(result.stdout)
    assert [row["pairs"] for row in found["tables"]["pairs"]] == [6, 1, 1]
    assert [row["item"] for row in found["tables"]["lacking"]] == [
        f"study.{k}" for k in range(1, 6)
    ]
    assert any("left out where the file is compared" in note for note in found["notes"])
    common = json.loads(run(*words, "--missing", "common").stdout)
    assert [row["pairs"] for row in common["tables"]["pairs"]] == [1, 1, 1]
    empty = json.loads(run(*words, "--missing", "empty").stdout)
    assert [row["pairs"] for row in empty["tables"]["pairs"]] == [6, 6, 6]
    assert empty["tables"]["pairs"][1]["f1"] < found["tables"]["pairs"][1]["f1"]
    assert (
        "Items that a file lacks (5 of c) are left out everywhere; the last table lists them."
        in common["notes"]
    )
    assert (
        "Items that a file lacks (5 of c) are compared as empty graphs, unless both files that are "
        "compared lack them; the last table lists them." in empty["notes"]
    )
    assert common["notes"][0].startswith("1 item. ") and empty["notes"][0].startswith("6 items. ")


def test_every_way_to_treat_missing_items_has_a_policy() -> None:
    assert get_args(Missing) == (*MISSING,)


def test_unreadable_graphs_are_taken_as_missing_if_asked(files: Path) -> None:
    write("a.amr", ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:]])
    result = run("iaa", *FEW, "a.amr", "b.amr", "--on-error", "skip")
    assert result.exit_code == 1
    assert "this parenthesis is not closed" in result.stderr
    assert "Unreadable: a.amr:2: graph 1 (id study.1)" in result.stdout


def test_position_where_identifiers_repeat(files: Path) -> None:
    for name in ("a.amr", "b.amr"):
        write(name, [text.replace("study.2", "study.1") for text in blocks_of(name)])
    found = tables("iaa", *FEW, "a.amr", "b.amr")
    assert found["pairs"][0]["pairs"] == 6
    assert "study.1#2" in {row["item"] for row in found["items"]}
    assert distinct(["x", "y", "x", "x"]) == ["x", "y", "x#2", "x#3"]


def test_position_where_identifiers_differ(files: Path) -> None:
    write("x.amr", ["# ::id one\n(a / b)", "(c / d)", "# ::id three\n(e / f)"])
    write("y.amr", ["(a / b)", "# ::id two\n(c / d)", "# ::id other\n(e / f)"])
    result = run("iaa", *FEW, "x.amr", "y.amr", "--pair-by", "position")
    note = "note: paired by position, though identifiers differ (1): three and other\n"
    assert (result.exit_code, result.stderr) == (0, note)
    write("y.amr", ["(a / b)", "# ::id two\n(c / d)", "# ::id three\n(e / f)"])
    assert tables("iaa", *FEW, "x.amr", "y.amr", "--pair-by", "position")["pairs"][0]["pairs"] == 3


@pytest.mark.parametrize(
    "words, options",
    by_day(
        [
            ("compare less.amr b.amr", "--worst 5 --pair-by id"),
            ("compare less.amr b.amr --metric smatch,sembleu", "--worst 5 --pair-by id"),
            ("compare a.amr b.amr --repair", "--worst 5 --repair"),
            ("explain less.amr b.amr --between default paper-2013", "--pair-by id"),
            ("iaa less.amr b.amr --top none --items 3", "--id study.3 --top none --pair-by id"),
            (
                "iaa other.amr b.amr --pair-by position --profile smatch-1.0.4",
                "--id study.3 --pair-by position --profile smatch-1.0.4",
            ),
        ],
        2,
    ),
)
def test_the_next_step_pairs_and_counts_as_the_study(
    files: Path, words: str, options: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("less.amr", blocks_of("a.amr")[:-1])
    write("other.amr", [block.replace("::id study", "::id other") for block in blocks_of("a.amr")])
    monkeypatch.setattr("exactmatch.cli.screen.columns_of", lambda _: 1000)
    (step,) = re.findall(r"^Next: `exactmatch (diff .*?)`", run(*words.split()).stdout, re.M)
    assert step.removeprefix(f"diff {' '.join(words.split()[1:3])} ") == options
    assert "triples matched of" in run(*step.split()).stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_files_may_be_pipes(files: Path) -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(
        target=lambda: Path("pipe").write_bytes(gzip.compress(Path("a.amr").read_bytes()))
    )
    writer.start()
    piped = tables("iaa", *FEW, "pipe", "b.amr")
    writer.join()
    (plain,) = tables("iaa", *FEW, "a.amr", "b.amr")["pairs"]
    assert piped["pairs"] == [plain | {"first": "pipe"}]


@pytest.mark.slow
def test_every_graph_that_cannot_be_read_is_reported(files: Path) -> None:
    """Errors after the first are reported, too, from all files, also of items in one file only."""
    write("a.amr", ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:], "# ::id more\n(a"])
    write("b.amr", [*blocks_of("b.amr")[:4], "# ::id study.5\n(a / b :x", blocks_of("b.amr")[5]])
    for workers in "12":
        result = run("iaa", "a.amr", "b.amr", "--workers", workers, "--certificates", "proofs")
        assert (result.exit_code, result.stdout) == (1, "")
        for place in ("graph 1 (id study.1)", "graph 7 (id more)", "graph 5 (id study.5)"):
            assert place in result.stderr
    assert not list(Path("proofs").glob("*.jsonl"))
    many = [f"# ::id x{k}\n(a / b" for k in range(25)]
    write("many.amr", [blocks_of("c.amr")[0], *many])
    result = run("compare", "many.amr", "--gold", "c.amr")
    assert result.stderr.count("many.amr:") == 20
    assert "... and 5 more" in result.stderr


def test_nothing_in_common_but_what_cannot_be_read(files: Path) -> None:
    write("x.amr", ["# ::id study.1\n(a / b", "# ::id other\n(a / b)"])
    for words in (("iaa", "a.amr"), ("principles", "a.amr"), ("correlate", "a.amr")):
        result = run(*words, "x.amr", "--on-error", "skip")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "no item is in both a and x" in result.stderr
    result = run("iaa", *FEW, "a.amr", "x.amr", "b.amr", "--missing", "common")
    assert (result.exit_code, result.stdout) == (1, "")


def test_unreadable_graphs_count_as_missing_in_every_way(files: Path) -> None:
    broken = ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:]]
    without = blocks_of("a.amr")[1:]
    for missing in ("pairwise", "common", "empty"):
        found = []
        for blocks in (broken, without):
            write("a.amr", blocks)
            words = (
                "iaa",
                *FEW,
                "a.amr",
                "b.amr",
                "c.amr",
                "--on-error",
                "skip",
                "--missing",
                missing,
            )
            content = json.loads(run(*words, "--resamples", "99", "--format", "json").stdout)
            content["tables"]["items"].sort(key=lambda row: row["item"])
            content["tables"]["annotators"].sort(key=lambda row: row["annotator"])
            found.append(content["tables"])
        assert found[0] == found[1]


def test_notes_on_graphs_are_told(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def noted(text: Unread | None, mending: Mending) -> Graph | GraphError | None:
        found = read_mended(text, mending)
        if not isinstance(found, Graph) or not isinstance(text, GraphText) or text.number != 2:
            return found
        return found._replace(notes=(f"{text.source}: something is odd",))

    monkeypatch.setattr(sweep, "read_mended", noted)
    monkeypatch.setattr(
        scored_pair, "counter_of", lambda *_: None
    )  # which takes texts without notes
    short = (
        ("search-error", "--method", "s"),
        ("principles", "--seeds", "1", "--metric", "smatch"),
    )
    alike = (("iaa",), *short, ("correlate",))
    between = ("--between", "default", "paper-2013")
    for command in (*alike, ("explain", *between), ("compare", "--gold")):
        result = run(command[0], "a.amr", *command[1:], "b.amr", "--seed", "1")
        assert result.exit_code == 0
        assert result.stderr == "".join(f"note: {x}.amr: something is odd\n" for x in "ab")
        assert "Notes on graphs, printed on standard error: 2." in result.stdout


@pytest.mark.parametrize("command", ["iaa", "search-error", "choose"])
def test_studies_mend_graphs_as_the_profile_does(command: str, files: Path) -> None:
    """In `smatch-1.0.4`, the last parentheses may be missing; elsewhere that is an error."""
    write("a.amr", ["(s / sing-01 :ARG0 (b / bird)"])
    write("b.amr", ["(s / sing-01 :ARG0 (b / bird))"])
    words = (command, "a.amr", "b.amr", *(["b.amr"] if command == "choose" else []))
    mended = run(*words, "--profile", "smatch-1.0.4")
    assert mended.exit_code == 0 and "is not closed" not in mended.stderr
    assert "is not closed" in run(*words).stderr


def test_annotators_of_a_rotating_design_are_compared_where_they_share_items(files: Path) -> None:
    """Here, a and b share no item, and c shares two with either."""
    for name, items in (("a", slice(0, 3)), ("b", slice(3, 6)), ("c", slice(1, 5))):
        write(f"r{name}.amr", blocks_of(f"{name}.amr")[items])
    words = ("iaa", "ra.amr", "rb.amr", "rc.amr")
    result = run(*words, "--format", "json", "--certificates", "proofs", "--pages", "pages")
    assert result.exit_code == 1  # as with any missing item
    found = json.loads(result.stdout)
    rows = [(row["first"], row["second"], row["pairs"]) for row in found["tables"]["pairs"]]
    assert rows == [("ra", "rc", 2), ("rb", "rc", 2)]
    assert "No item in common, so not compared: ra and rb." in found["notes"]
    (mean,) = found["tables"]["agreement"]
    assert (mean["annotators"], mean["files"], mean["items"]) == (3, 2, 4)
    assert found["tables"]["micro_f1"][0]["rb"] is None
    for first, second in (("a", "c"), ("b", "c")):
        alone = json.loads(run("iaa", f"r{first}.amr", f"r{second}.amr", "--format", "json").stdout)
        assert alone["tables"]["pairs"][0] in found["tables"]["pairs"]
    verified = run("verify", "proofs", "--format", "json")
    assert (verified.exit_code, json.loads(verified.stdout)["sentence"]) == (0, found["sentence"])
    assert sorted(path.name for path in Path("pages").iterdir()) == ["ra--rc", "rb--rc"]
    alone = run("iaa", *FEW, "ra.amr", "rb.amr").stderr
    assert alone.startswith("error: no item is in both ra and rb (to pair by position: ")
    both = run(*words[:3], "--consensus", "c.amr", "--format", "json")
    assert [row["between"] for row in json.loads(both.stdout)["tables"]["agreement"]] == [
        "each with c"
    ]


def test_an_item_that_both_files_lack_is_not_compared_as_empty_graphs(files: Path) -> None:
    write("b.amr", blocks_of("b.amr")[:4])
    write("c.amr", blocks_of("c.amr")[1:3])
    result = run("iaa", *FEW, "a.amr", "b.amr", "c.amr", "--missing", "empty", "--format", "json")
    rows = json.loads(result.stdout)["tables"]["pairs"]
    assert [(row["first"], row["second"], row["pairs"]) for row in rows] == [
        ("a", "b", 6),
        ("a", "c", 6),
        ("b", "c", 4),
    ]


def test_search_errors_of_a_rotating_design(files: Path) -> None:
    write("ra.amr", blocks_of("a.amr")[:3])
    write("rb.amr", blocks_of("b.amr")[3:])
    words = ("search-error", "--every-two", "ra.amr", "rb.amr", "c.amr", "--method", "s")
    result = run(*words, "--seeds", "1", "--format", "json", "--certificates", "proofs")
    found = json.loads(result.stdout)
    assert "No item in common, so not compared: ra and rb." in found["notes"]
    assert [*found["tables"]["scores"][0]] == ["method", "ra / c", "rb / c"]
    verified = run("verify", "proofs", "--format", "json")
    assert (verified.exit_code, json.loads(verified.stdout)["sentence"]) == (0, found["sentence"])
