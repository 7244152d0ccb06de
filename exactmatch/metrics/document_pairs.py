"""Whether two documents of AMR can be compared: numbers of sentences, ways to write chains."""

from itertools import pairwise

from exactmatch.errors import InputError
from exactmatch.graph import Graph
from exactmatch.metrics.representations import Sign, possible, signs_of
from exactmatch.metrics.sentence_sets import Rule, sentence_numbers


def check_documents(system: Graph, gold: Graph, rule: Rule) -> None:
    """Raise `InputError` if sentences do not go together, or coreference is written in other ways.

    A graph without variables stands for one that is not there, and may be anything.
    """
    if not (system.variables and gold.variables):
        return
    if rule != "aligned-by-order":
        _check_numbers(system, gold)
    _check_representations(system, gold)


def _check_numbers(system: Graph, gold: Graph) -> None:
    ours, theirs = sentence_numbers(system), sentence_numbers(gold)
    if ours != theirs:
        raise InputError(
            f"{_place(system)} has {_sentences(ours)}, {_place(gold)} has {_sentences(theirs)}: "
            "the numbers have to agree, unless --sentences aligned-by-order pairs them by order"
        )


def _check_representations(system: Graph, gold: Graph) -> None:
    ours, theirs = signs_of(system), signs_of(gold)
    if not {*possible(ours)} & {*possible(theirs)}:
        raise InputError(
            f"{_shown(system, ours)}, {_shown(gold, theirs)}: coreference is written in different "
            "ways, and scores would tell these apart, not the systems"
        )


def _shown(graph: Graph, signs: list[Sign]) -> str:
    known = " or ".join(possible(signs))
    return f"{_place(graph)} has {' and '.join(sign.words for sign in signs)} ({known})"


def _place(graph: Graph) -> str:
    return f"{graph.location.source}:{graph.location.line}"


def _sentences(numbers: list[int]) -> str:
    """Return numbers in words, those that follow each other as an interval."""
    if not numbers:
        return "no :snt"
    starts = [numbers[0], *(b for a, b in pairwise(numbers) if b != a + 1)]
    ends = [*(a for a, b in pairwise(numbers) if b != a + 1), numbers[-1]]
    runs = [
        f":snt{a}" if a == b else f":snt{a} to :snt{b}" for a, b in zip(starts, ends, strict=True)
    ]
    return ", ".join(runs)
