"""The documentation as a site: it is complete, and loads nothing from elsewhere."""

import html
import json
import re
from pathlib import Path

import pytest
from site_pages import ROOT

import exactmatch

pytestmark = [pytest.mark.checkout, pytest.mark.site]


def test_every_page_of_the_repository_is_in_the_site_and_in_its_search(site: Path) -> None:
    pages = {page.relative_to(ROOT) for page in (ROOT / "docs").glob("*.md")}
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    for page in pages:
        name = page.with_suffix(".html").as_posix()
        assert (site / name).is_file() and name in found, name


def test_notebooks_are_pages_with_their_outputs(site: Path) -> None:
    notebooks = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
    assert notebooks
    for notebook in notebooks:
        page = site / "docs" / "notebooks" / notebook.with_suffix(".html").name
        text = html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", []):
                shown = "".join(
                    output["text"] if "text" in output else output["data"]["text/plain"]
                )
                assert shown.strip() in text, f"{page.name}: {shown}"
    index = (site / "docs" / "index.html").read_text(encoding="utf-8")
    assert 'href="notebooks/agreement.html"' in index


def test_the_site_takes_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        taken = re.findall(r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=\"([^\"]+)\"", text)
        assert taken and not [address for address in taken if "//" in address], page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//", sheet.read_text(encoding="utf-8"))


def test_the_reference_describes_all_that_is_imported(site: Path) -> None:
    text = html.unescape((site / "docs" / "reference.html").read_text(encoding="utf-8"))
    for name in exactmatch.__all__:
        assert name.startswith("_") or f'id="{name.lower()}"' in text, name
    assert "{options}" not in text


def test_formulas_are_drawn_without_a_script(site: Path) -> None:
    text = (site / "encodings" / "index.html").read_text(encoding="utf-8")
    formulas = text.count('class="arithmatex"')
    assert formulas > 10 and text.count("<math") == formulas
