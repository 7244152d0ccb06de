"""Ill-formed DRSs by the rules of Referee, and their stand-ins on request."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.readers.referee import fault

HE_SINGS = 'b1 REF x1;b1 male "n.02" x1;b1 PRESUPPOSITION b2;b2 REF e1;b2 sing "v.01" e1;'
HE_SINGS += "b2 Agent e1 x1"


def clauses(text: str) -> list[list[str]]:
    return [clause.split() for clause in text.split(";")]


@pytest.mark.parametrize(
    "text",
    [
        HE_SINGS,
        "b1 REF x1;b1 NOT b2;b2 Theme x1 x1",  # a box uses what is introduced above it
        'b1 REF x1;b1 Name x1 "tom";b1 EQU x1 "now"',
        'b1 REF x1;b1 ThemeOf x1 "tom";b1 NameOf x1 "tom"',
        # what is above the antecedent is above the consequent, and a box above both is above theirs
        "b0 REF x0;b0 IMP b1 b2;b1 REF x1;b2 Agent x1 x0",
        "k0 NOT b1;b1 Time t1 t1;b3 REF t1;b3 PRESUPPOSITION b1;k0 Time t1 t1",
        'b1 REF x1;b1 PRP x1 b2;b2 sing "v.01" x1;b1 SY1 x1 x1',
        # of boxes that nothing puts above each other, Referee does not ask how they are connected
        "b1 REF x1;b2 REF x2",
        'b1 REF "n.01" "tom"',  # a concept
    ],
)
def test_well_formed_drss_have_no_fault(text: str) -> None:
    assert fault(clauses(text)) is None


@pytest.mark.parametrize(
    "text, reason",
    [
        ("b1 REF", "a clause of 2 words"),
        ("b1", "a clause of 1 words"),
        ("b1 IMP b2 b3 b4", "a clause of 5 words"),
        ("b1 REF x1 x2", "REF takes 1 arguments, not 2"),
        ("b1 DRS b2", "DRS is no operator or role"),
        ("b1 Agentive x1 x2", "Agentive is no operator or role"),
        ("b1 NOTOf b2", "NOTOf is no operator or role"),
        ("b1 day x1", "day is no operator or role"),
        ('b1 man "s.01" x1', "man is no operator or role"),
        ('b1 man "n.1" x1', "man is no operator or role"),
        ('b1 _man "n.01" x1', "_man is no operator or role"),
        ("b1 Name x1 tom", "tom cannot be an argument of Name"),
        ('b1 REF "x1"', '"x1" cannot be an argument of REF'),
        ('b1 Agent e1 "x', '"x cannot be an argument of Agent'),
        ("b1 REF x1;x1 NOT b1", "x1 is of two sorts"),
        ("b1 REF x1;b1 Agent b1 x1", "b1 is of two sorts"),
        ("b1 NOT b1", "box b1 is below itself"),
        ("b1 NOT b2;b2 NOT b1", "box b1 is below itself"),
        ("b1 NOT b2;b3 REF x1", "box b3 is not connected with b1"),
        ("b1 Theme x1 x1", "referent x1 is introduced nowhere above"),
        ("b1 NOT b2;b1 Theme x1 x1;b2 REF x1", "box b1 is below itself"),
        ("b0 DIS b1 b2;b1 REF x1;b2 Theme x1 x2;b2 REF x2", None),
    ],
)
def test_ill_formed_drss_have_a_fault(text: str, reason: str | None) -> None:
    assert fault(clauses(text)) == reason


#: The second one is ill-formed, and so is the third one, which our reader does not take, either.
SYSTEM = [HE_SINGS, "b1 REF x1;b2 NOT b2", "b1 sing x1"]


def lines(text: str) -> str:
    return text.replace(";", "\n")


def test_a_dummy_that_matches_nothing_stands_for_ill_formed_drss() -> None:
    notes: list[str] = []
    drss = [*map(lines, SYSTEM)]
    found = exactmatch.score(drss, drss, ill_formed="dummy", note=notes.append)
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.matched, found.system_total, found.gold_total) == (4, 6, 6)
    assert (found.pairs, found.mended, found.noted, found.certified) == (3, 4, 2, 3)
    assert len(notes) == 4
    assert "box b2 is below itself (ill-formed: replaced by the dummy)" in notes[0]
    assert "|ill-formed:dummy|" in found.signature


def test_spars_drs_stands_for_ill_formed_drss() -> None:
    one = exactmatch.best_mapping(lines(SYSTEM[1]), lines(HE_SINGS), ill_formed="spar")
    # of SPAR's 14 clauses, the four about referents in use do not count; male, PRESUPPOSITION and
    # Agent match, but not the verb
    assert (one.matched, one.system_total, one.gold_total, one.mended) == (3, 10, 4, 1)


def test_without_the_choice_ill_formed_drss_are_scored_as_they_are() -> None:
    drss = [*map(lines, SYSTEM[:2])]
    found = exactmatch.score(drss, drss)
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.f1, found.mended) == (1, 0) and "ill-formed" not in found.signature
    with pytest.raises(InputError, match="sing is no operator or role"):
        exactmatch.score(lines(SYSTEM[2]), lines(SYSTEM[0]))


def test_a_drs_that_referee_takes_and_we_cannot_read_stays_an_error() -> None:
    unread = lines("b1 REF x-1;b1 Theme x-1 x-1")
    assert fault(clauses(unread.replace("\n", ";"))) is None
    with pytest.raises(InputError, match="found x-1, expected a referent"):
        exactmatch.score(unread, unread, ill_formed="dummy")


def test_all_metrics_of_a_run_have_the_same_stand_in() -> None:
    counted = [exactmatch.metric("counter", ill_formed=one) for one in ("dummy", "spar")]
    with pytest.raises(UsageError, match="how they replace ill-formed DRSs"):
        exactmatch.score(lines(HE_SINGS), lines(HE_SINGS), metric=counted)


def test_certificates_and_tables_say_what_stands_for_a_drs(tmp_path: Path) -> None:
    file = tmp_path / "a.clf"
    file.write_text("\n\n".join(map(lines, SYSTEM)), encoding="utf-8")
    proofs = tmp_path / "c.jsonl"

    def run(*words: str) -> str:
        done = CliRunner().invoke(main, [*words])
        assert done.exit_code == 0, done.output
        return done.stdout

    words = ("score", str(file), str(file), "--ill-formed", "dummy")
    table = run(*words, "--certificates", str(proofs))
    assert "repairs of graphs, or replacements: 4\n" in table
    assert json.loads(run(*words, "--format", "json"))["mended"] == 4
    assert run("verify", str(proofs), str(file), str(file)).startswith("verified: 3 ")
