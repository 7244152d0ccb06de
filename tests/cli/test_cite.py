"""``--cite`` of the program and of commands, and the papers of the metrics."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import COMMANDS, main
from exactmatch.metrics.papers import entries

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, [*words], catch_exceptions=False)


def cited(*words: str) -> list[str]:
    """Return the keys of the entries that a command prints, without that of the program."""
    result = run(*words, "--cite")
    assert result.exit_code == 0, result.stderr
    first, *others = re.findall(r"^@\w+\{([\w-]+),$", result.stdout, re.MULTILINE)
    assert first == "exactmatch"
    return others


def plain(text: str) -> str:
    """Return a title as people write it."""
    return re.sub(r"[{}\\]", "", text)


def field(name: str, entry: str) -> str:
    found = re.search(rf"^  {name} = \{{(.*)\}},?$", entry, re.MULTILINE)
    assert found is not None, (name, entry)
    return plain(found[1])


def test_cite_prints_the_program_alone() -> None:
    assert cited() == []
    assert f"version = {{{exactmatch.__version__}}}" in run("--cite").stdout


@pytest.mark.checkout
def test_the_program_is_cited_as_citation_cff_says() -> None:
    said = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    entry = run("--cite").stdout
    (author,) = re.findall(r"^authors:\n  - name: (.*)$", said, re.MULTILINE)
    assert field("author", entry) == author
    released = () if "dev" in exactmatch.__version__ else ("version",)
    for name in ("title", "license", *released):
        (value,) = re.findall(rf"^{name}: (.*)$", said, re.MULTILINE)
        assert field(name, entry) == value.strip('"')
    for date in re.findall(r"^date-released: (\d+)", said, re.MULTILINE):
        assert field("year", entry) == date


@pytest.mark.checkout
def test_papers_are_those_of_citation_cff_and_of_the_pages() -> None:
    titles = {key: field("title", entry) for key, entry in entries().items()}
    said = (ROOT / "CITATION.cff").read_text(encoding="utf-8").partition("references:")[2]
    for title in re.findall(r'^    title: "?(.*?)"?$', said, re.MULTILINE):
        assert title in titles.values()
    pages = " ".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    words = re.sub(r"\W+", " ", pages).lower()
    for title in titles.values():
        assert re.sub(r"\W+", " ", title).lower().strip() in words, title


def test_every_metric_and_every_paper_is_cited() -> None:
    used = {"opitz-2020-s2match"}
    for kind in exactmatch.METRICS.values():
        assert kind.papers
        assert kind.profile_papers.keys() <= kind.profiles.keys()
        used.update(kind.papers, *kind.profile_papers.values())
    assert used == entries().keys()


def test_a_metric_is_cited_without_files_and_with_its_profile() -> None:
    assert cited("score", "--metric", "s2match") == ["opitz-2020-s2match"]
    assert cited("score", "--profile", "docsmatch") == ["cai-2013-smatch", "naseem-2022-docamr"]
    assert cited("score", "--preset", "amr-smatchpp") == ["cai-2013-smatch", "opitz-2023-smatchpp"]
    names = ("--metric", "smatch:ud-boxer,sembleu:program,sembleu")
    assert cited("compare", *names) == [
        *("cai-2013-smatch", "poelman-2022-ud-boxer", "song-2019-sembleu")
    ]
    assert "% smatch, profile ud-boxer: " in run("compare", *names, "--cite").stdout


def test_without_a_metric_that_of_the_files_is_cited() -> None:
    assert cited("score", str(INSTANCES / "mrp" / "gold.mrp")) == ["oepen-2019-mrp"]
    assert cited("iaa", str(INSTANCES / "drs" / "gold.clf")) == ["noord-2018-counter"]
    noted = run("score", "--cite")
    assert "cai-2013-smatch" in noted.stdout and "no metric and no file" in noted.stderr


def test_studies_are_cited_with_their_own_papers() -> None:
    assert cited("search-error", "--metric", "mrp") == ["oepen-2019-mrp", "cai-2013-smatch"]
    keys = cited("principles", str(INSTANCES / "paper" / "gold.amr"))
    assert keys == [
        *("cai-2013-smatch", "song-2019-sembleu", "kachwala-2024-rematch", "opitz-2020-s2match")
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_with_metrics_tells_what_to_cite(name: str) -> None:
    command = main.get_command(main.make_context("exactmatch", [name]), name)
    assert command is not None
    options = {word for one in command.params for word in one.opts}
    assert ("--cite" in options) == ("--help-metric" in options)


@pytest.mark.parametrize(
    "words, said",
    [
        (["--profile", "mtool"], "no profile of smatch is called 'mtool'"),
        (["--metric", "smtch"], "use one of"),
        (["no.amr"], "no.amr: No such file"),
    ],
)
def test_what_does_not_exist_is_not_cited(words: list[str], said: str) -> None:
    result = run("score", *words, "--cite")
    assert result.exit_code in (1, 2) and said in result.stderr and result.stdout == ""


def test_files_are_required_where_nobody_asks_what_to_cite() -> None:
    run("score", "--cite")
    result = run("score")
    assert result.exit_code == 2 and "missing argument 'SYSTEM'" in result.stderr
