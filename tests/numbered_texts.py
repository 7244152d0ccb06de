"""Compare the reader into numbers with the usual one, on changed texts and under all choices.

    python tests/numbered_texts.py COUNT [SEED]

The reader into numbers must give the triples that the usual reader and the metric make of the same
text. It must refuse a text that is an error. `metrics/test_numbered.py` runs some of the cases.
"""

import random
import sys
from collections import Counter
from typing import Any

from changed_texts import blocks, mutated

from exactmatch.graphs.graph import PENMAN, Graph
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.numbered import NumberReader
from exactmatch.metrics.amr.amr_metric import AmrMetric
from exactmatch.metrics.amr.numbered_labels import NumberedLabels
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem.tables import GraphTable

#: The choices that may have any value where labels are told word by word.
CHOICES = (
    *("duplicates", "strings", "inverse", "mod", "inverse_constants", "case", "quotes"),
    *("underscores", "surface_alignments"),
)


def some_metric(rng: random.Random) -> AmrMetric:
    """Return a metric whose graphs can be read into numbers."""
    values = Smatch.choices()
    choices: dict[str, Any] = {name: rng.choice(values[name]) for name in CHOICES}
    choices["top"] = rng.choice(["constant", "attribute", "none"])
    return Smatch.profiles["default"].with_choices(**choices)


class BothReaders:
    """The reader into numbers for one metric (of *module*), and the usual one."""

    def __init__(self, metric: AmrMetric, reader: Any = NumberReader) -> None:
        self.metric = metric
        self.table = GraphTable()
        words = metric.numbered_labels()
        assert isinstance(words, NumberedLabels)
        self.words = words
        self.reader = reader(words, self.table.label, self.table.first, self.table.second)

    def read(self, data: bytes) -> str:
        """Read a text by both; return the outcome. Raises `AssertionError` if they differ."""
        graph = parse(GraphText(data, "f", 1, 1, PENMAN, None))
        if self.words.leaves is not None and self.words.leaves(data):
            return "left alone" if isinstance(graph, Graph) else "wrong"
        n_triples = self.reader.read(data)
        if n_triples < 0:
            return "left alone" if isinstance(graph, Graph) else "wrong"
        assert isinstance(graph, Graph), data
        usual = self.metric.normalise(graph)
        table, variables = self.table, usual.variables
        assert self.reader.n_variables == len(variables), data
        found = Counter(
            (
                self.words._labels[table.label[k]],
                tuple(variables[v] for v in (table.first[k], table.second[k]) if v >= 0),
            )
            for k in range(n_triples)
        )
        assert found == Counter((triple.label, triple.variables) for triple in usual.triples), data
        return "read"


def main(count: int, seed: str, reader: Any = NumberReader) -> Counter[str]:
    """Try *count* texts; return the number of each outcome."""
    rng = random.Random(seed)
    texts = [*blocks(), '# ::id x\n# ::snt é\n(é / ü :x "ß" :y-of é)']
    found: Counter[str] = Counter()
    both = BothReaders(some_metric(rng), reader)
    for k, text in enumerate(mutated(texts, count, seed=rng.randrange(2**30))):
        if k % 100 == 99:
            both = BothReaders(some_metric(rng), reader)
        found[both.read(text.encode())] += 1
    return found


if __name__ == "__main__":
    print(main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "texts"))
