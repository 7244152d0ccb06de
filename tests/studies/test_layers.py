"""The layers of UMR in agreement studies: sentence graphs, surface alignment, document level."""

import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from study_files import run, tables, write
from study_files import umr_sentence as sentence

import exactmatch
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counts import Range
from exactmatch.scoring.settings import Settings
from exactmatch.studies.agreement.compared_pair import compared_pair

INSTANCES = Path(__file__).resolve().parents[2] / "instances" / "umr"
A, B = str(INSTANCES / "a.umr"), str(INSTANCES / "b.umr")


def layers(*words: str) -> dict[str, dict[str, Any]]:
    """Return the rows of the layers of two files by the name of the layer."""
    found = tables("iaa", *words, "--resamples", "10")["layers"]
    return {row["layer"]: row for row in found}


def values(*words: str) -> list[list[Any]]:
    """Return the confusions of one side, and then the triples that the other side lacks."""
    found = tables("iaa", *words, "--resamples", "10")
    rows = [*found["values"], *found["unsaid"]]
    return [[row[key] for key in ("layer", "one", "other", "times")] for row in rows]


def counts(row: Mapping[str, Any]) -> list[int]:
    keys = ("matched", "matched_least", "matched_most", "first_total", "second_total")
    return [row[key] for key in keys]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_layers_of_the_sentence_graph(folder: Path) -> None:
    """Roles: ARG0 and quant match, wiki and mod do not; one of two aspects; another strength."""
    one = "(s1s / sing-01 :ARG0 (s1b / bird :quant 2) :aspect state :modal-strength full-negative)"
    two = (
        "(s1x / sing-01 :ARG0 (s1y / bird :quant 2 :aspect state :wiki Q1) :mod (s1z / zoo) "
        ":aspect state :modal-strength full-affirmative)"
    )
    write("one.umr", [sentence(1, "a b c", one, "s1s: 1-1/s1b: 2-2")])
    write("two.umr", [sentence(1, "a b c", two, "s1x: 1-1/s1y: 2-3/s1z: 3-3")])
    found = layers("one.umr", "two.umr")
    assert {name: counts(row) for name, row in found.items()} == {
        "mapped nodes": [2, 2, 2, 2, 3],
        "concepts": [2, 2, 2, 2, 3],
        "roles": [2, 2, 2, 2, 4],
        "aspect": [1, 1, 1, 1, 2],
        "modal strength": [0, 0, 0, 1, 1],
        "surface alignment": [1, 1, 1, 2, 3],
        "token sets": [1, 1, 1, 2, 3],
    }
    assert (found["roles"]["precision"], found["roles"]["recall"]) == (1, 0.5)
    assert values("one.umr", "two.umr") == [
        ["modal strength", "full-negative", "full-affirmative", 1],
        ["aspect", None, "state", 1],
    ]


def test_nodes_without_tokens_agree_in_their_surface_alignment(folder: Path) -> None:
    graph = "(s1a / and :op1 (s1b / bird) :op2 (s1c / cat))"
    write("one.umr", [sentence(1, "a b c", graph, "s1a: 0-0/s1b: 1-1, 3-3/s1c: 2-2")])
    write("two.umr", [sentence(1, "a b c", graph, "s1a: 0-0/s1b: 1-1, 3-3/s1c: 0-0")])
    found = layers("one.umr", "two.umr")
    assert counts(found["surface alignment"]) == [2, 2, 2, 3, 3]
    assert counts(found["token sets"]) == [1, 1, 1, 2, 1]


def test_other_names_of_the_same_roles(folder: Path) -> None:
    write("one.umr", [sentence(1, "a", "(s1a / b :MODSTR x :Aspect y)")])
    write("two.umr", [sentence(1, "a", "(s1a / b :modstr x :aspect z)")])
    found = layers("one.umr", "two.umr")
    assert counts(found["modal strength"]) == [1, 1, 1, 1, 1]
    assert counts(found["aspect"]) == [0, 0, 0, 1, 1]
    assert "roles" not in found


#: Two sentences; the second says something of nodes of both.
BOTH = [("Ada sang", "(s1s / sing-01 :ARG0 (s1a / person))"), ("She left", "(s2l / leave-11)")]
OTHER = [("Ada sang", "(s1x / sing-01 :ARG0 (s1y / person))"), ("She left", "(s2z / leave-11)")]


def annotation(graphs: list[tuple[str, str]], *said: str) -> list[str]:
    return [
        sentence(k, words, graph, said=more)
        for k, ((words, graph), more) in enumerate(zip(graphs, said, strict=True), start=1)
    ]


@pytest.mark.parametrize("metric", ["smatch", "umatch"])
def test_ends_in_other_sentences(folder: Path, metric: str) -> None:
    """The result does not depend on the sentences that are compared at once."""
    one = " :temporal ((s1s :before s2l) (now :before s2l)) :coref ((s1a :same-entity s2l))"
    two = " :coref ((s1x :same-entity s2z)) :temporal ((now :before s2z) (s1x :after s2z))"
    modal = " :modal ((root :modal author) (author :full-negative s1{}))"
    write("one.umr", annotation(BOTH, modal.format("s"), one))
    write("two.umr", annotation(OTHER, modal.format("x"), two))
    found = layers("one.umr", "two.umr", "--metric", metric)
    assert counts(found["temporal"]) == [1, 1, 1, 2, 2]
    assert counts(found["modal"]) == [2, 2, 2, 2, 2]
    assert counts(found["coreference"]) == [0, 0, 0, 1, 1]
    assert values("one.umr", "two.umr", "--metric", metric) == [
        ["temporal", "before", "after", 1],
        ["coreference", None, "same-entity", 1],
        ["coreference", "same-entity", None, 1],
    ]


def test_names_are_those_of_a_document(folder: Path) -> None:
    """In the second document, s1s is another node than in the first."""
    said = " :temporal ((s1s :before s2l))"
    other = [("Ada sang", "(s1a / sing-01 :ARG0 (s1s / person))"), BOTH[1]]
    write("one.umr", annotation(BOTH, "", said) + annotation(BOTH, "", said))
    write("two.umr", annotation(BOTH, "", said) + annotation(other, "", said))
    assert counts(layers("one.umr", "two.umr")["temporal"]) == [1, 1, 1, 2, 2]
    write(
        "three.umr",
        annotation(BOTH, "", said) + annotation(OTHER, "", " :temporal ((s1x :before s2z))"),
    )
    assert counts(layers("one.umr", "three.umr")["temporal"]) == [2, 2, 2, 2, 2]


@pytest.mark.parametrize("metric", by_day(["smatch", "umatch"]))
@pytest.mark.parametrize("place, meant", [(1, 2), (2, 2), (3, 2), (4, 4), (5, 4)])
def test_names_that_occur_twice_in_a_document(
    folder: Path, metric: str, place: int, meant: int
) -> None:
    """A reference means this sentence, the last one before it, or the next one."""

    def document(names: dict[int, str], said: str) -> list[str]:
        graphs = [f"({names.get(k, f's{k}x')} / c{k})" for k in range(1, 6)]
        more = f" :temporal ((now :before {said}))"
        return [
            sentence(k, f"w{k}", graph, f"{names.get(k, f's{k}x')}: 1-1", more * (k == place))
            for k, graph in enumerate(graphs, start=1)
        ]

    write("one.umr", document({2: "s9z", 4: "s9z"}, "s9z"))
    write("two.umr", document({}, f"s{meant}x"))
    found = layers("one.umr", "two.umr", "--metric", metric)
    assert counts(found["temporal"]) == [1, 1, 1, 1, 1]


def test_what_is_said_of_nodes_without_partner_is_no_other_value(folder: Path) -> None:
    one, two = "(s1a / b)", "(s1a / b :ARG0 (s1c / d))"
    write("one.umr", [sentence(1, "a", one, said=" :temporal ((now :before s1a))")])
    write("two.umr", [sentence(1, "a", two, said=" :temporal ((now :after s1c))")])
    assert counts(layers("one.umr", "two.umr")["temporal"]) == [0, 0, 0, 1, 1]
    assert values("one.umr", "two.umr") == [["temporal", "before", None, 1]]


def test_nodes_of_sentences_that_one_file_lacks_are_no_constants(folder: Path) -> None:
    said = " :temporal ((s2l :before s3s) (author :before s3s))"
    third = sentence(3, "and sang", "(s3s / sing-01)", said=said)
    write("one.umr", [*annotation(BOTH, "", ""), third])
    write("two.umr", [annotation(BOTH, "", "")[0], third])
    result = run("iaa", "one.umr", "two.umr", "--resamples", "10", "--format", "json")
    assert result.exit_code == 1
    assert "two lacks 1 item; the first is snt2" in result.stderr
    found = {row["layer"]: row for row in json.loads(result.stdout)["tables"]["layers"]}
    assert counts(found["temporal"]) == [1, 1, 1, 2, 2]


def test_equal_nodes_of_tokens_that_are_not_there_are_not_mapped(folder: Path) -> None:
    same = sentence(1, "a", "(s1a / b)", "s1a: 2-2")
    write("one.umr", [same])
    write("two.umr", [same])
    found = layers("one.umr", "two.umr", "--metric", "umatch")
    assert counts(found["concepts"]) == [0, 0, 0, 1, 1]


def test_what_depends_on_the_best_mapping(folder: Path) -> None:
    """Either cat may be the image: one has the same alignment, the other the same relation."""
    one = "(s1a / and :op1 (s1b / cat :aspect state) :op1 (s1c / cat))"
    two = "(s1a / and :op1 (s1b / cat :aspect habitual))"
    said = " :temporal ((now :before s1{}))"
    write("one.umr", [sentence(1, "a b c", one, "s1b: 1-1/s1c: 2-2", said.format("c"))])
    write("two.umr", [sentence(1, "a b c", two, "s1b: 2-2", said.format("b"))])
    found = layers("one.umr", "two.umr")
    assert counts(found["surface alignment"])[1:] == [1, 2, 3, 2]
    assert counts(found["temporal"])[1:] == [0, 1, 1, 1]
    assert counts(found["concepts"]) == [2, 2, 2, 3, 2]
    write("one.umr", [sentence(1, "a b c", one, "s1b: 1-1/s1c: 2-2", said.format("b"))])
    either = [layers("one.umr", "two.umr")["temporal"], found["temporal"]]
    assert sorted(map(counts, either)) == [[0, 0, 1, 1, 1], [1, 0, 1, 1, 1]]


@pytest.mark.parametrize("metric", ["smatch", "umatch"])
def test_layers_add_up_to_the_score(metric: str) -> None:
    found = tables("iaa", A, B, "--metric", metric, "--top", "none", "--resamples", "10")
    (pair,) = found["pairs"]
    names = ["concepts", "roles", "aspect", "modal strength"]
    if metric == "umatch":
        names += ["temporal", "modal", "coreference"]
    for key in ("matched", "first_total", "second_total"):
        assert sum(row[key] for row in found["layers"] if row["layer"] in names) == pair[key]


def test_token_sets_are_those_of_umrtools() -> None:
    """compare_umr.pl of these two files: 18 of 23 aligned token sets on either side."""
    assert counts(layers(A, B)["token sets"]) == [18, 18, 18, 23, 23]


@pytest.mark.parametrize("metric", ["smatch", "umatch"])
def test_a_file_agrees_with_itself_in_every_layer(metric: str) -> None:
    for name, row in layers(A, A, "--metric", metric).items():
        assert row["matched"] == row["first_total"] == row["second_total"], name
        assert row["matched_most"] <= row["first_total"], name


def test_tops_are_in_no_layer() -> None:
    assert layers(A, B, "--top", "attribute") == layers(A, B, "--top", "none")


def test_other_formats_have_no_layers(files: Path) -> None:
    assert "layers" not in tables("iaa", "a.amr", "b.amr", "--resamples", "10")


def test_mapped_nodes_of_any_best_mapping(folder: Path) -> None:
    """The first nodes share two attributes; crosswise, one each."""
    one = "(s1a / a :r (s1b / b :p 1 :q 1) :s (s1c / c :p 1))"
    two = "(s1a / e :t (s1b / f :p 1 :q 1) :u (s1c / g :q 1))"
    write("one.umr", [sentence(1, "a b c", one)])
    write("two.umr", [sentence(1, "a b c", two)])
    assert counts(layers("one.umr", "two.umr", "--top", "none")["mapped nodes"])[1:3] == [1, 2]


def test_mapped_nodes_where_best_mappings_are_many(folder: Path) -> None:
    one = "(s1a / and " + " ".join(f":x{k} (s1b{k} / bird)" for k in range(30)) + ")"
    write("one.umr", [sentence(1, "a b c", one)])
    write("two.umr", [sentence(1, "a b c", "(s1a / or :y (s1b / bird) :z (s1c / bird))")])
    assert counts(layers("one.umr", "two.umr", "--top", "none")["mapped nodes"])[:3] == [2, 0, 2]


def test_sentences_with_nothing_in_common_match_nothing_in_layers(folder: Path) -> None:
    write("one.umr", [sentence(1, "a", "(s1a / b)")])
    write("two.umr", [sentence(1, "a", "(s1a / c)")])
    found = layers("one.umr", "two.umr", "--top", "none")
    assert counts(found["mapped nodes"]) == [0, 0, 0, 1, 1]
    assert counts(found["concepts"]) == [0, 0, 0, 1, 1]


@pytest.mark.parametrize("options, known", [(("--memory", "1K"), False), ((), True)])
def test_where_best_mappings_are_not_known(options: tuple[str, ...], known: bool) -> None:
    result = run("iaa", A, B, *options, "--resamples", "10", "--table", "layers")
    assert ("only the defined mapping is known" in result.stdout) != known


def aspects(graphs: list[Graph]) -> dict[tuple[int, int], Range]:
    """Return the range of matched aspects under the best mappings of every two graphs."""
    metric = exactmatch.metric("smatch")
    assert isinstance(metric, AlignmentMetric)
    found = {}
    for i, j in combinations(range(len(graphs)), 2):
        pair = GraphPair("", graphs[i], graphs[j])
        layers = compared_pair(metric, Settings(best_mappings=20), pair).layers
        assert layers is not None
        found[i, j] = layers.ranges["aspect"]
    return found


def alpha_of(distances: Mapping[tuple[int, int], int], items: list[str]) -> float:
    square = [[0] * len(items) for _ in items]
    for (i, j), distance in distances.items():
        square[i][j] = square[j][i] = distance
    value = exactmatch.alpha(square, items, resamples=10).alpha.value
    assert value is not None
    return float(value.low)


def test_alpha_of_a_layer_depends_on_which_best_mappings_are_taken() -> None:
    """The figures of docs/agreement.md; each end is that of some best mapping of every pair."""
    graphs = [graph for name in (A, B) for graph in exactmatch.load(name)]
    ranges = aspects(graphs)
    assert sum(one.least < one.most for one in ranges.values()) == 8
    ends = []
    for end in ("most", "least"):
        distances = {
            which: one.system_total + one.gold_total - 2 * getattr(one, end)
            for which, one in ranges.items()
        }
        ends.append(alpha_of(distances, [graph.identifier or "" for graph in graphs]))
    assert ends == [pytest.approx(0.2569, abs=5e-5), pytest.approx(0.5525, abs=5e-5)]


def test_the_best_mapping_of_a_layer_alone_does_not_see_where_values_stand(folder: Path) -> None:
    """Two annotators swap aspects in every sentence, and so agree on the aspect of no node."""
    swapped = [("performance", "state"), ("activity", "endeavor"), ("habitual", "process")]
    for name, order in (("one.umr", 1), ("two.umr", -1)):
        write(
            name,
            [
                sentence(
                    k,
                    "a b",
                    "(s1g / go-02 :aspect {} :purpose (s1s / see-01 :aspect {}))".replace(
                        "s1", f"s{k}"
                    ).format(*pair[::order]),
                )
                for k, pair in enumerate(swapped, start=1)
            ],
        )
    assert counts(layers("one.umr", "two.umr")["aspect"]) == [0, 0, 0, 6, 6]
    alone = [[*pair] for _ in range(2) for pair in swapped]
    distances = {
        (i, j): 4 - 2 * len({*alone[i]} & {*alone[j]}) for i, j in combinations(range(6), 2)
    }
    assert alpha_of(distances, ["1", "2", "3"] * 2) == 1
