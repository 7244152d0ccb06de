"""Mark each triple under a mapping: it matches, or it differs in one of several ways.

The JavaScript of pages that show pairs does the same (``exactmatch/report/pages/script``).
"""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from exactmatch.metrics.triples import Label, NormalisedTriple, Similar
from exactmatch.report.views.shown_graph import TOP, ShownGraph

#: The marks of a triple: it matches; its label is similar to that on the other side; the other side
#: has another label for the same variables; or it has no partner: surplus in the system, or missing
#: from it.
Mark = Literal["matched", "partly", "other", "extra", "missing"]


@dataclass(frozen=True)
class Marks:
    """The marks of the triples of either side, and the triples that correspond.

    partner: for a triple of the system, the gold triple that it matches in full or in part, or that
    has another label in its place.
    """

    system: list[Mark]
    gold: list[Mark]
    partner: dict[int, int] = field(default_factory=dict)

    def counts(self, system: ShownGraph, gold: ShownGraph) -> dict[str, Counter[Mark]]:
        """Return the number of differences of each kind; two corresponding triples count once."""
        counts: defaultdict[str, Counter[Mark]] = defaultdict(Counter)
        for marks, triples, kept in (
            (self.system, system.triples, ("partly", "other", "extra")),
            (self.gold, gold.triples, ("missing",)),
        ):
            for mark, triple in zip(marks, triples, strict=True):
                if mark in kept:
                    counts[triple.kind][mark] += 1
        return dict(counts)


def marks_under(
    mapping: Mapping[str, str],
    system: ShownGraph,
    gold: ShownGraph,
    similar: Similar,
    *,
    once: bool,
) -> Marks:
    """Return the marks under *mapping*, by name; *once*: a triple matches one of several equal."""
    marks = Marks(["extra"] * len(system.triples), ["missing"] * len(gold.triples))
    images = [_image(triple, mapping) for triple in system.triples]
    targets = targets_of(gold)
    _mark_equal(marks, images, targets, once)
    by_label: defaultdict[Label, list[Label]] = defaultdict(list)
    for (one, other), credit in similar.items():
        if credit > 0:
            by_label[one].append(other)
    _mark_similar(marks, images, targets, by_label)
    _mark_others(marks, system.triples, images, gold.triples)
    return marks


def _image(triple: NormalisedTriple, mapping: Mapping[str, str]) -> NormalisedTriple | None:
    """Return the image of a triple under a mapping; None if one of its variables is not mapped."""
    images = [mapping.get(variable) for variable in triple.variables]
    known = tuple(image for image in images if image is not None)
    return NormalisedTriple(triple.label, known) if len(known) == len(images) else None


def targets_of(gold: ShownGraph) -> dict[NormalisedTriple, list[int]]:
    """Return the targets that a triple can match, each with the gold triples that it stands for.

    A triple with variables in another order stands for the one of the same label and variables.
    """
    own: defaultdict[Hashable, list[int]] = defaultdict(list)
    for number, triple in enumerate(gold.triples):
        own[_unordered(triple)].append(number)
    by_target = {}
    for target in dict.fromkeys(gold.graph.as_gold()):
        exact = [n for n in own[_unordered(target)] if gold.triples[n] == target]
        by_target[target] = exact or own[_unordered(target)]
    return by_target


def _unordered(triple: NormalisedTriple) -> Hashable:
    return triple.label, tuple(sorted(triple.variables))


def _mark_equal(
    marks: Marks,
    images: Sequence[NormalisedTriple | None],
    targets: Mapping[NormalisedTriple, Sequence[int]],
    once: bool,
) -> None:
    left = {target: deque(numbers) for target, numbers in targets.items()}
    for number, image in enumerate(images):
        if image is None or not left.get(image):
            continue
        numbers = left[image]
        _join(marks, "matched", number, numbers.popleft() if once else numbers[0])
        if not once:
            for other in numbers:
                marks.gold[other] = "matched"


def _mark_similar(
    marks: Marks,
    images: Sequence[NormalisedTriple | None],
    targets: Mapping[NormalisedTriple, Sequence[int]],
    by_label: Mapping[Label, Sequence[Label]],
) -> None:
    left = {target: deque(numbers) for target, numbers in targets.items()}
    for number, image in enumerate(images):
        if image is None or marks.system[number] == "matched":
            continue
        for label in by_label.get(image.label, ()):
            others = left.get(image._replace(label=label), deque())
            while others and marks.gold[others[0]] != "missing":
                others.popleft()
            if others:
                _join(marks, "partly", number, others.popleft())
                break


def _mark_others(
    marks: Marks,
    triples: Sequence[NormalisedTriple],
    images: Sequence[NormalisedTriple | None],
    targets: Sequence[NormalisedTriple],
) -> None:
    """Pair triples of different labels and the same variables; roots are paired in any case.

    Triples of one name, such as two quantities, come first. Repeated triples without a partner are
    surplus, not different.
    """
    for by_name in (True, False):
        places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
        for number, target in enumerate(targets):
            if marks.gold[number] == "missing":
                places[_place(target, by_name)].append(number)
        for number, (triple, image) in enumerate(zip(triples, images, strict=True)):
            if marks.system[number] != "extra" or (image is None and triple.kind != TOP):
                continue
            here = places.get(_place(image or triple, by_name))
            if here:
                _join(marks, "other", number, here.popleft())


def _place(triple: NormalisedTriple, by_name: bool) -> Hashable:
    name = triple.name if by_name else ""
    return (TOP, (), name) if triple.kind == TOP else (triple.kind, triple.variables, name)


def _join(marks: Marks, mark: Mark, number: int, other: int) -> None:
    marks.system[number] = mark
    marks.gold[other] = mark
    marks.partner[number] = other
