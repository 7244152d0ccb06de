"""What was chosen: a line of JSON for each item, and a summary."""

import json
from collections import Counter
from collections.abc import Sequence

from exactmatch.many.candidates import EQUAL
from exactmatch.many.choice import Chosen
from exactmatch.many.pairwise import STAGES
from exactmatch.report.corpora import STAGES_IN_WORDS

_IN_WORDS = {EQUAL: "of graphs that equal others", **STAGES_IN_WORDS}


def choice_line(chosen: Chosen, files: Sequence[str]) -> str:
    """Return what was chosen for an item, as one line of JSON."""
    content = {
        "id": chosen.identifier,
        "chosen": chosen.best,
        "file": files[chosen.best],
        "means": chosen.means,
        "means_upper": chosen.means_upper,
        "proven": chosen.is_proven,
        "stages": {stage: chosen.stages[stage] for stage in (EQUAL, *STAGES)},
        "unreadable": sorted(chosen.errors),
    }
    if chosen.faults is not None:
        content["faults"] = chosen.faults
    return json.dumps(content)


class ChoiceSummary:
    """What choices come to, added up as they come.

    unproven: the items whose choice is not proven. lost: those without a graph that can be read.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files
        self._chosen = [0] * len(files)
        self._unreadable = [0] * len(files)
        self._stages: Counter[str] = Counter()
        self._agreed: int | None = None
        self.unproven = 0
        self.lost = 0

    def add(self, chosen: Chosen) -> None:
        """Add the choice for an item."""
        self._chosen[chosen.best] += 1
        for position in chosen.errors:
            self._unreadable[position] += 1
        self._stages.update(chosen.stages)
        self.unproven += not chosen.is_proven
        self.lost += len(chosen.errors) == len(self._files)
        if chosen.faults is not None:
            self._agreed = (self._agreed or 0) + (not chosen.faults)

    def text(self) -> str:
        """Return the summary."""
        pairs = self._stages.total()
        width = len(f"{pairs:,}")
        lines = [f"{sum(self._chosen):,} items, chosen of"]
        for file, number, broken in zip(self._files, self._chosen, self._unreadable, strict=True):
            lines.append(f"{number:>{width},} {file}{f' ({broken} unreadable)' if broken else ''}")
        lines.append(f"{pairs:>{width},} pairs, of these")
        lines += [
            f"{self._stages[stage]:>{width},} {_IN_WORDS[stage]}"
            for stage in (EQUAL, *STAGES)
            if self._stages[stage]
        ]
        if self._agreed is not None:
            lines.append(f"{self._agreed:>{width},} items whose consensus is an AMR")
        if self.unproven:
            lines.append(f"not proven: {self.unproven} choices")
        return "\n".join(lines)
