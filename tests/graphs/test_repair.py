"""Repair of ill-formed AMRs and UMRs that other readers accept; every repair is reported."""

import csv
import json
import random
from pathlib import Path

import penman
import pytest
from click.testing import CliRunner
from penman.models import noop
from umr_samples import HEAD

import exactmatch
from exactmatch.cli import main
from exactmatch.compat.amr import AMR
from exactmatch.errors import InputError
from exactmatch.graphs.graph import CONCEPT, Graph, RepairableError
from exactmatch.graphs.readers.detect import cut_texts, parse
from exactmatch.graphs.readers.source import text_chunks
from exactmatch.metrics.registry import metric_labelled
from exactmatch.metrics.smatch import Smatch

#: Each with what it is taken for, and how many repairs that takes.
REPAIRED = [
    ("(s / sing-01 :ARG0 (b / bird)", "(s / sing-01 :ARG0 (b / bird))", 1),
    ("(s / sing-01 :ARG0 (b / bird", "(s / sing-01 :ARG0 (b / bird))", 1),
    ("(s / sing-01 :polarity -", "(s / sing-01 :polarity -)", 1),
    ('(s / sing-01 :op1 "a) b" # (\n', '(s / sing-01 :op1 "a) b")', 1),
    ("(b / bird~e.1 # )", "(b / bird~e.1)", 1),
    ("(w / want :ARG0 (b / boy) :ARG1 (b))", "(w / want :ARG0 (b / boy) :ARG1 b)", 1),
    ("(w / want :ARG0 (b) :ARG1 (b / boy))", "(w / want :ARG0 b :ARG1 (b / boy))", 1),
    (
        "(w / want :ARG0 (b / boy :mod (o / old)) :ARG1 (b / boy :mod (y / young)))",
        "(w / want :ARG0 (b / boy :mod (o / old) :mod (y / young)) :ARG1 b)",
        1,
    ),
    ("(b / boy :ARG0-of (b / boy) :ARG1-of (b)", "(b / boy :ARG0-of b :ARG1-of b)", 3),
]

#: What is no graph for others, either, or not the same for all of them.
NO_GRAPH = [
    "(w / want :ARG0 (b / boy) :ARG1 (b / girl))",
    "(w / want :ARG0 (b))",
    "(w / want :ARG0",
    "(w / want :ARG0 (",
    "(w / want :ARG0 (b / ",
    "(w / want :ARG0 )",
    "(w / want :ARG0 (b / boy :ARG1)",
    "(w / want / need)",
    "(w / want) :ARG0 (b / boy)",
    "(w / want))",
    '(w / want :op1 "a)',
    "(w / want) (b / boy)",
]


def read(text: str, *, repair: bool) -> Graph | object:
    (cut,) = cut_texts(text_chunks(text), "f.amr").texts
    return parse(cut._replace(repair=repair))


def facts(graph: object) -> list[tuple[object, ...]]:
    assert isinstance(graph, Graph), graph
    return sorted((t.relation, *t.arguments, *t.marks) for t in graph.triples)


@pytest.mark.parametrize("text, meant, repairs", REPAIRED)
def test_a_graph_that_others_take_is_read_as_they_do(text: str, meant: str, repairs: int) -> None:
    found, wanted = read(text, repair=True), read(meant, repair=False)
    assert isinstance(found, Graph) and isinstance(wanted, Graph)
    assert facts(found) == facts(wanted) and found.tops == wanted.tops
    assert {*found.variables} == {*wanted.variables}
    assert (found.mended, len(found.notes), wanted.mended) == (repairs, repairs, 0)
    assert all(note.startswith("f.amr:1: graph 1: ") for note in found.notes)
    assert all(note.endswith(": repaired") for note in found.notes)


@pytest.mark.parametrize("text", [text for text, _, _ in REPAIRED])
def test_what_can_be_repaired_is_an_error_unless_that_is_asked_for(text: str) -> None:
    error = read(text, repair=False)
    assert isinstance(error, RepairableError)
    with pytest.raises(InputError):
        exactmatch.score(text, "(b / bird)")


@pytest.mark.parametrize("text", NO_GRAPH)
def test_what_is_no_graph_for_others_stays_an_error(text: str) -> None:
    error = read(text, repair=True)
    assert isinstance(error, InputError) and not isinstance(error, RepairableError)
    assert str(error) == str(read(text, repair=False))


@pytest.mark.parametrize("text", [text for text, _, _ in REPAIRED if ")" in text[-3:]])
def test_the_penman_library_takes_variables_without_concepts_so(text: str) -> None:
    found = read(text, repair=True)
    assert isinstance(found, Graph)
    ours = {(a[0][0], t.relation, a[-1][0]) for t in found.triples for a in [t.arguments]}
    try:
        theirs = penman.decode(text, model=noop.model).triples
    except penman.DecodeError:  # it wants its parentheses
        assert found.mended == 1 or text.endswith("(b)")
        return
    names = {CONCEPT: ":instance"}
    wanted = {triple for triple in theirs if triple[2] is not None}
    assert {(a, names.get(r, f":{r}"), b) for a, r, b in ours} == wanted


def _random_amr(rng: random.Random, depth: int, names: list[str]) -> str:
    name = f"x{len(names)}"
    names.append(name)
    parts = [f"({name} / {rng.choice(['bird', 'go-02', 'and'])}"]
    for _ in range(rng.randint(0, 3)):
        role = rng.choice([":ARG0", ":mod", ":ARG1-of", ":op1"])
        kind = rng.randint(0, 3)
        if kind == 0:
            parts.append(f"{role} {rng.choice(names)}")
        elif kind == 1:
            parts.append(f"{role} {rng.choice(['-', '5', 'here'])}")
        elif depth:
            parts.append(f"{role} {_random_amr(rng, depth - 1, names)}")
    return " ".join(parts) + ")"


def test_smatch_reads_the_same_where_only_last_parentheses_lack() -> None:
    rng = random.Random(4)
    cut_off = 0
    for _ in range(300):
        text = _random_amr(rng, 3, [])
        lacking = text.removesuffix(")" * rng.randint(1, 3))
        counted = exactmatch.reward(lacking, text, profile="smatch-1.0.4")
        if lacking.endswith(")"):
            peer, whole = AMR.parse_AMR_line(lacking), AMR.parse_AMR_line(text)
            assert peer is not None and whole is not None
            assert peer.get_triples() == whole.get_triples()
            assert counted == exactmatch.reward(text, text, profile="smatch-1.0.4")
            cut_off += lacking != text
        else:  # smatch loses what stands there, or has no graph
            assert counted == 0
            assert exactmatch.reward(lacking, text, repair=True) == 1
    assert cut_off > 50


def test_the_profile_of_smatch_has_a_new_number_and_the_old_one_is_known() -> None:
    current, former = Smatch.profiles["smatch-1.0.4"], metric_labelled("smatch-1.0.4")
    assert current.profile == current.label() == "smatch-1.0.4.3"
    assert isinstance(former, Smatch) and former.unclosed == "error"
    assert former.label() == "smatch-1.0.4"
    assert former.signature().startswith("smatch|profile:smatch-1.0.4|top:attribute|")
    assert metric_labelled("smatch-1.0.4.3") is current
    custom = current.with_choices(case="keep")
    assert "|unclosed:close" in custom.signature() and "unclosed" not in former.signature()
    assert metric_labelled(custom.label()).with_choices(case="lower").label() != former.label()


def _files(folder: Path) -> tuple[str, str]:
    system, gold = folder / "a.amr", folder / "b.amr"
    system.write_text("\n\n".join(text for text, _, _ in REPAIRED), encoding="utf-8")
    gold.write_text("\n\n".join(meant for _, meant, _ in REPAIRED), encoding="utf-8")
    return str(system), str(gold)


def _run(*words: str, status: int = 0) -> tuple[str, str]:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == status, done.output
    return done.stdout, done.stderr


def test_each_repair_is_counted_and_told_on_the_command_line(tmp_path: Path) -> None:
    system, gold = _files(tmp_path)
    _run("score", system, gold, status=1)
    proofs, pairs = str(tmp_path / "c.jsonl"), tmp_path / "p.jsonl"
    words = ("score", system, gold, "--repair")
    table, told = _run(*words, "--certificates", proofs, "--per-pair", str(pairs))
    number = sum(repairs for _, _, repairs in REPAIRED)
    assert f"repairs of graphs, or replacements: {number}\n" in table
    assert "|repair:on|" in table
    assert [line.startswith(f"note: {system}:") for line in told.splitlines()] == [True] * number
    content = json.loads(_run(*words, "--format", "json")[0])
    assert (content["mended"], content["f1"], content["noted"]) == (number, 1.0, len(REPAIRED))
    each = [json.loads(line).get("mended", 0) for line in pairs.read_text().splitlines()]
    assert each == [repairs for _, _, repairs in REPAIRED]
    rows = tmp_path / "p.csv"
    _run(*words, "--per-pair", str(rows), "--workers", "2")
    with rows.open(newline="", encoding="utf-8") as file:
        assert [int(row["mended"] or 0) for row in csv.DictReader(file)] == each
    verify = ("verify", proofs, system, gold)
    assert _run(*verify, "--repair")[0].startswith(f"verified: {len(REPAIRED)} ")
    _run(*verify, status=1)


def test_repair_changes_nothing_of_graphs_that_are_well_formed(tmp_path: Path) -> None:
    _, gold = _files(tmp_path)
    plain = json.loads(_run("score", gold, gold, "--format", "json", "--no-seconds")[0])
    repaired = json.loads(
        _run("score", gold, gold, "--format", "json", "--no-seconds", "--repair")[0]
    )
    for content in (plain, repaired):
        del content["signature"], content["long_signature"]
    assert plain == repaired


def test_commands_that_read_a_profile_mend_as_it_does(tmp_path: Path) -> None:
    system, gold = tmp_path / "a.amr", tmp_path / "b.amr"
    system.write_text("(s / sing-01 :ARG0 (b / bird)\n", encoding="utf-8")
    gold.write_text("(s / sing-01 :ARG0 (b / bird))\n", encoding="utf-8")
    for command in ("score", "matrix", "show", "mappings"):
        words: tuple[str, ...] = (command, str(system), str(gold))
        if command == "show":
            words = (*words, "--output", str(tmp_path / "s.html"))
        assert "missing at the end: repaired" in _run(*words, "--profile", "smatch-1.0.4")[1]
        _run(*words, status=1)
    several = ("--metric", "smatch:smatch-1.0.4", "--metric", "smatch:paper-2013")
    _run("score", str(system), str(gold), *several, status=2)


def test_variables_of_umr_that_are_described_twice_are_one() -> None:
    head = f"{HEAD}\n# :: snt1\nWords: boys want to go\n\n# sentence level graph:\n"
    level = "\n\n# alignment:\n\n# document level annotation:\n(s1s0 / sentence)\n"
    written = "(s1w / want\n  :ARG0 (s1b / boy)\n  :ARG1 (s1g / go :ARG0 (s1b / boy) :ARG1 (s1b)))"
    meant = "(s1w / want\n  :ARG0 (s1b / boy)\n  :ARG1 (s1g / go :ARG0 s1b :ARG1 s1b))"
    text, wanted = (f"{head}{graph}{level}" for graph in (written, meant))
    with pytest.raises(InputError, match="s1b is declared twice"):
        exactmatch.score(text, wanted)
    notes: list[str] = []
    for name in ("smatch", "umatch", "ancast"):
        metric = exactmatch.metric(name)
        found = exactmatch.score(text, wanted, metric=metric, repair=True, note=notes.append)
        assert (found.value, found.mended) == (1, 2)
    assert len(notes) == 6 and all("s1b is declared twice: repaired" in note for note in notes)
