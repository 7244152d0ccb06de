"""Ratings by people, from files."""

import gzip
from pathlib import Path

import pytest

from exactmatch.errors import InputError
from exactmatch.graphs.readers.ratings import read_ratings
from exactmatch.studies.correlation.human import human_ratings


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "human.tsv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    "text, values, identifiers, lines",
    [
        ("5\n0\n2.5\n", [5, 0, 2.5], None, [1, 2, 3]),
        ("score\n5\n\n 0 \n-2e-1\n\n", [5, 0, -0.2], None, [2, 4, 5]),
        ("a\t5\nb b\t0\n", [5, 0], ["a", "b b"], [1, 2]),
        ("id\trating\r\n2\t5\r\n1\t0\r\n", [5, 0], ["2", "1"], [2, 3]),
        (gzip.compress(b"1\n2\n", mtime=0), [1, 2], None, [1, 2]),
    ],
)
def test_ratings_are_read(
    tmp_path: Path,
    text: str | bytes,
    values: list[float],
    identifiers: list[str] | None,
    lines: list[int],
) -> None:
    found = read_ratings(written(tmp_path, text))
    assert (found.values, found.identifiers, found.lines) == (values, identifiers, lines)
    assert len(found.digest) == 64


@pytest.mark.parametrize(
    "text, message",
    [
        ("", r"human\.tsv: holds no rating"),
        ("rating\n", "holds no rating"),
        ("1\ntwo\n", r"human\.tsv:2: 'two' is no rating"),
        ("rating\nscore\n1\n", r":2: 'score' is no rating"),
        ("nan\n1\n", r":1: 'nan' is no rating"),
        ("4,5\n1\n", r":1: '4,5' is no rating"),
        ("a\t-\nb\t1\n", r":1: '-' is no rating"),
        ("1\nnan\n", r":2: 'nan' is no rating"),
        ("1\ninf\n", r":2: 'inf' is no rating"),
        ("a\t1\n2\n", r":2: 1 columns, but 2 before"),
        ("a\tb\t1\n", r":1: 3 columns; expected a rating"),
        ("a\t1\nb\t2\na\t1\n", r":3: a is rated twice, first in line 1"),
        (b"1\n\xff\n", r":2: byte 0xff is not UTF-8"),
    ],
)
def test_a_text_that_is_no_rating_is_an_error(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_ratings(written(tmp_path, text))


def test_ratings_of_items_are_shares_of_the_scale(tmp_path: Path) -> None:
    """From 1 to 5, 2 is a quarter; within 0 to 5, it is two fifths."""
    ratings = read_ratings(written(tmp_path, "5\n2\n1\n"))
    found = human_ratings(ratings, ["x", "y", "z"], range(3), None)
    assert (found.values, found.low, found.high, found.unknown) == ([1, 0.25, 0], 1, 5, 0)
    assert human_ratings(ratings, ["x", "y", "z"], range(3), (0, 5)).values == [1, 0.4, 0.2]


def test_ratings_without_identifiers_are_those_of_some_order(tmp_path: Path) -> None:
    ratings = read_ratings(written(tmp_path, "5\n2\n1\n"))
    found = human_ratings(ratings, ["w", "x", "y", "z"], [3, 0, 2], None)
    assert found.values == [0.25, None, 0, 1]


def test_ratings_are_found_by_identifier(tmp_path: Path) -> None:
    ratings = read_ratings(written(tmp_path, "z\t5\ny\t2\nq\t1\n"))
    found = human_ratings(ratings, ["x", "y", "z"], range(3), None)
    assert (found.values, found.unknown) == ([None, 0.25, 1], 1)


@pytest.mark.parametrize(
    "text, bounds, message",
    [
        ("1\n2\n", None, r"human\.tsv: 2 ratings, but 3 graphs in the gold standard"),
        ("1e308\n-1e308\n1\n", None, r"-1e\+308 to 1e\+308 are too far apart"),
        ("3\n3\n3\n", None, "all ratings are 3; give their range with --human-range"),
        ("1\n2\n9\n", (0, 5), r"human\.tsv:3: rating 9 is not in 0 to 5"),
        ("a\t1\nb\t2\n", None, "no identifier is that of an item, such as x; the first is a"),
    ],
)
def test_ratings_of_something_else_are_an_error(
    tmp_path: Path, text: str, bounds: tuple[float, float] | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        human_ratings(read_ratings(written(tmp_path, text)), ["x", "y", "z"], range(3), bounds)
