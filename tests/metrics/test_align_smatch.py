"""Align-smatch: hand-counted graphs, an oracle on random tables, lengths, and proofs.

The program itself (CAMRP 2022) was run on the instances, and counts the same.
"""

import random
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from camr_samples import Rows, as_table, random_rows
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main

CAMRS = Path(__file__).resolve().parents[2] / "instances" / "camr"
TEXTS = (CAMRS / "system.camr", CAMRS / "gold.camr")
TABLES = (CAMRS / "system.tuples", CAMRS / "gold.tuples")
LENGTHS = CAMRS / "lengths.txt"


def run(*words: str | Path, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)
    assert result.exit_code == status, result.stderr
    return result


def table(*rows: str) -> str:
    return "".join("\t".join(row.split()) + "\n" for row in rows)


#: Counted by hand: matches, triples of the system, triples of the gold standard.
BY_HAND = {"1": (11, 12, 15), "2": (12, 15, 20), "3": (9, 13, 16)}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (TEXTS, ()),
        (TABLES, ("--lengths", LENGTHS)),
        ((TEXTS[0], TABLES[1]), ("--lengths", LENGTHS)),
    ],
)
def test_the_instances(
    files: tuple[Path, Path], words: tuple[str | Path, ...], tmp_path: Path
) -> None:
    pairs = tmp_path / "pairs.csv"
    run("score", *files, "--metric", "align-smatch", *words, "--per-pair", pairs)
    rows = [line.split(",") for line in pairs.read_text("utf-8").splitlines()[1:]]
    found = {row[0]: (int(row[1]), int(row[4]), int(row[5])) for row in rows}
    assert found == BY_HAND


def test_the_parts_of_the_instances() -> None:
    """Of 51 triples of the gold standard, the 16 nodes have 15 places."""
    found = exactmatch.score(*TEXTS, metric="align-smatch", breakdown=True)
    totals = {part: counts.gold_total for part, counts in found.breakdown.items()}
    assert totals == {"instance": 16, "place": 15, "relation": 15, "word": 2, "top": 3}
    # The same by Smatch: nodes, relations and roots, without places and words.
    plain = exactmatch.score(*TEXTS)
    assert (plain.matched, plain.system_total, plain.gold_total) == (22, 26, 34)
    assert exactmatch.score(*TABLES).matched == 22


@pytest.mark.parametrize("name", ["s2match", "sembleu", "rematch"])
def test_other_metrics_over_amrs_leave_words_of_relations_out(name: str) -> None:
    words: dict[str, Any] = {}
    if name == "s2match":
        words["vectors"] = CAMRS.parent / "vectors" / "words.txt"
    text = "(x1 / 来-01 :arg0(x2/的) (x3 / 他))"
    without = text.replace("x2/的", "")
    metric: Any = exactmatch.metric(name, **words)  # type: ignore[arg-type]
    assert exactmatch.best_mapping(text, without, metric=metric).value == 1.0


def test_what_matches_under_equal_concepts_alone() -> None:
    """Senses may differ at the ends of relations, not at the top; words go with relations."""
    gold = table("1 x0 root - :top - - x1 说-01 -", "1 x1 说-01 - :arg0 x3 的 x2 他 -")
    other_sense = gold.replace("说-01", "说-02")
    other_end = gold.replace("他", "她")
    metric = exactmatch.metric("align-smatch", lengths=LENGTHS)

    def matched(system: str) -> int:
        return exactmatch.score(system, gold, metric=metric).matched

    assert matched(gold) == 7  # 2 concepts, 2 places, relation, word, top
    assert matched(other_sense) == 5
    assert matched(other_end) == 4
    assert matched(gold.replace(":arg0", ":arg1")) == 6
    assert matched(gold.replace("\t的", "\t把")) == 6
    assert matched(gold.replace("x3\t的", "x4\t的")) == 6
    assert matched(gold.replace(":arg0", ":ARG0")) == 7


def test_inverse_relations_are_turned_but_for_consist_of() -> None:
    metric = exactmatch.metric("align-smatch", lengths=LENGTHS)

    def matched(system: str, gold: str) -> int:
        return exactmatch.score(table(system), table(gold), metric=metric).matched

    assert matched("1 x1 a - :arg0-of x3 的 x2 b -", "1 x1 a - :arg0-of x3 的 x2 b -") == 7
    # The first node of the other graph is b, so the top does not match.
    assert matched("1 x1 a - :arg0-of x3 的 x2 b -", "1 x2 b - :arg0 x3 的 x1 a -") == 6
    assert matched("1 x1 a - :consist-of - - x2 b -", "1 x2 b - :consist - - x1 a -") == 4


def test_repeated_relations_count_for_each_pair() -> None:
    row = "1 x1 a - :arg0 - - x2 b -"
    metric = exactmatch.metric("align-smatch", lengths=LENGTHS)
    found = exactmatch.score(table(row, row), table(row, row, row), metric=metric)
    assert (found.matched, found.system_total, found.gold_total) == (5 + 6, 5 + 2, 5 + 3)


def test_nodes_beyond_the_sentence_have_no_place() -> None:
    """The sentence has five words, by the file or by the comment."""
    row = table(
        "1 x5 a - :mod - - x6 b -", "1 x0 c - :mod - - x1_2 d -", "1 x9_x10 e - - - - - - -"
    )
    metric = exactmatch.metric("align-smatch", lengths=LENGTHS)
    places = exactmatch.score(row, row, metric=metric, breakdown=True).breakdown["place"]
    assert places.gold_total == 3  # x5, x1_2, x9_x10
    commented = f"# ::wid {' '.join(f'x{k}_w' for k in range(1, 7))}\n{row}"
    found = exactmatch.score(commented, commented, metric="align-smatch", breakdown=True)
    assert found.breakdown["place"].gold_total == 4  # x6 as well
    assert exactmatch.score(commented, row, metric=metric).f1 == 1.0, "the file comes first"


def test_an_unknown_length_is_an_error_that_names_the_remedy() -> None:
    result = run("score", *TABLES, "--metric", "align-smatch", status=1)
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {TABLES[0]}:4: graph 1: the number of words")
    assert "--lengths" in result.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1\t5\n2\n", ":2: expected a sentence and its number of words"),
        ("1\tx\n", ":1: expected a sentence and its number of words"),
        ("1\t5\n1\t6\n", ":2: 1 has 5 words before"),
        ("\n", ": holds no length"),
    ],
)
def test_malformed_lengths(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "lengths.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(exactmatch.InputError) as error:
        exactmatch.metric("align-smatch", lengths=path)
    assert str(error.value) == f"{path}{reason}"


def test_certificates_name_the_lengths(tmp_path: Path) -> None:
    proofs = tmp_path / "proofs.jsonl"
    asked = ("--metric", "align-smatch", "--lengths", LENGTHS)
    run("score", *TABLES, *asked, "--certificates", proofs)
    verified = run("verify", proofs, *TABLES, "--lengths", LENGTHS).stdout
    assert "verified: 3" in verified and "lengths:" in verified
    other = run("verify", proofs, *TABLES, status=2)
    assert "other similarities, synonyms, tables, lengths or credits" in other.stderr
    study = tmp_path / "study"
    several = ("--metric", "smatch", *asked, "--resamples", "99")
    run("compare", TABLES[0], "--gold", TABLES[1], *several, "--certificates", study)
    verified = run("verify", study, "--graphs", CAMRS, "--lengths", LENGTHS).stdout
    assert "refuted: 0" in verified and "unproven: 0" in verified


def test_lengths_are_for_align_smatch_alone() -> None:
    result = run("score", *TABLES, "--metric", "smatch", "--lengths", LENGTHS, status=2)
    assert "smatch: takes no lengths; use align-smatch" in result.stderr


def test_other_formats_are_refused() -> None:
    amr = CAMRS.parent / "paper" / "gold.amr"
    result = run("score", amr, amr, "--metric", "align-smatch", status=1)
    assert "align-smatch compares graphs in Chinese AMR; these are in PENMAN" in result.stderr


def _triples(rows: Rows, length: int) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return nodes and triples as the program's reader has them; a concept is looked up in them."""
    nodes: dict[str, str] = {}
    facts: list[tuple[Any, ...]] = []
    for _, one, concept, stands, role, place, word, other, other_concept, other_stands in rows:
        for name, said, target in ((one, concept, stands), (other, other_concept, other_stands)):
            nodes.setdefault(name, said)
            if target != "-" and ("coref", name, target) not in facts:
                facts.append(("coref", name, target))
        ends = (one, other)
        if role.endswith("-of") and role != ":consist-of":
            ends = (other, one)
        if role != "-":
            facts.append((role[1:].removesuffix("-of" if role == ":r-of" else "?"), *ends))
        if word != "-":
            facts.append(((place, word), *ends))
    nodes_by_mention = [*nodes]
    for name, concept in nodes.items():
        facts.append(("concept", name, concept))
        if "_" in name or int(name[1:]) <= length:
            facts.append(("place", name, name))
    facts.append(("top", nodes_by_mention[0], nodes_by_mention[0]))
    return nodes_by_mention, [(*fact, nodes) for fact in facts]


def _match(one: tuple[Any, ...], other: tuple[Any, ...], mapping: dict[str, str | None]) -> bool:
    kind, source, target, concepts = one
    kind_too, source_too, target_too, concepts_too = other
    if mapping.get(source) != source_too or type(kind) is not type(kind_too):
        return False
    words, words_too = ((k,) if isinstance(k, str) else k for k in (kind, kind_too))
    if [w.lower() for w in words] != [w.lower() for w in words_too]:
        return False
    if kind in ("concept", "place"):
        return bool(target.lower() == target_too.lower())
    if mapping.get(target) != target_too:
        return False
    keep = 4 if kind == "top" else 1  # concepts here are a letter, and perhaps a sense
    ends = [concepts[name].lower()[:keep] for name in (source, target)]
    return ends == [concepts_too[name].lower()[:keep] for name in (source_too, target_too)]


def test_an_oracle_counts_the_same_on_random_tables(tmp_path: Path) -> None:
    """The oracle tries all mappings, and matches triples by the rules of the program."""
    rng = random.Random(57)
    for _ in range(60):
        rows, gold_rows = random_rows(rng), random_rows(rng)
        length = rng.randint(1, 7)
        (ours, found), (theirs, wanted) = (_triples(each, length) for each in (rows, gold_rows))
        images = [*theirs, *[None] * len(ours)]
        best = max(
            sum(_match(one, other, mapping) for one in found for other in wanted)
            for image in set(permutations(images, len(ours)))
            for mapping in [dict(zip(ours, image, strict=True))]
        )
        system, gold = map(as_table, (rows, gold_rows))
        lengths = tmp_path / "lengths.txt"
        lengths.write_text(f"1\t{length}\n", encoding="utf-8")
        metric = exactmatch.metric("align-smatch", lengths=lengths)
        there = exactmatch.score(system, gold, metric=metric)
        counts = (there.matched, there.system_total, there.gold_total)
        assert counts == (best, len(found), len(wanted)), (rows, gold_rows)
