"""AMRs in MRP score as the same AMRs in PENMAN do, by every metric that compares AMRs."""

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nightly import by_day
from samples import only_graph, random_graph

import exactmatch
from exactmatch.cli import main
from exactmatch.graphs.graph import CONCEPT, Constant, Graph, Triple, Variable
from exactmatch.metrics.amr.as_amr import as_amr

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
WORDS = INSTANCES / "vectors" / "words.txt"


def as_mrp(amr: Graph, identifier: str) -> str:
    """Return an AMR as its line of MRP: numbers for variables, values without their quotes."""
    number = {variable: k for k, variable in enumerate(amr.variables)}
    nodes: dict[int, dict[str, Any]] = {
        k: {"id": k, "properties": [], "values": []} for k in number.values()
    }
    edges = []
    for role, (source, target), _ in amr.triples:
        assert isinstance(source, Variable)
        node = nodes[number[source.name]]
        if isinstance(target, Variable):
            normal = {"normal": role[:-3]} if role.endswith("-of") else {}
            ends = {"source": node["id"], "target": number[target.name]}
            edges.append({**ends, "label": role, **normal})
        elif role == CONCEPT:
            node["label"] = target.text
        else:
            node["properties"].append(role)
            node["values"].append(plain(target.text))
    return json.dumps(
        {
            **{"id": identifier, "framework": "amr", "tops": [number[top] for top in amr.tops]},
            **{"nodes": list(nodes.values()), "edges": edges},
        }
    )


def plain(text: str) -> str:
    return text[1:-1].replace('\\"', '"') if text.startswith('"') else text


def converted(texts: list[str]) -> list[str]:
    return [as_mrp(only_graph(text), str(number)) for number, text in enumerate(texts)]


@cache
def from_file(name: str) -> list[str]:
    return (INSTANCES / name).read_text(encoding="utf-8").strip().split("\n\n")


@cache
def converted_file(name: str) -> list[str]:
    return converted(from_file(name))


FILES = ["agreement/a.amr agreement/consensus.amr", "agreement/c.amr agreement/d.amr"]
COUNTED = {
    "smatch": exactmatch.metric("smatch"),
    "sembleu": exactmatch.metric("sembleu"),
    "smatch-1.0.4": exactmatch.metric("smatch", profile="smatch-1.0.4"),
    "s2match": exactmatch.metric("s2match", vectors=WORDS),
    "sembleu, program": exactmatch.metric("sembleu", profile="program"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", by_day(COUNTED, 2))
@pytest.mark.parametrize("files", by_day(FILES))
def test_files_score_the_same_in_both_formats(files: str, name: str) -> None:
    wanted, found = (
        exactmatch.score(*map(texts_of, files.split()), metric=COUNTED[name], breakdown=True)
        for texts_of in (from_file, converted_file)
    )
    for one, other in zip(found.per_pair, wanted.per_pair, strict=True):
        assert (one.matched, one.system_total, one.gold_total, one.value) == (
            *(other.matched, other.system_total, other.gold_total, other.value),
        )
    assert (found.matched, found.value) == (wanted.matched, wanted.value)
    assert found.matched == found.matched_upper


@pytest.mark.parametrize("profile", ["default", "smatch-1.0.4"])
def test_random_graphs_score_the_same(profile: str) -> None:
    rng = random.Random("in mrp")
    for _ in range(60):
        texts = [random_graph(rng, rng.randint(1, 6))[0] for _ in range(2)]
        wanted, found = (
            exactmatch.best_mapping(*sides, metric="smatch", profile=profile)
            for sides in (texts, [as_mrp(only_graph(text), "1") for text in texts])
        )
        assert (found.matched, found.system_total, found.gold_total) == (
            *(wanted.matched, wanted.system_total, wanted.gold_total),
        ), texts


#: A role and a value, and what the same value is in MRP.
VALUES = {
    "a number like that of a node": (":quant 1", 1),
    "words that begin with such a number": (':op1 "1 men"', "1 men"),
    "an empty string": (':op1 ""', ""),
    "a letter and a quote": (r':op1 "a\""', 'a"'),
    "a quote": (r':op1 "\""', '"'),
    "words in quotes": (r':op1 "say \"hi\""', 'say "hi"'),
    "capitals": (':op1 "Obama"', "Obama"),
    "a sign": (":polarity -", "-"),
    "the name of a link": (':wiki "Cuneo_(Italy)"', "Cuneo_(Italy)"),
}


@pytest.mark.parametrize("profile", ["default", "smatch-1.0.4"])
@pytest.mark.parametrize("written, value", VALUES.values(), ids=VALUES)
def test_values_are_read_as_amrs_have_them(written: str, value: object, profile: str) -> None:
    def line(name: str, said: object, first: int) -> str:
        """Return a graph of two nodes, the first one called *first*, and a property."""
        second = {"id": first + 1, "label": "b", "properties": [name], "values": [said]}
        edge = {"source": first, "target": first + 1, "label": "ARG0"}
        nodes = [{"id": first, "label": "a"}, second]
        content = {"id": "1", "framework": "amr", "tops": [first]}
        return json.dumps({**content, "nodes": nodes, "edges": [edge]})

    role = written.split()[0].removeprefix(":")
    system = f"(x / a :ARG0 (y / b {written}))", line(role, value, 0)
    golds = [
        (system[0], line(role, value, 10)),
        (f'(v / a :ARG0 (w / b :{role} "a"))', line(role, "a", 0)),
        (f"(v / a :ARG0 (w / b :{role} 1))", line(role, 1, 10)),
    ]
    for gold in golds:
        wanted, found = (
            exactmatch.best_mapping(*sides, metric="smatch", profile=profile)
            for sides in zip(system, gold, strict=True)
        )
        assert (found.matched, found.system_total, found.gold_total) == (
            *(wanted.matched, wanted.system_total, wanted.gold_total),
        )


def test_the_triples_are_those_of_the_amr() -> None:
    line = {
        **{"id": "1", "framework": "amr", "input": "a bird", "tops": [3]},
        "nodes": [
            {"id": 3, "label": "sing-01", "properties": ["polarity"], "values": ["-"]},
            {"id": 7, "label": "bird", "anchors": [{"from": 2, "to": 6}]},
        ],
        "edges": [
            {"source": 7, "target": 3, "label": "ARG0-of", "normal": "ARG0"}
            | {"attributes": ["remote"], "values": [True]}
        ],
    }
    sing, bird = Variable("3"), Variable("7")
    graph = as_amr(only_graph(json.dumps(line)))
    assert graph.triples == (
        Triple(CONCEPT, (sing, Constant("sing-01"))),
        Triple("polarity", (sing, Constant('"-"'))),
        Triple(CONCEPT, (bird, Constant("bird"))),
        Triple("ARG0-of", (bird, sing)),
    )
    assert (list(graph.variables), graph.tops) == (["3", "7"], ("3",))
    amr = only_graph("(a / b)")
    assert as_amr(amr) is amr


@pytest.mark.slow
def test_graphs_of_another_framework_are_refused(tmp_path: Path) -> None:
    lines = [
        '{"id": "7", "framework": "amr", "nodes": [{"id": 0, "label": "a"}]}',
        '{"id": "7", "framework": "eds", "nodes": [{"id": 0, "label": "a"}]}',
    ]
    path = tmp_path / "two.mrp"
    path.write_text("\n".join(lines), encoding="utf-8")
    for metric in ("smatch", "rematch"):
        for workers in ("1", "2"):
            words = ["score", str(path), str(path), "--metric", metric, "--workers", workers]
            result = CliRunner().invoke(main, words)
            assert (result.exit_code, result.stdout) == (1, "")
            assert result.stderr == (
                f"error: {path}:2: graph eds/7 is of framework eds; this metric compares AMRs\n"
            )
    without = '{"id": "7", "framework": "amr", "nodes": [{"id": 0, "label": "a"}, {"id": 5}]}'
    with pytest.raises(exactmatch.InputError, match="graph amr/7: node 5 has no label"):
        exactmatch.score(without, without, metric="smatch")


def test_commands_take_amrs_in_mrp(tmp_path: Path) -> None:
    """Commands give the same output for files in MRP and for the same graphs in PENMAN."""
    said = []
    for end in ("amr", "mrp"):
        a, b, gold = (tmp_path / f"{name}.{end}" for name in ("a", "b", "consensus"))
        for path in (a, b, gold):
            texts = from_file(f"agreement/{path.stem}.amr")[:4]
            joined = "\n\n".join(texts) if end == "amr" else "\n".join(converted(texts))
            path.write_text(joined, encoding="utf-8")
        proofs = tmp_path / "proofs.jsonl"
        metric = ("--metric", "smatch")
        files = ("--certificates", proofs, "--mappings", tmp_path / f"mappings.{end}")
        scored = run("score", a, gold, *metric, *files, "--format", "json")
        assert (scored["optimal"], scored["certified"]) == (4, 4)
        verified = run("verify", proofs, a, gold, "--format", "json")
        assert (verified["verified"], verified["refuted"]) == (4, 0)
        options = (*metric, "--format", "json")
        iaa = run("iaa", a, b, "--consensus", gold, *options)
        ranked = run("compare", a, b, "--gold", gold, *options, "--resamples", "20")
        searched = run("search-error", a, gold, *options, "--seeds", "1", "--method", "s+4r")
        tables = iaa["tables"]["pairs"], ranked["tables"]["ranking"]
        name = {"amr": "study.1", "mrp": "amr/0"}[end]
        model = run("export", a, gold, *metric, "--id", name, "--to", "json")
        exact = searched["tables"]["scores"][1]
        said.append((scored["f1"], *tables, list(exact.values()), model["terms"]))
    assert said[0] == said[1]
    mappings = (tmp_path / "mappings.mrp").read_text(encoding="utf-8")
    assert re.search(r"^\d+ / \S+ +\d+ / \S+$", mappings, re.MULTILINE)


def run(*words: object) -> Any:
    result = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)
