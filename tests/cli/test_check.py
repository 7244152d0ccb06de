"""``exactmatch check``, and the same counts beside scores."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nightly import by_day

from exactmatch.cli import main

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
PAPER = [str(INSTANCES / "paper" / name) for name in ("system.amr", "gold.amr")]
MRP = [str(INSTANCES / "mrp" / name) for name in ("system.mrp", "gold.mrp")]

#: Two faults, a graph that cannot be read, and one that is fine.
BAD = "# ::id x.1\n(a / b :foo 1\n  :foo 1)\n\n# ::id x.2\n(a / b\n\n# ::id x.3\n(a / b)\n"
GOOD = BAD.replace(" :foo 1\n  :foo 1", "").replace("x.2\n(a / b", "x.2\n(a / b)")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.amr").write_text(BAD, encoding="utf-8")
    Path("good.amr").write_text(GOOD, encoding="utf-8")


def run(*words: str, status: int = 0, text: str | None = None) -> Result:
    result = CliRunner().invoke(main, [*words], input=text, catch_exceptions=False)
    assert result.exit_code == status, result.stderr
    return result


@pytest.mark.usefixtures("files")
def test_check_prints_faults_and_ends_with_a_status() -> None:
    assert run("check", "good.amr").stdout == (
        "validity   graphs   faulty\n--------------------------\ngood.amr        3        0\n"
    )
    assert run("check", "bad.amr", "good.amr", status=1).stdout.splitlines() == [
        "bad.amr:2: graph 1 (id x.1): unknown-role: :foo of a",
        "bad.amr:3: graph 1 (id x.1): duplicate: a :foo 1 is repeated from line 2",
        "bad.amr:3: graph 1 (id x.1): unknown-role: :foo of a",
        "bad.amr:6: graph 2 (id x.2): unreadable: this parenthesis is not closed; an empty line "
        "ends a graph",
        "",
        "validity   graphs   faulty   unreadable   duplicate   unknown-role",
        "------------------------------------------------------------------",
        "bad.amr         3        2            1           1              2",
        "good.amr        3        0            0           0              0",
    ]
    lines = run("check", "bad.amr", "--max", "1", status=1).stdout.splitlines()
    assert lines[1] == "bad.amr: 3 more"
    assert "graph" not in run("check", "bad.amr", "--max", "0", status=1).stdout.partition("\n")[2]
    run("check", "bad.amr", "--only", "cycle", "--only", "no-value")
    without = ["--except", "unreadable", "--except", "duplicate", "--except", "unknown-role"]
    run("check", "bad.amr", *without)
    assert run("check", "-", status=1, text=BAD).stdout.startswith("<stdin>:2: graph 1 (id x.1)")


def many(number: int) -> str:
    """Return a graph that can be read, and so many that cannot."""
    return "(a / b)\n" + number * "\n(a / b\n"


COMMANDS = [
    ["score", "many.amr", "same.amr"],
    ["score", "many.amr", "same.amr", "--workers", "2"],
    ["diff", "many.amr", "same.amr"],
    ["show", "many.amr", "same.amr", "-o", "page.html"],
    ["export", "many.amr", "same.amr", "--to", "triples"],
    ["mappings", "many.amr", "same.amr", "--id", "1"],
    ["matrix", "many.amr"],
    ["nearest", "many.amr", "same.amr"],
    ["choose", "many.amr", "same.amr"],
    ["iaa", "many.amr", "same.amr"],
]
NO_SUCH_CHOICES = {("choose", "skip"), ("iaa", "empty")}


@pytest.mark.parametrize(
    ("words", "on_error"),
    by_day(
        [
            (words, on_error)
            for words in COMMANDS
            for on_error in ("skip", "empty")
            if (words[0], on_error) not in NO_SUCH_CHOICES
        ],
        4,
    ),
)
@pytest.mark.usefixtures("files")
def test_messages_about_graphs_are_no_more_than_people_read(
    words: list[str], on_error: str
) -> None:
    for name in ("many", "same"):
        Path(f"{name}.amr").write_text(many(30), encoding="utf-8")
    result = CliRunner().invoke(main, [*words, "--on-error", on_error], catch_exceptions=False)
    notes = [line for line in result.stderr.splitlines() if line.startswith("note: ")]
    if words[0] == "mappings":
        assert notes == []
        return
    more = [note for note in notes if note.startswith("note: ... and ")]
    assert (len(notes) - (" differ" in result.stderr), len(more)) == (21, 1)
    assert more[0].removeprefix("note: ... and ") in ("10 more", "40 more", "42 more")
    if words[0] == "iaa":
        assert notes[0] == "note: many lacks 30 items; the first is 2"


@pytest.mark.usefixtures("files")
def test_few_messages_are_all_told_and_what_sums_up_always_is() -> None:
    for number, told in ((10, 0), (11, 1)):
        for name in ("many", "same"):
            Path(f"{name}.amr").write_text(many(number), encoding="utf-8")
        Path("ids.txt").write_text("nobody\n", encoding="utf-8")
        result = CliRunner().invoke(main, ["diff", "many.amr", "same.amr", "--on-error", "skip"])
        assert result.stderr.count(".amr:") == 20
        assert result.stderr.count("note: ... and 2 more") == told
        assert "note: 0 of 1 pair differs\n" in result.stderr


@pytest.mark.usefixtures("files")
def test_check_writes_json(tmp_path: Path) -> None:
    run("check", "bad.amr", "--format", "json", "-o", "out.json", "--max", "1", status=1)
    content = json.loads(Path("out.json").read_text(encoding="utf-8"))
    (file,) = content["files"]
    counts = file.pop("counts")
    assert {kind: n for kind, n in counts.items() if n} == {
        "unreadable": 1,
        "duplicate": 1,
        "unknown-role": 2,
    }
    fault = {"kind": "unknown-role", "line": 2, "graph": 1, "id": "x.1", "reason": ":foo of a"}
    assert file == {
        "file": "bad.amr",
        "format": "PENMAN",
        "graphs": 3,
        "faulty": 2,
        "faults": [fault],
    }


@pytest.mark.usefixtures("files")
def test_a_file_without_graphs_loses_only_itself() -> None:
    Path("empty.umr").write_bytes(b"")
    Path("answer.txt").write_text("```penman\n(a / b)\n```\n", encoding="utf-8")
    words = ["check", "empty.umr", "good.amr", "answer.txt", "bad.amr", "--only", "unreadable"]
    lines = run(*words, status=1).stdout.splitlines()
    assert lines[0] == "empty.umr:1: unreadable: holds no graph"
    assert lines[1].startswith("answer.txt:1: unreadable: looks like Markdown; expected one of")
    assert lines[2].startswith("bad.amr:6: graph 2 (id x.2): unreadable")
    assert lines[-5:] == [
        "-" * len("validity     graphs   faulty   unreadable"),
        "empty.umr         0        0            1",
        "good.amr          3        0            0",
        "answer.txt        0        0            1",
        "bad.amr           3        1            1",
    ]
    first = json.loads(run(*words, "--format", "json", status=1).stdout)["files"][0]
    (fault,) = first.pop("faults")
    assert (first["format"], first["graphs"], first["counts"]) == (None, 0, {"unreadable": 1})
    assert (fault["line"], fault["graph"], fault["id"]) == (1, None, None)
    github = run(*words, "--format", "github", status=1).stdout
    assert "check%3A unreadable::unreadable: holds no graph\n" in github
    left_out = run("check", "empty.umr", "good.amr", "--except", "unreadable", status=1)
    assert (left_out.stdout, left_out.stderr) == ("", "error: empty.umr: holds no graph\n")


@pytest.mark.usefixtures("files")
def test_files_of_a_folder_are_checked_apart_if_one_cannot_be_read() -> None:
    Path("folder").mkdir()
    Path("folder/a.amr").write_text(GOOD, encoding="utf-8")
    Path("folder/b.amr").write_text(GOOD, encoding="utf-8")
    table = run("check", "folder", "--only", "unreadable").stdout.splitlines()
    assert table[-1].split() == ["folder", "6", "0"]
    Path("folder/c.amr").write_bytes(b"")
    Path("folder/d.amr.gz").write_bytes(gzip.compress(GOOD.encode())[:-9])
    found = run("check", "folder", "--only", "unreadable", status=1)
    assert [line.split() for line in found.stdout.splitlines()[-4:]] == [
        ["folder/a.amr", "3", "0", "0"],
        ["folder/b.amr", "3", "0", "0"],
        ["folder/c.amr", "0", "0", "1"],
        ["folder/d.amr.gz", "0", "0", "1"],
    ]
    assert "folder/d.amr.gz:1: unreadable: broken gzip file" in found.stdout
    left_out = run("check", "folder", "--except", "unreadable", status=1)
    assert (left_out.stdout, left_out.stderr) == ("", "error: folder/c.amr: holds no graph\n")


@pytest.mark.usefixtures("files")
def test_what_is_no_request() -> None:
    assert "'x' is not one of" in run("check", "bad.amr", "--only", "x", status=2).stderr
    assert "only one of the files" in run("check", "-", "-", status=2).stderr
    assert "no kind of faults is left" in run(
        "check", "bad.amr", "--only", "cycle", "--except", "cycle", status=2
    ).stderr  # fmt: skip
    assert "missing" in run("check", status=2).stderr
    assert "No such file" in run("check", "none.amr", status=1).stderr
    run("check", "bad.amr", "-o", "bad.amr", status=2)


@pytest.mark.usefixtures("files")
def test_faults_are_counted_beside_scores() -> None:
    words = ["score", "bad.amr", "good.amr", "--on-error", "skip", "--no-seconds"]
    plain = run(*words, status=1).stdout
    table = (
        "\nvalidity   graphs   faulty   unreadable   duplicate   unknown-role\n"
        "------------------------------------------------------------------\n"
        "bad.amr         3        2            1           1              2\n"
        "good.amr        3        0            0           0              0\n"
    )
    assert run(*words, "--check", status=1).stdout == plain + table
    two = run(*words, "--check", "--metric", "smatch", "--metric", "rematch", status=1).stdout
    assert two.endswith(table) and two.count("validity") == 1
    content = json.loads(run(*words, "--format", "json", status=1).stdout)
    checked = json.loads(run(*words, "--check", "--format", "json", status=1).stdout)
    validity = checked.pop("validity")
    assert checked == content
    assert [(side, found["faulty"]) for side, found in validity.items()] == [
        ("system", 2),
        ("gold", 0),
    ]
    assert validity["system"]["counts"]["unknown-role"] == 2
    both = json.loads(
        run(*words, "--check", "--format", "json", "--metric", "smatch", "--metric", "rematch",
            status=1).stdout
    )  # fmt: skip
    assert both["validity"] == validity and "validity" not in both["metrics"][0]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("words", [[], ["--workers", "2"], ["--pair-by", "id"], ["--ids", "ids"]])
def test_whole_files_are_looked_at(words: list[str]) -> None:
    Path("ids").write_text("x.3\n", encoding="utf-8")
    given = ["score", "bad.amr", "-", "--check", "--on-error", "skip", "--format", "json", *words]
    status = 0 if "--ids" in words else 1
    content = json.loads(run(*given, status=status, text=GOOD).stdout)
    assert [found["graphs"] for found in content["validity"].values()] == [3, 3]
    assert content["validity"]["system"]["faulty"] == 2


def test_faults_of_other_formats_are_counted_beside_scores() -> None:
    content = json.loads(run("score", *MRP, "--check", "--format", "json").stdout)
    assert "no-top" in content["validity"]["gold"]["counts"]
    official = run("score", *MRP, "--check", "--by-framework").stdout
    assert official.startswith(run("score", *MRP, "--by-framework").stdout)
    assert "\n\nvalidity " in official
    resumed = ["score", *PAPER, "--check", "--metric", "sembleu", "--format", "json"]
    assert json.loads(run(*resumed).stdout)["validity"]["gold"]["graphs"] == 1


@pytest.mark.usefixtures("files")
def test_resumed_runs_count_the_whole_files() -> None:
    words = ["score", *PAPER, "--check", "--resume", "kept", "--no-seconds", "--format", "json"]
    assert run(*words).stdout == run(*words).stdout


@pytest.mark.usefixtures("files")
def test_faults_are_counted_beside_ranks() -> None:
    Path("fine.amr").write_text(GOOD, encoding="utf-8")
    words = ["compare", "bad.amr", "fine.amr", "--gold", "good.amr", "--on-error", "skip"]
    words += ["--resamples", "10", "--format", "json"]
    plain = json.loads(run(*words, status=1).stdout)
    content = json.loads(run(*words, "--check", status=1).stdout)
    table = content["tables"].pop("validity")
    assert content["tables"] == plain["tables"]
    kinds = ["unreadable", "duplicate", "unknown-role"]
    assert list(table[0]) == ["file", "graphs", "faulty", *kinds]
    assert [list(row.values()) for row in table] == [
        ["bad", 3, 2, 1, 1, 2],
        ["fine", 3, 0, 0, 0, 0],
        ["good", 3, 0, 0, 0, 0],
    ]
    assert "--check" in content["command"]
