"""Text that looks the same, in all formats and metrics: NFC and NFD, and byte order marks."""

import json
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.invisible import escaped, invisible_in
from exactmatch.graphs.readers import source
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.registry import METRICS
from exactmatch.metrics.s2match import S2match

MARK = "\ufeff"


def umr(word: str) -> str:
    return (
        f"# :: snt1\nIndex: 1 2\nWords: {word} runs\n\n# sentence level graph:\n"
        f'(s1r / run-01 :ARG0 (s1p / {word} :name (s1n / name :op1 "{word}")))\n\n'
        "# alignment:\ns1r: 2-2\ns1p: 1-1\ns1n: 1-1\n\n"
        f"# document level annotation:\n(s1s0 / sentence :modal ((root :{word} author)))\n"
    )


def mrp(word: str, framework: str) -> str:
    return json.dumps(
        {
            "id": "1",
            "framework": framework,
            "input": "x y",
            "tops": [0],
            "nodes": [
                {
                    "id": 0,
                    "label": word,
                    "properties": ["op1"],
                    "values": [word],
                    "anchors": [{"from": 0, "to": 1}],
                },
                {"id": 1, "label": "q", "anchors": [{"from": 2, "to": 3}]},
            ],
            "edges": [{"source": 0, "target": 1, "label": word}],
        },
        ensure_ascii=True,
    )


#: The text of a graph with a word, by metric.
TEXTS: dict[str, Callable[[str], str]] = {
    "smatch": lambda word: f'(c / {word} :{word} (n / name :op1 "{word}" :op2 {word}))',
    "mrp": lambda word: mrp(word, "dm"),
    "counter": lambda word: f'b1 REF x1\nb1 {word} "n.01" x1\nb1 Name x1 "{word}"\n',
    "umatch": umr,
    "sdp": lambda word: mrp(word, "dm"),
    "edm": lambda word: mrp(word, "eds"),
    "ucca": lambda word: mrp(word, "ucca"),
    "predications": lambda word: mrp(word, "eds"),
}
TEXTS |= {"s2match": TEXTS["smatch"], "sembleu": TEXTS["smatch"], "rematch": TEXTS["smatch"]}
TEXTS |= {"dscorer": TEXTS["counter"], "ancast": umr}
#: Metrics that count as a program, which compares text as written.
OF_PROGRAMS = ("align-smatch",)
#: São in Portuguese, Hanguk in Korean, and a word with two marks that may change places.
WORDS = ["S\u00e3o", "\ud55c\uad6d", "\u1e69x"]


def forms(name: str, word: str) -> Iterator[str]:
    for form in ("NFC", "NFD"):
        yield TEXTS[name](unicodedata.normalize(form, word))


def value(found: Any) -> float:
    return float(found.value)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("name", [name for name in METRICS if name not in OF_PROGRAMS])
def test_canonically_equivalent_text_is_equal_by_default(name: str, word: str) -> None:
    composed, decomposed = forms(name, word)
    metric = METRICS[name].profiles["default"]
    if isinstance(metric, S2match):
        metric = metric.symbolic()
    assert value(exactmatch.score(composed, composed, metric=metric)) == 1
    assert value(exactmatch.score(decomposed, composed, metric=metric)) == 1
    written = metric.with_choices(unicode="as-written")
    assert value(exactmatch.score(decomposed, composed, metric=written)) < 1
    assert value(exactmatch.score(decomposed, decomposed, metric=written)) == 1


@pytest.mark.parametrize("name", METRICS)
def test_profiles_of_programs_and_papers_compare_text_as_written(name: str) -> None:
    forms_of = {
        profile: getattr(metric, "unicode", "as-written")
        for profile, metric in METRICS[name].profiles.items()
    }
    if name not in OF_PROGRAMS:
        assert forms_of.pop("default") == "nfc"
    assert set(forms_of.values()) <= {"as-written"}


def test_all_roads_compare_in_one_form(tmp_path: Path) -> None:
    """Texts are counted by number, graphs by label, and matrices by tables of all graphs."""
    composed, decomposed = forms("smatch", "S\u00e3o")
    read = [read_text(text, "x").graphs[0] for text in (decomposed, composed)]
    assert all(isinstance(graph, Graph) for graph in read)
    found: Any = exactmatch.score(*read)
    assert found.matched == 6
    cases: list[tuple[dict[str, Any], int]] = [({}, 6), ({"unicode": "as-written"}, 2)]
    for choices, matched in cases:
        found = exactmatch.score(decomposed, composed, **choices)
        assert (found.matched, found.system_total) == (matched, 6)
        detailed = exactmatch.score(decomposed, composed, breakdown=True, **choices)
        assert detailed.matched == matched
        assert exactmatch.best_mapping(decomposed, composed, **choices).matched == matched
        assert exactmatch.reward(decomposed, composed, **choices) == matched / 6
        matrix = exactmatch.matrix([decomposed, composed], **choices)
        assert matrix.dense()[0, 1] == pytest.approx(matched / 6)


def test_sbn_compares_in_one_form() -> None:
    """A name and its twin: box, concept, root, member and the name."""
    composed, decomposed = (
        f'male.n.02 Name "{unicodedata.normalize(form, WORDS[0])}"\n' for form in ("NFC", "NFD")
    )
    found = exactmatch.score(decomposed, composed)
    assert (found.matched, found.system_total) == (found.gold_total, found.gold_total)
    assert exactmatch.score(decomposed, composed, profile="pmb-5").matched == found.matched - 2


@pytest.mark.parametrize("pair_by", ["position", "id"])
def test_identifiers_in_both_forms_are_one(pair_by: Any) -> None:
    composed, decomposed = (
        f"# ::id {unicodedata.normalize(form, WORDS[0])}.1\n(a / b)\n" for form in ("NFC", "NFD")
    )
    found = exactmatch.score(decomposed, composed, pair_by=pair_by)
    assert (found.pairs, found.matched) == (1, 2)
    assert exactmatch.score(decomposed, composed, ids=["Sa\u0303o.1"]).pairs == 1


def test_certificates_of_former_profiles_are_of_text_as_written() -> None:
    from exactmatch.metrics.registry import metric_labelled

    for name, former in {
        "default.1": "smatch",
        "counter.1": "counter",
        "umatch.1": "umatch",
    }.items():
        metric = metric_labelled(name)
        assert (metric.name, metric.label()) == (former, name)
        assert metric in type(metric).former and "unicode" not in metric.signature()
    assert metric_labelled("s2match.3").name == "s2match"
    assert metric_labelled("mrp.2").label() == "mrp.2"


@pytest.mark.parametrize("name", ["smatch", "counter", "umatch", "mrp"])
def test_byte_order_marks_before_lines_are_skipped(name: Any, tmp_path: Path) -> None:
    text = TEXTS[name]("word")
    whole = f"{text}\n\n{text}\n" if name in ("smatch", "counter") else f"{text}\n"
    marked = tmp_path / "marked"
    lines = [f"{MARK}{line}" for line in whole.split("\n")]
    marked.write_text(f"{MARK}" + "\n".join(lines), encoding="utf-8", newline="")
    plain = tmp_path / "plain"
    plain.write_text(whole, encoding="utf-8", newline="")
    found = exactmatch.score(marked, plain, metric=name)
    assert found.value == 1 and found.system_total == found.gold_total


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7])
def test_marks_are_found_at_the_ends_of_chunks(size: int) -> None:
    written = f"{MARK}{MARK}a{MARK}\n{MARK}\n\n\u00ef{MARK}b\n{MARK}{MARK}c".encode()
    written += b"\r\n\xef"
    chunks = [written[start : start + size] for start in range(0, len(written), size)]
    found = b"".join(source._text_chunks(iter(chunks)))
    assert found == f"a{MARK}\n\n\n\u00ef{MARK}b\nc\n".encode() + b"\xef"


def test_invisible_characters_are_told_from_letters() -> None:
    shown = {"\u00a0": "\\u00a0", "\u3000": "\\u3000", "\u200b": "\\u200b", "\u200e": "\\u200e"}
    shown |= {MARK: "\\ufeff", "\u202e": "\\u202e", "\U000e0001": "\\U000e0001"}
    for character, written in shown.items():
        assert invisible_in(f"a{character}b{character}") == [character] * 2
        assert escaped(f"a{character}\u00e3") == f"a{written}\u00e3"
    for word in ("S\u00e3o", "Sa\u0303o", "\ud55c\uad6d", "\u0645\u06cc\u200c\u062e", "a b", "-"):
        assert invisible_in(word) == [] and escaped(word) == word
