"""Cut the tokens of sentences of UMR alike where they hold the same characters.

Segmentations of one sentence (他 喜欢 读书 and 他 喜欢 读 书) have a coarsest common refinement. It
is cut wherever one of them is, and a token becomes its parts there. So two nodes share a token if
they share a character, and have the same tokens if they have the same characters.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, pairwise

from exactmatch.graphs.graph import Sentence
from exactmatch.graphs.unicode_form import nfc


def same_tokens(one: Sentence, other: Sentence) -> bool:
    """Tell whether two sentences have the same tokens, canonically equivalent ones included."""
    return one.tokens == other.tokens or _composed(one.tokens) == _composed(other.tokens)


def same_characters(one: Sentence, other: Sentence) -> bool:
    """Tell whether the tokens of two sentences hold the same characters, however they are cut."""
    return "".join(_composed(one.tokens)) == "".join(_composed(other.tokens))


def cut_alike(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return sentences of the same characters with the tokens of all their segmentations."""
    composed = [_composed(sentence.tokens) for sentence in sentences]
    ends = [[*accumulate(map(len, tokens))] for tokens in composed]
    cuts = sorted({0, *chain.from_iterable(ends)})
    text = "".join(composed[0])
    tokens = tuple(text[start:end] for start, end in pairwise(cuts))
    number_of = {cut: number for number, cut in enumerate(cuts)}  # of the token that ends there
    return [
        _cut(sentence, tokens, [number_of[end] for end in sentence_ends])
        for sentence, sentence_ends in zip(sentences, ends, strict=True)
    ]


def _composed(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return tokens in Unicode's Normalization Form C."""
    return tuple(map(nfc, tokens))


def _cut(sentence: Sentence, tokens: tuple[str, ...], lasts: Sequence[int]) -> Sentence:
    """Return *sentence* with *tokens*; *lasts* has the last part of each of its own tokens."""
    before = sentence.tokens_before_fault
    return sentence._replace(
        tokens=tokens,
        tokens_of=_parts(sentence.tokens_of, lasts),
        tokens_before_fault=None if before is None else _parts(before, lasts),
    )


def _parts(
    tokens_of: Mapping[str, tuple[int, ...]], lasts: Sequence[int]
) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the parts of tokens, by variable."""
    beyond = lasts[-1] - len(lasts)  # tokens behind the sentence stay behind it
    firsts = [1, *(last + 1 for last in lasts)]
    found = {}
    for variable, numbers in tokens_of.items():
        parts: list[int] = []
        for number in numbers:
            if number <= len(lasts):
                parts += range(firsts[number - 1], lasts[number - 1] + 1)
            else:
                parts.append(number + beyond)
        found[variable] = tuple(parts)
    return found
