"""The JSON of StreamSide."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import GraphError
from exactmatch.graphs.graph import PENMAN, Graph
from exactmatch.graphs.readers.detect import cut_texts, metadata, read_text
from exactmatch.graphs.readers.source import text_chunks

#: The graph below, as it looks in PENMAN.
AMR = '(c0 / want-01 :ARG0 (c1 / boy :name (c3 / name :op1 "Jo")) :ARG1 (c4 / go-02 :ARG0 c1))'


def concept(name: str, *, attribute: bool = False) -> dict[str, Any]:
    return {"name": name, "token_ids": [], "attribute": attribute, "first_token_id": 0}


def relation(parent: str, label: str, child: str, *, referent: bool = False) -> dict[str, Any]:
    return {"parent_id": parent, "child_id": child, "label": label, "referent": referent}


def graph(name: str = "x.1") -> dict[str, Any]:
    return {
        "tid": name,
        "annotator": "ann",
        "last_saved": "25/06/2021 16:32:49",
        "tokens": ["Jo", "wants", "to", "go"],
        "concepts": {
            "c0": concept("want-01"),
            "c1": concept("boy"),
            "a2": concept('"Jo"', attribute=True),
            "c3": concept("name"),
            "c4": concept("go-02"),
        },
        "relations": {
            "r0": relation("c0", "ARG0", "c1"),
            "r1": relation("c1", "name", "c3"),
            "r2": relation("c3", "op1", "a2"),
            "r3": relation("c0", "ARG1", "c4"),
            "r4": relation("c4", "ARG0", "c1", referent=True),
        },
        "covered_token_ids": [],
        "_concept_id": 5,
        "_relation_id": 5,
    }


def written(*graphs: dict[str, Any]) -> str:
    """Return a file as StreamSide writes it."""
    lines = ",\n".join("    " + json.dumps(each) for each in graphs)
    return f'{{\n  "graphs": [\n{lines}\n  ]\n}}\n'


@pytest.mark.parametrize("form", ["file", "lines", "one line"])
def test_graphs_are_those_of_the_conversion_of_streamside(form: str) -> None:
    both = [graph("x.1"), graph("x.2")]
    text = written(*both)
    if form == "lines":
        text = "".join(json.dumps(each) + "\n" for each in both)
    if form == "one line":
        text = json.dumps({"graphs": both})
    file = read_text(text, "f")
    assert file.format == PENMAN
    first, second = file.graphs
    assert isinstance(first, Graph) and isinstance(second, Graph)
    (expected,) = exactmatch.loads(AMR)
    assert isinstance(expected, Graph)
    assert sorted(map(str, first.triples)) == sorted(map(str, expected.triples))
    assert (first.tops, first.notes) == (("c0",), ())
    lines = {"file": (3, 4), "lines": (1, 2), "one line": (1, 1)}[form]
    assert (first.location.line, second.location.line) == lines
    assert (first.identifier, second.identifier) == ("x.1", "x.2")
    assert first.metadata == {
        "id": "x.1",
        "save-date": "25/06/2021 16:32:49",
        "annotator": "ann",
        "snt": "Jo wants to go",
    }


def test_metadata_is_known_without_reading_the_graph() -> None:
    (text,) = cut_texts(text_chunks(written({**graph(), "relations": 1})), "f").texts
    assert metadata(text)["snt"] == "Jo wants to go"
    _, text = cut_texts(text_chunks(json.dumps(graph()) + '\n{"tid"'), "f").texts
    assert metadata(text) == {}


def changed(**members: Any) -> dict[str, Any]:
    return {**graph(), **members}


#: Graphs that cannot be read, and the reasons.
BAD: list[tuple[dict[str, Any], str]] = [
    (changed(concepts={}, relations={}), "empty graph"),
    (changed(relations={"r0": relation("c0", "x", "c9")}), "x leads from or to c9, no concept"),
    (changed(relations={"r0": {"label": "x"}}), "not the concepts and relations"),
    (changed(relations=[1]), "not the concepts and relations"),
    (changed(concepts={"c0": "x"}), "not the concepts and relations"),
    (
        changed(relations={"r0": relation("c3", "op1", "a2"), "r1": relation("a2", "mod", "c1")}),
        "attribute a2 has a relation mod",
    ),
]


@pytest.mark.parametrize(("bad", "reason"), BAD, ids=range(len(BAD)))
def test_a_bad_graph_costs_itself(bad: dict[str, Any], reason: str) -> None:
    first, error, last = read_text(written(graph("1"), bad, graph("3")), "f").graphs
    assert isinstance(first, Graph) and isinstance(last, Graph)
    assert isinstance(error, GraphError)
    assert str(error).startswith(f"f:4: graph 2 (id x.1): {reason}")


def test_a_file_in_another_layout_is_an_error() -> None:
    error, *_ = read_text(json.dumps({"graphs": [graph()]}, indent=1), "f").graphs
    assert isinstance(error, GraphError)
    assert "each graph takes one line" in error.reason


def test_the_first_of_several_roots_is_the_root() -> None:
    names = [f"c{number}" for number in (10, 9, 2)]
    concepts = {name: concept(name.upper()) for name in names}
    (found,) = read_text(written(changed(concepts=concepts, relations={})), "f").graphs
    assert isinstance(found, Graph)
    assert found.tops == ("c2",)
    note = "f:3: graph 1 (id x.1): c2, c9, c10 hang below no other concept; the first is the root"
    assert found.notes == (note,)


def test_a_reentrancy_may_lead_to_the_root() -> None:
    back = {**graph()["relations"], "r5": relation("c4", "source", "c0", referent=True)}
    (found,) = read_text(written(changed(relations=back)), "f").graphs
    assert isinstance(found, Graph)
    assert (found.tops, found.notes) == (("c0",), ())


@pytest.mark.parametrize("kind", ["gzip", "mark", "windows"])
def test_files_score_as_their_graphs(kind: str, tmp_path: Path) -> None:
    file, gold = tmp_path / "a.json", tmp_path / "gold.amr"
    data = written(graph()).encode()
    if kind == "gzip":
        data = gzip.compress(data)
    if kind == "mark":
        data = b"\xef\xbb\xbf" + data
    if kind == "windows":
        data = data.replace(b"\n", b"\r\n")
    file.write_bytes(data)
    gold.write_text(f"# ::id x.1\n{AMR}\n", "utf-8")
    score = exactmatch.score(file, gold, pair_by="id")
    assert (score.matched, score.system_total, score.gold_total) == (10, 10, 10)
    done = CliRunner().invoke(main, ["check", str(file)])
    assert done.exit_code == 0, done.output
    best = tmp_path / "best.amr"
    done = CliRunner().invoke(main, ["choose", str(file), str(file), "-o", str(best)])
    assert done.exit_code == 0, done.output
    (again,) = exactmatch.load(best)
    assert isinstance(again, Graph) and again.metadata["snt"] == "Jo wants to go"
    assert exactmatch.score(best, gold).f1 == 1
