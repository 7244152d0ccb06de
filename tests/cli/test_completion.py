"""Completions, by the shells that complete them, as far as these are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nightly import by_day

COMPLETED = {
    "exactmatch sco": "score",
    "exactmatch check --form": "--format",
    "exactmatch check --format sa": "sarif",
    "exactmatch score --profile smatch-1": "smatch-1.0.4",
    "exactmatch score --metric smatch,semb": "smatch,sembleu",
    "exactmatch check my": "my, own file.amr",
    'exactmatch check "my, own': "my, own file.amr",
    "exactmatch score --format=js": "--format=json",
    "exactmatch compare sys=my": "sys=my, own file.amr",
    "exactmatch compare --gold=my": "--gold=my, own file.amr",
    "exactmatch iaa --group-by my": "my, own file.amr",
    "exactmatch check a\\ f": "a folder/",
    "exactmatch check a\\ folder/in": "a folder/inside.amr",
}


def run(shell: str, code: str, home: Path) -> list[str]:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell}")
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [program, *(["-f"] if shell == "zsh" else []), "-c", code],
        cwd=home,
        env={**os.environ, "PATH": paths, "HOME": str(home)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.nightly
def test_fish_completes_commands_options_and_values(tmp_path: Path) -> None:
    (tmp_path / "a folder").mkdir()
    for name in ("my, own file.amr", "a folder/inside.amr"):
        (tmp_path / name).write_text("(a / b)", encoding="utf-8")
    escaped = [line.replace("\\", "\\\\") for line in COMPLETED]
    asked = "".join(f"complete -C '{line}'\n" for line in escaped)
    found = run("fish", f"exactmatch completion fish | source\n{asked}", tmp_path)
    assert [line.split("\t")[0] for line in found] == [*COMPLETED.values()]


@pytest.mark.slow
@pytest.mark.parametrize("shell", by_day(["zsh", "bash"]))
def test_files_of_a_named_system_are_completed(shell: str, tmp_path: Path) -> None:
    (tmp_path / "my-parser.amr").write_text("(a / b)", encoding="utf-8")
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell}")
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    words = [program, "-f", "-i"] if shell == "zsh" else [program, "--norc", "-i"]
    terminal, side = os.openpty()
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        env={**os.environ, "PATH": paths, "HOME": str(tmp_path), "TERM": "dumb", "PS1": "> "},
        stdin=side,
        stdout=side,
        stderr=side,
        start_new_session=True,
    ) as running:
        os.close(side)
        ready = "autoload -Uz compinit; compinit -u -D; " if shell == "zsh" else ""
        for typed, awaited in (
            (f'{ready}eval "$(exactmatch completion {shell})"; echo rea""dy\n', b"ready"),
            ("exactmatch compare sys=my\t", b"sys=my-parser.amr"),
        ):
            os.write(terminal, typed.encode())
            seen = b""
            while awaited not in seen:
                seen += os.read(terminal, 1024)
        running.kill()
    os.close(terminal)


@pytest.mark.slow
def test_zsh_gets_a_function_for_the_command(tmp_path: Path) -> None:
    code = (
        f"autoload -Uz compinit; compinit -u -d {tmp_path}/dump\n"
        'eval "$(exactmatch completion zsh)"\n'
        "print $_comps[exactmatch]; whence -w $_comps[exactmatch]"
    )
    assert run("zsh", code, tmp_path) == [
        "_exactmatch_completion",
        "_exactmatch_completion: function",
    ]
