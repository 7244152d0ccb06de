"""The content of every format of a report: all numbers, escaped, with their origin."""

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from study_files import FILES, IAA, blocks_of, run, study_of, write, write_files

import exactmatch
from exactmatch.scoring.options import Format
from exactmatch.studies.common.plan import StudyResult


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResult[object]:
    """The agreement of all annotators, computed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("study"))
        write_files()
        return study_of(*IAA)


@pytest.mark.slow
def test_the_command_in_a_report_makes_it_again(files: Path) -> None:
    result = run(*IAA, "--workers", "2", "--top", "none", "--format", "markdown")
    (command,) = re.findall(r"^    (exactmatch .*)$", result.stdout, re.MULTILINE)
    assert "--workers" not in command and "--top none" in command
    assert run(*command.split()[1:]).stdout_bytes == result.stdout_bytes


def test_csv_reads_back(study: StudyResult[object]) -> None:
    rows = json.loads(study.report("json"))["tables"]
    for table in ("pairs", "kinds", "annotators"):
        text = study.report("csv", table=table)
        for read, row in zip(csv.DictReader(StringIO(text)), rows[table], strict=True):
            for key, value in row.items():
                assert read[key] == ("" if value is None else str(value))


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "html", "json"])
def test_every_report_tells_where_it_comes_from(
    study: StudyResult[object], output_format: Format
) -> None:
    text = study.report(output_format)
    assert "smatch|profile:default.2|" in text
    assert f"exactmatch {exactmatch.__version__}" in text
    assert "exactmatch iaa a.amr" in text
    for name in FILES:
        assert name in text
    digest = re.search("[0-9a-f]{64}", text)
    assert digest or output_format == "text"


def test_latex_and_html_are_escaped(files: Path) -> None:
    write("a_b & c%.amr", blocks_of("a.amr"))
    latex = run("iaa", "a_b & c%.amr", "b.amr", "--format", "latex").stdout
    assert r"a\_b \& c\%" in latex
    write("<b>.amr", blocks_of("a.amr"))
    html = run("iaa", "<b>.amr", "b.amr", "--format", "html").stdout
    assert "<td>&lt;b&gt;</td>" in html
    assert html.count("<svg") == html.count("</svg>") == 1  # of distances
    assert "No plot &#x27;Agreement&#x27;: there is only one value." in html
    assert not re.search(r"(src|href)=\"http", html)


def test_no_note_gets_out_of_a_comment(files: Path) -> None:
    write("a.amr", ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:]])
    latex = run("iaa", "a.amr", "b.amr", "--on-error", "skip", "--format", "latex").stdout
    head = latex[: latex.index("\nSmatch F1 of a and b on 5 items: ")]
    assert "not closed" in head
    assert all(line.startswith("%") for line in head.splitlines() if line)
