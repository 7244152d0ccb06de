"""Tables of reifications: those of the package, those of users, and malformed ones."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main
from exactmatch.metrics.amr.reifications import NAMED, Reification, named_table, parse_table
from exactmatch.metrics.registry import METRICS, metric_labelled
from exactmatch.metrics.smatch import Smatch

ROLE, NODE = "(b / b :near (c / c))", "(b / b :from-of (z / be-near :to (c / c)))"
TABLE = "# ours\n\n:near\tbe-near\t:from\tto\n"


def run(*words: Any) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)


def test_the_tables_of_the_package() -> None:
    penman, smatchpp = (named_table(name) for name in NAMED)
    assert (len(penman.rules), len(smatchpp.rules)) == (37, 28)
    assert len({rule.role for rule in penman.rules}) == 35
    assert len(set(penman.rules) & set(smatchpp.rules)) == 27
    degree = Reification("degree", "have-degree-91", "ARG1", "ARG2")
    assert set(smatchpp.rules) - set(penman.rules) == {degree}
    assert penman.digest != smatchpp.digest


def test_penmans_table_is_that_of_penman() -> None:
    amr = pytest.importorskip("penman.models.amr")
    rules = [tuple(word.removeprefix(":") for word in rule) for rule in amr.reifications]
    assert [tuple(rule) for rule in named_table("penman-1.3.1").rules] == rules


@pytest.mark.parametrize("concept, table", [("have-degree-91", 1), ("have-degree-92", 0)])
def test_each_table_knows_its_own_concept_of_degree(concept: str, table: int) -> None:
    gold = f"(t / tall :ARG1-of (h / {concept} :ARG2 (v / very)))"
    for name in NAMED:
        metric = exactmatch.metric("smatch", reification="collapse", reification_table=name)
        found = exactmatch.best_mapping("(t / tall :degree (v / very))", gold, metric=metric)
        assert (found.f1 == 1) == (name == NAMED[table])


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(TABLE)
    for given in (path, str(path)):
        collapsing = exactmatch.metric("smatch", reification="collapse", reification_table=given)
        assert exactmatch.best_mapping(ROLE, NODE, metric=collapsing).f1 == 1
        assert exactmatch.best_mapping(ROLE, NODE).f1 < 1
    found = exactmatch.score(ROLE, NODE, reification="expand", reification_table=str(path))
    assert found.f1 == 1
    digest = parse_table(TABLE.encode().splitlines(), "x").digest[:12]
    end = f"|reification:collapse|reification-table:file|table:{digest}"
    assert collapsing.signature().endswith(end)
    path.write_text(TABLE + "far\tbe-far\tfrom\tto\n")
    other = exactmatch.metric("smatch", reification="collapse", reification_table=path)
    assert other.signature() != collapsing.signature()


def test_certificates_name_the_table(tmp_path: Path) -> None:
    table, proofs = tmp_path / "table.tsv", tmp_path / "proofs.jsonl"
    table.write_text(TABLE)
    files = [tmp_path / "system.amr", tmp_path / "gold.amr"]
    for path, text in zip(files, (ROLE, NODE), strict=True):
        path.write_text(text)
    options = ["--reification", "expand", "--reification-table", table]
    scored = run("score", *files, *options, "--certificates", proofs, "--mappings", tmp_path / "m")
    assert scored.exit_code == 0, scored.stderr
    assert "6 of 6" in scored.stdout
    assert "b:near" in (tmp_path / "m").read_text()
    triples = json.loads(run("export", *files, *options, "--to", "triples").stdout)
    assert [["instance", "be-near"], ["b:near"]] in triples["test"]["triples"]
    without = run("verify", proofs, *files)
    assert (
        without.exit_code == 2
        and "other similarities, synonyms, tables, lengths or credits" in without.stderr
    )
    verified = run("verify", proofs, *files, "--reification-table", table)
    assert verified.exit_code == 0 and "verified: 1" in verified.stdout
    table.write_text(TABLE + "far\tbe-far\tfrom\tto\n")
    assert run("verify", proofs, *files, "--reification-table", table).exit_code == 2


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "holds no reification"),
        ("# nothing\n", "holds no reification"),
        ("quant have-quant-91 ARG1 ARG2\n", ":1: 'quant have-quant-91 ARG1 ARG2': expected a role"),
        ("quant\thave-quant-91\tARG1\n", ":1: .* expected a role"),
        ("\nquant\t\tARG1\tARG2\n", ":2: .* expected a role"),
        ("quant\thave-quant-91\tARG1\tARG1\n", "both have the role ARG1"),
        ("a\tb\tc\td\n\xff\n", ":2: byte 0xff is not UTF-8"),
    ],
)
def test_what_is_no_table(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(exactmatch.InputError, match=reason):
        exactmatch.metric("smatch", reification="collapse", reification_table=path)


def test_a_table_that_is_not_there() -> None:
    there = f"the tables are {', '.join(NAMED)}"
    for name in ("no-such", "file"):
        with pytest.raises(exactmatch.UsageError, match=f"'{name}': no such file; {there}"):
            exactmatch.score(ROLE, NODE, reification="expand", reification_table=name)
    unnamed = Smatch(reification="expand", reification_table="file")
    with pytest.raises(exactmatch.UsageError, match="name the file"):
        exactmatch.best_mapping(ROLE, NODE, metric=unnamed)


def test_the_first_rule_counts() -> None:
    rules = b"a\tx\tf\tt\na\ty\tf\tt\nb\tx\tt\tf\n".splitlines()
    table = parse_table(rules, "table")
    metric = Smatch().with_choices(reification="expand", reification_table=table)
    (graph,) = exactmatch.loads("(p / p :a (q / q) :b (r / r))")
    assert [t.name for t in metric.normalise(graph).triples if t.kind == "instance"] == [
        *("p", "x", "q", "x", "r")
    ]
    back = metric.with_choices(reification="collapse")
    (graph,) = exactmatch.loads("(p / p :f-of (x / x :t (q / q)) :f-of (y / y :t (r / r)))")
    assert [t.name for t in back.normalise(graph).triples if t.kind == "relation"] == ["a", "a"]


@pytest.mark.parametrize("name", ["smatch", "s2match"])
def test_a_signature_names_what_is_on(name: str) -> None:
    default = METRICS[name].profiles["default"]
    off = ("wiki", "reification", "coordination", "constants")
    assert not any(f"|{choice}" in default.signature() for choice in off)
    collapsing = default.with_choices(reification="collapse")
    assert "|reification:collapse|reification-table:penman-1.3.1" in collapsing.signature()
    dropping = default.with_choices(wiki="drop")
    assert "|wiki:drop" in dropping.signature() and "|reification" not in dropping.signature()


def test_a_signature_names_all_files(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(TABLE)
    similar = tmp_path / "similar.txt"
    similar.write_text("cat dog 0.5\n")
    metric = exactmatch.metric(
        "s2match", similarity=similar, reification="collapse", reification_table=path
    )
    signature = metric.signature()
    assert "|table:" in signature and "|similarity:" in signature


def test_labels_from_before_are_read() -> None:
    """Certificates that were written without these choices stay valid."""
    before = [
        "top",
        "duplicates",
        "strings",
        "inverse",
        "mod",
        "inverse_constants",
        "case",
        "quotes",
        "underscores",
    ]
    choices = {name: getattr(Smatch(), name) for name in [*before, "surface_alignments"]}
    choices["top"] = "none"
    content = {"metric": "smatch", "profile": "custom", "choices": choices, "files": {}}
    label = json.dumps(content, separators=(",", ":"))
    assert metric_labelled(label).label() == label
