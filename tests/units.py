"""Group tests into units for one process each, and order these units."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

T = TypeVar("T")

#: Folders and files whose tests share a browser, the site, or what Coq has proven: one process runs
#: them.
_TOGETHER = {
    "tests/browser/": "browser",
    "tests/documentation/test_site.py": "browser",
    "tests/certificate/test_coq.py": "coq",
    "tests/certificate/test_theorem.py": "coq",
}

#: What takes long, and waits, is begun first: in the end nobody waits for it.
_FIRST = (
    "browser",
    "coq",
    "tests/documentation/test_examples.py",
    "tests/runtime/test_cluster.py",
    "tests/runtime/test_cluster_workers.py",
    "tests/cli/test_resume.py",
    "tests/test_benchmarks.py",
    "tests/certificate/test_proof_check.py",
    "tests/cli/test_interrupts.py",
    "tests/graphs/test_limits.py",
    "tests/certificate/test_cutting_planes.py",
    "tests/cli/test_commands.py",
    "tests/certificate/test_checker_js.py",
    "tests/graphs/test_streams.py",
    "tests/report/test_plots.py",
    "tests/api/test_scorer.py",
    "tests/cli/test_score.py",
    "tests/studies/test_correlation.py",
    "tests/certificate/test_checkers_agree.py",
    "tests/studies/test_principles.py",
    "tests/studies/test_by_counts.py",
    "tests/report/test_drawing.py",
    "tests/solving/test_dual.py",
    "tests/metrics/test_registry.py",
    "tests/report/test_excerpt.py",
    "tests/documentation/test_notebooks.py",
    "tests/cli/test_mappings.py",
    "tests/solving/test_encodings.py",
    "tests/metrics/test_s2match.py",
    "tests/documentation/test_site.py",
    "tests/solving/test_cliques.py",
    "tests/solving/test_counting.py",
    "tests/studies/test_verification.py",
    "tests/scoring/test_by_cover.py",
    "tests/many/test_candidates.py",
    "tests/cli/test_terminal.py",
    "tests/runtime/test_parallel.py",
)


def unit(test: str) -> str:
    """Return what a test is run with: its file, or what it shares with other files."""
    file, _, _ = test.partition("::")
    return next((name for place, name in _TOGETHER.items() if file.startswith(place)), file)


def place(test: str) -> int:
    """Return where a test comes in the order of all."""
    found = unit(test)
    return _FIRST.index(found) if found in _FIRST else len(_FIRST)


def turned(entries: Sequence[T], process: Mapping[str, Any]) -> list[T]:
    """Return the entries of a folder in the order in which a *process* collects them.

    Files are compiled when they are collected for the first time. If all processes began with the
    same file, each would compile all files. The name of a process ends with its number, unless
    someone has named it (``--tx popen//id=NAME``); such a process begins with the first file.
    """
    digits = re.findall("[0-9]+$", process["workerid"])
    number, count = int(digits[0]) if digits else 0, process["workercount"]
    first = len(entries) * (number % count) // count
    return [*entries[first:], *entries[:first]]


class Units(LoadFileScheduling):  # type: ignore[misc]  # it comes without types
    """Gives each process one unit after the other."""

    def _split_scope(self, nodeid: str) -> str:
        return unit(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Give the node the next unit, and forget those that it has run.

        After every test, all units of its node are searched for tests that have not been run.
        """
        units = self.assigned_work.get(node, {})
        self.assigned_work[node] = {
            name: one for name, one in units.items() if not all(one.values())
        }
        super()._assign_work_unit(node)
