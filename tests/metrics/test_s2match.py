"""S2match, and the similarity of concepts that it rests on."""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from samples import random_graph
from seeds import cases

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import InputError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.readers.word_files import read_similarities, read_vectors
from exactmatch.graphs.words import SimilarityTable, Stem, Vector, Vectors, Words
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.similarity import PAPER, ConceptRules, Similarity
from exactmatch.metrics.smatch import Smatch

INSTANCES = Path(__file__).resolve().parents[2] / "instances"

#: The directions of two components, as in a drawing.
TOY = {"cat": (1, 0), "kitten": (4, 3), "giraffe": (-10, 1), "fox": (0, 3), "zero": (0, 0)}


def vectors_of(words: Mapping[str, Sequence[int]]) -> Vectors:
    return Vectors("v", {word: Vector(numbers) for word, numbers in words.items()})


VECTORS = vectors_of(TOY)


def similarity(words: Words = VECTORS, cut_off: str = "0.5", factor: str = "0.5") -> Similarity:
    return Similarity(words, Fraction(cut_off), Fraction(factor))


def profile(words: Words = VECTORS, name: str = "default", **choices: str) -> S2match:
    chosen = S2match.profiles[name].with_choices(**choices)
    return chosen.with_words(similarity=similarity(words))


#: What the authors' program does.
PROGRAM = ConceptRules("excluded", "all", "word-and-plural")


@pytest.mark.parametrize(
    "one, other, paper, program",
    [
        ("cat", "cat", 1, 1),
        ("unknown", "unknown", 1, 1),
        ("cat", "kitten", 0.8, 0.8),
        ("kitten", "fox", 0.6, 0.6),
        ("cat", "fox", 0, 0),  # at a right angle
        ("cat", "giraffe", 0, 0),  # beyond it
        ("cat", "unknown", 0, 0),
        ("cat", "zero", 0, 0),
        ("hit-01", "hit-02", 0.5, 0.5),  # the same word: the factor
        ("hit-01", "hit", 0.5, 0.5),
        ("have-rel-role-91", "have-rel-role-92", 0.5, 0.5),
        ("f-16-01", "f-16", 0.5, 0.5),
        ("cat-01", "kitten", 0.8, 0.4),  # other words: the program halves them, too
        ("cat-01", "kitten-02", 0.8, 0.4),
        ("cat-fox", "cat", 0, 0),  # (1, 3) and (1, 0): 1 / sqrt(10), below the cut-off
        ("cat-fox", "fox", 0.948683, 0.948683),  # 3 / sqrt(10)
        ("cat-unknown", "kitten", 0.8, 0.8),  # its known part
        ("cat-unknown-01", "kitten", 0.8, 0),  # the program looks the word up whole
        ("cat-a1", "kitten", 0.8, 0.4),  # it takes any last part for a sense if there is a digit
        ("cat1-kitten", "kitten", 1, 0),
    ],
)
def test_similarities_follow_the_rules_of_paper_and_program(
    one: str, other: str, paper: float, program: float
) -> None:
    for rules, expected in ((PAPER, paper), (PROGRAM, program)):
        for pair in ((one, other), (other, one)):
            assert similarity().of(*pair, rules) == round(1000 * expected)


def test_the_cut_off_is_for_words_that_differ() -> None:
    assert similarity(cut_off="0.81").of("cat", "kitten") == 0
    assert similarity(cut_off="0.8").of("cat", "kitten") == 800
    assert similarity(cut_off="0.8").of("cat", "kitten", PROGRAM) == 0
    assert similarity(cut_off="0.79").of("cat-01", "kitten", PROGRAM) == 400
    for rules in (PAPER, PROGRAM):
        assert similarity(cut_off="1").of("hit-01", "hit-02", rules) == 500
        assert similarity(factor="0.25").of("hit-01", "hit-02", rules) == 250


def test_a_concept_may_be_known_with_its_sense() -> None:
    pairs = {("hit-01", "hit-02"): "0.7", ("hit-02", "strike"): "0.6", ("hit", "strike"): "0.9"}
    words = SimilarityTable("t", {pair: Fraction(value) for pair, value in pairs.items()})
    known = similarity(words)
    assert known.of("hit-01", "hit-02") == 700
    assert known.of("hit-02", "strike") == 600
    assert known.of("hit-03", "strike") == 900
    assert known.of("hit-01", "strike") == 0
    assert known.of("hit-01", "hit-02", PROGRAM) == 500
    assert known.of("hit-02", "strike", PROGRAM) == 450
    vectors = vectors_of({"f": [1, 0], "f-16": [0, 1], "jet": [0, 1]})
    assert [similarity(vectors).of("f-16", "jet", g) for g in (PAPER, PROGRAM)] == [1000, 0]


def test_the_program_adds_plurals() -> None:
    """The vectors (1, 0) and (0, 1) add up to (1, 1), at 45 degrees to the word without sense."""
    vectors = vectors_of({"run": (1, 0), "runs": (0, 1), "dash": (1, 0), "walks": (1, 0)})
    assert vectors.square(Stem("run"), "dash") == Fraction(1, 2)
    assert vectors.square(Stem("dash"), "run") == 1
    assert vectors.square(Stem("walk"), "dash") == 0  # its plural alone is not enough
    known = similarity(vectors)
    assert known.of("run-01", "dash-01", PROGRAM) == 354  # 0.7071 / 2
    assert known.of("run", "dash-01", PROGRAM) == 500
    assert known.of("run-01", "dash-01") == 1000


def f1(system: str, gold: str, words: Words, name: str) -> float:
    return exactmatch.best_mapping(system, gold, metric=profile(words, name)).f1


#: (1, 0, 0, 0) and (1, 1, 1, 1): their cosine is 1/2.
HALF = vectors_of({"cat": [1, 0, 0, 0], "lion": [1] * 4})


def test_the_threshold_is_similar_enough_for_the_paper_and_not_for_the_program() -> None:
    """Section 4: 0 if 1 - d is below 1/2. The program: similar if it is above."""
    pair = ("(a / see-01 :ARG0 (b / cat))", "(x / see-01 :ARG0 (y / lion))")
    for words in (HALF, SimilarityTable("half", {("cat", "lion"): Fraction(1, 2)})):
        # See-01, ARG0 and the root match, of 4; and cat with lion.
        assert f1(*pair, words, "paper") == f1(*pair, words, "default") == 3.5 / 4
        assert f1(*pair, words, "program") == 3 / 4
    less = SimilarityTable("less", {("cat", "lion"): Fraction("0.499")})
    assert f1(*pair, less, "paper") == f1(*pair, less, "program") == 3 / 4


def test_senses_of_one_word_are_similar() -> None:
    """The senses of one word count 1/2, different words their cosine, which the program halves."""
    words = SimilarityTable("t", {("hit", "strike"): Fraction("0.8")})
    pair = ("(a / see-01 :ARG1 (b / hit-01))", "(x / see-01 :ARG1 (y / hit-02))")
    assert f1(*pair, words, "paper") == f1(*pair, words, "program") == 3.5 / 4
    pair = ("(a / see-01 :ARG1 (b / hit-01))", "(x / see-01 :ARG1 (y / strike-01))")
    assert f1(*pair, words, "paper") == 3.8 / 4
    assert f1(*pair, words, "program") == 3.4 / 4


def test_the_root_is_graded_in_the_program_alone() -> None:
    """Only instance triples are graded (section 4); in the program the root is, too."""
    words = SimilarityTable("t", {("cat", "kitten"): Fraction("0.8")})
    pair = ("(a / cat :mod (b / big))", "(x / kitten :mod (y / big))")
    # Big, mod, and cat with kitten, of 4; and the root, whose concept is another one.
    assert f1(*pair, words, "paper") == 2.8 / 4
    assert f1(*pair, words, "program") == 3.6 / 4


def test_smatch_beside_s2match_is_never_above_it() -> None:
    """With the profile of both, S2match only adds to the matches of the same triples.

    In their default profiles they count the root in different ways, and S2match may be lower.
    """
    words = SimilarityTable("t", {("cat", "kitten"): Fraction("0.8")})
    pair = ("(a / cat :mod (b / big))", "(x / kitten :mod (y / big))")
    assert _both(*pair, words, "opitz-2020") == (2 / 4, 2.8 / 4)
    assert _both(*pair, words, "default") == (3 / 4, 2.8 / 4)
    rng = random.Random("opitz-2020")
    for case in range(cases(60)):
        one, other = (random_graph(rng, rng.randint(1, 6))[0] for _ in range(2))
        hard, soft = _both(one, other, random_table(rng, ["0", "0.6", "0.9"]), "opitz-2020")
        assert hard <= soft, case


def _both(system: str, gold: str, words: Words, name: str) -> tuple[float, float]:
    return exactmatch.best_mapping(system, gold, profile=name).f1, f1(system, gold, words, name)


def test_parallel_relations_and_attributes() -> None:
    """The program keeps them by variable and name, so only the last one counts."""
    words = SimilarityTable("none", {("cat", "kitten"): Fraction("0.8")})
    pair = ("(a / x :ARG0 (b / y) :ARG1 b)", "(a / x :ARG0 (b / y))")
    assert f1(*pair, words, "paper") == pytest.approx(8 / 9)
    assert f1(*pair, words, "program") == 3 / 4
    pair = ("(a / x :op1 1 :op1 2 :op2 1)", "(a / x :op1 2)")
    assert f1(*pair, words, "paper") == pytest.approx(6 / 8)
    assert f1(*pair, words, "program") == pytest.approx(6 / 7)


def test_s2match_tells_the_graphs_of_figure_7_apart() -> None:
    """Opitz et al. (2020): Smatch cannot tell which of three is unlike the others; S2match can."""
    texts = [
        "(s / sprint-01 :ARG0 (c / cat))",
        "(r / run-02 :ARG0 (k / kitten))",
        "(s / sleep-01 :ARG0 (g / giraffe))",
    ]
    pairs = [(texts[0], texts[1]), (texts[0], texts[2]), (texts[1], texts[2])]
    assert [exactmatch.best_mapping(*p, top="concept").f1 for p in pairs] == [0.25] * 3
    words = read_vectors(INSTANCES / "vectors" / "words.txt")
    near, *others = (exactmatch.best_mapping(*p, metric=profile(words)).f1 for p in pairs)
    assert near > max(others)
    # With the toy vectors, by hand: ARG0 counts 1 and cat with kitten 0.8, of 4.
    assert exactmatch.best_mapping(*pairs[0], metric=profile()).f1 == pytest.approx(1.8 / 4)


#: Those of `random_graph`.
CONCEPTS = ("p", "q", "r")


def random_table(rng: random.Random, values: list[str]) -> SimilarityTable:
    pairs = [(a, b) for a in CONCEPTS for b in CONCEPTS if a < b]
    return SimilarityTable("random", {pair: Fraction(rng.choice(values)) for pair in pairs})


def samples(seed: str, count: int) -> list[tuple[str, str]]:
    """Return pairs of random graphs."""
    rng = random.Random(seed)
    texts = []
    for _ in range(2 * count):
        text, _graph = random_graph(rng, rng.randint(1, 4))
        texts.append(text)
    return list(zip(texts[::2], texts[1::2], strict=True))


def defined(system: str, gold: str, chosen: S2match) -> int:
    """Return the best score, from the definition: all mappings, all pairs of triples."""
    graded = ("instance", "top") if chosen.graded == "instances-and-root" else ("instance",)
    rules = ConceptRules(chosen.threshold, chosen.senses, chosen.lookup)
    sides = []
    for text in (system, gold):
        (graph,) = read_text(text, "text").graphs
        assert isinstance(graph, Graph), graph
        sides.append(chosen.normalise(graph))
    left, right = sides
    assert chosen.similarity is not None
    best = 0
    own = set(left.triples)
    wanted: dict[Any, list[Any]] = defaultdict(list)
    for other, others in set(right.triples):
        wanted[others].append(other)
    targets = [*right.variables, *(None for _ in left.variables)]
    for images in set(permutations(targets, len(left.variables))):
        mapping = dict(zip(left.variables, images, strict=True))
        score = 0
        for label, variables in own:
            for other in wanted.get(tuple(mapping[v] for v in variables), ()):
                if label == other:
                    score += 1000
                elif label[0] == other[0] and label[0] in graded:
                    score += chosen.similarity.of(label[1], other[1], rules)
        best = max(best, score)
    return best


@pytest.mark.slow
def test_s2match_is_as_brute_force_has_it() -> None:
    rng = random.Random("similarities")
    graded = 0
    for system, gold in samples("s2match", cases(110)):
        words = random_table(rng, ["0", "0.3", "0.5", "0.555", "0.7", "0.9996"])
        chosen = profile(words, rng.choice([*S2match.profiles]))
        found = exactmatch.best_mapping(system, gold, metric=chosen, timeout=None)
        assert found.status == "optimal"
        assert found.matched == defined(system, gold, chosen)
        back = exactmatch.best_mapping(gold, system, metric=chosen)
        assert (back.matched, back.precision) == (found.matched, found.recall)
        graded += found.matched % 1000 != 0
    assert graded > cases(11)


@pytest.mark.slow
def test_smatch_is_the_case_of_nothing_in_between() -> None:
    rng = random.Random("cut-off")
    plain = Smatch.profiles["default"].with_choices(top="concept")
    for system, gold in samples("smatch", cases(100)):
        words = random_table(rng, ["0", "0.6", "0.9"])
        exact = exactmatch.best_mapping(system, gold, metric=plain).matched
        never = profile().with_words(similarity=similarity(words, cut_off="1"))
        assert exactmatch.best_mapping(system, gold, metric=never).matched == 1000 * exact
        nothing = profile(random_table(rng, ["0"]))
        assert exactmatch.best_mapping(system, gold, metric=nothing).matched == 1000 * exact


def test_concepts_of_similarity_1_are_one_concept() -> None:
    words = SimilarityTable("one", {("p", "q"): Fraction(1)})
    counted = profile(words, graded="instances-and-root")
    plain = Smatch.profiles["default"].with_choices(top="concept")
    for system, gold in samples("one", 100):
        merged = (system.replace("/ q", "/ p"), gold.replace("/ q", "/ p"))
        found = exactmatch.best_mapping(system, gold, metric=counted).matched
        assert found == 1000 * exactmatch.best_mapping(*merged, metric=plain).matched


def test_a_graph_is_most_similar_to_itself() -> None:
    for system, _ in samples("itself", 50):
        assert exactmatch.best_mapping(system, system, metric=profile()).f1 == 1


@pytest.mark.parametrize(
    "alike, matched", [("0.0004", 0), ("0.0005", 1), ("0.001", 1), ("0.4995", 500), ("1", 1000)]
)
def test_similarities_are_rounded_to_thousandths(alike: str, matched: int) -> None:
    words = similarity(SimilarityTable("table", {("p", "q"): Fraction(alike)}), cut_off="0")
    metric = S2match(similarity=words).with_choices(top="none")
    assert exactmatch.best_mapping("(a / p)", "(b / q)", metric=metric).matched == matched


@pytest.mark.parametrize(
    "system, gold",
    [
        ("(a / role)", "(b / p :role p)"),
        ("(a / role)", "(b / p :role (c / p))"),
        ("(a / x :role -)", "(b / y :name -)"),
        ("(a / x :role (c / x))", "(b / y :name (d / y))"),
    ],
)
def test_only_concepts_are_similar(system: str, gold: str) -> None:
    words = SimilarityTable("table", {("name", "role"): Fraction(1)})
    metric = profile(words, top="none")
    assert exactmatch.best_mapping(system, gold, metric=metric).matched == 0
    assert exactmatch.best_mapping(gold, system, metric=metric).matched == 0


def test_it_needs_a_similarity() -> None:
    with pytest.raises(exactmatch.UsageError, match="needs --vectors or --similarity"):
        exactmatch.score("(a / b)", "(a / b)", metric="s2match")


@pytest.mark.parametrize("head", ["", "3 2\n", "\n"])
def test_vectors_are_read_from_a_file(tmp_path: Path, head: str) -> None:
    path = tmp_path / "words.txt"
    text = f"{head}cat 1 0\nKitten .8 6e-1\nkitten 0 1\n\né -1 +2.5\n"
    path.write_bytes(gzip.compress(text.encode()))
    words = read_vectors(path)
    assert words.vectors == {
        "cat": Vector([1, 0], 1), "kitten": Vector([4, 3], 5), "é": Vector([-2, 5], 2),
    }  # fmt: skip
    assert words.square("cat", "kitten") == Fraction(16, 25)


@pytest.mark.parametrize(
    "text, message",
    [
        (b"", "holds no word vector"),
        (b"2 3\n", "holds no word vector"),
        (b"cat 1 0\ndog 1\n", ":2: 1 numbers after 'dog', expected 2"),
        (b"cat\n", ":1: 0 numbers after 'cat', expected 1"),
        (b"cat 1 x\n", ":1: 'x' is no number"),
        (b"cat 1 nan\n", ":1: 'nan' is no number"),
        (b"cat 1 inf\n", ":1: 'inf' is no number"),
        (b"cat 1 1/0\n", ":1: '1/0' is no number"),
        (b"cat 1 -Infinity\n", ":1: '-Infinity' is no number"),
        (b"cat 1 1e999999999\n", ":1: '1e999999999' is out of range: at most 1000 characters"),
        (b"cat 1 1e-999999999\n", ":1: '1e-999999999' is out of range: at most"),
        (b"cat 1 -1.5E-1_000_000_000\n", ":1: '-1.5E-1_000_000_000' is out of range: at most"),
        (b"cat 1 1e1000\n", ":1: '1e1000' is out of range: at most"),
        (b"cat 1 " + b"1" * 1001 + b"\n", ":1: '" + "1" * 40 + "...' is out of range: at most"),
        (b"c\xe9 1 0\n", ":1: byte 0xe9 is not UTF-8"),
    ],
)
def test_what_is_no_vector(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_vectors(path)
    assert message in str(caught.value)


def test_similarities_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("# a comment\nCat\tkitten 0.8\n\nkitten cat 0.80\n", encoding="utf-8")
    words = read_similarities(path)
    assert words.square("kitten", "cat") == words.square("cat", "kitten") == Fraction(16, 25)
    assert words.square("cat", "dog") == 0


@pytest.mark.parametrize(
    "text, message",
    [
        (b"# nothing\n", "holds no similarity"),
        (b"cat kitten\n", ":1: 2 words, expected two and a number"),
        (b"cat kitten near\n", ":1: 'near' is no number"),
        (b"cat kitten 1.1\n", ":1: similarity 1.1 is not between 0 and 1"),
        (b"cat kitten -0.1\n", ":1: similarity -0.1 is not between 0 and 1"),
        (
            b"cat kitten .8\nkitten cat .7\n",
            ":2: kitten and cat have similarity .7 here, but 0.8 before",
        ),
        (b"c\xe9 cat 1\n", ":1: byte 0xe9 is not UTF-8"),
    ],
)
def test_what_is_no_similarity(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_similarities(path)
    assert message in str(caught.value)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.amr").write_text("# ::id 1\n(s / sprint-01 :ARG0 (c / cat))\n", encoding="utf-8")
    Path("b.amr").write_text("# ::id 1\n(r / run-02 :ARG0 (k / kitten))\n", encoding="utf-8")
    Path("words.txt").write_text("cat kitten 0.8\nrun sprint 0.9\n", encoding="utf-8")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


S2MATCH = ("a.amr", "b.amr", "--metric", "s2match", "--similarity", "words.txt")


def test_s2match_runs_on_the_command_line(files: None) -> None:
    # ARG0 1, cat and kitten 0.8, the frames 0.9; the program: 0.9 / 2, and once more as roots.
    result = run("score", *S2MATCH, "--format", "json", "--breakdown")
    content = json.loads(result.stdout)
    assert (content["metric"], content["scale"]) == ("s2match", 1000)
    assert (content["matched"], content["matched_upper"]) == (2700, 2700)
    assert (content["system_total"], content["gold_total"]) == (4000, 4000)
    assert {part: c["matched"] for part, c in content["breakdown"].items()} == {
        "instance": 1700, "relation": 1000, "top": 0,
    }  # fmt: skip
    more = ("--profile", "program", "--format", "json", "--breakdown")
    program = json.loads(run("score", *S2MATCH, *more).stdout)
    assert {part: c["matched"] for part, c in program["breakdown"].items()} == {
        "instance": 1250, "relation": 1000, "top": 450,
    }  # fmt: skip
    assert "|cut-off:0.5|sense-factor:0.5|scale:1000|" in content["signature"]
    text = run("score", *S2MATCH).stdout
    assert "2.700 of 4.000" in text and "similarities are rounded to 1/1000" in text


@pytest.mark.parametrize("name", S2match.profiles)
def test_scores_of_s2match_are_certified(files: None, name: str) -> None:
    counted = (*S2MATCH, "--profile", name)
    assert run("score", *counted, "--certificates", "c.jsonl").exit_code == 0
    verify = ("verify", "c.jsonl", "a.amr", "b.amr")
    good = run(*verify, "--similarity", "words.txt")
    assert good.exit_code == 0
    assert good.stdout.startswith("verified: 1  bounded: 0  refuted: 0  unproven: 0\ns2match|")
    other = run(*verify, "--similarity", "words.txt", "--cut-off", "0.6")
    assert (
        other.exit_code == 2
        and "have other similarities, synonyms, tables, lengths or credits" in other.stderr
    )
    assert "needs --vectors or --similarity" in run(*verify).stderr


@pytest.mark.parametrize(
    "words, message",
    [
        (("--metric", "s2match"), "s2match needs --vectors or --similarity"),
        (("--similarity", "words.txt"), "smatch: takes no similarity; use s2match or counter"),
        (
            ("--metric", "s2match", "--vectors", "x", "--similarity", "words.txt"),
            "name only one of",
        ),
        ((*S2MATCH[2:], "--cut-off", "half"), "'half' is not a number from 0 to 1"),
        ((*S2MATCH[2:], "--sense-factor", "2"), "'2' is not a number from 0 to 1"),
    ],
)
def test_s2match_cannot_be_asked_for_wrongly(
    files: None, words: tuple[str, ...], message: str
) -> None:
    result = run("score", "a.amr", "b.amr", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_studies_take_s2match(files: None) -> None:
    result = run("iaa", *S2MATCH, "--format", "json", "--workers", "2")
    (row,) = json.loads(result.stdout)["tables"]["pairs"]
    assert (row["matched"], row["f1"]) == (2700, 0.675)


@pytest.mark.parametrize("cut_off", by_day(["0", "0.3", "0.5", "1"], 2))
def test_what_is_alike_is_found_at_once(cut_off: str) -> None:
    """Many concepts are first compared in floating point, without losing a relevant pair."""
    rng = random.Random(f"alike {cut_off}")
    for _ in range(60):
        words = [f"{c}{k}" for c in "abc" for k in range(6)]
        vectors = {word: [rng.randint(-3, 3) for _ in range(3)] for word in words if word != "a0"}
        table = {(a, b): Fraction(rng.randint(0, 4), 4) for a in words[:9] for b in words[9:]}
        known: Words = rng.choice([vectors_of(vectors), SimilarityTable("t", table)])
        alike = similarity(known, cut_off)
        sides = [
            [rng.choice(words) + rng.choice(["", "-01", "-02", "-01-x"]) for _ in range(12)]
            for _ in range(2)
        ]
        for rules in (PAPER, PROGRAM):
            every = [
                (i, j, alike.of(one, other, rules))
                for i, one in enumerate(sides[0])
                for j, other in enumerate(sides[1])
                if one != other and alike.of(one, other, rules)
            ]
            assert list(alike.alike(sides[0], sides[1], rules)) == every


def test_what_the_signature_tells_of_a_similarity() -> None:
    chosen = Similarity(SimilarityTable("0123456789abcdef", {}), Fraction(1, 4), Fraction(3, 4))
    digest = "0123456789ab"
    assert chosen.parameters() == {
        "similarity": digest, "cut-off": "0.25", "sense-factor": "0.75",
    }  # fmt: skip
    signature = S2match(similarity=chosen).signature()
    assert signature.endswith(f"|similarity:{digest}|cut-off:0.25|sense-factor:0.75|scale:1000")


def test_cut_offs_that_are_one_float_have_signatures_of_their_own() -> None:
    texts = ["0.5", "1/3", "0.333333333333333333", "0.50000000000000000001", "1e-999"]
    told = [
        Similarity(SimilarityTable("", {}), Fraction(text), Fraction(1)).parameters()["cut-off"]
        for text in texts
    ]
    assert [Fraction(text) for text in told] == [Fraction(text) for text in texts]
    assert told[:2] == ["0.5", "1/3"]
