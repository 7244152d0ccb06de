"""A command runs no file of the folder that it is called in, whatever its name."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from nightly import by_day

ROOT = Path(__file__).parents[2]
PAIR = [str(ROOT / "instances" / "agreement" / f"{name}.amr") for name in "ab"]
COMMAND = Path(sysconfig.get_path("scripts"), "exactmatch")

#: What the command, its workers, the tracker of `multiprocessing` and solvers load, and more.
NAMES = (
    *("pickle", "json", "click", "numpy", "ortools", "pandas", "networkx", "penman", "struct"),
    *("multiprocessing", "signal", "selectors", "tempfile", "runpy", "threading", "exactmatch"),
    *("sitecustomize", "usercustomize", "encodings"),
)
RAN = """
import os
os.close(os.open({file!r}, os.O_CREAT))
raise SystemExit(9)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).mkdir()
        for path in (tmp_path / f"{name}.py", tmp_path / name / "__init__.py"):
            path.write_text(RAN.format(file=str(tmp_path / f"{name}.ran")), encoding="utf-8")
    return tmp_path


def environment() -> dict[str, str]:
    """Return an environment without the variable that makes Python ignore the folder."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONSAFEPATH", "PYTHONPATH")}


@pytest.mark.parametrize(
    "words",
    by_day([["--solver", "maxsat", "--workers", "2"], ["--workers", "2"], ["--solver", "cpsat"]]),
)
@pytest.mark.slow
def test_no_process_of_a_command_runs_files_of_the_folder(words: list[str], folder: Path) -> None:
    command = [str(COMMAND), "score", *PAIR, "--format", "json", *words]
    run = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout)["optimal"] == 24
    assert not [*folder.glob("*.ran")]


IN_A_PROGRAM = """
import os, sys
from pathlib import Path
import exactmatch
if __name__ == "__main__":
    with exactmatch.Scorer(workers=2) as scorer:
        assert scorer.rewards([("(b / bird)", "(b / bird)")] * 4) == [1.0] * 4
    print(os.environ.get("PYTHONSAFEPATH"))
"""


@pytest.mark.nightly
def test_a_program_of_another_folder_runs_none_either_and_keeps_its_environment(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = tmp_path_factory.mktemp("program") / "program.py"
    program.write_text(IN_A_PROGRAM, encoding="utf-8")
    for given in ({}, {"PYTHONSAFEPATH": "yes"}):
        run = subprocess.run(
            [sys.executable, str(program)],
            cwd=folder,
            env=environment() | given,
            capture_output=True,
            text=True,
        )
        assert (run.returncode, run.stderr) == (0, "")
        assert run.stdout == f"{given.get('PYTHONSAFEPATH')}\n"
    assert not [*folder.glob("*.ran")]
