"""``--preset``: its options, its message, and the precedence of explicit options."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nightly import by_day

from exactmatch.cli import main
from exactmatch.cli.presets import PRESETS

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
AMRS = tuple(str(INSTANCES / "agreement" / f"{name}.amr") for name in "ab")
MRPS = tuple(str(INSTANCES / "mrp" / f"{name}.mrp") for name in ("system", "gold"))


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, [*words], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result


@pytest.mark.parametrize("name", by_day(PRESETS, 2))
def test_what_is_said_is_what_is_set(name: str) -> None:
    command = ["score", *(MRPS if name == "mrp-task" else AMRS)]
    preset = run(*command, "--preset", name)
    said = preset.stderr.removeprefix("note: the preset sets ")
    assert "--metric" in said and "None" not in said
    spelled = run(*command, *shlex.split(said))
    assert (spelled.stdout, spelled.stderr) == (preset.stdout, "")
    assert preset.stdout != run(*command).stdout or name in ("amr-parsing", "amr-agreement")


def test_what_is_given_wins() -> None:
    words = ("--preset", "amr-smatchpp", "--profile", "smatch-1.0.4")
    result = run("score", *AMRS, *words)
    assert result.stderr == "note: the preset sets --metric smatch\n"
    assert "|profile:smatch-1.0.4.3|" in result.stdout
    whole = run("score", *AMRS, *words, "--metric", "sembleu", "--profile", "default")
    assert whole.stderr == "" and whole.stdout.splitlines()[-1].startswith("sembleu|")


def test_a_graph_that_is_missing_counts_as_empty(tmp_path: Path) -> None:
    gold = Path(AMRS[1]).read_text("utf-8")
    (tmp_path / "gold.amr").write_text(gold + "# ::id more\n(a / and)\n", encoding="utf-8")
    words = ("score", AMRS[0], str(tmp_path / "gold.amr"), "--preset", "amr-parsing")
    result = CliRunner().invoke(main, words)
    said = "note: the preset sets --pair-by id --on-error empty --metric smatch --profile default\n"
    assert result.exit_code == 1 and result.stderr.startswith(said)
    assert "pairs scored against an empty graph: 1" in result.stdout


def test_a_study_takes_what_fits_it() -> None:
    few = ("--chance", "none", "--resamples", "10")
    result = run("iaa", *AMRS, "--preset", "amr-parsing", "--format", "text", *few)
    said = "--pair-by id --missing empty --on-error skip --metric smatch --profile default"
    assert result.stderr == f"note: the preset sets {said}\n"
    assert "--preset amr-parsing" in result.stdout.splitlines()[-1]
