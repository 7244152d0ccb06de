"""Pages for the tests in a browser: pairs of the repository, and hostile ones."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import exactmatch
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import alignment_based
from exactmatch.report.views.pair_view import PairView, pair_view
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.sides import with_graphs

_INSTANCES = Path(__file__).resolve().parents[1] / "instances"

SCRIPT = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"
QUOTES = 'it\'s \\"quoted\\" & <b>bold</b>'
RIGHT_TO_LEFT = "שלום עולם"
LONG = "long" * 2500
CONTROL = "bell\u0007 and \u202eoverride"
HOSTILE_ID = 'a&b=<b>"x"/é?#1%20'

_HOSTILE = (
    f'(a / "{SCRIPT}" :op1 "{QUOTES}" :ARG0 (b / "{RIGHT_TO_LEFT}" :ARG0 a) :mod (c / "{LONG}")'
    f' :quant "{CONTROL}")',
    f'(x / "{SCRIPT}" :op1 "other {QUOTES}" :ARG1 (y / "{RIGHT_TO_LEFT}" :ARG0 x)'
    ' :mod (z / "short"))',
)


@dataclass(frozen=True)
class Sample:
    """Two files of graphs, and the metric that compares them."""

    system: Path
    gold: Path
    metric: AlignmentMetric
    page: Path

    @cached_property
    def contents(self) -> dict[str, Any]:
        """The JSON in the page, by the identifiers of its elements."""
        text = self.page.read_text(encoding="utf-8")
        found = re.findall(
            r'<script type="application/json" id="([\w-]+)">(.*?)</script>', text, re.DOTALL
        )
        return {name: json.loads(content) for name, content in found}

    @cached_property
    def pairs(self) -> list[GraphPair]:
        """The pairs of graphs."""
        request = PairRequest(self.system, self.gold, (self.metric,))
        with request.reading("reading") as (pairs, _):
            return list(with_graphs(pairs))

    @cached_property
    def views(self) -> list[PairView]:
        """What the page of each pair shows, from a separate run."""
        return [
            pair_view(
                pair,
                self.metric,
                exactmatch.best_mappings(
                    self.system, self.gold, id=pair.identifier, metric=self.metric
                ),
            )
            for pair in self.pairs
        ]


@dataclass(frozen=True)
class Pages:
    """Write pages into *folder*: samples by name, one sample as a folder, one hostile page.

    One page has an excerpt of a pair.
    """

    folder: Path
    samples: dict[str, Sample]
    in_folder: Path
    hostile: Path
    excerpt: Path

    @property
    def agreement(self) -> Sample:
        return self.samples["smatch"]


def made_pages(folder: Path) -> Pages:
    """Write the pages to *folder*."""
    agreement = [_INSTANCES / "agreement" / f"{name}.amr" for name in "ab"]
    opitz = [_INSTANCES / "opitz" / f"{side}.amr" for side in ("system", "gold")]
    drs = [_INSTANCES / "drs" / f"{side}.clf" for side in ("system", "gold")]
    mrp = [_INSTANCES / "mrp" / f"{side}.mrp" for side in ("system", "gold")]
    table = _INSTANCES / "opitz" / "similarities.txt"
    repeated = _repeated(folder)
    samples = {
        "smatch": _sample(folder, agreement, "smatch"),
        "smatch-1.0.4": _sample(folder, agreement, "smatch", profile="smatch-1.0.4"),
        "product": _sample(folder / "product", repeated, "smatch", profile="smatch-1.0.4"),
        "multiset": _sample(folder / "multiset", repeated, "smatch", duplicates="multiset"),
        "s2match": _sample(folder, opitz, "s2match", similarity=table),
        "counter": _sample(folder, drs, "counter"),
        "mrp": _sample(folder, mrp, "mrp"),
    }
    in_folder = exactmatch.show(agreement[0], agreement[1], folder / "many")
    metric = samples["s2match"].metric
    system, gold = opitz
    page = folder / "excerpt.html"
    excerpt = exactmatch.show(system, gold, page, metric=metric, view_limit=24)
    return Pages(folder, samples, in_folder, _hostile(folder), excerpt)


def _sample(folder: Path, paths: Sequence[Path], name: Any, **choices: Any) -> Sample:
    metric = alignment_based(exactmatch.metric(name, **choices))
    page = folder / f"{choices.get('profile', name)}.html"
    system, gold = paths
    folder.mkdir(exist_ok=True)
    exactmatch.show(system, gold, page, metric=metric)
    return Sample(system, gold, metric, page)


def _repeated(folder: Path) -> list[Path]:
    """Write graphs with repeated triples, more of them on one side than on the other."""
    sides = []
    for side, times in (("system", (3, 1, 2)), ("gold", (2, 2, 4))):
        one, two, three = times
        graphs = [
            f"(a / a{' :mod b' * one}{' :quant 3' * two} :op1 (b / a{' :quant 3' * three}))",
            f"(a / a :op1 (b / a{' :ARG0 a' * two}{' :ARG1 b' * three})"
            f" :op2 (c / a{' :mod b' * one}))",
        ]
        sides.append(folder / f"repeated.{side}.amr")
        sides[-1].write_text("\n\n".join(graphs) + "\n", encoding="utf-8")
    return sides


def _hostile(folder: Path) -> Path:
    sides = []
    for side, graph in zip(("system", "gold"), _HOSTILE, strict=True):
        sides.append(folder / f"{side}<i>.amr")
        text = f"# ::id {HOSTILE_ID}\n# ::snt {SCRIPT} {RIGHT_TO_LEFT} & more\n{graph}\n"
        plain = "# ::id plain\n(p / plain)\n"
        sides[-1].write_text(text + "\n" + plain, encoding="utf-8")
    return exactmatch.show(sides[0], sides[1], folder / "hostile.html")


def random_mappings(view: PairView, number: int, seed: int) -> list[list[int | None]]:
    """Return random mappings: for each system variable, the gold variable or None."""
    chance = random.Random(seed)
    found = []
    for _ in range(number):
        choices: list[int | None] = list(range(len(view.gold.variables)))
        choices += [None] * len(view.system.variables)
        chance.shuffle(choices)
        # Most variables as they were: else nothing but concepts would ever match.
        left, right = view.system.place, view.gold.place
        partner: list[int | None] = [None] * len(view.system.variables)
        for one, other in view.score.mapping.items():
            if chance.random() < 0.7:
                partner[left[one]] = right[other]
        free = (j for j in choices if j is None or j not in partner)
        found.append([next(free) if j is None else j for j in partner])
    return found
