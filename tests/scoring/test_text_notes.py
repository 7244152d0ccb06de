"""Notes of a score, and faults, on text that looks the same."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main

NFC, NFD = "S\u00e3o", "Sa\u0303o"
#: A role and a concept with no-break spaces, a symbol with a mark of direction, and a string.
ODD = '(c\u200b / city\u3000 :name\u00a0\u00a0 (n / name :op1 "New\u00a0York") :mode x\u200e)'


def notes_of(system: str, gold: str, *words: str, folder: Path) -> list[str]:
    paths = []
    for name, text in (("a", system), ("b", gold)):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    result = CliRunner().invoke(main, ["score", *paths, *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stderr.splitlines()


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_score_counts_invisible_characters_in_words(workers: str, tmp_path: Path) -> None:
    """Five in words of each graph; those in strings are text."""
    text = f"{ODD}\n\n(b / boy)\n\n{ODD}\n"
    plain = "(c / city)\n\n(b / boy)\n\n(c / city)\n"
    notes = notes_of(text, plain, "--workers", workers, folder=tmp_path)
    assert notes == [
        "note: 10 invisible characters beside roles and concepts, in 2 graphs; they count as "
        "letters (exactmatch check)"
    ]
    assert notes_of(plain, plain, folder=tmp_path) == []


def test_a_score_of_text_as_written_counts_labels_of_another_form(tmp_path: Path) -> None:
    """Three labels of the first pair, and one of the second; the third pair has no other form."""

    def graph(word: str) -> str:
        return f'(c / {word} :{word} (n / name :op1 "{word}"))'

    system = f"{graph(NFD)}\n\n(a / {NFD})\n\n(a / {NFC})\n"
    gold = f"{graph(NFC)}\n\n(a / {NFC})\n\n(a / {NFC})\n"
    said = "labels that differ by their Unicode form alone: 4, in 2 pairs"
    for words in (("--unicode", "as-written"), ("--profile", "smatch-1.0.4")):
        (note,) = notes_of(system, gold, *words, folder=tmp_path)
        assert said in note
    assert notes_of(system, gold, folder=tmp_path) == []
    assert notes_of(gold, gold, "--unicode", "as-written", folder=tmp_path) == []


def test_labels_are_found_in_escapes_of_json(tmp_path: Path) -> None:
    def text(word: str) -> str:
        node = {"id": 0, "label": word}
        return json.dumps({"id": "1", "framework": "eds", "tops": [0], "nodes": [node]})

    assert text(NFD).isascii()
    (note,) = notes_of(text(NFD), text(NFC), "--profile", "mtool", folder=tmp_path)
    assert "form alone: 1, in 1 pair;" in note


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            ODD,
            [
                ("invisible", "the variable c\\u200b has an invisible character"),
                ("invisible", "the concept city\\u3000 has an invisible character"),
                ("invisible", "the role name\\u00a0\\u00a0 has an invisible character"),
                ("invisible", "the value x\\u200e has an invisible character"),
            ],
        ),
        (
            f'(c / city :op1 "{NFD}" :op2 "{NFC}")',
            [("not-nfc", '"Sa\\u0303o" is not in NFC, which is "S\\u00e3o"')],
        ),
        (
            f'b1 REF x1\nb1 {NFD} "n.01" x1\nb1 Name x1 "{NFC}"\n',
            [("not-nfc", "Sa\\u0303o is not in NFC, which is S\\u00e3o")],
        ),
        (
            f'male.n.02 Name "{NFD}"\n',
            [("not-nfc", '"Sa\\u0303o" is not in NFC, which is "S\\u00e3o"')],
        ),
        (
            json.dumps(
                {
                    "id": "1",
                    "framework": "eds",
                    "tops": [0],
                    "nodes": [
                        {
                            "id": 0,
                            "label": f"{NFD}\u00a0",
                            "properties": ["p"],
                            "values": ["10\u00a0%"],
                        }
                    ],
                }
            ),
            [
                ("invisible", "the concept Sa\u0303o\\u00a0 has an invisible character"),
                ("not-nfc", "Sa\\u0303o\\u00a0 is not in NFC, which is S\\u00e3o\\u00a0"),
            ],
        ),
        (
            "# :: snt1\n\n# sentence level graph:\n(s1c / city\u00a0 :mod s1c)\n",
            [("invisible", "the concept city\\u00a0 has an invisible character")],
        ),
    ],
)
def test_check_lists_text_that_looks_the_same(text: str, expected: list[tuple[str, str]]) -> None:
    found = exactmatch.check(text, only=["invisible", "not-nfc"]).files[0].faults
    assert [(fault.kind, fault.reason) for fault in found] == expected


def test_messages_show_invisible_characters() -> None:
    with pytest.raises(exactmatch.InputError) as raised:
        exactmatch.score("(b / boy :polarity\u00a0-)", "(b / boy)")
    first, line, caret = str(raised.value).split("\n")
    assert "role :polarity\\u00a0- has no value" in first
    assert line == "    (b / boy :polarity\\u00a0-)"
    assert caret == "             ^"
