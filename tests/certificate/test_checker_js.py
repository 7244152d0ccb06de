"""The checker in JavaScript, as a program of Node.js: a second opinion that is the same."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest
from certificate_samples import CERTIFICATE, PAIR
from coq_program import Proven
from differential import COMPUTED, cases, compare_reasons, judged, proven_verdicts
from javascript_checker import SOURCE, Answer, answer, as_text, judged_by_node, read_findings, run
from nightly import day_share
from odd_certificates import odd_certificates

from exactmatch.certificate.checker import check_all, parse

pytestmark = pytest.mark.node

ODD = odd_certificates()


@pytest.fixture(scope="module")
def odd() -> Sequence[tuple[str, str, str]]:
    """Return the findings of checker.py on the odd certificates."""
    return list(check_all((parse(odd.pair) for odd in ODD), [odd.line for odd in ODD]))


def test_changed_certificates_are_judged_as_by_the_first_checker() -> None:
    found = judged(list(islice(cases("javascript"), day_share(600))), None, [judged_by_node])
    assert found["verified: so it is"] > day_share(40)
    assert found["bounded: the best mapping scores"] > day_share(25)


@pytest.fixture(scope="module")
def told() -> Answer:
    """Return what the program prints of the odd certificates."""
    return answer([one.line for one in ODD], [one.pair for one in ODD])


def test_odd_certificates_are_judged_as_by_the_first_checker(
    odd: Sequence[tuple[str, str, str]], told: Answer
) -> None:
    assert (told.errors, told.status) == ("", 4)
    compare_reasons([], odd, read_findings(told.told))


def test_what_is_printed_is_what_the_first_checker_prints_but_for_what_is_malformed(
    odd: Sequence[tuple[str, str, str]], told: Answer
) -> None:
    lines = told.told.splitlines()
    expected = [one for one in odd if one[1] != "verified"]
    counts = [
        [verdict for _, verdict, _ in odd].count(v) for v in ("verified", "bounded", "refuted")
    ]
    assert lines.pop().startswith("verified: {}  bounded: {}  refuted: {}  ".format(*counts))
    same = 0
    for line, (name, verdict, why) in zip(lines, expected, strict=True):
        assert line.startswith(f"{verdict} {name!a}: ")
        same += line == f"{verdict} {name!a}: {why!a}"
    assert same > len(expected) // 2


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


#: Prints, of each of several checkers, the first certificate of which it finds something else than
#: expected, or -1. As in `compare_reasons`, reasons differ if they tell other computed numbers.
_FIRST = """
const content = require("fs").readFileSync(process.argv[2], "utf8");
const { checkers, cases, computed } = JSON.parse(content);
const tells = (why) => new RegExp(`^(?:${computed})$`).test(why);
const isSame = ([name, verdict, why], one) => name === one.id && verdict === one.verdict
  && (why === one.why || !tells(why) || !tells(one.why));
const first = checkers.map((text) => {
  const { checkAll } = new Function(text + "; return exactmatchChecker;")();
  return cases.findIndex(({ lines, pair, expected }) => {
    const found = checkAll(lines, [pair]);
    return found.length !== expected.length || !expected.every((one, k) => isSame(one, found[k]));
  });
});
console.log(JSON.stringify(first));
"""


@pytest.mark.nightly
def test_every_fault_that_is_planted_in_it_is_noticed(tmp_path: Path) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert [right for right, _ in FAULTS.values() if text.count(right) != 1] == []
    checkers = [text, *(text.replace(*fault) for fault in FAULTS.values())]
    some = [(one.line, one.pair) for one in sorted(ODD, key=lambda one: len(one.line + one.pair))]
    some += [(one.line, json.dumps(one.pair).encode()) for one in islice(cases("faults"), 100)]
    right, *others = first_differences(checkers, some, tmp_path)
    assert right == -1, some[right]
    assert [name for name, at in zip(FAULTS, others, strict=True) if at == -1] == []


def first_differences(
    checkers: Sequence[str], some: Sequence[tuple[bytes, bytes]], folder: Path
) -> list[int]:
    """Return where each of several checkers first finds something else than checker.py."""
    told = [
        {
            "lines": [*map(as_text, line.splitlines())],
            "pair": as_text(pair),
            "expected": list(check_all([parse(pair)], line.splitlines())),
        }
        for line, pair in some
    ]
    content = {"checkers": checkers, "cases": told, "computed": COMPUTED.pattern}
    (folder / "content.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "first.js").write_text(_FIRST, encoding="utf-8")
    found = run(folder / "content.json", source=folder / "first.js")
    assert found.errors == ""
    return [int(at) for at in json.loads(found.told)]


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
