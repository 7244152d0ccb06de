"""Two segmentations of one sentence of UMR: nodes are compared by their characters."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from seeds import cases
from umr_samples import FIRST

import exactmatch
from exactmatch.cli import main
from exactmatch.graphs.graph import Graph, Sentence
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.segmentation import cut_alike
from exactmatch.graphs.sentences import pair_sentences

CHINESE = """\
# :: snt1
Words: 他 喜欢 读书

# sentence level graph:
(s1x / 喜欢-01
    :ARG0 (s1t / 他)
    :ARG1 (s1d / 读书-01))

# alignment:
s1x: 2-2
s1t: 1-1
s1d: 3-3
"""
CUT_OTHERWISE = CHINESE.replace("读书\n", "读 书\n")


def graph(text: str, name: str) -> Graph:
    (found,) = read_text(text, name).graphs
    assert isinstance(found, Graph)
    return found


def sentence(text: str) -> Sentence:
    return graph(text, "f.umr").sentences[0]


def characters(tokens: Sequence[str], numbers: Sequence[int]) -> set[int]:
    """Return the places of the characters of tokens, counted one by one."""
    places = [number for number, token in enumerate(tokens, start=1) for _ in token]
    return {place for place, number in enumerate(places) if number in numbers}


def test_nodes_keep_their_characters() -> None:
    for seed in range(cases(40)):
        check_characters(random.Random(seed))


def check_characters(rng: random.Random) -> None:
    text = "".join(rng.choice("ab书í") for _ in range(rng.randint(1, 12)))
    sides = []
    for _ in range(2):
        tokens = [""]
        for character in text:
            tokens = [*tokens, ""] if tokens[-1] and rng.random() < 0.5 else tokens
            tokens[-1] += character
        numbers = tuple(sorted(rng.sample(range(1, len(tokens) + 1), rng.randint(1, len(tokens)))))
        sides.append(sentence(CHINESE)._replace(tokens=tuple(tokens), tokens_of={"s1x": numbers}))
    for before, after in zip(sides, cut_alike(sides), strict=True):
        assert "".join(after.tokens) == text
        wanted = characters(before.tokens, before.tokens_of["s1x"])
        assert characters(after.tokens, after.tokens_of["s1x"]) == wanted
    one, other = cut_alike(sides)
    assert one.tokens == other.tokens


def test_a_token_behind_the_sentence_stays_there() -> None:
    one = sentence(CHINESE.replace("s1x: 2-2", "s1x: 2-2, 5-5"))
    found, _ = cut_alike([one, sentence(CUT_OTHERWISE)])
    assert found.tokens_of["s1x"] == (2, 6)


@pytest.mark.parametrize(
    "aligned, by_tokens",
    [("3-4", 6), ("3-3", 6), ("4-4", 6), ("1-1", 5), ("0-0", 5)],
)
def test_segmentations_are_compared_by_characters(aligned: str, by_tokens: int) -> None:
    """Six triples with the top; a node without a common character has no partner, nor its edge."""
    system = CUT_OTHERWISE.replace("s1d: 3-3", f"s1d: {aligned}")
    plain = exactmatch.best_mapping(system, CHINESE)
    assert (plain.matched, plain.gold_total, plain.noted) == (6, 6, True)
    anchored = exactmatch.best_mapping(system, CHINESE, anchors="tokens")
    assert anchored.matched == (6 if by_tokens == 6 else 4)


def test_the_note_names_both_places() -> None:
    system, gold = (graph(text, name) for text, name in ((CUT_OTHERWISE, "s"), (CHINESE, "g")))
    paired = pair_sentences(system, gold, "stop")
    (note,) = paired.system.notes
    assert note.startswith("s:1: graph 1 (id snt1): its tokens are cut otherwise than those at g:1")
    assert paired.gold.notes == ()


def test_other_characters_are_an_error() -> None:
    with pytest.raises(exactmatch.InputError, match="token 3 is '读', but '读书'"):
        exactmatch.best_mapping(CUT_OTHERWISE.replace("书\n", "报\n"), CHINESE)


def test_canonically_equivalent_tokens_are_the_same() -> None:
    composed = FIRST.replace("birds sang", "b\u00edrds sang")
    apart = FIRST.replace("birds sang", "bi\u0301rds sang")
    found = exactmatch.best_mapping(composed, apart, anchors="tokens")
    assert (found.f1, found.noted) == (1, False)


@pytest.mark.parametrize("metric", ["smatch", "umatch"])
def test_many_graphs_of_a_sentence_are_compared_by_its_characters(metric: Any) -> None:
    """Three annotators with the same graph and three segmentations agree on everything."""
    cut = CHINESE.replace("喜欢 读书\n", "喜 欢 读书\n").replace("2-2", "2-3").replace("3-3", "4-4")
    texts = [CHINESE, CUT_OTHERWISE.replace("s1d: 3-3", "s1d: 3-4"), cut]
    choices: dict[str, Any] = (
        {"anchors": "tokens"} if metric == "smatch" else {"document_level": "ignore"}
    )
    found = exactmatch.candidates(texts, metric=metric, **choices)
    assert found.f1.tolist() == [[1.0] * 3] * 3
    for system in texts:
        for gold in texts:
            assert exactmatch.best_mapping(system, gold, metric=metric, **choices).f1 == 1
            assert exactmatch.reward(system, gold, metric=metric, **choices) == 1


def test_the_choice_among_segmentations_is_that_of_their_scores(tmp_path: Path) -> None:
    """All tokens of one file behind the first are numbered otherwise."""
    files = [tmp_path / name for name in ("a.umr", "b.umr")]
    cut = CHINESE.replace("喜欢 读书\n", "喜 欢 读书\n").replace("2-2", "2-3").replace("3-3", "4-4")
    for file, text in zip(files, (CHINESE, cut), strict=True):
        file.write_text(text)
    chosen = tmp_path / "items.jsonl"
    command = ["choose", *map(str, files), "--metric", "smatch", "--anchors", "tokens"]
    answer = CliRunner().invoke(main, [*command, "--per-item", str(chosen)])
    assert answer.exit_code == 0
    assert json.loads(chosen.read_text())["means"] == [1.0, 1.0]
    assert "its tokens are cut otherwise" in answer.stderr
