"""The checker in JavaScript, as a program of Node.js: a second opinion that is the same."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest
from certificate_samples import CERTIFICATE, PAIR
from coq_program import Proven
from differential import Case, Disagreement, cases, compare_reasons, judged, proven_verdicts
from javascript_checker import SOURCE, answer, as_text, judged_by_node, read_findings, run
from odd_certificates import odd_certificates

from exactmatch.certificate.checker import check_all, parse

pytestmark = pytest.mark.node

ODD = odd_certificates()


def expected() -> list[tuple[str, str, str]]:
    """Return the findings of checker.py on the odd certificates."""
    return list(check_all((parse(odd.pair) for odd in ODD), [odd.line for odd in ODD]))


@pytest.fixture(scope="module")
def odd() -> Sequence[tuple[str, str, str]]:
    return expected()


def test_changed_certificates_are_judged_as_by_the_first_checker() -> None:
    found = judged(list(islice(cases("javascript"), 600)), None, [judged_by_node])
    assert found["verified: so it is"] > 100 and found["bounded: the best mapping scores"] > 50


def test_odd_certificates_are_judged_as_by_the_first_checker(
    odd: Sequence[tuple[str, str, str]],
) -> None:
    found = answer([one.line for one in ODD], [one.pair for one in ODD])
    assert (found.errors, found.status) == ("", 4)
    compare_reasons([], odd, read_findings(found.told))


def test_what_is_printed_is_what_the_first_checker_prints_but_for_what_is_malformed(
    odd: Sequence[tuple[str, str, str]],
) -> None:
    lines = answer([one.line for one in ODD], [one.pair for one in ODD]).told.splitlines()
    told = [one for one in odd if one[1] != "verified"]
    counts = [
        [verdict for _, verdict, _ in odd].count(v) for v in ("verified", "bounded", "refuted")
    ]
    assert lines.pop().startswith("verified: {}  bounded: {}  refuted: {}  ".format(*counts))
    same = 0
    for line, (name, verdict, why) in zip(lines, told, strict=True):
        assert line.startswith(f"{verdict} {name!a}: ")
        same += line == f"{verdict} {name!a}: {why!a}"
    assert same > len(told) // 2


@pytest.mark.coq
def test_odd_certificates_are_judged_so_by_what_is_proven(
    proven: Proven, odd: Sequence[tuple[str, str, str]]
) -> None:
    lines, pairs = [one.line for one in ODD], [one.pair for one in ODD]
    found, _, status = proven_verdicts(proven.program, lines, pairs)
    assert found == [one[:2] for one in odd if one[1] != "verified"]
    assert status == 4


#: Steps of the checker, and what is planted in their place.
FAULTS = {
    "a term may be paid for in part": (
        'if (sum(shares) < scale * weight) refuse("the shares of a term are below its weight");',
        "",
    ),
    "local prices are not paid": ("worth += listed.price", "worth += 0n"),
    "a row counts the last of its terms": ("largest(table.get(key) ?? 0n, amount)", "amount"),
    "columns in any order": (".sort(byNumber).join()", ".join()"),
    "a sieve bans what scores more": (
        "withPair(found) <= enough",
        "withPair(found) <= enough + 1n",
    ),
    "a split bans the pair itself": (
        "(one.i === i) !== (one.j === j)",
        "one.i === i || one.j === j",
    ),
    "cliques that do not exclude": ("if (!exclude)", "if (false)"),
    "multipliers are not paid": ("multipliers += multiplier;", ""),
    "sets with a variable twice": ("pairs[k - 1].i < i", "pairs[k - 1].i <= i"),
    "sets with an image twice": ("if (!isOneToOne)", "if (false)"),
    "units of any size": ("|| unit > LARGEST_UNIT", ""),
    "counts without the better bound": ("smallest(bound, quotient(total, scale))", "bound"),
    "one variable of a class": ("BigInt(variables.length) * best", "best"),
    "the dearest of a class": (".reduce(smallest) }", ".reduce(largest) }"),
    "counts cost nothing": ("let gain = -other.price", "let gain = 0n"),
    "fewest first": ("Number(b.times - a.times)", "Number(a.times - b.times)"),
    "variables twice": ("if (places.size < variables.length)", "if (false)"),
    "keys of others": ("keys.length === size(graph)", "true"),
    "another digest": (' && field(certificate, "digest") === digest(pair)', ""),
    "the first of equal keys": (
        "members.set(key, value(level))",
        "members.set(key, members.get(key) ?? value(level))",
    ),
    "a bound above the claim": ("if (proven > upper)", "if (proven > upper + 1n)"),
    "characters that are not shown": ('[^ -~]|[\\\\"]', '[^ -\\x7f]|[\\\\"]'),
}


#: Prints what each of several checkers finds of the same certificates that is not verified.
_ALL = """
const { checkers, lines, pairs } = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const found = checkers.map((text) => new Function(text + "; return exactmatchChecker;")()
  .checkAll(lines, pairs).filter(({ verdict }) => verdict !== "verified")
  .map(({ id, verdict, why }) => [id, verdict, why]));
console.log(JSON.stringify(found));
"""


@pytest.mark.slow
def test_every_fault_that_is_planted_in_it_is_noticed(tmp_path: Path) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert [right for right, _ in FAULTS.values() if text.count(right) != 1] == []
    checkers = {name: text.replace(*fault) for name, fault in FAULTS.items()}
    odd = [Case(json.loads(one.pair), one.line) for one in ODD]
    # What a few certificates tell apart is not shown the others.
    for batch in (*(odd[k::6] for k in range(6)), list(islice(cases("faults"), 100))):
        lines = b"\n".join(case.line for case in batch).splitlines()
        pairs = [json.dumps(case.pair) for case in batch]
        found = list(check_all((parse(pair.encode()) for pair in pairs), lines))
        right, *others = said_by([text, *checkers.values()], lines, pairs, tmp_path)
        compare_reasons(batch, found, right)
        unnoticed = [n for n, one in zip(checkers, others, strict=True) if is_same(found, one)]
        checkers = {name: checkers[name] for name in unnoticed}
    assert not checkers, [*checkers]


def said_by(
    checkers: Sequence[str], lines: Sequence[bytes], pairs: Sequence[str], folder: Path
) -> list[list[tuple[str, str, str]]]:
    """Return what each of several checkers finds of the same certificates."""
    content = {"checkers": checkers, "lines": [*map(as_text, lines)], "pairs": pairs}
    (folder / "content.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "all.js").write_text(_ALL, encoding="utf-8")
    told = run(folder / "content.json", source=folder / "all.js")
    assert told.errors == ""
    return [[(a, b, c) for a, b, c in one] for one in json.loads(told.told)]


def is_same(found: Sequence[tuple[str, str, str]], one: Sequence[tuple[str, str, str]]) -> bool:
    try:
        compare_reasons([], found, one)
    except Disagreement:
        return False
    return True


class TestScript:
    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[Path, Path]:
        certificates, pairs = tmp_path / "certificates", tmp_path / "pairs"
        pairs.write_text(json.dumps(PAIR) + "\n", encoding="utf-8")
        certificates.write_text(json.dumps(CERTIFICATE) + "\n", encoding="utf-8")
        return certificates, pairs

    def test_the_program_counts_what_is_verified(self, files: tuple[Path, Path]) -> None:
        assert run(*files) == ("verified: 1  bounded: 0  refuted: 0  unproven: 0\n", "", 0)

    def test_lines_end_as_they_do_for_python(self, files: tuple[Path, Path]) -> None:
        line = json.dumps(CERTIFICATE).encode()
        files[0].write_bytes(b"\r\n" + line + b"\r{\n\xff\n\n" + line.replace(b'"p"', b'"q"', 1))
        told = run(*files).told.splitlines()
        assert [one.split(":")[0] for one in told] == [
            *(f"refuted 'certificate {k}'" for k in (1, 3, 4, 5)),
            "refuted 'q'",
            "verified",
        ]

    @pytest.mark.parametrize("text", ["{", "[]\n", '{"test": 1}\n', "\ufeff{}"])
    def test_malformed_pairs_end_it(self, files: tuple[Path, Path], text: str) -> None:
        files[1].write_text(text, encoding="utf-8")
        told, errors, status = run(*files)
        assert (told, status) == ("", 1) and errors

    def test_a_file_that_cannot_be_read_is_named(self, files: tuple[Path, Path]) -> None:
        told, errors, status = run(files[0], files[1].with_name("missing"))
        assert (told, status) == ("", 1) and "missing" in errors

    def test_it_says_what_it_takes(self) -> None:
        _, errors, status = run("one")
        assert status == 1 and "CERTIFICATES PAIRS" in errors
