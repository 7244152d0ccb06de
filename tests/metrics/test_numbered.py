"""Graphs read into numbers are the triples that the usual reader and the metric make of a text."""

import random
from collections.abc import Iterator
from itertools import islice, product
from string import ascii_lowercase
from typing import Any

import numbered_texts
import pytest
from numbered_texts import BothReaders
from seeds import cases

from exactmatch.errors import VerificationError
from exactmatch.graphs.readers.numbered import NumberReader
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem.integers import COMPILED
from exactmatch.problem.interpreted import interpreted

PLAIN = interpreted("exactmatch.graphs.readers.numbered")
DEFAULT = Smatch.profiles["default"]


@pytest.mark.slow
@pytest.mark.parametrize("reader", [NumberReader, PLAIN.NumberReader])
def test_changed_texts_are_read_into_the_same_triples(reader: Any) -> None:
    found = numbered_texts.main(cases(1500), "tests", reader)
    assert found["read"] > cases(150) and found["wrong"] > cases(500)
    assert found["left alone"] < 0.2 * found["read"]


@pytest.mark.parametrize(
    "text",
    [
        *("(a / b :x c :y (c / d))", "(a / b :x a :y c)", "(a / c :x (c / a :y a) :z d)"),
        *('(a / b :x "c" :y (c / d))', "(a / b :x~e.1 c~e.2 :y (c / d~e.3,4) :z c~1)"),
        *("(a / b :x-of c :y-of -)", "(a / b :mod (c / d) :domain-of c :mod-of 1)", "(a / b : c)"),
        *("# ::id a\n# x\n(a / b)", "(\u00e9 / \u00fc :x \u00e9)", "(x-1 / b :y x-1)"),
        *('(a / "b c" :x "d a" :y (d / e) :z-of "a d")', '(a_ / b :x "a" :y "a" ~e.1 :z a_~1)'),
        *('(a / b :x "a~1" :y "a~1 \\" b"~e.2 :z "")', '(a / "b~c"~e.1 :x~e.2 (c / d :y~3 a))'),
        '(\u00e0 / b :x "\u00e0 c" :y "\u00e0\u00a0c" :z c\u00a0\u00e0)',
    ],
)
def test_well_formed_texts_are_read(text: str) -> None:
    for profile in ("default", "paper-2013", "smatch-1.0.4", "smatchpp-1.8-generic"):
        both, data = BothReaders(Smatch.profiles[profile]), text.encode()
        leaves = both.words.leaves
        expected = "left alone" if leaves is not None and leaves(data) else "read"
        assert both.read(data) == expected


def test_a_word_may_be_a_constant_in_one_graph_and_a_variable_in_the_next() -> None:
    """What is known of a word is kept from graph to graph, but not which of both it is."""
    for profile, word in product(("default", "smatch-1.0.4"), ("x", "x-1", "x+y")):
        both = BothReaders(Smatch.profiles[profile])
        for root in ("a", word, "a"):
            text = f"({root} / b :y {word} :z-of {word} :w 1)"
            assert both.read(text.encode()) == "read"


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"# ::id a",
            b"# ::id a\n",
            b"(a / b)\n\n",
            b"(a / b\0)",
            b"(a / \xff)",
            b"# \xff\n(a / b)",
        ),
        *(b"(a / b # x\n)", b"(a / b#c)", b"(a~1 / b)", b"(a / b) c", b"(a / b :x (a / c))"),
    ],
)
def test_texts_in_doubt_are_left_alone(data: bytes) -> None:
    assert BothReaders(DEFAULT).reader.read(data) == -1


def test_a_variable_that_no_first_word_is_called_leaves_a_text_alone() -> None:
    for profile, found in (("default", 3), ("smatch-1.0.4", -1)):
        both = BothReaders(Smatch.profiles[profile])
        assert both.reader.read("(a\u00a0b / c :x a\u00a0b)".encode()) == found


def test_what_has_more_triples_than_there_is_room_for_is_left_alone() -> None:
    both = BothReaders(DEFAULT)
    for n_roles, found in ((998, 1000), (999, -1)):
        assert both.reader.read(b"(a / b" + b" :x 1" * n_roles + b")") == found
    deep = b"".join(b"(v%d / b :x " % k for k in range(1001))
    assert both.reader.read(deep + b"1" + b")" * 1001) == -1


def test_labels_that_are_not_told_word_by_word_have_no_numbers() -> None:
    for choice, value in (
        *(("top", "concept"), ("wiki", "drop"), ("senses", "drop"), ("sentences", "aligned")),
        *(("parallel", "last"), ("root_distance", "core"), ("document_level", "count")),
    ):
        assert DEFAULT.with_choices(**{choice: value}).numbered_labels() is None


def test_a_new_choice_that_signatures_leave_out_keeps_texts_from_being_read_into_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A flag that acts in `normalise` alone, by the recipe."""
    monkeypatch.setattr(Smatch, "unsaid", {**Smatch.unsaid, "title": "Smatch"})
    assert DEFAULT.numbered_labels() is not None
    monkeypatch.setattr(Smatch, "title", "another value")
    assert DEFAULT.numbered_labels() is None


def test_two_labels_of_one_number_are_noticed() -> None:
    """A fault in interning: a table that gives two words the same number."""

    class Faulty(dict[Any, int]):
        def get(self, key: Any, default: Any = None) -> Any:
            return super().get(("instance", "boy") if key == ("instance", "girl") else key, default)

    both = BothReaders(DEFAULT)
    both.words._numbers = Faulty(both.words._numbers)
    assert both.reader.read(b"(a / boy)") == 2
    with pytest.raises(VerificationError, match="are one"):
        both.reader.read(b"(a / girl)")


@pytest.mark.skipif(not COMPILED, reason="interpreted code finds words by a dictionary of Python")
def test_two_words_of_one_number_are_noticed() -> None:
    """A fault in finding words: a girl is found as the word that was met second, a boy."""
    both = BothReaders(DEFAULT)
    assert both.reader.read(b"(a / boy)") == 2
    both.reader.known.by_letters[b"girl"] = 1
    with pytest.raises(VerificationError, match="two words have one number"):
        both.reader.read(b"(a / girl)")


@pytest.mark.parametrize("reader", [NumberReader, PLAIN.NumberReader])
@pytest.mark.parametrize("profile", ["default", "smatch-1.0.4"])
def test_labels_begin_anew_when_words_are_many(profile: str, reader: Any) -> None:
    both = BothReaders(Smatch.profiles[profile], reader)
    for k in range(10):
        both.reader.forget_if_many(5)
        assert both.read(b"(a%d / b%d :c%d d)" % (k, k, k)) == "read"
    assert len(both.words._labels) < 8


@pytest.mark.parametrize("reader", [NumberReader, PLAIN.NumberReader])
def test_many_words_have_numbers_of_their_own(reader: Any) -> None:
    """Tables of words and constants get longer, also between two mentions of a variable."""
    both = BothReaders(DEFAULT, reader)
    rng = random.Random("words")
    for _ in range(20):
        words = [rng.randrange(10_000) for _ in range(300)]
        text = " ".join(f":r{word % 7} w{word * 7**5}" for word in words)
        name = f"a{words[0]}"
        assert both.read(f"({name} / b :c {name} {text} :c {name})".encode()) == "read"
    assert len(both.words._labels) > 4000


def colliding_words() -> Iterator[str]:
    """Yield words whose places in the table of the compiled reader are among its first sixteen."""
    for letters in product(ascii_lowercase, repeat=4):
        key = 0
        for letter in letters:
            key = (key + ord(letter) + 1) * 0x9E3779B97F4A7C15 % 2**64
        if key >> 32 & 4095 < 16:
            yield "".join(letters)


def test_words_made_to_collide_are_found_in_a_dictionary() -> None:
    """In the table, each of them would be looked for behind all the others."""
    words = [*islice(colliding_words(), 200)]
    text = " ".join(f":x {word}" for word in words)
    both = BothReaders(DEFAULT)
    for _ in range(2):
        assert both.read(f"(a / b {text})".encode()) == "read"
        assert both.reader.known.by_letters.keys() > {word.encode() for word in words}
