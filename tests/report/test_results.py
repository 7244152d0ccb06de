"""The sentence on the result claims no more than the numbers and tests show."""

import json
from pathlib import Path

import pytest
from nightly import by_day
from study_files import FILES, blocks_of, run, study_of, write

from exactmatch.report import html

GOLD = ("--gold", "consensus.amr", "--resamples", "99")
UNPROVEN = ("--memory", "1K")


def result(*words: str) -> str:
    study = study_of(*words)
    said: str = json.loads(study.report("json"))["result"]
    for output_format in ("text", "html", "latex"):
        text = study.report(output_format)
        assert said in text.replace("&#x27;", "'"), output_format
    return said


@pytest.fixture(autouse=True)
def more_files(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "svg", lambda _: "<svg/>")  # they take long, and say nothing here
    write("same.amr", blocks_of("a.amr"))
    for name in FILES:
        write(f"one-{name}", blocks_of(name)[:1])


INTERVAL = "95% confidence interval"


@pytest.mark.parametrize(
    "systems, confidence, said",
    [
        ("a", 0.95, f"a reaches F1 0.9059 against consensus ({INTERVAL} 0.8395 to 0.9535)."),
        ("a d", 0.95, "a and d do not differ significantly: 0.1620 F1, p = 0.0625."),
        ("d a", 0.9, "a is better than d: 0.1620 F1, p = 0.0625."),
        ("a same", 0.95, "a and same score the same on common items."),
        ("a same d", 0.95, "a and same lead together with F1 0.9059."),
        ("b a d", 0.95, "a leads with F1 0.9059: it is not significantly better than b and d."),
        (
            "b a d",
            0.8,
            "a leads with F1 0.9059: it is significantly better than d, but not than b.",
        ),
    ],
)
def test_the_result_tells_which_system_is_best(systems: str, confidence: float, said: str) -> None:
    names = (f"{name}.amr" for name in systems.split())
    assert result("compare", *names, *GOLD, "--confidence", str(confidence)) == said


def test_one_item_is_too_few_for_a_test() -> None:
    gold = ("--gold", "one-consensus.amr")
    said = result("compare", "one-a.amr", "one-b.amr", *gold)
    assert said == "one-b and one-a differ by 0.0955 F1, on too few items for a test."
    said = result("compare", "one-a.amr", "one-b.amr", "one-c.amr", *gold)
    assert "too few items for a test in common with one-a and one-c" in said
    assert "significantly" not in said
    assert result("compare", "one-a.amr", *gold) == "one-a reaches F1 0.8276 against one-consensus."


@pytest.mark.slow
@pytest.mark.parametrize(
    "words, said",
    by_day(
        [
            (
                "compare a.amr same.amr",
                "It is not proven which of a and same is better: a has -0.0059 to 0.0059 F1 more.",
            ),
            (
                "compare a.amr same.amr d.amr",
                "a and same lead together with F1 0.9059 to 0.9118; others may be better, since "
                "not all pairs are proven.",
            ),
            (
                "compare b.amr d.amr",
                "b and d do not differ significantly: 0.0745 to 0.1056 F1, p = 0.0625.",
            ),
            (
                "iaa a.amr b.amr --chance none",
                f"Smatch F1 of a and b on 6 items: 0.7557 to 0.7622 ({INTERVAL} 0.6994 to 0.7984), "
                "macro 0.7822 to 0.7851 (0.7167 to 0.8354), 5 of 6 pairs of graphs certified.",
            ),
            (
                "iaa a.amr b.amr c.amr --chance none",
                "Mean pairwise Smatch F1 of 3 annotators on 6 items: 0.7234 to 0.7372 "
                f"({INTERVAL} 0.6687 to 0.7702), macro 0.7391 to 0.7463 (0.6896 to 0.7993), 14 of "
                "18 pairs of graphs certified.",
            ),
        ],
        2,
    ),
)
def test_what_is_not_proven_is_no_result(words: str, said: str) -> None:
    gold = GOLD if words.startswith("compare") else GOLD[2:]
    assert result(*words.split(), *gold, *UNPROVEN) == said


def test_the_result_tells_what_several_metrics_say() -> None:
    metrics = ("--metric", "smatch", "--metric", "sembleu", "--resamples", "99")
    assert result("compare", "a.amr", "b.amr", *GOLD, *metrics) == "a leads by smatch and sembleu."
    assert result("compare", "same.amr", "a.amr", *GOLD, *metrics) == (
        "a and same lead by smatch and sembleu."
    )
    said = result("compare", "a.amr", *GOLD, *metrics)
    assert said == "a reaches smatch 0.9059 and sembleu 0.8935 against consensus."


def test_the_result_tells_how_annotators_agree() -> None:
    words = ("--resamples", "99", "--chance", "none")
    said = result("iaa", "a.amr", "same.amr", *words)
    assert said == (
        "Smatch F1 of a and same on 6 items: 1.0000 (95% confidence interval 1.0000 to 1.0000), "
        "macro 1.0000 (1.0000 to 1.0000), 6 of 6 pairs of graphs certified."
    )
    said = result("iaa", "a.amr", "same.amr", "b.amr", *words)
    assert said.startswith("Mean pairwise Smatch F1 of 3 annotators on 6 items: 0.8371 (95% ")
    assert said.endswith("), 18 of 18 pairs of graphs certified.")
    said = result("iaa", "a.amr", "--consensus", "consensus.amr", *words)
    assert said.startswith("Smatch F1 of a with consensus on 6 items: 0.9059 (95% confidence ")


@pytest.mark.parametrize(
    "words, said",
    [
        (
            ("same.amr",),
            "Pairwise agreement ranges from 0.7557 to 1.0000 micro F1 (highest: a and same).",
        ),
        (
            ("c.amr", *UNPROVEN),
            "Pairwise agreement ranges from 0.6626 to 0.7684 micro F1 (lowest: b and c); not all "
            "pairs are proven.",
        ),
    ],
)
def test_a_note_tells_who_agrees_most(words: tuple[str, ...], said: str) -> None:
    content = run("iaa", "a.amr", "b.amr", *words, "--resamples", "99", "--format", "json").stdout
    assert said in json.loads(content)["notes"]


@pytest.mark.slow
def test_the_result_tells_what_searches_lose() -> None:
    words = ("search-error", "a.amr", "b.amr", "consensus.amr", "--seeds", "2")
    assert result(*words, "--method", "s+4r") == (
        "s+4r finds the best mapping of all 12 pairs in 2 seeds."
    )
    said = result(*words, "--method", "s+9r", "--method", "base")
    assert said == (
        "s+9r loses nothing, and base most, 0.0188 micro F1 (0.0219 with the worst seed); base "
        "ranks the files correctly in 2 of 2 seeds."
    )


def test_the_result_tells_how_metrics_correlate() -> None:
    words = ("correlate", "a.amr", "consensus.amr", "--metrics")
    assert result(*words, "smatch") == "The mean score by smatch is 0.9132."
    said = result("correlate", "one-a.amr", "one-consensus.amr", "--metrics", "smatch,sembleu")
    assert said == "No correlation of metrics is defined."
