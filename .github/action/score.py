"""The step of the action that scores: what is asked for is in the environment, as action.yml says.

Each pair of files is scored by ``exactmatch score``. A table goes into the summary of the job, and
the scores into the outputs of the step. Exits with the highest status of all pairs.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from exactmatch.graphs.folders import files_below

#: The columns of the table, with the keys of the JSON that exactmatch prints.
COLUMNS = {
    "score": "score",
    "at most": "f1_upper",
    "precision": "precision",
    "recall": "recall",
    "matched": "matched",
    "of system": "system_total",
    "of gold": "gold_total",
    "pairs": "pairs",
    "proven": "optimal",
    "skipped": "skipped",
}
#: What statuses of exactmatch mean; see its README.
STATUSES = {
    0: "",
    1: "bad input, or pairs left out",
    2: "wrong usage",
    3: "not everything proven",
    6: "below what has to be reached",
}


def main() -> int:
    """Score all pairs of files, and return the status."""
    inputs = [Path(os.environ[name]) for name in ("SYSTEM", "GOLD") if os.environ[name]]
    try:
        options = shlex.split(os.environ.get("OPTIONS", ""))
        shlex.split(os.environ.get("CHECK", ""))
    except ValueError as error:
        return refused(f"options: {error}")
    asked = "" if os.environ.get("CHECK") == "false" else os.environ.get("CHECK", "")
    if len(inputs) < 2 and not asked:
        return refused("system and gold are needed to score; check: true does with one of them")
    if len(inputs) < 2 and (options or os.environ.get("FAIL_UNDER")):
        return refused("system and gold are needed for options and for a least score (fail-under)")
    highest = checked(asked, inputs)
    if highest == 2:
        return refused("check: no options of exactmatch check")
    if len(inputs) < 2:
        return only_checked(highest, inputs)
    system, gold = inputs
    if os.environ.get("FAIL_UNDER"):
        options += ["--fail-under", os.environ["FAIL_UNDER"]]
    rows, complaints, found, signatures = [], [], [], []
    for name, one, other in pairs(system, gold):
        status, results, said = scored(one, other, options)
        highest = max(highest, status)
        meaning = STATUSES.get(status, f"status {status}")
        rows += [row(name, result, meaning) for result in results] or [row(name, {}, meaning)]
        found += [outcome(name, result, status) for result in results] or [
            outcome(name, {}, status)
        ]
        signatures += [str(result["signature"]) for result in results]
        if said:
            complaints.append(f"{printable(name)}\n{said}")
    if not rows:
        return refused(f"no file of {system} has its name in {gold}")
    append("GITHUB_STEP_SUMMARY", summary(rows, signatures, complaints))
    append("GITHUB_OUTPUT", f"scores={json.dumps(found)}\n")
    complain(complaints)
    return highest


def only_checked(status: int, inputs: list[Path]) -> int:
    """Write that nothing was scored, since there is no gold standard; return the *status*."""
    found = (
        "there are faults or errors; see the annotations and the log"
        if status
        else "no faults were found"
    )
    name = ", ".join(printable(str(path)) for path in inputs)
    append("GITHUB_STEP_SUMMARY", summary([], [], [f"{name}: {found}"]))
    append("GITHUB_OUTPUT", "scores=[]\n")
    return status


def checked(asked: str, inputs: list[Path]) -> int:
    """Annotate the faults of the graphs of *inputs*, as far as *asked*; return the status.

    What is asked for is ``true``, or options of ``exactmatch check``; nothing is no check. What the
    command prints are workflow commands, in which it escapes names and texts.
    """
    if not asked:
        return 0
    options = [] if asked == "true" else shlex.split(asked)
    command = [sys.executable, "-I", "-m", "exactmatch", "check", "--format", "github", *options]
    done = subprocess.run(
        [*command, "--", *map(str, inputs)], capture_output=True, encoding="utf-8", check=False
    )
    print(done.stdout, flush=True)
    complain([done.stderr.strip()] if done.stderr.strip() else [])
    return done.returncode


def refused(reason: str) -> int:
    """Say why nothing is scored, and return the status of wrong usage."""
    append("GITHUB_STEP_SUMMARY", summary([], [], [printable(reason)]))
    append("GITHUB_OUTPUT", "scores=[]\n")
    complain([printable(reason)])
    return 2


def complain(complaints: list[str]) -> None:
    """Print *complaints* such that no line of them is a command to the runner (``::error::``)."""
    for said in "\n".join(complaints).splitlines():
        print(f"| {said}".replace("##[", "## ["), file=sys.stderr)


def pairs(system: Path, gold: Path) -> list[tuple[str, Path, Path]]:
    """Return what is compared: two files, or those of one name in two folders, all of either."""
    if not (system.is_dir() and gold.is_dir()):
        return [(system.name, system, gold)]
    files = sorted({file for folder in (system, gold) for file in files_below(folder)})
    return [(file, system / file, gold / file) for file in files]


def scored(system: Path, gold: Path, options: list[str]) -> tuple[int, list[dict[str, Any]], str]:
    """Return the status of a run, its results, one for each metric, and what it complains of."""
    # No module comes from the working directory, and no file is an option, whatever it is called.
    command = [sys.executable, "-I", "-m", "exactmatch", "score", *options]
    done = subprocess.run(
        [*command, "--format", "json", "--no-seconds", "--", str(system), str(gold)],
        capture_output=True, encoding="utf-8", errors="replace",
    )  # fmt: skip
    try:
        content = json.loads(done.stdout)
    except ValueError:
        return done.returncode or 1, [], done.stderr.strip()
    return done.returncode, content.get("metrics", [content]), done.stderr.strip()


def row(name: str, result: dict[str, Any], meaning: str) -> list[str]:
    """Return a row of the table."""
    figures = [shown(result.get(key)) for key in COLUMNS.values()]
    return [name, str(result.get("metric", "")), *figures, meaning]


def outcome(name: str, result: dict[str, Any], status: int) -> dict[str, Any]:
    """Return what the outputs say of a result."""
    keys = ("metric", "score", "f1_upper")
    return {"name": name, **{key: result.get(key) for key in keys}, "status": status}


def shown(value: object) -> str:
    """Return a number as the table has it."""
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def summary(rows: list[list[str]], signatures: list[str], complaints: list[str]) -> str:
    """Return the summary, in Markdown."""
    lines = ["## exactmatch", ""]
    if rows:
        numeric = len(COLUMNS)
        lines.append(line(["file", "metric", *COLUMNS, "status"]))
        lines.append(line([":--", ":--", *["--:"] * numeric, ":--"]))
        lines += [line([cell(text) for text in one]) for one in rows]
        lines.append("")
    lines += [f"`{signature}`  " for signature in dict.fromkeys(signatures)]
    if complaints:
        text = "\n\n".join(complaints).replace("```", "'''")
        lines += ["", "```text", text[:50_000], "```"]
    return "\n".join(lines) + "\n"


def line(cells: list[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def cell(text: str) -> str:
    """Return text such that it is one cell of a table, and nothing else."""
    safe = printable(text)
    for mark in "\\|`<>[]*_~":
        safe = safe.replace(mark, f"\\{mark}" if mark not in "<>" else f"&{'lg'[mark == '>']}t;")
    return safe


def printable(text: str) -> str:
    """Return text as one line, which can be written."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def append(variable: str, text: str) -> None:
    """Append *text* to the file that a variable of the runner names; print it if there is none."""
    path = os.environ.get(variable)
    if path is None:
        print(text)
        return
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main())
