"""Every command takes SBN, and reports an ill-formed graph with its place."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from nightly import by_day

import exactmatch
from exactmatch.cli import main

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "sbn"
SYSTEM, GOLD, BLOCKS = (str(FOLDER / f"{name}.sbn") for name in ("system", "gold", "gold.blocks"))
PAIR = "p00/d0003"


def run(*words: str, status: int = 0, given: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, list(words), catch_exceptions=False, input=given)
    assert result.exit_code == status, result.stderr + result.stdout
    return result


@pytest.mark.parametrize(
    "words",
    by_day(
        [
            ["score", SYSTEM, GOLD, "--breakdown", "--check"],
            ["iaa", SYSTEM, GOLD, "--resamples", "10", "--on-error", "skip"],
            ["compare", SYSTEM, "--gold", GOLD, "--resamples", "10"],
            ["search-error", SYSTEM, "--gold", GOLD, "--seeds", "1", "--on-error", "skip"],
            ["explain", SYSTEM, GOLD, "--between", "default", "pmb-5", "--on-error", "skip"],
            ["principles", SYSTEM, GOLD, "--seeds", "1", "--on-error", "skip"],
            ["diff", SYSTEM, GOLD],
            ["mappings", SYSTEM, GOLD, "--id", PAIR],
            ["export", SYSTEM, GOLD, "--to", "lp", "--id", PAIR],
            ["matrix", GOLD],
            ["nearest", GOLD, GOLD],
            ["choose", SYSTEM, GOLD],
        ],
        3,
    ),
    ids=lambda words: words[0],
)
def test_every_command_takes_sbn(words: list[str]) -> None:
    # What studies leave out is told by the status.
    assert run(*words, status=int("--on-error" in words)).stdout


def test_sbn_has_certificates_and_pages(tmp_path: Path) -> None:
    proofs, page = str(tmp_path / "proofs.jsonl"), str(tmp_path / "page.html")
    run("score", SYSTEM, GOLD, "--profile", "pmb-5", "--certificates", proofs)
    verified = run("verify", proofs, SYSTEM, GOLD, "--profile", "pmb-5")
    assert "verified: 7  bounded: 0  refuted: 0" in verified.stdout
    run("show", SYSTEM, GOLD, "--output", page)
    assert "The neighbour from New York left ." in Path(page).read_text(encoding="utf-8")


def test_chosen_texts_are_a_file_of_sbn(tmp_path: Path) -> None:
    path = tmp_path / "chosen.sbn"
    for given in ((SYSTEM, GOLD), (BLOCKS, BLOCKS)):
        run("choose", *given, "--output", str(path))
        (file,) = exactmatch.check(path).files
        assert (file.format, file.graphs) == ("SBN", 9 if SYSTEM in given else 2)


def test_what_is_wrong_is_listed() -> None:
    lines = run("check", SYSTEM, GOLD, status=1).stdout.splitlines()
    assert [line.removeprefix(str(FOLDER)) for line in lines[:4]] == [
        "/system.sbn:5: graph 5 (id p00/d0005): parallel-edges: "
        "Agent from s1 to s0, besides Patient",
        "/system.sbn:8: graph 8 (id p00/d0008): unreadable: "
        "index -1 is out of range: it leads before the first concept",
        '/system.sbn:9: graph 9 (id p00/d0009): unreadable: the name "Ann is not closed',
        "/gold.sbn:5: graph 5 (id p00/d0005): parallel-edges: Patient from s1 to s0, besides Agent",
    ]


def test_standard_input_and_line_ends_of_windows() -> None:
    text = Path(SYSTEM).read_bytes()
    plain = run("score", SYSTEM, GOLD, "--format", "json", "--no-seconds").stdout
    given = b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n")
    piped = run("score", "-", GOLD, "--format", "json", "--no-seconds", given=given).stdout
    for name in ("matched", "system_total", "gold_total", "signature"):
        assert json.loads(piped)[name] == json.loads(plain)[name]
