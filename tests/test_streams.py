"""Files as streams of bytes, and the texts of graphs that are cut from them."""

import gzip
import hashlib
import json
import os
import pickle
import random
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from exactmatch.errors import GraphError, InputError
from exactmatch.graph import Graph
from exactmatch.readers import clauses, mrp, penman
from exactmatch.readers import source as reading
from exactmatch.readers.files import GraphText, cut_texts, parse, read_file, read_text
from exactmatch.readers.source import ByteStream, read_lines, text_chunks

INSTANCES = Path(__file__).resolve().parents[1] / "instances"

AMR = """\
# AMR release

# ::id x.1 ::date 2020

# ::snt A dog barks.
(b / bark-01
   # inside
   :ARG0 (d / dog))
 \t
# ::id x.2

# ::id x.3 ::snt
(a / alpha

# ::id ::snt x
  (c / caf\u00e9 :op1 "\u2028")


# ::id x.4
# ::id x.5
(e / eps)
# after it
  # ::id x.6

# ::id x.7

# the last comment
"""
DRS = """\
%%% made by hand

% ::id p.1
% Tom sleeps .
b1 REF x1   % Tom
  % between
b1 Name x1 "tom"

b1 REF
 \t
% ::id p.2

% ::id p.3
b1 REF x1
% ::id p.4
"""
NODE = {"id": "1", "framework": "dm", "nodes": [{"id": 0, "label": "caf\u00e9"}], "tops": [0]}
JSON_LINES = "\n".join(
    [
        json.dumps(NODE),
        " ",
        json.dumps({**NODE, "id": ""}),
        json.dumps({**NODE, "framework": None}),
        '{"id": "2", "framework": "\\ud800"}',
        "[1]",
        '{"id": {}}',
        "\t" + json.dumps({**NODE, "id": "3"}, ensure_ascii=False),
        "{",
    ]
)
TEXTS = {"PENMAN": AMR, "clause form": DRS, "MRP": JSON_LINES}
READERS = {"PENMAN": penman, "clause form": clauses, "MRP": mrp}
LINE_ENDS = ["\n", "\r\n", "\r"]


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def told(graphs: list[Graph | GraphError]) -> list[object]:
    """Return all there is to know of graphs, in a form that can be compared."""
    return [str(g) if isinstance(g, GraphError) else g for g in graphs]


def cut(data: bytes, size: int) -> list[GraphText]:
    lines = reading._text_chunks(pieces(data, size))
    return list(cut_texts(lines, "f").texts)


@pytest.mark.parametrize("end", LINE_ENDS, ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("form", TEXTS)
def test_texts_hold_what_whole_files_hold_wherever_they_are_cut(form: str, end: str) -> None:
    data = ("\ufeff" + TEXTS[form].replace("\n", end)).encode()
    whole = list(READERS[form].read_graphs(data[3:].splitlines(), "f"))
    assert len(whole) >= 4
    for size in (1, 2, 3, 7, 64, len(data)):
        texts = cut(data, size)
        assert {text.format for text in texts} == {form}
        assert told([parse(text) for text in texts]) == told(whole)
        assert [text.identifier for text in texts] == [graph.identifier for graph in whole]
        assert [text.number for text in texts] == list(range(1, len(whole) + 1))


def test_texts_of_random_files() -> None:
    random_lines = ["", " ", "\t ", "# ::id a", "# ::id b", "# ::id", "#", "(a / b", ")", "(c / d)"]
    generator = random.Random(7)
    for _ in range(2000):
        lines = generator.choices(random_lines, k=generator.randint(1, 12))
        text = "\n".join(lines)
        whole = list(penman.read_graphs(text.encode().splitlines(), "f"))
        if not whole:
            with pytest.raises(InputError, match="no graph in it"):
                read_text(text, "f")
            continue
        assert told(read_text(text, "f").graphs) == told(whole), lines


@pytest.mark.parametrize("name", ["agreement/a.amr", "drs/test.clf", "mrp/test.mrp"])
def test_texts_of_real_files(name: str) -> None:
    data = (INSTANCES / name).read_bytes()
    texts = cut(data, 1000)
    reader = READERS[texts[0].format]
    assert told([parse(text) for text in texts]) == told(
        list(reader.read_graphs(data.splitlines(), "f"))
    )


def test_texts_can_be_pickled_and_are_small() -> None:
    (text, *_) = cut_texts(text_chunks(AMR), "f").texts
    again = pickle.loads(pickle.dumps(text))
    assert again == text
    assert told([parse(again)]) == told([parse(text)])
    assert len(pickle.dumps(text)) < len(text.data) + 200


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_gzip_in_any_pieces(size: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reading, "_CHUNK", size)
    text = AMR.replace("\n", "\r\n").encode()
    path = tmp_path / "members.gz"
    members = gzip.compress(b"\xef\xbb\xbf" + text[:100]) + b"\0" * 9 + gzip.compress(text[100:])
    path.write_bytes(members + b"\0")
    assert read_lines(path) == text.splitlines()


def test_broken_gzip_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    whole = gzip.compress(AMR.encode())
    for broken in (whole[:-1], whole[:-9], whole[:40], whole[:2], whole + b"more", whole + b"\x1f"):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=r"x\.gz: broken gzip file: "):
            read_file(path)
    wrong_sum = whole[:-8] + bytes(4) + whole[-4:]
    path.write_bytes(wrong_sum)
    with pytest.raises(InputError, match="broken gzip file"):
        read_file(path)


def test_a_stream_tells_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(AMR.encode()))
    digest = hashlib.sha256()
    with ByteStream(path, watch=digest.update) as stream:
        assert (stream.size, stream.position) == (path.stat().st_size, 0)
        assert b"".join(stream.chunks()) == AMR.encode()
        assert stream.position == stream.size
    assert digest.digest() == hashlib.sha256(path.read_bytes()).digest()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
def test_pipes_are_read_once_and_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    first_is_read = threading.Event()

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            for byte in b"(a / b)\n\n(c":
                pipe.write(bytes([byte]))
            assert first_is_read.wait(60)
            pipe.write(b" / d)")

    writer = threading.Thread(target=write)
    writer.start()
    with ByteStream(path) as stream:
        assert stream.size is None
        texts = cut_texts(stream.chunks(), stream.name).texts
        assert next(texts).data == b"(a / b)"
        first_is_read.set()
        assert [text.data for text in texts] == [b"(c / d)"]
    writer.join()


def test_what_is_cut_off_is_not_kept() -> None:
    def most(number: int) -> int:
        chunks = (f"# ::id {k}\n(a / b :op {k})\n\n".encode() for k in range(number))
        tracemalloc.start()
        for text in cut_texts(chunks, "f").texts:
            parse(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    most(10)
    assert most(2000) < most(200) + 50_000
