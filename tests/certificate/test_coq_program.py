"""The checker that is proven in Coq, as a program that is called; here others answer for it."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from certificate_samples import CERTIFICATE, PAIR
from click.testing import CliRunner

import exactmatch
from exactmatch.certificate import checker, coq_program
from exactmatch.cli import main
from exactmatch.errors import InputError, VerificationError, WorkerError
from exactmatch.solving.certificates import line

NUMBERS = "verified: {}  bounded: {}  refuted: {}  unproven: {}"
#: What answers as the program does, by the checker of one file.
STAND_IN = """
import sys
from exactmatch.certificate import checker
from exactmatch.solving.certificates import line

certificates, pairs = sys.stdin.buffer.read().split(b"\\n\\n")
found = list(checker.check_all(map(checker.parse, pairs.splitlines()), certificates.splitlines()))
for name, verdict, why in found:
    if verdict != "verified":
        print(verdict, line(name) + ": " + line(why))
print("  ".join(f"{v}: {sum(v == w for _, w, _ in found)}" for v in checker.VERDICTS))
"""

Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Make a program of that name, written in Python, the only one in PATH."""

    def made(text: str) -> None:
        program = tmp_path / "bin" / coq_program.NAME
        program.parent.mkdir()
        program.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(program.parent))
        monkeypatch.setenv("PYTHONPATH", str(Path(exactmatch.__file__).parents[1]))

    return made


def said(certificates: list[Any], pairs: list[Any]) -> list[tuple[str, str, str]]:
    return coq_program.check_all(pairs, [line(each).encode() for each in certificates])


def test_verdicts_of_the_program_are_read(install: Install) -> None:
    install(STAND_IN)
    bounded = {**CERTIFICATE, "id": "bounded\u2028 é", "upper": 4}
    pairs = [{**PAIR, "id": bounded["id"]}, PAIR, {**PAIR, "id": "without"}]
    found = said([bounded, CERTIFICATE], pairs)
    expected = list(checker.check_all(pairs, [line(c).encode() for c in (bounded, CERTIFICATE)]))
    assert found == [*(f for f in expected if f[1] != "verified"), ("", "verified", "")]
    assert [verdict for _, verdict, _ in found] == ["bounded", "unproven", "verified"]


def test_a_program_that_is_not_there_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        InputError, match=r"exactmatch-coqcheck is not installed: run sh .*build FOLDER"
    ):
        said([], [])


@pytest.mark.parametrize("end", ["sys.exit(2)", "os.kill(os.getpid(), 9)", "sys.exit(1)"])
def test_a_program_that_dies_is_an_error(install: Install, end: str) -> None:
    install(f"import os, sys\nprint({NUMBERS.format(2000, 0, 0, 0)!r}, flush=True)\n{end}\n")
    with pytest.raises(WorkerError, match="has died: exit status"):
        said([CERTIFICATE] * 2000, [PAIR] * 2000)


def test_an_interrupt_leaves_no_program_behind(install: Install, tmp_path: Path) -> None:
    install(
        "import os, time\nprint(os.getpid(), file=open('pid', 'w'), flush=True)\ntime.sleep(60)"
    )
    place = tmp_path / "pid"

    def pairs() -> Iterator[dict[str, Any]]:
        yield PAIR
        while not (place.exists() and place.read_text("utf-8")):
            time.sleep(0.01)
        raise KeyboardInterrupt

    with chdir(tmp_path), pytest.raises(KeyboardInterrupt):
        coq_program.check_all(pairs(), [])
    with pytest.raises(ProcessLookupError):
        os.kill(int(place.read_text("utf-8")), 0)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "all is well",
        NUMBERS.format(0, 0, 0, 0),
        NUMBERS.format(0, 0, 1, 0),
        'refuted "p": "why"\n' + NUMBERS.format(0, 0, 2, 0),
        'fine "p": "why"\n' + NUMBERS.format(1, 0, 0, 0),
        "refuted p\n" + NUMBERS.format(0, 0, 1, 0),
        'refuted "p"\n' + NUMBERS.format(0, 0, 1, 0),
    ],
)
def test_answers_that_make_no_sense_are_errors(install: Install, answer: str) -> None:
    install(f"import sys\nsys.stdin.read()\nprint({answer!r})\n")
    with pytest.raises(VerificationError, match="an invalid answer"):
        said([CERTIFICATE], [PAIR])


def test_the_command_line_can_ask_the_program(install: Install, tmp_path: Path) -> None:
    texts = {"a.amr": "(a / and :op1 (b / bird))", "b.amr": "(c / and :op2 (d / bird))"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [tmp_path / name for name in texts]
    certificates = tmp_path / "c.jsonl"
    exactmatch.score(*files, certificates=certificates)
    install(STAND_IN)

    def verify(*options: str) -> Any:
        return CliRunner().invoke(main, ["verify", *map(str, (certificates, *files)), *options])

    assert verify("--with", "coq").stdout == verify().stdout
    assert (
        '"checker": "coq",\n  "verified": 1,' in verify("--with", "coq", "--format", "json").stdout
    )
    assert exactmatch.verify(certificates, *files).checker == "python"
    assert verify("--with", "magic").exit_code == 2
