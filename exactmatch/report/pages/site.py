"""Write pages: one file with everything, or a folder whose pairs are read when opened."""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from exactmatch.graphs.paths import shown_path
from exactmatch.report.pages.page_proofs import PageProofs
from exactmatch.report.pages.template import harmless_json, pieces
from exactmatch.runtime.output import (
    PAGE,
    check_inside,
    check_ours,
    check_replaceable,
    is_marked,
    make_folder,
    partial_file,
    writing,
)
from exactmatch.runtime.partial_file import PartialFile
from exactmatch.runtime.together import Together, writing_together
from exactmatch.scoring.corpus import Write

#: The number of pairs in a file of a folder.
_CHUNK = 50
#: The scripts of the page in order, which are joined to one: files of the folder ``script``.
_SCRIPTS = (
    "counting", "elements", "state", "overview", "loading", "routes",
    "pair", "drawings", "texts", "mapping", "pointing", "proofs", "start",
)  # fmt: skip
#: Each of these files begins with this text.
_CALL = "exactmatchPairs("
#: Names with these endings are files; others are folders.
_ENDINGS = (".html", ".htm")


class PairStore:
    """The pairs of a page, packed as they come: the row of the table, and the view of each pair.

    With *proofs*, their certificates are included.
    """

    def __init__(self, proofs: PageProofs | None = None) -> None:
        self.rows: list[Any] = []
        self.proofs = proofs
        self._packed: list[bytes] = []

    @contextmanager
    def collecting(self, _: Path) -> Iterator[Write]:
        """Yield a function that takes a line: the row and the pair, both JSON, with tabs between.

        With proofs, the arguments of `PageProofs` for the pair follow.
        """
        yield self._add

    def _add(self, line: str) -> None:
        row, pair, *counted = line.rstrip("\n").split("\t")
        self.rows.append(json.loads(row))
        if self.proofs is not None:
            about, terms = counted
            proof = self.proofs.take(self.rows[-1]["id"], about, int(terms))
            pair = f'{pair.removesuffix("}")},"proof":{json.dumps(proof)}}}'
        self._packed.append(zlib.compress(pair.encode(), 1))

    def choose(self, identifiers: Sequence[str]) -> None:
        """Keep only the pairs with these names, in this order."""
        place = {row["id"]: k for k, row in enumerate(self.rows)}
        kept = [place[identifier] for identifier in identifiers]
        self.rows = [self.rows[k] for k in kept]
        self._packed = [self._packed[k] for k in kept]

    def pairs(self) -> Iterator[str]:
        """Yield the view of each pair, as JSON that may stand in HTML."""
        for packed in self._packed:
            yield harmless_json(zlib.decompress(packed).decode())


def is_file(path: Path) -> bool:
    """Tell by its name whether a page is one file or a folder."""
    return path.suffix.lower() in _ENDINGS


@contextmanager
def writing_pages(path: Path) -> Iterator[Callable[[dict[str, Any], PairStore], Path]]:
    """Yield a function that writes the pairs of a store to *path*, and returns the file to open.

    The function also takes what the page says about the corpus. The contents of *path* stay
    unchanged until the block ends well. Raises `InputError` at once if *path* cannot be written.
    """
    if not is_file(path):
        check_ours(path, [PAGE])
        check_inside(path, [path / "pairs", *(path / "pairs").glob("*.js")])
        make_folder(path / "pairs")
    with writing(path) if is_file(path) else partial_file(path / PAGE) as file:

        def write(about: dict[str, Any], store: PairStore) -> Path:
            content = {**about, "rows": store.rows}
            if store.proofs is not None:
                # Readers of the page do not have the folders of this machine.
                file_of_proofs = shown_path(store.proofs.file)
                content["proofs"] = {"file": file_of_proofs, "left": store.proofs.left}
            if not isinstance(file, PartialFile):
                _write_page(file, {**content, "chunks": None}, store.pairs())
                return path
            with writing_together(path, head=file) as files:
                _write_chunks(path / "pairs", store, files)
                _write_page(file.text, {**content, "chunks": _CHUNK}, iter(()))
            return file.path

        yield write


def _write_chunks(folder: Path, store: PairStore, files: Together) -> None:
    files.remove(_former(folder))
    pairs = store.pairs()
    for number, some in enumerate(iter(lambda: list(islice(pairs, _CHUNK)), [])):
        content = ",\n".join(some)
        start = number * _CHUNK
        path = folder / f"{number:04}.js"
        check_replaceable(path, _CALL)
        files.write(path, f"{_CALL}{start}, [\n{content}\n]);\n")


def _former(folder: Path) -> list[Path]:
    """Return the pairs of former runs, which nobody expects in a folder that is passed on.

    If such a run was killed, they may be partial.
    """
    names = ("[0-9]*.js", "[0-9]*.js.*.partial")
    found = [path for name in names for path in folder.glob(name)]
    return [p for p in found if p.name.partition(".")[0].isdigit() and is_marked(p, _CALL)]


def _write_page(file: TextIO, content: dict[str, Any], pairs: Iterator[str]) -> None:
    page = files("exactmatch.report.pages")
    styles = (files("exactmatch.report").joinpath("base.css"), page.joinpath("page.css"))
    text = page.joinpath("page.html").read_text(encoding="utf-8")
    parts = {
        "title": escape(content["title"]),
        "style": "".join(style.read_text(encoding="utf-8") for style in styles),
        "script": _program(with_checker="proofs" in content),
        "page": harmless_json(json.dumps(content, ensure_ascii=False, separators=(",", ":"))),
    }
    for piece in pieces(text):
        if piece == "pairs":
            for number, pair in enumerate(pairs):
                file.write(_script(number, pair))
        else:
            file.write(parts.get(piece, piece))


def page_script(*, with_checker: bool) -> str:
    """Return the script of a page as its element has it, so a policy can allow it by digest."""
    return f"\n{_program(with_checker=with_checker)}\n"


def _program(*, with_checker: bool) -> str:
    return "\n".join(['"use strict";', *_scripts(with_checker=with_checker)])


def _scripts(*, with_checker: bool) -> Iterator[str]:
    """Yield the scripts of the page; if there are certificates, their checker comes first."""
    if with_checker:
        yield files("exactmatch.certificate").joinpath("checker.js").read_text(encoding="utf-8")
    folder = files("exactmatch.report.pages").joinpath("script")
    for name in _SCRIPTS:
        yield folder.joinpath(f"{name}.js").read_text(encoding="utf-8")


def _script(number: int, pair: str) -> str:
    return f'<script type="application/json" id="pair-{number}">{pair}</script>\n'
