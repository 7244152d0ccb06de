"""Similarities by word vectors are exact: of the numbers as they are written, and of no others."""

import json
import random
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from seeds import cases
from vector_samples import PROGRAM, differing

from exactmatch.cli import main
from exactmatch.graphs.readers.word_files import read_vectors
from exactmatch.graphs.words import Vectors
from exactmatch.metrics.similarity import PAPER, Similarity

#: Numbers of which squares, sums or quotients are too much for floating point.
DIRECTIONS = ["1e150 1", "1e308 1", f"{'9' * 400} 1", "1e-308 0", "5e-324 5e-324", "1e300 1e-300",
              "1e-999 -1e-999", "4e-7 4e-7", "1e999 1e999", "0.1 0.30000000000000001"]  # fmt: skip


def written(folder: Path, words: Mapping[str, str]) -> Vectors:
    """Return the vectors read from a file of *words* with the numbers of each."""
    path = folder / "words.txt"
    path.write_text("".join(f"{word} {numbers}\n" for word, numbers in words.items()), "utf-8")
    return read_vectors(path)


def thousandths(vectors: Vectors, one: str, other: str) -> int:
    """Return the similarity of two words, which both ways of computing must agree on."""
    alike = Similarity(vectors, cut_off=Fraction(0))
    found = alike.of(one, other)
    assert [*alike.alike([one], [other])] == ([(0, 0, found)] if found else [])
    return found


@pytest.mark.slow
def test_similarities_by_vectors_are_those_of_an_oracle_in_fractions(tmp_path: Path) -> None:
    assert not list(differing(cases(5000), "vectors", tmp_path))


@pytest.mark.parametrize("numbers", DIRECTIONS)
def test_equal_vectors_are_equal_however_large_or_small_they_are(
    tmp_path: Path, numbers: str
) -> None:
    vectors = written(tmp_path, {"a": numbers, "b": numbers, "c": "0 0", "d": "-3 -5"})
    assert thousandths(vectors, "a", "b") == 1000
    assert vectors.nearest("a", Fraction(999, 1000)) == "b"


def test_small_components_count_as_they_are_written(tmp_path: Path) -> None:
    """The cosine is (2 * 1.4) / (1 + 1.96) = 0.9459."""
    vectors = written(tmp_path, {"a": "0.000001 0.0000014", "b": "0.0000014 0.000001"})
    assert thousandths(vectors, "a", "b") == 946


@pytest.mark.parametrize(
    "factor, power", [(1, -7), (3, -250), (7, 0), (1, 290), (333_333_333_333_333_333, -21)]
)
def test_one_factor_of_all_vectors_changes_nothing(tmp_path: Path, factor: int, power: int) -> None:
    rng = random.Random("factor")
    rows = {word: [rng.randint(-99, 99) for _ in range(7)] for word in "abcdefgh"}
    words = [*rows, "a-b", "c-d-e", "a-h-01"]
    sides = []
    for times, zeros in ((1, 0), (factor, power)):
        texts = {w: " ".join(f"{x * times}e{zeros}" for x in row) for w, row in rows.items()}
        vectors = written(tmp_path, texts)
        alike = Similarity(vectors, cut_off=Fraction(1, 10))
        found = [[*alike.alike(words, words, rules)] for rules in (PAPER, PROGRAM)]
        sides.append((found, [vectors.nearest(word, Fraction(0)) for word in words]))
    assert sides[0] == sides[1]
    assert len(sides[0][0][0]) > 10


def test_a_vector_of_zeros_is_similar_to_nothing_but_its_own_word(tmp_path: Path) -> None:
    texts = {"zero": "0 0", "nil": "0e9 -.0", "up": "0 1", "down": "0 -1"}
    vectors = written(tmp_path, texts)
    alike = Similarity(vectors, cut_off=Fraction(0))
    words = [*texts, "up-down", "down-up", "unknown"]
    found = {(words[i], words[j]) for i, j, _ in alike.alike(words, words)}
    assert found == set()
    assert alike.of("zero", "zero") == alike.of("up-down", "up-down") == 1000
    assert alike.of("zero-01", "zero") == 500
    assert [vectors.nearest(word, Fraction(0)) for word in ("zero", "up-down")] == [None, None]


def test_of_words_in_one_direction_the_nearest_is_the_first_by_alphabet(tmp_path: Path) -> None:
    """In floating point their cosines differ in the last places."""
    rng = random.Random("ties")
    row = [rng.randint(-999, 999) for _ in range(30)]
    words = [f"{chr(c)}{d}" for c in range(ord("a"), ord("z")) for d in range(9)]
    rng.shuffle(words)
    texts = {word: " ".join(str(x * (2 * k + 1)) for x in row) for k, word in enumerate(words)}
    vectors = written(tmp_path, texts)
    assert {vectors.nearest(word, Fraction(99, 100)) for word in words} == {"a0", "a1"}
    assert vectors.nearest("a0", Fraction(1)) is None


def test_vectors_of_very_many_components(tmp_path: Path) -> None:
    """The cosine of (1, 1, ..., 1) and (1, 1, ..., -1) is (n - 2) / n, here 0.9995 exactly."""
    ones = ["1"] * 4000
    vectors = written(tmp_path, {"a": " ".join(ones), "b": " ".join([*ones[:-1], "-1"])})
    assert thousandths(vectors, "a", "b") == 1000
    vectors = written(tmp_path, {"a": " ".join(ones), "b": " ".join([*ones[:-1], "-1.0000001"])})
    assert thousandths(vectors, "a", "b") == 999


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize("numbers", DIRECTIONS)
def test_scores_and_certificates_of_large_and_small_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.amr").write_text("(x / a)\n", encoding="utf-8")
    Path("b.amr").write_text("(y / b)\n", encoding="utf-8")
    Path("v.txt").write_text(f"a {numbers}\nb {numbers}\n", encoding="utf-8")
    options = ("--metric", "s2match", "--vectors", "v.txt", "--top", "none")
    result = run("score", "a.amr", "b.amr", *options, "--format", "json", "--certificates", "c")
    assert json.loads(result.stdout)["f1"] == 1
    checked = run("verify", "c", "a.amr", "b.amr", "--vectors", "v.txt")
    assert checked.stdout.startswith("verified: 1  bounded: 0  refuted: 0  unproven: 0\n")


@pytest.mark.parametrize(
    "number", ["1e1000", "-1e-1000", "1e999999999", "1e-999999999", "7" * 9999]
)
def test_numbers_beyond_use_are_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.amr").write_text("(x / a)\n", encoding="utf-8")
    Path("v.txt").write_text(f"a 1\nb {number}\n", encoding="utf-8")
    result = run("score", "a.amr", "a.amr", "--metric", "s2match", "--vectors", "v.txt")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "v.txt:2: '" in result.stderr and "out of range: at most 1000 " in result.stderr
    assert len(result.stderr) < 300
