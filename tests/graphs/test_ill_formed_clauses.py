"""Ill-formed DRSs that our reader refuses, as Counter scores them.

The counts are those of Counter (RikVN/DRS_parsing 190838f, ``-ill score -g clf_signature.yaml``,
with an empty table of synonyms).
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exactmatch.cli import main
from exactmatch.errors import GraphError, UsageError
from exactmatch.graphs.graph import CLAUSES
from exactmatch.graphs.pairing import Couple, GraphPair, ReadPair, read_pair
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.registry import check_mending, mending_policy
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline

COUNTER = CounterMetric.profiles["counter-2021"]
DEFAULT = CounterMetric.profiles["default"]

#: A DRS, another one (or the same, if empty), and what Counter matches and has of each.
SCORED = [
    ('b1 REF e1;b1 Theme e1 b1;b1 go "v.01" e1', "", (1, 2, 2)),
    ("b1 REF e1;b1 Name e1 'tom'", "", (1, 1, 1)),
    ("b1 Name e1 'tom'", 'b1 Name e1 "tom"', (0, 1, 1)),
    ('b1 Agent e1 b2;b2 man "n.01" x1', "", (2, 2, 2)),
    ('b1 Agent e1 b2;b2 man "n.01" x1', 'b2 man "n.01" x1;b1 Agent e1 b2', (0, 2, 2)),
    ("b1 Quantity x1 18", "", (1, 1, 1)),
    ("b1 person x1", "", (1, 1, 1)),
    ("b1 person x1 x2", "b1 person x3 x4", (0, 1, 1)),
    ("b1 person x1 x2", "b1 person x1 x4", (1, 1, 1)),
    ("b1 PartOf x1 'a'", "b1 Part 'a' x1", (1, 1, 1)),
    ("b1 NEQ 'a' x1", "b1 NEQ x1 'a'", (1, 1, 1)),
    ("b1 Agent e1", "", (1, 1, 1)),
    ('b1 REF "x1"', "", (1, 1, 1)),
    ("b1 NOT b2 b3", "", (1, 1, 1)),
    ('b1 REF x1;b1 Name x1 "New York"', "", (2, 2, 2)),
    ("b1 REF x1;b1 person x1 x2", "", (1, 1, 1)),
    ("b1 REF x1 x1", "", (0, 1, 1)),
    ("b1 PartOf x1 x2 x3", "b1 Part x2 x1", (0, 1, 1)),
    ('b1 FOOBAR b2;b2 man "n.01" x1', 'b2 man "n.01" x1;b1 FOOBAR b2', (0, 2, 2)),
    ("b1 Role b2 b1;b2 Name 'a' 'b'", "b2 Name 'a' 'b';b1 Role b2 b1", (1, 2, 2)),
]


def read(system: str, gold: str, metric: CounterMetric = COUNTER) -> ReadPair:
    one, other = (
        GraphText(text.replace(";", "\n").encode(), "f.clf", 1, 1, CLAUSES, None)
        for text in (system, gold)
    )
    return read_pair(Couple("1", one, other, "s", "g", 1), "stop", metric.ill_formed_policy)


@pytest.mark.parametrize("system, gold, expected", SCORED)
def test_counts_are_those_of_counter(
    system: str, gold: str, expected: tuple[int, int, int]
) -> None:
    pair = read(system, gold or system).pair
    assert isinstance(pair, GraphPair)
    found = score_pair(pair, COUNTER, Settings(certificates=True), Deadline())
    assert (found.matched, found.system_total, found.gold_total) == expected
    assert found.status == "optimal" and found.certificate is not None


@pytest.mark.parametrize("text", ["b1 REF", 'b1 REF x1;b1;b1 man "n.01" x1', "% ::id x", "b1 \xff"])
def test_counter_cannot_read_a_clause_of_two_words_either(text: str) -> None:
    assert [*map(type, read(text, text).errors)] == [GraphError, GraphError]


def test_other_sorts_and_replacements_keep_their_readings() -> None:
    text = "b1 REF e1;b1 Theme e1 b1"
    assert len(read(text, text, DEFAULT).errors) == 2
    dummy = read(text, text, COUNTER.with_choices(ill_formed="dummy"))
    assert not dummy.errors and "replaced by the dummy" in dummy.notes[0]


def run(folder: Path, *options: str) -> Result:
    path = folder / "s.clf"
    path.write_text("b1 REF x1\n\n% ::id odd\nb1 REF e1\nb1 Theme e1 b1\n", encoding="utf-8")
    return CliRunner().invoke(main, ["score", str(path), str(path), *options])


def test_a_note_names_the_drs(tmp_path: Path) -> None:
    result = run(tmp_path, "--profile", "counter-2021", "--format", "json")
    assert result.exit_code == 0
    (note,) = {line for line in result.stderr.splitlines() if "s.clf" in line}
    assert note.endswith(
        "s.clf:5: graph 2 (id odd): b1 is a referent here, but a box before "
        "(ill-formed: scored as Counter reads it)"
    )
    assert json.loads(result.stdout)["mended"] == 2


def test_beside_the_default_profile_such_drss_are_errors() -> None:
    check_mending(CLAUSES, [DEFAULT, COUNTER])
    assert mending_policy([DEFAULT, COUNTER]).mending == "none"
    with pytest.raises(UsageError, match="replace ill-formed DRSs"):
        check_mending(CLAUSES, [COUNTER, COUNTER.with_choices(ill_formed="dummy")])
