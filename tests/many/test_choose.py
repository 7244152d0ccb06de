"""``exactmatch choose`` copies one graph of each item unchanged, and writes a line on it."""

import gzip
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from samples import random_graph

import exactmatch
from exactmatch.cli import main

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
AGREEMENT = [str(INSTANCES / "agreement" / f"{name}.amr") for name in ("a", "b", "consensus")]


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["choose", *map(str, words)], catch_exceptions=False)


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, *texts: str) -> Path:
    path.write_text("\n\n".join(texts) + "\n", encoding="utf-8", newline="\n")
    return path


@pytest.fixture
def random_files(tmp_path: Path) -> list[Path]:
    rng = random.Random(9)
    files = []
    for name in "abcd":
        texts = [f"# ::id x{k}\n{random_graph(rng, rng.randint(1, 6))[0]}" for k in range(40)]
        files.append(write(tmp_path / name, *texts))
    return files


def test_the_choice_is_that_of_candidates(random_files: list[Path]) -> None:
    found = lines(run(*random_files))
    every = lines(run(*random_files, "--all"))
    graphs = zip(*map(exactmatch.load, random_files), strict=True)
    spared = 0
    for one, exact, several in zip(found, every, graphs, strict=True):
        expected = exactmatch.candidates(list(several))
        assert one["chosen"] == exact["chosen"] == expected.best
        assert one["file"] == str(random_files[expected.best])
        assert one["id"] == exact["id"] == several[0].identifier
        assert exact["means"] == exact["means_upper"] == expected.means.tolist()
        for lower, mean, upper in zip(
            one["means"], exact["means"], one["means_upper"], strict=True
        ):
            assert lower <= mean <= upper
        assert one["proven"]
        assert sum(one["stages"].values()) == 6
        spared += sum(one["stages"][stage] for stage in ("totals", "labels", "dual"))
    assert spared > 20


@pytest.mark.nightly
def test_workers_change_nothing(random_files: list[Path], tmp_path: Path) -> None:
    outputs = [tmp_path / name for name in ("1", "2", "c1", "c2")]
    one = run(*random_files, "-o", outputs[0], "--consensus", outputs[2], "--workers", "1")
    two = run(*random_files, "-o", outputs[1], "--consensus", outputs[3], "--workers", "2")
    assert one.stdout == two.stdout
    assert one.stderr == two.stderr
    first, second, agreed, again = (path.read_bytes() for path in outputs)
    assert first == second
    assert agreed == again != first


def test_where_files_are_written_only_a_summary_is_printed(
    random_files: list[Path], tmp_path: Path
) -> None:
    plain = run(*random_files)
    best, agreed, items = (tmp_path / name for name in ("best", "agreed", "items"))
    for words in (("-o", best), ("--consensus", agreed), ("--per-item", items)):
        result = run(*random_files, *words)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.startswith("40 items, chosen of\n")
        assert len(result.stdout.splitlines()) < 12
        assert agreed in words or result.stdout == plain.stderr
    assert items.read_text("utf-8") == plain.stdout
    assert len(lines(plain)) == 40
    assert "named for two outputs" in run(*random_files, "-o", best, "--per-item", best).stderr


def test_the_summary_is_in_plain_words(random_files: list[Path]) -> None:
    summary = run(*random_files).stderr
    assert "small, solved and proven at once" in summary
    assert not re.search("cover|dual|clique", summary)


def test_graphs_stand_as_in_their_files(tmp_path: Path) -> None:
    odd = "# ::id x1 ::snt Caf\u00e9\n# a remark\n(a / x\n\t:ARG0   (b / y))"
    one = write(tmp_path / "one", odd, "# ::id x2\n(a / x)")
    other = tmp_path / "other.gz"
    other.write_bytes(gzip.compress(b"# ::id x1\r\n(a / x :ARG0 (b / y))\r\n\r\n\r\n(c / z)\r\n"))
    output = tmp_path / "best"
    assert run(one, other, one, "-o", output).exit_code == 0
    assert output.read_bytes() == one.read_bytes()
    assert run(other, one, other, "-o", output).exit_code == 0
    assert output.read_bytes() == b"# ::id x1\n(a / x :ARG0 (b / y))\n\n(c / z)\n"


@pytest.mark.parametrize("name", ["mrp/gold.mrp", "drs/gold.clf"])
def test_graphs_of_other_formats_are_chosen(name: str, tmp_path: Path) -> None:
    path, output, items = INSTANCES / name, tmp_path / "best", tmp_path / "items"
    assert run(path, path, "-o", output, "--per-item", items).exit_code == 0
    found = lines_of(items)
    assert {line["chosen"] for line in found} == {0}
    assert all(line["stages"]["equal"] == sum(line["stages"].values()) for line in found)
    before, after = exactmatch.load(path), exactmatch.load(output)
    assert [graph.triples for graph in before] == [graph.triples for graph in after]
    assert "consensus needs graphs" in run(path, path, "--consensus", tmp_path / "c").stderr


def test_a_consensus_or_what_was_chosen(tmp_path: Path) -> None:
    files = [
        write(tmp_path / "a", "# ::id x1\n(s / sing-01 :ARG0 (b / bird))", "(a / x)"),
        write(
            tmp_path / "b", "# ::id x1\n(s / sing-01 :ARG0 (c / bird) :mod (n / now))", "(a / y)"
        ),
        write(tmp_path / "c", "# ::id x1\n(s / sing-01 :ARG0 (c / bird) :time (n / i))", "(a / z)"),
    ]
    output, items = tmp_path / "agreed", tmp_path / "items"
    words = (*files, "--consensus", output, "--per-item", items)
    result = run(*words)
    assert [line["faults"] for line in lines_of(items)] == [[], ["a has no concept"]]
    assert output.read_text("utf-8") == (
        "# ::id x1\n(s / sing-01\n   :ARG0 (b / bird))\n\n(a / x)\n"
    )
    assert "1 item whose consensus is an AMR" in " ".join(result.stdout.split())
    assert run(*words, "--threshold", "0.9").exit_code == 0
    assert lines_of(items)[1]["faults"]
    assert run(*files, "--consensus", output, "--threshold", "2").exit_code == 2


def test_what_cannot_be_read(tmp_path: Path) -> None:
    broken = write(tmp_path / "broken", "(a / x", "(b / y", "(c / z)")
    good = write(tmp_path / "good", "(a / x)", "(b / y", "(c / z)")
    output, items = tmp_path / "best", tmp_path / "items"
    result = run(broken, good, broken, "-o", output, "--per-item", items)
    assert result.exit_code == 1  # there is an item without any
    found = lines_of(items)
    assert [line["chosen"] for line in found] == [1, 0, 0]
    assert [line["unreadable"] for line in found] == [[0, 2], [0, 1, 2], []]
    assert output.read_text("utf-8") == "(a / x)\n\n(b / y\n\n(c / z)\n"
    assert "note: " in result.stderr
    assert f"{broken} (2 unreadable)" in result.stdout
    stopped = run(broken, good, "--on-error", "stop")
    assert stopped.exit_code == 1
    assert stopped.stdout == ""
    assert "error: " in stopped.stderr


def test_files_are_paired_by_identifier(tmp_path: Path) -> None:
    one = write(tmp_path / "one", "# ::id x\n(a / x)", "# ::id y\n(a / y)")
    other = write(tmp_path / "other", "# ::id y\n(b / y)", "# ::id z\n(b / z")
    items = tmp_path / "items"
    result = run(one, other, "--pair-by", "id", "-o", tmp_path / "best", "--per-item", items)
    assert result.exit_code == 1  # of z there is no graph that can be read
    found = lines_of(items)
    assert [(line["id"], line["chosen"]) for line in found] == [("x", 0), ("y", 0), ("z", 1)]
    assert "other: no graph x" in result.stderr
    assert (tmp_path / "best").read_text("utf-8").count("::id") == 3


def test_files_that_do_not_go_together(tmp_path: Path) -> None:
    one = write(tmp_path / "one", "# ::id x\n(a / x)", "(a / y)")
    short = write(tmp_path / "short", "(a / x)")
    named = write(tmp_path / "named", "# ::id z\n(a / x)", "(a / y)")
    assert "number of graphs: 1 in" in run(one, short).stderr
    assert "graph 1: identifier x at" in run(one, named).stderr
    assert "name at least two files" in run(one).stderr
    assert "is an input" in run(one, one, "-o", one).stderr
    assert "only one of the files" in run("-", "-").stderr
    assert "maps no variables" in run(one, one, "--metric", "sembleu").stderr
    clauses = write(tmp_path / "clauses", "b1 REF x1")
    assert "clause form" in run(one, clauses).stderr


def test_files_have_weights(tmp_path: Path) -> None:
    files = [write(tmp_path / name, f"(a / {name})") for name in "pq"]
    files += [write(tmp_path / "r", "(a / q :ARG0 (b / p))")]
    (even,) = lines(run(*files, "--all"))
    (weighted,) = lines(run(*files, "--weights", "1,0.5,0", "--all"))
    assert even["means"] != weighted["means"]
    assert run(*files, "--weights", "1,1").exit_code == 2
    assert run(*files, "--weights", "1,x,1").exit_code == 2


def test_what_is_not_proven(tmp_path: Path) -> None:
    rng = random.Random(3)
    files = [write(tmp_path / name, random_graph(rng, 40)[0]) for name in "abcd"]
    result = run(*files, "--timeout", "0", "--require-optimal")
    assert result.exit_code == 3
    assert "not proven: 1 choices" in result.stderr


def test_among_annotations_every_choice_is_proven() -> None:
    found = lines(run(*AGREEMENT, "--metric", "smatch", "--profile", "smatch-1.0.4"))
    assert len(found) == len(exactmatch.load(AGREEMENT[0]))
    assert all(line["proven"] for line in found)
