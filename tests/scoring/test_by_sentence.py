"""Documents sentence by sentence: rows of triples that add up to the whole."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest
from looks import Looks
from samples import only_graph

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.counts import Range
from exactmatch.metrics.sentence_triples import SentenceTriples
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.scoring import comparison as comparing
from exactmatch.scoring import recount
from exactmatch.scoring.best import ends_of_parts, optimum_of
from exactmatch.scoring.by_sentence import counts_by_sentence
from exactmatch.scoring.comparison import Comparison, compare
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.sentence_losses import SentenceLosses
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.solve import solve_within
from exactmatch.scoring.tally import Tally
from exactmatch.solving.settings import SolverSettings
from exactmatch.stopping.deadline import Deadline

# The person is said in one sentence and taken up in the other.
SYSTEM = """(d / document
  :snt1 (a / go-02 :ARG0 (p / person :quant 2) :ARG4 (c / city))
  :snt2 (b / see-01 :ARG0 p :part c :time (n / now)))"""
GOLD = """(d / document
  :snt1 (a / go-02 :ARG0 (p / person :quant 2) :ARG4 (c / town))
  :snt2 (b / see-01 :ARG0 p :ARG1 (e / sea :mod (f / blue))))"""


def test_each_triple_is_in_one_row() -> None:
    best = exactmatch.best_mapping(SYSTEM, GOLD, sentences="aligned", by_sentence=True)
    assert {row: counts[:4] for row, counts in best.sentences.items()} == {
        "1": (3, 4, 3, 4),  # go-02, ARG0, ARG4; and the concept of the city
        "2": (2, 4, 2, 6),  # see-01, ARG0; and time, now; ARG1, sea, mod, blue
        "several": (2, 2, 2, 2),  # person, quant
        "none": (4, 5, 4, 4),  # document, root, both :snt; and part
    }
    assert [counts.lost for counts in best.sentences.values()] == [2, 6, 0, 1]


def test_ranges_over_all_best_mappings() -> None:
    # The root and its edges go together: either the concept of a sentence is matched, or the edge.
    system = "(d / document :snt1 (a / x :mod (b / y)) :snt2 (e / z))"
    gold = "(d / document :snt1 (a / y :ARG0 (b / w)) :snt2 (e / z))"
    best = exactmatch.best_mapping(system, gold, sentences="aligned", by_sentence=True)
    first, none = best.sentences["1"], best.sentences["none"]
    assert best.matched == 5
    assert (first.system_range[:2], first.gold_range[:2]) == ((0, 1), (0, 1))
    assert (none.system_range[:2], none.gold_range[:2]) == ((3, 4), (3, 4))
    assert first.system_matched + none.system_matched == 4
    unproven = exactmatch.best_mapping(
        system, gold, sentences="aligned", by_sentence=True, method="base"
    )
    assert unproven.sentences["1"].system_range.unknown == 1


def test_a_match_counts_where_it_stands_on_either_side() -> None:
    # In the gold standard, the person is in the first sentence alone.
    gold = GOLD.replace(":ARG0 p :ARG1", ":ARG1")
    best = exactmatch.best_mapping(SYSTEM, gold, sentences="aligned", by_sentence=True)
    assert best.sentences["several"][:4] == (2, 2, 0, 0)
    assert best.sentences["1"][:4] == (3, 4, 5, 6)


def _document(rng: random.Random) -> str:
    names = [f"v{number}" for number in range(6)]
    sentences = []
    for number in (1, 2, 3):
        own, other = names[2 * number - 2 : 2 * number]
        link = f":{rng.choice(['ARG0', 'part', 'mod'])} {rng.choice(names)}"
        nested = f":ARG1 ({other} / {rng.choice('xy')} {link} :quant {rng.randrange(2)})"
        sentences.append(f":snt{number} ({own} / {rng.choice('xy')} {nested} {link})")
    return f"(d / document {' '.join(sentences)})"


@pytest.mark.parametrize("profile", ["docsmatch", "default"])
def test_rows_add_up(profile: str) -> None:
    rng = random.Random(3)
    seen: Counter[str] = Counter()
    for _ in range(30):
        best = exactmatch.best_mapping(
            _document(rng), _document(rng), profile=profile, sentences="aligned", by_sentence=True
        )
        total = sum(best.sentences.values(), SentenceTriples())
        assert total[:4] == (best.matched, best.system_total, best.matched, best.gold_total)
        seen.update(name for name, counts in best.sentences.items() if any(counts))
    assert min(seen.values()) > 10 and {*seen} == {"1", "2", "3", "several", "none"}


def test_the_sentences_that_lose_most(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    score = exactmatch.score(
        [GOLD, SYSTEM], [GOLD, GOLD], sentences="aligned", by_sentence=True, per_pair=rows
    )
    assert score.sentences is not None
    assert [loss[:2] for loss in score.sentences.worst] == [("2", "2"), ("2", "1")]
    single = score.sentences.totals["single"]
    assert single[:4] == (15, 18, 15, 20)
    lost = [counts.lost for counts in score.sentences.totals.values()]
    assert sum(lost) == score.system_total + score.gold_total - 2 * score.matched
    content = rows.read_text(encoding="utf-8").splitlines()
    assert content[0].endswith(",sentences")
    assert '""2"": {""lost"": 6, ""system_matched"": 2,' in content[2]


def test_sentences_go_on_where_a_run_was_broken_off() -> None:
    rng = random.Random(5)
    pairs = [(str(n), {"1": SentenceTriples(0, rng.randrange(30), 0, 4)}) for n in range(40)]
    at_once, before, after = SentenceLosses(), SentenceLosses(), SentenceLosses()
    for pair in pairs:
        at_once.add(*pair)
    for pair in pairs[:20]:
        before.add(*pair)
    after.restore(json.loads(json.dumps(before.state())))
    assert after.summed_up() == before.summed_up()
    for pair in pairs[20:]:
        after.add(*pair)
    assert after.summed_up() == at_once.summed_up()
    expected = sorted(pairs, key=lambda pair: -pair[1]["1"].lost)[:10]
    assert [loss.identifier for loss in after.summed_up().worst] == [name for name, _ in expected]


def test_tallies_by_sentence_go_on_where_they_were_saved() -> None:
    metric, settings = Smatch().with_choices(sentences="aligned"), Settings(by_sentence=True)
    tally, restored = Tally(), Tally()
    tally.add(exactmatch.best_mapping(SYSTEM, GOLD, metric=metric, by_sentence=True))
    restored.restore(json.loads(json.dumps(tally.state())))
    found, again = (t.summed_up(metric, settings, seconds=0).sentences for t in (tally, restored))
    assert found == again
    assert found is not None and len(found.worst) == 2


@pytest.mark.parametrize(
    "choices",
    [{}, {"anchors": "tokens"}, {"anchors": "tokens", "sentences": "aligned"}],
)
def test_sentences_have_to_be_told(choices: dict[str, str]) -> None:
    metric = Smatch().with_choices(**choices)
    with pytest.raises(UsageError, match="counted one by one only with --sentences aligned"):
        exactmatch.score(SYSTEM, GOLD, metric=metric, by_sentence=True)


def test_sentences_of_umr_are_counted_one_by_one() -> None:
    sentence = (
        "# :: snt{0}\nWords: a\n\n# sentence level graph:\n(s{0}a / {1})\n\n# alignment:\n"
        "s{0}a: 1-1\n\n# document level annotation:\n(s{0}s0 / sentence :coref ((s1a :same-event "
        "s{0}a)) :temporal ((document-creation-time :before s{0}a)))\n\n"
    )
    system, gold = (sentence.format(1, "x") + sentence.format(2, word) for word in "xy")
    (pair,) = exactmatch.score_pairs(system, gold, document_level="count", by_sentence=True)
    assert isinstance(pair, PairScore)
    # In the first one, the coreference of the node with itself as well; in the second, not.
    assert pair.sentences["2"][:4] == (2, 3, 2, 3)
    assert sum(pair.sentences.values(), SentenceTriples())[1] == pair.system_total


def sharing(size: int) -> Comparison:
    """Return the comparison of a document with itself; all of its sentences share a chain."""
    chain = "".join(f":ARG1 (c{k} / x " for k in range(size)) + ")" * size
    rest = " ".join(f":snt{k} (a{k} / x :ARG1 c0)" for k in range(2, size + 1))
    graph = only_graph(f"(d / document :snt1 (a1 / x {chain}) {rest})")
    return compare(GraphPair("x", graph, graph), Smatch().with_choices(sentences="aligned"))


def test_rows_do_not_look_at_the_whole_document_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: the rows of either side have all triples, and as many match them; so has the whole.

    In that, each triple has at most two variables that are mapped.
    """
    pair = sharing(40)
    mapping = {variable: variable for variable in pair.system.variables}
    looked_at = []
    real = recount.count_matched

    def count(system: NormalisedGraph, gold: NormalisedGraph, named: dict[str, str], *rest):  # type: ignore[no-untyped-def]
        looked_at.append(len(system.triples) + len(gold.as_gold()) + len(named))
        return real(system, gold, named, *rest)

    monkeypatch.setattr(comparing, "count_matched", count)
    rows = counts_by_sentence(pair, mapping, None)
    assert len(rows) == 42  # the sentences, several and none
    assert all(row.lost == 0 for row in rows.values())
    triples = len(pair.system.triples)
    assert sum(looked_at) <= 3 * (triples + triples + 2 * triples)


def test_the_total_of_a_part_needs_no_positions_of_variables() -> None:
    pair = sharing(3)
    part = pair.system.with_triples([*pair.system.triples[:2], pair.system.triples[1]])
    assert (part.total("set"), part.total("multiset")) == (2, 3)
    assert part._occurrences is None
    assert len(part.occurrences) > 0
    assert part.total("set") == 2


def test_ranges_of_sentences_are_unknown_if_the_time_ends_first() -> None:
    pair = sharing(5)
    mapping = {variable: variable for variable in pair.system.variables}

    def never(_: object) -> dict[str, Range]:
        raise AssertionError("time was over")

    late = counts_by_sentence(pair, mapping, never, Looks(3))
    known = counts_by_sentence(pair, mapping, lambda parts: dict.fromkeys(parts, Range(1, 1)))
    assert {row: counts[:4] for row, counts in late.items()} == {
        row: counts[:4] for row, counts in known.items()
    }
    assert all(counts.system_range == Range(unknown=1) for counts in late.values())
    assert all(counts.gold_range == Range(unknown=1) for counts in late.values())
    assert all(counts.gold_range == Range(1, 1) for counts in known.values())


#: The second pair has two best mappings, and is small enough to list them.
DOCUMENTS = [
    (SYSTEM, SYSTEM),
    (
        "(d / document :snt1 (a / x :mod (b / y)) :snt2 (e / z :op (f / u) :op (g / u)))",
        "(d / document :snt1 (a / y :ARG0 (b / w)) :snt2 (e / z :op (f / u) :op (g / u)))",
    ),
]


@pytest.mark.parametrize("texts", DOCUMENTS)
def test_ends_of_many_parts_look_at_the_time(texts: tuple[str, str]) -> None:
    """If the time ends before all parts are looked at, their ends are unknown."""
    system, gold = map(only_graph, texts)
    pair = compare(GraphPair("x", system, gold), Smatch().with_choices(sentences="aligned"))
    settings = SolverSettings(memory=10**9)
    solution = solve_within(pair, settings)

    def ends(deadline: Deadline) -> dict[str, list[int]] | None:
        optimum = optimum_of(pair, solution, settings)
        parts = {str(k): pair for k in range(40)}
        found = ends_of_parts(pair, optimum, parts, deadline)
        if found is None:
            return None
        return {name: [end.matched for end in both] for name, both in found.items()}

    known = ends(Deadline())
    assert known == {str(k): 2 * [solution.lower] for k in range(40)}
    # Each of 40 parts is looked at.
    assert [ends(Looks(looks)) for looks in (0, 1, 20, 39)] == 4 * [None]
    assert ends(Looks(10**6)) == known
