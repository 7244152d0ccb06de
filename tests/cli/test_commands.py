"""Beside each command, the call in Python that gives the same result on the same files."""

import ast
import json
import pickle
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import generate
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from nightly import by_day

import exactmatch
from exactmatch.cli import COMMANDS, GROUPS, main
from exactmatch.cli.metric_help import shown_values
from exactmatch.metrics.registry import METRICS
from exactmatch.report.text import mapping_text
from exactmatch.studies.common.manifest import MANIFEST

INSTANCES = Path(generate.__file__).parent
A, B, CONSENSUS = (str(INSTANCES / "agreement" / f"{name}.amr") for name in ("a", "b", "consensus"))
HARD = [INSTANCES / "hard" / f"small.{side}.amr" for side in ("system", "gold")]
DRS = [INSTANCES / "drs" / f"{side}.clf" for side in ("system", "gold")]
PAIR = "names"
WORDS = str(INSTANCES / "vectors" / "words.txt")


def run(*words: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == status, result.stderr
    return result


def untimed(content: Any) -> Any:
    """Return JSON without seconds, and without the command that made it."""
    if isinstance(content, dict):
        return {
            key: untimed(value)
            for key, value in content.items()
            if key != "command" and not key.startswith("seconds")
        }
    return [untimed(one) for one in content] if isinstance(content, list) else content


def check_same(result: exactmatch.StudyResult[object], *words: object) -> None:
    """Compare a call with a command, in all tables and in the notes."""
    printed = json.loads(run(*words, "--format", "json").stdout)
    called = json.loads(result.report("json"))
    assert untimed(called) == untimed(printed)
    assert called["command"].startswith(f"exactmatch.{str(words[0]).replace('-', '_')}(") or (
        words[0] == "iaa" and called["command"].startswith("exactmatch.agreement(")
    )


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """Return files with the first items of three annotators."""
    paths = []
    for path in map(Path, (A, B, CONSENSUS)):
        paths.append(tmp_path / path.name)
        items = path.read_text("utf-8").split("\n\n")
        paths[-1].write_text("\n\n".join(items[:6]) + "\n", encoding="utf-8")
    return paths


def test_score_does_what_its_function_does() -> None:
    metrics = ["smatch", "sembleu"]
    words = [word for name in metrics for word in ("--metric", name)]
    printed = json.loads(run("score", *HARD, *words, "--breakdown", "--format", "json").stdout)
    called = exactmatch.score(*HARD, metric=metrics, breakdown=True)
    for content, score in zip(printed["metrics"], called, strict=True):
        for key in ("signature", "matched", "system_total", "optimal", "pairs"):
            assert content[key] == getattr(score, key), key
        assert content["f1"] == score.figure("f1")
        assert [*content.get("breakdown", {})] == [*score.breakdown]


def test_files_of_pairs_are_those_that_the_function_writes(tmp_path: Path) -> None:
    names = ("per_pair", "mappings", "certificates")
    written = {name: tmp_path / name for name in names}
    called = {name: tmp_path / f"{name}.python" for name in names}
    words = [word for name in names for word in (f"--{name.replace('_', '-')}", written[name])]
    run("score", *HARD, *words)
    score = exactmatch.score(*HARD, **called)  # type: ignore[call-overload]
    for name in names:
        ours, theirs = (paths[name].read_text("utf-8") for paths in (called, written))
        if name == "per_pair":
            both = [[json.loads(line) for line in text.splitlines()] for text in (ours, theirs)]
            assert untimed(both[0]) == untimed(both[1])
        else:
            assert ours == theirs
    assert [pair.certificate for pair in score.per_pair] == (
        called["certificates"].read_text("utf-8").splitlines()
    )
    with pytest.raises(exactmatch.UsageError, match="would be overwritten"):
        exactmatch.score(called["certificates"], HARD[1], mappings=called["certificates"])
    with pytest.raises(exactmatch.UsageError, match="files for each pair need a single metric"):
        exactmatch.score(*HARD, metric=["smatch", "sembleu"], per_pair=tmp_path / "x")


@pytest.mark.slow
def test_iaa_does_what_agreement_does(tmp_path: Path, three: list[Path]) -> None:
    one, other, agreed = three
    more = ("--resamples", 99, "--rows", 3, "--top", "none")
    words = ("iaa", one, other, "--consensus", agreed, *more)
    result = exactmatch.agreement([str(one), other], agreed, resamples=99, rows=3, top="none")
    check_same(result, *words)
    assert (result.pairs, result.optimal, result.certified) == (18, 18, 18)
    assert "agreement(['" in result.report("text") and "top='none'" in result.report()
    markdown = run(*words, "--format", "markdown").stdout
    assert result.report("markdown").split("## How")[0] == markdown.split("## How")[0]
    run(*words, "--certificates", tmp_path / "one")
    exactmatch.agreement([one, other], agreed, top="none", certificates=tmp_path / "two")
    for path in (tmp_path / "one").glob("*.jsonl"):
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    ours, theirs = (json.loads((tmp_path / k / MANIFEST).read_text()) for k in ("one", "two"))
    assert all(ours[key] == theirs[key] for key in ("graphs", "certificates"))


@pytest.mark.slow
def test_gold_is_the_last_file_unless_it_is_named(three: list[Path]) -> None:
    first, second, gold = three
    commands: dict[str, tuple[object, ...]] = {
        "compare": ("--resamples", 99),
        "correlate": (),
        "search-error": ("--method", "base", "--seeds", 1),
    }
    for command, words in commands.items():
        last, named = (
            json.loads(run(command, *files, *words, "--format", "json").stdout)
            for files in (three, (first, second, "--gold", gold))
        )
        assert untimed(last) == untimed(named)
        assert "name a system and a gold standard" in run(command, first, status=2).stderr


def test_compare_does_what_its_function_does() -> None:
    result = exactmatch.compare([A, B], CONSENSUS, resamples=99, seed=3)
    check_same(result, "compare", A, B, "--gold", CONSENSUS, "--resamples", 99, "--seed", 3)
    assert [*result.found.scores] == ["a", "b"]


@pytest.mark.slow
def test_search_error_does_what_its_function_does(three: list[Path]) -> None:
    one, other, third = three
    shared = ("--method", "base", "--seeds", 2, "--document", 4)
    options: dict[str, Any] = {"methods": ["base"], "seeds": 2, "document": 4}
    against = exactmatch.search_error([one, other], third, **options)
    check_same(against, "search-error", *three, *shared)
    check_same(against, "search-error", one, other, "--gold", third, *shared)
    every = exactmatch.search_error(three, **options)
    check_same(every, "search-error", *three, "--every-two", *shared)
    words = ("search-error", one, other, "--every-two", "--gold", third)
    assert "--gold cannot be combined" in run(*words, status=2).stderr


def test_search_error_of_a_tool_does_what_the_function_does(tmp_path: Path) -> None:
    scores = tmp_path / "scores"
    f1 = [pair.f1 for pair in exactmatch.score(Path(A), Path(B)).per_pair]
    scores.write_text("".join(f"F-score: {value:.4f}\n" for value in f1), encoding="utf-8")
    result = exactmatch.search_error([A], B, scores=scores, tool="smatch")
    check_same(result, "search-error", A, B, "--scores", scores, "--from", "smatch")
    with pytest.raises(exactmatch.UsageError, match="no tool is called 'sense'"):
        exactmatch.search_error([A], B, scores=scores, tool="sense")


@pytest.mark.slow
def test_explain_does_what_its_function_does(tmp_path: Path, three: list[Path]) -> None:
    one, other, _ = three
    ends = ("default", "smatch-1.0.4:mod=plain")
    result = exactmatch.explain(one, other, between=ends, rows=3)
    check_same(result, "explain", one, other, "--between", *ends, "--rows", 3)
    words = ("--metric", "s2match", "--vectors", WORDS)
    counted = exactmatch.metric("s2match", vectors=WORDS)
    result = exactmatch.explain(one, other, between=("program", "paper"), metric=counted)
    check_same(result, "explain", one, other, "--between", "program", "paper", *words)
    scores = tmp_path / "scores"
    f1 = [pair.f1 for pair in exactmatch.score(one, other, top="none").per_pair]
    scores.write_text("".join(f"F-score: {value:.4f}\n" for value in f1), encoding="utf-8")
    left = exactmatch.explain(one, other, scores=scores, tool="smatch", profile="paper-2013")
    asked = ("--scores", scores, "--from", "smatch", "--profile", "paper-2013")
    check_same(left, "explain", one, other, *asked)
    assert (left.pairs, left.optimal) == (6, 6)


@pytest.mark.slow
def test_principles_does_what_its_function_does() -> None:
    names = ["smatch", "smatch:s", "sembleu"]
    result = exactmatch.principles(A, B, metric=names, seeds=2, sample=1)
    shared = ("--seeds", 2, "--sample", 1)
    words = [word for name in names for word in ("--metric", name)]
    check_same(result, "principles", A, B, *shared, *words)
    result = exactmatch.principles(*HARD, seeds=1, sample=1)
    check_same(result, "principles", *HARD, "--seeds", 1, "--sample", 1)


@pytest.mark.nightly
def test_principles_with_similarities_does_what_the_function_does() -> None:
    graded = exactmatch.metric("s2match", vectors=WORDS, cut_off="0.6")
    result = exactmatch.principles(*HARD, metric=["smatch", graded, (graded, "s")], seeds=1)
    words = ("--metric", "smatch", "--metric", "s2match", "--metric", "s2match:s")
    more = ("--vectors", WORDS, "--cut-off", "0.6", "--seeds", 1)
    check_same(result, "principles", *HARD, *words, *more)


def test_correlate_does_what_its_function_does(tmp_path: Path) -> None:
    human = tmp_path / "human.txt"
    human.write_text("".join(f"{k}\n" for k in range(24)), encoding="utf-8")
    names = ["smatch:s", "smatch:top=none", "sembleu:exchanged"]
    result = exactmatch.correlate(
        *([A, B], CONSENSUS),
        metric=names,
        human=human,
        human_range=(0, 30),
        sample=4,
        rows=2,
    )
    more = ("--human", human, "--human-range", 0, 30, "--sample", 4, "--rows", 2)
    check_same(result, "correlate", A, B, CONSENSUS, *more, "--metrics", ",".join(names))
    words = [word for name in names for word in ("--metric", name)]
    check_same(result, "correlate", A, B, "--gold", CONSENSUS, *more, *words)


@pytest.mark.nightly
def test_correlate_with_similarities_does_what_the_function_does() -> None:
    graded = exactmatch.metric("s2match", vectors=WORDS)
    result = exactmatch.correlate([A], B, metric=["smatch", graded, (graded, "s")])
    check_same(
        result, "correlate", A, B, "--metrics", "smatch,s2match,s2match:s", "--vectors", WORDS
    )


def test_the_command_in_a_report_makes_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command works in the folder where it was given; its paths do not name the machine."""
    monkeypatch.chdir(tmp_path)
    human, *files = ("human.txt", "a.amr", "b.amr")
    Path(human).write_text("".join(f"{k}\n" for k in range(24)), encoding="utf-8")
    for name in files:
        Path(name).write_bytes((INSTANCES / "agreement" / name).read_bytes())
    metrics = ("--metrics", "smatch:top=none,sembleu", "--metrics", "smatch:s")
    words = ("--human", human, "--human-range", 0, 30, "--sample", 3, "--rows", 2)
    first = run("correlate", *files, *words, *metrics)
    name, *again = shlex.split(first.stdout.splitlines()[-1])
    assert name == "exactmatch"
    assert run(*again).stdout == first.stdout


def test_verify_does_what_its_function_does(tmp_path: Path) -> None:
    proofs = tmp_path / "proofs"
    exactmatch.score(*HARD, certificates=proofs)
    proofs.write_text("".join(proofs.read_text("utf-8").splitlines(True)[1:]), encoding="utf-8")
    printed = json.loads(run("verify", proofs, *HARD, "--format", "json").stdout)
    result = exactmatch.verify(proofs, *HARD)
    assert {verdict: printed[verdict] for verdict in result.counts} == result.counts
    assert printed["findings"] == [
        {"id": name, "verdict": verdict, "reason": reason}
        for name, verdict, reason in result.findings
    ]
    assert (result.counts["unproven"], result.refuted) == (1, 0)
    assert (printed["metric"], printed["signature"]) == (result.metric.name, result.signature)
    assert repr(result).endswith(" 1 unproven>")
    with pytest.raises(exactmatch.InputError, match="are of the metric smatch, not of counter"):
        exactmatch.verify(proofs, *HARD, metric="counter")


@pytest.mark.parametrize("target", ["wcnf", "opb", "lp", "mps", "json", "triples"])
def test_export_does_what_its_function_does(target: Any) -> None:
    system, gold = DRS
    printed = run("export", system, gold, "--to", target, "--id", PAIR).stdout
    assert exactmatch.export(system, gold, target, id=PAIR) == printed


def test_import_solution_does_what_its_function_does(tmp_path: Path) -> None:
    solution = tmp_path / "solution"
    solution.write_text('{"mapping": [[0, 0]]}', encoding="utf-8")
    pair, score = exactmatch.import_solution(solution, *DRS, id=PAIR)
    assert run("import-solution", solution, *DRS, "--id", PAIR).stdout == mapping_text(pair, score)


def test_metrics_with_files_count_alike_in_both() -> None:
    printed = json.loads(
        run("score", *HARD, "--metric", "s2match", "--vectors", WORDS, "--format", "json").stdout
    )
    called = exactmatch.score(*HARD, metric=exactmatch.metric("s2match", vectors=WORDS))
    assert (printed["matched"], printed["signature"]) == (called.matched, called.signature)
    with pytest.raises(exactmatch.UsageError, match="smatch: takes no similarity; use s2match"):
        exactmatch.metric("smatch", vectors=WORDS)
    for wrong in ("half", 2, -0.1, float("nan")):
        with pytest.raises(exactmatch.UsageError, match="is not a number from 0 to 1"):
            exactmatch.metric("s2match", vectors=WORDS, cut_off=wrong)
    assert exactmatch.metric("s2match", vectors=WORDS, cut_off=0.3) == (
        exactmatch.metric("s2match", vectors=WORDS, cut_off="0.3")
    )


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"missing": "often"}, "no missing is called 'often'; the values are pairwise"),
        ({"pair_by": "name"}, "no pair_by is called 'name'"),
        ({"on_error": "empty"}, "no on_error is called 'empty'; the values are stop, skip"),
        ({"metric": "sembleu"}, "sembleu maps no variables"),
        ({"confidence": 2}, "a confidence of 2"),
        ({"colour": "red"}, "no choice called 'colour'"),
    ],
)
def test_options_of_studies_that_will_not_do_are_refused(
    options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(exactmatch.UsageError, match=reason):
        exactmatch.agreement([A, B], **options)


def test_results_of_studies_have_frames_and_texts() -> None:
    result = exactmatch.compare([A, B], CONSENSUS, resamples=99)
    frame = result.to_frame("systems" if "systems" in result.tables else None)
    assert len(frame) == 2 and list(frame["f1"]) == sorted(frame["f1"], reverse=True)
    with pytest.raises(exactmatch.UsageError, match="no table is called 'none'; the tables are"):
        result.to_frame("none")
    with pytest.raises(exactmatch.UsageError, match="no format is called 'pdf'"):
        result.report("pdf")  # type: ignore[arg-type]
    assert repr(result).endswith(": 48 of 48 pairs optimal>")
    assert result._repr_html_().count("<tr>") == 3
    again = pickle.loads(pickle.dumps(result))
    assert again.report("json") == result.report("json")
    with pytest.raises(AttributeError):
        result.pairs = 3  # type: ignore[misc]


def test_how_far_it_is_told() -> None:
    told: dict[str, list[int]] = {}

    class Bar:
        def __init__(self, doing: str, total: int | None, unit: str) -> None:
            self.doing = f"{doing} {unit}"
            told[self.doing] = [total or 0]

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None: ...

        def __call__(self, steps: int) -> None:
            told[self.doing].append(steps)

    exactmatch.compare([A], CONSENSUS, resamples=99, progress=Bar)
    exactmatch.score(Path(A), Path(B), progress=Bar)
    exactmatch.score("(a / b)", "(a / b)", progress=Bar)
    total, *steps = told["scoring bytes"]
    assert total == Path(A).stat().st_size + Path(B).stat().st_size
    assert 0.99 * total < sum(steps) <= total  # what follows the last graph is none's
    assert sum(told["reading bytes"][1:]) == told["reading bytes"][0]
    assert told["scoring pairs"] == [0, 1]


def test_resampling_is_told_and_one_thing_at_a_time(tmp_path: Path) -> None:
    told: list[str] = []
    shown: list[str] = []

    @contextmanager
    def bar(doing: str, _total: int | None, _unit: str) -> Iterator[Callable[[int], object]]:
        assert not shown, f"{doing} would be shown beside {shown}"
        told.append(doing)
        shown.append(doing)
        yield lambda _: None
        shown.clear()

    groups = tmp_path / "groups.tsv"
    identifiers = [f"study.{number}" for number in range(1, 25)]
    groups.write_text("".join(f"{name}\t{name > 'study.2'}\n" for name in identifiers))
    asked: dict[str, Any] = {"resamples": 99, "plan": 0.1, "progress": bar}
    exactmatch.agreement([A, B], group_by=groups, chance=100, **asked)
    again = ["comparing", "resampling"]  # pairs of different items, of all and of two groups
    first = ["reading", "comparing", "resampling", *again, *again, *again]
    assert told == [*first, "resampling", "resampling"]  # means of groups, and the plan
    told.clear()
    exactmatch.compare([A, B], CONSENSUS, **asked)
    assert told == ["reading", "scoring", "resampling", "resampling"]
    told.clear()
    exactmatch.compare({"a": [A, B], "c": [B]}, CONSENSUS, resamples=99, progress=bar)
    assert told == ["reading", "scoring", "resampling"]


def test_commands_say_what_they_do() -> None:
    """The list of commands is kept apart from the commands, so that it appears at once."""
    context = main.make_context("exactmatch", ["score", "x", "y"], resilient_parsing=True)
    shown = run("--help").stdout
    for name, (_, does) in COMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None and command.name == name
        assert f"{name} " in shown and does in shown
        first = (command.help or "").splitlines()[0]
        assert does.split()[0] == first.split()[0], first


def test_commands_stand_under_headings() -> None:
    shown = run("--help").stdout
    everyday = ["score", "iaa", "compare", "show", "web", "diff", "check"]
    assert [*GROUPS["Everyday"]][: len(everyday)] == everyday
    assert [*COMMANDS][-2:] == ["import-solution", "completion"]
    after = shown[shown.index("Everyday:") :].splitlines()
    headings = [line.rstrip(":") for line in after if line and not line.startswith(" ")]
    assert headings == [*GROUPS]
    assert [line.split()[0] for line in after if line.startswith("  ")] == [*COMMANDS]


@pytest.mark.parametrize(
    "wrong, near",
    [("scor", " Did you mean 'score'?"), ("verfy", " Did you mean 'verify'?"), ("xyzzy", "")],
)
def test_a_command_that_there_is_not_leads_to_near_ones(wrong: str, near: str) -> None:
    error = run(wrong, "x", "y", status=2).stderr
    said = f"error: no such command '{wrong}'.{near}".removesuffix(".")
    assert error == f"{said}\nnote: {main.name} --help lists the commands\n"


def test_files_without_a_command_lead_to_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my a.amr").write_text("(a / b)", encoding="utf-8")
    said = "error: no such command 'my a.amr'. To score files, write: exactmatch score"
    assert run("my a.amr", "b.amr", status=2).stderr.startswith(f"{said} 'my a.amr' b.amr\n")
    assert run("my a.amr", status=2).stderr.startswith(f"{said} 'my a.amr' GOLD\n")


def test_help_has_headings() -> None:
    shown = run("score", "--help-all").stdout
    headings = ["Input:", "Counting:", "Search and proof:", "Limits:", "Output:", "Other:"]
    assert [line for line in shown.splitlines() if line in headings] == headings
    assert "--top" not in shown and "--vectors" not in shown
    assert shown.count("\n  -") < 50


@pytest.mark.parametrize("name", exactmatch.METRICS)
def test_help_of_a_metric_names_its_choices(name: str) -> None:
    shown = run("score", "--help-metric", name).stdout
    kind = exactmatch.METRICS[name]
    assert shown.startswith(kind.title)
    for choice, values in kind.choices().items():
        written = "|".join(shown_values(choice, values))
        assert f"--{choice.replace('_', '-')} [{written}]" in shown
        default = f"[default:{getattr(kind.profiles['default'], choice)}]"
        assert default in "".join(shown.split())
    defaults = {"sembleu": ("3", "0.3333,0.3333,0.3333"), "dscorer": ("4", "0.1,0.225,0.225,")}
    for option, default in zip(("--order N", "--weights"), defaults.get(name, ()), strict=False):
        after = "".join(shown[shown.index(option) :].split())
        assert after[after.index("[default:") :].startswith(f"[default:{default}")
    assert ("--order" in shown) == ("--weights" in shown) == (name in defaults)
    assert ("--vectors" in shown, "--synonyms" in shown) == (
        name in ("s2match", "counter"),
        name == "counter",
    )


def test_no_option_but_those_of_metrics_is_hidden() -> None:
    """No option has an older name, since no release had one."""
    shown = "".join(run("score", "--help-metric", name).stdout for name in exactmatch.METRICS)
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        for parameter in command.params:
            if getattr(parameter, "hidden", False):
                assert f"{parameter.opts[0]} " in shown, parameter.opts


def several(name: str) -> list[str]:
    """Return the options of a command that may be given several times."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    options = (p for p in command.params if isinstance(p, click.Option) and p.multiple)
    return sorted(max(one.opts, key=len) for one in options if not one.hidden)


#: What may be given several times, with two values, and what else has to be given.
LISTED = {
    "--metric": ("smatch", "sembleu"),
    "--metrics": ("smatch", "sembleu"),
    "--where": ("gold_variables<=99", "id~^study[.][1-3]{1,2}$"),
    "--subscores": ("concepts", "srl"),
    "--method": ("s", "r"),
    "--restarts": ("1", "2"),
    "--only": ("duplicate", "disconnected"),
    "--except": ("duplicate", "disconnected"),
}
#: Commands that take a single metric, and so no list of them.
ONE_METRIC = ("choose", "matrix", "nearest", "show", "diff", "mappings", "ngrams", "export")


@pytest.mark.parametrize(
    "name, option",
    by_day(
        [
            (name, option)
            for name in COMMANDS
            if name not in (*ONE_METRIC, "import-solution")
            for option in several(name)
        ],
        3,
    ),
)
def test_what_may_be_repeated_may_be_listed_with_commas(
    name: str, option: str, three: list[Path]
) -> None:
    one, other = LISTED[option]
    files = three[:1] if name == "check" else three[:2]
    limits = ["--resamples", 99] if name in ("iaa", "compare") else []
    limits += ["--seeds", 1] if name in ("search-error", "principles") else []
    words = (name, *files, *limits, "--format", "json")
    if option == "--metric" and name in ("iaa", "search-error", "explain"):
        assert "one metric" in run(*words, option, f"{one},{other}", status=2).stderr
        return
    results = [
        CliRunner().invoke(main, [str(word) for word in (*words, *given)])
        for given in ((option, one, option, other), (option, f"{one}, {other}"), (option, one))
    ]
    repeated, listed, first = (untimed(json.loads(result.stdout)) for result in results)
    assert repeated == listed != first


def test_the_last_of_several_values_is_completed() -> None:
    shell = ShellComplete(main, {}, "exactmatch", "_EXACTMATCH_COMPLETE")
    found = shell.get_completions(["score", "--metric"], "smatch,se")
    assert [one.value for one in found] == ["smatch,sembleu"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_there_for_every_shell(shell: str) -> None:
    assert "_EXACTMATCH_COMPLETE" in run("completion", shell).stdout


@pytest.mark.parametrize(
    "words, message",
    [
        (["score", "x"], "missing argument 'GOLD'"),
        (["score", "x", "y", "--colour"], "no such option:? '?--colour"),
        (["skore"], "no such command 'skore'"),
        (["-f", "x", "y"], "no such option '-f' before .*: exactmatch smatch -f x y$"),
        (["--format", "json", "x", "y"], "no such .*: exactmatch score --format json x y$"),
        (["--id", "3", "diff", "x", "y"], "no such option .*: exactmatch diff --id 3 x y$"),
        (["help", "skore"], "no such command 'skore'"),
        (["score", "x", "y", "--limit", "3"], "no such option '--limit'$"),
        (["score", "x", "y", "--metrics", "smatch"], "no such option '--metrics'.*'--metric'"),
        (["score", "--metric", "Smatch", "x", "y"], r".*ancast\. Did you mean 'smatch'\?$"),
        (["iaa", "--metric", "sematch", "x", "y"], r".*align-smatch\. Did you mean 'smatch' or"),
        (["score", "x", "y", "z"], r".* argument \(z\)\. To rank several systems, use .* compare;"),
        (["score", "x", "y", "--metric", "smatch", "z"], r".* argument \(z\)\. To rank"),
        (
            ["score", "x", "y", "--heuristic", "s"],
            r".* argument \(s\)\. s is a value of --method\.",
        ),
        (["show", "x", "y", "smatch"], r".* \(smatch\)\. smatch is a value of --metric$"),
        (["score", "x", "y", "--threads", "4"], "no such option '--threads'.*'--workers'.$"),
        (["iaa", "x", "y", "-j", "4"], "no such option '-j'.*'--workers'.$"),
        (["score", "x", "y", "--seeds", "4"], "no such option '--seeds'.*'--seed'.$"),
        (["score", "x", "y", "--restarts", "4"], "no such option '--restarts'.*'--method'.$"),
        (["web", "--threads", "4"], "no such option '--threads'$"),
        (["iaa", "x", "y", "--gold", "z"], "no such option '--gold'.*'--consensus'.$"),
        (["agreement", "x", "y"], "no such command 'agreement'.*'iaa'.$"),
        (["iaa", "x", "y", "--table", "nosuch"], "invalid value for '--table': 'nosuch'.* 'plan'$"),
        (["iaa", "x", "y", "--table", "item"], r"invalid value.*\. Did you mean 'items'"),
        (
            ["score", "x", "y", "--solver", "cp-sat"],
            r"invalid.* 'maxsat'\. Did you mean 'cpsat'\?$",
        ),
        (["diff", "x", "y", "z"], r".* argument \(z\)$"),
        (["--colour"], "no such option:? '?--colour"),
        (["score", "x", "y", "--timeout", "-1"], "invalid value for '--timeout'"),
    ],
)
def test_wrong_usage_is_one_message(words: list[str], message: str) -> None:
    result = run(*words, status=2)
    assert result.stdout == ""
    first, second = result.stderr.splitlines()
    assert re.match(f"error: {message}", first)
    assert second.startswith("note: ") and "--help" in second


#: The command of each folder of a study with tables.
_OF_FOLDERS = {
    "agreement": "iaa",
    "correlation": "correlate",
    "explanation": "explain",
    "principles": "principles",
    "ranking": "compare",
    "search_error": "search-error",
}
#: Tables in files of their own, which no report has.
_ELSEWHERE = {"third"}


@pytest.mark.parametrize("folder, command", _OF_FOLDERS.items())
def test_all_tables_of_a_study_can_be_asked_for(folder: str, command: str) -> None:
    """A name that is no table is told before any work, so that no table may be forgotten."""
    found = main.get_command(click.Context(main), command)
    assert found is not None
    (option,) = (one for one in found.params if one.name == "table")
    assert isinstance(option.type, click.Choice)
    written = set()
    for path in (Path(exactmatch.__file__).parent / "studies" / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Attribute(attr="table"), [ast.Constant(str(key)), *_]):
                    written.add(key)
    made = set()
    for golden in (INSTANCES.parent / "tests" / "golden").glob("*.json"):
        report = json.loads(golden.read_text(encoding="utf-8"))
        studies = {folder.replace("_", "-"), *(["claims"] if command == "search-error" else [])}
        if "tables" in report and report["study"] in studies:
            made |= {*report["tables"]}
    assert len(written) >= 3 <= len(made)
    assert (written | made) - {""} - _ELSEWHERE <= {*option.type.choices}


def test_a_folder_of_proofs_is_checked_without_files() -> None:
    said = run("verify", INSTANCES, A, B, status=2).stderr
    assert said.endswith(
        "is a folder, whose manifest names the graphs: leave SYSTEM and GOLD out\n"
    )


def test_a_subscore_that_is_the_score_leads_to_groups() -> None:
    said = run("score", A, B, "--subscores", "all").stderr
    assert said.startswith("note: the subscore all is of all triples, so it is the score;")
    assert "damonte, damonte-set, aspects" in said
    assert run("score", A, B, "--subscores", "concepts").stderr == ""


def test_of_two_graphs_none_is_nearer(tmp_path: Path) -> None:
    told = "of two graphs, each is as near to the other"
    assert told in run("choose", A, B, "-o", tmp_path / "chosen").stdout
    assert told not in run("choose", A, B, CONSENSUS, "-o", tmp_path / "chosen").stdout


@pytest.mark.parametrize(
    "words", ["web -o {}.html", "adjudicate {a} {b} -o {}.html", "iaa {a} {b} --plots {}.png"]
)
def test_a_folder_is_not_called_like_a_file(words: str, tmp_path: Path) -> None:
    place = tmp_path / "page"
    said = run(*words.format(place, a=A, b=B).split(), status=2).stderr
    assert re.fullmatch(r"error: .* is to be a folder, but its name ends like .*\n", said)
    assert [*tmp_path.iterdir()] == []


def test_proofs_of_swapped_files_are_refuted_once(tmp_path: Path) -> None:
    proofs = tmp_path / "proofs"
    exactmatch.score(A, B, certificates=proofs)
    swapped = run("verify", proofs, B, A, status=4)
    first, *_ = swapped.stdout.splitlines()
    assert first == "refuted, each of 24: 'it is about another pair, or of another schema'"
    assert swapped.stderr.startswith(f"note: these look like certificates of {A} against {B}: swap")
    other = run("verify", proofs, A, CONSENSUS, status=4)
    assert other.stdout.startswith("refuted, each of 24: ") and "swap" not in other.stderr


def test_a_single_metric_has_no_table_of_correlations() -> None:
    alone = run("correlate", A, B, CONSENSUS, "--metric", "smatch")
    assert "A single metric correlates with no other; --metric names several." in alone.stdout
    assert "Correlation of every two metrics" not in alone.stdout
    content = json.loads(
        run("correlate", A, B, CONSENSUS, "--metric", "smatch", "--format", "json").stdout
    )
    assert content["tables"]["correlations"] == []


@pytest.mark.parametrize("output_format", by_day(["html", "latex"]))
def test_the_sentence_of_a_plan_is_said_once(output_format: str) -> None:
    words = ("--plan", "0.01", "--resamples", "20", "--format", output_format)
    said = run("compare", A, B, CONSENSUS, *words).stdout
    assert said.count("has a half-width of") == 1


def test_mistaken_values_name_their_option(tmp_path: Path) -> None:
    said = run("score", A, B, "--fail-under", "60", status=2).stderr
    assert said == "error: --fail-under: '60' is not a number from 0 to 1\n"
    said = run("score", A, B, "--ids", "study.1", status=1).stderr
    assert (
        said.startswith("error: study.1: No such file or directory (") and "--where id=NAME" in said
    )


@pytest.mark.parametrize("name", METRICS)
def test_the_help_of_a_metric_fits_a_terminal(name: str) -> None:
    lines = run("score", "--help-metric", name).stdout.splitlines()
    assert max(map(len, lines)) <= 80 + 2  # the runner of click has two columns more


def test_the_help_of_a_metric_folds_paragraphs_with_names_in_code() -> None:
    paragraphs = run("score", "--help-metric", "sembleu").stdout.split("\n\n")
    folded = next(each for each in paragraphs if "0.34, 0.33 and 0.34" in each)
    assert all(len(line) > 60 for line in folded.splitlines()[:-1])


def test_help_is_a_command_as_well() -> None:
    assert run("help").stdout == run("--help").stdout
    assert run("help", "score").stdout == run("score", "--help").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_without_its_value_leads_to_the_help_of_its_command(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    taking = [
        parameter.opts[0]
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.is_flag and parameter.nargs == 1
    ]
    for option in taking[:3]:
        error = run(name, option, status=2).stderr
        assert error == (
            f"error: option '{option}' requires an argument\nnote: {main.name} {name} --help "
            "lists the options\n"
        )


def test_results_go_to_a_file(tmp_path: Path) -> None:
    proofs, result = tmp_path / "proofs", tmp_path / "result"
    exactmatch.score(*HARD, certificates=proofs)
    for words in (
        ("score", *HARD, "--long-signature"),
        ("verify", proofs, *HARD),
        ("compare", A, "--gold", CONSENSUS, "--resamples", "99", "--long-signature"),
        ("export", *DRS, "--to", "lp", "--id", PAIR),
    ):
        printed = run(*words).stdout
        assert run(*words, "-o", result).stdout == ""
        assert result.read_text("utf-8") == printed


def test_adjudicate_does_what_its_functions_do(tmp_path: Path) -> None:
    pages, again = tmp_path / "pages", tmp_path / "again"
    work = INSTANCES / "agreement" / "adjudication"
    files = [INSTANCES / "paper" / f"{side}.amr" for side in ("system", "gold")]
    printed = json.loads(run("adjudicate", *files, "-o", pages, "--format", "json").stdout)
    done = exactmatch.adjudicate(files, again)
    assert {**json.loads(done.report("json")), "page": printed["page"]} == printed
    for name in ("index.html", "batch.json"):
        assert (pages / name).read_bytes() == (again / name).read_bytes()
    both = [work / "ann.json", work / "bob.json"]
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    merged = exactmatch.merge_work(both, other)
    assert run("adjudicate", "--merge", *both, "-o", one, status=1).stdout == f"{merged.report()}\n"
    assert one.read_bytes() == other.read_bytes()
    refused = run("adjudicate", "--collect", pages, one, "-o", tmp_path / "gold.amr", status=1)
    assert "of another batch" in refused.stderr


@pytest.mark.parametrize(
    "words",
    [("--merge", "--collect", "pages"), ("--merge", "-o", A)],
)
def test_adjudicate_says_what_does_not_go_together(words: Sequence[str], tmp_path: Path) -> None:
    run("adjudicate", A, "-o", tmp_path / "x", *words, status=2)


@pytest.mark.parametrize("way", [("--merge",), ("--collect", "pages")])
@pytest.mark.parametrize(
    "option", ["--guidelines", "--consensus", "--workers", "--timeout", "--memory", "--seed"]
)
def test_options_of_pages_are_refused_for_work_files(
    way: Sequence[str], option: str, tmp_path: Path
) -> None:
    refused = run("adjudicate", A, "-o", tmp_path / "x", *way, option, "2", status=2)
    assert f"for pages, not for work files: {option}\n" in refused.stderr
