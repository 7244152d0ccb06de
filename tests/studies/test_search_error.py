"""The losses of heuristics, on real graphs and counted by hand."""

import json
import re
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from study_files import AGREEMENT, blocks_of, run, tables, write

import exactmatch
from exactmatch.graphs.items import pair_items, read_sources
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.settings import Settings
from exactmatch.solving.search.methods import METHODS, STARTS
from exactmatch.stopping.deadline import Deadline, OutOfTime
from exactmatch.studies.common.outcomes import OPTIMAL, PairOutcome, PairRow
from exactmatch.studies.common.pairs import ScoreCollector
from exactmatch.studies.common.sweep import SweepSettings
from exactmatch.studies.search_error import attempts
from exactmatch.studies.search_error import measure as search_error
from exactmatch.studies.search_error.by_group import group_scores
from exactmatch.studies.search_error.measure import SearchDesign
from exactmatch.studies.search_error.trials import Found, Trials, by_size, joined_trials, losses
from exactmatch.studies.search_error.worst import worst_losses


@pytest.mark.slow
def test_searches_lose_what_the_exact_score_has(files: Path) -> None:
    of_three = ("a.amr", "b.amr", "consensus.amr", "--every-two", "--seeds", "2")
    found = tables("search-error", *of_three, "--restarts", "1")
    assert [row["method"] for row in found["methods"]] == ["s+1r", "exact"]
    found = tables("search-error", *of_three)
    rows = {row["method"]: row for row in found["methods"]}
    assert list(rows) == [*METHODS, "exact"]
    assert rows["base"]["triples"] > rows["s+9r"]["triples"] >= 0
    assert rows["exact"]["pairs_right"] == 1 == rows["exact"]["documents_right"]
    scores = {row["method"]: row for row in found["scores"]}
    for one, other in (("a", "b"), ("b", "consensus")):
        exact = exactmatch.score(Path(f"{one}.amr"), Path(f"{other}.amr"))
        assert scores["exact"][f"{one} / {other}"] == pytest.approx(exact.f1)
        smart = exactmatch.score(Path(f"{one}.amr"), Path(f"{other}.amr"), method="s")
        assert scores["base"][f"{one} / {other}"] <= exact.f1
        assert min(scores["s"][f"{one} / {other}"], smart.f1) <= exact.f1
    assert sum(row["pairs"] for row in found["sizes"] if row["method"] == "s") == 18
    lost = sum(row["triples"] * row["pairs"] for row in found["sizes"] if row["method"] == "r")
    assert lost == pytest.approx(rows["r"]["triples"])


def test_losses_are_those_counted_by_hand() -> None:
    """Documents of two pairs; one triple is lost on the third pair with the second seed."""
    study = pair_items(read_sources([str(AGREEMENT / "a.amr"), str(AGREEMENT / "b.amr")]))
    result = search_error.search_error(
        study,
        [("a", "b")],
        SearchDesign({"s": METHODS["s"]}, seeds=2, document=2),
        Smatch(),
        Settings(),
        SweepSettings(),
    )
    trials = result.trials["a", "b"]
    assert len(set(trials.documents.tolist())) == 12
    trials = trials.restricted(np.arange(24) < 4)
    best = trials.scores.counts[:, 0]
    trials.found["s"].forth[:] = best[:, np.newaxis] - [[0, 0], [0, 0], [0, 1], [0, 0]]
    trials.found["s"].back[:] = best[:, np.newaxis] - [3, 0]
    total = sum(trials.scores.totals.tolist())
    found = losses(trials, "s")
    assert (found.right, found.documents_right) == (7 / 8, 3 / 4)
    assert (found.triples, found.worst) == (0.5, 1)
    assert (found.f1, found.f1_worst) == pytest.approx((1 / total, 2 / total))
    back = losses(trials, "s", back=True)
    assert (back.triples, back.right, back.documents_right) == (6, 1 / 2, 1 / 2)


def test_trials_of_several_files_are_joined(files: Path) -> None:
    study = pair_items(read_sources(["a.amr", "b.amr", "c.amr"]))
    pairs = [("a", "c"), ("b", "c")]
    design = SearchDesign({"s": METHODS["s"]}, seeds=1, document=4)
    result = search_error.search_error(study, pairs, design, Smatch(), Settings(), SweepSettings())
    every = joined_trials(list(result.trials.values()))
    assert every.documents.tolist() == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3]
    assert every.scores.matched == sum(score.matched for score in result.scores.values())
    assert by_size(every, (1000,)).keys() == {"0 to 1000"}
    large = by_size(every, (9,))["10 or more"]
    assert large.sizes.tolist() == [size for size in every.sizes.tolist() if size > 9]
    assert 0 < len(large) < 12


def test_what_is_too_large_is_not_searched(files: Path) -> None:
    result = run(
        "search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1", "--memory", "1K"
    )
    assert result.exit_code == 1
    assert "is too large to be searched in 1024 bytes" in result.stderr


def test_a_search_above_the_bound_is_an_error(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "exactmatch.studies.search_error.attempts._Searched.climbed", lambda *_: 10_000
    )
    result = run("search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1")
    assert result.exit_code == 4
    assert "a search found 10000, above the bound" in result.stderr


def test_searches_have_a_time_limit(files: Path) -> None:
    words = ("search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1", "--timeout")
    assert "Pairs that reached the time limit: 6." in run(*words, "0").stdout
    assert "time limit" not in run(*words, "60").stdout


def tried(best: list[int], forth: list[list[int]], back: list[list[int]], **more: Any) -> Trials:
    """Return trials of a method called x on pairs of graphs of ten triples a side."""
    collector = ScoreCollector([f"item {k}" for k in range(len(best))], Smatch())
    for item, matched in enumerate(best):
        flags = OPTIMAL if item != more.get("unproven") else 0
        numbers = PairRow(matched, matched, 10, 10, flags, "dual", 0.25)
        collector.add(item, PairOutcome(row=numbers))
    found = Found(np.array(forth), np.array(back), np.full(len(best), 0.5))
    documents = np.array(more.get("documents", [0] * len(best)))
    return Trials(collector.finish(), np.array(best), documents, {"x": found})


def test_a_row_of_the_table_is_as_counted_by_hand() -> None:
    """Two files with two pairs each and two seeds; the losses of the second seed cause a tie."""
    one = tried([8, 6], [[8, 6], [6, 5]], [[8, 8], [6, 6]])
    other = tried([7, 6], [[7, 7], [6, 6]], [[7, 7], [5, 6]])
    trials = {("a", "gold"): one, ("b", "gold"): other}
    every = joined_trials([one, other])
    row = search_error.method_row(trials, every, "x")
    assert row.f1 == pytest.approx({("a", "gold"): (28 + 22) / 80, ("b", "gold"): 26 / 40})
    assert row.rankings_right == 1
    assert row.different == 3 / 4
    assert (row.forth.right, row.forth.triples, row.forth.worst) == (6 / 8, 1.5, 3)
    assert (row.forth.f1, row.forth.f1_worst) == pytest.approx((2 * 1.5 / 80, 2 * 3 / 80))
    assert (row.back.right, row.back.triples, row.back.worst) == (7 / 8, 0.5, 1)
    assert row.forth.documents_right == 3 / 4
    assert (row.forth.seconds, every.seconds) == (4 * 0.5, 4 * 0.25)
    assert one.f1("x") == pytest.approx([28 / 40, 22 / 40])


def test_documents_are_proven_as_a_whole() -> None:
    same = [[3], [3], [3], [3], [3]]
    trials = tried([3] * 5, same, same, documents=[0, 0, 1, 1, 2], unproven=2)
    assert trials.proven_documents == pytest.approx(2 / 3)


def test_the_best_mapping_known_may_be_that_of_a_search() -> None:
    """Where a score is not proven, a search in any order may have found more."""
    trials = tried([3, 3, 3], [[4, 3], [3, 3], [3, 3]], [[3, 3], [3, 5], [3, 3]])
    assert trials.best.tolist() == [4, 5, 3]


def test_the_greatest_losses_by_hand() -> None:
    one = tried([8, 6, 5], [[8, 6], [6, 5], [5, 5]], [[8, 8], [6, 6], [5, 5]])
    other = tried([7, 9], [[7, 7], [9, 6]], [[7, 7], [9, 9]])
    trials = {("a", "gold"): one, ("b", "gold"): other}
    worst = worst_losses(trials, ["x"], 9)
    assert [(w.files[0], w.item, w.method, w.best, w.found, w.lost) for w in worst] == [
        ("b", "item 1", "x", 9, 6, 3),
        ("a", "item 0", "x", 8, 6, 2),
        ("a", "item 1", "x", 6, 5, 1),
    ]
    assert [w.f1 for w in worst] == pytest.approx([0.3, 0.2, 0.1])
    for most in range(4):
        assert worst_losses(trials, ["x"], most) == worst[:most]


def test_pairs_are_grouped_by_size() -> None:
    same = [[3]] * 4
    trials = replace(tried([3] * 4, same, same), sizes=np.array([0, 5, 6, 11]))
    groups = by_size(trials, (5, 10))
    assert {name: group.sizes.tolist() for name, group in groups.items()} == {
        "0 to 5": [0, 5],
        "6 to 10": [6],
        "11 or more": [11],
    }


def test_seconds_are_those_of_one_search(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock advances by a second a look: one to build the problem, and one for three seeds."""
    clock = SimpleNamespace(perf_counter=map(float, count()).__next__)
    monkeypatch.setattr(attempts, "time", clock)
    study = pair_items(read_sources(["a.amr", "b.amr"]))
    design = SearchDesign({name: METHODS[name] for name in ("s", "r")}, seeds=3)
    pairs, settings = [("a", "b")], Settings()
    result = search_error.search_error(study, pairs, design, Smatch(), settings, SweepSettings())
    for row in result.methods.values():
        assert row.forth.seconds == pytest.approx(6 * (1 + 1 / 3))


def test_notes_of_search_error(files: Path) -> None:
    write("b.amr", blocks_of("b.amr")[1:])
    words = (AGREEMENT.parent / "vectors" / "words.txt").as_posix()
    result = run(
        "search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1", "--timeout", "0",
        "--metric", "s2match", "--vectors", words, "--format", "json",
    )  # fmt: skip
    content = json.loads(result.stdout)
    proven, mapped, losses_from, scale, lacking, *_ = content["notes"]
    assert re.fullmatch(r"Proven: [0-5] of 5 pairs of graphs.*; 1 seed for each method\.", proven)
    assert mapped == "Heuristics map all variables of the smaller graph at any time."
    (exact, upper) = content["tables"]["scores"][-2:]
    assert (exact["method"], upper["method"]) == ("exact", "exact, at most")
    assert exact["a / b"] < upper["a / b"]
    assert re.fullmatch(
        r"Losses are counted from the best mapping known; up to [1-9]\d* more triples\.",
        losses_from,
    )
    assert scale == "Triples are counted in 1/1000 of a triple."
    assert lacking == "Pairs with a missing or unreadable graph: 1."


def test_scores_of_groups_are_those_of_their_items(files: Path) -> None:
    """Compare with the scores that `score` gives each pair; the groups are scattered pairs."""
    sessions = {"x": [1, 4, 6], "y": [2, 3, 5]}
    lines = [f"study.{k}\t{name}\n" for name, items in sessions.items() for k in items]
    Path("groups.tsv").write_text("".join(lines) + "\nelsewhere\tz\n", encoding="utf-8")
    words = ("search-error", "a.amr", "c.amr", "--group-by", "groups.tsv", "--seeds", "1")
    found = tables(*words, "--profile", "paper-2013", "--method", "s", "--method", "base")
    rows = {row["method"]: row for row in found["groups"]}
    assert list(rows) == ["s", "base", "exact"]
    right: dict[str, list[bool]] = {}
    for method in rows:
        score = exactmatch.score(
            Path("a.amr"), Path("c.amr"), profile="paper-2013", method=method, timeout=None
        )
        right[method] = []
        for name, items in sessions.items():
            pairs = [pair for pair in score.per_pair if int(pair.identifier[6:]) in items]
            total = sum(pair.system_total + pair.gold_total for pair in pairs)
            f1 = 2 * sum(pair.matched for pair in pairs) / total
            assert rows[method][f"group {name}"] == pytest.approx(f1)
            right[method].append(rows[method][f"group {name}"] == rows["exact"][f"group {name}"])
    assert right["base"] != right["exact"] == [True, True]
    accuracy = {row["method"]: row["documents_right"] for row in found["methods"]}
    assert accuracy == {method: sum(held) / 2 for method, held in right.items()}


def test_documents_need_not_be_stretches() -> None:
    """The first pair, which loses a triple, is in the same document as the last pair."""
    trials = tried([3, 3, 3], [[2], [3], [3]], [[3], [3], [3]], documents=[1, 0, 1], unproven=2)
    assert losses(trials, "x").documents_right == 1 / 2
    assert trials.proven_documents == 1 / 2
    joined = joined_trials([trials, trials])
    assert joined.documents.tolist() == [1, 0, 1, 3, 2, 3]
    assert losses(joined, "x").documents_right == 1 / 2


def test_search_errors_stand_out() -> None:
    """A score is below the exact one if only one seed has lost a triple."""
    trials = tried([8, 6], [[8, 8], [6, 5]], [[8, 8], [6, 6]], documents=[0, 1])
    first, second = group_scores({("a", "b"): trials}, ["x", "y"], ["x"])
    assert [sorted(one.below) for one in (first, second)] == [[], ["x"]]
    assert (first.exact, second.f1["x"]) == pytest.approx((16 / 20, (12 + 10) / 40))
    assert group_scores({("a", "b"): trials}, ["x", "y", "z"], []) == [
        replace(one, f1={}, below=frozenset()) for one in (first, second)
    ]


def test_groups_are_named_by_comments_or_a_file(files: Path) -> None:
    blocks = blocks_of("a.amr")
    named = [f"# ::part {1 + k // 4} ::note x\n{block}" for k, block in enumerate(blocks)]
    write("named.amr", named)
    words = ("--seeds", "1", "--method", "r")
    Path("file.tsv").write_text(
        "".join(f"study.{k}\t{1 + k // 5}\n" for k in range(1, 7)), encoding="utf-8"
    )
    by_key = tables("search-error", "named.amr", "b.amr", "--group-by", "::part", *words)
    by_file = tables("search-error", "a.amr", "b.amr", "--group-by", "file.tsv", *words)
    assert [{**row, "files": ""} for row in by_key["groups"]] == [
        {**row, "files": ""} for row in by_file["groups"]
    ]
    assert set(by_key["groups"][0]) == {"files", "method", "group 1", "group 2"}


def test_groups_that_cannot_be_told(files: Path) -> None:
    def message(by: str, *more: str) -> str:
        result = run("search-error", "a.amr", "b.amr", "--group-by", by, "--method", "r", *more)
        assert (result.exit_code, result.stdout) == ((2 if more else 1), "")
        return result.stderr

    assert "a.amr:1: no comment of item study.1 says ::part" in message("::part")
    assert "b.amr:1: item study.1 has ::annotator b, but a at a.amr:1" in message("::annotator")
    assert "part: No such file" in message("part")
    assert "--document and --group-by cannot be combined" in message("::id", "--document", "2")
    for content, expected in {
        "study.1\tx\n": "g.tsv: 5 items have no group; the first is study.2",
        "study.1\tx\nstudy.2\n": "g.tsv:2: expected identifier, tab and group: 'study.2'",
        "study.1\tx\ty\n": "g.tsv:1: expected identifier, tab and group: 'study.1\\tx\\ty'",
        "study.1\tx\n\nstudy.1\ty\n": "g.tsv:3: study.1 is in group y, but in x above",
        "study.1\t\xff": "g.tsv:1: not UTF-8",
    }.items():
        Path("g.tsv").write_bytes(content.encode("latin-1"))
        assert expected in message("g.tsv")


@pytest.mark.slow
def test_the_program_of_the_paper_is_solved_beside(files: Path) -> None:
    """By default, `ilp-paper` runs once for the paper's tables; it gets every pair right."""
    words = ("search-error", "a.amr", "b.amr", "--seeds", "2")
    found = tables(*words, "--group-by", "::id", "--restarts", "1", "--method", "ilp-paper")
    rows = {row["method"]: row for row in found["methods"]}
    assert list(rows) == ["ilp-paper", "s+1r", "exact"]
    assert rows["ilp-paper"]["pairs_right"] == 1 == rows["ilp-paper"]["documents_right"]
    assert "ilp-paper" not in {row["method"] for row in tables(*words)["methods"]}
    usual = [row["method"] for row in tables(*words, "--group-by", "::id")["methods"]]
    assert usual == ["base", "ilp-paper", "r", "10r", "s", "s+4r", "s+9r", "exact"]
    late = tables(*words, "--method", "ilp-paper", "--timeout", "0")["methods"]
    assert late[0]["pairs_right"] < 1


def test_loading_the_program_is_no_time_of_the_method(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(problem: object, *, deadline: Deadline, **options: object) -> None:
        assert deadline.loading is not None
        deadline.loading.seconds += 1000  # nobody has waited here
        raise OutOfTime

    monkeypatch.setattr(attempts, "get_solver", lambda *_: SimpleNamespace(solve=solve))
    words = ("search-error", "a.amr", "b.amr", "--seeds", "1", "--method", "ilp-paper")
    assert tables(*words)["methods"][0]["seconds"] < 0


def test_a_program_below_a_known_mapping_is_an_error(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "exactmatch.studies.search_error.attempts._Searched.programmed", lambda *_: (1, 1)
    )
    result = run("search-error", "a.amr", "b.amr", "--method", "ilp-paper", "--seeds", "1")
    assert result.exit_code == 4
    assert "ilp-paper claims that no mapping scores more than 1, but one scores" in result.stderr


def test_starts_are_a_choice(files: Path) -> None:
    """Each method gives the score that `score` gives with it, and some scores differ."""
    found = {}
    for starts in STARTS:
        words = ("search-error", "b.amr", "c.amr", "--method", "base", "--starts", starts)
        content = tables(*words, "--seeds", "3")
        found[starts] = content["scores"][0]["b / c"]
        one = [
            exactmatch.score(
                Path("b.amr"), Path("c.amr"), method="base", starts=starts, seed=seed
            ).f1
            for seed in range(3)
        ]
        assert found[starts] == pytest.approx(sum(one) / 3)
    assert found["all"] != found["candidates"]
