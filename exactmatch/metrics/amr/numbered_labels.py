"""The numbers of the words of AMRs under a metric."""

from collections.abc import Callable

from exactmatch.errors import VerificationError
from exactmatch.metrics.amr.labels import LabelChoices, first_word, labels
from exactmatch.metrics.triples import Label


class NumberedLabels:
    """The numbers of words, for `exactmatch.graphs.readers.numbered.NumberedWords`.

    top: the number of the triple of the root, whose label is *top*; -1 for None.
    leaves: tells the texts whose words are split otherwise; None if there are none.
    """

    def __init__(self, choices: LabelChoices, top: Label | None) -> None:
        self.keeps_marks = choices.surface_alignments == "keep"
        self.changes_targets = choices.strings == "first-word"
        self.leaves: Callable[[bytes], bool] | None = None
        self._rules = labels(choices)
        self._top = top
        self._numbers: dict[Label, int] = {}
        self._labels: list[Label] = []
        self.forget()

    def forget(self) -> None:
        """Forget all numbers."""
        self._numbers.clear()
        self._labels.clear()
        self.top = -1 if self._top is None else self._number(self._top)

    def target(self, word: str) -> str:
        """Return the first word of the word behind a role, if that counts."""
        return first_word(word)

    def concept(self, word: str) -> int:
        """Return the number of a concept."""
        return self._number(self._rules.of_concept(*_text_and_mark(word)))

    def edge(self, role: str) -> int:
        """Return twice the number of a role between variables, plus 1 if it is inverse."""
        label, is_inverted = self._rules.of_edge(role)
        return 2 * self._number(label) + is_inverted

    def attribute(self, role: str, word: str) -> int:
        """Return the number of a constant under a role; -1 if it is left out."""
        label = self._rules.of_attribute(role, *_text_and_mark(word))
        return -1 if label is None else self._number(label)

    def _number(self, label: Label) -> int:
        """Return the number of a label. Raises `VerificationError` if another one has it."""
        found = self._numbers.get(label)
        if found is None:
            found = self._numbers[label] = len(self._labels)
            self._labels.append(label)
        if self._labels[found] != label:
            raise VerificationError(f"the labels {self._labels[found]} and {label} are one")
        return found


def _text_and_mark(word: str) -> tuple[str, str]:
    """Return a word without the surface alignment mark at its end, and the mark or ""."""
    if "~" not in word:
        return word, ""
    start = word.find("~", word.rfind('"') + 1)  # a tilde within a string is no mark
    return (word, "") if start < 0 else (word[:start], word[start:])
