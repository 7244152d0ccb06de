"""Files without graphs get a message of their own, and no file of graphs does."""

import bz2
import gzip
import io
import json
import lzma
import pickle
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from exactmatch.cli import main
from exactmatch.cli.score import score
from exactmatch.errors import InputError
from exactmatch.graphs.readers.detect import read_file
from exactmatch.graphs.readers.formats import ALL_DESCRIBED

AMR = b"# ::id 1\n(a / alpha)\n"


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x.amr", AMR)
    return buffer.getvalue()


FOREIGN = {
    gzip.compress(gzip.compress(AMR, mtime=0), mtime=0): "a gzip file inside a gzip file",
    zipped(): "a binary file (zip archive)",
    bz2.compress(AMR): "a binary file (bzip2)",
    lzma.compress(AMR): "a binary file (xz)",
    b"\x28\xb5\x2f\xfd\x04\x00": "a binary file (zstd)",
    b"7z\xbc\xaf\x27\x1c": "a binary file (7-Zip archive)",
    b"\x89PNG\r\n\x1a\n\0": "a binary file (PNG image)",
    b"\xff\xd8\xff\xe0": "a binary file (JPEG image)",
    b"%PDF-1.7\n%\xe2": "a PDF document",
    b"%!PS-Adobe-3.0\n": "a PostScript document",
    AMR.decode().encode("utf-16"): "text in UTF-16",
    pickle.dumps([1, 2]): "a binary file;",
    b"\0\0\0\1": "a binary file;",
    b"x.amr\0\0\0000644": "a binary file;",
    json.dumps([{"id": "1"}]).encode(): "a JSON array (write one object a line, for example by jq",
    b"[\n  {\n": "a JSON array",
    b"[\n" + 2 * b'{"id": "1", "framework": "eds"},\n': "a JSON array",
    b"x.amr\0\0\0000644\n" + AMR: "a binary file;",
    b'"x"\n': "a JSON string or a table",
    b"<!DOCTYPE html>\n<html>": "HTML",
    b"<HTML lang='en'>": "HTML",
    b"<?xml version='1.0'?>\n": "XML",
    b"#SDP 2015\n#20001001\n1\tMs.\t_\n": "semantic dependencies",
    b"1\tMs.\tMs.\tNNP\n": "a table of words (CoNLL)",
    b"id,amr\n1,(a / alpha)\n": "a table (CSV)",
    b"# Title\n\nSome text (with it).\n\n## More\n": "Markdown",
    b"# Title\n\n```\n# ::id 1\n(a / alpha)\n```\n": "Markdown",
    b"See [this](that).\n": "Markdown",
    b"id\tamr\n1\t(a / alpha)\n": "a table (TSV)",
    b"# a comment\nname\tvalue\n": "a table (TSV)",
    b"Only a text.\n": "plain text",
    b"# not a graph\nOnly a text\n(in two lines)\n": "plain text",
}


@pytest.mark.parametrize("content", FOREIGN, ids=range(len(FOREIGN)))
def test_what_is_no_graph_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_file(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:1: looks like {FOREIGN[content]}")
    assert message.endswith(f"; expected one of: {ALL_DESCRIBED}")


def test_help_names_all_formats() -> None:
    assert ALL_DESCRIBED in " ".join((score.help or "").split())


def test_the_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\n \n[1]")
    with pytest.raises(InputError, match="file:3: looks like a JSON array"):
        read_file(path)


MRP = b'{"id": "1", "framework": "eds"}\n'
CLAUSES = b"b1 REF x1\n"


@pytest.mark.parametrize(
    "content, form",
    [
        (AMR, "PENMAN"),
        (b"(a / alpha)", "PENMAN"),
        (b"\xef\xbb\xbf \t(a / alpha)", "PENMAN"),
        (b"#\n\n(a / alpha)", "PENMAN"),
        (b"# x,y;[<\0\n\n(a / alpha)", "PENMAN"),
        (b"(a / person.n.01)", "PENMAN"),
        (b"(a\t/ person.n.01 :x b)", "PENMAN"),
        (b"### [1]\n(a / alpha)", "PENMAN"),
        (b"no graph\n\n(a / alpha)".replace(b" ", b"-"), "PENMAN"),
        (b"It failed, sorry.\n\n(a / alpha)", "PENMAN"),
        (b"# ::snt It failed.\nIt failed, sorry.\n", "PENMAN"),
        (b"# about\nIt failed, sorry.\n\n(a / alpha)", "PENMAN"),
        (b"# about\nnull\n\nnull\n", "PENMAN"),
        (b"\r\r(a / alpha)\r\r(b / beta)\r", "PENMAN"),
        (MRP, "MRP"),
        (b"\n\t " + MRP, "MRP"),
        (CLAUSES, "clause form"),
        (CLAUSES.replace(b" ", b"\t"), "clause form"),
        (b"s1_b1 REF s1_x1\n", "clause form"),
        (b"wrong one here altogether now\n\n" + CLAUSES, "clause form"),
        (CLAUSES.replace(b"\n", b"\0\n"), "clause form"),
        ("(a / alpha)".encode("utf-16-le"), "PENMAN"),
        (b'b1 person "n.01" x1\n', "clause form"),
        (b'b1\tperson\t"n.01"\tx1 % person.n.01 here\n', "clause form"),
        (b"%%% person.n.01\t[x]\n\n" + CLAUSES, "clause form"),
        ("б1 REF x1\n".encode(), "PENMAN"),
        (b"\xff\n" + MRP, "MRP"),
        (b"[1, 2]\n" + AMR, "PENMAN"),
        (b"```\n" + AMR, "PENMAN"),
    ],
)
def test_no_file_of_graphs_is_refused(content: bytes, form: str, tmp_path: Path) -> None:
    for data in (content, gzip.compress(content)):
        path = tmp_path / "file"
        path.write_bytes(data)
        assert read_file(path).format == form


@pytest.mark.parametrize(
    "content, what", [("[1]", "a JSON array"), (100 * "# A\n\nSome more text.\n", "plain text")]
)
@pytest.mark.parametrize("on_error", ["stop", "skip", "empty"])
def test_the_command_line_names_it_once(
    content: str, what: str, on_error: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_text(content, encoding="utf-8")
    result = CliRunner().invoke(main, ["score", str(path), str(path), "--on-error", on_error])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"error: {path}:1: looks like {what}")
    assert result.stderr.count("\n") == 1
    checked = CliRunner().invoke(main, ["check", str(path)])
    assert (checked.exit_code, checked.stderr) == (1, "")
    assert checked.stdout.startswith(f"{path}:1: unreadable: looks like {what}")
    assert checked.stdout.count("looks like") == 1
