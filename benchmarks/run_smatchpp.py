"""Score every pair with smatch++ (integer linear program) and write one JSON line for each.

    python run_smatchpp.py SYSTEM GOLD OUTPUT

Runs in an environment of its own that has smatchpp; compare.py starts it.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

from seconds import Seconds

# By name, because type checkers run where smatchpp is not installed.
align: Any = importlib.import_module("smatchpp.align")
data_helpers: Any = importlib.import_module("smatchpp.data_helpers")
model_factory: Any = importlib.import_module("smatchpp.model_factory")
preprocess: Any = importlib.import_module("smatchpp.preprocess")
scoring: Any = importlib.import_module("smatchpp.score")
solvers: Any = importlib.import_module("smatchpp.solvers")


class Scorer:
    """The parts of smatch++ that its command line puts together for `-solver ilp`."""

    def __init__(self) -> None:
        """Load the parts, which fails when the solver is not there."""
        matcher = scoring.IDTripleMatcher()
        self.reader = model_factory.GraphReaderFactory.get_reader("penman")
        self.standardizer = model_factory.StandardizerFactory.get_standardizer("generic")
        self.preparer = preprocess.BasicGraphPairPreparer()
        self.aligner = align.GraphAligner(matcher, solvers.get_solver("ilp"))
        self.scorer = scoring.TripleScorer(triplematcher=matcher)

    def read(self, text: str) -> Any:
        """Return the standardized triples of one graph."""
        return self.standardizer.standardize(self.reader.string2graph(text))

    def score(self, system: str, gold: str) -> dict[str, Any]:
        """Score one pair by an optimal alignment."""
        prepared = self.preparer.prepare_get_vars(self.read(system), self.read(gold))
        test, reference, _, _ = prepared
        start = Seconds.now()
        alignment, variables, _ = self.aligner.align(*prepared)
        counts = self.scorer.score(test, reference, alignment, variables)
        passed = start.passed()
        # Counts from the left and from the right are equal when labels match only if identical.
        matched, _, system_total, gold_total = map(int, counts)
        return {
            "matched": matched,
            "system_total": system_total,
            "gold_total": gold_total,
            **passed,
        }


def main() -> None:
    """Score the files named on the command line."""
    system, gold, output = sys.argv[1:]
    scorer = Scorer()
    # The solver is loaded by the first pair; this one is not timed and shows whether it works.
    scorer.score("(a / a)", "(b / b)")
    test = data_helpers.read_graphstrings_from_file(system)
    reference = data_helpers.read_graphstrings_from_file(gold)
    with Path(output).open("w", encoding="utf-8") as lines:
        for number, pair in enumerate(zip(test, reference, strict=True), start=1):
            try:
                record = scorer.score(*pair)
            except Exception as error:  # whatever it is, the other pairs can be scored
                record = {"error": repr(error)}
            # At once, so that the pairs done so far count even if the process is stopped.
            print(json.dumps({"id": number, **record}), file=lines, flush=True)


if __name__ == "__main__":
    main()
