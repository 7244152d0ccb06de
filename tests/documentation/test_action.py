"""The GitHub Action: its steps are run here as a runner does, on small folders."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from textwrap import dedent
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
        dedent(step.partition("      run: |\n")[2]),
    )
    for step in re.split(r"\n    - name: ", ACTION)[1:]
]

HEADER = (
    "| file | metric | score | at most | precision | recall | matched | of system | of gold | pairs"
    " | proven | skipped | status |"
)


def step(number: int, folder: Path, inputs: dict[str, str], **more: str) -> tuple[int, str]:
    """Run a step in *folder*; return its status and its messages."""
    names, script = STEPS[number]
    given = INPUTS | inputs
    environment = {
        **os.environ,
        **{variable: given[name] for variable, name in names.items()},
        "GITHUB_ACTION_PATH": str(ROOT),
        **more,
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8"
    )
    return done.returncode, done.stderr


def score(
    folder: Path, temporary: Path, inputs: dict[str, str], **more: str
) -> tuple[int, str, list[dict[str, Any]], str]:
    """Run the scoring step; return its status, the summary, the scores and its messages."""
    files = {name: temporary / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for file in files.values():
        file.write_text("", encoding="utf-8")
    more |= {name: str(file) for name, file in files.items()} | {"RUNNER_TEMP": str(temporary)}
    status, said = step(-1, folder, inputs, **more)
    summary, output = (file.read_text(encoding="utf-8") for file in files.values())
    assert output, said
    return status, summary, json.loads(output.removeprefix("scores=")), said


def run(folder: Path, **inputs: str) -> tuple[int, str, list[dict[str, Any]], str]:
    """Run the scoring step beside what is installed here."""
    return score(folder, folder.parent / "temporary", inputs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a workspace; beside it, what the first step would install is there."""
    installed = tmp_path / "temporary" / "exactmatch"
    venv.create(installed)
    (packages,) = installed.glob("**/site-packages")
    ours = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    (packages / "ours.pth").write_text("\n".join(ours), encoding="utf-8")
    return workspace(tmp_path / "workspace")


def workspace(tmp_path: Path) -> Path:
    for side, file in (("system", "a.amr"), ("gold", "consensus.amr")):
        (tmp_path / side / "dev").mkdir(parents=True)
        text = (INSTANCES / file).read_text(encoding="utf-8")
        (tmp_path / side / "dev" / "study|1.amr").write_text(text, encoding="utf-8")
        (tmp_path / side / "birds.amr").write_text("(b / bird)\n", encoding="utf-8")
    return tmp_path


def test_every_input_of_a_step_is_declared_and_no_command_has_text_of_a_workflow() -> None:
    assert [*INPUTS] == ["system", "gold", "options", "fail-under", "check", "python"]
    assert (INPUTS["python"], INPUTS["options"]) == ("python3", "")
    asked = [name for names, _ in STEPS for name in names.values()]
    assert sorted(asked) == sorted(INPUTS)
    for _, script in STEPS:
        assert script and "${{" not in script


@pytest.mark.nightly
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
    assert lines[7].startswith("`smatch|profile:default.2|")
    assert [(one["name"], one["status"]) for one in scores] == [
        ("birds.amr", 0),
        ("dev/study|1.amr", 0),
    ]


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_faults_are_annotated_and_fail_on_request(folder: Path) -> None:
    (folder / "gold" / "birds.amr").write_text("(b / bird :foo (c / cat))\n", encoding="utf-8")
    given = {"system": "system", "gold": "gold"}
    status, _, scores, said = run(folder, **given, check="true")
    assert status == 1 and len(scores) == 2
    assert said.strip() == "| note: checked 50 graphs: 3 faults"
    assert run(folder, **given, check="--except unknown-role")[0] == 0
    assert run(folder, **given, check="false")[0] == run(folder, **given)[0] == 0
    status, _, scores, said = run(folder, **given, check="--nonsense")
    assert (status, scores) == (2, []) and "check: no options of exactmatch check" in said


@pytest.mark.nightly
def test_a_check_needs_no_gold(folder: Path) -> None:
    status, summary, scores, said = run(folder, system="system", check="--except unknown-role")
    assert (status, scores) == (0, []) and "system: no faults were found" in summary
    assert said == "| note: checked 25 graphs: 0 faults\n"
    status, summary, *_ = run(folder, system="system", check="true")
    assert status == 1 and "system: there are faults" in summary
    for gate in ({"fail-under": "0.9"}, {"options": "--metric sembleu"}):
        status, _, scores, said = run(folder, system="system", check="true", **gate)
        assert (status, scores) == (2, []) and "gold are needed for options" in said
    for check in ("", "false"):
        status, summary, scores, said = run(folder, system="system", check=check)
        assert (status, scores) == (2, []) and "gold are needed to score" in said


@pytest.mark.nightly
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


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_no_file_is_an_option_or_a_module_and_options_are_to_be_quoted(folder: Path) -> None:
    (folder / "-x.amr").write_text("(b / bird)\n", encoding="utf-8")
    (folder / "json.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    status, _, scores, said = run(folder, system="-x.amr", gold="gold/birds.amr")
    assert (status, scores[0]["score"], said) == (0, 1.0, "")
    status, summary, scores, said = run(folder, system="-x.amr", gold="-x.amr", options="'")
    assert (status, scores) == (2, []) and "No closing quotation" in said
    assert "No closing quotation" in summary


#: Modules that Python, venv, pip and the package would find in the workspace, or by variables.
HOSTILE = (
    *("exactmatch", "venv", "pip", "ensurepip", "json", "pickle", "click", "subprocess", "runpy"),
    *("sitecustomize", "usercustomize", "hatch_build", "backend", "setup", "conftest"),
)
#: Leaves a file that tells what ran.
RAN = """
import os, sys
open(os.path.join({folder!r}, "ran-" + __name__), "w").close()
raise SystemExit(9)
"""
#: Makes a package to install in place of ours.
BACKEND = """
import os, zipfile
def make_wheel(folder, package, code):
    name, about = f"{package}-1-py3-none-any.whl", f"{package}-1.dist-info/"
    files = {
        f"{package}/__init__.py": "",
        f"{package}/__main__.py": code,
        f"{package}/graphs/__init__.py": "",
        f"{package}/graphs/folders.py": "from os import listdir as files_below",
        about + "METADATA": f"Metadata-Version: 2.1\\nName: {package}\\nVersion: 1",
        about + "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any",
        about + "RECORD": "",
    }
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
def build_wheel(folder, config_settings=None, metadata_directory=None):
    return make_wheel(folder, "exactmatch", "print('{\\"signature\\": \\"\\", \\"score\\": 1.0}')")
"""
#: What it needs to be built: pip installs that in a process of its own.
SETTINGS = """
[build-system]
requires = ["helper"]
build-backend = "stub"
backend-path = ["."]
"""


def write_action(folder: Path) -> None:
    """Write a checkout of the action with that package."""
    script = folder / ".github" / "action" / "score.py"
    script.parent.mkdir(parents=True)
    shutil.copy(ROOT / ".github" / "action" / "score.py", script)
    (folder / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "stub.py").write_text(BACKEND, encoding="utf-8")
    runpy.run_path(str(folder / "stub.py"))["make_wheel"](folder, "helper", "")


def set_traps(folder: Path) -> None:
    """Write what would run if something looked for programs in the repository under test."""
    code = RAN.format(folder=str(folder))
    for name in HOSTILE:
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    for name in ("encodings", "exactmatch"):
        (folder / name).mkdir()
        for part in ("__init__", "__main__"):
            (folder / name / f"{part}.py").write_text(code, encoding="utf-8")
    program = f"touch {folder}/ran-program"
    texts = {
        "pip.conf": "[global]\nindex-url = file:///none\n",
        "setup.cfg": "[global]\ncommand_packages = json\n",
        ".env": f"PATH={folder}\n",
        "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'backend'\n",
        ".git/config": f"[core]\n\tfsmonitor = {program}\n\thooksPath = hooks\n",
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/hooks/post-checkout": f"#!/bin/sh\n{program}\n",
        "python": f"#!/bin/sh\n{program}\n",
        "git": f"#!/bin/sh\n{program}\n",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)


@pytest.mark.nightly
def test_nothing_of_the_repository_under_test_is_run(tmp_path: Path) -> None:
    """Nor if the variables of Python lead there, as they often do in workflows."""
    folder, temporary = workspace(tmp_path / "work space"), tmp_path / "temporary"
    set_traps(folder)
    odd = (
        "$(touch ran-name)\n`touch ran-name`.amr" if os.name == "posix" else "$(touch ran-name).amr"
    )
    (folder / "system" / odd).write_text("(b / bird)\n", encoding="utf-8")
    action = tmp_path / "action"
    write_action(action)
    temporary.mkdir()
    variables = {
        "PYTHONPATH": f"{folder}{os.pathsep}.",
        "PYTHONSTARTUP": str(folder / "setup.py"),
        "PYTHONUSERBASE": str(folder),
        "PYTHONBREAKPOINT": "setup",
        "GITHUB_ACTION_PATH": str(action),
        "RUNNER_TEMP": str(temporary),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(action),
    }
    python = {"python": sys.executable}
    status, said = step(0, folder, python, **variables)
    assert (status, said) == (0, "")
    given = {"system": "system", "gold": "gold"}
    del variables["RUNNER_TEMP"]
    status, _, scores, said = score(folder, temporary, given, **variables)
    assert (status, said) == (0, "")
    assert [one["score"] for one in scores] == [1.0] * 3
    assert not [path.name for path in folder.rglob("ran*")]


@pytest.mark.nightly
def test_the_traps_work(tmp_path: Path) -> None:
    set_traps(tmp_path)
    words = [sys.executable, "-m", "venv", "x"]
    assert subprocess.run(words, cwd=tmp_path).returncode == 9
    assert (tmp_path / "ran-__main__").exists()
