"""The Python that runs in a browser: where its files come from, and what they have to be.

It is Pyodide, of the Mozilla Public License 2.0, which has CPython in it.
"""

import json
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from exactmatch.errors import InputError

#: The version that the page is made for, and where a public delivery network has it.
VERSION = "314.0.7"
ORIGIN = "https://cdn.jsdelivr.net"
ADDRESS = f"{ORIGIN}/npm/pyodide@{VERSION}/"

#: The files that the page loads, with the SHA-256 of those of that version.
FILES: Mapping[str, str] = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
_LOCK = "pyodide-lock.json"

#: Packages that some commands take. They are in the whole distribution, not in the npm package.
PACKAGES = ("numpy", "matplotlib")


class RuntimeFile(NamedTuple):
    """A file of the runtime: its name, and its content."""

    name: str
    content: bytes


def runtime_files(folder: Path) -> list[RuntimeFile]:
    """Return the files of the runtime in *folder*. Raises `InputError` if one is missing or wrong.

    What is not of the version that the page is made for might score otherwise, and is refused.
    """
    return [_read(folder / name, digest) for name, digest in FILES.items()]


def package_files(
    folder: Path, note: Callable[[str], object] = lambda _: None
) -> dict[str, list[RuntimeFile]]:
    """Return the archives of the packages that *folder* has whole, with all that these need.

    A package of which only a part is there is left out, and *note* is told. Raises `InputError` for
    an archive that is wrong.
    """
    known = json.loads((folder / _LOCK).read_bytes())["packages"]
    found = {}
    for package in PACKAGES:
        needed = _needed(known, package)
        missing = [one for one in needed if not os.path.lexists(folder / one["file_name"])]
        if not missing:
            found[package] = [_read(folder / one["file_name"], one["sha256"]) for one in needed]
        elif known[package] not in missing:
            names = ", ".join(one["file_name"] for one in missing)
            note(f"{folder}: {package} is left out, since it needs {names}")
    return found


def _needed(known: Mapping[str, Any], package: str) -> list[Mapping[str, Any]]:
    """Return what is known of a package and of all that it needs, which comes before it."""
    found: dict[str, Mapping[str, Any]] = {}
    for name in known[package]["depends"]:
        found.update((one["name"], one) for one in _needed(known, name))
    return [*found.values(), known[package]]


def _read(path: Path, digest: str) -> RuntimeFile:
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise InputError(f"{path}: not a file")
    try:
        content = path.read_bytes()
    except OSError as error:
        said = error.strerror or error
        raise InputError(
            f"{path}: {said}; the folder of the npm package pyodide {VERSION} has it"
        ) from error
    if sha256(content).hexdigest() != digest:
        raise InputError(f"{path}: not that of pyodide {VERSION}, for which the page is made")
    return RuntimeFile(path.name, content)
