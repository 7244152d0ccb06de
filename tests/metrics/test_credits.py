"""Tables of credits: values of one role that match in part."""

import json
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result
from seeds import cases

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.credits import Credits, named_credits, parse_credits
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS
from exactmatch.scoring.by_cover import mapping_counter_of
from exactmatch.scoring.comparison import without_similar

UMR = "umr-lattices-2024"

#: Values of two roles, and concepts, by how much they match; no credit links ``s`` and ``t`` to
#: them.
TABLE = """# role value value credit
aspect a b 0.5
:aspect b c 0.25

size\tlarge one\tlarge two\t0.75
instance p q 1
instance q r 0.125
"""


def table(text: str = TABLE) -> Credits:
    return parse_credits(text.encode().splitlines(), "table")


def graph(text: str) -> Graph:
    (found,) = read_text(text, "text").graphs
    assert isinstance(found, Graph), found
    return found


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table, and two files of two pairs of graphs, of which the table concerns the first."""
    monkeypatch.chdir(tmp_path)
    Path("credits.txt").write_text(TABLE, encoding="utf-8")
    Path("none.txt").write_text("# nothing\naspect a b 0\n", encoding="utf-8")
    same = "\n\n(s / sing-01 :ARG0 (b / bird))\n"
    for name, value in (("a.amr", "a"), ("b.amr", "b")):
        text = f"(x / see-01 :aspect {value} :ARG0 (y / dog)){same}"
        Path(name).write_text(text, encoding="utf-8")


# By hand: the totals of both graphs, and what matches, in triples.
AMR = "(x / see-01 :aspect {} :ARG0 (y / {} :size {}))"
ONE, OTHER = AMR.format("a", "q", '"large one"'), AMR.format("b", "r", '"large two"')


@pytest.mark.parametrize(
    "metric, matched, total",
    [
        # The root, see-01 and ARG0; aspect 1/2, size 3/4, q and r 1/8.
        ("smatch", "4.375", 6),
        ("smatch:smatch-1.0.4", "4.375", 6),
    ],
)
def test_credits_in_amr(metric: Any, matched: str, total: int) -> None:
    name, _, profile = metric.partition(":")
    chosen = exactmatch.metric(name, profile=profile or "default", credits=table())
    found = exactmatch.best_mapping(ONE, OTHER, metric=chosen)
    if profile:  # where strings count up to their first space, both are ``large``
        matched = str(Fraction(matched) + Fraction(1, 4))
    assert Fraction(found.matched, chosen.scale) == Fraction(matched)
    assert Fraction(found.gold_total, chosen.scale) == total
    assert exactmatch.best_mapping(OTHER, ONE, metric=chosen).matched == found.matched


def test_credits_beside_similarities_of_s2match(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("q r 0.6\nq s 0.7\n", encoding="utf-8")
    chosen = exactmatch.metric("s2match", similarity=words, credits=table())
    # The root matches with its concept in full; the higher one of 0.6 and 0.125 counts.
    assert exactmatch.best_mapping(ONE, OTHER, metric=chosen).matched == 4850
    low = exactmatch.metric("s2match", similarity=words, cut_off="0.65", credits=table())
    assert exactmatch.best_mapping(ONE, OTHER, metric=low).matched == 4375
    high = exactmatch.metric("s2match", similarity=words, credits=table("instance q r .9"))
    assert exactmatch.best_mapping(ONE, OTHER, metric=high).matched == 3900
    assert "|credits:" in chosen.signature() and "|scale:1000" in chosen.signature()
    assert chosen.symbolic().credits is None  # type: ignore[attr-defined]


UMR_TEXT = """# :: snt1
Index: 1 2
Words: He sings

# sentence level graph:
(s1s / {} :aspect {} :ARG0 (s1p / person :refer-person {}))

# alignment:
s1s: 2-2
s1p: 1-1

# document level annotation:
(s1s0 / sentence)

"""
MRP_TEXT = (
    '{{"id": "1", "framework": "eds", "tops": [0], "edges": [], "nodes": [{{"id": 0, '
    '"label": "{}", "properties": ["aspect"], "values": ["{}"]}}]}}'
)
CLAUSES = 'b1 REF e1\nb1 {} "v.01" e1\nb1 Name e1 "{}"\nb1 EQU e1 "{}"\n'


@pytest.mark.parametrize(
    "metric, rows, template, system, gold, matched",
    [
        # Both nodes with their concepts, ARG0: 3 values; aspect 0.6, person 2/3 as thousandths.
        ("umatch", UMR, UMR_TEXT, ("sing", "activity", "1st"), ("sing", "endeavor", "inclusive"),
         "4.267"),
        # No lattice has process and state below one value; 2nd and 1st share one of three.
        ("umatch", UMR, UMR_TEXT, ("sing", "state", "1st"), ("sing", "process", "2nd"), "3.333"),
        # The top, a label and a property.
        ("mrp", TABLE, MRP_TEXT, ("Q", "a"), ("r", "B"), "1.625"),
        # A concept, a name with its quotes or without them, and an operator with a constant.
        ("counter", "instance see.v.01 look.v.01 0.5\nName tom \"tim\" 0.2\nEQU now then 0.1",
         CLAUSES, ("see", "tom", "now"), ("look", "tim", "then"), "0.8"),
    ],
)  # fmt: skip
def test_credits_in_other_formats(
    metric: Any,
    rows: str,
    template: str,
    system: Sequence[str],
    gold: Sequence[str],
    matched: str,
) -> None:
    credits = named_credits(rows) if rows == UMR else table(rows)
    chosen = exactmatch.metric(metric, credits=credits)
    texts = [template.format(*values) for values in (system, gold)]
    found = exactmatch.best_mapping(*texts, metric=chosen)
    assert found.status == "optimal"
    assert Fraction(found.matched, chosen.scale) == Fraction(matched)
    assert exactmatch.best_mapping(*texts[::-1], metric=chosen).matched == found.matched


class Sample(NamedTuple):
    """A graph as text, and as what Smatch counts, without any code of the package."""

    text: str
    nodes: Sequence[str]
    values: Mapping[tuple[str, str], set[str]]  # of a node and a role
    edges: set[tuple[str, str, str]]


def sample(rng: random.Random, letter: str) -> Sample:
    """Return a tree with values of ``aspect`` and ``kind``, some nodes with several."""
    nodes = [f"{letter}{k}" for k in range(rng.randint(1, 4))]
    values = {(node, "instance"): {rng.choice("pqrst")} for node in nodes}
    for node in nodes:
        for role in ("aspect", "kind"):
            values[node, role] = {rng.choice("abcst") for _ in range(rng.choice([0, 1, 1, 2]))}
    parents = {child: rng.choice(nodes[:k]) for k, child in enumerate(nodes) if k}
    roles = {child: rng.choice(["ARG0", "ARG1"]) for child in parents}

    def written(node: str) -> str:
        (concept,) = values[node, "instance"]
        own = [
            f":{role} {value}"
            for role in ("aspect", "kind")
            for value in sorted(values[node, role])
        ]
        below = [f":{roles[c]} {written(c)}" for c, parent in parents.items() if parent == node]
        return f"({' '.join([f'{node} / {concept}', *own, *below])})"

    edges = {(roles[child], parent, child) for child, parent in parents.items()}
    return Sample(written(nodes[0]), nodes, values, edges)


Rows = Mapping[tuple[str, str, str], Fraction]


def random_rows(rng: random.Random) -> Rows:
    shares = [Fraction(k, 8) for k in (0, 1, 3, 4, 8)]
    return {
        (role, one, other): rng.choice(shares)
        for role, values in (("instance", "pqr"), ("aspect", "abc"))
        for one, other in combinations(values, 2)
    }


def written_rows(rows: Rows) -> str:
    return "".join(f"{' '.join(key)} {float(credit)}\n" for key, credit in rows.items())


def without_company(graph: Sample, rows: Rows) -> dict[str, set[str]]:
    """Return, by role, the values that no node of *graph* has beside one that credits link."""
    free = {}
    for role in ("instance", "aspect", "kind"):
        links = [{a, b} for (r, a, b), credit in rows.items() if r == role and credit]
        groups: list[set[str]] = []
        for link in links:
            touched = [group for group in groups if group & link]
            groups = [group for group in groups if not group & link]
            groups.append(link.union(*touched))
        lonely = set().union(*groups)
        for (_, its_role), values in graph.values.items():
            for group in groups if its_role == role else ():
                if len(values & group) > 1:
                    lonely -= values
        free[role] = lonely
    return free


def defined(system: Sample, gold: Sample, rows: Rows) -> Fraction:
    """Return the most that any mapping matches, by the definition."""
    ours, theirs = without_company(system, rows), without_company(gold, rows)
    best = Fraction(0)
    for images in permutations([*gold.nodes, *[""] * len(system.nodes)], len(system.nodes)):
        mapping = dict(zip(system.nodes, images, strict=True))
        found = Fraction(mapping[system.nodes[0]] == gold.nodes[0])
        found += sum((r, mapping[s], mapping[t]) in gold.edges for r, s, t in system.edges)
        for (node, role), values in system.values.items():
            for one in values:
                for other in gold.values.get((mapping[node], role), ()):
                    if one == other:
                        found += 1
                    elif one in ours[role] and other in theirs[role]:
                        found += rows.get((role, one, other), rows.get((role, other, one), 0))
        best = max(best, found)
    return best


def test_credits_are_as_brute_force_has_them() -> None:
    rng = random.Random("credits")
    in_part = 0
    for _ in range(cases(60)):
        rows = random_rows(rng)
        system, gold = sample(rng, "x"), sample(rng, "y")
        chosen = exactmatch.metric("smatch", credits=table(written_rows(rows)))
        found = exactmatch.best_mapping(
            system.text, gold.text, metric=chosen, certificates=True, timeout=None
        )
        assert found.status == "optimal" and found.certified
        matched = Fraction(found.matched, chosen.scale)
        assert matched == defined(system, gold, rows)
        back = exactmatch.best_mapping(gold.text, system.text, metric=chosen)
        assert (back.matched, back.precision) == (found.matched, found.recall)
        assert found.matched <= min(found.system_total, found.gold_total)
        plain = exactmatch.best_mapping(system.text, gold.text)
        assert matched >= plain.matched and found.system_total == chosen.scale * plain.system_total
        in_part += matched != plain.matched
    assert in_part > cases(20)


def test_a_credit_of_1_is_the_same_label() -> None:
    rng = random.Random("one label")
    chosen = exactmatch.metric("smatch", credits=table("instance p q 1\ninstance p r 1"))
    for _ in range(cases(20)):
        system, gold = sample(rng, "x"), sample(rng, "y")
        same = [t.text.replace("/ q", "/ p").replace("/ r", "/ p") for t in (system, gold)]
        found = exactmatch.best_mapping(system.text, gold.text, metric=chosen)
        # q and r have no credit with each other, so a lower bound and an upper one.
        assert found.matched <= exactmatch.best_mapping(*same).matched
        if "/ r" not in system.text + gold.text:
            assert found.matched == exactmatch.best_mapping(*same).matched
    assert chosen.scale == 1


@pytest.mark.parametrize("duplicates", ["set", "multiset"])
def test_a_value_matches_one_other_at_most(duplicates: Any) -> None:
    chosen = exactmatch.metric("smatch", duplicates=duplicates, credits=table())
    two, one = "(x / see :aspect a :aspect b)", "(x / see :aspect b)"
    other = "(x / see :aspect c :aspect b)"
    for pair, matched in (((two, two), 4), ((two, one), 3), ((two, other), 3), ((one, other), 3)):
        found = exactmatch.best_mapping(*pair, metric=chosen)
        assert found.matched == matched * chosen.scale
        assert exactmatch.best_mapping(*pair[::-1], metric=chosen).matched == found.matched


def test_roles_and_values_are_compared_as_the_metric_does() -> None:
    rows = table("aspect A b .5\nASPECT B C .5\nmod-of Large small .5")
    folding = exactmatch.metric("smatch", credits=rows)
    keeping = exactmatch.metric("smatch", credits=rows, case="keep")
    pair = ("(x / see :Aspect a)", "(x / see :aspect B)")
    assert exactmatch.best_mapping(*pair, metric=folding).matched == 2 * 2 + 1
    assert exactmatch.best_mapping(*pair, metric=keeping).matched == 2 * 2
    # Two spellings of two values: the higher credit counts.
    twice = exactmatch.metric("smatch", credits=table("aspect A b .5\naspect a B .25"))
    assert exactmatch.best_mapping(*pair, metric=twice).matched == 2 * 4 + 2
    # Two spellings of a role are one role, so both values stand beside each other.
    several = ("(x / see :aspect a :aspect c)", "(x / see :aspect b)")
    assert exactmatch.best_mapping(*several, metric=folding).matched == 2 * 2
    # domain is the inverse of mod by default.
    inverse = ("(x / see :domain large)", "(x / see :mod-of small)")
    assert exactmatch.best_mapping(*inverse, metric=folding).matched == 2 * 2 + 1


def test_the_scale_is_the_least_one() -> None:
    scales = {"a b 1": 1, "a b .5": 2, "a b .75\naspect b c .2": 20, "a b .333": 1000}
    for rows, scale in scales.items():
        assert exactmatch.metric("smatch", credits=table(f"aspect {rows}")).scale == scale


@pytest.mark.parametrize(
    "rows, message",
    [
        ("aspect a b", r"table:1: 'aspect a b': expected a role, two values and a credit"),
        ("aspect a b c .5", "table:1: 'aspect a b c .5': expected a role"),
        ("aspect\ta\t\t.5", "table:1: .*expected a role"),
        (": a b .5", "table:1: ': a b .5': expected a role"),
        ("# x\n\naspect a b much", "table:3: credit 'much' is no number"),
        ("aspect a b 1.5", "table:1: credit 1.5 is not between 0 and 1"),
        ("aspect a b -1", "table:1: credit -1 is not between 0 and 1"),
        ("aspect a b nan", "table:1: credit 'nan' is no number"),
        ("aspect a b 1e9999999999", "table:1: credit '1e9999999999' is no number"),
        ("aspect a b .3333", "table:1: credit .3333 is not in thousandths"),
        ("(a / b :aspect c)", "table:1: holds graphs; expected a table of credits"),
        ("aspect a a .5", "table:1: a has credit .5 with itself; that is always 1"),
        ("aspect a b .5\naspect b a .4", "table:2: b and a have credit 0.4 here, but 0.5 before"),
    ],
)
def test_what_is_no_table(rows: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        table(rows)


@pytest.mark.parametrize("rows", ["aspect {0} b", "aspect {0} {0} .5", "x {0} b .5\nx b {0} .4"])
def test_messages_about_long_values_are_short(rows: str) -> None:
    with pytest.raises(InputError) as caught:
        table(rows.format("a" * 100_000))
    assert len(str(caught.value)) < 500 and "aaa..." in str(caught.value)


def test_a_table_may_repeat_itself() -> None:
    rows = table("\ufeffaspect a b 1/2\naspect b a .50\naspect a a 1\naspect a c 0").rows
    assert [(*row,) for row in rows] == [("aspect", "a", "b", 500)]


def test_faults_of_a_table_on_the_command_line(files: None) -> None:
    Path("bad.txt").write_bytes(b"aspect a b .5\naspect \xff b .5\n")
    bad = run("score", "a.amr", "b.amr", "--credits", "bad.txt")
    assert (bad.exit_code, bad.stdout) == (1, "")
    assert "bad.txt:2: byte 0xff is not UTF-8" in bad.stderr
    none = run("score", "a.amr", "b.amr", "--credits", "nowhere.txt")
    assert none.exit_code == 2 and f"no such file; the named table is {UMR}" in none.stderr


@pytest.mark.parametrize("name", METRICS)
def test_metrics_without_credits_refuse_them_by_name(name: Any) -> None:
    kind = METRICS[name]
    has_credits = name in ALIGNMENT_BASED and name != "align-smatch"
    assert ("credits" in kind.parameters) == has_credits
    if not has_credits:
        with pytest.raises(UsageError, match=f"{name} has no choice called 'credits'"):
            exactmatch.metric(name, credits=UMR)


def test_what_takes_no_credits() -> None:
    with pytest.raises(UsageError, match="umatch has no choice called 'credits'"):
        exactmatch.metric("umatch", profile="umrtools-2026", credits=UMR)
    with pytest.raises(UsageError, match="credits are 5; give a table"):
        exactmatch.metric("smatch", credits=5)
    with pytest.raises(UsageError, match="subscores count whole matches"):
        exactmatch.score(ONE, OTHER, credits=UMR, subscores="damonte")


def test_a_table_of_nothing_changes_no_byte(files: None) -> None:
    for words in (("--format", "json", "--breakdown"), ("--certificates", "c.jsonl")):
        plain = run("score", "a.amr", "b.amr", *words)
        proofs = Path("c.jsonl").read_bytes() if "c.jsonl" in words else b""
        nothing = run("score", "a.amr", "b.amr", *words, "--credits", "none.txt")
        assert nothing.exit_code == 0
        if "json" in words:
            contents = [json.loads(result.stdout) for result in (plain, nothing)]
            for content in contents:
                content.pop("seconds", None)
            assert contents[0] == contents[1]
        else:
            assert nothing.stdout == plain.stdout
            assert Path("c.jsonl").read_bytes() == proofs
    assert exactmatch.metric("smatch", credits="none.txt") == exactmatch.metric("smatch")


def test_a_bound_holds_whose_similar_labels_are_not_known(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("q r 0.6\n", encoding="utf-8")
    for name, files in (("smatch", {}), ("s2match", {"similarity": words})):
        chosen: Any = exactmatch.metric(name, credits=table(), **files)  # type: ignore[arg-type]
        one, other = (chosen.normalise(graph(text)) for text in (ONE, OTHER))
        found = exactmatch.best_mapping(ONE, OTHER, metric=chosen).matched
        assert found <= without_similar(one, other, chosen).most_of_all() <= 6 * chosen.scale


def test_a_table_is_read_again_for_each_mapping(files: None) -> None:
    pair = ("(x / see :aspect a)", "(x / see :aspect b)")
    values = []
    for credit in ("0.5", "0.25"):
        Path("credits.txt").write_text(f"aspect a b {credit}", encoding="utf-8")
        found = exactmatch.best_mapping(*pair, credits="credits.txt")
        values.append(Fraction(found.matched, found.gold_total))
    assert values == [Fraction(5, 6), Fraction(9, 12)]


def test_credits_on_the_command_line(files: None) -> None:
    words = ("a.amr", "b.amr", "--credits", "credits.txt")
    content = json.loads(run("score", *words, "--format", "json", "--breakdown").stdout)
    # The first pair has 5 triples, of which the aspect counts 1/2, and the other one has 4.
    assert content["scale"] == 8
    assert (content["matched"], content["gold_total"]) == (8 * 8 + 4, 8 * 9)
    assert content["breakdown"]["attribute"]["matched"] == 4
    digest = table().digest[:12]
    assert f"|credits:{digest}" in content["signature"]
    text = run("score", *words).stdout
    assert "8.500 of 9.000" in text and "credits are counted in 1/8" in text
    assert run("score", *words, "--workers", "2").stdout == text
    assert (
        exactmatch.score(Path("a.amr"), Path("b.amr"), credits="credits.txt").matched
        == content["matched"]
    )
    shown = run("diff", *words, "--id", "1").stdout
    assert "4.500 triples matched of 5.000" in shown and "{similar}: 1" in shown


def test_pairs_without_credits_take_the_quick_road() -> None:
    chosen = exactmatch.metric("smatch", credits=table())
    assert isinstance(chosen, AlignmentMetric)
    counter = mapping_counter_of(chosen)
    assert counter is not None
    for values, matched in {"ab": None, "as": 32, "aa": 40, "cb": None}.items():
        texts = [f"(x / see-01 :aspect {value} :ARG0 (y / dog))" for value in values]
        found = counter.count_triples(*(chosen.normalise(graph(text)) for text in texts))
        assert (found and (found.matched, found.gold_total)) == (matched and (matched, 40))


def test_certificates_of_credits(files: None) -> None:
    words = ("a.amr", "b.amr", "--credits", "credits.txt")
    assert run("score", *words, "--certificates", "c.jsonl").exit_code == 0
    good = run("verify", "c.jsonl", *words)
    assert good.stdout.startswith("verified: 2  bounded: 0  refuted: 0  unproven: 0\n")
    other = "similarities, synonyms, tables, lengths or credits"
    for wrong in ((), ("--credits", UMR)):
        result = run("verify", "c.jsonl", "a.amr", "b.amr", *wrong)
        assert result.exit_code == 2 and other in result.stderr
    # A lower credit in the triples that the certificate is checked against refutes it.
    low = TABLE.replace("a b 0.5", "a b 0.375")
    label = exactmatch.metric("smatch", credits=table()).label()  # type: ignore[attr-defined]
    Path("credits.txt").write_text(low, encoding="utf-8")
    lower = exactmatch.metric("smatch", credits="credits.txt")
    proofs = Path("c.jsonl").read_text(encoding="utf-8")
    assert isinstance(lower, AlignmentMetric)
    was, now = (json.dumps(text)[1:-1] for text in (label, lower.label()))
    Path("c.jsonl").write_text(proofs.replace(was, now), encoding="utf-8")
    assert run("verify", "c.jsonl", *words).exit_code == 4


def test_certificates_of_a_study_with_credits(files: None) -> None:
    words = ("iaa", "a.amr", "b.amr", "--credits", "credits.txt", "--certificates", "proofs")
    assert "verify proofs --credits ..." in run(*words).stdout
    assert run("verify", "proofs").exit_code == 2
    good = run("verify", "proofs", "--credits", "credits.txt", "--require-all")
    assert good.exit_code == 0 and "verified: 2" in good.stdout


def test_certificates_of_a_study_with_credits_for_one_metric(files: None) -> None:
    metrics = ("--metric", "smatch", "--metric", "smatch:credits=credits.txt")
    words = ("compare", "a.amr", "--gold", "b.amr", *metrics, "--certificates", "proofs")
    assert run(*words).exit_code == 0
    good = run("verify", "proofs", "--credits", "credits.txt", "--require-all")
    assert good.exit_code == 0 and "verified: 4" in good.stdout


def test_why_scores_with_credits_differ(files: None) -> None:
    between = ("--between", "default:top=none", "default:credits=credits.txt")
    result = run("explain", "a.amr", "b.amr", *between, "--format", "json")
    content = json.loads(result.stdout)
    # In eighths of a triple: two tops, and half an aspect.
    changes = [
        (row["choice"], row["matched"], row["gold_total"]) for row in content["tables"]["steps"]
    ]
    assert changes == [("top", 16, 16), ("credits", 4, 0), ("all", 20, 16)]
    assert [row["matched"] for row in content["tables"]["scores"]] == [8 * 6, 8 * 8 + 4]
    assert "1/8 of a triple" in result.stdout


def test_why_umatch_and_smatch_with_credits_differ(tmp_path: Path) -> None:
    for name, values in (("a", ("sing", "activity", "1st")), ("b", ("sing", "endeavor", "1st"))):
        (tmp_path / f"{name}.umr").write_text(UMR_TEXT.format(*values), encoding="utf-8")
    files = (tmp_path / "a.umr", tmp_path / "b.umr")
    umatch = f"umatch:default:document-level=ignore:credits={UMR}"
    words = ("--between", umatch, "smatch", "--credits", UMR, "--format", "json")
    steps = json.loads(run("explain", *files, *words).stdout)["tables"]["steps"]
    # Neither credit changes on the way; the root counts in Smatch alone.
    assert {row["choice"]: row["matched"] for row in steps if row["matched"]} == {
        "top": 1000, "all": 1000,
    }  # fmt: skip
    by_rules = "umatch:umrtools-2026:scope=document:document-level=ignore"
    refused = run("explain", *files, "--between", by_rules, "smatch", "--credits", UMR)
    assert refused.exit_code == 2 and "umatch maps by rules in this profile" in refused.stderr


def test_scores_of_tools_count_no_credits(files: None) -> None:
    Path("scores.txt").write_text("F-score: 0.5\n" * 2, encoding="utf-8")
    words = ("--scores", "scores.txt", "--from", "smatch", "--credits", "credits.txt")
    result = run("explain", "a.amr", "b.amr", *words)
    assert result.exit_code == 2 and "smatch that count matches in part" in result.stderr


def test_many_graphs_at_once_are_scored_with_credits(files: None) -> None:
    score = partial(exactmatch.best_mapping, credits="credits.txt")
    graphs = [
        Path(name).read_text(encoding="utf-8").split("\n\n")[0] for name in ("a.amr", "b.amr")
    ]
    graphs.append("(x / see-01 :aspect c)")
    Path("many.amr").write_text("\n\n".join(graphs), encoding="utf-8")
    found = exactmatch.matrix(Path("many.amr"), Path("many.amr"), credits="credits.txt").dense()
    for i, one in enumerate(graphs):
        for j, other in enumerate(graphs):
            assert found[i][j] == pytest.approx(score(one, other).f1)


def test_numbers_of_triples_bound_scores_with_credits(files: None) -> None:
    graphs = ("(x / see :aspect a)", "(x / see :aspect b)", "(x / see :aspect c)")
    for number, text in enumerate(graphs):
        Path(f"{number}.amr").write_text(text, encoding="utf-8")
    words = ("choose", "0.amr", "1.amr", "2.amr", "--credits", "credits.txt")
    chosen = json.loads(run(*words).stdout.splitlines()[0])
    # b matches 2.5 of 3 with a, and 2.25 with c; a and c match 2 only.
    assert (chosen["chosen"], chosen["proven"]) == (1, True)
    assert all(upper <= 1 for upper in chosen["means_upper"])
    assert chosen["means"][1] <= (2.5 + 2.25) / 2 / 3 <= chosen["means_upper"][1] + 1e-9
    # The first of two is chosen without a search: both have the same mean.
    two = json.loads(run(*words[:3], *words[4:]).stdout.splitlines()[0])
    assert two["stages"]["totals"] == 1 and two["means_upper"] == [1, 1]
    near = exactmatch.nearest(Path("0.amr"), Path("1.amr"), credits="credits.txt")
    assert near.columns()["f1"] == [pytest.approx(2.5 / 3)]


#: The lattices as the figures of the guidelines draw them: a value and those right below it.
LATTICES: Mapping[str, Mapping[str, str]] = {
    "aspect": {
        "": "habitual imperfective process",
        "imperfective": "state atelic-process",
        "process": "atelic-process perfective",
        "state": "reversible-state irreversible-state point-state inherent-state",
        "atelic-process": "activity endeavor",
        "perfective": "endeavor performance",
        "activity": "directed-activity undirected-activity",
        "endeavor": "semelfactive undirected-endeavor directed-endeavor",
        "performance": "incremental-accomplishment nonincremental-accomplishment "
        "directed-achievement",
        "directed-achievement": "reversible-directed-achievement irreversible-directed-achievement",
    },
    "refer-person": {
        "": "non-3rd non-1st",
        "non-3rd": "1st 2nd",
        "non-1st": "2nd 3rd",
        "1st": "inclusive exclusive",
    },
    "refer-number": {
        "": "singular non-singular",
        "non-singular": "paucal plural",
        "paucal": "dual non-dual-paucal",
        "plural": "non-dual-paucal non-trial-paucal greater-plural",
        "non-dual-paucal": "trial non-trial-paucal",
    },
    **{
        role: {
            "": " ".join(f"non-{x}-{p}" for p in ("affirmative", "negative") for x in
                         ("neutral", "full")),
            **{
                f"{above}-{polarity}": " ".join(f"{value}-{polarity}" for value in below.split())
                for polarity in ("affirmative", "negative")
                for above, below in {
                    "non-neutral": "full partial",
                    "non-full": "partial neutral",
                    "partial": "strong-partial weak-partial",
                    "neutral": "strong-neutral weak-neutral",
                }.items()
            },
        }
        for role in ("modal-strength", "modstr")
    },
}  # fmt: skip


def test_the_lattices_of_umr_follow_their_rule() -> None:
    expected = {}
    for role, below in LATTICES.items():
        # All values that a value reaches, downwards from each.
        reached = {value: {value} for text in below.values() for value in text.split()}
        for _ in reached:
            for value, text in below.items():
                if value:
                    reached[value] = reached[value].union(*(reached[v] for v in text.split()))
        above = {value: {one for one in reached if value in reached[one]} for value in reached}
        for one, other in combinations(sorted(above), 2):
            both = above[one] & above[other]
            if both:
                largest = max(len(above[one]), len(above[other]))
                expected[role, one, other] = round(1000 * len(both) / largest)
    found = {(role, *sorted((one, other))): n for role, one, other, n in named_credits(UMR).rows}
    assert found == expected


@pytest.mark.parametrize(
    "role, one, other, credit",
    [
        ("refer-person", "1st", "inclusive", 667),  # the question of the guidelines' issue
        ("refer-person", "1st", "3rd", None),
        ("aspect", "activity", "endeavor", 600),
        ("aspect", "state", "performance", None),
        ("modal-strength", "full-affirmative", "partial-affirmative", 333),
        ("modal-strength", "full-affirmative", "full-negative", None),
        ("refer-number", "plural", "non-singular", 500),
        ("refer-number", "trial", "non-trial-paucal", 800),
    ],
)
def test_the_lattices_of_umr_by_hand(role: str, one: str, other: str, credit: int | None) -> None:
    rows = {
        (row.role, frozenset((row.one, row.other))): row.parts for row in named_credits(UMR).rows
    }
    assert rows.get((role, frozenset((one, other)))) == credit
