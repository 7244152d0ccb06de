"""Run commands in a browser's Python (Pyodide) under Node.js, as the page does.

    python tests/browser_python.py FOLDER

Compares the command with the page's Python on everything in instances/, by every metric. FOLDER is
the folder of the npm package pyodide; what takes numpy is compared if FOLDER has it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner
from javascript_checker import node
from kernel_bytes import INSTANCES, VECTORS, runs

from exactmatch.cli import main
from exactmatch.metrics.registry import ALIGNMENT_BASED
from exactmatch.report.web.python_sources import drawing_sources, sources

#: Reads commands, each with a number of shares, and prints what comes of each, a line of JSON.
_PROGRAM = """
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [runtime, archive, drawing, root, commands] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${runtime}/` });
const site = python.runPython("import site; site.getsitepackages()[0]");
const unpack = (path) => {
  python.unpackArchive(new Uint8Array(readFileSync(path)), "zip", { extractDir: site });
};
unpack(archive);
python.FS.mkdirTree("/in");
python.FS.mkdirTree("/out");
python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/in");
python.runPython("import os; os.chdir('/in')");
const written = () => python.FS.readdir("/out").filter((name) => !name.startsWith("."));
const run = python.pyimport("exactmatch.cli.web_run");
const packages = JSON.parse(readFileSync(`${runtime}/pyodide-lock.json`, "utf8")).packages;
const loaded = new Set();
async function ran(words, of) {
  try {
    const shares = Array.from({ length: of }, (_, k) => run.share(words, k, of, () => {}).toJs());
    return JSON.parse(run.answered(words, python.toPy(shares)));
  } catch (error) {
    const failure = String(error.message).slice(-3000);
    const lacking = /ModuleNotFoundError: No module named '(\\w+)/.exec(failure)?.[1];
    if (!lacking || loaded.has(lacking)) return { failure };
    if (lacking === "networkx") unpack(drawing);
    else if (!existsSync(`${runtime}/${packages[lacking]?.file_name}`)) return { failure, lacking };
    else await python.loadPackage(lacking, { messageCallback: () => {} });
    loaded.add(lacking);
    return ran(words, of);
  }
}
for (const { words, of } of JSON.parse(readFileSync(commands, "utf8"))) {
  for (const name of written()) python.FS.unlink(`/out/${name}`);
  const found = await ran(words, of);
  found.files = {};
  for (const name of written()) {
    found.files[name] = python.FS.readFile(`/out/${name}`, { encoding: "utf8" });
  }
  console.log(JSON.stringify(found));
}
"""


def run_commands(
    folder: Path, commands: Sequence[tuple[Sequence[str], int]], root: Path = INSTANCES
) -> Iterator[dict[str, Any]]:
    """Yield the results of commands, each with its number of shares, run in *root*.

    The files that they write to /out are in ``files``.
    """
    program = node()
    assert program is not None
    with TemporaryDirectory() as place:
        names = ("run.mjs", "all.zip", "drawing.zip", "asked")
        script, archive, drawing, asked = (Path(place) / name for name in names)
        script.write_text(_PROGRAM, encoding="utf-8")
        archive.write_bytes(sources())
        drawing.write_bytes(drawing_sources())
        asked.write_text(json.dumps([{"words": w, "of": of} for w, of in commands]))
        words = [program, *map(str, (script, folder, archive, drawing, root, asked))]
        with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8") as process:
            assert process.stdout is not None
            yield from map(json.loads, process.stdout)
        assert process.returncode == 0


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
    found = run_commands(Path(folder).resolve(), [(words, 2) for _, words in asked])
    equal, lacking, different = 0, [], []
    for (name, words), result in zip(asked, found, strict=True):
        if "lacking" in result:
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
