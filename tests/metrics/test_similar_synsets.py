"""Counter with similar concepts: by hand, by brute force, and with proofs."""

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from drs_samples import random_drs
from oracles.drs import Clause, Definition, mappings
from seeds import cases

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import UsageError
from exactmatch.metrics.counter import CounterMetric
from exactmatch.scoring.by_cover import mapping_counter_of

TABLE = "man boy 0.8\nman dog 0.6\nboy dog 0.4\ngo.n.01 boy 0.9\n"

#: What follows from the table, by hand: 0.4 is below the cut-off, two senses of a word count the
#: sense factor, and go.n.01 has a row of its own, as other senses of go have not.
VALUES = {
    ("man.n.01", "man.n.02"): 500,
    ("man.n.01", "boy.n.01"): 800,
    ("man.n.02", "boy.n.01"): 800,
    ("man.n.01", "dog.n.01"): 600,
    ("man.n.02", "dog.n.01"): 600,
    ("go.n.01", "boy.n.01"): 900,
}
CONCEPTS = ["man.n.01", "man.n.02", "boy.n.01", "dog.n.01", "go.n.01", "cat.n.01"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("table.txt").write_text(TABLE, encoding="utf-8")


def counter(text: str = TABLE, *, vectors: bool = False, **choices: str) -> CounterMetric:
    path = Path("words.txt")
    path.write_text(text, encoding="utf-8")
    files = {"vectors" if vectors else "similarity": path}
    found = exactmatch.metric("counter", **files, **choices)  # type: ignore[arg-type]
    assert isinstance(found, CounterMetric)
    return found


def matched(system: str, gold: str, metric: CounterMetric) -> int:
    """Return the matches of two DRSs in thousandths, the same in both directions, as proven."""
    texts = [text.replace(";", "\n") for text in (system, gold)]
    found, back = (
        exactmatch.best_mapping(*pair, metric=metric, certificates=True)
        for pair in (texts, texts[::-1])
    )
    assert found.status == "optimal" and found.certified
    assert (found.matched, found.precision) == (back.matched, back.recall)
    return found.matched


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "system, gold, expected",
    [
        ('b1 man "n.01" x1', 'b1 boy "n.01" x1', 800),
        ('b1 man "n.01" x1', 'b1 man "n.02" x1', 500),
        ('b1 boy "n.01" x1', 'b1 dog "n.01" x1', 0),
        ('b1 cat "n.01" x1', 'b1 dog "n.01" x1', 0),
        ('b1 go "n.01" x1', 'b1 boy "n.02" x1', 900),
        ('b1 go "v.01" x1', 'b1 boy "n.02" x1', 0),
        # The whole clause but its concept has to be equal: its box, its referent, its constant.
        ('b1 man "n.01" "tom"', 'b1 boy "n.01" "tom"', 800),
        ('b1 man "n.01" "tom"', 'b1 boy "n.01" "kim"', 0),
        ('b1 man "n.01" "tom"', 'b1 boy "n.01" x1', 0),
        ('b1 man "n.01" x1;b2 boy "n.01" x1;b1 NOT b2', 'b1 boy "n.01" x1;b1 NOT b2', 1800),
        # The role decides: two clauses against 0.8.
        ('b1 man "n.01" x1;b1 man "n.01" x2;b1 Agent x2 "a"', 'b1 boy "n.01" x1;b1 Agent x1 "a"',
         1800),
        # An equal concept elsewhere is worth more than a similar one here.
        ('b1 man "n.01" x1;b1 boy "n.01" x2', 'b1 boy "n.01" x1', 1000),
        # Roles and operators match in full or not at all.
        ('b1 REF x1;b1 Agent x1 "man"', 'b1 REF x1;b1 Agent x1 "boy"', 0),
        # A referent with two concepts that are similar to one: neither matches in part.
        ('b1 man "n.01" x1;b1 go "n.01" x1', 'b1 boy "n.01" x1', 0),
        ('b1 man "n.01" x1;b1 boy "n.01" x1', 'b1 boy "n.01" x1', 1000),
        # The same without a third concept that links them: both match, one in part.
        ('b1 man "n.01" x1;b1 cat "n.01" x1', 'b1 boy "n.01" x1;b1 cat "n.01" x1', 1800),
        # Two boxes of one referent are two places.
        ('b1 man "n.01" x1;b2 go "n.01" x1', 'b1 boy "n.01" x1;b2 boy "n.01" x1', 1700),
    ],
)  # fmt: skip
def test_similar_concepts_count_as_by_hand(system: str, gold: str, expected: int) -> None:
    assert matched(system, gold, counter()) == expected


def value(one: str, other: str) -> int:
    return VALUES.get((one, other), VALUES.get((other, one), 0))


def typed(clause: Clause) -> tuple[str, str] | None:
    """Return the concept of a clause and, if that is a constant, what has it; None for others."""
    _, word, *others = clause
    if len(others) < 2 or not others[0].startswith('"n.'):
        return None
    about = others[1] if others[1].startswith('"') else ""
    return f"{word}.{others[0][1:-1]}", about


def alone(clauses: Sequence[Clause], group: Mapping[tuple[str, str], int]) -> set[tuple[str, str]]:
    """Return the concepts that stand nowhere beside another of their group."""
    places = defaultdict(set)
    for clause in clauses:
        kind = typed(clause)
        if kind is not None and kind in group:
            places[clause[0], "" if kind[1] else clause[3], group[kind]].add(kind)
    return {*group} - {kind for kinds in places.values() if len(kinds) > 1 for kind in kinds}


def groups(links: Sequence[tuple[tuple[str, str], tuple[str, str]]]) -> dict[tuple[str, str], int]:
    number = {kind: k for k, kind in enumerate(kind for link in links for kind in link)}
    for _ in links:
        for one, other in links:
            number[one] = number[other] = min(number[one], number[other])
    return number


def defined(system: str, gold: str) -> int:
    """Return the best count over all mappings, in thousandths, by the definition."""
    ours, theirs = (Definition(text, like_2021=False) for text in (system, gold))
    kinds = [{k for c in side.clauses if (k := typed(c))} for side in (ours, theirs)]
    links = [
        (one, other)
        for one, other in product(*kinds)
        if one[1] == other[1] and one != other and value(one[0], other[0])
    ]
    group = groups(links)
    free, open_to = alone(ours.clauses, group), alone(theirs.clauses, group)
    wanted = theirs.renamed({})
    best = 0
    for boxes, referents in product(
        mappings(ours.boxes, theirs.boxes), mappings(ours.referents, theirs.referents)
    ):
        found = ours.renamed(dict(boxes) | dict(referents))
        total = 1000 * len(found.keys() & wanted.keys())
        for mine, its in product(found, wanted):
            one, other = typed(mine), typed(its)
            if one is None or other is None or one == other or mine[0] != its[0]:
                continue
            if one in free and other in open_to and mine[3] == its[3]:
                total += value(one[0], other[0])
        best = max(best, total)
    return best


def drs_with_concepts(rng: random.Random) -> str:
    lines = []
    for line in random_drs(rng).splitlines():
        words = line.split()
        if words[2:] and words[2] == '"n.01"':
            word, _, sense = rng.choice(CONCEPTS).partition(".")
            words[1:3] = word, f'"{sense}"'
        lines.append(" ".join(words))
    box = lines[0].split()[0]
    for about in ("x1", "e1", rng.choice(["x1", "e2"])):
        word, _, sense = rng.choice(CONCEPTS).partition(".")
        lines.append(f'{box} {word} "{sense}" {about}')
    return "\n".join(lines)


@pytest.mark.usefixtures("folder")
def test_similar_concepts_are_as_brute_force_has_them() -> None:
    rng, metric = random.Random("synsets"), counter()
    in_part = 0
    for _ in range(cases(60)):
        system, gold = drs_with_concepts(rng), drs_with_concepts(rng)
        found = matched(system, gold, metric)
        assert found == defined(system, gold)
        plain = exactmatch.best_mapping(system, gold).matched
        assert found >= 1000 * plain
        in_part += found != 1000 * plain
        assert exactmatch.best_mapping(system, system, metric=metric).f1 == 1
    assert in_part > cases(20)


@pytest.mark.usefixtures("folder")
def test_a_phrase_has_the_vectors_of_its_words() -> None:
    vectors = "ice 1 0\ncream 0 1\ngelato 2 2\nsnow 1 0\nhot_dog -1 0\n"
    metric = counter(vectors, vectors=True)
    for system, gold, expected in (
        ("ice_cream", "gelato", 1000),
        ("ice", "snow", 1000),
        ("ice_cream", "snow", 707),  # the root of 1/2
        ("hot_dog", "snow", 0),  # a vector of its own, in the other direction
        ("dog_sled", "snow", 0),
    ):
        one, other = (f'b1 {word} "n.01" x1' for word in (system, gold))
        assert matched(one, other, metric) == expected


@pytest.mark.usefixtures("folder")
def test_choices_beside_similarity() -> None:
    one, other = 'b1 man "n.01" x1', 'b1 boy "v.02" x1'
    assert matched(one, other, counter(senses="ignore")) == 800
    assert matched(one, other.replace("boy", "man"), counter(senses="ignore")) == 1000
    assert matched(one, other, counter(concepts="ignore")) == 1000
    Path("credits.txt").write_text(
        "instance man.n.01 boy.n.01 0.9\ninstance cat.n.01 dog.n.01 0.25\nAgent a b 0.5\n",
        encoding="utf-8",
    )
    both = counter(credits="credits.txt")
    assert both.scale == 1000 and "|credits:" in both.signature()
    # The higher one counts, and values of other roles have their credits.
    assert matched(one, 'b1 boy "n.01" x1', both) == 900
    assert matched(one, 'b1 dog "n.01" x1', both) == 600
    assert matched(
        'b1 cat "n.01" x1;b1 Agent x1 "a"', 'b1 dog "n.01" x1;b1 Agent x1 "b"', both
    ) == (250 + 500)
    # One similarity and one credit link what stands beside each other.
    assert matched('b1 cat "n.01" x1;b1 man "n.01" x1', 'b1 dog "n.01" x1', both) == 0


@pytest.mark.usefixtures("folder")
def test_a_dummy_is_like_nothing() -> None:
    table = "ill-formed_DRS boy 0.9\n"
    assert matched("b1 Agent x1 x2", 'b1 boy "n.01" x1', counter(table, ill_formed="dummy")) == 0


@pytest.mark.usefixtures("folder")
def test_without_similarity_nothing_is_slower() -> None:
    plain = exactmatch.metric("counter")
    assert isinstance(plain, CounterMetric) and plain.is_similar_by_credits and plain.scale == 1
    assert mapping_counter_of(plain) is not None
    graded = counter()
    assert not graded.matches_once and mapping_counter_of(graded) is None
    assert graded.symbolic() == plain


@pytest.mark.usefixtures("folder")
def test_proofs_and_signatures_have_the_similarity() -> None:
    def run(*words: str) -> Result:
        return CliRunner().invoke(main, words)

    Path("a.clf").write_text('b1 REF x1\nb1 man "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")
    Path("b.clf").write_text('b1 REF x1\nb1 boy "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")
    asked = ("--metric", "counter", "--similarity", "table.txt")
    files = ("a.clf", "b.clf")
    text = run("score", *files, *asked).stdout
    assert "1.800 of 2.000" in text and "similarities are rounded to 1/1000" in text
    score = run("score", *files, *asked, "--format", "json", "--certificates", "c.jsonl")
    signature = json.loads(score.stdout)["signature"]
    digest = counter().files()["similarity"]
    assert f"|similarity:{digest}|cut-off:0.5|sense-factor:0.5|scale:1000" in signature
    verify = ("verify", "c.jsonl", *files)
    good = run(*verify, "--similarity", "table.txt").stdout.splitlines()
    assert good[0] == "verified: 1  bounded: 0  refuted: 0  unproven: 0"
    assert signature.startswith(good[1])
    for words in ((), ("--similarity", "table.txt", "--cut-off", "0.6")):
        assert "have other similarities, synonyms" in run(*verify, *words).stderr
    assert "%" in run("diff", *files, *asked).stdout
    Path("credits.txt").write_text("Agent a b 0.5\n", encoding="utf-8")
    credited = run("score", *files, "--metric", "counter", "--credits", "credits.txt")
    assert "credits are counted in 1/2" in credited.stdout
    # Counter is the usual metric of the graphs of what takes both kinds of files.
    Path("same.txt").write_text("man.n.01 boy.n.01\n", encoding="utf-8")
    both = run("score", *files, "--similarity", "table.txt", "--synonyms", "same.txt")
    assert "2.000 of 2.000" in both.stdout and "|synonyms:" in both.stdout
    with pytest.raises(UsageError, match="smatch: takes no similarity; use s2match or counter"):
        exactmatch.metric("smatch", similarity="table.txt")


@pytest.mark.usefixtures("folder")
def test_principle_vi_is_about_equal_concepts() -> None:
    """By hand: 2.8 of 3 clauses match, but by the Jaccard index only 2 of 4 are common."""
    Path("a.clf").write_text('b1 man "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")
    Path("b.clf").write_text('b1 boy "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")
    words = ["principles", "a.clf", "b.clf", "--metric", "counter", "--similarity", "table.txt"]
    text = CliRunner().invoke(main, [*words, "--seeds", "1", "--table", "principles"]).stdout
    assert "on these pairs: counter breaks none." in text
