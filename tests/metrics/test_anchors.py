"""Anchors as sets of positions: joining and trimming give the positions of the definition."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from oracles import mrp as oracle

from exactmatch.metrics.anchors import (
    Anchor,
    Span,
    characters,
    characters_by_span,
    joined,
    trimmed,
)

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


@pytest.mark.parametrize(
    "counted, definition",
    [(characters, oracle.covered), (characters_by_span, oracle.covered_by_span)],
    ids=["paper", "mtool"],
)
def test_characters_are_those_of_the_definition(
    counted: Callable[[list[Anchor]], tuple[Span, ...]],
    definition: Callable[[list[dict[str, int]], str], list[int]],
) -> None:
    rng = random.Random(f"characters {definition.__name__}")
    for _ in range(600):
        spans = random_spans(rng)
        expected = definition([{"from": start, "to": end} for start, end in spans], TEXT)
        found = counted(anchored(spans))
        assert sorted(positions(found)) == expected, spans
        assert all(start < end for start, end in found)
        assert all(one[1] < other[0] for one, other in pairwise(found))


def cut(text: str, *spans: Span) -> list[Anchor]:
    """Return the anchors at *spans* of *text*."""
    return [Anchor(start, end, text[start:end]) for start, end in spans]


def test_a_name_in_one_piece_and_in_two() -> None:
    """A full stop inside an anchor belongs to it, however the anchor is split."""
    whole, pieces = cut("Mr. Smith", (0, 9)), cut("Mr. Smith", (0, 3), (4, 9))
    assert characters(whole) == characters(pieces) == ((0, 3), (4, 9))
    assert (characters_by_span(whole), characters_by_span(pieces)) == (
        ((0, 3), (4, 9)),
        ((0, 2), (4, 9)),
    )


def test_the_example_of_the_evaluation_page() -> None:
    """White space at position 6: one span from 0 to 13 is the same as two around it."""
    text = "Pierre Vinken"
    expected = ((0, 6), (7, 13))
    assert characters(cut(text, (0, 13))) == characters(cut(text, (0, 6), (7, 13))) == expected


@pytest.mark.parametrize("mark", ".?!;,:“\"”‘'’()[]{}")
def test_every_mark_is_dropped_at_both_ends_alone(mark: str) -> None:
    text = f"{mark}{mark} a{mark}b {mark}"
    assert characters(cut(text, (0, len(text)))) == ((3, 6),)
    assert characters(cut(text, (0, 2), (7, 8))) == ()


@pytest.mark.parametrize("kept", "-/&%$«»…–")
def test_other_marks_are_kept(kept: str) -> None:
    assert characters(cut(f"{kept}a{kept}", (0, 3))) == ((0, 3),)


@pytest.mark.parametrize("space", " \t\u00a0\u3000")
def test_all_white_space_is_left_out(space: str) -> None:
    assert characters(cut(f"{space}a{space}b{space}", (0, 5))) == ((1, 2), (3, 4))


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
    assert characters(anchors) == ((0, 5), (7, 9))
    assert trimmed(anchors) == characters_by_span(anchors) == ((0, 5), (7, 9))
