"""Limits of time in metrics, and where no time is left to search: intervals that hold."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from looks import Looks
from samples import compared, random_graph

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import InputError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.words import SimilarityTable
from exactmatch.metrics import ancast, rematch
from exactmatch.metrics.ancast import broadcast, document_level
from exactmatch.metrics.ancast.document_level import Closure, NumberedTriple
from exactmatch.metrics.base import (
    NOT_COUNTED,
    AlignmentFreeMetric,
    Measurement,
    Statistics,
    not_counted,
)
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.registry import METRICS
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.runtime.workers import MOST
from exactmatch.scoring.comparison import Comparison, compare_triples
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.solve import at_least_by_labels, solve_within
from exactmatch.solving.search import growth
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution
from exactmatch.stopping.deadline import Deadline, OutOfTime, current, looking, until


def umr(graph: str, level: str = "") -> str:
    return (
        f"# :: snt1\nWords: a b\n\n# sentence level graph:\n{graph}\n\n# alignment:\n\n\n"
        f"# document level annotation:\n(s1s0 / sentence {level})\n"
    )


def equal_nodes(size: int) -> str:
    return "(s1r / x" + "".join(f" :op (s1x{k} / x)" for k in range(size)) + ")"


#: Enough to look at the clock, by metric.
LARGE = {
    "sembleu": "(a / x" + " :op (b / x :op c) :op (c / x :op b)" + " :op b :op c" * 300 + ")",
    "rematch": "(a / x" + "".join(f" :p{k} 1" for k in range(40))
    + " :op (b / x" + "".join(f" :p{k} 1" for k in range(40)) + "))",
    "dscorer": 'b1 REF x1\nb1 x "n.01" x1\nb1 Theme x1 x1\n',
    "ancast": umr(equal_nodes(3), ":temporal ((s1x0 :before s1x1))"),
    "umatch": umr(equal_nodes(3)),
}  # fmt: skip


def read(text: str) -> Graph:
    (graph,) = read_text(text, "x").graphs
    assert isinstance(graph, Graph)
    return graph


def called(name: str) -> AlignmentFreeMetric:
    metric = METRICS[name].profiles["umrtools-2026" if name == "umatch" else "default"]
    assert isinstance(metric, AlignmentFreeMetric)
    return metric


@pytest.mark.parametrize("name", LARGE)
def test_a_metric_looks_at_the_time(name: str) -> None:
    graph = read(LARGE[name])
    with until(Looks(0)), pytest.raises(OutOfTime):
        called(name).measure(graph, graph)
    with until(Deadline()):
        assert called(name).measure(graph, graph).statistics.matched > 0


def test_the_deadline_at_hand_is_that_of_the_innermost_block() -> None:
    outer, inner = Looks(0), Looks(1)
    with pytest.raises(OutOfTime), until(outer):
        assert current() is outer
        with until(inner):
            assert current() is inner
        assert current() is outer
        list(looking(range(1000)))
    assert current() == Deadline()
    assert list(looking(range(3000))) == [*range(3000)]


def test_relations_in_time_are_followed_once_each() -> None:
    """What is reached again is not continued again: with it, there are no more steps than edges."""
    rng = random.Random("time")
    words = ("before", "after", "contained", "includes", "overlap")
    n, edges = 60, 600
    triples: list[NumberedTriple] = [
        (rng.randrange(n), rng.choice(words), rng.randrange(n)) for _ in range(edges)
    ]
    # From each of n nodes, at most 5 relations lead to each node, and on along its steps; each
    # thousand steps are a look. The second set goes over all that is implied.
    looks = n * (1 + 5 * 2 * edges // 1000) + 1 + n * n * 5 // 1000
    with until(Looks(looks)):
        found = Closure("temporal", triples)
    assert len(found.relations) > n * n // 2


class _Slow:
    """A metric whose second and later pairs take too long."""

    def __init__(self, metric: AlignmentFreeMetric) -> None:
        self.real = type(metric).measure
        self.called = 0

    def __call__(self, metric: AlignmentFreeMetric, system: Graph, gold: Graph) -> Measurement:
        self.called += 1
        if self.called > 1:
            raise OutOfTime
        return self.real(metric, system, gold)


@pytest.mark.parametrize("name", LARGE)
def test_a_pair_that_is_not_counted_in_time_may_be_anything(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = LARGE[name].rstrip() + "\n\n"
    if name in ("ancast", "umatch"):  # a file has several documents, but only one of a name
        text = LARGE[name]
    monkeypatch.setattr(type(called(name)), "measure", lambda *_: never())
    words = [str(tmp_path / "a"), str(tmp_path / "a"), "--metric", name, "--workers", "1"]
    words += ["--profile", called(name).profile] if name == "umatch" else []
    (tmp_path / "a").write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["score", *words, "--format", "json"])
    found = json.loads(result.stdout)
    upper = found.get("score_upper", found["f1_upper"])
    assert (result.exit_code, found["score"], upper) == (0, 0, 1)
    assert (found["pairs"], found["optimal"], found["timed_out"]) == (1, 0, 1)
    said = CliRunner().invoke(main, ["score", *words]).stdout
    assert "pairs that reached the time limit: 1\n" in said
    assert "at most" in said and "1.0000" in said
    strict = CliRunner().invoke(main, ["score", *words, "--require-optimal"])
    assert strict.exit_code == 3


def never() -> Measurement:
    raise OutOfTime


def test_the_mean_over_pairs_knows_those_that_were_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: the first pair scores 1, the second may be anything."""
    metric = called("rematch")
    slow = _Slow(metric)
    monkeypatch.setattr(type(metric), "measure", lambda *given: slow(*given))
    text = "(a / x :op (b / y))\n\n(a / x)\n"
    found = exactmatch.score(text, text, metric="rematch", workers=1)
    assert [(one.value, one.value_upper) for one in found.per_pair] == [(1, 1), (0, 1)]
    assert (found.value, found.value_upper) == (0, 1)
    assert (found.macro_f1, found.macro_f1_upper) == (0.5, 1)
    assert [one.status for one in found.per_pair] == ["optimal", "feasible"]


def test_parts_are_those_of_the_pairs_that_were_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By hand: the first pair has two nodes and an edge, and of the second nothing is known."""
    metric = called("sembleu")
    slow = _Slow(metric)
    monkeypatch.setattr(type(metric), "measure", lambda *given: slow(*given))
    (tmp_path / "a").write_text("(a / x :op (b / y))\n\n(a / x)\n", encoding="utf-8")
    words = ["score", str(tmp_path / "a"), str(tmp_path / "a"), "--metric", "sembleu"]
    found = json.loads(_said(slow, *words, "--format", "json"))["breakdown"]["1-grams"]["range"]
    assert (found["least"], found["most"], found["system_total"], found["unknown"]) == (2, 2, 2, 1)
    said = "pairs not counted by kind, since their ranges are not proven: 1"
    assert said in _said(slow, *words)
    assert said in _said(slow, *words, "--format", "markdown")


def _said(slow: _Slow, *words: str) -> str:
    slow.called = 0
    result = CliRunner().invoke(main, [*words, "--workers", "1"])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_counts_of_a_pair_that_is_not_counted_bound_all_ratios() -> None:
    """Whatever the pair would have counted, the sum over the pairs lies between the bounds."""
    graph = read("(a / x :op (b / y :op (c / z)))")
    late = not_counted(graph, graph).statistics
    rng = random.Random("ratios")
    for _ in range(500):
        known = Counts(*_counts(rng, 9))
        whole = Statistics(known.matched, *known) + late._replace(sums={})
        bounds = PairScore.of(
            "x", METRICS["umatch"].profiles["default"], Measurement(whole), seconds=0
        )
        true = (known + Counts(*_counts(rng, late.matched_upper))).score()
        for ratio in ("precision", "recall", "f1"):
            least, most = getattr(bounds, ratio), getattr(bounds, f"{ratio}_upper")
            assert least <= getattr(true, ratio) <= most


def _counts(rng: random.Random, most: int) -> tuple[int, int, int]:
    totals = rng.randint(0, most), rng.randint(0, most)
    return rng.randint(0, min(totals)), *totals


def late(comparison: Comparison, **options: Any) -> Solution:
    return solve_within(
        comparison, SolverSettings(deadline=Looks(0), memory=MOST)._replace(**options)
    )


ATTRIBUTES = (
    "(r / and" + "".join(f" :op (x{k} / x :quant {k} :li {k % 7})" for k in range(60)) + ")"
)


def test_a_graph_is_mapped_to_itself_where_no_time_is_left() -> None:
    pair = compared(ATTRIBUTES, ATTRIBUTES)
    found = late(pair)
    assert found.lower == found.upper == pair.system_total > 200
    assert not found.timed_out


EXAMPLES = Path(exactmatch.__file__).parent / "report" / "web" / "examples"
#: Clauses of APX match in either order.
SWAPPED = 'b1 REF x1\nb1 a "n.01" x1\nb1 b "n.01" x2\nb1 APX x1 x2\nb1 APX x2 x3\nb1 APX x3 x1\n'


@pytest.mark.parametrize(
    "given, metric",
    [
        (EXAMPLES / "gold.amr", "smatch"),
        (EXAMPLES / "gold.clf", "counter"),
        (EXAMPLES / "gold.mrp", "mrp"),
        (EXAMPLES / "gold.sbn", "smatch"),
        (EXAMPLES / "first.umr", "umatch"),
        (SWAPPED, "counter"),
    ],
)
def test_any_graph_scores_1_against_itself_without_time(given: Path | str, metric: Any) -> None:
    text = given if isinstance(given, str) else given.read_text(encoding="utf-8")
    found = exactmatch.score(text, text, metric=metric, timeout=0)
    assert found.pairs > 0
    assert found.f1 == 1


def test_a_heuristic_without_any_start_has_a_mapping() -> None:
    pair = compared(ATTRIBUTES, ATTRIBUTES)
    assert late(pair, method="s").lower == pair.system_total


def test_a_graph_is_mapped_to_itself_where_no_memory_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair = compared(ATTRIBUTES, ATTRIBUTES)
    monkeypatch.setattr(growth._Growth, "grow", lambda _: None)
    found = late(pair, memory=0, deadline=Deadline())
    assert (found.lower, found.too_large) == (pair.system_total, True)


def keyed(rng: random.Random, graph: NormalisedGraph) -> NormalisedGraph:
    keys = {v: tuple(sorted({*rng.choices("abc", k=2)})) for v in graph.variables}
    return NormalisedGraph(graph.variables, graph.triples, keys=keys)


def random_pairs(is_keyed: bool) -> Iterator[Comparison]:
    rng = random.Random(f"equal labels {is_keyed}")
    for _ in range(200):
        pair = compared(*(random_graph(rng, rng.randint(1, 7))[0] for _ in range(2)))
        if is_keyed:
            pair = compare_triples(keyed(rng, pair.system), keyed(rng, pair.gold), pair.metric)
        yield pair


@pytest.mark.parametrize("is_keyed", [False, True])
def test_equal_labels_give_a_mapping_that_counts_what_it_says(is_keyed: bool) -> None:
    """It is one-to-one, keys allow it, and the recount from the triples agrees."""
    gained = 0
    for pair in random_pairs(is_keyed):
        nothing = Solution(0, pair.most_of_all(), {}, "none", timed_out=True, proof=None)  # type: ignore[arg-type]
        found = at_least_by_labels(pair, nothing)
        assert len({*found.mapping.values()}) == len(found.mapping)
        assert pair.permitted(found.mapping) == found.mapping
        assert pair.count_matched(pair.named(found.mapping)) == found.lower
        best = late(pair, deadline=Deadline())
        assert found.lower <= best.lower == best.upper
        assert late(pair).lower <= best.lower <= late(pair).upper
        gained += found.lower > 0
    assert gained > 150


def test_similarities_that_are_not_known_in_time_leave_equal_concepts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By hand: 2 of 2 concepts, the edge and the root match."""
    table = SimilarityTable("", {("x", "y"): Fraction(1, 2)})
    metric = S2match.profiles["default"].with_words(similarity=Similarity(table))
    monkeypatch.setattr(S2match, "similar", lambda *_: never())
    system, gold = read("(a / x :op (b / z))"), read("(c / x :op (d / z))")
    mapper = Mapper("", Settings(), Deadline(), Deadline())
    found = mapper.measure(metric, system, gold)
    assert found.statistics.matched == found.statistics.matched_upper == 4 * metric.scale


def test_sentences_that_are_too_large_for_the_rules_of_ancast_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As for juːmæʧ: the place and the number in one message, status 1, and no score."""
    monkeypatch.setattr(ancast, "MOST_PAIRS", 15)
    monkeypatch.setattr(broadcast, "MOST_PAIRS", 15)
    path = tmp_path / "a.umr"
    path.write_text(LARGE["ancast"], encoding="utf-8")
    words = ["score", str(path), str(path), "--metric", "ancast", "--workers", "1"]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (1, "")
    said = f"{path}:1 and {path}:1: a sentence with more than 15 pairs of nodes, too many"
    assert said in result.stderr


@pytest.mark.parametrize(
    "name, module, limit, said",
    [
        ("ancast", ancast, "MOST_IMPLIED", "more than 0 relations are implied, too many"),
        ("rematch", rematch, "MOST_MOTIFS", "more than 0 motifs, too many to count"),
    ],
)
def test_what_would_fill_the_memory_is_named(
    name: str, module: Any, limit: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, limit, 0)
    if name == "ancast":
        monkeypatch.setattr(document_level, limit, 0)
    graph = read(LARGE[name])
    with pytest.raises(InputError, match=said):
        called(name).measure(graph, graph)


def test_large_matrices_are_multiplied_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole numbers, so that the order of adding does not matter."""
    generator = np.random.default_rng(1)
    one, other = (generator.integers(0, 9, size=(7, 7)).astype(float) for _ in range(2))
    whole = broadcast._product(one, other)
    assert (whole == one @ other).all()
    monkeypatch.setattr(broadcast, "_PRODUCTS", 100)  # two rows at once
    assert (broadcast._product(one, other) == whole).all()
    with until(Looks(2)), pytest.raises(OutOfTime):
        broadcast._product(one, other)


def test_a_study_knows_which_systems_have_pairs_that_are_not_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By hand: the first system has 1 on both pairs; the last pair of the second is not counted."""
    metric = called("rematch")
    real = type(metric).measure

    def measure(self: AlignmentFreeMetric, system: Graph, gold: Graph) -> Measurement:
        return never() if len(system.triples) == 4 else real(self, system, gold)

    monkeypatch.setattr(type(metric), "measure", measure)
    files = {"gold": "(c / z)", "fast": "(c / z)", "slow": "(c / z :op (d / late) :op c)"}
    for name, last in files.items():
        (tmp_path / name).write_text(f"(a / x :op (b / y))\n\n{last}\n", encoding="utf-8")
    systems = [tmp_path / "fast", tmp_path / "slow"]
    ranking = exactmatch.compare(systems, tmp_path / "gold", metric="rematch", resamples=20)
    ends = {name: (one.value, one.value_upper) for name, one in ranking.found.scores.items()}
    assert ends == {"fast": (1, 1), "slow": (0, 1)}


def test_a_system_without_a_result_is_not_said_to_be_worse(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By hand: one system has 1 on all of ten pairs, the other may have anything on nine."""
    metric = called("sembleu")
    real = type(metric).measure

    def measure(self: AlignmentFreeMetric, system: Graph, gold: Graph) -> Measurement:
        return never() if len(system.triples) == 4 else real(self, system, gold)

    monkeypatch.setattr(type(metric), "measure", measure)
    gold = "(c / z :op (d / y))\n\n"
    slow = "(c / z :op (d / late) :op c)\n\n"
    for name, text in (("gold", 10 * gold), ("fast", 10 * gold), ("slow", gold + 9 * slow)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [tmp_path / "fast", tmp_path / "slow"]
    found = exactmatch.compare(files, tmp_path / "gold", metric="sembleu", resamples=99).found
    (contest,) = found.contests
    assert contest.difference == (0, 1, 1)
    assert contest.significant is False
    means = {name: (one.macro_f1, one.macro_f1_upper) for name, one in found.scores.items()}
    assert means == {"fast": (1, 1), "slow": (0.1, 1)}
    assert found.intervals["slow"] == (0, 1)


def test_ngrams_are_those_of_graphs_that_were_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By hand: of three gold graphs, the second is not counted; the others have 2 and 1 nodes."""
    metric = called("sembleu")
    real = type(metric).measure

    def measure(self: AlignmentFreeMetric, system: Graph, gold: Graph) -> Measurement:
        return never() if len(gold.triples) == 4 else real(self, system, gold)

    monkeypatch.setattr(type(metric), "measure", measure)
    text = "(a / x :op (b / y))\n\n(c / z :op (d / late) :op c)\n\n(e / w)\n"
    (tmp_path / "a").write_text(text, encoding="utf-8")
    (tmp_path / "b").write_text(text, encoding="utf-8")
    found = exactmatch.correlate(
        [tmp_path / "a"], tmp_path / "b", metric=["sembleu", "rematch"]
    ).found
    nodes = {points.label: points.ys for points in found.units}["sembleu: 1-grams"]
    assert nodes == [2, 1]
    groups = [one for one in found.unit_groups if one.order == "1-grams"]
    assert [(one.graphs, one.mean, one.most) for one in groups] == [(2, 1.5, 2)]


def test_sums_without_such_a_pair_are_known() -> None:
    """Resamples of a study have all sums, also those that are 0."""
    for times in (0, 1):
        sums = {NOT_COUNTED: Fraction(times)}
        found = called("rematch").results(Statistics(1, 1, 1, 1, sums=sums))
        assert found is not None
        assert found.is_known == (times == 0)
