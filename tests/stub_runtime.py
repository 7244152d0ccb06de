"""A folder that stands for the browser's Python: it knows the answers to some commands."""

import json
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner

from exactmatch.cli import main
from exactmatch.report.web import python_runtime

_PROGRAM = Path(__file__).with_suffix(".mjs")


def native(words: Sequence[str], folder: Path) -> dict[str, Any]:
    """Return what comes of a command here, in *folder*, with all files that it writes to /out."""
    with TemporaryDirectory() as place:
        named = [word.replace("/out", place, 1) if word[:4] == "/out" else word for word in words]
        before = Path.cwd()
        os.chdir(folder)
        try:
            done = CliRunner().invoke(main, named, catch_exceptions=False)
        finally:
            os.chdir(before)
        paths = [path for path in Path(place).rglob("*") if path.is_file()]
        files = {f"/out/{p.relative_to(place).as_posix()}": p.read_text("utf-8") for p in paths}
    return {
        "status": done.exit_code,
        "printed": done.stdout,
        "said": done.stderr,
        "files": files,
    }


def stub_runtime(
    folder: Path,
    commands: Sequence[tuple[Sequence[str], Path]],
    packages: Sequence[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """Write a runtime that knows *commands*, each with the folder of its files, and *packages*."""
    answers = {" ".join(words): native(words, place) for words, place in commands}
    known = {name: _known(name) for name in python_runtime.PACKAGES}
    texts = {
        "pyodide.mjs": f"const ANSWERS = {json.dumps(answers)};\n{_PROGRAM.read_text('utf-8')}",
        "pyodide.asm.mjs": "export default null;",
        "pyodide.asm.wasm": "wasm",
        "python_stdlib.zip": "zip",
        "pyodide-lock.json": json.dumps({"packages": known}),
        **{f"{name}.whl": name for name in packages},
    }
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    digests = {name: _digest(texts[name]) for name in python_runtime.FILES}
    monkeypatch.setattr(python_runtime, "FILES", digests)
    return folder


def _known(name: str) -> dict[str, Any]:
    return {"name": name, "depends": [], "file_name": f"{name}.whl", "sha256": _digest(name)}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
