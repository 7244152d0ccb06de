"""``exactmatch diff``: which pairs it shows, and how."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from study_files import blocks_of, write

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import UsageError
from exactmatch.report.document import MOD_NOTE

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
#: Files of the current folder, with the first eight items of two annotators.
A, B = "a.amr", "b.amr"
MRP = [str(INSTANCES / "mrp" / f"{name}.mrp") for name in ("system", "gold")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (A, B):
        write(name, blocks_of(INSTANCES / "agreement" / name)[:8])


def diff(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["diff", *words], catch_exceptions=False)
    assert result.exit_code == status, (result.stdout, result.stderr)
    return result


def shown(text: str) -> list[str]:
    """Return the identifiers of the pairs that are shown."""
    return re.findall(r"^# ::id (.*)$", text, re.MULTILINE)


@pytest.mark.parametrize("width", ["80", "160"])
@pytest.mark.parametrize(
    ("name", "words"),
    [("amr", (A, B, "--id", "study.7")), ("mrp", (*MRP, "--id", "eds/punctuation"))],
)
def test_differences_look_as_people_have_read_them(
    golden: Callable[[str, str], None], name: str, words: tuple[str, ...], width: str
) -> None:
    golden(f"diff-{name}-{width}.txt", diff(*words, "--width", width).stdout)


def test_pairs_that_differ() -> None:
    result = diff(A, B)
    scores = exactmatch.score(Path(A), Path(B)).per_pair
    names = [pair.identifier for pair in scores]
    assert shown(result.stdout) == [pair.identifier for pair in scores if pair.f1 < 1]
    assert f"{len(shown(result.stdout))} of {len(names)} pairs differ" in result.stderr
    assert result.stdout == exactmatch.diff(Path(A), Path(B))
    same = diff(A, A)
    assert (same.stdout, same.stderr) == ("", f"note: 0 of {len(names)} pairs differ\n")


@pytest.mark.parametrize("field", by_day(["difference", "size"]))
def test_the_worst_pairs_come_first_and_alone(field: str) -> None:
    """Each pair looks as in the full output; pairs without differences are left out."""
    pairs = exactmatch.score(Path(A), Path(B)).per_pair
    sizes = {pair.identifier: pair.system_total + pair.gold_total for pair in pairs}
    lost = {pair.identifier: sizes[pair.identifier] - 2 * pair.matched for pair in pairs}
    badness = {"difference": lost, "size": sizes}[field]
    wanted = sorted(badness, key=lambda name: -badness[name])[:4]
    words = [] if field == "difference" else ["--sort", field]
    result = diff(A, B, "--worst", "4", *words)
    assert shown(result.stdout) == wanted
    alone = [diff(A, B, "--id", name).stdout for name in wanted]
    note = f"\n# {MOD_NOTE}\n"  # stands once, below all pairs
    assert result.stdout == "\n".join(one.removesuffix(note) for one in alone) + note
    assert f"; shown: 4, the worst by {field}\n" in result.stderr
    assert result.stdout == exactmatch.diff(Path(A), Path(B), worst=4, sort=field)
    same = diff(A, A, "--worst", "4")
    assert (same.stdout, same.stderr.count("shown: 0")) == ("", 1)


def test_pairs_that_do_not_differ_take_no_place_among_the_worst(tmp_path: Path) -> None:
    long = "(s / sing-01 :ARG0 (b / bird :mod (c / small)))"
    (tmp_path / "one.amr").write_text(f"{long}\n\n(s / sing-01)\n", encoding="utf-8")
    (tmp_path / "two.amr").write_text(f"{long}\n\n(r / run-02)\n", encoding="utf-8")
    files = str(tmp_path / "one.amr"), str(tmp_path / "two.amr")
    result = diff(*files, "--worst", "1", "--sort", "size")
    assert shown(result.stdout) == ["2"]
    assert "1 of 2 pairs differ; shown: 1, the worst by size\n" in result.stderr
    assert "# 1 triple matched of 2 and 2, " in result.stdout


def test_what_is_the_worst_goes_with_how_many() -> None:
    assert "--worst" in diff(A, B, "--sort", "gap", status=2).stderr
    with pytest.raises(UsageError, match="worst"):
        exactmatch.diff(Path(A), Path(B), worst=0)
    with pytest.raises(UsageError, match="sort"):
        exactmatch.diff(Path(A), Path(B), worst=1, sort="f1")


def test_diff_shows_the_pairs_that_are_asked_for() -> None:
    Path("ids").write_text("study.3\nstudy.2\n", encoding="utf-8")
    assert shown(diff(A, B, "--ids", "ids").stdout) == ["study.2", "study.3"]
    assert shown(diff(A, B, "--where", "id=study.4").stdout) == ["study.4"]
    assert shown(diff(A, A, "--id", "study.4").stdout) == ["study.4"]
    assert "error: no pair is called x" in diff(A, B, "--id", "x", status=1).stderr
    diff(A, B, "--ids", "ids", "--id", "x", status=2)


def test_of_pairs_above_a_limit_an_excerpt_is_shown() -> None:
    whole = diff(A, B)
    some = diff(A, B, "--view-limit", "60")
    assert shown(some.stdout) == shown(whole.stdout) and some.stderr == whole.stderr
    assert len(some.stdout) < len(whole.stdout)
    assert "nodes and triples exceed --view-limit 60" in some.stdout
    assert "--view-limit" not in whole.stdout
    assert some.stdout == exactmatch.diff(Path(A), Path(B), view_limit=60)
    # What is counted is counted of the whole.
    legends = [re.findall(r"^# < system .*", text.stdout, re.MULTILINE) for text in (whole, some)]
    counts = [[re.findall(r": \d+", line) for line in lines] for lines in legends]
    assert counts[0] == counts[1]
    diff(A, B, "--view-limit", "0", status=2)


def test_skipped_pairs_are_an_exit_status() -> None:
    Path("broken.amr").write_text("(a / b\n\n(a / b)\n", encoding="utf-8")
    Path("gold.amr").write_text("(a / b)\n\n(a / c)\n", encoding="utf-8")
    result = diff("broken.amr", "gold.amr", "--on-error", "skip", status=1)
    assert shown(result.stdout) == ["2"]
    alone = diff("broken.amr", "gold.amr", "--on-error", "skip", "--id", "1", status=1)
    assert "error: there is no pair to show" in alone.stderr
    diff("broken.amr", "gold.amr", status=1)


def test_diff_is_coloured_if_asked() -> None:
    assert "\x1b" not in diff(A, B, "--id", "study.7").stdout
    assert "\x1b[1;4;" in diff(A, B, "--id", "study.7", "--color", "always").stdout


@pytest.mark.parametrize(("words", "coloured"), [((), True), (("--color", "never"), False)])
@pytest.mark.parametrize("no_color", ["", "1"])
def test_diff_is_as_wide_as_the_terminal_and_coloured_as_it_wants(
    words: tuple[str, ...], coloured: bool, no_color: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True)
    text = diff(A, B, "--id", "study.7", *words).stdout
    assert ("\x1b[" in text) == (coloured and not no_color)
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert re.search(r" \|  +gold\n", plain) and max(map(len, plain.splitlines())) <= 120


def test_what_must_be_proven() -> None:
    diff(A, B, "--require-optimal", "--require-certified")
    result = diff(A, B, "--memory", "1K", "--require-optimal", status=3)
    assert "not proven, too large for the memory limit: at most" in result.stdout


@pytest.mark.slow
def test_workers_do_not_change_it() -> None:
    assert diff(A, B, "--workers", "2").stdout == diff(A, B).stdout


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that is closed")
def test_who_reads_no_further_hears_no_complaint() -> None:
    line = f"{sys.executable} -m exactmatch diff {A} {B} | head -1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "# ::id study.1\n"
    assert "error" not in done.stderr and "Traceback" not in done.stderr
