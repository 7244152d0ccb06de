"""Every command notices that a file is changed in place while the command reads it."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from command_files import IN_PART, LISTED, SHARED, WORDS, arguments, with_graphs
from study_files import AGREEMENT, write_files

from exactmatch.cli import main
from exactmatch.cli.smatch import _lines
from exactmatch.errors import InputError
from exactmatch.graphs.readers.source import Unchanged
from exactmatch.runtime import checkpoint
from exactmatch.scoring import corpus
from exactmatch.studies.common.manifest import Manifest
from exactmatch.studies.verification.files import check_files

ROOT = AGREEMENT.parent
VICTIM = "victim"
#: Words that name the victim, by what a command reads; the file that the victim is a copy of. A
#: command that needs nothing but its graphs is completed below.
RUNS: dict[tuple[str, str], tuple[str, str]] = {
    ("score", "gold"): ("score a.amr victim --workers 2", "b.amr"),
    ("score", "ids"): ("score a.amr b.amr --ids victim", "ids.txt"),
    ("score", "aspects"): ("score a.amr b.amr --aspects victim", "aspects.toml"),
    ("score", "frames"): ("score a.amr b.amr --subscores aspect-it --frames victim", "frames.txt"),
    ("score", "vectors"): ("score a.amr b.amr --metric s2match --vectors victim", "words.txt"),
    ("score", "similarity"): (
        "score a.amr b.amr --metric s2match --similarity victim",
        "similar.txt",
    ),
    ("score", "synonyms"): ("score a.clf a.clf --synonyms victim", "synonyms.txt"),
    ("score", "lengths"): (
        "score a.camr a.camr --metric align-smatch --lengths victim",
        "lengths.txt",
    ),
    ("score", "classes"): ("score a.amr b.amr --metric smatch --classes victim", "classes.txt"),
    ("score", "reification_table"): (
        "score a.amr b.amr --reification collapse --reification-table victim",
        "table.tsv",
    ),
    ("score", "credits"): ("score a.amr b.amr --credits victim", "credits.tsv"),
    ("iaa", "consensus"): ("iaa a.amr b.amr --consensus victim", "c.amr"),
    ("iaa", "group_by"): ("iaa a.amr b.amr --group-by victim", "groups.tsv"),
    ("compare", "list_file"): ("compare c.amr --systems victim", "systems.toml"),
    ("compare", "files"): ("compare victim b.amr c.amr", "a.amr"),
    ("compare", "gold"): ("compare a.amr b.amr --gold victim", "c.amr"),
    ("show", "system"): ("show victim b.amr -o out.html", "a.amr"),
    ("show", "gold"): ("show a.amr victim -o out.html", "b.amr"),
    ("show", "ids"): ("show a.amr b.amr --ids victim -o out.html", "ids.txt"),
    ("show", "certificates"): ("show a.amr b.amr --certificates victim -o out.html", "c.jsonl"),
    ("diff", "ids"): ("diff a.amr b.amr --ids victim", "ids.txt"),
    ("adjudicate", "files"): ("adjudicate a.amr victim -o out", "b.amr"),
    ("adjudicate", "consensus"): ("adjudicate a.amr b.amr --consensus victim -o out", "c.amr"),
    ("adjudicate", "guidelines"): ("adjudicate a.amr b.amr --guidelines victim -o out", "ids.txt"),
    ("search-error", "files"): ("search-error victim b.amr --seeds 1", "a.amr"),
    ("search-error", "list_file"): ("search-error c.amr --systems victim", "systems.toml"),
    ("search-error", "gold"): ("search-error a.amr --gold victim --seeds 1", "b.amr"),
    ("search-error", "scores"): (
        "search-error a.amr b.amr --scores victim --from smatch",
        "scores.txt",
    ),
    ("search-error", "group_by"): ("search-error a.amr b.amr --group-by victim", "groups.tsv"),
    ("explain", "system"): ("explain victim b.amr --between default paper-2013", "a.amr"),
    ("explain", "gold"): ("explain a.amr victim --between default paper-2013", "b.amr"),
    ("explain", "scores"): ("explain a.amr b.amr --scores victim --from smatch", "scores.txt"),
    ("principles", "first"): ("principles victim b.amr --metric smatch", "a.amr"),
    ("principles", "second"): ("principles a.amr victim --metric smatch", "b.amr"),
    ("correlate", "files"): ("correlate victim b.amr c.amr", "a.amr"),
    ("correlate", "list_file"): ("correlate c.amr --systems victim", "systems.toml"),
    ("correlate", "gold"): ("correlate a.amr b.amr --gold victim", "c.amr"),
    ("correlate", "human"): (
        "correlate a.amr b.amr --human victim --human-range 0 5",
        "human.txt",
    ),
    ("verify", "certificates"): ("verify victim a.amr b.amr", "c.jsonl"),
    ("verify", "system"): ("verify c.jsonl victim b.amr", "a.amr"),
    ("verify", "gold"): ("verify c.jsonl a.amr victim", "b.amr"),
    ("ngrams", "system"): ("ngrams victim b.amr --id study.1", "a.amr"),
    ("ngrams", "gold"): ("ngrams a.amr victim --id study.1", "b.amr"),
    ("mappings", "system"): ("mappings victim b.amr --id study.1", "a.amr"),
    ("mappings", "gold"): ("mappings a.amr victim --id study.1", "b.amr"),
    ("export", "system"): ("export victim b.amr --id study.1 --to json", "a.amr"),
    ("export", "gold"): ("export a.amr victim --id study.1 --to json", "b.amr"),
    ("export", "certificates"): (
        "export a.amr b.amr --to coq --certificates victim -o out",
        "c.jsonl",
    ),
    ("import-solution", "solution"): (
        "import-solution victim a.amr b.amr --id study.1",
        "solution.json",
    ),
    ("import-solution", "system"): (
        "import-solution solution.json victim b.amr --id study.1",
        "a.amr",
    ),
    ("import-solution", "gold"): (
        "import-solution solution.json a.amr victim --id study.1",
        "b.amr",
    ),
    ("smatch", "files"): ("smatch -f a.amr victim", "b.amr"),
}
RUNS |= {
    (name, one): (" ".join(with_graphs(name, {one: VICTIM}, "a.amr", "b.amr")), "a.amr")
    for name, (read, _) in LISTED.items()
    for one in sorted(read & arguments(name))
    if (name, one) not in RUNS
}
#: What folders hold is read as well, by the words of other commands.
FOLDERS = {
    "verify proofs": ["proofs/manifest.json", "proofs/a--b.jsonl", "a.amr"],
    "adjudicate --collect pages work.json -o out": ["pages/batch.json", "work.json"],
    "adjudicate --merge work.json work.json -o out": ["work.json"],
    "score a.clf a.clf --synonyms dict": ["dict/data.noun"],
}


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, catch_exceptions=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind."""
    folder = tmp_path_factory.mktemp("whole")
    with chdir(folder):
        write_files()
        shutil.copy(ROOT / "vectors" / "words.txt", "words.txt")
        for name, text in {
            "a.clf": 'b1 REF x1\nb1 human "n.01" x1\n',
            "ids.txt": "study.1\n",
            "aspects.toml": '[aspects.it]\ntitle = "It"\nroles = ["time"]\n',
            "frames.txt": "bird-01 arg0 arg1\n",
            "similar.txt": "bird cat 0.5\n",
            "synonyms.txt": "human.n.01 person.n.01\n",
            "classes.txt": "cat animal\n",
            "a.camr": "# ::id 1\n# ::wid x1_a\n(x1 / a :mod() (x2 / b))\n",
            "lengths.txt": "1 1\n",
            "credits.tsv": "aspect a b 0.5\n",
            "table.tsv": "age\tage-01\tARG1\tARG2\n",
            "scores.txt": "F-score: 0.5\n" * 6,
            "groups.tsv": "".join(f"study.{k}\tx\n" for k in range(1, 7)),
            "systems.toml": "[systems]\nx = 'a.amr'\n",
            "human.txt": "3\n" * 6,
            "solution.json": '{"mapping": [[0, 0]]}',
        }.items():
            Path(name).write_text(text, encoding="utf-8")
        assert run("score", "a.amr", "b.amr", "--certificates", "c.jsonl").exit_code == 0
        assert run("iaa", "a.amr", "b.amr", "--certificates", "proofs").exit_code == 0
        assert run("adjudicate", "a.amr", "b.amr", "-o", "pages").exit_code == 0
        batch = json.loads(Path("pages/batch.json").read_text(encoding="utf-8"))
        work = {"schema": 1, "batch": batch["digest"], "entries": []}
        Path("work.json").write_text(json.dumps(work), encoding="utf-8")
        Path("dict").mkdir()
        for kind in ("noun", "verb", "adj", "adv"):
            for name in (f"data.{kind}", f"index.{kind}"):
                Path("dict", name).write_text("  1 licence\n", encoding="utf-8")
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the folder, made the current one."""
    copy = shutil.copytree(whole, tmp_path / "copy")
    monkeypatch.chdir(copy)
    return copy


def changing(monkeypatch: pytest.MonkeyPatch, victim: str, at: int = 1) -> list[str]:
    """Let another program append to *victim* when its piece number *at* has been read.

    Returns a list that has the name once that has happened.
    """
    true, seen, done = Unchanged.check, [0], []

    def check(self: Unchanged) -> None:
        if Path(self._name) == Path(victim):
            seen[0] += 1
            if seen[0] == at:
                with Path(victim).open("ab") as file:
                    file.write(b"\n")
                done.append(victim)
        true(self)

    monkeypatch.setattr(Unchanged, "check", check)
    return done


def test_all_files_of_all_commands_are_tried() -> None:
    files = {(name, one) for name, (read, _) in LISTED.items() for one in read}
    assert {*RUNS} == {place for place in files - IN_PART if place[1] not in SHARED} | {
        ("score", one) for one in WORDS
    }


def told(result: Result, victim: str, done: list[str]) -> None:
    assert done == [victim], result.output
    assert result.exit_code == 1, result.output
    said = f"error: {victim}: changed while it was read; run again when no other program writes it"
    assert said in result.stderr.replace("\\", "/"), result.output


@pytest.mark.parametrize("place", [*RUNS], ids="-".join)
def test_a_change_in_place_is_told(
    place: tuple[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, kind = RUNS[place]
    shutil.copy(kind, VICTIM)
    done = changing(monkeypatch, VICTIM)
    result = run(*words.split())
    told(result, VICTIM, done)


@pytest.mark.parametrize("words", [*FOLDERS])
def test_files_in_folders_are_as_files_that_are_named(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for victim in FOLDERS[words]:
        before = Path(victim).read_bytes()
        with monkeypatch.context() as patch:
            done = changing(patch, victim)
            told(run(*words.split()), victim, done)
        Path(victim).write_bytes(before)


def test_certificates_are_those_whose_digest_was_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of a study is read twice; between that, another one takes its place."""

    def check_both(manifest: Manifest, proofs: Path, graphs: Path) -> None:
        check_files(manifest, proofs, graphs)
        Path("new").write_bytes(Path("proofs/a--b.jsonl").read_bytes() + b"\n")
        Path("new").replace("proofs/a--b.jsonl")

    monkeypatch.setattr("exactmatch.studies.verification.check_files", check_both)
    result = run("verify", "proofs")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "a--b.jsonl has changed: its SHA-256 is" in result.stderr
    assert "verified" not in result.output


def test_a_file_that_became_shorter_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.amr"
    path.write_text("(a / b)\n\n(a / c)\n", encoding="utf-8")
    with path.open(encoding="utf-8") as file:
        lines = _lines(file)
        assert [next(lines) for _ in range(3)] == ["(a / b)\n", "\n", "(a / c)\n"]
        os.truncate(path, 8)
        with pytest.raises(InputError, match="changed while it was read"):
            next(lines)


RESUMED = ("score", "a.amr", "b.amr", "--resume", "kept", "--per-pair", "p.jsonl", "--workers", "1")


def test_a_resumed_run_keeps_nothing_of_another_content(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change is noticed late, by the digest: the file has its size and time again."""
    before, times = Path("a.amr").read_bytes(), Path("a.amr").stat()
    other = before.replace(b"ARG0", b"ARG1")
    assert other != before
    begin = checkpoint.Checkpoint.begin

    def swapped(self: checkpoint.Checkpoint, *given: object) -> None:
        begin(self, *given)  # type: ignore[arg-type]
        Path("a.amr").write_bytes(other)
        os.utime("a.amr", ns=(times.st_atime_ns, times.st_mtime_ns))

    monkeypatch.setattr("exactmatch.graphs.readers.source.CHUNK", 64)
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint.Checkpoint, "begin", swapped)
        result = run(*RESUMED)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error: a.amr: changed while it was read" in result.stderr
    assert "kept holds nothing any more: its pairs may be of either content" in result.stderr
    assert "to continue" not in result.stderr
    assert not Path("p.jsonl").exists()
    Path("a.amr").write_bytes(before)
    assert run(*RESUMED, "--no-seconds").exit_code == 0
    assert run("score", "a.amr", "b.amr", "--no-seconds", "--per-pair", "q.jsonl").exit_code == 0
    assert Path("p.jsonl").read_bytes() == Path("q.jsonl").read_bytes()


def test_a_full_disk_does_not_hide_a_change(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What may be of either content is forgotten, even if it cannot be saved any more."""
    true = checkpoint.Checkpoint.save

    def full_at_the_end(self: checkpoint.Checkpoint, state: Any) -> None:
        if state is not None and state["answers"] == 6:
            raise InputError("kept/checkpoint: No space left on device")
        true(self, state)

    def found(*_: object) -> None:
        raise InputError("a.amr: changed while it was read")

    monkeypatch.setattr(checkpoint.Checkpoint, "save", full_at_the_end)
    monkeypatch.setattr("exactmatch.api.runs.InputDigests.check", found)
    result = run(*RESUMED)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error: a.amr: changed while it was read" in result.stderr
    assert "kept holds nothing any more" in result.stderr
    assert not Path("kept", "checkpoint").exists()


def test_what_a_resumed_run_keeps_is_of_the_file_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change stops the run; with the former file, it goes on, and with the new one not."""
    before = Path("a.amr").read_bytes()
    monkeypatch.setattr("exactmatch.graphs.readers.source.CHUNK", 64)
    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    kept: list[object] = []
    true: Callable[..., None] = corpus._keep

    def keep(*given: object) -> None:
        kept.append(given)
        true(*given)

    monkeypatch.setattr(corpus, "_keep", keep)
    with monkeypatch.context() as patch:
        pieces = len(before) // 64 + 2  # each is read for the digest, and then for the graphs
        done = changing(patch, "a.amr", at=2 * pieces - 3)
        told(run(*RESUMED), "a.amr", done)
    assert 0 < len(kept) < 6
    changed = run(*RESUMED)
    assert changed.exit_code == 2
    assert "kept holds another run; system: a.amr (SHA-256" in changed.stderr
    Path("a.amr").write_bytes(before)
    first = len(kept)
    assert run(*RESUMED).exit_code == 0
    assert len(kept) == 6, (first, "pairs before the change are not scored again")
