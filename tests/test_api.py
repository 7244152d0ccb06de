"""The Python interface."""

import doctest
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from typing import Any

import penman
import pytest
from penman.models import amr

import exactmatch
from exactmatch import _LAZY, from_networkx, to_networkx
from exactmatch.errors import InputError, UsageError
from exactmatch.scoring.frames import _SURE, _UNSURE

TEST = "(s / sing-01 :ARG0 (b / bird))"
GOLD = "(s / sing-01 :ARG0 (c / cat))"


#: Whole studies, whose functions other tests call with less.
_STUDIES = {
    *("exactmatch.many.adjudication.batch", "exactmatch.many.adjudication.collecting"),
    "exactmatch.studies.correlation.from_files",
}


def run_examples(modules: Iterable[str]) -> int:
    """Run the examples in the docstrings of modules, and return how many lines they have."""
    found = [
        doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS)
        for module in sorted(modules)
    ]
    assert sum(result.failed for result in found) == 0
    return sum(result.attempted for result in found)


def test_examples_of_the_documentation() -> None:
    modules = {_LAZY[name] for name in exactmatch.__all__ if name in _LAZY}
    assert modules > _STUDIES
    assert run_examples(modules - _STUDIES) >= 12


@pytest.mark.nightly
def test_examples_of_whole_studies_in_the_documentation() -> None:
    assert run_examples(_STUDIES) >= 9


def test_every_function_has_an_example_that_runs() -> None:
    """`test_examples_of_the_documentation` runs them."""
    functions = [name for name in exactmatch.__all__ if isfunction(getattr(exactmatch, name))]
    assert [name for name in functions if ">>>" not in getattr(exactmatch, name).__doc__] == []
    assert len(functions) >= 34


def test_texts_graphs_and_paths_score_the_same(tmp_path: Path) -> None:
    for name, text in (("system", TEST), ("gold", GOLD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    results = [
        exactmatch.score(TEST, GOLD),
        exactmatch.score([TEST], [GOLD]),
        exactmatch.score(penman.decode(TEST), [penman.decode(GOLD)]),
        exactmatch.score(tmp_path / "system", tmp_path / "gold"),
        exactmatch.score(from_networkx(to_networkx(TEST)), [from_networkx(to_networkx(GOLD))]),
    ]
    assert {(r.matched, r.system_total, r.gold_total, r.optimal) for r in results} == {(3, 4, 4, 1)}
    assert {r.signature for r in results} == {results[0].signature}


def test_graphs_of_penman_want_its_amr_model() -> None:
    text = "(r / ring :consist-of (g / gold))"
    assert exactmatch.score(penman.decode(text, model=amr.model), text).f1 == 1.0
    assert exactmatch.score(penman.decode(text), text).f1 == 0.75


def test_texts_may_start_with_a_byte_order_mark() -> None:
    assert exactmatch.score("\ufeff" + TEST, TEST).f1 == 1.0
    with pytest.raises(InputError, match="not UTF-8"):
        exactmatch.score("(a / \ud800)", TEST)


def test_reasons_come_with_the_result() -> None:
    result = exactmatch.score([TEST, "(a / b"], [GOLD, "(a / b)"], on_error="skip")
    assert result.skipped == 1
    assert ["not closed" in note for note in result.notes] == [True]


def test_a_result_holds_scores_and_pairs() -> None:
    result = exactmatch.score([TEST, "(a / b)"], [GOLD, "(a / b)"])
    assert (result.precision, result.recall, result.f1) == (5 / 6, 5 / 6, 5 / 6)
    assert (result.f1_upper, result.gap, result.pairs) == (result.f1, 0, 2)
    assert repr(result) == "<CorpusScore P 0.8333, R 0.8333, F1 0.8333, 2 of 2 optimal>"
    assert repr(result.per_pair[0]).startswith("<PairScore 1: P 0.7500, R 0.7500, F1 0.7500, opt")
    for name in ("matched", "f1"):
        with pytest.raises(AttributeError):
            setattr(result, name, 4)


def test_intervals_are_shown() -> None:
    result = exactmatch.score(TEST, GOLD, method="base")
    assert result.matched <= 3 <= result.matched_upper
    wide = exactmatch.CorpusScore(
        matched=1, matched_upper=2, system_total=4, gold_total=4, metric=result.metric,
        signature="", settings=result.settings, per_pair=(), seconds=0.0,
    )  # fmt: skip
    assert "F1 0.2500 to 0.5000" in repr(wide)


def test_the_best_mapping_is_found() -> None:
    best = exactmatch.best_mapping(TEST, GOLD)
    assert dict(best.mapping) == {"s": "s", "b": "c"}
    with pytest.raises(UsageError, match="takes one graph a side, not 2"):
        exactmatch.best_mapping(f"{TEST}\n\n{TEST}", f"{GOLD}\n\n{GOLD}")


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"method": "best"}, "no method is called 'best'"),
        ({"solver": "cplex"}, "no solver is called 'cplex'"),
        ({"pair_by": "name"}, "no pair_by is called 'name'"),
        ({"on_error": "cry"}, "no on_error is called 'cry'"),
        ({"profile": None}, "no profile of smatch is called None"),
        ({"timeout": True}, "a time limit of True"),
        ({"timeout": -1}, "a time limit of -1 seconds"),
        ({"timeout": float("nan")}, "a time limit of nan"),
        ({"total_timeout": "3"}, "a time limit of '3'"),
        ({"seed": 2**40}, "seed 1099511627776"),
        ({"seed": -1}, "seed -1"),
        ({"heuristic": True}, "no choice called 'heuristic'; the choices are top, duplicates"),
        ({"method": "s", "cross_check": True}, "need the exact method"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        exactmatch.score(TEST, GOLD, **options)


@pytest.mark.parametrize("given", [None, 5, b"(a / b)", [None], [Path("x")]])
def test_what_holds_no_graphs(given: Any) -> None:
    with pytest.raises(UsageError, match="system"):
        exactmatch.score(given, GOLD)


@pytest.mark.parametrize("given", ["", "\n# nothing\n", []])
def test_nothing_to_score(given: Any) -> None:
    with pytest.raises(InputError, match="system: holds no graph"):
        exactmatch.score(given, GOLD)


def test_all_public_names_are_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scores_of'"):
        exactmatch.scores_of  # type: ignore[attr-defined] # noqa: B018
    assert set(exactmatch.__all__) <= set(dir(exactmatch))
    assert all(hasattr(exactmatch, name) for name in exactmatch.__all__)


def test_numbers_are_equal_only_as_text() -> None:
    assert exactmatch.score("(a / b :quant 1.0)", "(a / b :quant 1)").matched == 2


def test_no_matching_variables_at_all() -> None:
    result = exactmatch.score("(a / b)", "(a / c)", top="none")
    assert (result.matched, result.f1, result.optimal) == (0, 0.0, 1)


def test_cross_check_counts_what_is_confirmed() -> None:
    assert exactmatch.score(TEST, GOLD).confirmed is None
    assert exactmatch.score([TEST] * 3, [GOLD] * 3, cross_check=True).confirmed == 3


def test_texts_of_every_format() -> None:
    assert exactmatch.score('b1 REF x1\nb1 a "n.01" x1', '% a comment\nb2 a "n.01" y').f1 == 1
    node = '{"id": "1", "framework": "dm", "nodes": [{"id": 0, "label": "a"}]}'
    assert exactmatch.score(node, node).metric.name == "mrp"
    with pytest.raises(exactmatch.InputError, match=r"there is no file 'gold'"):
        exactmatch.score("gold", "(a / b)")
    with pytest.raises(exactmatch.InputError, match="system is in clause form, but gold in PENMAN"):
        exactmatch.score("b1 REF x1", "(a / b)")


@pytest.mark.parametrize("workers", [0, -1, 2.0, True, None])
def test_workers_are_a_number_of_processes(workers: object) -> None:
    with pytest.raises(exactmatch.UsageError, match="workers: give a whole number"):
        exactmatch.score("(a / b)", "(a / b)", workers=workers)  # type: ignore[call-overload]


def test_what_is_no_memory_and_no_path() -> None:
    with pytest.raises(exactmatch.UsageError, match="a limit of True bytes"):
        exactmatch.score("(a / b)", "(a / b)", memory=True)
    with pytest.raises(exactmatch.InputError, match="not a file name"):
        exactmatch.score(Path("a\0b"), "(a / b)")


def test_results_become_frames() -> None:
    result = exactmatch.score([TEST, "(a / b"], [GOLD, "(a / b)"], on_error="skip")
    frame = result.to_frame()
    assert list(frame["id"]) == ["1", "2"]
    assert list(frame["status"]) == ["optimal", "skipped"]
    assert (frame["f1"][0], frame["matched"][0], frame["gap"][0]) == (0.75, 3, 0)
    assert frame["f1"].isna().tolist() == [False, True]
    assert frame["f1_upper"].mean() == 0.75
    formula = exactmatch.score(TEST, GOLD, metric="sembleu").to_frame()
    assert formula["f1"].isna().all() and formula["score"].notna().all()
    unkept = replace(result, per_pair=())
    with pytest.raises(UsageError, match="are not kept"):
        unkept.to_frame()


def test_what_shows_a_score_is_loaded_when_it_is_shown() -> None:
    code = "import exactmatch as e, sys; e.score('(a / b)', '(a / b)'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not {"exactmatch.api.show", "exactmatch.metrics.subscores.asked"} & loaded


def test_without_pandas_frames_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"pip install 'exactmatch\[frame\]'"):
        exactmatch.score(TEST, GOLD).to_frame()


def test_results_in_notebooks_are_escaped() -> None:
    text = f"# ::id <b>&\n{TEST}"
    result = exactmatch.score(text, text.replace("bird", "cat"))
    shown = result._repr_html_()
    assert ">Smatch: 1 of 1 pair proven; no mapping scores higher</caption>" in shown
    assert "<tr><td>f1</td><td>0.7500</td><td>0.7500</td></tr>" in shown
    assert f"border-left: 4px solid {_SURE}" in shown
    pair = result.per_pair[0]._repr_html_()
    assert "<b>" not in pair and "&lt;b&gt;&amp;: proven (dual, proof checked); no mapping" in pair
    bleu = exactmatch.score(TEST, GOLD, metric="sembleu")._repr_html_()
    assert bleu.count("<tr>") == 2 and "BLEU" in bleu and "no mapping of variables" in bleu


def test_results_in_notebooks_say_what_is_not_proven() -> None:
    graphs = [TEST, "(a / b"]
    result = exactmatch.score(graphs, [GOLD, "(a / b)"], on_error="skip", method="s", seed=1)
    pair, skipped = result.per_pair
    shown = result._repr_html_()
    assert "; 1 skipped" in shown
    cut_short = replace(result, partial=True)._repr_html_()
    assert f"border-left: 4px solid {_UNSURE}" in cut_short
    for one, said in ((pair, pair._repr_html_()), (result, shown)):
        ends = f"between {one.value:.4f} and {one.value_upper:.4f}"
        assert (ends in said) == (one.value < one.value_upper)
    assert ": skipped</caption>" in skipped._repr_html_()


@pytest.mark.parametrize("metric", ["smatch", "sembleu"])
def test_results_can_be_pickled(metric: Any) -> None:
    result = exactmatch.score(TEST, GOLD, metric=metric, breakdown=True, certificates=True)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.per_pair[0].certificate == result.per_pair[0].certificate
    with pytest.raises(AttributeError):
        result.per_pair[0].status = "feasible"


def test_best_mapping_takes_what_score_takes() -> None:
    best = exactmatch.best_mapping(
        "(a / b)", "(c / b)", workers=1, on_error="skip", total_timeout=5, pair_by="position"
    )
    assert best.f1 == 1.0


FILE = str(Path(__file__).resolve().parents[1] / "instances" / "paper" / "gold.amr")
Calls = Callable[[], object]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: exactmatch.best_mapping("(a / b)", "(a / b)", metric=["smatch"]), "no metric"),  # type: ignore[arg-type]
        (lambda: exactmatch.compare(FILE, FILE), "systems: expected a list"),
        (lambda: exactmatch.agreement(FILE), "annotators: expected a list"),
        (lambda: exactmatch.search_error(FILE, FILE), "systems: expected a list"),
        (lambda: exactmatch.search_error([FILE], FILE, methods="r"), "methods: expected a list"),
        (lambda: exactmatch.principles(FILE, FILE, metric={"smatch"}), "metric: expected a list"),  # type: ignore[arg-type]
        (lambda: exactmatch.principles(FILE, FILE, seeds=0), "seeds is 0: not a whole number from"),
        (lambda: exactmatch.principles(FILE, FILE, sample=0), "sample is 0"),
        (lambda: exactmatch.correlate(FILE, FILE), "systems: expected a list"),
        (lambda: exactmatch.correlate([FILE], FILE, metric=3), "metric: expected a list"),  # type: ignore[arg-type]
        (lambda: exactmatch.correlate([FILE], FILE, sample=0), "sample is 0"),
        (lambda: exactmatch.correlate([FILE], FILE, rows=-1), "rows is -1"),
        (lambda: exactmatch.search_error([FILE], FILE, seeds=0), "seeds is 0"),
        (lambda: exactmatch.search_error([FILE], FILE, document=0), "document is 0"),
        (
            lambda: exactmatch.search_error([FILE], FILE, document=2, group_by="::id"),
            "cannot be combined",
        ),
        (
            lambda: exactmatch.search_error([FILE], FILE, starts="some"),  # type: ignore[call-overload]
            "starts",
        ),
        (
            lambda: exactmatch.score(FILE, FILE, method="r", starts="some"),  # type: ignore[call-overload]
            "no starts is called 'some'; the values are all, candidates",
        ),
        (lambda: exactmatch.search_error([FILE], FILE, restarts=[-1]), "restarts is -1"),
        (lambda: exactmatch.search_error([FILE], FILE, rows=-1), "rows is -1"),
        (lambda: exactmatch.agreement([FILE, FILE], rows=-1), "rows is -1"),
        (lambda: exactmatch.agreement([FILE, FILE], group_by=5), "expected the path of a file"),  # type: ignore[arg-type]
        (lambda: exactmatch.agreement([FILE, FILE], plan="1"), "half-width of '1'"),  # type: ignore[arg-type]
        (lambda: exactmatch.explain(FILE, FILE, rows=-1), "rows is -1"),
        (lambda: exactmatch.agreement([FILE, FILE], resamples=19.5), "19.5 resamples"),  # type: ignore[arg-type]
        (
            lambda: exactmatch.score(
                "(a / b)", "(a / b)", metric=exactmatch.metric("smatch"), profile="smatch-1.0.4"
            ),
            "this smatch has another profile than smatch-1.0.4",
        ),
    ],
)
def test_wrong_arguments_are_told(call: Calls, message: str) -> None:
    with pytest.raises(exactmatch.UsageError, match=message):
        call()


def test_principles_say_how_many_pairs_they_have_seen() -> None:
    found = exactmatch.principles(FILE, FILE, metric=["smatch"], seeds=1)
    assert (found.pairs, found.optimal, found.certified) == (1, 1, 1)


def test_metric_is_the_name_of_the_argument_and_metrics_is_accepted_with_a_warning() -> None:
    calls: list[Callable[..., Any]] = [
        lambda **given: exactmatch.correlate([FILE], FILE, sample=2, **given).tables,
        lambda **given: exactmatch.principles(FILE, FILE, seeds=1, sample=2, **given).tables,
        lambda **given: exactmatch.compare([FILE], FILE, resamples=10, **given).tables,
        lambda **given: exactmatch.score(Path(FILE), Path(FILE), **given)[0].f1,
    ]
    for call in calls:
        named = call(metric=["smatch"])
        with pytest.warns(
            DeprecationWarning, match="the argument metrics is called metric"
        ) as told:
            assert call(metrics=["smatch"]) == named
        assert told[0].filename == __file__
        with pytest.raises(UsageError, match="one argument: give metric"):
            call(metric="smatch", metrics="smatch")
    with pytest.raises(UsageError, match="no choice called 'metrics'"):
        exactmatch.agreement([FILE, FILE], metrics=["smatch"])  # type: ignore[call-arg]
    alone = exactmatch.correlate([FILE], FILE, metric="sembleu", sample=2)
    assert (
        alone.document == exactmatch.correlate([FILE], FILE, metric=["sembleu"], sample=2).document
    )


@pytest.mark.parametrize("word", ["vectors", "synonyms", "classes", "lengths", "cut_off"])
def test_a_file_of_words_leads_to_the_function_that_takes_it(word: str) -> None:
    given: dict[str, Any] = {word: "words.txt"}
    with pytest.raises(UsageError, match=rf"exactmatch.metric\(NAME, {word}=...\)"):
        exactmatch.agreement([FILE, FILE], metric="s2match", **given)


def test_converting_takes_texts_and_refuses_other_things() -> None:
    text = "person.n.01 EQU speaker"
    assert exactmatch.to_sbn(text) == text == exactmatch.to_sbn(exactmatch.loads(text)[0])
    cases: list[tuple[Any, str]] = [(3, "int is no graph"), ("(a / b)", "cannot be written in SBN")]
    for given, error in cases:
        with pytest.raises(InputError, match=error):
            exactmatch.to_sbn(given)
    with pytest.raises(InputError, match="str is no graph of networkx"):
        exactmatch.from_networkx("(a / b)")
