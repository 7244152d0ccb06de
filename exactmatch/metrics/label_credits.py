"""Apply a table of credits to the labels of a metric: which match in part, and by how much."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from exactmatch.metrics.credits import PARTS, Credits
from exactmatch.metrics.triples import Label, NormalisedTriple, Similar


@dataclass(frozen=True, slots=True)
class LabelCredits:
    """The credits of a table between the labels of a metric.

    alike: for each label of the table, its similar labels with the value of a match. group: the
    number of the group of labels that credits link, directly or through others.
    """

    alike: Mapping[Label, Mapping[Label, int]]
    group: Mapping[Label, int]

    @classmethod
    def of(
        cls, credits: Credits, scale: int, labelled: Callable[[str, str], Sequence[Label]]
    ) -> "LabelCredits":
        """Return the credits between labels; *labelled* returns those of a role with a value.

        *scale* is the value of a full match. If several rows are about the same two labels, the
        highest credit counts.
        """
        alike: dict[Label, dict[Label, int]] = {}
        for role, one, other, parts in credits.rows:
            worth = parts * scale // PARTS
            for left, right in zip(labelled(role, one), labelled(role, other), strict=False):
                if left != right:
                    _add(alike, left, right, worth)
        return cls(alike, _groups(alike))

    def with_values(self, values: Similar) -> "LabelCredits":
        """Return these credits and the *values* of further labels; the higher value counts."""
        alike = {label: dict(others) for label, others in self.alike.items()}
        for (left, right), worth in values.items():
            _add(alike, left, right, worth)
        return LabelCredits(alike, _groups(alike))

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of triples that may match in part."""
        return [*dict.fromkeys(label[0] for label in self.alike)]

    def between(
        self, system: Iterable[NormalisedTriple], gold: Iterable[NormalisedTriple]
    ) -> Similar:
        """Return the values of similar labels of two graphs."""
        ours = self._without_others(system)
        theirs = self._without_others(gold) if ours else set()
        return {
            (label, other): worth
            for label in sorted(ours)
            for other, worth in self.alike[label].items()
            if other in theirs
        }

    def _without_others(self, triples: Iterable[NormalisedTriple]) -> set[Label]:
        """Return the labels of the table that no node has beside another of their group."""
        first: dict[tuple[int, tuple[str, ...]], Label] = {}
        found: set[Label] = set()
        beside: set[Label] = set()
        for label, variables in triples:
            group = self.group.get(label)
            if group is not None:
                found.add(label)
                known = first.setdefault((group, variables), label)
                if known != label:
                    beside |= {known, label}
        return found - beside


#: No labels match in part.
NO_CREDITS = LabelCredits({}, {})


def _add(alike: dict[Label, dict[Label, int]], left: Label, right: Label, worth: int) -> None:
    """Add the value of two labels that differ, in both orders, unless a higher one is known."""
    for label, other in ((left, right), (right, left)):
        known = alike.setdefault(label, {})
        known[other] = max(worth, known.get(other, 0))


def _groups(alike: Mapping[Label, Iterable[Label]]) -> dict[Label, int]:
    """Return the number of the group of each label; labels that are alike share a group."""
    group: dict[Label, int] = {}
    for number, start in enumerate(alike):
        waiting = [start]
        while waiting:
            label = waiting.pop()
            if label not in group:
                group[label] = number
                waiting += alike[label]
    return group
