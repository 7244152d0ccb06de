"""Programs that start workers without `if __name__ == "__main__":`, and are told so once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from nightly import by_day

AGREEMENT = Path(__file__).resolve().parents[2] / "instances" / "agreement"
START = "import exactmatch\nfrom pathlib import Path\nA, B = Path('a.amr'), Path('b.amr')\n"
WAY = (
    "import multiprocessing\nfrom exactmatch.runtime import processes, workers\n"
    "workers._ALONE = 0.0\nprocesses._CONTEXT = multiprocessing.get_context({way!r})\n"
)
CALLS = {
    "score": "exactmatch.score(A, B, workers=2)",
    "auto": "exactmatch.score(A, B, workers='auto')",
    "files": "exactmatch.score(A, B, workers=2, per_pair='p.jsonl')",
    "study": "exactmatch.agreement([A, B], workers=2)",
    "matrix": "exactmatch.matrix(A, workers=2)",
    "scorer": "exactmatch.Scorer(workers=2).rewards([('(a / b)', '(a / b)')] * 99)",
}
SAID = (
    "exactmatch.errors.UsageError: each worker process runs the program again, which would start "
    'workers without end; put what the program does under if __name__ == "__main__": (or use one '
    "worker)"
)


def run(folder: Path, text: str) -> "subprocess.CompletedProcess[str]":
    for name in ("a.amr", "b.amr"):
        blocks = (AGREEMENT / name).read_text(encoding="utf-8").split("\n\n")
        (folder / name).write_text("\n\n".join(blocks[:4]), encoding="utf-8")
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        cwd=folder,
    )


def told_once(done: "subprocess.CompletedProcess[str]") -> None:
    assert done.returncode == 1
    assert done.stderr.count("Traceback (most recent call last)") == 1, done.stderr
    assert done.stderr.splitlines()[-1] == SAID, done.stderr
    assert "study." not in done.stderr, "no pair is blamed"
    assert done.stdout == ""


def test_a_program_without_a_guard_is_told_once(tmp_path: Path) -> None:
    told_once(run(tmp_path, START + CALLS["score"]))


@pytest.mark.slow
@pytest.mark.parametrize("way", by_day(["spawn", "forkserver"]))
@pytest.mark.parametrize("call", by_day(CALLS))
def test_whatever_starts_workers_however(call: str, way: str, tmp_path: Path) -> None:
    if way == "forkserver" and os.name != "posix":
        pytest.skip("there is no forkserver")
    told_once(run(tmp_path, START + WAY.format(way=way) + CALLS[call]))
    assert {path.name for path in tmp_path.iterdir()} == {"a.amr", "b.amr", "program.py"}


@pytest.mark.slow
def test_with_a_guard_the_same_program_runs(tmp_path: Path) -> None:
    done = run(tmp_path, f'{START}if __name__ == "__main__":\n    print({CALLS["score"]}.pairs)')
    assert (done.returncode, done.stdout, done.stderr) == (0, "4\n", "")


@pytest.mark.slow
def test_a_program_that_fails_in_a_worker_blames_no_pair(tmp_path: Path) -> None:
    """It ends before the worker begins, for a reason of its own."""
    text = f"{START}if __name__ == '__mp_main__': raise SystemExit(3)\n{CALLS['score']}"
    done = run(tmp_path, text)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "exactmatch.errors.WorkerError: a worker process ended with status 3 before it was ready "
        'for work (it runs what the program has outside of if __name__ == "__main__":, as each '
        "worker does)"
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="starts processes in another way")
def test_a_process_of_the_program_is_told_as_well(tmp_path: Path) -> None:
    """The program's own processes, which import it without a guard, get an error in words."""
    text = (
        f"import multiprocessing\n{START}"
        "if __name__ == '__mp_main__':\n"
        f"    {CALLS['score']}\n"
        "def work():\n    print('no')\n"
        "if __name__ == '__main__':\n"
        "    one = multiprocessing.get_context('spawn').Process(target=work)\n"
        "    one.start()\n    one.join()\n    raise SystemExit(one.exitcode)\n"
    )
    told_once(run(tmp_path, text))
