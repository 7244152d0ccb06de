"""Small files of graphs for studies, and the commands that are run on them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from exactmatch.cli import main
from exactmatch.studies.common.plan import StudyResult

AGREEMENT = Path(__file__).resolve().parents[1] / "instances" / "agreement"
ANNOTATORS = ["a.amr", "b.amr", "c.amr", "d.amr"]
FILES = [*ANNOTATORS, "consensus.amr"]
#: The agreement of all of them.
IAA = ("iaa", *ANNOTATORS, "--consensus", "consensus.amr", "--resamples", "99")
#: For tests of anything but intervals.
FEW = ("--resamples", "99")


def write(name: str, blocks: list[str]) -> None:
    Path(name).write_text("\n\n".join(blocks).strip() + "\n", encoding="utf-8")


def blocks_of(path: str | Path) -> list[str]:
    return Path(path).read_text(encoding="utf-8").split("\n\n")


def write_files() -> None:
    """Write the first six items of the agreement study into the current folder."""
    for name in FILES:
        write(name, blocks_of(AGREEMENT / name)[:6])


def numbered(*graphs: str) -> list[str]:
    """Return the graphs with their places as identifiers, without the empty ones."""
    return [f"# ::id {k}\n{text}" for k, text in enumerate(graphs, start=1) if text]


def umr_sentence(number: int, words: str, graph: str, tokens: str = "", said: str = "") -> str:
    """Return a sentence of UMR; *tokens* are lines of its alignment, with slashes between."""
    lines = "\n".join(tokens.split("/")) if tokens else ""
    blocks = [
        f"{'#' * 80}\n# :: snt{number}\nWords: {words}",
        f"# sentence level graph:\n{graph}",
        f"# alignment:\n{lines}".strip(),
        f"# document level annotation:\n(s{number}s0 / sentence{said})",
    ]
    return "\n\n".join(blocks) + "\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, catch_exceptions=False)


def study_of(*words: str) -> StudyResult[object]:
    """Run the command of a study, and return what it reports, for reports in any format."""
    found: list[StudyResult[object]] = []
    report = StudyResult.report

    def noted(result: StudyResult[object], *given: Any, **named: Any) -> str:
        found.append(result)
        return report(result, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StudyResult, "report", noted)
        answer = run(*words, "--format", "json")
    assert answer.exit_code in (0, 1), answer.stderr
    (result,) = found
    assert answer.stdout == result.report("json") + "\n"
    return result


def tables(*words: str) -> dict[str, list[dict[str, Any]]]:
    """Run a command that must succeed, and return the tables of its report."""
    result = run(*words, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, list[dict[str, Any]]] = json.loads(result.stdout)["tables"]
    return found
