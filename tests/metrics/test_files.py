"""Files of aspects and of frames, and names of subscores."""

from pathlib import Path

import pytest

import exactmatch
from exactmatch.errors import InputError, UsageError

SYSTEM = "(g / go-02 :ARG0 (b / boy :poss (s / she)) :ARG4 (c / city :mod (o / old)))"
GOLD = "(t / travel-01 :ARG0 (b / boy) :ARG2 (c / city :mod (o / old)) :time (n / now))"
FRAMES = "# comment\ngo-02 :ARG4 destination\n\ntravel-01\tARG2\tDestination\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "frames.txt").write_text(FRAMES, encoding="utf-8")
    return tmp_path


def written(folder: Path, text: str) -> Path:
    file = folder / "aspects.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_aspects_of_a_file(folder: Path) -> None:
    file = written(
        folder,
        '[aspects.goal]\ntitle = "where to"\nroles = [":Destination"]\ncontext = 1\n'
        '[aspects.people]\nconcepts = ["Boy"]\n',
    )
    asked = exactmatch.select_subscores("goal-own", aspects=file, frames=folder / "frames.txt")
    assert list(asked.definitions) == ["goal-own", "goal", "people"]
    assert [what.title for what in asked.definitions.values()] == ["where to", "where to", "people"]
    found = exactmatch.best_mapping(SYSTEM, GOLD, subscores=asked).subscores
    # destination, mod, and the concepts of frame, city and old; all but the frame match
    assert found["goal"][:4] == (4, 4, 5, 5)
    assert found["goal-own"] == found["goal"]
    # ARG0 of another frame matches, too, and boy; poss and she are on one side alone
    assert found["people"][:4] == (2, 2, 5, 3)
    plain = exactmatch.select_subscores(aspects=file)
    assert "goal" not in exactmatch.best_mapping(SYSTEM, GOLD, subscores=plain).subscores
    assert plain.signature().endswith("|frames:none")
    assert (
        plain.signature().split("|")[:-1]
        == asked.signature().replace("goal-own,", "").split("|")[:-1]
    )
    assert len({plain.signature().rpartition("|")[2], asked.signature().rpartition("|")[2]}) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected tables [aspects.NAME]"),
        ("[aspects]", "expected tables [aspects.NAME]"),
        ("[other]", "expected tables [aspects.NAME]"),
        ("[aspects.x", "Expected ']'"),
        ("[aspects.x]", "neither roles nor concepts"),
        ("[aspects.x]\nroles = 'arg0'", "roles is 'arg0', expected list"),
        ("[aspects.x]\nroles = [0]", "roles has 0"),
        ("[aspects.x]\nroles = [':']", "roles has ':'"),
        ("[aspects.x]\nrole = ['arg0']", "there is no key 'role'"),
        ("[aspects.x]\nroles = ['a']\ncontext = true", "context is True, expected int"),
        ("[aspects.x]\nroles = ['a']\ncontext = -1", "context is -1"),
        ("[aspects.X]\nroles = ['a']", "a name has lower-case letters"),
        ("[aspects]\nx = 1", "expected a table"),
        (f"[aspects.x]\nroles = ['a']\ncontext = {'9' * 6000}", "a number with too many digits"),
        (f"[aspects.x]\nroles = 0x{'f' * 6000}", "a number with too many digits"),
        (f"[aspects.x]\nroles = {'[' * 3000}{']' * 3000}", "nested too deeply"),
    ],
)
def test_files_that_hold_no_aspects(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        exactmatch.select_subscores(aspects=written(tmp_path, text))
    assert "aspects.toml" in str(raised.value)
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["srl", "srl-own", "concepts", "damonte", "all", "concepts-set"])
def test_an_aspect_is_called_like_no_other_subscore(tmp_path: Path, name: str) -> None:
    file = written(tmp_path, f"[aspects.{name}]\nroles = ['a']")
    with pytest.raises(UsageError, match="the name of another subscore"):
        exactmatch.select_subscores(aspects=file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no frame"),
        ("go-02 ARG4", "frames.txt:1: 2 words"),
        ("go-02 ARG4 path\ngo-02 :arg4 destination", "frames.txt:2: go-02 has another role"),
        (b"\xff a b", "frames.txt:1: byte 0xff"),
    ],
)
def test_files_that_hold_no_frames(tmp_path: Path, text: str | bytes, message: str) -> None:
    file = tmp_path / "frames.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as raised:
        exactmatch.select_subscores("aspects", frames=file)
    assert message in str(raised.value)


def test_missing_files_of_aspects_are_errors(tmp_path: Path) -> None:
    for options in ({"aspects": tmp_path / "none"}, {"frames": tmp_path / "none"}):
        with pytest.raises(InputError, match="none"):
            exactmatch.select_subscores("aspects", **options)


def test_subscores_are_selected_by_name() -> None:
    both = exactmatch.select_subscores("concepts", "damonte")
    assert list(both.definitions)[:2] == ["concepts", "all"]
    assert len(both.definitions) == len(exactmatch.select_subscores("damonte").definitions)
    with pytest.raises(
        UsageError, match="no subscore is called 'nothing'; the subscores are damonte"
    ):
        exactmatch.select_subscores("nothing")
    with pytest.raises(UsageError, match="no subscore is called ''"):
        exactmatch.score(SYSTEM, GOLD, subscores="concepts,")
