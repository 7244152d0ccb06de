"""Pages keep to docs/style.md, as far as a program can tell."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(
        ROOT / name
        for name in (
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "CODE_OF_CONDUCT.md",
        )
    ),
    # The style quotes what it rules out.
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "style.md"),
]
#: Words of a sentence. The style asks for 25; lists of names may be longer.
_LONGEST = 60
_RULED_OUT = re.compile(
    r"\b(what is the matter|whoever|whomsoever|what it is for|what is what|what comes of it"
    r"|nobody sees|is asked for by name|trusts nobody|the house)\b",
    re.IGNORECASE,
)

pytestmark = pytest.mark.checkout


def sentences(page: str) -> Iterator[str]:
    """Yield the sentences of a page: of its paragraphs and lists, not of its code and tables."""
    text = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?:\||#| {4}\S).*$", "", text, flags=re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[*-]|\d+\.) )", text):
        yield from re.split(r"(?<=[.!?:;])\s+", " ".join(paragraph.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sentences_are_short(page: Path) -> None:
    long = [s for s in sentences(page.read_text(encoding="utf-8")) if len(s.split()) > _LONGEST]
    assert not long


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_phrases_of_the_style_are_ruled_out(page: Path) -> None:
    assert not [s for s in sentences(page.read_text(encoding="utf-8")) if _RULED_OUT.search(s)]


#: A line of a paragraph that begins with a number and a full stop: markdown makes a list of it.
_LIST_BY_ACCIDENT = re.compile(r"^[A-Za-z(].*\n {0,3}\d+\. ", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_line_of_a_paragraph_begins_a_list(page: Path) -> None:
    assert not _LIST_BY_ACCIDENT.findall(page.read_text(encoding="utf-8"))


def test_a_line_that_begins_a_list_is_seen() -> None:
    assert _LIST_BY_ACCIDENT.search("The program in section\n3. SCIP solves the program.\n")
    assert not _LIST_BY_ACCIDENT.search("Steps:\n\n1. Solve.\n2. Check.\n")


def test_long_sentences_and_phrases_are_seen() -> None:
    page = "# Whoever\n\n* One. " + "word " * (_LONGEST + 1) + "end.\n\n```\nWhoever.\n```\n"
    found = list(sentences(page))
    assert [len(s.split()) > _LONGEST for s in found] == [False, False, True, False]
    assert not any(map(_RULED_OUT.search, found))
    assert _RULED_OUT.search("Tell whoever waits.")
