"""The quick way to the best mapping of two texts gives the same result as the usual way."""

import random
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from changed_texts import blocks, mutated
from nightly import by_day, day_share
from samples import random_graph

import exactmatch
from exactmatch.api import score as scoring
from exactmatch.scoring.by_cover import CoverCounter
from exactmatch.scoring.results import PairScore

SYSTEM = "(a / and :op1 (x / bird) :op2 (y / bird))"
GOLD = "(b / bird)"
#: What a pair says of how it came to its result.
HOW = {"seconds", "measurement", "pages"}


def usual(system: Any, gold: Any, **asked: Any) -> PairScore:
    """Return the result of the usual way, which is taken as soon as anything is given."""
    return exactmatch.best_mapping(system, gold, workers=1, **asked)


def told(score: PairScore) -> list[object]:
    """Return everything that a score reports, except the proof's origin."""
    kept = [getattr(score, field.name) for field in fields(score) if field.name not in HOW]
    names = list(score.mapping.items())
    return [*kept, names, score.best, score.certified, score.timed_out, score.too_large]


@pytest.mark.parametrize(
    "asked",
    by_day(
        [
            *({}, {"top": "none"}, {"duplicates": "product"}, {"profile": "smatch-1.0.4"}),
            {"metric": exactmatch.metric("smatch", strings="first-word")},
        ],
        2,
    ),
)
def test_it_is_what_the_usual_way_finds(asked: dict[str, Any]) -> None:
    rng = random.Random("at once")
    found = 0
    for k in range(60):
        name = f"# ::id g.{k}\n" if k % 3 else ""
        texts = [random_graph(rng, rng.randint(1, 6))[0] for _ in range(2)]
        system, gold = f"\n{name}{texts[0]}\n", texts[1].replace("x1", "é")
        score = exactmatch.best_mapping(system, gold, **asked)
        assert told(score) == told(usual(system, gold, **asked))
        found += score.solver == "cover"
    assert found > 40


@pytest.mark.slow
def test_texts_of_any_kind_come_to_the_same() -> None:
    """A text that may not be one graph goes the usual way, to the same result or error."""
    texts = blocks()
    for text in mutated(texts, day_share(250), 1):
        outcomes = []
        for way in (exactmatch.best_mapping, usual):
            try:
                outcomes.append(told(way(text, GOLD)))
            except exactmatch.InputError as error:
                outcomes.append([type(error), str(error)])
        assert outcomes[0] == outcomes[1], text


def test_what_belongs_together_is_looked_at() -> None:
    with pytest.raises(exactmatch.InputError, match="graph 1: identifier a at system:3, but b at"):
        exactmatch.best_mapping(f"\n\n# ::id a\n{GOLD}", f"# ::id b\n{GOLD}")
    assert exactmatch.best_mapping(f"# ::id a\n{GOLD}", GOLD).identifier == "a"
    umr = f"# :: snt1\n{GOLD}"
    with pytest.raises(exactmatch.InputError, match="no sentence level graph"):
        exactmatch.best_mapping(umr, umr)


def test_what_is_asked_besides_is_not_lost() -> None:
    for asked in ({"certificates": True}, {"breakdown": True}, {"solver": "dual"}):
        assert exactmatch.best_mapping(SYSTEM, GOLD, **asked).solver != "cover"
    found = exactmatch.best_mapping(SYSTEM, GOLD, best_mappings=2)
    assert found.best is not None and len(found.best.mappings) == 2
    with pytest.raises(exactmatch.UsageError):
        exactmatch.best_mapping(SYSTEM, GOLD, best_mappings=False)
    with pytest.raises(exactmatch.UsageError, match="top is 'nothing'"):
        no_choice: Any = "nothing"
        exactmatch.best_mapping(SYSTEM, GOLD, top=no_choice)


def test_a_page_of_it_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactmatch.runtime.browser.open_in_browser", lambda _: None)
    monkeypatch.setattr("exactmatch.scoring.results.open_in_browser", lambda _: None, raising=False)
    page = exactmatch.best_mapping(SYSTEM, GOLD).show(tmp_path / "pair.html")
    assert "bird" in page.read_text("utf-8")


def test_computations_that_disagree_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise exactmatch.VerificationError("two counts differ")

    monkeypatch.setattr(CoverCounter, "map_texts", wrong)
    scoring._counter.cache_clear()
    with pytest.raises(exactmatch.VerificationError, match="pair 1: two counts differ"):
        exactmatch.best_mapping(SYSTEM, GOLD)
