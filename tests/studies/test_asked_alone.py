"""The figures of a question do not depend on what else is asked of a study."""

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nightly import by_day
from study_files import ANNOTATORS, FILES, blocks_of, run, tables, write, write_files

from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.ucca import Ucca
from exactmatch.studies.common.formulas import AddendsCollector, Layout

Tables = dict[str, list[dict[str, Any]]]

VECTORS = Path(__file__).resolve().parents[2] / "instances" / "vectors" / "words.txt"

#: Columns about all that is asked: an adjustment for the number of tests, ranks, and times.
_OF_ALL = frozenset({"p_holm", "significant", "rank", "seconds", "metric"})


@pytest.fixture(scope="module", autouse=True)
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The files of the agreement study in a folder of this module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("alone"))
        write_files()
        yield


def cells(row: dict[str, Any], columns: set[str]) -> dict[str, Any]:
    return {name: cell for name, cell in row.items() if name in columns - _OF_ALL}


def check_alone(whole: Tables, alone: Tables, names: set[str]) -> None:
    """Check that every row of the tables *names* of *alone* is in *whole*, too."""
    for name in names:
        assert alone[name], name
        columns = set(alone[name][0]) & set(whole[name][0])
        rows = [cells(row, columns) for row in whole[name]]
        for row in alone[name]:
            assert cells(row, columns) in rows, (name, row)


def iaa(*words: str) -> tuple[str, Tables]:
    """Return the sentence and the tables of a report on agreement."""
    found = json.loads(run("iaa", *words, "--resamples", "99", "--format", "json").stdout)
    return found["result"], found["tables"]


def verified(folder: str) -> str:
    """Return the sentence that a folder of certificates proves."""
    result = run("verify", folder, "--format", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    sentence: str = json.loads(result.stdout)["sentence"]
    return sentence


def shown(row: dict[str, Any]) -> str:
    """Return the interval in a row as the sentence has it."""
    return f"(95% confidence interval {row['f1_low']:.4f} to {row['f1_high']:.4f})"


def test_files_with_the_same_numbers_on_other_items_may_come_in_any_order() -> None:
    """Each of three annotators has the same seven numbers of right attributes, on other items."""
    right = [4, 7, 0, 5, 2, 9, 3]
    orders = {"one": right, "two": [5, 2, 4, 9, 3, 0, 7], "three": [0, 5, 2, 7, 9, 3, 4]}
    for name, numbers in {**orders, "agreed": [9] * 7}.items():
        graphs = (" ".join(f":x{k} {int(k < number)}" for k in range(9)) for number in numbers)
        write(f"{name}.amr", [f"# ::id {k}\n(a / p {graph})" for k, graph in enumerate(graphs)])
    files = [f"{name}.amr" for name in orders]
    found = [
        iaa(*listed, "--consensus", "agreed.amr")[1]["agreement"] for listed in permutations(files)
    ]
    assert found == [found[0]] * 6


@pytest.mark.parametrize("annotators", by_day([["a.amr", "b.amr"], ANNOTATORS]))
def test_agreement_is_the_same_with_and_without_a_consensus(annotators: list[str]) -> None:
    """The annotators are alike on two items, on which the consensus differs."""
    folder = f"proofs{len(annotators)}"
    Path("twice").mkdir(exist_ok=True)
    for name in FILES:
        blocks = blocks_of(name)[:3]
        last = "(p / person)" if name == FILES[-1] else blocks[0].partition("\n(")[2]
        write(f"twice/{name}", [*blocks, f"# ::id again\n({last.removeprefix('(')}"])
    annotators = [f"twice/{name}" for name in annotators]
    alone, found = iaa(*annotators)
    both, found_both = iaa(
        *annotators, "--consensus", f"twice/{FILES[-1]}", "--certificates", folder
    )
    assert found["agreement"] == found_both["agreement"][:1]
    assert all(pair in found_both["pairs"] for pair in found["pairs"])
    for row in found_both["agreement"]:
        assert shown(row) in both
    assert both.startswith(f"{alone.removesuffix('.')}; ")
    assert verified(folder) == both


def test_the_mean_of_two_files_is_that_in_the_table_of_pairs() -> None:
    for words in (("a.amr", "b.amr"), ("a.amr", "--consensus", FILES[-1])):
        folder = f"two with {Path(words[-1]).stem}"
        sentence, found = iaa(*words, "--certificates", folder)
        (mean,), (pair,) = found["agreement"], found["pairs"]
        assert [mean[key] for key in ("f1", "f1_low", "f1_high")] == [
            pair[key] for key in ("f1", "f1_low", "f1_high")
        ]
        assert shown(pair) in sentence and verified(folder) == sentence


def test_the_order_of_annotators_does_not_matter_for_their_mean() -> None:
    means = {
        json.dumps(iaa(*order, "--consensus", FILES[-1])[1]["agreement"])
        for order in (ANNOTATORS, ANNOTATORS[::-1], [*ANNOTATORS[2:], *ANNOTATORS[:2]])
    }
    assert len(means) == 1


def test_systems_and_metrics_are_ranked_alike_alone() -> None:
    words = ("--resamples", "99", "--gold", FILES[-1])
    metrics = ("--metric", "sembleu", "--metric", "smatch:top=none", "--metric", "smatch")
    whole = tables("compare", *ANNOTATORS, *words, *metrics)
    alone = tables("compare", "a.amr", "c.amr", *words, *metrics)
    check_alone(whole, alone, {"ranking", "differences"})
    for metric in metrics[1::2]:
        only = tables("compare", *ANNOTATORS, *words, "--metric", metric)
        renamed = {
            name: [{key.replace("f1", "score"): cell for key, cell in row.items()} for row in rows]
            for name, rows in only.items()
        }
        of_metric = {name: [r for r in t if r.get("metric") == metric] for name, t in whole.items()}
        check_alone(of_metric, renamed, {"ranking", "differences"})


def test_metrics_correlate_alike_alone() -> None:
    metrics = ("--metric", "smatch:r", "--metric", "sembleu", "--metric", "rematch")
    whole = tables("correlate", *ANNOTATORS, FILES[-1], *metrics)
    names = {"correlations", "preferences", "metrics", "rankings", "scores"}
    check_alone(whole, tables("correlate", *ANNOTATORS, FILES[-1], *metrics[:4]), names)
    fewer = tables("correlate", "a.amr", "d.amr", FILES[-1], *metrics)
    fewer["correlations"] = [row for row in fewer["correlations"] if row["system"] in "ad"]
    del fewer["rankings"], fewer["metrics"]
    check_alone(whole, fewer, {"correlations", "preferences", "scores"})


@pytest.mark.nightly
def test_principles_of_a_metric_are_the_same_alone() -> None:
    """S2match brings near-synonyms for all metrics, which is the only difference."""
    metrics = ("smatch:paper-2013", "smatch:top=concept", "smatch:r", "sembleu", "s2match")
    words = ("principles", "a.amr", "b.amr", "--seeds", "2", "--sample", "3")
    given = ("--vectors", str(VECTORS))
    asked = [word for metric in metrics for word in ("--metric", metric)]
    whole = tables(*words, *asked, *given)
    names = {"principles", "overlap", "bias", "gradedness", "rewiring"}
    for metric in metrics:
        alone = tables(*words, "--metric", metric, *(given if metric == "s2match" else ()))
        if metric != "s2match":
            del alone["principles"][0]["synonym_spared"]
        of_metric = {name: [r for r in t if r.get("metric") == metric] for name, t in whole.items()}
        check_alone(of_metric, alone, names)


def test_methods_lose_alike_alone() -> None:
    words = ("search-error", "a.amr", "b.amr", FILES[-1], "--seeds", "2")
    whole = tables(*words, "--method", "s", "--method", "r", "--method", "s+4r")
    for method in ("r", "s"):
        check_alone(whole, tables(*words, "--method", method), {"methods", "scores", "orders"})
    check_alone(
        tables("search-error", *ANNOTATORS, "--every-two", "--seeds", "2", "--method", "r"),
        tables("search-error", "a.amr", "b.amr", "--every-two", "--seeds", "2", "--method", "r"),
        {"scores"},
    )


def test_the_order_of_items_does_not_change_how_a_formula_is_resampled() -> None:
    """Which part of a metric occurs first depends on the order of items, and so on other files."""
    statistics = [
        Statistics(1, 1, 2, 2, breakdown={"primary": Counts(1, 2, 2)}),
        Statistics(0, 0, 1, 1, breakdown={"a remote": Counts(0, 1, 1)}),
    ]

    def numbers_of_items(rows: list[Statistics]) -> set[tuple[int, ...]]:
        collector = AddendsCollector()
        for row in rows:
            collector.add(row)
        addends = collector.finish()
        totals = np.array([row.system_total for row in rows])
        columns = Layout(Ucca(), [addends]).further(totals, addends)
        return set(zip(*(column.tolist() for column in columns), strict=True))

    assert numbers_of_items(statistics) == numbers_of_items(statistics[::-1])


@pytest.mark.parametrize("command", ["correlate", "principles"])
def test_metrics_that_mend_graphs_differently_are_not_mixed(command: str) -> None:
    """Otherwise a graph that one metric would replace is unreadable if another is asked for."""
    clauses = 'b1 REF x1\nb1 cat "n.01" x1'
    write("one.clf", [clauses, 'b1 REF x1\nb1 cat "n.01" x1 x2 x3 x4 x5'])
    write("two.clf", [clauses, clauses])
    words = (command, "one.clf", "two.clf", "--on-error", "skip")
    metrics = ("--metric", "counter:ill-formed=dummy", "--metric", "dscorer")
    result = run(*words, *metrics)
    assert result.exit_code == 2
    assert "differ in how they replace ill-formed DRSs" in result.stderr
    assert tables(command, "one.clf", "two.clf", *metrics[:2])
