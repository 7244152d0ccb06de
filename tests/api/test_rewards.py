"""Rewards: the score of readable graphs, 0 for any other output, an error for any other gold."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import penman
import pytest
from samples import random_graph
from seeds import each_seed

import exactmatch
from exactmatch.api import reward as rewards
from exactmatch.graphs.graph import Constant, Graph, Location, Triple, Variable
from exactmatch.problem.integers import COMPILED
from exactmatch.scoring.by_cover import CoverCounter
from exactmatch.solving.dual import descent

A = "(s / sing-01 :ARG0 (b / bird))"
B = "(s / sing-01 :ARG0 (c / cat))"
#: Of which a graph is read, whatever is asked.
READ = f"{A}\r\n"
NOWHERE = Location("", 0)


class Hostile:
    """An object that supports no operation."""

    @property
    def __class__(self) -> Any:
        raise ValueError("no class")

    @__class__.setter
    def __class__(self, _: Any) -> None: ...

    def __iter__(self) -> Any:
        raise OSError("no items")

    __hash__ = None  # type: ignore[assignment]


class Word(str):
    """Text that fails when it is looked at."""

    def lstrip(self, *_: Any) -> str:
        raise RuntimeError("no")

    encode = splitlines = split = __getitem__ = lstrip  # type: ignore[assignment]


UNREADABLE: dict[str, Any] = {
    "nothing": None,
    "bytes": A.encode(),
    "a number": float("nan"),
    "a list": [A],
    "a function": print,
    "hostile": Hostile(),
    "hostile text": Word(A),
    "no text": "",
    "no line": "\n\n\n",
    "two graphs": f"{A}\n\n{A}",
    "not closed": A[:-1],
    "half a surrogate": "\ud800",
    "a NUL": f"{A}\0",
    "parentheses": "(" * 10_000_000,
    "depth": "(a / b :r " * 4_000,
    "depth of JSON": '{"a":' * 70_000,
    "another format": '{"id": "1"}',
    "a long text": f"(a / {'b' * rewards.LONGEST})",
    "a large graph": "(a / b " + ":r 1 " * rewards.MOST_TRIPLES + ")",
    "no penman": penman.Graph([("a", ":instance", None)]),
    "no graph": Graph(*[None] * 5),  # type: ignore[arg-type]
    "triples that are none": Graph(None, {"a": ""}, ((1, 2),), ("a",), NOWHERE),  # type: ignore
    "concepts that are none": Graph(
        None,
        {"a": ""},
        (Triple("/", (Variable("a"), Constant(5))),),  # type: ignore[arg-type]
        ("a",),
        NOWHERE,
    ),
}


@each_seed(30)
def test_a_reward_is_the_score_of_the_best_mapping(seed: int) -> None:
    rng = random.Random(seed)
    (system, _), (gold, _) = random_graph(rng, 6), random_graph(rng, 5)
    best = exactmatch.best_mapping(system, gold)
    assert exactmatch.reward(system, gold) == best.f1
    found = [exactmatch.reward(system, gold, steps=steps) for steps in (0, 1, 3, 30)]
    assert found == sorted(found) and found[-1] <= best.f1


@pytest.mark.parametrize("what", UNREADABLE)
def test_unreadable_graphs_are_worth_nothing(what: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert exactmatch.reward(UNREADABLE[what], A) == 0.0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("what", [*UNREADABLE, "a path", "a name of a file", "another metric's"])
def test_an_unreadable_gold_graph_is_an_error(what: str, capfd: pytest.CaptureFixture[str]) -> None:
    """As 0, it would say that the output is wrong."""
    others = {"a path": Path("gold.amr"), "a name of a file": "gold.amr"}
    gold = {**UNREADABLE, **others, "another metric's": A}[what]
    more: dict[str, Any] = {"metric": "mrp"} if what == "another metric's" else {}
    for system in (A, None, gold):
        with pytest.raises(ValueError, match=r"^the gold graph cannot be used: ") as error:
            exactmatch.reward(system, gold, **more)
        assert isinstance(error.value, exactmatch.InputError)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("metric", ["smatch", "sembleu", "rematch"])
def test_a_gold_graph_that_is_malformed_is_one_that_is_unreadable(metric: Any) -> None:
    """Even if it is only found when it is compared; a malformed output is worth nothing."""
    for what in ("no graph", "triples that are none"):
        malformed = UNREADABLE[what]
        assert exactmatch.reward(malformed, A, metric=metric) == 0.0
        with pytest.raises(ValueError, match=r"^the gold graph cannot be used: "):
            exactmatch.reward(A, malformed, metric=metric)


def corrupted(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice([1, 2, 5, 20])):
        i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        added = rng.choice(["(", ")", "/", ":", '"', "\n", "~e.1", "\0", "é", text[i : i + 20]])
        text = text[:i] + added + text[rng.choice([i, i + 1, j]) :]
    return text


def test_corrupted_graphs_are_worth_something_or_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    rng = random.Random("corrupted")
    graphs = [random_graph(rng, rng.randrange(1, 9))[0] for _ in range(20)]
    found = []
    for _ in range(500):
        system = corrupted(rng, rng.choice(graphs))
        found.append(exactmatch.reward(system, rng.choice(graphs)))
    assert all(type(score) is float and 0 <= score <= 1 for score in found)
    assert 0 < found.count(0.0) < 500
    assert capfd.readouterr() == ("", "")


def equal_labels(size: int, seed: int) -> str:
    rng = random.Random(seed)
    nodes = (
        f":r (a{i} / x :r a{rng.randrange(size)} :s a{rng.randrange(size)})" for i in range(1, size)
    )
    return f"(a0 / x {' '.join(nodes)})"


@pytest.mark.slow
def test_steps_and_size_are_limits() -> None:
    """Graphs whose proof takes minutes get the same reward every time."""
    for size in (25, 250):
        pair = equal_labels(size, 1), equal_labels(size, 2)
        few, more = (exactmatch.reward(*pair, steps=steps) for steps in (0, 20))
        assert 0.5 < few <= more < 1
        assert more == exactmatch.reward(*pair, steps=20)


def test_steps_of_all_descents_count(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[descent.Incumbent] = []

    def incumbent(*values: Any) -> descent.Incumbent:
        made.append(descent.Incumbent(*values))
        return made[-1]

    monkeypatch.setattr("exactmatch.solving.dual.branch_and_bound.Incumbent", incumbent)
    pair = equal_labels(20, 1), equal_labels(20, 2)
    for steps in (0, 7, 45, 200):  # some of them in the core
        exactmatch.reward(*pair, steps=steps)
        assert made[-1].steps == steps


def test_graphs_and_other_metrics() -> None:
    (graph,) = exactmatch.loads(A)
    assert exactmatch.reward(graph, penman.decode(B)) == exactmatch.reward(A, B) == 0.75
    assert exactmatch.reward(A, B, top="none") == pytest.approx(2 / 3)
    bleu = exactmatch.best_mapping(A, A, metric="sembleu").value
    assert exactmatch.reward(A, A, metric="sembleu") == bleu
    counted = exactmatch.metric("smatch", top="none")
    assert exactmatch.reward(A, B, metric=counted) == pytest.approx(2 / 3)
    assert exactmatch.reward(A, A, metric="sembleu", weights=[0.5, 0.5]) > 0
    clauses = 'b1 REF x1\nb1 bird "n.01" x1'
    assert exactmatch.reward(clauses, clauses) == 1.0
    assert exactmatch.reward(clauses, A) == 0.0


@pytest.mark.parametrize(
    "wrong",
    [{"metric": "x"}, {"profile": "x"}, {"top": "x"}, {"x": "y"}, {"steps": -1}, {"steps": 0.5},
     {"steps": 100.0}, {"steps": True}],
)  # fmt: skip
def test_what_does_not_exist(wrong: dict[str, Any]) -> None:
    for given in (A, None):
        with pytest.raises(exactmatch.UsageError):
            exactmatch.reward(given, A, **wrong)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError])
def test_what_is_not_about_the_graphs_gets_through(
    kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise kind

    for what in ("plain_text", "cut_texts", "Mapper"):
        with monkeypatch.context() as patch:
            patch.setattr(rewards, what, fail)
            with pytest.raises(kind):
                exactmatch.reward(READ, READ)


def test_a_defect_of_ours_is_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Callable[..., Any]:
        raise exactmatch.VerificationError("two numbers")

    for where, what in ((rewards, "Mapper"), (CoverCounter, "count_texts")):
        with monkeypatch.context() as patch:
            patch.setattr(where, what, fail)
            text = READ if where is rewards else A
            assert exactmatch.reward(text, text) == (0.0 if COMPILED or text == READ else 1.0)


def test_penman_is_not_loaded_for_it() -> None:
    import subprocess

    code = "import exactmatch as e, sys; e.reward(None, '(a / b)'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"penman", "ortools", "scipy.optimize"} & set(done.stdout.split())


def chat(content: object, **others: object) -> list[dict[str, object]]:
    """Return a completion as TRL passes it to reward functions for data sets of chats."""
    return [{"role": "assistant", "content": content, **others}]


CALLED = [*chat("", tool_calls=[]), {"role": "tool", "name": "f", "content": "no graph"}]


@pytest.mark.parametrize(
    "completion",
    [chat(B), CALLED + chat(B), chat([{"type": "text", "text": B}]), chat(B, tool_calls=[])],
    ids=["one message", "after a tool", "parts", "more keys"],
)
def test_a_chat_completion_is_the_text_of_its_last_message(completion: Any) -> None:
    assert exactmatch.reward(completion, A) == exactmatch.reward(B, A) == 0.75
    with exactmatch.Scorer() as scorer:
        scorer.keep({"x": A})
        assert scorer.rewards([(completion, "x"), (completion, A)]) == [0.75, 0.75]
        assert [pair.f1 for pair in scorer.scores([(completion, "x")])] == [0.75]


@pytest.mark.parametrize(
    "completion",
    [[], [{}], [A], CALLED, chat(None), chat([None]), chat([{"text": 1}]), chat({}),
     [{"content": A}], chat(Hostile()), [Hostile()]],
)  # fmt: skip
def test_a_chat_without_a_graph_is_worth_nothing(completion: Any) -> None:
    assert exactmatch.reward(completion, A) == 0.0
    with exactmatch.Scorer() as scorer:
        assert scorer.rewards([(completion, A)]) == [0.0]
