"""A hook of mkdocs: the pages of the site are the markdown of the repository, where it lies.

Links between pages work as they are. What leads to a file that is no page leads to the repository,
whose address `pyproject.toml` gives.
"""

import html
import posixpath
import re
import tomllib
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).resolve().parents[2]
_PAGES = (
    *("*.md", "docs/*.md", "*/*.svg", "docs/pictures/*", "*/README.md", "reevaluation/RESULTS.md"),
)
#: A link or a picture that leads to a file beside the page.
_RELATIVE = re.compile(r"(!?\[[^\]]*\]\()(?![a-z]+:|#)([^)\s#]+)([^)\s]*\))")
#: A formula as pymdownx.arithmatex leaves it, in a line or on its own.
_FORMULA = re.compile(r'(<(?:span|div) class="arithmatex">)\\([(\[])(.*?)\\[)\]](?=</)', re.DOTALL)
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and pictures of the repository, under the paths that they have there."""
    for pattern in _PAGES:
        for path in sorted(_ROOT.glob(pattern)):
            place = path.relative_to(_ROOT).as_posix()
            files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Have links to what is no page lead to the repository."""
    address = _settings()["address"]

    def changed(link: re.Match[str]) -> str:
        place = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[2]))
        if files.get_file_from_path(place) is not None:
            return link[0]
        if place.endswith(".ipynb"):  # notebooks.py makes a page of it
            return f"{link[1]}{link[2].removesuffix('.ipynb')}.md{link[3]}"
        if link[0].startswith("!") or not (_ROOT / place).exists():
            raise PluginError(f"{page.file.src_uri}: {link[2]} is not there, or no page or picture")
        return f"{link[1]}{address}/blob/main/{place}{link[3]}"

    # In code, brackets are no links.
    pieces = _CODE.split(markdown)
    blocks = [*_CODE.findall(markdown), ""]
    return "".join(_RELATIVE.sub(changed, p) + b for p, b in zip(pieces, blocks, strict=True))


def _settings() -> dict[str, str]:
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, str] = settings["tool"]["exactmatch"]
    return found


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Write formulas as MathML, which browsers draw without a script."""

    def drawn(formula: re.Match[str]) -> str:
        display = "inline" if formula[2] == "(" else "block"
        return formula[1] + convert(html.unescape(formula[3]), display=display)

    return _FORMULA.sub(drawn, content)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Give the search a name for those who listen to the page: the theme has none."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)
