"""The scorer: rewards of many pairs, on processes that stay, with gold graphs that are kept."""

import copy
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from samples import random_graph

import exactmatch
from exactmatch.api import reward as rewards
from exactmatch.problem.integers import COMPILED

posix = pytest.mark.skipif(os.name != "posix", reason="forks, and kills processes by signals")
# Libraries may have started threads, of which Python warns.
forks = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
#: Tests of how processes start, fork, die and end.
of_processes = pytest.mark.usefixtures("own_workers")

A = "(s / sing-01 :ARG0 (b / bird))"
GOLD = "(s / sing-01 :ARG0 (c / cat))"


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    before = set(multiprocessing.active_children())
    yield
    assert set(multiprocessing.active_children()) == before


@pytest.fixture
def pairs() -> list[tuple[str, str]]:
    rng = random.Random("pairs")
    graphs = [random_graph(rng, rng.randrange(1, 7))[0] for _ in range(40)]
    return [(rng.choice([*graphs, "(a /"]), rng.choice(graphs)) for _ in range(150)]


def processes() -> list[int]:
    return sorted(process.pid or 0 for process in multiprocessing.active_children())


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):  # it may end between a look and the blow
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_pairs(workers: int, pairs: list[tuple[str, str]]) -> None:
    wanted = [exactmatch.reward(*pair) for pair in pairs]
    golds = dict(enumerate(dict.fromkeys(gold for _, gold in pairs)))
    keys = {gold: key for key, gold in golds.items()}
    with exactmatch.Scorer("smatch", workers=workers) as scorer:
        scorer.keep(golds)
        assert scorer.rewards(pairs) == wanted
        assert scorer.rewards([(system, keys[gold]) for system, gold in pairs]) == wanted
        mixed = [(s, keys[g] if i % 3 else g) for i, (s, g) in enumerate(pairs)]
        scores = scorer.scores(iter(mixed))
        assert [score.value if score.is_compared else 0.0 for score in scores] == wanted
        assert [score.identifier for score in scores] == [f"{i + 1}" for i in range(len(pairs))]
        assert {score.status for score in scores} == {"optimal", "skipped"}
        assert (scorer.rewards([]), scorer.scores([])) == ([], [])


def test_kept_graphs_are_read_once_and_may_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    right = rewards.Rewards.gold

    def gold(self: rewards.Rewards, given: object) -> rewards.Gold:
        seen.append(given)
        return right(self, given)

    monkeypatch.setattr(rewards.Rewards, "gold", gold)
    with exactmatch.Scorer() as scorer:
        scorer.keep({"k": GOLD})
        assert seen.count(GOLD) == 1  # whether it can be
        assert scorer.rewards([(A, "k")] * 5) + scorer.rewards([(A, "k")]) == [0.75] * 6
        assert seen.count(GOLD) == 2
        scorer.keep({"k": A})
        assert scorer.rewards([(A, "k"), (A, "k")]) == [1.0, 1.0]


def test_processes_get_what_is_replaced() -> None:
    with exactmatch.Scorer(workers=2) as scorer:
        for gold, value in ((GOLD, 0.75), (A, 1.0), ("(s / sing-01)", 2 / 3)):
            scorer.keep({"k": gold})
            assert scorer.rewards([(A, "k")] * 20) == [value] * 20


class Unportable:
    def __reduce__(self) -> Any:
        raise RuntimeError("no")


@of_processes
@pytest.mark.parametrize("workers", [1, 2])
def test_whatever_is_no_graph_is_worth_nothing(
    workers: int, capfd: pytest.CaptureFixture[str]
) -> None:
    (graph,) = exactmatch.loads(A)
    given: list[Any] = [None, b"(a / b)", lambda: A, Unportable(), "\ud800", {}, [A], graph]
    with exactmatch.Scorer(workers=workers) as scorer:
        assert scorer.rewards([(one, A) for one in given]) == [0.0] * 7 + [1.0]
        assert scorer.rewards([(A, graph)]) == [1.0]
    assert capfd.readouterr() == ("", "")


@of_processes
@pytest.mark.parametrize("workers", by_day([1, 2]))
def test_a_gold_graph_that_cannot_be_used_is_an_error(
    workers: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """So is a key that is unknown; neither makes a reward of 0, nor ends the processes."""
    wrong: list[tuple[Any, str]] = [
        (None, "None is neither a gold graph nor a kept key"),
        (7, "7 is neither a gold graph nor a kept key"),
        (b"(a / b)", "a bytes is neither"),
        (Path("missing.amr"), r"cannot be used: missing\.amr: No such file"),
        (Unportable(), "a Unportable is neither"),
        ({}, "a dict is neither"),
        ("x.9", r"'x.9' is no kept key; the gold graph cannot be used: .*found 'x.9', expected"),
        ("(a / b", r"'\(a / b' is no kept key; the gold graph cannot be used: .*not closed"),
        (f"{A}\n\n{A}", "is no kept key; the gold graph cannot be used: its text has more than"),
        ("(a / b " + ":r 1 " * 10_000 + ")", "cannot be used: it has more than 10,000 triples"),
    ]
    with exactmatch.Scorer("smatch", workers=workers) as scorer:
        scorer.keep({"x.1": A})
        assert scorer.rewards([(A, "x.1")] * 40) == [1.0] * 40
        started = processes()
        for gold, said in wrong:
            # Of several, the first one is named, whoever is done first.
            pairs = [(A, "x.1")] * 70 + [(A, gold), *[(A, "x.1")] * 9, (A, "(")]
            for method in (scorer.rewards, scorer.scores):
                with pytest.raises(ValueError, match=f"(?s)^pair 71: .*{said}"):
                    method(pairs)
        for key, (gold, _) in enumerate(wrong):
            with pytest.raises(ValueError, match=f"^{key}: the gold graph cannot be used: "):
                scorer.keep({"x.1": GOLD, key: gold})
        # Nothing was kept with a graph that cannot be, and the processes are the same.
        assert scorer.rewards([(A, "x.1")] * 40) == [1.0] * 40
        assert processes() == started
    assert capfd.readouterr() == ("", "")


@of_processes
@pytest.mark.slow
def test_processes_stay_and_end(pairs: list[tuple[str, str]]) -> None:
    scorer = exactmatch.Scorer(workers=2)
    assert processes() == []
    scorer.rewards(pairs)
    started = processes()
    scorer.rewards(pairs)
    assert processes() == started and len(started) == 2
    scorer.close()
    scorer.close()
    assert processes() == []
    for method in (scorer.rewards, scorer.scores):
        with pytest.raises(exactmatch.UsageError, match="closed"):
            method(pairs)
    forgotten = exactmatch.Scorer(workers=2)
    forgotten.rewards(pairs)
    assert len(processes()) == 2
    del forgotten
    assert processes() == []


@pytest.mark.slow
def test_a_program_ends_that_does_not_close_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import exactmatch\n"
        "if __name__ == '__main__':\n"
        "    scorer = exactmatch.Scorer(workers=2)\n"
        "    print(scorer.rewards([('(a / b)', '(a / b)')] * 10))\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == (f"{[1.0] * 10}\n", "")


@of_processes
@pytest.mark.slow
@posix
def test_a_process_that_dies_is_replaced(pairs: list[tuple[str, str]]) -> None:
    with exactmatch.Scorer(workers=2) as scorer:
        scorer.keep({"k": GOLD})
        wanted = scorer.rewards([*pairs, (A, "k")])
        for pid in processes():
            kill(pid)
        assert scorer.rewards([*pairs, (A, "k")]) == wanted
        busy = threading.Timer(0.05, kill, [processes()[0]])
        busy.start()
        assert scorer.rewards([*pairs, (A, "k")] * 20) == wanted * 20
        busy.join()


@of_processes
@pytest.mark.slow
@posix
def test_pairs_that_kill_are_an_error(pairs: list[tuple[str, str]]) -> None:
    with exactmatch.Scorer(workers=2) as scorer:
        scorer.rewards(pairs)
        stop = threading.Event()

        def kill_all() -> None:
            while not stop.is_set():
                for pid in processes():
                    if pid:
                        kill(pid)
                time.sleep(0.01)

        killing = threading.Thread(target=kill_all)
        killing.start()
        try:
            said = r"was killed .*(: pairs \d+ to \d+|before it was ready for work)$"
            with pytest.raises(exactmatch.WorkerError, match=said):
                scorer.rewards(pairs)
        finally:
            stop.set()
            killing.join()
        assert scorer.rewards(pairs[:3]) == [exactmatch.reward(*pair) for pair in pairs[:3]]


@pytest.mark.slow
def test_after_an_interrupt_it_begins_anew(
    pairs: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = connection.wait
    left = [3]

    def wait(pipes: Any, seconds: float) -> Any:
        if not left:
            return right(pipes, seconds)
        left[0] -= 1
        if left[0] == 0:
            left.clear()
            raise KeyboardInterrupt
        return right(pipes, seconds)

    with exactmatch.Scorer(workers=2) as scorer:
        wanted = scorer.rewards(pairs)
        monkeypatch.setattr(connection, "wait", wait)
        with pytest.raises(KeyboardInterrupt):
            scorer.rewards(pairs[::-1])
        assert processes() == []
        assert scorer.rewards(pairs) == wanted


@of_processes
@pytest.mark.slow
@posix
@forks
def test_a_fork_has_processes_of_its_own(pairs: list[tuple[str, str]]) -> None:
    with exactmatch.Scorer(workers=2) as scorer:
        scorer.keep({"k": GOLD})
        wanted = scorer.rewards([*pairs, (A, "k")])
        started = processes()
        child = os.fork()
        if child == 0:
            found = scorer.rewards([*pairs, (A, "k")])
            scorer.close()
            os._exit(0 if found == wanted else 1)
        assert scorer.rewards([*pairs, (A, "k")]) == wanted  # both at a time
        assert os.waitpid(child, 0)[1] == 0
        assert scorer.rewards([*pairs, (A, "k")]) == wanted
        assert processes() == started


def answer(scorer: exactmatch.Scorer, pairs: Any, pipe: Any) -> None:
    pipe.send(scorer.rewards(pairs))


@of_processes
@pytest.mark.slow
@posix
@forks
@pytest.mark.parametrize("is_daemon", by_day([True, False]))
def test_processes_of_a_loader(is_daemon: bool, pairs: list[tuple[str, str]]) -> None:
    """Torch's ``DataLoader`` starts its workers as daemons, which may not start processes."""
    context = multiprocessing.get_context("fork")
    with exactmatch.Scorer(workers=2) as scorer:
        wanted = scorer.rewards(pairs)
        ours, theirs = context.Pipe()
        process = context.Process(target=answer, args=(scorer, pairs, theirs), daemon=is_daemon)
        process.start()
        assert ours.poll(60) and ours.recv() == wanted
        process.join(60)
        assert process.exitcode == 0


@pytest.mark.slow
def test_a_copy_has_processes_of_its_own(pairs: list[tuple[str, str]]) -> None:
    with exactmatch.Scorer(workers=2, top="none") as scorer:
        scorer.keep({"k": GOLD})
        wanted = scorer.rewards([*pairs, (A, "k")])
        for other in (pickle.loads(pickle.dumps(scorer)), copy.deepcopy(scorer)):
            with other:
                assert other.rewards([*pairs, (A, "k")]) == wanted
                assert len(processes()) == 4


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_threads_may_share_a_scorer(workers: int, pairs: list[tuple[str, str]]) -> None:
    with exactmatch.Scorer(workers=workers) as scorer:
        wanted = scorer.rewards(pairs)
        found: list[list[float]] = []

        def ask() -> None:
            for _ in range(3):
                found.append(scorer.rewards(pairs))

        threads = [threading.Thread(target=ask) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [wanted] * 15


@pytest.mark.parametrize("wrong", [{"metric": "x"}, {"workers": 0}, {"steps": "many"}])
def test_what_does_not_exist(wrong: dict[str, Any]) -> None:
    with pytest.raises(exactmatch.UsageError):
        exactmatch.Scorer(**wrong)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_choice_that_does_not_exist(workers: int) -> None:
    with exactmatch.Scorer(workers=workers, top="x") as scorer:
        for method in (scorer.rewards, scorer.scores):
            with pytest.raises(exactmatch.UsageError, match="top"):
                method([(A, A)])


@pytest.mark.skipif(not COMPILED, reason="texts are counted by compiled code")
def test_kept_texts_are_counted_without_reading_graphs_as_others_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with exactmatch.Scorer("smatch", workers=1) as scorer:
        scorer.keep({"cat": GOLD})
        monkeypatch.setattr("exactmatch.api.reward.Rewards._value", None)
        # Three of four triples match: concept, relation and root.
        assert scorer.rewards([(A, "cat"), (A, GOLD)]) == [0.75, 0.75]
