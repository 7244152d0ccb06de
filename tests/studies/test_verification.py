"""Folders of certificates: every claim of the manifest is checked, none is believed."""

import gzip
import json
import os
import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from study_files import AGREEMENT, FEW, run, write, write_files

import exactmatch
from exactmatch.graphs.readers.source import file_digest
from exactmatch.runtime.own_files import LOCK, locked
from exactmatch.studies.common.manifest import MANIFEST
from exactmatch.studies.verification.files import check_files

VECTORS = AGREEMENT.parent / "vectors" / "words.txt"
AGREEING = ("iaa", "a.amr", "b.amr", "--consensus", "consensus.amr", "--resamples", "99")
SENTENCE = "Smatch F1 of a and b on 6 items: 0.7557 "


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the agreement of two annotators and their consensus."""
    folder = tmp_path_factory.mktemp("original")
    with chdir(folder):
        write_files()
        assert run(*AGREEING, "--certificates", "proofs").exit_code == 0
    return folder / "proofs"


@pytest.fixture
def proofs(files: Path, original: Path) -> Path:
    """A copy of that folder, beside the same files."""
    return shutil.copytree(original, Path("proofs"))


def manifest_of(folder: Path) -> Any:
    return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))


def put(folder: Path, manifest: Any) -> None:
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def refused(folder: Path, status: int, *words: str) -> str:
    """Verify a folder that must not be accepted; return the message."""
    result = run("verify", str(folder), *words)
    assert result.exit_code == status, result.output
    assert "F1 of a and b" not in result.output  # the sentence is for what is checked alone
    return result.stderr


def test_a_folder_is_verified_in_one_step_and_its_result_computed_anew(proofs: Path) -> None:
    result = run("verify", "proofs")
    assert result.exit_code == 0
    first, second, again, sentence, signature, last = result.stdout.splitlines()
    assert again.startswith("without certificates: 60 pairs of graphs of different items, solved")
    assert first == "unchanged: 3 files of graphs, 3 of certificates"
    assert second == "verified: 18  bounded: 0  refuted: 0  unproven: 0"
    report = json.loads(run(*AGREEING, "--certificates", "proofs", "--format", "json").stdout)
    assert sentence.startswith(SENTENCE) and report["sentence"] == sentence
    assert report["signature"].startswith(signature)
    assert last == f"SHA-256 of the manifest: {report['manifest']}"
    assert report["verify"] == "exactmatch verify proofs"
    assert any(report["verify"] in note and report["manifest"] in note for note in report["notes"])


def test_numbers_are_taken_from_certificates_and_not_from_the_manifest(proofs: Path) -> None:
    manifest = manifest_of(proofs)
    manifest["certificates"][0]["matched"] += 1
    put(proofs, manifest)
    result = run("verify", "proofs")
    assert result.exit_code == 4
    assert "refuted 'a--b.jsonl': 'the manifest says that matched is 117, but it is 116'" in (
        result.stdout
    )
    assert SENTENCE not in result.stdout


def test_from_python(proofs: Path) -> None:
    found = exactmatch.verify_study("proofs")
    assert repr(found) == (
        "<StudyVerification agreement: 18 verified, 0 bounded, 0 refuted, 0 unproven>"
    )
    assert found.sentence.startswith(SENTENCE)
    assert [*found.files] == ["a--b.jsonl", "a--consensus.jsonl", "b--consensus.jsonl"]


@pytest.mark.slow
def test_folders_are_the_same_in_any_format_and_with_any_number_of_workers(proofs: Path) -> None:
    before = {path.name: path.read_bytes() for path in proofs.iterdir()}
    run(*AGREEING, "--certificates", "proofs", "--workers", "2", "--format", "latex", "-o", "x.tex")
    assert {path.name: path.read_bytes() for path in proofs.iterdir()} == before


@pytest.mark.parametrize(
    "words, sentence",
    by_day(
        [
            (
                ("compare", "a.amr", "b.amr", "--gold", "consensus.amr"),
                "Smatch F1 against consensus on 6 items: a 0.9059 (95% confidence interval ",
            ),
            (
                ("compare", "a.amr", "--gold", "consensus.amr", "--breakdown"),
                "Smatch F1 against consensus on 6 items: a 0.9059 (95% confidence interval ",
            ),
            (
                ("search-error", "a.amr", "b.amr", "--method", "r", "--seeds", "1"),
                "Exact Smatch F1: a / b 0.7557; 6 of 6 pairs of graphs certified.",
            ),
            (
                ("search-error", "a.amr", "b.amr", "d.amr", "--every-two", "--method", "r"),
                "Exact Smatch F1: a / b 0.7557, a / d 0.7262 and b / d 0.",
            ),
            (
                ("iaa", "a.amr", "b.amr", "--profile", "smatch-1.0.4", "--top", "none"),
                "Smatch F1 of a and b on 6 items: 0.",
            ),
            (
                ("iaa", "a.amr", "b.amr", "short.amr", "--missing", "common"),
                "Mean pairwise Smatch F1 of 3 annotators on 4 items: 0.",
            ),
            (
                ("iaa", "a.amr", "short.amr", "--missing", "empty"),
                "Smatch F1 of a and short on 6 items: 0.",
            ),
            (
                ("iaa", "a.amr", "short.amr", "broken.amr", "--on-error", "skip"),
                "Mean pairwise Smatch F1 of 3 annotators on 5 items: 0.",
            ),
            (
                ("iaa", "a.amr", "b.amr", "d.amr", "--chance", "100", "--seed", "4"),
                "Mean pairwise Smatch F1 of 3 annotators on 6 items: 0.",
            ),
            (
                ("iaa", "a.amr", "b.amr", "--chance", "none"),
                "Smatch F1 of a and b on 6 items: 0.",
            ),
            (
                ("iaa", "a.amr", "b.amr", "short.amr", "--missing", "empty", "--chance", "all"),
                "Mean pairwise Smatch F1 of 3 annotators on 6 items: 0.",
            ),
            (
                ("iaa", "a.amr", "b.amr", "--memory", "1K"),
                "Smatch F1 of a and b on 6 items: 0.7557 to 0.",
            ),
        ],
        3,
    ),
)
def test_every_study_is_verified_as_it_was_made(
    files: Path, words: tuple[str, ...], sentence: str
) -> None:
    blocks = Path("c.amr").read_text(encoding="utf-8").split("\n\n")
    write("short.amr", blocks[2:])
    write("broken.amr", ["# ::id study.1\n(a / b", *blocks[1:5]])
    report = run(*words, "--certificates", "proofs", "--format", "json")
    result = run("verify", "proofs", "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["sentence"].startswith(sentence)
    assert found["sentence"] == json.loads(report.stdout)["sentence"]
    assert found["refuted"] == found["unproven"] == 0


def test_several_metrics_are_verified_one_by_one(files: Path) -> None:
    words = ("compare", "a.amr", "--gold", "b.amr", "--metric", "smatch:top=none")
    others = ("--metric", "sembleu", "--metric", "smatch", "--resamples", "99")
    assert run(*words, *others, "--certificates", "proofs").exit_code == 0
    found = exactmatch.verify_study("proofs")
    assert len(found.files) == len(found.signatures) == 2
    assert found.sentence.count("6 of 6 pairs of graphs certified") == 2


def test_files_of_words_are_named_again(files: Path) -> None:
    words = ("--vectors", str(VECTORS))
    named = ("compare", "a.amr", "--gold", "b.amr", "--metric", "s2match", "--metric", "smatch")
    said = run(*named, *words, "--certificates", "proofs").stdout
    assert "exactmatch verify proofs --vectors ... checks all of them" in said
    assert run("verify", "proofs", *words).exit_code == 0
    assert "s2match needs --vectors or --similarity" in refused(Path("proofs"), 2)
    other = refused(Path("proofs"), 2, *words, "--cut-off", "0.9")
    assert "these certificates have other similarities" in other
    assert run("compare", *named[1:4], "--certificates", "alone").exit_code == 0
    assert "smatch: takes no similarity" in refused(Path("alone"), 2, *words)


def test_what_is_not_proven_widens_the_sentence(files: Path) -> None:
    run("iaa", *FEW, "a.amr", "b.amr", "--memory", "1K", "--certificates", "proofs")
    result = run("verify", "proofs", "--require-all")
    assert result.exit_code == 3
    assert "bounded 'a--b.jsonl' 'study." in result.stdout
    assert " of 6 pairs of graphs certified; Krippendorff's alpha 0." in result.stdout


def test_more_may_match_than_there_is_where_repeated_triples_are_multiplied(files: Path) -> None:
    write("one.amr", ["(s / sing-01 :ARG0 b :ARG0 b :ARG0 (b / bird))"])
    write("two.amr", ["(s / sing-01 :ARG0 b :ARG0 b :ARG0 (b / cat))"])
    run("iaa", *FEW, "one.amr", "two.amr", "--profile", "smatch-1.0.4", "--certificates", "proofs")
    said = "Smatch F1 of one and two on 1 item: "
    assert f"{said}1.8333, " in run("verify", "proofs").stdout
    manifest = manifest_of(Path("proofs"))
    (entry,) = manifest["certificates"]
    path = Path("proofs", entry["file"])
    unproven = json.loads(path.read_text(encoding="utf-8")) | {"proof": "none"}
    path.write_text(json.dumps(unproven), encoding="utf-8")
    entry |= {"sha256": file_digest(path), "certified": 0, "matched": 0}
    put(Path("proofs"), manifest)
    assert f"{said}0.0000 to 1.8333, " in run("verify", "proofs").stdout


def test_files_whose_names_differ_in_case_alone_have_certificates_that_are_verified(
    files: Path,
) -> None:
    Path("upper").mkdir()
    shutil.copy("c.amr", "upper/A.amr")
    run("iaa", *FEW, "a.amr", "upper/A.amr", "b.amr", "--certificates", "proofs")
    assert {path.stem for path in Path("proofs").glob("*.jsonl")} == {"a--A", "a--b", "A--b#2"}
    assert run("verify", "proofs").exit_code == 0


def test_graphs_may_have_moved(proofs: Path, tmp_path: Path) -> None:
    Path("elsewhere").mkdir()
    for name in ("a.amr", "b.amr", "consensus.amr"):
        shutil.move(name, f"elsewhere/{name}")
    said = refused(proofs, 1)
    assert "a.amr: No such file or directory\n" in said
    assert said.endswith("Name the folder of the graphs with --graphs FOLDER.\n")
    assert run("verify", "proofs", "--graphs", "elsewhere").exit_code == 0
    for path in Path("elsewhere").iterdir():
        shutil.move(path, proofs / path.name)
    assert run("verify", "proofs", "--graphs", "proofs").exit_code == 0


def test_no_folder_of_a_machine_stands_in_a_manifest(files: Path) -> None:
    Path("other").mkdir()
    shutil.copy("a.amr", "other/a.amr")
    Path("b.amr").write_bytes(gzip.compress(Path("b.amr").read_bytes()))
    here = Path.cwd()
    words = (str(here / "a.amr"), str(here / "other/a.amr"), "b.amr")
    said = run("iaa", *FEW, *words, "--certificates", str(here / "proofs")).stdout
    assert "exactmatch verify proofs --graphs ... checks all of them" in said
    text = Path("proofs", MANIFEST).read_text(encoding="utf-8")
    assert str(here) not in text
    paths = [graph["path"] for graph in json.loads(text)["graphs"]]
    assert paths == [f"{here.name}/a.amr", "other/a.amr", f"{here.name}/b.amr"]
    Path(here.name).mkdir()
    for name in ("a.amr", "b.amr"):
        shutil.move(name, f"{here.name}/{name}")
    assert run("verify", "proofs", "--graphs", ".").exit_code == 0


def test_a_file_compared_with_itself_is_named_twice(files: Path) -> None:
    assert run("iaa", *FEW, "a.amr", "a.amr", "--certificates", "proofs").exit_code == 0
    assert "Smatch F1 of a.amr#1 and a.amr#2" in run("verify", "proofs").stdout


@pytest.mark.parametrize("name", ["a.amr", "proofs/a--b.jsonl", "proofs/b--consensus.jsonl"])
def test_one_byte_is_enough(proofs: Path, name: str) -> None:
    data = bytearray(Path(name).read_bytes())
    data[len(data) // 2] ^= 1
    Path(name).write_bytes(data)
    said = refused(proofs, 4)
    assert said.startswith(f"error: {name} has changed: its SHA-256 is ")


def test_graphs_that_change_while_they_are_verified_are_noticed(
    proofs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unchanged_so_far(manifest: Any, folder: Path, graphs: Path) -> None:
        check_files(manifest, folder, graphs)
        with Path("a.amr").open("ab") as file:
            file.write(b"\n")

    monkeypatch.setattr("exactmatch.studies.verification.check_files", unchanged_so_far)
    assert refused(proofs, 4).startswith("error: a.amr has changed: its SHA-256 is ")


def test_a_byte_of_the_manifest_is_another_digest(proofs: Path) -> None:
    before = run("verify", "proofs").stdout.splitlines()
    text = (proofs / MANIFEST).read_text(encoding="utf-8")
    (proofs / MANIFEST).write_text(f"{text} ", encoding="utf-8")
    after = run("verify", "proofs").stdout.splitlines()
    assert before[:-1] == after[:-1] and before[-1] != after[-1]


def test_files_must_neither_be_missing_nor_too_many(proofs: Path) -> None:
    (proofs / "c--d.jsonl").write_text("", encoding="utf-8")
    assert "c--d.jsonl: not named in the manifest" in refused(proofs, 1)
    (proofs / "c--d.jsonl").unlink()
    (proofs / "a--b.jsonl").unlink()
    assert "a--b.jsonl: No such file or directory" in refused(proofs, 1)
    (proofs / MANIFEST).unlink()
    assert f"no folder of proofs, which has {MANIFEST}" in refused(proofs, 1)


@pytest.mark.skipif(os.name == "nt", reason="links take rights there")
@pytest.mark.parametrize("name", ["a--b.jsonl", MANIFEST])
def test_files_of_the_folder_are_no_links(proofs: Path, name: str) -> None:
    (proofs / name).rename("moved")
    (proofs / name).symlink_to(Path("moved").resolve())
    assert f"{name}: a link, which may lead anywhere" in refused(proofs, 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_what_never_ends_is_not_read(proofs: Path) -> None:
    Path("a.amr").unlink()
    os.mkfifo("a.amr")
    assert "a.amr: no file" in refused(proofs, 1)


def test_certificates_of_other_graphs_are_refuted(proofs: Path) -> None:
    """The certificates are refuted although the manifest has their digest."""
    manifest = manifest_of(proofs)
    first, second, _ = manifest["certificates"]
    first["sha256"] = second["sha256"]
    shutil.copy(proofs / second["file"], proofs / first["file"])
    put(proofs, manifest)
    result = run("verify", "proofs")
    assert result.exit_code == 4 and "it is about another pair" in result.stdout
    assert SENTENCE not in result.stdout


def test_certificates_that_lack_a_pair_prove_less(proofs: Path) -> None:
    lines = (proofs / "a--b.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (proofs / "a--b.jsonl").write_text("".join(lines[1:]), encoding="utf-8")
    manifest = manifest_of(proofs)
    from hashlib import sha256

    first = manifest["certificates"][0]
    first["sha256"] = sha256((proofs / "a--b.jsonl").read_bytes()).hexdigest()
    put(proofs, manifest)
    result = run("verify", "proofs")
    assert result.exit_code == 4
    assert "unproven 'a--b.jsonl' 'study.1'" in result.stdout
    assert "certified is 6, but it is 5" in result.stdout


def change(*path: str | int, to: Any) -> Callable[[Any], None]:
    """Return a function that puts a value into a manifest."""

    def changed(manifest: Any) -> None:
        *way, last = path
        for key in way:
            manifest = manifest[key]
        manifest[last] = to

    return changed


def without(*path: str | int) -> Callable[[Any], None]:
    def changed(manifest: Any) -> None:
        *way, last = path
        for key in way:
            manifest = manifest[key]
        del manifest[last]

    return changed


GRAPH, FILE, CHOICES = ("graphs", 0), ("certificates", 0), ("choices",)


@pytest.mark.parametrize(
    "hostile, said",
    [
        (change("schema", to=6), "a manifest of schema 6; this version reads schemas 1 to 5"),
        (change("schema", to=2), "'chance' is no key of a manifest"),
        (change("choices", "chance", to="some"), "'chance' is 'some': not all, and no number of"),
        (change("choices", "chance", to=99), "'chance' is 99: not all, and no number of pairs"),
        (change("schema", to=0), "a manifest of schema 0"),
        (change("schema", to="1"), "a manifest of schema '1'"),
        (change("schema", to=True), "a manifest of schema True"),
        (without("schema"), "schema is missing"),
        (change("study", to="correlation"), "'study' is 'correlation'; the values are agreement"),
        (change("note", to="ours is best"), "'note' is no key of a manifest"),
        (change(*GRAPH, "note", to=""), "graphs 1: 'note' is no key of a manifest"),
        (change("graphs", to=[]), "'graphs' is []: not a list of entries"),
        (change("graphs", to={}), "'graphs' is {}: not a list of entries"),
        (change("graphs", 0, to=3), "graphs 1: 3 is no object"),
        (change(*GRAPH, "path", to="/etc/passwd"), "leads out of the folder of the graphs"),
        (change(*GRAPH, "path", to="x/../../a.amr"), "leads out of the folder of the graphs"),
        (change(*GRAPH, "path", to="..\\a.amr"), "leads out of the folder of the graphs"),
        (change(*GRAPH, "path", to="C:a.amr"), "leads out of the folder of the graphs"),
        (change(*GRAPH, "path", to="."), "not a file name"),
        (change(*GRAPH, "path", to=""), "not a text on one line"),
        (change(*GRAPH, "path", to="a\nverified: 1"), "not a text on one line"),
        (change(*GRAPH, "path", to="a\0.amr"), "not a text on one line"),
        (change(*GRAPH, "path", to="b.amr"), "'b.amr' is called 'a', not 'b.amr#1'"),
        (change(*GRAPH, "name", to="the best"), "'a.amr' is called 'the best', not 'a'"),
        (change(*GRAPH, "name", to="b"), "'a.amr' is called 'b', not 'a'"),
        (change(*GRAPH, "sha256", to="0"), "not a SHA-256 in hexadecimal digits"),
        (change(*FILE, "file", to="../a--b.jsonl"), "not a name of certificates in this folder"),
        (change(*FILE, "file", to="/a--b.jsonl"), "not a name of certificates in this folder"),
        (change(*FILE, "file", to="x/a--b.jsonl"), "not a name of certificates in this folder"),
        (change(*FILE, "file", to=MANIFEST), "not a name of certificates in this folder"),
        (change(*FILE, "file", to="A--consensus.jsonl"), "two entries name the file of certificat"),
        (change(*FILE, "first", to="c"), "'first' is 'c'; the values are a, b, consensus"),
        (change(*FILE, "first", to=[]), "'first' is []; the values are a, b, consensus"),
        (change(*FILE, "metric", to="sembleu"), "'metric' is 'sembleu'; the values are smatch"),
        (change(*FILE, "matched", to=-1), "not a whole number from 0 to "),
        (change(*FILE, "matched", to=1e300), "not a whole number from 0 to "),
        (change(*FILE, "matched", to=10**4000), "not a whole number from 0 to "),
        (change(*FILE, "pairs", to=True), "not a whole number from 0 to "),
        (change(*FILE, "second", to="consensus"), "two entries name the certificates of"),
        (without(*FILE), "lacks certificates of a and b by smatch"),
        (change(*CHOICES, "against", to="a"), "certificates of"),
        (change(*CHOICES, "missing", to="ignore"), "'missing' is 'ignore'; the values are"),
        (change(*CHOICES, "pair_by", to=0), "'pair_by' is 0; the values are position, id"),
        (change(*CHOICES, "ill_formed", to=["error"]), "not two of error, zero, lenient, skip"),
        (change(*CHOICES, "confidence", to=1), "'confidence' is 1: not between 0 and 1"),
        (change(*CHOICES, "confidence", to=2.5), "'confidence' is 2.5: not between 0 and 1"),
        (change(*CHOICES, "resamples", to=10**12), "not a whole number from 10 to 1000000"),
        (change(*CHOICES, "seed", to=2**31), "not a whole number from 0 to 2147483647"),
        (change("metrics", 0, "label", to="x"), "no metric has the label 'x'"),
        (change("metrics", 0, "name", to="s2match"), "default.2 is a profile of smatch, not s2"),
        (change("metrics", 0, "choices", "top", to="none"), "default.2 is not with top 'none'"),
        (change("metrics", 0, "choices", "luck", to="yes"), "default.2 is not with luck 'yes'"),
    ],
)  # fmt: skip
def test_hostile_manifests_are_refused(
    proofs: Path, hostile: Callable[[Any], None], said: str
) -> None:
    manifest = manifest_of(proofs)
    hostile(manifest)
    put(proofs, manifest)
    status = 2 if "has the label" in said else 1
    message = refused(proofs, status)
    assert said in message
    assert len(message) < 1000


@pytest.mark.parametrize(
    "text, said",
    [
        (b"", "not a manifest: "),
        (b"[]", "[] is no object"),
        (b"\xff", "not a manifest: "),
        (b'{"schema": 1, "schema": 1}', "the key 'schema' occurs twice in an object"),
        (b'{"schema": NaN}', "NaN is no number"),
        (b'{"schema": 1' + 5000 * b"0" + b"}", "not a manifest: "),
        (200_000 * b"[", "not a manifest: "),
        (b'{"schema": 1, "graphs": "' + (16 << 20) * b"a" + b'"}', "no manifest is larger than"),
    ],
)  # fmt: skip
def test_what_is_no_manifest_is_refused(proofs: Path, text: bytes, said: str) -> None:
    (proofs / MANIFEST).write_bytes(text)
    assert said in refused(proofs, 1)


def test_certificates_may_be_those_of_several_studies(proofs: Path) -> None:
    """One set of certificates serves several studies; the sentence is that of the named study."""
    manifest = manifest_of(proofs)
    manifest["choices"]["against"] = None
    put(proofs, manifest)
    assert "Mean pairwise Smatch F1 of 3 annotators" in run("verify", "proofs").stdout
    manifest |= {"study": "search-error", "schema": 2}
    del manifest["choices"]["chance"]
    put(proofs, manifest)
    assert "Exact Smatch F1: a / b 0.7557" in run("verify", "proofs").stdout
    manifest["study"] = "ranking"
    put(proofs, manifest)
    assert "a ranking has a gold standard" in refused(proofs, 1)


def test_certificates_need_a_folder_of_their_own(files: Path) -> None:
    Path("proofs").mkdir()
    Path("proofs/notes.txt").write_text("mine", encoding="utf-8")
    result = run(*AGREEING, "--certificates", "proofs")
    assert result.exit_code == 2 and result.stdout == ""
    assert "proofs holds notes.txt, which this study does not write" in result.stderr
    assert [path.name for path in Path("proofs").iterdir()] == ["notes.txt"]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_run_that_fails_leaves_the_folder_as_it_was(proofs: Path) -> None:
    before = contents(proofs)
    write("a.amr", ["# ::id study.1\n(a / b"])
    assert run("iaa", *FEW, "a.amr", "b.amr", "--consensus", "consensus.amr", "--pair-by", "id",
               "--certificates", "proofs").exit_code == 1  # fmt: skip
    assert contents(proofs) == before


def test_what_a_killed_run_has_left_is_removed(proofs: Path) -> None:
    before = contents(proofs)
    (proofs / "a--b.jsonl.00000000.partial").write_text("cut", encoding="utf-8")
    (proofs / LOCK).touch()
    (proofs / MANIFEST).unlink()
    assert run(*AGREEING, "--certificates", "proofs").exit_code == 0
    assert contents(proofs) == before


@pytest.mark.skipif(os.name != "posix", reason="locks of the system")
def test_two_studies_do_not_share_a_folder(proofs: Path) -> None:
    before = contents(proofs)
    with locked(proofs):
        result = run(*AGREEING, "--certificates", "proofs")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "proofs: another run is using it" in result.stderr
    assert contents(proofs) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("kind", ["link", "pipe"])
@pytest.mark.parametrize("name", ["a--b.jsonl", MANIFEST, LOCK])
def test_only_plain_files_are_written(proofs: Path, kind: str, name: str) -> None:
    Path("victim").write_text("x", encoding="utf-8")
    (proofs / name).unlink(missing_ok=True)
    if kind == "link":
        (proofs / name).symlink_to(Path("victim").resolve())
    else:
        os.mkfifo(proofs / name)
    result = run(*AGREEING, "--certificates", "proofs")
    assert result.exit_code == 1 and result.stderr.startswith(f"error: proofs/{name}: ")
    assert Path("victim").read_text("utf-8") == "x"


@pytest.mark.parametrize(
    "words, said",
    [
        (("proofs", "a.amr"), "name CERTIFICATES, SYSTEM and GOLD; or only the folder of a study"),
        (("proofs/a--b.jsonl",), "proofs/a--b.jsonl is no folder of a study"),
        (("proofs", "--pair-by", "id"), "a folder of certificates fixes how graphs are"),
        (("proofs", "--profile", "default"), "a folder of certificates fixes how graphs"),
        (("proofs/a--b.jsonl", "a.amr", "b.amr", "--graphs", "."), "--graphs needs a folder"),
    ],
)
def test_what_makes_no_sense_is_told(proofs: Path, words: tuple[str, ...], said: str) -> None:
    result = run("verify", *words)
    assert result.exit_code == 2 and said in result.stderr


def test_a_folder_of_an_earlier_schema_holds_but_its_report_may_differ(proofs: Path) -> None:
    """Schema 1 drew the items of all means together; nothing that it claims is refuted."""
    sentence = exactmatch.verify_study("proofs").sentence
    assert "; Krippendorff's alpha 0." in sentence
    manifest = manifest_of(proofs) | {"schema": 1}
    del manifest["choices"]["chance"]
    put(proofs, manifest)
    result = run("verify", "proofs")
    # Studies of that time did not correct for chance.
    among, _, rest = sentence.partition("; Krippendorff's alpha")
    with_consensus = rest.partition("; mean Smatch F1 with consensus")
    sentence = f"{among}{''.join(with_consensus[1:])}"
    assert (result.exit_code, result.stdout.splitlines()[2]) == (0, sentence)
    assert result.stderr.startswith("note: exactmatch ") and "(manifest of schema 1)" in (
        result.stderr
    )
    run("compare", "a.amr", "--gold", "consensus.amr", "--certificates", "ranked")
    put(Path("ranked"), manifest_of(Path("ranked")) | {"schema": 1})
    assert run("verify", "ranked").stderr == ""
