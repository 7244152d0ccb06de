"""Reports as pages: well-formed, no folder of this machine in them, links that lead somewhere."""

import csv
import json
import os
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from study_files import AGREEMENT, blocks_of, run, study_of, write, write_files

from exactmatch.report.document import Heading, Provenance, Report, Table
from exactmatch.report.html import html
from exactmatch.scoring.options import Format

#: Elements without an end.
_VOID = {"meta", "link", "br", "img", "hr"}
FEW = ("--resamples", "99")
FORMATS: list[Format] = ["text", "json", "csv", "markdown", "latex", "html"]


class Page(HTMLParser):
    """The content of a page; an element that is not closed in its order is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.regions: list[dict[str, str | None]] = []
        self.rows: list[list[str]] = []
        self.sources: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert len(found) == len(attrs), attrs
        if tag not in _VOID:
            self.open.append(tag)
        self.ids.update(value for key, value in attrs if key == "id" and value)
        self.sources += [value for key, value in attrs if key in ("src", "srcset") and value]
        if tag == "a":
            self.links.append(found["href"] or "")
        if found.get("role") == "region":
            self.regions.append(found)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids.update(value for key, value in attrs if key == "id" and value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.rows and {"td", "th"} & {*self.open}:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    names = [str(AGREEMENT / f"{name}.amr") for name in ("a", "b", "c")]
    path = folder / "report.html"
    words = ("compare", *names, "--gold", str(AGREEMENT / "consensus.amr"), *FEW)
    assert run(*words, "--format", "html", "-o", str(path)).exit_code == 0
    return path.read_text("utf-8")


def test_a_page_is_well_formed_and_complete(report: str) -> None:
    page = Page(report)
    assert [name for name, times in page.ids.items() if times > 1] == []
    inside = {link.removeprefix("#") for link in page.links if not link.startswith("data:")}
    assert inside == {"plot-scores", "plot-differences", "ranking", "differences", "origin"}
    assert inside <= {*page.ids}
    assert len(page.regions) == 4
    assert all(region["tabindex"] == "0" and region["aria-label"] for region in page.regions)
    assert page.sources == []
    assert "http://" not in report.replace("http://www.w3.org/", "").split("<svg")[0]
    assert 'class="lead">a leads with F1 ' in report


@pytest.mark.parametrize("top", [None, 1])
def test_a_table_is_saved_whole(top: int | None) -> None:
    """All rows, columns and digits, of text with any characters, without a network."""
    columns = [Heading("a&b", "A"), Heading("x", "X"), Heading("x_upper", "at most", upper_of="x")]
    words = 'a "b", c\nd\re %41 <&#> é'
    table = Table("key", "Title", columns, [[words, 1 / 3, 1 / 3], [None, 2, 2]], top=top)
    origin = Provenance("command", [], "signature", "signature", "versions")
    text = html(Report("study", "Title", "Result.", [table], origin))
    (address,) = (link for link in Page(text).links if link.startswith("data:"))
    head, data = address.split(",", 1)
    assert head == "data:text/csv;charset=utf-8" and data.isascii() and "#" not in data
    saved = [*csv.reader(StringIO(unquote(data), newline=""))]
    third = "0.333333333333"
    assert saved == [["a&b", "x", "x_upper"], [words, third, third], ["", "2", "2"]]
    assert 'download="study-key.csv"' in text


def test_names_that_are_no_utf_8_are_written_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pages, plots and saved tables; none of them can have half a character."""
    monkeypatch.chdir(tmp_path)
    odd = os.fsdecode(b"b\xff.amr")
    try:
        for name in ("a.amr", odd):
            write(name, blocks_of(AGREEMENT / "a.amr")[:3])
    except OSError:
        pytest.skip("this file system has no such names")
    done = run("iaa", "a.amr", odd, "--format", "html", "-o", "page.html", "--plots", "plots")
    assert done.exit_code == 0, done.output
    page = Path("page.html").read_text("utf-8")
    assert "b\\udcff" in page and "b%5Cudcff" in page
    made = run("adjudicate", "a.amr", odd, "--guidelines", odd[:2], "-o", "pages")
    assert made.exit_code == 0, made.output


def test_the_sentence_for_a_paper_is_there_once() -> None:
    origin = Provenance("command", [], "signature", "signature", "versions")
    for result, sentence in (("Same.", "Same."), ("Result.", "Same."), ("Same.", "")):
        text = html(Report("study", "Title", result, [], origin, sentence))
        assert text.count("Same.") == 1
        assert text.count("data-copied>Same.<") == bool(sentence)


def test_plots_take_the_colours_of_the_page(report: str) -> None:
    plots = report[report.index("<svg") : report.rindex("</svg>")]
    assert "currentColor" in plots and "#010101" not in plots
    assert plots.count("<text") > 20  # text is text


class Told(NamedTuple):
    """Reports on files in some folders: the folder above, and each report in every format."""

    folder: Path
    reports: list[tuple[str, dict[Format, str]]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Run studies whose files are named with their folders, each once."""
    files = tmp_path_factory.mktemp("folders")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(files)
        write_files()
        return Told(files, [*_told(files)])


def _told(files: Path) -> Iterator[tuple[str, dict[Format, str]]]:
    write("broken.amr", ["# ::id study.1\n(a / b", *blocks_of("c.amr")[1:]])
    for folder in ("one", "other"):
        Path(folder).mkdir()
        Path(folder, "b.amr").write_bytes(Path("b.amr").read_bytes())
    names = ("a.amr", "one/b.amr", "other/b.amr", "broken.amr")
    paths = [str(files / name) for name in names]
    claims = {"pairs": [{"id": "study.1", "matched": 10, "system_triples": 15, "gold_triples": 12}]}
    Path("claims.json").write_text(json.dumps(claims), encoding="utf-8")
    words = (*FEW, "--on-error", "skip")
    of_tool = ("--scores", str(files / "claims.json"), "--from", "smatch")
    for command in (
        ("iaa", *paths[:3], "--consensus", paths[3], *words),
        ("compare", *paths[:3], "--gold", paths[3], *words),
        ("search-error", paths[0], paths[1], *of_tool),
    ):
        result = study_of(*command)
        reports = {name: result.report(name) for name in FORMATS}
        # A text is signed in its own way.
        yield command[0], {**reports, "text": run(*command).stdout}


@pytest.mark.parametrize("output_format", FORMATS)
def test_no_report_shows_the_folders_of_a_machine(told: Told, output_format: Format) -> None:
    for command, reports in told.reports:
        text = reports[output_format]
        assert str(told.folder) not in text and str(told.folder.parent) not in text
        if output_format != "csv":
            assert "a.amr" in text and "b.amr" in text
        if command == "compare":
            assert "one/b.amr" in text and "other/b.amr" in text


@pytest.mark.slow
def test_items_lead_to_their_pairs(files: Path) -> None:
    Path("out").mkdir()
    words = ("iaa", "a.amr", "b.amr", "c.amr", *FEW)
    asked = ("--format", "html", "-o", "out/report.html", "--pages", "pages here")
    assert run(*words, *asked).exit_code == 0
    every = Page(Path("out/report.html").read_text("utf-8")).links
    links = [link for link in every if not link.startswith(("#", "data:"))]
    assert len(links) == 3 + 2 * 6  # every two files; items, and the files that agree least on them
    for link in links:
        path, _, place = unquote(link).partition("#id=")
        page = Path("out", path).resolve()
        assert page.is_relative_to(files / "pages here")
        text = page.read_text("utf-8")
        assert not place or f'"id":"{place}"' in text
        first, second = path.split("/")[-2].split("--")
        assert f'"sides":{{"system":"{first}","gold":"{second}"}}' in text
    assert {path.name for path in Path("pages here").iterdir()} == {"a--b", "a--c", "b--c"}
    assert "pages here" not in run(*words, "--pages", "pages here").stdout


def test_pages_have_what_was_compared(files: Path) -> None:
    write("short.amr", blocks_of("a.amr")[2:])
    words = ("compare", "short.amr", "b.amr", "--gold", "c.amr", *FEW)
    for missing, number in (("pairwise", 4), ("empty", 6)):
        run(*words, "--missing", missing, "--pages", missing)
        text = Path(missing, "short--c", "index.html").read_text("utf-8")
        assert text.count('"certified"') - 1 == number
        assert '"sides"' not in text  # one of them is the gold standard


def test_pages_need_a_metric_that_maps_variables(files: Path) -> None:
    words = ("compare", "a.amr", "b.amr", "--gold", "c.amr", "--metric", "sembleu", *FEW)
    result = run(*words, "--pages", "pages")
    assert result.exit_code == 2 and "sembleu" in result.stderr
    assert run(*words, "--metric", "smatch", "--pages", "pages").exit_code == 0


def test_folders_are_no_standard_output(files: Path) -> None:
    for option in ("--pages", "--certificates"):
        result = run("iaa", "a.amr", "b.amr", *FEW, option, "-")
        assert result.exit_code == 2 and "standard output" in result.stderr
        assert not Path("-").exists()
