"""The page's Python, run by Node.js, gives the output of the command, byte for byte."""

import pytest
from browser_python import command_result, page_words, run_commands, same
from kernel_bytes import runs
from pyodide_folder import runtime

pytestmark = pytest.mark.pyodide

#: One of each format, and all metrics that map variables.
_NAMES = (
    "smatch-paper-system.amr", "s2match-opitz-system.amr", "mrp-mrp-system.mrp",
    "counter-drs-system.clf", "umatch-umr-a.umr", "smatch-sbn-system.sbn",
)  # fmt: skip


def test_the_same_is_printed_and_written() -> None:
    asked = [page_words(words) for name, words in runs() if name in _NAMES]
    asked.append(["score", "vectors/words.txt", "paper/gold.amr", "--solver", "dual"])
    folder = runtime()
    assert folder is not None
    found = [*run_commands(folder, [(words, 2) for words in asked])]
    assert len(found) == len(_NAMES) + 1
    for words, result in zip(asked, found, strict=True):
        assert same(result, command_result(words)), words
    assert all(one["files"]["pairs.jsonl"] for one in found[:-1])
    assert found[-1]["status"] == 1
