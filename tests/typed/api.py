"""What type checkers see of the public functions. Never run: mypy and pyright read it."""

from collections.abc import Mapping
from pathlib import Path
from typing import assert_type

import exactmatch

corpus = exactmatch.score(Path("system.amr"), Path("gold.amr"), timeout=10, workers=2)
assert_type(corpus.f1, float)
assert_type(corpus.f1_upper, float)
assert_type(corpus.optimal, int)
assert_type(corpus.pairs, int)

pair = exactmatch.best_mapping("(s / sing-01)", "(x / sing-01)", top="none")
assert_type(pair.f1, float)
assert_type(pair.mapping, Mapping[str, str])
