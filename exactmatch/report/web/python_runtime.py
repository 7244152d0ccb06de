"""The Python that runs in a browser: where its files come from, and what they have to be.

It is Pyodide, of the Mozilla Public License 2.0, which has CPython in it.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

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


class RuntimeFile(NamedTuple):
    """A file of the runtime: its name, and its content. *expected* is the digest that is known."""

    name: str
    content: bytes

    def is_expected(self) -> bool:
        """Tell whether it is that of the version that the page is made for."""
        return sha256(self.content).hexdigest() == FILES[self.name]


def runtime_files(folder: Path) -> Iterator[RuntimeFile]:
    """Yield the files of the runtime in *folder*. Raises `InputError` if one is missing or wrong.

    What is not of the version that the page is made for might score otherwise, and is refused.
    """
    for name in FILES:
        path = folder / name
        try:
            found = RuntimeFile(name, path.read_bytes())
        except OSError as error:
            said = error.strerror or error
            raise InputError(
                f"{path}: {said}; the folder of the npm package pyodide {VERSION} has it"
            ) from error
        if not found.is_expected():
            raise InputError(f"{path}: not that of pyodide {VERSION}, for which the page is made")
        yield found
