"""Each command lists the metrics that it takes, and whether it takes several."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from nightly import by_day

from exactmatch.cli import COMMANDS, main
from exactmatch.metrics.registry import METRICS

ROOT = Path(__file__).parents[2] / "instances"

#: Files of each format, and the files of words that a metric needs.
FILES = {
    "PENMAN": (ROOT / "paper/system.amr", ROOT / "paper/gold.amr"),
    "MRP": (ROOT / "mrp/system.mrp", ROOT / "mrp/gold.mrp"),
    "clause form": (ROOT / "drs/paper.system.clf", ROOT / "drs/paper.gold.clf"),
    "UMR": (ROOT / "umr/a.umr", ROOT / "umr/b.umr"),
    "Chinese AMR": (ROOT / "camr/system.camr", ROOT / "camr/gold.camr"),
}
WORDS = {
    "s2match": ["--vectors", str(ROOT / "vectors/words.txt")],
    "align-smatch": ["--lengths", str(ROOT / "camr/lengths.txt")],
}
#: What a command needs beside two files and a metric.
NEEDED: Mapping[str, Sequence[str]] = {
    "iaa": ["--resamples", "10", "--chance", "none"],
    "compare": ["--resamples", "10"],
    "search-error": ["--seeds", "1", "--method", "s"],
    "explain": ["--between", "default", "default"],
    "show": ["-o", "page.html"],
    "export": ["--id", "1", "--to", "json"],
    "import-solution": ["--id", "1"],
    "mappings": ["--id", "1"],
    "ngrams": ["--id", "1"],
    "principles": ["--seeds", "1", "--sample", "1", "--workers", "1"],
    "correlate": ["--sample", "2"],
}


def metric_option(name: str) -> click.Option | None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    found = [one for one in command.params if one.opts[0] == "--metric"]
    return found[0] if found and isinstance(found[0], click.Option) else None


TAKING = [name for name in COMMANDS if metric_option(name) is not None and name != "verify"]


def promised(name: str) -> tuple[dict[str, str], bool]:
    """Return what help promises: the metrics with what they need, and whether it takes several."""
    one = metric_option(name)
    assert one is not None and one.help is not None
    listed = re.match(r"One (or several )?of (.*?)(?:, each.*)?\.  \[", one.help)
    assert listed is not None, one.help
    names = re.findall(r"([a-z0-9-]+)(?: \(with ([^)]+)\))?(?:, |$)", listed[2])
    return dict(names), listed[1] is not None


def run(name: str, metric: str, files: Sequence[object], *words: str) -> tuple[int, str]:
    solution = []
    if name == "import-solution":
        Path("solution.json").write_text('{"mapping": []}')
        solution = ["solution.json"]
    typed = [name, *solution, *map(str, files), "--metric", metric, *words]
    done = CliRunner().invoke(main, [*typed, *NEEDED.get(name, ())], catch_exceptions=False)
    return done.exit_code, done.stderr


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", by_day(TAKING, 4))
def test_a_command_takes_the_metrics_that_its_help_lists_and_no_others(name: str) -> None:
    names, several = promised(name)
    for metric, needs in names.items():
        part, words = (needs, "") if needs.startswith(":") else ("", needs)
        given = [*WORDS.get(metric, ()), *words.split()]
        files = FILES[METRICS[metric].format]
        assert run(name, f"{metric}{part}", files, *given)[0] == 0, (metric, given)
    for metric in METRICS.keys() - names:
        status, said = run(name, metric, ("no.amr", "no.amr"))
        reason = "counts no n-grams" if name == "ngrams" else "maps no variables"
        assert status == 2 and f"{metric} {reason}" in said
    status, said = run(name, "smatch,s2match", FILES["PENMAN"], *WORDS["s2match"])
    assert (status == 0) is several
    assert several or "this command takes one metric" in said


@pytest.mark.parametrize("name", TAKING)
def test_a_metric_that_needs_a_choice_is_refused_without_it(name: str) -> None:
    for metric, needs in promised(name)[0].items():
        if needs:
            status, said = run(name, metric, FILES[METRICS[metric].format])
            assert status == 2 and f"{metric} with document-level ignore" in said
