"""Run commands in the browser's Python (Pyodide), in the page that scores.

    python tests/browser_python.py FOLDER

Compares the command with the page on everything in instances/, by every metric, in chromium. FOLDER
is the folder of the npm package pyodide; what takes numpy is compared if FOLDER has it.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chromium import Window, window
from click.testing import CliRunner
from kernel_bytes import INSTANCES, VECTORS, runs
from web_pages import write_page
from web_window import later, opened, served

from exactmatch.cli import main
from exactmatch.cli.web_form import form_content
from exactmatch.metrics.registry import ALIGNMENT_BASED

#: Has the Python of the page run a command, and work off its pairs in so many shares.
_RUN = """
const bytes = (text) => Uint8Array.from(text, (one) => one.charCodeAt(0)).buffer;
const { inputs, words, of } = %s;
const [python] = await readyHelpers(1);
await python.call("put", { inputs: inputs.map(([path, text]) => ({ path, data: bytes(text) })) });
const shares = [];
for (let k = 0; k < of; k++) shares.push(await python.call("share", { words, number: k, of }));
return python.call("answered", { words, shares, outputs: ["/out"] });
"""
#: What is said then of a package that the folder has not.
_LACKING = "which the folder of this page has not"


def page_result(
    page: Window, words: Sequence[str], of: int, root: Path = INSTANCES
) -> dict[str, Any]:
    """Return what comes of a command in the *page*, with files of *root*, in *of* shares.

    The files that it writes to /out are in ``files``. If it cannot be run, ``failure`` says why.
    """
    named = [word for word in words if (root / word).is_file()]
    inputs = [(name, (root / name).read_bytes().decode("latin-1")) for name in named]
    found = later(page, _RUN % json.dumps({"inputs": inputs, "words": words, "of": of}))
    if isinstance(found, str):
        return {"failure": found}
    files = {path.removeprefix("/out/"): text for path, text in found["files"].items()}
    return {**found, "files": files}


@contextmanager
def page_with_python(folder: Path) -> Iterator[Window]:
    """Open the page in a browser of its own, with the Python of a folder."""
    with TemporaryDirectory() as place:
        write_page(Path(place), form_content(), folder)
        with served(Path(place)) as address, window() as browser:
            yield opened(browser, address)


#: What a command writes of each pair, by the name that its file has here.
WRITTEN = {"--per-pair": "pairs.jsonl", "--certificates": "proofs.jsonl"}


def command_result(words: Sequence[str], root: Path = INSTANCES) -> dict[str, Any]:
    """Return the results of the same command here, in the same form."""
    with TemporaryDirectory() as place:
        words = [word.replace("/out", place) if word.startswith("/out") else word for word in words]
        before = Path.cwd()
        os.chdir(root)
        try:
            done = CliRunner().invoke(main, [*words, "--workers", "1"], catch_exceptions=False)
        finally:
            os.chdir(before)
        written = {path.name: path.read_text("utf-8") for path in Path(place).iterdir()}
    return {
        "status": done.exit_code,
        "printed": done.stdout,
        "said": done.stderr,
        "files": written,
    }


#: Vectors take numpy; a table of similarities does not.
_TABLE = {"--vectors": "--similarity", VECTORS: "opitz/similarities.txt"}


def page_words(words: Sequence[str], instead: Mapping[str, str] = _TABLE) -> list[str]:
    """Return the words of a command of `kernel_bytes` as the page would have them.

    Some words stand *instead* of others.
    """
    left_out = ("--workers", "1", "--timeout", "inf")
    kept = [instead.get(word, word) for word in words if word not in left_out]
    proves = words[words.index("--metric") + 1] in ALIGNMENT_BASED
    written = WRITTEN if proves else {"--per-pair": WRITTEN["--per-pair"]}
    files = [word for option, name in written.items() for word in (option, f"/out/{name}")]
    return [*kept, "--solver", "dual", "--timeout", "100", *files]


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether two results are equal, but for memory and solvers in long signatures."""
    return bool(_compared(one) == _compared(other))


def _compared(found: dict[str, Any]) -> Any:
    try:
        printed = json.loads(found["printed"])
    except (KeyError, ValueError):
        return found
    signed = printed["long_signature"].split("|")
    printed["long_signature"] = [s for s in signed if not s.startswith(("memory:", "with:"))]
    return {**found, "printed": printed}


def main_program(folder: str) -> None:
    asked = [(name, page_words(words)) for name, words in runs()]
    asked += [(f"{n} by vectors", page_words(w, {})) for n, w in runs() if VECTORS in w]
    equal, lacking, different = 0, [], []
    with page_with_python(Path(folder).resolve()) as page:
        for name, words in asked:
            result = page_result(page, words, 2)
            if _LACKING in result.get("failure", ""):
                lacking.append(name)
            elif same(result, command_result(words)):
                equal += 1
            else:
                different.append(name)
                print(name, "differs:", json.dumps(result)[:400], file=sys.stderr)
    print(f"equal: {equal}; different: {len(different)} {different}")
    print(f"lacking: {len(lacking)} {lacking}")
    if different:
        raise SystemExit(1)


if __name__ == "__main__":
    main_program(sys.argv[1])
