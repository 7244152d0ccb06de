"""The people of several work files, of whom two may have one name."""

import itertools
import json
import random
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from javascript_checker import node

import exactmatch
from exactmatch.cli import main
from exactmatch.many.adjudication.batch import BATCH
from exactmatch.many.adjudication.people import merged_entries, near_people
from exactmatch.many.adjudication.work import Entry, WorkFile, conflicts, read_work

SCRIPTS = Path(str(files("exactmatch.report.pages") / "adjudication"))


def entry(difference: str, who: str, when: int, choice: Any, **more: Any) -> Entry:
    return Entry("1", difference, who, f"2026-01-01T00:00:{when:02}.000Z", choice, **more)


def work(*entries: Entry) -> WorkFile:
    return WorkFile("0" * 64, entries)


def renamed(*works: WorkFile) -> list[tuple[int, str, str]]:
    return [(one.place, one.there, one.here) for one in merged_entries(works).renamed]


ANNA = [entry("concept s", "Anna", 1, 0), entry("concept b", "Anna", 2, 0)]
OTHER = [entry("concept s", "Anna", 3, 1), entry("concept b", "Anna", 4, 0)]


def test_two_of_one_name_are_two_people() -> None:
    """Neither file has what the other one has; the second one's name gets a number."""
    both = [work(*ANNA), work(*OTHER)]
    assert renamed(*both) == [(1, "Anna", "Anna#2")]
    found = merged_entries(both).entries
    assert [one.who for one in found] == ["Anna", "Anna", "Anna#2", "Anna#2"]
    (conflict,) = conflicts(found)
    assert conflict.difference == "concept s"
    assert {one.who: one.choice for one in conflict.entries} == {"Anna": 0, "Anna#2": 1}
    third = work(entry("concept s", "Anna", 5, 2))
    assert renamed(*both, third) == [(1, "Anna", "Anna#2"), (2, "Anna", "Anna#3")]


def test_a_later_file_of_one_person_is_no_other_person() -> None:
    later = work(*ANNA, entry("concept s", "Anna", 9, 1))
    for order in ([work(*ANNA), later], [later, work(*ANNA)], [later, later]):
        assert renamed(*order) == []
        assert merged_entries(order).entries == [*later.entries]
        assert conflicts(merged_entries(order).entries) == []


def test_a_person_keeps_the_number_in_later_merges() -> None:
    merged = work(*merged_entries([work(*ANNA), work(*OTHER)]).entries)
    more = entry("root", "Anna", 9, 0)
    assert renamed(merged, work(*OTHER, more)) == [(1, "Anna", "Anna#2")]
    assert renamed(merged, work(*ANNA, more)) == []
    # The file that comes first keeps its names, and so those of the merged one change.
    assert renamed(work(*OTHER, more), merged) == [(1, "Anna#2", "Anna"), (1, "Anna", "Anna#2")]
    for works in itertools.permutations([merged, work(*OTHER, more), work(*ANNA)]):
        found = merged_entries(works).entries
        assert len(found) == 5 and len({one.who for one in found}) == 2
        assert [one.difference for one in conflicts(found)] == ["concept s"]


def test_who_was_settled_has_the_name_of_that_person() -> None:
    """Cleo has seen the second Anna's decision only; so that of the first one still counts."""
    settled = entry("concept s", "Cleo", 9, 1, over=(("Anna", OTHER[0].when),))
    found = merged_entries([work(*ANNA), work(*OTHER, settled)]).entries
    assert found[-1] == settled._replace(over=(("Anna#2", OTHER[0].when),))
    (conflict,) = conflicts(found)
    assert {one.who: one.choice for one in conflict.entries} == {"Anna": 0, "Cleo": 1}
    again = merged_entries([work(*found), work(*OTHER, settled)])
    assert again.entries == found


NEAR = [
    (["Ann", "ann", "Ann "], True),
    (["Ann", "Anna"], True),
    (["Ann", "Anm"], True),
    (["Jo Smith", "josmith"], True),
    (["Katherine", "Catharine"], True),
    (["Ö Müller", "ö mu\u0308ller"], True),
    (["Ann", "Bob"], False),
    (["Al", "Ab"], False),
    (["Katherine", "Catarina"], False),
    (["Anna", "Anna#2"], False),
    (["Anna", "Anna#2", "anna "], True),
    (["", "Ann"], False),
    (["x" * 200, "X" * 200], True),
    (["x" * 200, "x" * 199 + "y"], False),
]


@pytest.mark.parametrize(("names", "are_near"), NEAR)
def test_names_that_are_near_each_other(names: Sequence[str], are_near: bool) -> None:
    assert near_people(names) == ([sorted(names)] if are_near else [])


def test_near_names_are_in_groups() -> None:
    assert near_people(["Bob", "ann", "Bob ", "Ann", "Cleo", "Ann"]) == [
        ["Ann", "ann"],
        ["Bob", "Bob "],
    ]


def by_chance(chance: random.Random) -> list[WorkFile]:
    """Return works of few people, of whom some have the same name, some seen by others."""
    works: list[list[Entry]] = [[] for _ in range(3)]
    for _ in range(chance.randint(1, 9)):
        who = chance.choice(["Anna", "Anna", "anna", "Bob", "Anna#2"])
        made = entry(chance.choice("xyz"), who, chance.randint(1, 59), chance.randint(0, 1))
        if chance.random() < 0.2:
            made = made._replace(choice=None, note="why?")
        elif chance.random() < 0.3:
            made = made._replace(over=(("Anna", chance.choice([made.when, "t"])),))
        for one in works:
            if chance.random() < 0.5:
                one.append(made)
    return [work(*one) for one in works]


_DRIVER = """
const fs = require("fs");
const [, , input, ...scripts] = process.argv;
const given = JSON.parse(fs.readFileSync(input));
const source = scripts.map((name) => fs.readFileSync(name, "utf8")).join("\\n");
const run = new Function("batch", "given", source + `
  const both = (ours, others) => mergedEntries(ours, others).entries;
  const merged = given.works.map((works) => works.reduce(both, []));
  return { merged, near: given.names.map(nearPeople) };`);
process.stdout.write(JSON.stringify(run({ items: [], digest: "" }, given)));
"""


@pytest.mark.node
def test_the_page_knows_the_same_people_as_python(tmp_path: Path) -> None:
    chance = random.Random(5)
    cases = [by_chance(chance) for _ in range(300)]
    names = [given for given, _ in NEAR]
    names += [["".join(chance.choices("aAbü #2", k=5)) for _ in range(5)] for _ in range(300)]
    content = {
        "works": [[[one.content() for one in some.entries] for some in works] for works in cases],
        "names": names,
    }
    (tmp_path / "given.json").write_text(json.dumps(content), encoding="utf-8")
    (tmp_path / "driver.js").write_text(_DRIVER, encoding="utf-8")
    ran = subprocess.run(
        [
            *(str(node()), tmp_path / "driver.js", tmp_path / "given.json"),
            *(SCRIPTS / f"{name}.js" for name in ("work", "people")),
        ],
        capture_output=True,
        check=True,
    )
    found = json.loads(ran.stdout)
    ours = [merged_entries(works) for works in cases]
    assert found["merged"] == [[one.content() for one in some.entries] for some in ours]
    assert sum(bool(some.renamed) for some in ours) > 100
    assert found["near"] == [near_people(some) for some in names]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The batch of two annotators in the folder pages, with their files and three work files."""
    monkeypatch.chdir(tmp_path)
    for name, graph in {"anna": "(s / sing-01 :ARG0 (b / bird))", "x": "(s / sing-02)"}.items():
        Path(f"{name}.amr").write_text(f"# ::id 1\n{graph}\n", encoding="utf-8")
    batch = exactmatch.adjudicate(["anna.amr", "x.amr"], "pages").batch
    for name, choice, when, who in (
        ("Anna.json", 0, 1, "Anna"),
        ("Other.json", 1, 2, "Anna"),
        ("ann.json", 0, 3, "Ann "),
    ):
        made = WorkFile(batch.digest, [entry("concept s", who, when, choice, words=f"{choice}")])
        Path(name).write_text(made.text(), encoding="utf-8")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["adjudicate", *words], catch_exceptions=False)


def test_the_command_says_who_is_another_person(folder: Path) -> None:
    result = run("--merge", "Anna.json", "Other.json", "ann.json", "-o", "both.json")
    assert result.exit_code == 1
    assert result.stdout == (
        "3 files: 3 entries on 1 item, by Ann , Anna, Anna#2\n"
        "conflicts: 1\n"
        "  1, concept s: Anna says 0; Anna#2 says 1; Ann  says 0\n"
    )
    assert result.stderr == (
        'note: Other.json: "Anna" is another person than the one before, and called "Anna#2": '
        "neither file has all entries of the other\n"
        'note: names that are near each other: "Ann ", "Anna", "Anna#2"; if they are one person, '
        "give the entries one name\n"
    )
    again = run("--collect", "pages", "both.json", "-o", "gold.amr")
    apart = run("--collect", "pages", "Anna.json", "Other.json", "ann.json", "-o", "gold.amr")
    assert (again.exit_code, apart.exit_code) == (1, 1)
    assert again.stdout == apart.stdout
    assert "left out, in conflict: 1\n  1: concept s: Anna says 0; Anna#2 says 1" in apart.stdout
    assert "Anna and Anna#2 chose the same in 0 of 1 differences" in apart.stdout
    assert apart.stderr == result.stderr


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_no_work_is_lost_by_a_merge(folder: Path) -> None:
    before = content_of(folder)
    result = run("--merge", "Anna.json", "Other.json", "-o", "ann.json")  # it is not merged
    assert (result.exit_code, result.stdout) == (2, "")
    lost = "has work that would be lost; merge it, too, or name another file"
    assert result.stderr == f"error: ann.json {lost}\n"
    Path("old.json").write_text(WorkFile("0" * 64, []).text(), encoding="utf-8")
    assert run("--merge", "Anna.json", "-o", "old.json").exit_code == 2  # of another batch
    Path("old.json").unlink()
    assert content_of(folder) == before
    # What was merged before, in whatever order, is merged again with more.
    for names in (("Anna.json", "Other.json"), ("Other.json", "Anna.json", "ann.json")):
        assert run("--merge", *names, "-o", "both.json").exit_code == 1
    assert len(read_work(Path("both.json")).entries) == 3


def test_nothing_of_a_batch_is_overwritten(folder: Path) -> None:
    """The batch, its page, the annotators' files, which it knows by digest, and work files."""
    Path("link.amr").symlink_to("anna.amr")
    before = content_of(folder)
    for output in ("pages/batch.json", "pages/index.html", "anna.amr", "x.amr", "link.amr"):
        result = run("--merge", "Anna.json", "Other.json", "-o", output)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"error: {output} is no work file and would be overwritten\n"
        result = run("--collect", "pages", "Anna.json", "-o", output)
        assert (result.exit_code, result.stdout) == (2, "")
        reason = "an input" if output.startswith("pages") else "an annotator's file, of which the"
        assert f"error: {output} is {reason}" in result.stderr
    result = run("--collect", "pages", "Anna.json", "-o", "Other.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: Other.json is a work file and would be overwritten\n"
    assert content_of(folder) == before
    # A former result, and an empty file, are replaced.
    Path("gold.amr").touch()
    Path("both.json").touch()
    for _ in range(2):
        assert run("--merge", "Anna.json", "ann.json", "-o", "both.json").exit_code == 0
        assert run("--collect", "pages", "both.json", "-o", "gold.amr").exit_code == 0


def test_a_batch_of_an_earlier_version_has_no_digests_of_files(folder: Path) -> None:
    path = Path("pages", BATCH)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert len(content.pop("files")) == 2
    path.write_text(json.dumps(content), encoding="utf-8")
    assert run("--collect", "pages", "Anna.json", "-o", "gold.amr").exit_code == 0
    path.write_text(json.dumps({**content, "files": [1]}), encoding="utf-8")
    result = run("--collect", "pages", "Anna.json", "-o", "gold.amr")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "files: no digests" in result.stderr
    assert read_work(Path("Anna.json")).entries
