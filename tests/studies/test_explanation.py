"""Why two scores differ: the parts add up, each is right, and the tool's losses are named."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from study_files import numbered, run, tables, write

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.problem import MatchingProblem, Term
from exactmatch.scoring.pair import score_pair
from exactmatch.studies.explanation.reaching import is_reached

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
WORDS = str(INSTANCES / "vectors" / "words.txt")

Rows = list[dict[str, Any]]

#: Files, what is asked for besides, and two profiles.
STUDIES = {
    "smatch": ("agreement/a.amr", "agreement/b.amr", (), "smatch-1.0.4", "default"),
    "back": ("agreement/a.amr", "agreement/b.amr", (), "default", "smatch-1.0.4"),
    "paper": ("agreement/a.amr", "agreement/c.amr", (), "paper-2013", "smatch-1.0.4:top=concept"),
    "counter": ("drs/system.clf", "drs/gold.clf", (), "default", "counter-2021"),
    "mrp": ("mrp/system.mrp", "mrp/gold.mrp", (), "mtool", "default:edge-labels=ignore"),
    "s2match": (
        "agreement/a.amr", "agreement/consensus.amr",
        ("--metric", "s2match", "--vectors", WORDS), "program", "paper",
    ),
}  # fmt: skip

#: For smatch, ``mod-of`` is no ``domain``, and drops constants as an inverse; ``polarity`` counts
#: for each pair of occurrences.
CHOICES = (
    ["(r / red :mod-of (c / car))", "(c / car :mod-of 5)", "(b / boy :polarity - :polarity -)"],
    ["(r / red :domain (c / car))", "(c / car)", "(b / boy :polarity - :polarity -)"],
)


def explained(*words: str) -> dict[str, Rows]:
    return tables("explain", *words)


def choices_file() -> tuple[str, str]:
    for name, graphs in zip("ab", CHOICES, strict=True):
        write(f"{name}.amr", numbered(*graphs))
    return "a.amr", "b.amr"


@pytest.mark.parametrize("study", by_day(STUDIES, 2))
def test_the_parts_add_up_to_the_difference(study: str) -> None:
    system, gold, words, first, second = STUDIES[study]
    files = (str(INSTANCES / system), str(INSTANCES / gold))
    found = explained(*files, *words, "--between", first, second)
    before, after = found["scores"]
    *steps, whole = found["steps"]
    for key in ("matched", "system_total", "gold_total"):
        assert sum(step[key] for step in steps) == whole[key] == after[key] - before[key]
    assert sum(step["f1"] for step in steps) == pytest.approx(after["f1"] - before["f1"], abs=1e-11)
    scale = 1000 if study == "s2match" else 1
    for step in steps:
        choice = step["choice"]
        ours = {
            table: [row for row in found.get(table, []) if row["choice"] == choice]
            for table in ("pairs", "labels", "matched", "gains", "triples")
        }
        assert sum(row["matched"] for row in ours["matched"]) == step["matched"]
        assert sum(row["matched"] for row in ours["gains"]) == step["matched"]
        for key in ("matched", "system_total", "gold_total"):
            assert sum(row[key] for row in ours["pairs"]) == step[key]
        assert len(ours["pairs"]) == step["pairs"]
        for side in ("system", "gold"):
            for table, weight in (("labels", "triples"), ("triples", None)):
                rows = [row for row in ours[table] if row["side"] == side]
                come = sum(row[weight] if weight else 1 for row in rows if row["before"] is None)
                gone = sum(row[weight] if weight else 1 for row in rows if row["after"] is None)
                assert scale * (come - gone) == step[f"{side}_total"]


@pytest.mark.parametrize("first, second", [("pmb-5-tabs", "pmb-5"), ("ud-boxer", "default")])
def test_the_parts_add_up_on_sbn(first: str, second: str) -> None:
    """Ill-formed texts, on either side, are left out."""
    files = [INSTANCES / "sbn" / f"{name}.sbn" for name in ("system", "gold")]
    found = exactmatch.explain(*files, between=(first, second), on_error="skip").found
    assert found.first.pairs == found.last.optimal == 7
    for step in found.steps:
        gains = [gain.matched for gain in found.gains if gain.choice == step.changed.choice]
        assert sum(gains) == step.change.matched
    assert sum(step.change.matched for step in found.steps) == found.difference.matched


@pytest.mark.slow
@pytest.mark.parametrize("study", by_day(["smatch", "counter", "s2match"]))
def test_each_step_is_the_score_with_that_choice(study: Any) -> None:
    system, gold, options, first, second = STUDIES[study]
    files = (INSTANCES / system, INSTANCES / gold)
    found = explained(*map(str, files), *options, "--between", first, second)
    metric = study
    words: dict[str, Any] = {"vectors": WORDS} if study == "s2match" else {}
    choices: dict[str, Any] = {}
    score = exactmatch.score(*files, metric=exactmatch.metric(metric, profile=first, **words))
    for step in found["steps"][:-1]:
        choices[step["choice"].replace("-", "_")] = step["after"]
        counted = exactmatch.metric(metric, profile=first, **words, **choices)
        after = exactmatch.score(*files, metric=counted)
        for key in ("matched", "system_total", "gold_total"):
            assert step[key] == getattr(after, key) - getattr(score, key), step["choice"]
        score = after


@pytest.mark.parametrize(
    "system, gold, before, after",
    [
        (
            "a.n.01 EQU now",
            "b.v.01 Time +1 a.n.01 EQU now",
            "instance a.n.01+2tabs (s0)",
            "instance a.n.01 (s0)",
        ),
        (  # only the mapping is another one: of two nodes, to those that are deeper
            "a.n.01 Part +1 c.n.01 EQU now",
            "a.n.01 Part +1 c.n.01 EQU then b.v.01 Time +1 a.n.01 Part +1 c.n.01 EQU now",
            "attribute equ now (s1)",
            "attribute equ now (s1)",
        ),
    ],
)
def test_triples_that_tabs_lose(
    system: str, gold: str, before: str, after: str, files: Path
) -> None:
    Path("a.sbn").write_text(f"{system}\n")
    Path("b.sbn").write_text(f"{gold}\n")
    found = explained("a.sbn", "b.sbn", "--between", "pmb-5-tabs", "pmb-5")
    (row,) = found["gains"]
    assert (row["item"], row["before"], row["after"], row["matched"]) == ("1", before, after, 1)


def test_triples_that_a_choice_moves(files: Path) -> None:
    found = explained(*choices_file(), "--between", "smatch-1.0.4", "default")
    steps = {step["choice"]: step for step in found["steps"]}
    assert (steps["duplicates"]["matched"], steps["duplicates"]["system_total"]) == (-3, -1)
    assert (steps["inverse-constants"]["pairs"], steps["strings"]["pairs"]) == (0, 0)
    assert [steps["mod"][key] for key in ("matched", "system_total", "pairs", "more")] == [
        1, 1, 2, 1,
    ]  # fmt: skip
    by_mod = [row for row in found["triples"] if row["choice"] == "mod"]
    assert [(row["item"], row["side"], row["before"], row["after"]) for row in by_mod] == [
        ("1", "system", "relation mod (c, r)", "relation domain (r, c)"),
        ("2", "system", None, "attribute domain 5 (c)"),
    ]
    polarity = [row for row in found["labels"] if row["choice"] == "duplicates"]
    assert [(row["side"], row["before"], row["after"], row["triples"]) for row in polarity] == [
        ("gold", "attribute polarity -", None, 1),
        ("system", "attribute polarity -", None, 1),
    ]


def test_the_part_of_a_choice_depends_on_those_before(files: Path) -> None:
    """A constant under ``mod-of`` is dropped only as long as that is an inverse role."""
    forth = explained(*choices_file(), "--between", "smatch-1.0.4", "default")
    back = explained("a.amr", "b.amr", "--between", "default", "smatch-1.0.4")
    parts = [
        {step["choice"]: step["system_total"] for step in found["steps"]} for found in (forth, back)
    ]
    assert (parts[0]["mod"], parts[0]["inverse-constants"]) == (1, 0)
    assert (parts[1]["mod"], parts[1]["inverse-constants"]) == (0, -1)
    assert parts[0]["all"] == -parts[1]["all"]


def test_a_table_changes_with_what_it_is_for(files: Path) -> None:
    """Otherwise graphs would be collapsed by a table of neither profile."""
    write("a.amr", numbered("(d / dog :ARG1-of (h / have-degree-92 :ARG2 (m / more)))"))
    write("b.amr", numbered("(d / dog :degree (m / more))"))
    ends = ("smatchpp-1.8-generic", "smatchpp-1.8-amr")
    for first, second in (ends, ends[::-1]):
        steps = {
            step["choice"]: step
            for step in explained("a.amr", "b.amr", "--between", first, second)["steps"]
        }
        assert steps["reification, reification-table"]["pairs"] == 0
    Path("table.tsv").write_text("degree\thave-degree-92\tARG1\tARG2\n", encoding="utf-8")
    own = "default:reification=collapse:reification-table=table.tsv"
    step, _ = explained("a.amr", "b.amr", "--between", "default", own)["steps"]
    assert step["choice"] == "reification, reification-table, own-table"
    assert (step["matched"], step["system_total"]) == (1, -2)


def test_what_a_choice_leaves_is_not_solved_again(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored = []

    def counted(*arguments: Any) -> Any:
        scored.append(arguments[0].identifier)
        return score_pair(*arguments)

    monkeypatch.setattr("exactmatch.studies.explanation.moved.score_pair", counted)
    write("a.amr", numbered("(a / x)", '(a / x :op1 "B C")'))
    write("b.amr", numbered("(a / x)", '(a / x :op1 "b c")'))
    found = explained("a.amr", "b.amr", "--between", "default", "default:strings=first-word")
    assert Counter(scored) == {"1": 1, "2": 2}
    assert [row["item"] for row in found["triples"]] == ["2", "2"]
    scored.clear()
    explained("a.amr", "b.amr", "--between", "default", "default")
    assert Counter(scored) == {"1": 1, "2": 1}


@pytest.mark.parametrize("choice", ["top=none", "case=keep"])
def test_one_mapping_is_kept_where_it_is_best_before_and_after(
    files: Path, monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    """Otherwise labels outside the choice would change."""
    mappings = iter([{"a": "a", "c": "b"}, {"a": "a", "b": "b"}])

    def mapped(*arguments: Any) -> Any:
        score = score_pair(*arguments)
        return replace(score, measurement=score.measurement._replace(mapping=next(mappings)))

    monkeypatch.setattr("exactmatch.studies.explanation.moved.score_pair", mapped)
    write("a.amr", numbered("(a / x :p (b / boy) :q (c / Boy))"))
    write("b.amr", numbered("(a / x :p (b / boy) :q b)"))
    found = explained("a.amr", "b.amr", "--between", "default", f"default:{choice}")
    top = {"choice": "top", "label": "top", "matched": -1}
    assert found.get("matched", []) == ([top] if choice == "top=none" else [])


def test_pairs_that_are_not_proven_are_counted_apart(files: Path) -> None:
    hard = [(INSTANCES / "hard" / f"small.{side}.amr") for side in ("system", "gold")]
    names = ("--between", "default", "default:top=none:case=keep")
    found = explained(*map(str, hard), *names, "--memory", "1K")
    pairs = found["scores"][0]["pairs"]
    steps = {step["choice"]: step["unproven"] for step in found["steps"]}
    assert 0 < steps["top"] <= pairs
    assert sum(row["proven"] == "no" for row in found["pairs"] if row["choice"] == "top") > 0
    assert found["scores"][0]["matched_upper"] > found["scores"][0]["matched"]
    result = run("explain", *map(str, hard), *names, "--memory", "1K", "--require-optimal")
    assert result.exit_code == 3


def test_metrics_of_ones_own(files: Path) -> None:
    one = exactmatch.metric("smatch", top="concept")
    other = exactmatch.metric("smatch", profile="paper-2013")
    result = exactmatch.explain("a.amr", "b.amr", between=(one, other))
    assert [step.changed.choice for step in result.found.steps] == ["top", "unicode"]
    assert result.found.difference.matched == sum(s.change.matched for s in result.found.steps)
    s2match = exactmatch.metric("s2match", vectors=WORDS)
    sharper = exactmatch.metric("s2match", vectors=WORDS, cut_off="0.9")
    (step,) = exactmatch.explain("a.amr", "b.amr", between=(s2match, sharper)).found.steps
    assert step.changed.choice == "similarity"
    assert step.change.matched <= 0
    assert "cut-off:0.9" in step.changed.after
    by_profiles = exactmatch.explain(
        "a.amr", "b.amr", metric=s2match, between=("paper", "program")
    ).found
    assert (
        by_profiles.first.matched
        == exactmatch.score(Path("a.amr"), Path("b.amr"), metric=s2match).matched
    )


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: exactmatch.explain("a.amr", "b.amr"), "name two profiles"),
        (lambda: exactmatch.explain("a.amr", "b.amr", scores="x"), "--scores needs --from"),
        (lambda: exactmatch.explain("a.amr", "b.amr", scores="x", tool="y"), "no tool is called"),
        (lambda: exactmatch.explain("a.amr", "b.amr", between="default"), "expected a list"),
        (lambda: exactmatch.explain("a.amr", "b.amr", between=["default"]), "two profiles, not 1"),
        (lambda: between("default", "nothing"), "no profile of smatch is called 'nothing'"),
        (lambda: between("default", "default:s+4r"), r"s\+4r is no choice"),
        (lambda: between("default", "s2match:paper"), "smatch and s2match are two metrics"),
        (lambda: between("default", "default:top=x"), "top is 'x'"),
        (lambda: between("default", exactmatch.metric("sembleu")), "maps no variables"),
        (
            lambda: between("default", exactmatch.metric("s2match", vectors=WORDS)),
            "smatch and s2match are two metrics",
        ),
        (
            lambda: exactmatch.explain(
                "a.amr", "b.amr", between=["default", "default"], profile="smatch-1.0.4"
            ),
            "leave out --profile",
        ),
    ],
)
def test_what_cannot_be_explained(files: Path, call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        call()


def between(*ends: Any) -> object:
    return exactmatch.explain("a.amr", "b.amr", between=ends)


def test_profiles_that_are_one(files: Path) -> None:
    result = run("explain", "a.amr", "b.amr", "--between", "default", "smatch:default")
    assert "Both profiles make the same choices." in result.stdout
    assert "Choice by choice" not in result.stdout


def test_missing_and_unreadable_graphs(files: Path) -> None:
    write("b.amr", numbered("(a / b", "(a / x)"))
    write("a.amr", numbered("(a / b)", "(a / x)", "(a / y)"))
    words = ("explain", "a.amr", "b.amr", "--between", "default", "paper-2013")
    assert run(*words).exit_code == 1
    result = run(*words, "--on-error", "skip", "--format", "json")
    assert result.exit_code == 1
    content = json.loads(result.stdout)["tables"]
    assert [row["pairs"] for row in content["scores"]] == [1, 1]
    assert [(row["item"], row["matched"]) for row in content["pairs"]] == [("2", -1)]
    empty = run(*words, "--on-error", "skip", "--missing", "empty", "--format", "json")
    content = json.loads(empty.stdout)["tables"]
    assert [row["pairs"] for row in content["scores"]] == [3, 3]


# What is left between the exact score and that of a tool.


def claims(rows: Rows, *words: str) -> dict[str, Rows]:
    Path("scores.json").write_text(json.dumps({"pairs": rows}), encoding="utf-8")
    return explained("a.amr", "b.amr", "--scores", "scores.json", "--from", "smatch", *words)


def exact_rows(profile: str = "default") -> Rows:
    return [
        {
            "id": score.identifier,
            "matched": score.matched,
            "system_triples": score.system_total,
            "gold_triples": score.gold_total,
        }
        for score in exactmatch.score(Path("a.amr"), Path("b.amr"), profile=profile).per_pair
    ]


def test_causes_of_what_is_left(files: Path) -> None:
    rows = exact_rows()
    assert "claims" not in (found := claims(rows))
    assert found["runs"][0]["difference"] == 0
    words = ("--scores", "scores.json", "--from", "smatch")
    assert (
        "The tool scores every pair as this program does."
        in run("explain", "a.amr", "b.amr", *words).stdout
    )
    rows[0]["matched"] -= 2
    rows[1]["matched"] += 1
    rows[2]["matched"] -= 1
    rows[2]["gold_triples"] += 3
    rows[3]["matched"] += 4
    rows[3]["system_triples"] += 2
    found = claims(rows)
    causes = {row["item"]: (row["cause"], row["difference"]) for row in found["claims"]}
    assert causes == {
        rows[0]["id"]: ("search error", -2),
        rows[1]["id"]: ("above the bound", 1),
        rows[2]["id"]: ("other totals", -1),
        rows[3]["id"]: ("other totals", 4),
    }
    (run_,) = found["runs"]
    assert (run_["difference"], run_["search_error"], run_["reading_error"]) == (2, -2, 4)
    by_cause = {row["cause"]: row for row in found["causes"]}
    assert (by_cause["other totals"]["system_total"], by_cause["other totals"]["gold_total"]) == (
        2,
        3,
    )
    assert sum(row["f1"] for row in found["causes"]) == pytest.approx(
        run_["f1"] - run_["exact_f1"], abs=1e-11
    )
    assert run_["f1"] == pytest.approx(
        2
        * sum(row["matched"] for row in rows)
        / sum(row["system_triples"] + row["gold_triples"] for row in rows)
    )


def test_a_tool_beside_two_profiles(files: Path) -> None:
    rows = exact_rows("smatch-1.0.4")
    rows[4]["matched"] -= 1
    found = claims(rows, "--between", "default", "smatch-1.0.4")
    assert [row["score"] for row in found["scores"]] == ["default", "smatch-1.0.4"]
    assert found["steps"][-1]["choice"] == "all"
    assert [(row["item"], row["cause"]) for row in found["claims"]] == [
        (rows[4]["id"], "search error")
    ]


def test_a_profile_that_is_not_the_tools_is_noted(files: Path) -> None:
    rows = exact_rows()
    rows[0]["gold_triples"] += 1
    claims(rows)
    words = ("explain", "a.amr", "b.amr", "--scores", "scores.json", "--from", "smatch")
    assert "The tool does not count what this profile counts" in run(*words).stdout


def test_numbers_that_no_mapping_reaches_are_no_search_error(files: Path) -> None:
    """For two nodes of one concept with a loop each, a mapping matches 4, 2 or 0, plus the top."""
    twice = "(a / x :r a :s a)"
    write("a.amr", numbered(twice))
    write("b.amr", numbered(twice))
    words = ("--top", "none")
    row = {"id": "1", "matched": 0, "system_triples": 3, "gold_triples": 3}
    (reached,) = claims([row], *words)["claims"]
    assert reached["cause"] == "search error"
    (unreached,) = claims([{**row, "matched": 2}], *words)["claims"]
    assert unreached["cause"] == "unreached"
    assert claims([{**row, "matched": 2}], *words)["runs"][0]["unknown"] == -1


def test_rounded_scores_are_explained(files: Path) -> None:
    exact = exactmatch.score(Path("a.amr"), Path("b.amr")).per_pair
    text = "".join(f"F-score: {score.f1:.2f}\n" for score in exact)
    Path("printed.txt").write_text(text, encoding="utf-8")
    words = ("--scores", "printed.txt", "--from", "smatch")
    (found,) = explained("a.amr", "b.amr", *words)["runs"]
    assert (found["claimed"], found["difference"]) == (found["matched"], 0)
    Path("printed.txt").write_text(text.replace("F-score: 0.", "F-score: 0.0", 1), encoding="utf-8")
    (found,) = explained("a.amr", "b.amr", *words)["runs"]
    assert found["difference"] < 0


def test_pairs_that_are_not_proven_are_undecided(files: Path) -> None:
    for name, side in zip("ab", ("system", "gold"), strict=True):
        text = (INSTANCES / "hard" / f"small.{side}.amr").read_text(encoding="utf-8")
        Path(f"{name}.amr").write_text(text, encoding="utf-8")
    rough = exactmatch.score(Path("a.amr"), Path("b.amr"), memory=1024).per_pair
    (score, *_) = [pair for pair in rough if pair.gap]
    row = {
        "id": score.identifier,
        "matched": score.matched_upper,
        "system_triples": score.system_total,
        "gold_triples": score.gold_total,
    }
    found = claims([row], "--memory", "1K")
    assert [(one["cause"], one["difference"]) for one in found["claims"]] == [
        ("undecided", score.gap)
    ]
    assert found["runs"][0]["unknown"] == score.gap


def test_reached_numbers_are_those_of_mappings() -> None:
    """Compared with all mappings, one by one: every finding is true, and almost none is missed."""
    source = random.Random(5)
    there = found = 0
    for _ in range(60):
        n = source.randint(1, 4)
        pairs = [(i, j) for i in range(n) for j in range(n)]
        terms: dict[tuple[tuple[int, int], ...], int]
        terms = {(pair,): source.randint(1, 3) for pair in source.sample(pairs, n)}
        for _ in range(n):
            (i, j), (k, m) = source.choice(pairs), source.choice(pairs)
            if i < k and j != m:
                terms[(i, j), (k, m)] = source.randint(1, 3)
        problem = MatchingProblem(n, n, [Term(w, where) for where, w in terms.items()])
        images = permutations([*range(n), *[None] * n], n)
        mappings = [{i: j for i, j in enumerate(image) if j is not None} for image in set(images)]
        values = {problem.value(mapping) for mapping in mappings}
        best = max(mappings, key=problem.value)
        for value in range(max(values) + 1):
            reached = is_reached(problem, best, value, value)
            assert not reached or value in values
            there += value in values
            found += reached
    assert there - found == 0
