"""Certificates as files for other checkers: which are written, and which are not."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.certificate.coq_theorem import theorem
from exactmatch.certificate.proof_formats import TRANSLATIONS, ProofFormat
from exactmatch.certificate.veripb.cutting_planes import translate
from exactmatch.cli import main

SYSTEM = (
    "# ::id one\n(a / and :op1 (b / bird))\n\n# ::id two\n(a / ape)\n\n# ::id three\n(b / bat)\n"
)
GOLD = "# ::id one\n(c / and :op2 (d / bird))\n\n# ::id two\n(a / ape)\n\n# ::id three\n(b / bee)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with three pairs of graphs and their certificates."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.amr": SYSTEM, "b.amr": GOLD}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    exactmatch.score(Path("a.amr"), Path("b.amr"), certificates="c.jsonl")
    return tmp_path


def export(*options: str) -> Any:
    files = ["a.amr", "b.amr", "--certificates", "c.jsonl"]
    return CliRunner().invoke(main, ["export", *files, *options])


def change(number: int, **claims: Any) -> None:
    """Change the claim of a certificate."""
    lines = Path("c.jsonl").read_text(encoding="utf-8").splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **claims})
    Path("c.jsonl").write_text("\n".join(lines), encoding="utf-8")


def certified() -> list[tuple[Any, Any]]:
    """Return the pairs and their certificates."""
    pairs = exactmatch.export(Path("a.amr"), Path("b.amr"), "triples").splitlines()
    certificates = Path("c.jsonl").read_text(encoding="utf-8").splitlines()
    return list(zip(map(json.loads, pairs), map(json.loads, certificates), strict=True))


def names(place: str) -> list[str]:
    return sorted(path.name for path in Path(place).iterdir())


def test_every_format_has_a_translation() -> None:
    assert get_args(ProofFormat) == (*TRANSLATIONS,)


def test_each_pair_has_a_theorem_in_a_file(folder: Path) -> None:
    result = export("--to", "coq", "-o", "made/theorems")
    assert (result.exit_code, result.stdout) == (0, "written: 3  not written: 0\n")
    assert names("made/theorems") == ["Exactmatch", "pair_1.v", "pair_2.v", "pair_3.v"]
    assert {"Statement.v", "Certificate.v", "prove"} <= {*names("made/theorems/Exactmatch")}
    for number, (pair, certificate) in enumerate(certified(), 1):
        written = Path(f"made/theorems/pair_{number}.v").read_text(encoding="utf-8")
        assert written == theorem(pair, certificate)


@pytest.mark.parametrize(("target", "version"), [("veripb", "2.0"), ("veripb-1.1", "1.1")])
def test_each_pair_has_a_pseudo_boolean_proof_in_files(
    folder: Path, target: str, version: Any
) -> None:
    assert export("--to", target, "-o", "p").stdout == "written: 3  not written: 0\n"
    assert names("p") == [f"pair_{k}.{end}" for k in (1, 2, 3) for end in ("opb", "pbp")]
    for number, (pair, certificate) in enumerate(certified(), 1):
        texts = (
            Path(f"p/pair_{number}.{end}").read_text(encoding="utf-8") for end in ("opb", "pbp")
        )
        assert tuple(texts) == translate(pair, certificate, version)


def test_the_proof_of_one_pair_can_be_asked_for(folder: Path) -> None:
    change(1, value=0)  # of another one
    assert export("--to", "coq", "-o", "p", "--id", "two").stdout == "written: 1  not written: 0\n"
    assert names("p") == ["Exactmatch", "pair_2.v"]
    assert export("--to", "coq", "-o", "p", "--id", "three").exit_code == 0  # the folder is there
    assert names("p") == ["Exactmatch", "pair_2.v", "pair_3.v"]
    result = export("--to", "coq", "-o", "q", "--id", "four")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no pair is called four" in result.stderr


def test_what_is_not_written(folder: Path) -> None:
    change(1, value=0)
    change(2, proof="none")
    change(3, id="four")
    with Path("c.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n{}")
    result = export("--to", "coq", "-o", "p")
    assert result.exit_code == 4
    assert result.stdout.splitlines() == [
        "refuted 'certificate 4': \"malformed: KeyError('id')\"",
        "refuted 'one': 'the mapping scores 3, not 0 up to 3'",
        "unproven 'two': 'there is no proof of an upper bound'",
        "unproven 'three': 'there is no certificate'",
        "refuted 'four': 'there is no such pair, or it has another certificate already'",
        "written: 0  not written: 5",
    ]
    assert "certificates refuted: 3" in result.stderr
    assert names("p") == ["Exactmatch"]


def test_proofs_of_ranges_are_written(folder: Path) -> None:
    exactmatch.score(Path("a.amr"), Path("b.amr"), certificates="c.jsonl", breakdown=True)
    count = len(Path("c.jsonl").read_text(encoding="utf-8").splitlines())
    assert count > 3
    result = exactmatch.export_proofs("c.jsonl", Path("a.amr"), Path("b.amr"), "coq", "p")
    assert (result.written, result.unwritten, result.folder) == (count, [], Path("p"))


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--to", "coq"], 2, "--to coq needs --certificates FILE and --output FOLDER"),
        (["--to", "lp", "--id", "one"], 2, "--certificates needs --to coq or veripb"),
        (
            ["--to", "coq", "-o", "p", "--case", "keep"],
            2,
            "takes the metric and its choices from the certificates",
        ),
        (["--to", "coq", "-o", "p", "--breakdown"], 2, "--breakdown needs --to triples"),
        (
            ["--to", "coq", "-o", "p", "--metric", "counter"],
            1,
            "are of the metric smatch, not of counter",
        ),
        (["--to", "coq", "-o", "p", "--profile", "paper-2013"], 1, "not of the profile paper-2013"),
        (["--to", "coq", "-o", "a.amr"], 2, "a.amr is an input and would be overwritten"),
    ],
)
def test_proofs_cannot_be_asked_for_wrongly(
    folder: Path, options: list[str], status: int, message: str
) -> None:
    result = export(*options)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr
