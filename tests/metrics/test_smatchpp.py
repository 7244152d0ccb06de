"""The profiles of smatch++: the counts of version 1.8.0 with its ILP solver."""

from pathlib import Path

import pytest

import exactmatch

INSTANCES = Path(__file__).resolve().parents[2] / "instances"

SYSTEM = """
(d / dog :poss (i / i))

(g / go-01 :polarity -)

(s / say-01 :ARG0 (p / person :wiki "O'Brien" :name (n / name :op1 "O'Brien"))
   :ARG1 (a / and :op1 (r / red :degree (v / very)) :op2 (c / ring :consist-of (g / gold))))

(h / have-quant-91 :ARG1 (c / car :mod 5) :ARG2 3)

(c / car :location (h / house :domain-of (t / tall)) :quant 3 :quant 3)
"""
GOLD = """
(d / dog :ARG1-of (o / own-01 :ARG0 (i / i)))

(g / go-01 :ARG1-of (h / have-polarity-91 :ARG2 -))

(s / say-01 :ARG0 (p / person :wiki "OBrien" :name (n / name :op1 "OBRIEN"))
   :ARG1 (a / and :op1 (c / ring :consist-of (g / gold))
      :op2 (r / red :ARG1-of (h / have-degree-91 :ARG2 (v / very)))))

(c / car :quant 3 :domain-of 5)

(c / car :ARG1-of (b / be-located-at-91 :ARG2 (h / house :mod (t / tall))) :quant 3)
"""


@pytest.mark.parametrize(
    "graph_type, small, annotators",
    [("generic", (26, 39, 44), (689, 963, 794)), ("amr", (32, 38, 36), (690, 947, 792))],
)
def test_counts_are_those_of_smatchpp(
    graph_type: str, small: tuple[int, int, int], annotators: tuple[int, int, int]
) -> None:
    folder = INSTANCES / "agreement"
    for system, gold, counts in (
        (SYSTEM, GOLD, small),
        (folder / "a.amr", folder / "b.amr", annotators),
    ):
        found = exactmatch.score(system, gold, profile=f"smatchpp-1.8-{graph_type}")
        assert found.optimal == found.pairs
        assert (found.matched, found.system_total, found.gold_total) == counts
