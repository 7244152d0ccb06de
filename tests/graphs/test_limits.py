"""Limits of input: a small file may unpack to any size, and must not fill the memory."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nightly import by_day

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.readers import detect, mrp, ratings, recognition, tool_scores, umr_levels
from exactmatch.graphs.readers import group_file as groups
from exactmatch.graphs.readers import source as reading
from exactmatch.graphs.readers import word_files as words
from exactmatch.graphs.readers.detect import cut_texts, read_file, read_text
from exactmatch.graphs.readers.source import ByteStream, read_lines, text_chunks
from exactmatch.graphs.selection import read_ids
from exactmatch.metrics.amr.reifications import parse_table
from exactmatch.metrics.subscores.aspect_files import read_aspects, read_frames

MIB = 1 << 20

#: A graph in each format, larger than what is looked at to tell which one it is.
GRAPHS = {
    "penman": f"# ::id x\n{'# c' * 200}\n(a / b\n   :c d)\n\n",
    "umr": f"# :: snt1\nWords: a\n\n# sentence level graph:\n(s1a / a{' # c' * 200}\n)\n\n",
    "mrp": '{"id": "1", "framework": "eds", "nodes": [{"id": 0, "label": "%s"}]}\n' % ("a" * 600),
    "json": '{"id": "1", "amr": "(a / %s)"}\n' % ("a" * 600),
    "conjunctions": f"# ::id x\n{'# c' * 200}\ninstance(a, b) ^\nc(a, d)\n\n",
    "clauses": "% one\n" + "% c\n" * 200 + 'b1 REF x1\nb1 male "n.02" x1\n\n',
    "camr": "# ::wid x1_a\n" + "# c\n" * 200 + "(x1 / a :mod() x1)\n\n",
    "sbn": "male.n.02\n" + "%%% c\n" * 200 + "female.n.02\n\n",
}


def bomb(path: Path, piece: bytes, times: int) -> Path:
    """Write a file that unpacks to *piece*, again and again, and that is compressed in parts."""
    path.write_bytes(gzip.compress(piece * (times // 100), compresslevel=1) * 100)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("beginning", by_day([b"a", b"(", b" ", b"# ::id x", b'{"a": "', b"\0"], 2))
def test_a_line_without_end_is_an_error(beginning: bytes, tmp_path: Path) -> None:
    path = tmp_path / "line.gz"
    more = gzip.compress(beginning[-1:] * MIB, compresslevel=1)
    path.write_bytes(gzip.compress(b"# one\n\n" + beginning) + more * 65)
    with pytest.raises(InputError) as raised:
        read_file(path)
    assert str(raised.value) == f"{path}:3: a line of more than 64 MiB"


@pytest.mark.parametrize(
    "line",
    [b"#\n", b"% c\n", b"# a\n\n", b"\n", b"# :: x\n", b"(a\n", b"%%% c\n", b"p01/d0877\n", b"\r"],
)
def test_lines_without_a_graph_are_an_error(
    line: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "CHUNK", 1 << 13)
    monkeypatch.setattr(detect, "CHUNK", 1 << 13)
    monkeypatch.setattr(detect, "MOST_LINES_OF_GRAPH", 100_000)
    with pytest.raises(InputError) as raised:
        read_file(bomb(tmp_path / "x.gz", line, 150_000))
    assert str(raised.value) == (
        f"{tmp_path / 'x.gz'}:1: no graph ends within 100,000 lines from here; comments and "
        "empty lines count as well"
    )


@pytest.mark.parametrize("text", GRAPHS.values(), ids=GRAPHS)
def test_only_a_graph_by_itself_can_be_too_large(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detect, "CHUNK", 16)
    monkeypatch.setattr(reading, "CHUNK", 16)
    monkeypatch.setattr(recognition, "ENOUGH", 16)
    monkeypatch.setattr(detect, "LARGEST_GRAPH", len(text))
    graphs = read_text("".join(text.replace("snt1", f"snt{k}") for k in range(1, 9)), "f").graphs
    assert len(graphs) == 8 and not any(isinstance(graph, GraphError) for graph in graphs)
    monkeypatch.setattr(detect, "LARGEST_GRAPH", len(text.strip()) - 2)
    with pytest.raises(InputError, match=r"^f:1: no graph ends within 0 MiB from here"):
        read_text(text * 2, "f")


def test_the_line_after_the_last_graph_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "CHUNK", 1)
    monkeypatch.setattr(reading, "CHUNK", 1)
    monkeypatch.setattr(detect, "MOST_LINES_OF_GRAPH", 10)
    text = "(a / b)\n\n# ::id x\n(c / d\n  :e f)\n\n" + "# more\n" * 20
    texts = cut_texts(text_chunks(text), "f").texts
    assert [found.line for found in (next(texts), next(texts))] == [1, 3]
    with pytest.raises(InputError, match=r"^f:6: no graph ends within 10 lines from here"):
        next(texts)


def test_texts_given_in_python_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert detect.MOST_LINES_OF_GRAPH == 2_000_000
    monkeypatch.setattr(detect, "MOST_LINES_OF_GRAPH", 20_000)
    with pytest.raises(InputError, match=r"^system:1: no graph ends within 20,000 lines"):
        exactmatch.score("#\n" * 30_000 + "(a / b)", "(a / b)")


@pytest.mark.slow
def test_comments_between_empty_lines_are_put_together_once() -> None:
    """Copying all of them each time would take terabytes for so many."""
    text = "# a\n\n\n" * 100_000 + "# ::id x\n(a / b)"
    (found,) = cut_texts(text_chunks(text), "f").texts
    assert (found.line, found.identifier) == (1, "x")
    assert found.data.decode() == text
    assert read_text(text, "f").graphs[0].location.line == 300_002  # type: ignore[union-attr]


#: Comments that are as long as much memory when all of them are held.
LONG = b"#" + b" c" * 450 + b"\n\n"


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the address space")
@pytest.mark.parametrize(
    ("option", "piece", "times"),
    [
        *by_day((None, piece, 15_000_000) for piece in (b"a" * 100, b"# c\n", b"\n", b"# c\n\n")),
        *by_day(("--ids", *given) for given in ((LONG, 3_000_000), (b"a" * 100, 12_000_000))),
        *by_day(("--vectors", *given) for given in ((b"\n", 2_000_000), (b"a" * 100, 12_000_000))),
    ],
)
def test_what_unpacks_to_gigabytes_takes_little_memory(
    option: str | None, piece: bytes, times: int, tmp_path: Path
) -> None:
    """180 MiB in all, of which 65 are for the longest line; or 110, for 250,000 lines of a list.

    75 MiB are for graphs: with smaller chunks, fewer lines are read before the limit is noticed.
    """
    path = bomb(tmp_path / "x.gz", piece, times)
    graph = tmp_path / "a.amr"
    graph.write_text("(a / b)\n", encoding="utf-8")
    files = [str(path)] * 2 if option is None else [str(graph), str(graph), option, str(path)]
    assert reading.CHUNK == 1 << 18
    chunk = 1 << 16 if option is None else reading.CHUNK
    metric = ["--metric", "s2match"] if option == "--vectors" else []
    most = (180 if b"\n" not in piece else 75 if option is None else 110) * MIB
    program = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({most},) * 2);"
        "from exactmatch.__main__ import run; from exactmatch.graphs.readers import detect, source;"
        "source.MOST_LINES = detect.MOST_LINES_OF_GRAPH = 250_000;"
        f"source.CHUNK = detect.CHUNK = {chunk};"
        "sys.argv[1:] = sys.argv[2:]; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "-", "score", *files, *metric, "--workers", "1"],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith(f"error: {path}:"), done.stderr


def tables(path: Path) -> Any:
    return exactmatch.metric("smatch", reification_table=path)


@pytest.mark.parametrize(
    "read",
    [
        read_ids,
        groups.read_groups,
        ratings.read_ratings,
        words.read_vectors,
        words.read_similarities,
        words.read_synonyms,
        words.read_classes,
        read_frames,
        read_aspects,
        tables,
    ],
)
def test_lists_have_limits(
    read: Callable[[Path], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"\n\n" + b"#" * MIB + b"##\n")
    with pytest.raises(InputError, match=r"list:3: a line of more than 1 MiB"):
        read(path)
    monkeypatch.setattr(reading, "MOST_LINES", 4)
    path.write_bytes(b"\n" * 4)
    with pytest.raises(InputError, match=r"^(?!.*more than)"):  # for another reason, if at all
        read(path)
        raise InputError("none")
    path.write_bytes(b"\n" * 5)
    with pytest.raises(InputError, match=r"list:5: more than 4 lines"):
        read(path)


def test_what_is_held_as_a_whole_has_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LARGEST_WHOLE", 20)
    path = tmp_path / "whole"
    path.write_text('{"pairs":\n[{"matched": 1}]}', encoding="utf-8")
    for read in (lambda: tool_scores.read_tool_scores(path, "smatch"), lambda: read_aspects(path)):
        with pytest.raises(InputError, match=r"whole:2: more than 0 MiB"):
            read()


def test_what_holds_all_of_a_pair_may_have_long_lines(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_text(" " * 2 * MIB + '{"pairs": [{"matched": 1}]}', encoding="utf-8")
    assert len(tool_scores.read_tool_scores(path, "smatch").pairs) == 1
    assert [*read_lines(path, longest=3 * MIB)]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_line_may_have_just_so_many_bytes(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "CHUNK", size)
    path = tmp_path / "x"
    for text in (b"abc\nabc\nd", b"abc\n\n\nabc"):
        path.write_bytes(text)
        with ByteStream(path, longest=3) as stream:
            assert b"".join(stream.chunks()) == text
    for text, line in ((b"ab\nabcd\nd", 2), (b"abcd", 1), (b"\n\nabcd", 3)):
        path.write_bytes(text)
        with pytest.raises(InputError, match=rf"x:{line}: a line of more than 0 MiB"):
            [*read_lines(path, longest=3)]


def test_lines_are_those_of_the_file_and_so_is_their_digest(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for text in (b"", b"a", b"a\n", b"a\n\n", b"\n", b"a\r\nb\rc\n\nd"):
        path.write_bytes(text)
        lines = read_lines(path)
        assert [*lines] == text.splitlines()
        again = read_lines(path)
        assert again.whole() == b"\n".join(text.splitlines())
        assert lines.digest() == again.digest()


def test_a_sentence_is_aligned_with_only_so_many_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["a: 1-3, 2-4,2-2", "b: 5-5", "c: 1-1"]
    found = umr_levels.read_surface(rows, "abc")
    assert found.tokens_of == {"a": (1, 2, 3, 4), "b": (5,), "c": (1,)}
    monkeypatch.setattr(umr_levels, "_MOST_TOKENS", 5)
    found = umr_levels.read_surface(rows, "abc")
    assert found.tokens_of == {"a": (1, 2, 3, 4), "b": (5,)}
    assert [(fault.row, fault.reason, fault.lost) for fault in found.faults] == [
        (2, "more than 5 tokens are aligned", "this line is lost")
    ]
    umr_levels.read_surface(["a: " + ",".join(["1-99999"] * 100_000)], "a")


def test_anchors_hold_only_so_much_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds its own: a file of some megabytes would be terabytes."""
    nodes = [{"id": k, "anchors": [{"from": 1, "to": 4}]} for k in range(3)]
    text = json.dumps({"id": "1", "framework": "eds", "input": "abcde", "nodes": nodes})
    monkeypatch.setattr(mrp, "_MOST_ANCHORED", 9)
    assert not isinstance(read_text(text, "f").graphs[0], GraphError)
    monkeypatch.setattr(mrp, "_MOST_ANCHORED", 8)
    (found,) = read_text(text, "f").graphs
    assert isinstance(found, GraphError)
    assert found.reason == "nodes[2].anchors[0]: anchors of more than 8 characters in all"


def test_of_many_broken_graphs_only_some_are_held(tmp_path: Path) -> None:
    path = tmp_path / "x.amr"
    path.write_text("(a / b\n\n" * 500, encoding="utf-8")
    result = CliRunner().invoke(main, ["score", str(path), str(path), "--workers", "1"])
    assert result.exit_code == 1
    assert result.stderr.count("is not closed") == 20
    assert "... and 980 more" in result.stderr


@pytest.mark.parametrize(
    ("read", "rows"),
    [
        (words.read_similarities, "a b {0}"),
        (words.read_synonyms, "{0} b.n.01"),
        (words.read_synonyms, "{0}.n.01 b.n.01\n{0}.n.01 c.n.01"),
        (words.read_classes, "{0} b\n{0} c"),
        (words.read_lengths, "{0} 1\n{0} 2"),
        (lambda path: parse_table([path.read_bytes()], "t"), "{0}"),
        (lambda path: parse_table([path.read_bytes()], "t"), "r\tc\t{0}\t{0}"),
    ],
)
def test_messages_about_long_words_of_lists_are_short(
    read: Callable[[Path], object], rows: str, tmp_path: Path
) -> None:
    path = tmp_path / "list.txt"
    path.write_text(rows.format("7" * 100_000), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read(path)
    assert len(str(caught.value).replace(str(path), "")) < 1000
