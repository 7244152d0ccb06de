"""The Python sources that a browser runs: our own, and what they need that is pure Python."""

import io
import zipfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path

#: Files of ours that run in the browser or are read there; nothing that is compiled.
_OURS = (".py", ".css", ".html", ".js", ".tsv", ".bib")
#: What only this machine has use for.
_LEFT_OUT = ("certificate/coq/", "report/web/")
#: Modules of Cython that stand for the rest where nothing is compiled.
_CYTHON = ("__init__.py", "Shadow.py")
#: Packages that signatures name, and that no browser has.
_LACKING = ("ortools", "python_sat")
#: Of what comes with the runtime, and of ours.
_LICENCES = """exactmatch: MIT License.

Pyodide, the runtime: Mozilla Public License 2.0. It has CPython and its standard library in it:
Python Software Foundation License Version 2.

Archives of packages beside the runtime, if there are any, have their licences in them.

Of other packages, the sources of some modules are in the archives beside this file."""
#: Of equal content, equal archives.
_DATE = (1980, 1, 1, 0, 0, 0)


def sources() -> bytes:
    """Return an archive of the packages for scores: exactmatch, click, and Cython's pure mode."""
    return _zipped([*_ours(), *_package("click"), *_cython(), *_lacking()])


def drawing_sources() -> bytes:
    """Return an archive of the further package for drawings: networkx."""
    return _zipped(one for one in _package("networkx") if "/tests/" not in one[0])


def licences() -> str:
    """Return the licences of what the archives and the runtime hold."""
    from importlib.metadata import files as files_of
    from importlib.metadata import metadata

    found = [_LICENCES]
    for name in ("click", "Cython", "networkx"):
        about = metadata(name)
        # A missing field is None, or a KeyError if the backport of importlib.metadata is loaded.
        fields = [about.get_all(field) for field in ("License-Expression", "License")]
        said = next((values[0] for values in fields if values), "see its project")
        texts = [path for path in files_of(name) or () if "licen" in path.name.lower()]
        found += [
            f"{name} {about['Version']}: {said}",
            *(path.read_text("utf-8") for path in texts),
        ]
    return "\n\n".join(found)


def _ours() -> Iterator[tuple[str, bytes]]:
    root = files("exactmatch")
    assert isinstance(root, Path)
    encodings = [Path(place) for place in import_module("exactmatch.encodings").__path__]
    folders = [("exactmatch", root), *(("exactmatch/encodings", one) for one in encodings)]
    for place, folder in folders:
        for path in folder.rglob("*"):
            name = path.relative_to(folder).as_posix()
            if path.suffix in _OURS and not name.startswith(_LEFT_OUT):
                yield f"{place}/{name}", path.read_bytes()


def _package(name: str) -> Iterator[tuple[str, bytes]]:
    folder = Path(str(import_module(name).__file__)).parent
    for path in folder.rglob("*.py"):
        yield f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def _cython() -> Iterator[tuple[str, bytes]]:
    folder = Path(str(import_module("Cython").__file__)).parent
    for name in _CYTHON:
        yield f"Cython/{name}", (folder / name).read_bytes()
    yield "cython.py", (folder.parent / "cython.py").read_bytes()


def _lacking() -> Iterator[tuple[str, bytes]]:
    """Yield what makes a long signature say that there are no solvers."""
    for name in _LACKING:
        yield f"{name}-none.dist-info/METADATA", f"Name: {name}\nVersion: none\n\n".encode()


def _zipped(entries: Iterable[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(dict(entries).items()):
            archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
