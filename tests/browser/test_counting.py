"""The page counts and marks as Python does, also for mappings by hand."""

from typing import Any

import pytest
from browser_pages import Pages, Sample, random_mappings
from chromium import Window
from nightly import by_day

from exactmatch.report.views.marks import marks_under
from exactmatch.report.views.pair_view import PairView

pytestmark = pytest.mark.browser

_COUNTED = """
const [k, partners] = arguments;
const pair = JSON.parse(document.getElementById("pair-" + k).textContent);
return partners.map((partner) => {
  const {system, gold, partner: others} = marks(pair, partner);
  return {score: score(pair, partner), system, gold, others};
});
"""


def counted(view: PairView, partner: list[int | None]) -> dict[str, Any]:
    """Return the counts and marks by Python."""
    mapping = {
        view.system.variables[i]: view.gold.variables[j]
        for i, j in enumerate(partner)
        if j is not None
    }
    once = view.metric.duplicates == "multiset"
    found = marks_under(mapping, view.system, view.gold, view.similar, once=once)
    others = [found.partner.get(number) for number in range(len(view.system.triples))]
    return {
        "score": view.comparison.count_matched(mapping),
        "system": found.system,
        "gold": found.gold,
        "others": others,
    }


@pytest.mark.parametrize(
    "name",
    by_day(["smatch", "s2match", "counter", "mrp", "smatch-1.0.4", "product", "multiset"], 2),
)
def test_any_mapping_is_counted_as_python_counts_it(
    screen: Window, pages: Pages, name: str
) -> None:
    sample = pages.samples[name]
    screen.open(sample.page)
    scores: set[int] = set()
    for k, view in enumerate(sample.views):
        partners = [proven(view), *random_mappings(view, 12, seed=k)]
        found = screen.run(_COUNTED, k, partners)
        wanted = [counted(view, partner) for partner in partners]
        assert found == wanted, view.score.identifier
        assert found[0]["score"] == view.score.matched
        assert all(each["score"] <= view.score.matched_upper for each in found)
        scores.update(each["score"] for each in found)
    assert len(scores) > 3  # else nothing was tried


def proven(view: PairView) -> list[int | None]:
    """Return the mapping that was found, as the page has it."""
    partner: list[int | None] = [None] * len(view.system.variables)
    for one, other in view.score.mapping.items():
        partner[view.system.place[one]] = view.gold.place[other]
    return partner


#: Opens one pair after the other, and returns what each shows: hidden, since the browser would draw
#: what nobody looks at.
_SHOWN = """
const turn = () => new Promise((go) => setTimeout(go));
async function opened(identifier) {
  location.hash = address(identifier);
  while (current?.pair.id !== identifier || !document.getElementById("mapping")) await turn();
  document.getElementById("all-triples").open = true;
  while (!document.querySelector("#all-triples table")) await turn();
}
function shown() {
  const marked = {};
  for (const side of ["system", "gold"]) {
    marked[side] = {};
    for (const room of ["drawings", "texts", "all-triples"]) {
      const triples = `#${room} [data-side=${side}][data-triple]`;
      for (const {dataset: {triple, mark}} of document.querySelectorAll(triples)) {
        const found = ((marked[side][triple] ??= {})[room] ??= []);
        if (!found.includes(mark)) found.push(mark);
      }
    }
  }
  const rows = [...document.querySelectorAll("#mapping tr[data-side=system]")];
  return {
    marked,
    mapping: rows.map((row) => [row.dataset.standing, row.querySelector("select").value]),
    verdict: document.getElementById("verdict").textContent,
  };
}
return (async () => {
  document.body.style.visibility = "hidden";
  const found = [];
  for (const identifier of arguments[0]) {
    await opened(identifier);
    found.push(shown());
  }
  return found;
})();
"""


@pytest.mark.parametrize("name", by_day(["s2match", "mrp", "smatch", "counter", "product"]))
def test_what_a_pair_shows_is_what_was_counted(screen: Window, pages: Pages, name: str) -> None:
    sample = pages.samples[name]
    screen.open(sample.page)
    shown = screen.run(_SHOWN, [view.score.identifier for view in sample.views])
    for view, found in zip(sample.views, shown, strict=True):
        wanted = counted(view, proven(view))
        for side in ("system", "gold"):
            check_marks(found["marked"][side], wanted[side])
        assert found["mapping"] == [
            [standing, "" if j is None else str(j)]
            for standing, j in zip(standings(view), proven(view), strict=True)
        ]
        for figure in figures(sample, view):
            assert figure in found["verdict"]


def check_marks(found: dict[str, dict[str, list[str]]], wanted: list[str]) -> None:
    """Every triple is drawn and listed, and has the same mark everywhere."""
    assert {int(triple) for triple in found} == set(range(len(wanted)))
    for triple, rooms in found.items():
        assert {"drawings", "all-triples"} <= set(rooms)
        assert all(marks == [wanted[int(triple)]] for marks in rooms.values())


def standings(view: PairView) -> list[str]:
    """Return how sure each pair of the mapping is, in the words of the page."""
    assert view.score.best is not None
    every, counts = set(view.score.best.every), counted(view, proven(view))
    found = []
    for one in view.system.variables:
        other = view.score.mapping.get(one)
        matching = any(
            mark in ("matched", "partly") and one in triple.variables
            for mark, triple in zip(counts["system"], view.system.triples, strict=True)
        )
        if other is None:
            found.append("none")
        elif (one, other) in every:
            found.append("certain")
        else:
            found.append("several" if matching else "arbitrary")
    return found


def figures(sample: Sample, view: PairView) -> list[str]:
    """Return the text of the verdict."""
    score, scale = view.score, sample.metric.scale
    totals = [score.matched, score.system_total, score.gold_total]
    solver = {"dual": "dual bound"}.get(score.solver, score.solver)
    one, two, three = (f"{round(total / scale, 3):g}" for total in totals)
    return [
        f"F1 {score.f1:.4f}: {one} of {two} and {three} ",
        "Proven: no mapping matches more",
        f"({solver}, proof checked)" if score.checked else f"word of {solver}",
    ]
