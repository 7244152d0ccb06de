"""Going through the items: in any number of processes, and without keeping them."""

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest
from study_files import ANNOTATORS, IAA, run

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.items import pair_items, read_sources
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.studies.agreement import compared_pair
from exactmatch.studies.agreement.measure import agreement_of, compare_annotators
from exactmatch.studies.common.statistics import Resampling
from exactmatch.studies.common.sweep import SweepSettings
from exactmatch.studies.ranking import measure as ranking
from exactmatch.studies.ranking import scored_pair
from exactmatch.studies.search_error import attempts
from exactmatch.studies.search_error import measure as search_error
from exactmatch.studies.search_error.measure import SearchDesign


@pytest.mark.slow
@pytest.mark.usefixtures("own_workers")  # they have to load what they need
def test_workers_change_nothing(files: Path) -> None:
    one, two = (run(*IAA, "--workers", n, "--format", "json") for n in "12")
    assert one.exit_code == 0
    assert one.stdout_bytes == two.stdout_bytes
    compare = ("compare", *ANNOTATORS, "--gold", "consensus.amr", "--resamples", "99")
    assert run(*compare, "--workers", "2").stdout_bytes == run(*compare).stdout_bytes
    assert run(*compare, "--seed", "1").stdout_bytes != run(*compare).stdout_bytes


@pytest.mark.slow
def test_a_study_keeps_no_graphs_and_no_scores(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a pair is scored, the graphs and scores of the items before are gone."""
    scores: list[weakref.ref[PairScore]] = []
    alive = []

    def watched(pair: Any, metric: Any, settings: Any, end: Any, **further: Any) -> PairScore:
        graphs = sum(type(thing) is Graph for thing in gc.get_objects())
        alive.append((graphs, sum(score() is not None for score in scores)))
        score = score_pair(pair, metric, settings, end, **further)
        scores.append(weakref.ref(score))
        return score

    for module in (compared_pair, scored_pair, attempts):
        monkeypatch.setattr(module, "score_pair", watched)
    monkeypatch.setattr(scored_pair, "counter_of", lambda *_: None)  # which reads no graph at all
    study = pair_items(read_sources(["a.amr", "b.amr"]))
    how, sweeping = (Smatch(), Settings()), SweepSettings()
    gc.freeze()  # what is there already need not be looked through 18 times
    kept = [
        agreement_of(compare_annotators(study, *how, sweeping), Resampling(10)),
        ranking.score_systems(study, "b", {"smatch": Smatch()}, Settings(), sweeping),
        search_error.search_error(study, [("a", "b")], SearchDesign({}, 1), *how, sweeping),
    ]
    assert len(kept) == 3 and len(alive) == 18
    assert set(alive) == {alive[0]}
