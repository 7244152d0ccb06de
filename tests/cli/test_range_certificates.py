"""Certificates of the ends of ranges: ``score`` writes them, ``verify`` checks them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nightly import by_day

from exactmatch.certificate import checker
from exactmatch.cli import main
from exactmatch.encodings import NAMES
from exactmatch.solving import asking

#: The bird has either its concept or its role.
SYSTEM = "# ::id one\n(a / and :op1 (x / bird))\n\n# ::id two\n(a / bird)\n"
GOLD = "# ::id one\n(z / and :op3 (b / bird) :op1 (c / cat))\n\n# ::id two\n(b / bird)\n"

#: No concept matches, and of the root and a relation, only one can: 1 triple under best mappings.
OPEN = ("(a / q :ARG0-of (b / r :ARG0-of (c / q)))", "(x / p :ARG0 (y / p))")
#: The most and the least of each kind, added up.
OPEN_SUMS = {"instance": 0, "relation": 1, "top": 1}
#: A search for the most of the root finds a mapping of 1 triple, but the best match 2 and no root.
LOST = (
    "(a / p :ARG1 (c / q :ARG0 a) :ARG1 (b / q) :ARG0 a)",
    "(a / r :mod (b / p :ARG0 (c / p)))",
)

Lines = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lines:
    monkeypatch.chdir(tmp_path)
    Path("system.amr").write_text(SYSTEM, encoding="utf-8")
    Path("gold.amr").write_text(GOLD, encoding="utf-8")
    run("score", "system.amr", "gold.amr", "--breakdown", "--certificates", "c.jsonl")
    return [json.loads(line) for line in Path("c.jsonl").read_text("utf-8").splitlines()]


def run(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == status, (result.stdout, result.stderr)
    return result


def write(system: str, gold: str) -> tuple[str, str]:
    for name, text in (("system.amr", system), ("gold.amr", gold)):
        Path(name).write_text(text, encoding="utf-8")
    return "system.amr", "gold.amr"


def verify(lines: Lines, status: int = 0) -> dict[str, Any]:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    Path("t.jsonl").write_text(text, encoding="utf-8")
    words = ("t.jsonl", "system.amr", "gold.amr", "--require-all", "--format", "json")
    found: dict[str, Any] = json.loads(run("verify", *words, status=status).stdout)
    return found


def end(lines: Lines, name: str) -> dict[str, Any]:
    """Return the certificate of an end of a range of the pair called one."""
    (found,) = [line for line in lines if name in line["profile"] and line["id"] == "one"]
    return found


def test_pairs_and_all_ends_are_verified(certificates: Lines) -> None:
    found = verify(certificates)
    assert found["verified"] == len(certificates) > 8
    least, most = (end(certificates, f"{side} relation") for side in ("least", "most"))
    assert least["mapping"] != most["mapping"]
    labels = [line["profile"] for line in certificates if line["id"] == "two"]
    assert "range" not in labels[0] and all("range" in label for label in labels[1:])


def test_the_checker_alone_verifies_pairs_and_ends(certificates: Lines) -> None:
    """The pairs and ends that ``export`` writes are those of the certificates."""
    run("export", "system.amr", "gold.amr", "--to", "triples", "--breakdown", "-o", "pairs.jsonl")
    pairs = [json.loads(line) for line in Path("pairs.jsonl").read_text("utf-8").splitlines()]
    verdicts = [checker.check(pair, line) for pair, line in zip(pairs, certificates, strict=True)]
    assert set(verdicts) == {"verified"}


def test_certificates_without_ranges_are_those_of_before() -> None:
    run("score", "system.amr", "gold.amr", "--certificates", "plain.jsonl")
    lines = [json.loads(line) for line in Path("plain.jsonl").read_text("utf-8").splitlines()]
    assert verify(lines)["verified"] == len(lines) == 2


def test_an_end_under_a_mapping_that_is_not_the_best_is_refuted(certificates: Lines) -> None:
    line = end(certificates, "most relation")
    line["mapping"] = [None] * len(line["mapping"])
    assert verify(certificates, status=4)["refuted"] > 0


def test_an_interval_under_a_mapping_that_is_not_the_best_is_bounded(certificates: Lines) -> None:
    """An interval from such a mapping says little of an end, but nothing false."""
    line = end(certificates, "most relation")
    line["mapping"], line["value"] = [None] * len(line["mapping"]), 0
    found = verify(certificates, status=3)
    assert (found["verified"], found["bounded"], found["refuted"]) == (len(certificates) - 1, 1, 0)


def test_an_interval_under_a_better_mapping_than_that_of_the_pair_is_refuted() -> None:
    """A range over the best mappings has no end under a mapping that the pair does not know."""
    run("score", *write(*OPEN), "--breakdown", "--timeout", "0", "--certificates", "c.jsonl")
    lines = [json.loads(line) for line in Path("c.jsonl").read_text("utf-8").splitlines()]
    pair, *ends = lines
    intervals = [line for line in ends if line["value"] < line["upper"]]
    pair["mapping"], pair["value"] = [None] * 3, 0
    assert verify([pair, *intervals], status=4)["refuted"] == 1


def test_ends_that_a_limit_leaves_open_are_intervals() -> None:
    """The value of an end is that of the best mapping, times a factor, and its matches.

    So the values of both ends of a range differ by the sum of the most and the least.
    """
    run("score", *write(*OPEN), "--breakdown", "--timeout", "0", "--certificates", "c.jsonl")
    lines = [json.loads(line) for line in Path("c.jsonl").read_text("utf-8").splitlines()]
    found = verify(lines, status=3)
    assert found["refuted"] == found["unproven"] == 0 < found["bounded"]
    value = {json.loads(line["profile"])["range"]: line["value"] for line in lines[1:]}
    sums = {part: value[f"most {part}"] - value[f"least {part}"] for part in OPEN_SUMS}
    assert sums == OPEN_SUMS


def test_the_known_end_is_written_where_a_search_for_it_finds_less() -> None:
    """One concept or relation of two matches under a best mapping, and never the root."""
    run("score", *write(*LOST), "--breakdown", "--timeout", "0.000001", "--certificates", "c.jsonl")
    lines = [json.loads(line) for line in Path("c.jsonl").read_text("utf-8").splitlines()]
    found = verify(lines, status=3 if any(x["value"] < x["upper"] for x in lines) else 0)
    assert (found["refuted"], found["unproven"]) == (0, 0)
    top = next(line for line in lines if "most top" in line["profile"])
    assert (lines[0]["value"], top["value"]) == (2, 2 * 2 + 0)


def test_folders_hold_intervals_for_ends_that_a_limit_leaves_open() -> None:
    system, gold = write(*OPEN)
    words = ("--breakdown", "--timeout", "0", "--resamples", "20", "--certificates", "proofs")
    run("compare", system, "--gold", gold, *words)
    found = json.loads(run("verify", "proofs", "--format", "json").stdout)
    assert found["refuted"] == 0 < found["bounded"]


@pytest.mark.parametrize(
    "given", by_day([None, "none", "presolve,start", "presolve", "start", "bound"])
)
@pytest.mark.parametrize("solver", NAMES)
def test_ends_are_proven_whatever_a_solver_receives(solver: str, given: str | None) -> None:
    """Where a label counts more than once, the number of triples is no bound."""
    system, gold = write("(a / p)", "(a / p)")
    words = ["--solver", solver, *([] if given is None else ["--given", given])]
    run("score", system, gold, *words, "--breakdown", "--certificates", "c.jsonl")
    lines = [json.loads(line) for line in Path("c.jsonl").read_text("utf-8").splitlines()]
    assert verify(lines)["verified"] == len(lines) == 5


@pytest.mark.parametrize("solver", ["cpsat", "ilp-paper"])
def test_ends_of_weights_that_a_solver_cannot_represent_are_proven(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weights of the pair add up to 2, but those of some ends to 4 and more."""
    monkeypatch.setattr(asking, "LARGEST_TOTAL", 4)
    system, gold = write("(a / p)", "(a / p)")
    words = ("--breakdown", "--certificates", "c.jsonl", "--solver", solver)
    run("score", system, gold, *words)
    lines = [json.loads(line) for line in Path("c.jsonl").read_text("utf-8").splitlines()]
    assert verify(lines)["verified"] == len(lines) == 5


@pytest.mark.parametrize("by", [-1, 1])
def test_an_end_of_another_value_is_refuted(certificates: Lines, by: int) -> None:
    line = end(certificates, "least relation")
    line["value"] += by
    line["upper"] += by
    assert verify(certificates, status=4)["refuted"] > 0


def test_an_end_said_to_be_lower_than_it_is_is_refuted(certificates: Lines) -> None:
    """The mapping of the other end scores less than the proven bound."""
    least, most = (end(certificates, f"{side} relation") for side in ("least", "most"))
    most["mapping"] = least["mapping"]
    assert verify(certificates, status=4)["refuted"] > 0


def test_ends_that_change_places_are_refuted(certificates: Lines) -> None:
    least, most = (end(certificates, f"{side} relation") for side in ("least", "most"))
    for key in ("mapping", "value", "upper", "proof"):
        least[key], most[key] = most[key], least[key]
    assert verify(certificates, status=4)["refuted"] > 0


def test_the_order_of_pairs_does_not_matter(certificates: Lines) -> None:
    by_pair = sorted(certificates, key=lambda line: str(line["id"]), reverse=True)
    assert by_pair != certificates
    assert verify(by_pair)["verified"] == len(certificates)


def test_the_order_of_the_certificates_of_a_pair_does_not_matter(certificates: Lines) -> None:
    assert verify(certificates[::-1])["verified"] == len(certificates)


def test_the_other_end_of_a_range_is_unproven_where_one_is_missing(certificates: Lines) -> None:
    """The verdicts on the other certificates stay the same."""
    for lost in (certificates[-1], end(certificates, "most relation")):
        certificates = [line for line in certificates if line is not lost]
    found = verify(certificates, status=3)
    assert (found["verified"], found["unproven"]) == (len(certificates), 2)
    assert found["refuted"] == 0


def test_two_pairs_of_one_name_are_told_apart() -> None:
    for name, text in (("system.amr", SYSTEM), ("gold.amr", GOLD)):
        Path(name).write_text(text.replace("::id two", "::id one"), encoding="utf-8")
    run("score", "system.amr", "gold.amr", "--breakdown", "--certificates", "c.jsonl")
    lines = [json.loads(line) for line in Path("c.jsonl").read_text("utf-8").splitlines()]
    assert verify(lines)["verified"] == len(lines)
