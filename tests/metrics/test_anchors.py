"""Anchors as sets of positions: what is joined and trimmed covers what the definition says."""

import random
from itertools import pairwise

import pytest
from oracles import mrp as oracle

from exactmatch.metrics.anchors import Anchor, Span, characters, joined, trimmed

TEXT = ' "No," he (said)\tthen: go!  '


def positions(spans: list[Span] | tuple[Span, ...]) -> set[int]:
    return {position for start, end in spans for position in range(start, end)}


def random_spans(rng: random.Random) -> list[Span]:
    starts = [rng.randint(0, len(TEXT)) for _ in range(rng.randint(0, 5))]
    return [(start, rng.randint(start, min(len(TEXT), start + 9))) for start in starts]


def anchored(spans: list[Span]) -> list[Anchor]:
    return [Anchor(start, end, TEXT[start:end]) for start, end in spans]


def test_joined_spans_cover_the_same_and_keep_apart() -> None:
    rng = random.Random("joined")
    for _ in range(500):
        spans = random_spans(rng)
        found = joined(spans)
        assert positions(found) == positions(spans)
        assert all(start < end for start, end in found)
        assert all(one[1] < other[0] for one, other in pairwise(found))


@pytest.mark.parametrize("seed", range(3))
def test_characters_are_those_of_the_definition(seed: int) -> None:
    rng = random.Random(f"characters {seed}")
    for _ in range(200):
        spans = random_spans(rng)
        expected = oracle.covered([{"from": start, "to": end} for start, end in spans], TEXT)
        found = characters(anchored(spans))
        assert sorted(positions(found)) == expected, spans
        assert all(start < end for start, end in found)


def test_trimmed_spans_have_letters_on_their_edges() -> None:
    rng = random.Random("trimmed")
    for _ in range(300):
        spans = random_spans(rng)
        found = trimmed(anchored(spans))
        assert len(found) == len(joined(spans))
        for (start, end), (first, last) in zip(found, joined(spans), strict=True):
            assert first <= start <= end <= last
            assert TEXT[start:end].strip(" \t\n\f.?!;,:“\"”‘'’()[]{}") == TEXT[start:end]
            dropped = TEXT[first:start] + TEXT[end:last]
            assert not any(letter.isalpha() for letter in dropped)


def test_without_the_text_nothing_is_trimmed() -> None:
    spans = [(0, 3), (2, 5), (7, 9)]
    anchors = [Anchor(start, end, None) for start, end in spans]
    assert trimmed(anchors) == characters(anchors) == ((0, 5), (7, 9))
