"""``exactmatch ngrams``: counts that add up to those of the score, forms, and errors."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
A, B = (str(INSTANCES / f"agreement/{name}.amr") for name in "ab")
TOM, HE = (str(INSTANCES / f"drs/paper.{side}.clf") for side in ("system", "gold"))
MRP = [str(INSTANCES / f"mrp/{side}.mrp") for side in ("system", "gold")]


def run(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["ngrams", *words])
    assert result.exit_code == status, result.output
    return result


@pytest.mark.parametrize(
    "system, gold, identifier",
    [(TOM, HE, "figure4"), (A, B, "study.2"), (*MRP, "dm/order")],
)
def test_the_listed_n_grams_are_those_that_the_score_counts(
    system: str, gold: str, identifier: str
) -> None:
    words = (system, gold, "--id", identifier, "--pair-by", "id", "--format", "json")
    listed = json.loads(run(*words).stdout)["orders"]
    metric = exactmatch.metric("dscorer" if system == TOM else "sembleu")
    score = exactmatch.score(
        system, gold, metric=metric, ids=[identifier], pair_by="id", breakdown=True
    )
    assert isinstance(score, exactmatch.CorpusScore)
    counts = [(c.matched, c.system_total, c.gold_total) for c in score.breakdown.values()]
    names = ("matched", "system", "gold")
    assert [tuple(sum(one[n] for one in order) for n in names) for order in listed] == counts
    assert all(n["matched"] == min(n["system"], n["gold"]) for order in listed for n in order)


def test_text_has_the_sums_and_the_first_n_grams() -> None:
    text = run(TOM, HE, "--order", "2", "--rows", "2").stdout
    assert text == (
        "1-grams      matched   of system   of gold\n"
        "------------------------------------------\n"
        "all               18          44        24\n"
        "B -REF-> X         1           3         1\n"
        "X -REF-> B         1           3         1\n"
        "\n"
        "and 44 more 1-grams; see --rows\n"
        "\n"
        "2-grams                         matched   of system   of gold\n"
        "-------------------------------------------------------------\n"
        "all                                  54         260       100\n"
        "B -Agent-A1-> E -Agent-A2-> X         1           1         1\n"
        "B -Agent-A1-> E -REF-> B              1           1         1\n"
        "\n"
        "and 304 more 2-grams; see --rows\n"
    )


def test_dot_has_both_graphs(tmp_path: Path) -> None:
    one, other = tmp_path / "one.clf", tmp_path / "other.clf"
    one.write_text('b1 NOT b2\nb2 EQU x1 "a\\"\n', encoding="utf-8")
    other.write_text('b1 dog "n.01" x1\n', encoding="utf-8")
    assert run(str(one), str(other), "--format", "dot").stdout == (
        "digraph {\n"
        "  subgraph cluster_system {\n"
        "    label=system\n"
        '    system0 [label="B"]\n'
        '    system1 [label="B"]\n'
        '    system2 [label="X"]\n'
        '    system3 [label="\\"a\\\\\\""]\n'
        '    system0 -> system1 [label="NOT"]\n'
        '    system1 -> system2 [label="EQU-A1", dir=both, color=red]\n'
        '    system2 -> system3 [label="EQU-A2", dir=both, color=red]\n'
        "  }\n"
        "  subgraph cluster_gold {\n"
        "    label=gold\n"
        '    gold0 [label="B"]\n'
        '    gold1 [label="X"]\n'
        '    gold0 -> gold1 [label="dog.n.01", dir=both, color=red]\n'
        "  }\n"
        "}\n"
    )
    # Under another label, the way back is an edge of its own.
    program = run(str(other), str(other), "--format", "dot", "--profile", "program").stdout
    assert 'gold1 -> gold0 [label="dog.n.01, backwards"]' in program


def test_what_has_no_n_grams_is_refused() -> None:
    assert "choose one of the 24 pairs" in run(A, B, status=2).stderr
    assert "smatch counts no n-grams; use one of sembleu, dscorer" in (
        run(A, B, "--metric", "smatch", status=2).stderr
    )
    assert (
        "dscorer compares graphs in clause form"
        in run(A, B, "--metric", "dscorer", status=1).stderr
    )
    with pytest.raises(exactmatch.UsageError, match="mrp counts no n-grams"):
        exactmatch.ngrams(*MRP, metric="mrp", id="1", pair_by="id")


def test_too_many_n_grams_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactmatch.metrics.ngrams._MOST_LISTED", 1000)
    assert len(exactmatch.ngrams(TOM, HE, order=2).orders) == 2
    with pytest.raises(exactmatch.InputError, match="more than 1,000 n-grams of up to 4, too many"):
        exactmatch.ngrams(TOM, HE)
    # No order alone has so many, nor any n-gram of the highest order.
    star = f"(a / b {' '.join(f':r{i} (b{i} / c :op a)' for i in range(20))})"
    assert len(exactmatch.ngrams(star, star, order=2).orders) == 2
    with pytest.raises(exactmatch.InputError, match="n-grams of up to 36, too many"):
        exactmatch.ngrams(star, star, order=36)


@pytest.mark.parametrize("order", range(1, 6))
@pytest.mark.parametrize(
    "name, profile", [("sembleu", "paper"), ("dscorer", "paper"), ("dscorer", "program")]
)
def test_all_orders_are_listed_at_once_as_one_by_one(name: Any, profile: str, order: int) -> None:
    """In odd graphs, too: circles, loops, several edges between two nodes, and single nodes."""
    amrs = "(a / x :r a :r (b / x :r a :s a))", "(c / x)"
    drss = (
        'b1 EQU x1 x1\nb1 Agent x1 x1\nb1 NOT b2\nb2 PRP x1 b1\nb2 dog "n.01" x1\n',
        "b1 REF x1\n",
    )
    for pair in (amrs, amrs[::-1]) if name == "sembleu" else (drss, drss[::-1]):
        metric = exactmatch.metric(name, profile=profile, order=order)
        score = exactmatch.score(*pair, metric=metric, breakdown=True)
        assert isinstance(score, exactmatch.CorpusScore)
        counts = [(c.matched, c.system_total, c.gold_total) for c in score.breakdown.values()]
        listed = exactmatch.ngrams(*pair, metric=metric).orders
        assert counts == [
            (sum(n.matched for n in one), sum(n.system for n in one), sum(n.gold for n in one))
            for one in listed
        ]
