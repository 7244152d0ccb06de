"""Graphs of PENMAN as text in JSON lines."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import GraphError
from exactmatch.graphs.graph import MRP, PENMAN, Graph
from exactmatch.graphs.readers.detect import cut_texts, metadata, read_text
from exactmatch.graphs.readers.recognition import recognise
from exactmatch.graphs.readers.source import text_chunks

#: The text of a graph on several lines, one of them empty, and its triples, counted by hand.
TEXT = "(w / want-01\n\n   :ARG0 (b / boy))  # done"
TRIPLES = [("/", "w", "want-01"), ("ARG0", "w", "b"), ("/", "b", "boy")]


def records(*objects: dict[str, object]) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


def only(record: dict[str, object]) -> Graph | GraphError:
    found = read_text(records(record), "f")
    assert found.format == PENMAN
    (graph,) = found.graphs
    return graph


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


@pytest.mark.parametrize("key", ["amr", "graph", "penman", "output", "prediction"])
@pytest.mark.parametrize("sentence", ["snt", "sentence", "text"])
def test_the_text_under_a_key_is_the_graph(key: str, sentence: str) -> None:
    graph = only({"id": "x.1", sentence: "A boy\nwants.", "score": 3, key: TEXT})
    assert isinstance(graph, Graph)
    found = [(t.relation, *(argument[0] for argument in t.arguments)) for t in graph.triples]
    assert found == TRIPLES
    assert (graph.tops, graph.location, graph.format) == (("w",), ("f", 1), PENMAN)
    assert graph.identifier == "x.1"
    assert dict(graph.metadata) == {"id": "x.1", "snt": "A boy wants."}


def test_a_record_takes_precedence_over_comments_in_its_text() -> None:
    text = f"# ::id own ::tok A boy\n# ::snt Own.\n{TEXT}"
    graph = only({"id": 7, "amr": text})
    assert isinstance(graph, Graph) and graph.identifier == "7"
    assert dict(graph.metadata) == {"id": "7", "tok": "A boy", "snt": "Own."}
    graph = only({"amr": text, "sentence": "C ::id y"})
    assert isinstance(graph, Graph) and graph.identifier == "own"
    assert graph.metadata["id"] == "own" and graph.metadata["snt"] == "C :: id y"


def test_metadata_is_known_without_reading_the_graph() -> None:
    bad, good = cut_texts(text_chunks('{"amr": 1}\n{"amr": "# ::snt S.\\n(a"}\n'), "f").texts
    assert (dict(metadata(bad)), dict(metadata(good))) == ({}, {"snt": "S."})


#: Records without a readable graph, and the errors.
BAD: dict[str, str] = {
    '{"id": "x", "amr": ""}': 'found "" under amr, expected the text of a graph',
    '{"id": "x", "amr": null}': "found null under amr, expected the text of a graph",
    '{"id": "x", "amr": ["(a / b)"]}': 'found ["(a / b)"] under amr, expected the text of a graph',
    '{"id": "x", "tgt": "(a / b)"}': "no graph; expected one of the keys amr, graph, ",
    '{"id": "x", "amr": "(a / b)", "prediction": "(c / d)"}': "both amr and prediction may hold",
    '{"id": "x", "amr": "(a / b\\n :ARG0 c"}': "this parenthesis is not closed",
    '{"id": "x", "amr": "# ::id x"}': "an identifier without a graph",
    '{"id": "x", "amr": "(a / b)\\u0000"}': "a NUL byte",
    '{"id": "x", "amr": "(a / \\ud800)"}': "byte 0xed is not UTF-8",
    '{"id": "x", "amr": "(a / b': "not JSON (",
    '["x"]': "no object of JSON",
    '{"n": ' + 5000 * "1" + "}": "a number with too many digits",
    '{"n": ' + 100_000 * "[": "nested too deeply",
}


@pytest.mark.parametrize("line", BAD, ids=range(len(BAD)))
def test_a_bad_record_costs_its_graph_alone(line: str) -> None:
    good = '{"id": "%s", "amr": "(a / b)"}'
    first, error, last = read_text(f"{good % 1}\n\n{line}\r\n{good % 3}", "f").graphs
    assert isinstance(first, Graph) and isinstance(last, Graph)
    assert isinstance(error, GraphError)
    named = " (id x)" if line.startswith('{"id": "x"') and line.endswith("}") else ""
    assert str(error).startswith(f"f:3: graph 2{named}: {BAD[line]}"), error
    assert last.location == ("f", 4)


def test_faults_in_a_text_are_in_the_line_of_the_record(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(
        records({"amr": "(a / b)"}, {"amr": "# ::id y\n(a / b\n :x (c\n :y))"}), "utf-8"
    )
    done = run("check", file)
    assert done.exit_code == 1
    assert f"{file}:2: graph 2 (id y): no-concept: variable c has no concept\n" in done.output
    assert f"{file}:2: graph 2 (id y): no-value: role :y has no value\n" in done.output


def test_only_records_with_a_graph_as_text_are_recognised() -> None:
    def form(*lines: str) -> str:
        return recognise(line.encode() for line in lines)

    assert form('{"id": "x", "framework": "amr", "nodes": []}') == MRP
    assert form('{"id": "x", "nodes": [], "graph": "(a / b)"}') == MRP
    assert form("{}", '{"id": 1}') == MRP
    assert form('{"id": "x", "nodes": [', '{"id": "x", "framework": "amr"}') == MRP
    assert form('{"id": "x", "amr": "(a', "", '{"id": "x", "amr": "(a / b)"}') != MRP
    assert form('{"id": 1}', '{"id": 1, "amr": null}') != MRP
    assert form('{"id": 1, "tgt": " (a / b)"}') != MRP
    assert form('{"id": 1, "tgt": "text"}', "") == MRP


@pytest.mark.parametrize("kind", ["gzip", "mark", "windows"])
def test_files_score_as_their_graphs(kind: str, tmp_path: Path) -> None:
    """Of 3 triples and the root, system and gold share 3; the second pair is equal (2 of 2)."""
    file, gold = tmp_path / "a.jsonl", tmp_path / "gold.amr"
    data = records({"id": "1", "amr": TEXT}, {"id": "2", "amr": "(o / ok)"}).encode()
    if kind == "gzip":
        data = gzip.compress(data)
    if kind == "mark":
        data = b"\xef\xbb\xbf" + data
    if kind == "windows":
        data = data.replace(b"\n", b"\r\n").replace(b"\\n", b"\\r\\n")
    file.write_bytes(data)
    gold.write_text("# ::id 2\n(x / OK)\n\n# ::id 1\n(w / want-01 :ARG0 (g / girl))\n", "utf-8")
    done = run("score", file, gold, "--pair-by", "id")
    assert "F1          0.8333    0.8333" in done.output
    score = exactmatch.score(file, gold, pair_by="id")
    assert isinstance(score, exactmatch.CorpusScore)
    assert (score.matched, score.system_total, score.gold_total) == (5, 6, 6)
    page = tmp_path / "page.html"
    assert run("show", file, gold, "--id", "1", "--pair-by", "id", "-o", page).exit_code == 0
    assert "want-01" in page.read_text("utf-8")


def test_texts_in_python_are_such() -> None:
    text = records({"id": "x", "amr": TEXT})
    (graph,) = exactmatch.loads(text)
    assert isinstance(graph, Graph) and graph.identifier == "x"
    score = exactmatch.score(text, TEXT.replace("\n\n", "\n"))
    assert (score.matched, score.gold_total) == (4, 4)


def test_unreadable_records_can_be_repaired_or_left_out(tmp_path: Path) -> None:
    file, gold = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    file.write_text(records({"amr": "(a / b :x (c / d)"}, {"amr": "no"}), "utf-8")
    gold.write_text(records({"amr": "(a / b :x (c / d))"}, {"amr": "(e / f)"}), "utf-8")
    done = run("score", file, gold, "--repair", "--on-error", "skip")
    assert done.exit_code == 1
    assert "1.0000    1.0000    4 of 4" in done.stdout
    assert (
        "note: " + f"{file}:1: graph 1: 1 parenthesis missing at the end: repaired" in done.stderr
    )


def test_chosen_graphs_are_written_in_penman(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in "ab"]
    for file in files:
        file.write_text(records({"id": "1", "snt": "S.", "amr": f"# ::tok S .\n{TEXT}"}), "utf-8")
    best = tmp_path / "best.amr"
    assert run("choose", *files, "-o", best).exit_code == 0
    lines = ["# ::tok S .", "# ::id 1", "# ::snt S.", "(w / want-01", "   :ARG0 (b / boy))  # done"]
    assert best.read_text("utf-8").splitlines() == lines


def test_pages_of_adjudication_show_penman(tmp_path: Path) -> None:
    one, other = tmp_path / "a.jsonl", tmp_path / "b.txt"
    one.write_text(records({"id": "1", "amr": "(w / want-01 :ARG0 (b / boy))"}), "utf-8")
    other.write_text("# ::id 1\ninstance(x, want-01) ^\nARG1(x, y) ^\ninstance(y, boy)\n", "utf-8")
    assert run("adjudicate", one, other, "-o", tmp_path / "pages").exit_code == 0
    batch = json.loads((tmp_path / "pages" / "batch.json").read_text("utf-8"))
    texts = [" ".join(graph["text"].split()) for graph in batch["items"][0]["graphs"]]
    assert texts == ["(w / want-01 :ARG0 (b / boy))", "(x / want-01 :ARG1 (y / boy))"]
