"""Every command, with standard streams closed, or missing as in programs without a window."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from nightly import by_day

import exactmatch
from exactmatch.cli import COMMANDS, main
from exactmatch.runtime import standard_streams
from exactmatch.runtime.standard_streams import is_terminal, standard_error, standard_output

ROOT = Path(__file__).parents[2]
PAIR = [ROOT / "instances" / "agreement" / f"{name}.amr" for name in "ab"]

#: The calls of each command.
CASES = {
    "score": [
        "score ../a ../b --workers 2 --per-pair pairs --no-seconds",
        "score ../a ../b -o out",
    ],
    "iaa": ["iaa ../a ../b ../c --resamples 10"],
    "compare": ["compare ../a ../b --gold ../c --resamples 10"],
    "show": ["show ../a ../b -o page.html"],
    "web": ["web -o page"],
    "diff": ["diff ../a ../b"],
    "check": ["check ../a ../b"],
    "adjudicate": ["adjudicate ../a ../b -o pages"],
    "choose": ["choose ../a ../b ../c -o chosen"],
    "matrix": ["matrix ../a ../b --format csv"],
    "nearest": ["nearest ../a ../b --top 1"],
    "search-error": ["search-error ../a ../b --seeds 1 --table sizes"],
    "explain": ["explain ../a ../b --between default default:top=none"],
    "principles": ["principles ../a ../b --seeds 1 --metric smatch"],
    "correlate": ["correlate ../a ../b ../c --metric smatch --metric sembleu"],
    "verify": ["verify ../proofs ../a ../b"],
    "mappings": ["mappings ../a ../b --id p1"],
    "ngrams": ["ngrams ../a ../b --id p1"],
    "export": ["export ../a ../b --id p1 --to lp"],
    "import-solution": ["import-solution ../answer ../a ../b --id p1"],
    "smatch": ["smatch -f ../a ../b -v"],
    "completion": ["completion bash"],
    # Errors: those of click, of a command, and of the input.
    "": [
        "",
        "--help",
        "--version",
        "score",
        "score --nothing",
        "score ../a ../none",
        "score - ../b",
    ],
}
GRAPHS = {
    "a": ["(g / go :ARG0 (b / boy))", "(c / come :ARG0 (g / girl))"],
    "b": ["(g / go :ARG1 (b / boy))", "(c / come :ARG0 (g / girl) :time (n / now))"],
    "c": ["(g / go :ARG0 (m / man))", "(c / come :ARG1 (g / girl))"],
}
LINES = [line for lines in CASES.values() for line in lines]
#: By day, one command of each kind: with workers, with a report, with files of its own; errors.
BY_DAY = [CASES["score"][0], CASES["iaa"][0], CASES["export"][0], *CASES[""]]
CLOSED: tuple[list[int], ...] = ([], [2], [1], [0, 1, 2])


class Run(NamedTuple):
    """What a run has left."""

    status: str
    stdout: str
    stderr: str
    files: set[str]


@pytest.fixture(scope="module")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str], Run]:
    """Return the run of each line of words with the closed descriptors, written as digits.

    Only lines of tests that are run are run, all in one program.
    """
    folder = tmp_path_factory.mktemp("closed")
    for name, texts in GRAPHS.items():
        graphs = [f"# ::id p{k}\n# ::snt {k}\n{text}\n" for k, text in enumerate(texts, 1)]
        (folder / name).write_text("\n".join(graphs), encoding="utf-8")
    (folder / "answer").write_text('{"mapping": [[0, 0]]}', encoding="utf-8")
    exactmatch.score(folder / "a", folder / "b", certificates=folder / "proofs")
    calls = (getattr(item, "callspec", None) for item in request.session.items)
    wanted = {call.params.get("line") for call in calls if call}
    cases = [(line, closed) for line in LINES if line in wanted for closed in CLOSED]
    asked = folder / "cases.json"
    asked.write_text(json.dumps([(line.split(), closed) for line, closed in cases]), "utf-8")
    script = ROOT / "tests" / "closed_streams.py"
    subprocess.run([sys.executable, script, asked], check=True, stdin=subprocess.DEVNULL)
    return {
        (line, "".join(map(str, closed))): left(folder / str(number))
        for number, (line, closed) in enumerate(cases)
    }


def left(folder: Path) -> Run:
    files = {path.name for path in folder.iterdir()}
    said = {n: (folder / n).read_text(encoding="utf-8") for n in ("status", "stdout", "stderr")}
    return Run(**said, files=files)


def test_every_command_is_listed() -> None:
    assert {*CASES} == {*COMMANDS, ""}
    assert all(line.startswith(name) for name, lines in CASES.items() for line in lines)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize(
    "line",
    by_day([*BY_DAY, *(line for line in LINES if line not in BY_DAY)], len(BY_DAY)),
)
def test_a_command_does_its_work_with_streams_closed(
    line: str, runs: dict[tuple[str, str], Run]
) -> None:
    """What is printed is the only difference; if the result cannot be printed, that is an error."""
    usual, unheard, unprinted, all_closed = (
        runs[line, "".join(map(str, closed))] for closed in CLOSED
    )
    assert "Traceback" not in usual.stderr + unheard.stdout + unprinted.stderr
    assert (unheard.status, unheard.stderr, unheard.files) == (usual.status, "", usual.files)
    assert unheard.stdout == usual.stdout
    assert unprinted.stdout == ""
    said = "error: standard output: closed\n"
    if usual.stdout:
        assert unprinted.status == "1" and unprinted.stderr.endswith(said)
    else:
        assert unprinted[:3] == usual[:3]
    assert unprinted.files == usual.files
    if line != "score - ../b":  # an empty input, or none
        assert all_closed == (unprinted.status, "", "", usual.files)


STARTED = """
import os, sys
for number in map(int, sys.argv[1]):
    os.close(number)
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed as in a shell")
def test_a_process_that_starts_without_standard_error_prints_its_result(tmp_path: Path) -> None:
    words = [*map(str, PAIR), "--no-seconds", "--workers", "2"]
    command = ["-c", STARTED, "2", "-m", "exactmatch", "score", *words]
    run = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert "proven: 24 of 24 pairs" in run.stdout


#: Prints, for each of the descriptors, whether it belongs to the null device.
IN_A_LIBRARY = """
import os, sys
from pathlib import Path
from exactmatch.runtime.output import writing
with writing(Path(sys.argv[1])) as file:
    file.write("result")
    os.write(2, b"a message of a library")
null = os.stat(os.devnull)
same = [os.path.samestat(os.fstat(number), null) for number in range(3)]
sys.exit(0 if all(same) and file.closed else 1)
"""


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed as in a shell")
def test_a_file_of_a_program_without_standard_streams_gets_no_messages(tmp_path: Path) -> None:
    words = ["-c", STARTED, "012", "-c", IN_A_LIBRARY, str(tmp_path / "file")]
    assert subprocess.run([sys.executable, *words]).returncode == 0
    assert (tmp_path / "file").read_text(encoding="utf-8") == "result"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no such names")
@pytest.mark.parametrize("name", by_day(["/dev/stdout", "/dev/fd/1"]))
def test_a_closed_stream_that_is_named_as_a_file_is_an_error(name: str, tmp_path: Path) -> None:
    graph = tmp_path / "a.amr"
    graph.write_text("(b / bird)\n", encoding="utf-8")
    words = ["-c", STARTED, "1", "-m", "exactmatch", "score", str(graph), str(graph), "-o", name]
    run = subprocess.run([sys.executable, *words], stderr=subprocess.PIPE, text=True)
    assert (run.returncode, run.stderr) == (1, f"error: {name}: closed\n")


def test_streams_may_be_missing_closed_or_objects_with_little_more_than_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Written:
        def __init__(self) -> None:
            self.text = ""

        def write(self, text: str) -> int:
            self.text += text
            return len(text)

        def flush(self) -> None:
            pass

    closed = io.StringIO()
    closed.close()
    assert not any(map(is_terminal, (None, closed, Written(), io.StringIO())))
    graph = tmp_path / "a.amr"
    graph.write_text("(b / bird)\n", encoding="utf-8")
    words = ["score", str(graph), str(graph)]
    with monkeypatch.context() as patch:
        output = Written()
        for error in (Written(), None):
            patch.setattr(sys, "stdout", output)
            patch.setattr(sys, "stderr", error)
            main(words, standalone_mode=False)
        assert output.text.count("proven: 1 of 1 pair") == 2
        patch.setattr(sys, "stdin", io.StringIO("(b / bird)"))
        with pytest.raises(exactmatch.InputError, match="<stdin>: not a stream of bytes"):
            exactmatch.load(Path("-"))
        patch.setattr(sys, "stdin", closed)
        with pytest.raises(exactmatch.InputError, match="<stdin>: closed"):
            exactmatch.load(Path("-"))


def test_what_stands_for_a_closed_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (standard_output(), standard_error()) == (sys.stdout, sys.stderr)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        patch.setattr(sys, "stderr", None)
        assert standard_error().write("text") == 4
        with pytest.raises(OSError, match="closed"):
            standard_output().write("")
        patch.setattr(standard_streams, "_filled", {2})
        names = ("/dev/stderr", "/dev/fd/2", "/proc/self/fd/2", "/dev/stdout", "stderr")
        closed = [standard_streams.is_closed(Path(name)) for name in names]
    assert closed == [os.name == "posix"] * 3 + [False] * 2
