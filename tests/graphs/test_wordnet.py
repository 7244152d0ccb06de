"""Synonyms of WordNet: the files that it has, and the table in Python that Counter ships."""

import gzip
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import InputError
from exactmatch.graphs.readers.word_files import read_synonyms

#: A WordNet of seven synsets, written by hand as wndb(5WN) describes it; the sense of a word is
#: the place of the synset in its line of the index. "person" has two senses.
_LICENCE = "  1 This software and database is provided\n"
_INDEX = {
    "noun": "human n 1 1 @ 1 1 00000010\n"
    "individual n 1 1 @ 1 1 00000020\n"
    "person n 2 1 @ 2 2 00000010 00000030\n"
    "homo n 1 0 1 1 00000010\n"
    "someone n 1 1 @ 1 1 00000020\n"
    "grammatical_person n 1 1 @ 1 0 00000030\n",
    "verb": "shut v 1 1 @ 1 1 00000010\nclose v 2 1 @ 2 1 00000020 00000010\n",
    "adj": "awake a 1 0 1 1 00000010\nwakeful a 1 1 & 1 0 00000010\n",
    "adv": "a.d. r 1 0 1 1 00000010\nanno_domini r 1 0 1 1 00000010\n",
}
_DATA = {
    "noun": "00000010 05 n 03 Homo 0 human 1 person 0 001 @ 00000020 n 0000 | a hominid\n"
    "00000020 03 n 02 individual 0 someone 0 000 | a human being\n"
    "00000030 10 n 02 person 1 grammatical_person 0 000 | first, second, third\n",
    "verb": "00000010 30 v 02 close 1 shut 0 000 01 + 08 00 | become closed\n"
    "00000020 30 v 01 close 0 000 01 + 08 00 | end\n",
    "adj": "00000010 00 s 02 awake(p) 0 wakeful 0 000 | not asleep\n",
    "adv": "00000010 02 r 02 A.D. 0 anno_Domini 0 000 | in the year of the Lord\n",
}

#: What follows, by hand.
_SYNONYMS = {
    ("human", '"n.01"'): ("homo", '"n.01"'),
    ("person", '"n.01"'): ("homo", '"n.01"'),
    ("someone", '"n.01"'): ("individual", '"n.01"'),
    ("grammatical_person", '"n.01"'): ("person", '"n.02"'),
    ("shut", '"v.01"'): ("close", '"v.02"'),
    ("wakeful", '"a.01"'): ("awake", '"a.01"'),
    ("anno_domini", '"r.01"'): ("a.d.", '"r.01"'),
}
#: The same as Counter has it: each concept, those that count as themselves among them.
_TABLE = """# made for Counter
en_sense_dict = {
  'human.n.01': 'homo.n.01', "homo.n.01": 'homo.n.01', 'person.n.01':'person.n.02',
  'someone.n.01': 'individual.n.01',  # no strings in 'here': "x"
  'grammatical_person.n.01' : 'person.n.02' , 'shut.v.01': "close.v.02", 'x': 'y',
  'wakeful.a.01': '\\x61wake.a.01', 'person.n.01': 'homo.n.01'
}
en_sense_dict["anno_domini.r.01"] = 'a.d..r.01'
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    folder = tmp_path / "dict"
    folder.mkdir()
    for part, text in _INDEX.items():
        (folder / f"index.{part}").write_text(_LICENCE + text, encoding="utf-8")
        (folder / f"data.{part}").write_text(_LICENCE + _DATA[part], encoding="utf-8")
    return folder


def test_senses_of_a_synset_count_as_its_first_word(wordnet: Path) -> None:
    assert read_synonyms(wordnet).table == _SYNONYMS


def test_the_table_that_counter_ships_says_what_the_files_of_wordnet_say(
    wordnet: Path, tmp_path: Path
) -> None:
    path = tmp_path / "wordnet_dict_en.py"
    path.write_text(_TABLE, encoding="utf-8")
    packed = tmp_path / "packed.py.gz"
    packed.write_bytes(gzip.compress(_TABLE.encode().replace(b"\n", b"\r\n")))
    found = read_synonyms(path)
    assert found.table == read_synonyms(packed).table == _SYNONYMS
    assert found.digest == read_synonyms(packed).digest == read_synonyms(wordnet).digest


def test_a_table_of_one_long_line_is_read(tmp_path: Path) -> None:
    entries = ", ".join(f"'word{k}.n.01': 'word.n.{k}'" for k in range(60_000))
    path = tmp_path / "long.py"
    path.write_text(f"en_sense_dict = {{{entries}}}", encoding="utf-8")
    assert len(read_synonyms(path).table) == 60_000


@pytest.mark.parametrize(
    "text, message",
    [
        ("x = {}\n", ": holds no synonym"),
        ("x = {'a.n.01': 'a.n.01'}\n", ": holds no synonym"),
        ("import os\nx = {}\n", ":1: 'import os"),
        ("x = {'a.n.01':\n 'b.n.01'}\nprint(x)\n", ":3: 'print(x)"),
        ("x = {'a.n.01': open('y')}", ":1: \"'a.n.01': open('y')}\": expected a dictionary"),
        ("x = {'a.n.01': 'b.n.01' + 'c'}", ": expected a dictionary of strings alone"),
        ("x = {f'a.n.01': 'b.n.01'}", ": expected a dictionary of strings alone"),
        ("x = {'a.n.01': 'b'}", ":1: 'b' is no concept with a sense"),
        ("x = {\n'\\x.n.01': 'b.n.01'}", r":2: '\x.n.01' is no Python string"),
        ("x = {'a.n.01': 'b.n.01", ": expected a dictionary of strings alone"),
    ],
)
def test_a_program_is_no_table_and_is_not_run(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "table.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_synonyms(path)


def test_bytes_that_are_no_text_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "table.py"
    path.write_bytes(b"x = {'\xff.n.01': 'a.n.01'}")
    with pytest.raises(InputError, match="not UTF-8"):
        read_synonyms(path)


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("index.verb", None, "index.verb: No such file"),
        ("index.adv", "a.d. r\n", "index.adv:1: not a line of WordNet's index"),
        ("index.adv", "a.d. r 9 0 1 1 00000010\n", "index.adv:1: not a line of WordNet's index"),
        (
            "index.adv",
            f"a.d. r {'9' * 5000} 0 1 1 0\n",
            "index.adv:1: not a line of WordNet's index",
        ),
        ("data.adv", "here\n", "data.adv:1: not a line of WordNet's data"),
        ("data.adv", "", "data.adv: synset 00000010 of 'a.d.' is missing"),
        ("index.adv", "x r 1 0 1 1 00000010\n", "index.adv: 'a.d.' lacks the synset 00000010"),
    ],
)
def test_what_wordnet_files_lack_is_named(
    wordnet: Path, name: str, text: str | None, message: str
) -> None:
    if text is None:
        (wordnet / name).unlink()
    else:
        (wordnet / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_synonyms(wordnet)


def test_concepts_of_a_synset_match_on_the_command_line_and_a_note_says_where_none_can(
    wordnet: Path, tmp_path: Path
) -> None:
    system, gold = tmp_path / "a.clf", tmp_path / "b.clf"
    system.write_text('b1 REF x1\nb1 human "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")
    gold.write_text('b1 REF x1\nb1 person "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")

    def run(*words: str) -> tuple[float, str]:
        command = ["score", str(system), str(gold), "--format", "json", *words]
        done = CliRunner().invoke(main, command)
        return json.loads(done.stdout)["f1"], done.stderr

    without, note = run("--profile", "counter-2021")
    assert without == 0.5 and note.startswith("note: counter-2021 needs --synonyms:")
    with_table, silence = run("--profile", "counter-2021", "--synonyms", str(wordnet))
    assert with_table == 1 and silence == ""
    assert run()[1] == ""
    notes: list[str] = []
    exactmatch.score(system, gold, profile="counter-2021", note=notes.append)
    assert [note.split(":")[0] for note in notes] == ["counter-2021 needs --synonyms"]
