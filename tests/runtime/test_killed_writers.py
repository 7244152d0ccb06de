"""Runs that write the same outputs at once, and are killed at random times."""

import random
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from started_processes import running

pytestmark = pytest.mark.slow

#: Writes a file and a folder again and again, with what says which run it is.
WRITER = """
import sys
from pathlib import Path
from exactmatch.runtime.output import partial_file, writing
from exactmatch.runtime.together import writing_together

folder, said = Path(sys.argv[1]), sys.argv[2]
while True:
    with writing(folder / "lines") as file:
        for _ in range(500):
            file.write(f"{said}\\n")
    with partial_file(folder / "pages" / "head") as head:
        head.text.write(said)
        with writing_together(folder / "pages", head) as files:
            for name in ("one", "two", "three"):
                files.write(folder / "pages" / name, said)
    print("written", flush=True)
"""
RUNS = "abc"


def test_files_and_folders_are_whole_and_of_one_run(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    for _ in range(3):
        with ExitStack() as stack:
            runs = [
                stack.enter_context(running(sys.executable, "-c", WRITER, str(tmp_path), said))
                for said in RUNS
            ]
            for one in runs:
                assert one.stdout is not None and one.stdout.readline() == "written\n"
            for one in runs:
                time.sleep(random.random() / 20)
                one.kill()
                one.wait()
        assert (tmp_path / "lines").read_text("utf-8") in {f"{said}\n" * 500 for said in RUNS}
        pages = {name: tmp_path / "pages" / name for name in ("head", "one", "two", "three")}
        if pages["head"].exists():  # else a run was killed before its folder was whole
            said = pages["head"].read_text("utf-8")
            assert said in RUNS
            assert {path.read_text("utf-8") for path in pages.values()} == {said}
