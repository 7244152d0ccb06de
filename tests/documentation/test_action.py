"""The GitHub Action: its step that scores is run here as a runner does, on small folders."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
INSTANCES = ROOT / "instances" / "agreement"
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
#: The inputs with their defaults; of each step its variables, with their inputs, and its script.
INPUTS = {
    name: (re.findall(r'default: "?([^"\n]*)', said) or [""])[0]
    for name, said in re.findall(
        r"(?m)^  ([\w-]+):\n((?:    .*\n)+)",
        ACTION.partition("inputs:")[2].partition("outputs:")[0],
    )
}
STEPS = [
    (
        dict(re.findall(r"        (\w+): \$\{\{ inputs\.([\w-]+) \}\}\n", step)),
        step.partition("      run: ")[2],
    )
    for step in re.split(r"\n    - name: ", ACTION)[1:]
]

HEADER = (
    "| file | metric | score | at most | precision | recall | matched | of system | of gold | pairs"
    " | proven | skipped | status |"
)


def run(folder: Path, **inputs: str) -> tuple[int, str, list[dict[str, Any]], str]:
    """Run the scoring step; return its status, the summary, the scores and its messages."""
    names, script = STEPS[-1]
    given = INPUTS | inputs
    files = {name: folder / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for file in files.values():
        file.write_text("", encoding="utf-8")
    environment = {
        **os.environ,
        **{variable: given[name] for variable, name in names.items()},
        **{name: str(file) for name, file in files.items()},
        "GITHUB_ACTION_PATH": str(ROOT),
        "PYTHONPATH": str(ROOT),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    summary, output = (file.read_text(encoding="utf-8") for file in files.values())
    return done.returncode, summary, json.loads(output.removeprefix("scores=")), done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for side, file in (("system", "a.amr"), ("gold", "consensus.amr")):
        (tmp_path / side / "dev").mkdir(parents=True)
        text = (INSTANCES / file).read_text(encoding="utf-8")
        (tmp_path / side / "dev" / "study|1.amr").write_text(text, encoding="utf-8")
        (tmp_path / side / "birds.amr").write_text("(b / bird)\n", encoding="utf-8")
    return tmp_path


def test_every_input_of_a_step_is_declared_and_no_command_has_text_of_a_workflow() -> None:
    assert [*INPUTS] == ["system", "gold", "options", "fail-under", "python"]
    assert (INPUTS["python"], INPUTS["options"]) == ("python3", "")
    asked = [name for names, _ in STEPS for name in names.values()]
    assert sorted(asked) == sorted(INPUTS)
    for _, script in STEPS:
        assert script and "${{" not in script


@pytest.mark.slow
def test_a_folder_of_pairs_becomes_a_table_in_the_summary(folder: Path) -> None:
    status, summary, scores, said = run(folder, system="system", gold="gold")
    lines = summary.splitlines()
    assert (status, said.strip()) == (0, "")
    assert lines[0] == "## exactmatch" and lines[2] == HEADER
    assert lines[4:6] == [
        "| birds.amr | smatch | 1.0000 | 1.0000 | 1.0000 | 1.0000 | 2 | 2 | 2 | 1 | 1 | 0 |  |",
        "| dev/study\\|1.amr | smatch | 0.9180 | 0.9180 | 0.9128 | 0.9233 | 879 | 963 | 952 | 24 |"
        " 24 | 0 |  |",
    ]
    assert lines[7].startswith("`smatch|profile:default.1|")
    assert [(one["name"], one["status"]) for one in scores] == [
        ("birds.amr", 0),
        ("dev/study|1.amr", 0),
    ]


@pytest.mark.slow
def test_a_score_that_is_too_low_and_a_file_without_partner_fail(folder: Path) -> None:
    (folder / "system" / "more.amr").write_text("(c / cat)\n", encoding="utf-8")
    status, summary, scores, said = run(
        folder,
        system="system",
        gold="gold",
        **{"fail-under": "0.95"},
        options="--profile paper-2013",
    )
    assert status == 6
    assert "| below what has to be reached |" in summary
    assert "| more.amr |  |  |  |  |  |  |  |  |  |  |  | bad input, or pairs left out |" in summary
    assert "`smatch|profile:paper-2013|" in summary
    assert [one["status"] for one in scores] == [0, 6, 1]
    assert "is at most 0.9" in said and "No such file" in said and "below 0.95" in summary


@pytest.mark.slow
def test_two_files_may_be_given_and_nothing_in_their_names_is_run(folder: Path) -> None:
    name = "$(touch run) `x` <b>.amr"
    (folder / name).write_text("(b / bird)\n", encoding="utf-8")
    words = "--metric smatch,sembleu --pair-by position"
    status, summary, scores, _ = run(folder, system=name, gold="gold/birds.amr", options=words)
    assert status == 0 and not (folder / "run").exists()
    assert [one["metric"] for one in scores] == ["smatch", "sembleu"]
    assert summary.splitlines()[4].startswith("| $(touch run) \\`x\\` &lt;b&gt;.amr | smatch | 1.0")
    status, _, scores, said = run(folder, system="none", gold="gold", options="--metric sm")
    assert (status, len(scores)) == (2, 1) and "sm" in said


@pytest.mark.slow
def test_odd_names_are_files_and_stay_in_their_line(folder: Path) -> None:
    odd = "n\n::error::x.amr"
    (folder / "system" / odd).write_text("(b / bird)\n", encoding="utf-8")
    (folder / "system" / ".git").mkdir()
    (folder / "system" / ".git" / "config").write_text("[core]\n", encoding="utf-8")
    if sys.platform == "linux":
        (folder / "system" / os.fsdecode(b"x\xff.amr")).write_text("", encoding="utf-8")
    status, summary, scores, said = run(folder, system="system", gold="gold")
    assert status == 1 and "| n\ufffd::error::x.amr |" in summary
    assert [one["name"] for one in scores][:3] == ["birds.amr", "dev/study|1.amr", odd]
    assert len(scores) == 3 + (sys.platform == "linux")
    assert "No such file" in said and "\n::" not in f"\n{said}"


@pytest.mark.slow
def test_no_file_is_an_option_or_a_module_and_options_are_to_be_quoted(folder: Path) -> None:
    (folder / "-x.amr").write_text("(b / bird)\n", encoding="utf-8")
    (folder / "json.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    status, _, scores, said = run(folder, system="-x.amr", gold="gold/birds.amr")
    assert (status, scores[0]["score"], said) == (0, 1.0, "")
    status, summary, scores, said = run(folder, system="-x.amr", gold="-x.amr", options="'")
    assert (status, scores) == (2, []) and "No closing quotation" in said
    assert "No closing quotation" in summary
