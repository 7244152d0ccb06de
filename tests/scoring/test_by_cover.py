"""Pairs of which only counts are needed: proofs by covers, and detection of faults."""

import pickle
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nightly import by_day
from oracles import brute_force
from samples import only_graph, random_graph

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import VerificationError
from exactmatch.graphs.graph import PENMAN, Graph
from exactmatch.graphs.pairing import Couple
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import Duplicates, NormalisedGraph
from exactmatch.problem.integers import COMPILED, integers
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.tables import GraphTable
from exactmatch.scoring import recount, stream
from exactmatch.scoring.by_cover import CoverCounter, ProvenCounts, counter_of
from exactmatch.scoring.recount import TableCheck, count_matched
from exactmatch.scoring.settings import Settings
from exactmatch.solving.first_mapping import FirstMapping

#: Interpreted, all pairs go the usual way.
compiled = pytest.mark.skipif(not COMPILED, reason="interpreted")
PLAIN_RECOUNT = interpreted("exactmatch.scoring.recount")
INSTANCES = Path(__file__).resolve().parents[2] / "instances"
DEFAULT = Smatch.profiles["default"]
WAYS: tuple[Duplicates, ...] = ("set", "multiset", "product")
SYSTEM = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
GOLD = "(x / want-01 :ARG0 (y / boy) :ARG1 (f / football))"


def couple(system: str, gold: str) -> Couple:
    left, right = (GraphText(t.encode(), "f", 1, 1, PENMAN, None) for t in (system, gold))
    return Couple("x", left, right, "f", "g")


def test_texts_are_counted_as_brute_force_counts_them() -> None:
    rng = random.Random(3)
    proven = 0
    for k in range(150):
        (system, ours), (gold, theirs) = (random_graph(rng, rng.randint(1, 6)) for _ in range(2))
        duplicates = WAYS[k % 3]
        found = CoverCounter(DEFAULT.with_choices(duplicates=duplicates)).count_texts(
            couple(system, gold)
        )
        if found is not None:
            proven += 1
            totals = (brute_force.total(triples, duplicates) for triples in (ours, theirs))
            assert found == (brute_force.optimum(ours, theirs, duplicates), *totals)
    assert proven > 120


def with_marks_and_strings(rng: random.Random, text: str) -> str:
    """Return a text with surface alignment marks, and strings that may begin with a variable."""
    tokens = re.findall(r"[()]|[^\s()]+", text)
    found = []
    for before, token in zip(["", *tokens], tokens, strict=False):
        found.append(token)
        if before != "(" and token not in "(/)" and rng.random() < 0.1:
            found[-1] += rng.choice(["~e.1", "~2"])  # apart, it is another word for smatch
        if before == "/" and rng.random() < 0.4:
            name = f"{rng.choice('abcx')}{rng.randrange(3)}"
            found.append(rng.choice([':op1 "{} p"', ':ARG0 "{}"~1', ':op1-of "{} q"']).format(name))
    return " ".join(found)


@pytest.mark.parametrize("profile", ["smatch-1.0.4", "smatchpp-1.8-generic"])
def test_marks_and_strings_are_counted_as_brute_force_counts_the_usual_triples(
    profile: str,
) -> None:
    rng = random.Random(profile)
    metric = Smatch.profiles[profile]
    counter = CoverCounter(metric)
    proven = 0
    for _ in range(200):
        texts = [
            with_marks_and_strings(rng, random_graph(rng, rng.randint(1, 6))[0]) for _ in range(2)
        ]
        found = counter.count_texts(couple(*texts))
        if found is None:
            continue
        proven += 1
        usual = [metric.normalise(only_graph(text)).triples for text in texts]
        ours, theirs = ([(" ".join(each.label), each.variables) for each in ts] for ts in usual)
        totals = (brute_force.total(triples, metric.duplicates) for triples in (ours, theirs))
        assert found == (brute_force.optimum(ours, theirs, metric.duplicates), *totals)
    assert proven > 150


class Changed:
    """A proxy that behaves as another object, but runs a function behind one method."""

    def __init__(self, real: Any, method: str, then: Callable[[Any, Any], Any]) -> None:
        self._real = real
        self._method = method
        self._then = then

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._real, name)
        if name != self._method:
            return found
        return lambda *arguments: self._then(self._real, found(*arguments))


def counted(
    part: str,
    method: str,
    then: Callable[[Any, Any], Any],
    pair: Couple,
    metric: AlignmentMetric = DEFAULT,
) -> str:
    """Return the outcome for a pair with a fault in a part of the counter."""
    right = CoverCounter(metric).count_texts(pair)
    counter = CoverCounter(metric)
    setattr(counter, part, Changed(getattr(counter, part), method, then))
    try:
        found = counter.count_texts(pair)
    except VerificationError as error:
        return str(error)
    assert found in (None, right), "a wrong number"
    return "left alone" if found is None else "right"


def some_pair(rng: random.Random) -> Couple:
    return couple(*(random_graph(rng, rng.randint(2, 6))[0] for _ in range(2)))


@pytest.mark.parametrize("profile", ["default", "smatch-1.0.4"])
@pytest.mark.parametrize("side", ["_system", "_gold"])
def test_a_table_that_is_not_what_is_written_is_noticed(side: str, profile: str) -> None:
    rng = random.Random(f"table {side}")

    def spoil(graph: Any, is_plain: bool) -> bool:
        column = getattr(graph.table, rng.choice(["label", "times", "first", "second"]))
        place = rng.randrange(graph.table.start[1])
        column[place] += rng.choice([-1, 1]) if column[place] > 0 else 1
        return is_plain

    metric = Smatch.profiles[profile]
    found = Counter(counted(side, "sort", spoil, some_pair(rng), metric) for _ in range(200))
    assert found["a table of triples differs from the written triples"] > 150
    assert found["right"] == 0


def test_a_triple_that_is_lost_between_text_and_table_is_noticed() -> None:
    def lose(graph: Any, is_plain: bool) -> bool:
        graph.table.start[1] -= 1
        return is_plain

    assert counted("_gold", "sort", lose, couple(SYSTEM, GOLD)).startswith("a table of triples")


@pytest.mark.parametrize("scale", [10**6, 2**62, 10**30])
def test_a_full_match_may_have_any_value(scale: int) -> None:
    metric = type("Valued", (Smatch,), {"name": "valued", "scale": scale})()
    rewards = [exactmatch.Scorer(metric=m).rewards([(SYSTEM, GOLD)]) for m in (metric, "smatch")]
    assert rewards[0] == rewards[1]
    found = exactmatch.best_mapping(SYSTEM, GOLD, metric=metric)
    assert (found.matched, found.matched_upper) == (5 * scale, 5 * scale)


def test_a_table_that_lacks_the_last_written_triple_is_noticed() -> None:
    graph = GraphTable()
    for k, triple in enumerate([(5, 0, -1), (6, 1, -1), (7, 0, 1)]):
        graph.label[k], graph.first[k], graph.second[k] = triple
    for n_triples in (2, 3):
        graph.sort(n_triples, 2)
        assert [TableCheck(graph).holds(n) for n in (2, 3)] == [n == n_triples for n in (2, 3)]


def test_a_mapping_or_a_cover_that_is_wrong_is_noticed() -> None:
    rng = random.Random("covers")

    def spoil(covers: Any, found: bool) -> bool:
        n = max(covers.n_cliques, 1)
        what = rng.choice(["image", "members", "weight"])
        if what == "image":
            covers.image[rng.randrange(2)] = rng.randrange(-2, 6)
        elif what == "members":
            covers.members[rng.randrange(n)] ^= 1 << rng.randrange(16)
        else:
            covers.clique_weight[rng.randrange(n)] += rng.choice([-1, 1])
        return found

    found = Counter(counted("_covers", "solve", spoil, some_pair(rng)) for _ in range(300))
    messages = "\n".join(found)
    for said in (
        *("is not one-to-one", "a match is not paid for", "do not exclude each other"),
        *(
            "holds something that is no match",
            "a cover proves at most",
            "a variable that does not exist",
        ),
    ):
        assert said in messages
    assert 0 < found["right"] < 150  # a change may leave a cover a cover


def test_a_defined_mapping_that_is_wrong_is_noticed() -> None:
    rng = random.Random("first")

    def spoil(first: Any, found: bool) -> bool:
        first.image[rng.randrange(2)] = rng.randrange(-2, 6)
        return found

    said: Counter[str] = Counter()
    for _ in range(200):
        pair = some_pair(rng)
        right = CoverCounter(DEFAULT).map_texts(pair)
        counter: Any = CoverCounter(DEFAULT)
        counter._first = Changed(FirstMapping(counter._covers), "take", spoil)
        try:
            found = counter.map_texts(pair)
        except VerificationError as error:
            said[str(error).partition(",")[0]] += 1
            continue
        # Another best mapping may be left, with a pair that takes part in no match.
        assert found is None or (right is not None and found[0] == right[0])
        said["the same score"] += 1
    messages = "\n".join(said)
    assert "is not one-to-one" in messages and "a cover proves" in messages
    assert "a variable that does not exist" in messages and 0 < said["the same score"] < 100


@pytest.mark.parametrize(
    ("part", "method"), [("_check", "bound"), ("_check", "matched"), ("_recount", "count")]
)
@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("profile", ["default", "smatch-1.0.4"])
def test_two_counts_that_differ_are_noticed(part: str, method: str, by: int, profile: str) -> None:
    metric = Smatch.profiles[profile]
    said = counted(part, method, lambda _, number: number + by, couple(SYSTEM, GOLD), metric)
    assert said.startswith("a cover proves at most")


@pytest.mark.parametrize("module", [recount, PLAIN_RECOUNT])
@pytest.mark.parametrize("duplicates", WAYS)
def test_any_mapping_is_counted_as_from_the_triples(module: Any, duplicates: Duplicates) -> None:
    """Also mappings that are not best, and pairs of which one has more triples than the other."""
    rng = random.Random(f"recount {duplicates}")
    metric = DEFAULT.with_choices(duplicates=duplicates)
    counter: Any = CoverCounter(metric)
    tables = counter._system, counter._gold
    written = [module.TableCheck(table).written for table in tables]
    image = integers([0] * 8)
    counting = module.WrittenRecount(*written, image, duplicates)
    counts: Counter[int] = Counter()
    for _ in range(150):
        texts = [random_graph(rng, rng.randint(1, 6))[0] for _ in range(2)]
        sizes = counter._read(couple(*texts))
        if sizes is None:
            continue
        system, gold = (metric.normalise(only_graph(text)) for text in texts)
        ours, theirs = system.variables, gold.variables
        images = rng.sample([*range(len(theirs)), *[-1] * len(ours)], len(ours))
        image[: len(images)] = integers(images)
        named = {v: theirs[k] for v, k in zip(ours, images, strict=True) if k >= 0}
        for side, size in zip(written, sizes, strict=True):
            side.see(size)
        found = counting.count()
        assert found == count_matched(system, gold, named, duplicates)
        counts[found] += 1
    assert len(counts) > 4


def test_more_matches_than_triples_are_noticed() -> None:
    counter = CoverCounter(DEFAULT)
    assert counter.count_texts(couple(SYSTEM, GOLD)) == (5, 7, 6)
    with pytest.raises(VerificationError, match="5 triples match, but there are only 5 and 4"):
        counter._checked(5, 5, 4)


@compiled
def test_a_disagreement_ends_the_run_and_says_what_reproduces_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "system.amr").write_text(f"# ::id p.1\n{SYSTEM}\n")
    (tmp_path / "gold.amr").write_text(f"# ::id p.1\n{GOLD}\n")
    monkeypatch.chdir(tmp_path)
    for counting in ("count_texts", "count_triples"):

        def wrong(*_: object) -> None:
            raise VerificationError("two counts differ")

        with monkeypatch.context() as patch:
            patch.setattr(CoverCounter, counting, wrong)
            if counting == "count_triples":
                patch.setattr(CoverCounter, "count_texts", lambda *_: None)
            ended = CliRunner().invoke(main, ["score", "system.amr", "gold.amr", "--workers", "1"])
        assert ended.exit_code == 4
        assert "pair p.1: two counts differ" in ended.stderr
        assert '"want-01"' in ended.stderr


@compiled
def test_what_an_interrupt_has_left_half_done_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = CoverCounter(DEFAULT)
    expected = counter.count_texts(couple(SYSTEM, GOLD))
    words: Any = counter._words

    concept = words.concept

    def interrupted(word: str) -> None:
        words.top = concept("want-01")  # what may be, halfway
        raise KeyboardInterrupt

    monkeypatch.setattr(words, "concept", interrupted)
    with pytest.raises(KeyboardInterrupt):
        counter.count_texts(couple("(n / new-01)", GOLD))
    assert counter.count_texts(couple(SYSTEM, GOLD)) == expected


class WithoutRoots(Smatch):
    """A metric that never counts the root, whatever its choices; it is not registered."""

    def normalise(self, graph: Graph) -> NormalisedGraph:
        found = Smatch.normalise(self, graph)
        return found.with_triples([each for each in found.triples if each.kind != "attribute"])


def test_texts_are_not_read_for_a_metric_that_normalises_in_its_own_way() -> None:
    pair = couple(SYSTEM, GOLD)
    assert CoverCounter(DEFAULT).count_texts(pair) is not None
    assert CoverCounter(WithoutRoots()).count_texts(pair) is None


def test_a_counter_that_is_handed_to_another_process_begins_anew() -> None:
    counter = CoverCounter(DEFAULT)
    expected = counter.count_texts(couple(SYSTEM, GOLD))
    again = pickle.loads(pickle.dumps(counter))
    assert again is pickle.loads(pickle.dumps(counter))
    assert again.count_texts(couple(SYSTEM, GOLD)) == expected == ProvenCounts(5, 7, 6)


def test_what_is_found_does_not_depend_on_what_was_read_before() -> None:
    """Whether a cover is found may depend on the order of terms, so the pair defines that order."""
    rng = random.Random("before")

    def some() -> list[str]:
        return [random_graph(rng, rng.randint(8, 12))[0] for _ in range(2)]

    used = CoverCounter(DEFAULT)
    proven = 0
    for _ in range(30):
        texts = some()
        pair = couple(*texts)
        sides = [DEFAULT.normalise(only_graph(text)) for text in texts]
        found = []
        for counter in (CoverCounter(DEFAULT), used):
            for count in (
                partial(counter.count_texts, pair),
                partial(counter.count_triples, *sides),
            ):
                counts = count()
                covers: Any = counter._covers
                members = list(covers.members[: covers.n_cliques * covers.words])
                found.append((counts, counts and (members, list(covers.image[:8]))))
        assert found[:2] == found[2:]
        proven += found[0][0] is not None
        used.count_texts(couple(*some()))
    assert proven > 0


def test_threads_may_share_a_counter() -> None:
    rng = random.Random("threads")
    pairs = [some_pair(rng) for _ in range(200)]
    counter = CoverCounter(DEFAULT)
    expected = [counter.count_texts(pair) for pair in pairs]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(counter.count_texts, pairs)) == expected
    finally:
        sys.setswitchinterval(interval)


@compiled
def test_there_is_no_counter_where_more_than_counts_is_asked_for() -> None:
    assert counter_of(DEFAULT, Settings()) is not None
    assert counter_of(DEFAULT, Settings(solver="dual", timeout=1)) is not None
    for settings in (
        *(Settings(solver="maxsat"), Settings(method="s"), Settings(timeout=0)),
        *(Settings(timeout=1e-9), Settings(timeout=0.9)),
        *(Settings(memory=1000), Settings(certificates=True), Settings(breakdown=True)),
        *(Settings(cross_check=True), Settings(best_mappings=0), Settings(by_sentence=True)),
    ):
        assert counter_of(DEFAULT, settings) is None
    counters = {
        name: counter_of(kind.profiles["default"], Settings()) for name, kind in METRICS.items()
    }
    assert {name for name, counter in counters.items() if counter is not None} == {
        *("smatch", "mrp", "counter", "umatch", "align-smatch"),
    }


class WithoutHash(Smatch):
    """A metric of a user that cannot be a key."""

    __hash__ = None  # type: ignore[assignment]


def test_there_is_no_counter_for_a_metric_that_cannot_be_a_key() -> None:
    assert counter_of(WithoutHash(), Settings()) is None


@compiled
def test_a_process_has_one_counter_for_a_metric() -> None:
    assert counter_of(DEFAULT, Settings()) is counter_of(DEFAULT, Settings(seed=7))
    assert counter_of(DEFAULT.with_choices(top="none"), Settings()) is not counter_of(
        DEFAULT, Settings()
    )


FILES = [
    *(("agreement/a.amr", "agreement/b.amr"), ("agreement/d.amr", "agreement/consensus.amr")),
    *(("hard/small.system.amr", "hard/small.gold.amr"), ("opitz/system.amr", "opitz/gold.amr")),
    *(("hard/strings.system.amr", "hard/strings.gold.amr"), ("umr/a.umr", "umr/b.umr")),
    *(("mrp/system.mrp", "mrp/gold.mrp"), ("sbn/system.sbn", "sbn/gold.sbn")),
    ("drs/system.clf", "drs/gold.clf"),
]


@pytest.mark.parametrize(("system", "gold"), by_day(FILES, 3))
@pytest.mark.parametrize(
    "more",
    [
        *([], ["--solver", "dual"], ["--where", "gold_variables<9"]),
        *(["--metric", "smatch", "--profile", name] for name in ("smatch-1.0.4", "paper-2013")),
        ["--metric", "smatch", "--metric", "sembleu"],
    ],
)
def test_scores_are_the_same_bytes_as_without_covers(
    system: str, gold: str, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(INSTANCES)
    words = ["score", system, gold, "--on-error", "skip", "--no-seconds", "--format", "json"]
    words += ["--workers", "1", *more]
    one = CliRunner().invoke(main, words)
    monkeypatch.setattr(stream, "counter_of", lambda *_: None)
    other = CliRunner().invoke(main, words)
    assert (one.stdout, one.stderr, one.exit_code) == (other.stdout, other.stderr, other.exit_code)


@pytest.mark.parametrize(("system", "gold"), FILES[:5])
def test_several_metrics_are_counted_at_once(
    system: str, gold: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    metrics: list[Metric] = [
        DEFAULT,
        *(DEFAULT.with_choices(top=top) for top in ("none", "concept")),
    ]
    for chosen in (metrics[:2], metrics):  # of the last one, texts are not read into numbers

        def scores(folder: str, chosen: list[Metric] = chosen) -> list[Any]:
            found = exactmatch.score(
                INSTANCES / system,
                INSTANCES / gold,
                metric=chosen,
                on_error="skip",
                resume=tmp_path / f"{folder}{len(chosen)}",
            )
            return [replace(one, seconds=0.0, pages=None) for one in found]

        with monkeypatch.context() as patch:
            patch.setattr(stream, "counter_of", lambda *_: None)
            expected = scores("usual")
        assert scores("counter") == expected
