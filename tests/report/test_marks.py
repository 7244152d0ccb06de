"""Marks of triples agree with the counts, and show the differences."""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from drs_samples import random_drs
from samples import random_graph
from seeds import each_seed
from view_samples import metric_called, random_mapping, view_of

from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.report.views.marks import Mark, Marks, marks_under
from exactmatch.report.views.pair_view import PairView
from exactmatch.studies.common.differences import differences

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
DUPLICATES = ["set", "multiset", "product"]


def marks_of(view: PairView, mapping: Mapping[str, str]) -> Marks:
    once = view.metric.duplicates == "multiset"
    return marks_under(mapping, view.system, view.gold, view.similar, once=once)


def counted(view: PairView, marks: Marks, mapping: Mapping[str, str]) -> int:
    """Return the number of matches by the marks of a mapping."""
    matched = [t for t, mark in enumerate(marks.system) if mark == "matched"]
    if view.metric.duplicates == "product":
        targets = Counter(view.comparison.gold.as_gold())
        images = [view.system.triples[t] for t in matched]
        renamed = [
            triple._replace(variables=tuple(mapping[v] for v in triple.variables))
            for triple in images
        ]
        return sum(targets[triple] for triple in renamed)
    return len(matched)


def check_consistent(view: PairView, marks: Marks) -> None:
    """Check that partners have the same mark, and others have no partner."""
    alone: set[Mark] = {"extra", "missing"}
    assert len(marks.system) == len(view.system.triples)
    assert len(marks.gold) == len(view.gold.triples)
    for triple, partner in marks.partner.items():
        assert marks.system[triple] == marks.gold[partner] not in alone
    for number, mark in enumerate(marks.system):
        assert (number in marks.partner) == (mark != "extra")
        assert mark != "missing"
    assert "extra" not in marks.gold


@pytest.mark.parametrize("duplicates", DUPLICATES)
@each_seed(60)
def test_marks_say_what_is_counted(seed: int, duplicates: str) -> None:
    rng = random.Random(seed)
    system, gold = (random_graph(rng, rng.randint(1, 6))[0] for _ in "ab")
    view = view_of(system, gold, metric=metric_called("smatch", duplicates=duplicates))
    for mapping in (view.score.mapping, random_mapping(rng, view)):
        marks = marks_of(view, mapping)
        check_consistent(view, marks)
        assert counted(view, marks, mapping) == view.comparison.count_matched(mapping)
    assert counted(view, view.marks, view.score.mapping) == view.score.matched


@each_seed(60)
def test_marks_say_what_is_counted_of_clauses(seed: int) -> None:
    rng = random.Random(seed)
    view = view_of(random_drs(rng), random_drs(rng), metric=metric_called("counter"))
    for mapping in (view.score.mapping, random_mapping(rng, view)):
        marks = marks_of(view, mapping)
        check_consistent(view, marks)
        assert counted(view, marks, mapping) == view.comparison.count_matched(mapping)


def test_an_operator_turned_round_matches() -> None:
    one, other = (f'b1 EQU {ends}\nb1 man "n.01" x1' for ends in ("x1 x2", "x2 x1"))
    view = view_of(one, other, metric=metric_called("counter"))
    matched = view.marks.system.count("matched"), view.marks.gold.count("matched")
    assert matched == (view.score.matched, view.score.matched)


@pytest.fixture(scope="module")
def similar() -> AlignmentMetric:
    from exactmatch import metric
    from exactmatch.metrics.registry import alignment_based

    similarity = INSTANCES / "opitz" / "similarities.txt"
    return alignment_based(metric("s2match", similarity=similarity))


def test_similar_concepts_are_marked_with_what_they_count(similar: AlignmentMetric) -> None:
    texts = [
        (INSTANCES / "opitz" / f"{name}.amr").read_text("utf-8") for name in ("system", "gold")
    ]
    partly = 0
    for system, gold in zip(*(text.split("\n\n") for text in texts), strict=True):
        view = view_of(system, gold, metric=similar)
        marks = view.marks
        check_consistent(view, marks)
        found = 0
        for triple, partner in marks.partner.items():
            labels = view.system.triples[triple].label, view.gold.triples[partner].label
            if marks.system[triple] == "matched":
                found += similar.scale
            elif marks.system[triple] == "partly":
                found += view.similar[labels]
                partly += 1
        assert found == view.score.matched
    assert partly


def check_as_studies_count(view: PairView, mapping: Mapping[str, str]) -> None:
    found: dict[str, Counter[Mark]] = {}
    graphs = view.comparison.system, view.comparison.gold
    for one in differences(*graphs, mapping, view.metric.duplicates):
        mark: Mark = "extra" if one.gold is None else "missing" if one.system is None else "other"
        found.setdefault(one.kind, Counter())[mark] += 1
    assert marks_of(view, mapping).counts(view.system, view.gold) == found


@each_seed(60)
def test_what_differs_is_what_studies_count(seed: int) -> None:
    rng = random.Random(seed)
    amrs = [random_graph(rng, rng.randint(1, 6))[0] for _ in "ab"]
    drss = [random_drs(rng) for _ in "ab"]
    views = [
        *(
            view_of(*amrs, metric=metric_called("smatch", duplicates=d))
            for d in ("set", "multiset")
        ),
        view_of(*drss, metric=metric_called("counter")),
    ]
    for view in views:
        check_as_studies_count(view, view.score.mapping)
        check_as_studies_count(view, random_mapping(rng, view))


@each_seed(60)
def test_marks_are_swapped_with_the_files(seed: int) -> None:
    rng = random.Random(seed)
    system, gold = (random_graph(rng, rng.randint(1, 6))[0] for _ in "ab")
    view, back = view_of(system, gold), view_of(gold, system)
    mapping = random_mapping(rng, view)
    inverse = {image: variable for variable, image in mapping.items()}
    one = marks_of(view, mapping).counts(view.system, view.gold)
    other = marks_of(back, inverse).counts(back.system, back.gold)
    turned: dict[Mark, Mark] = {"extra": "missing", "missing": "extra"}
    assert other == {
        kind: Counter({turned.get(mark, mark): count for mark, count in counts.items()})
        for kind, counts in one.items()
    }


def test_each_mark_is_given_where_it_belongs() -> None:
    view = view_of("(a / b :R (c / d) :quant 3 :S a)", "(x / b :R (y / e) :quant 4 :T 5)")
    marks = marks_of(view, {"a": "x", "c": "y"})
    said = {
        " ".join([*triple.label, *triple.variables]): mark
        for triple, mark in zip(view.system.triples, marks.system, strict=True)
    }
    assert said["instance b a"] == "matched"
    assert said["instance d c"] == "other"
    assert said["relation r a c"] == "matched"
    assert said["attribute quant 3 a"] == "other"
    assert said["relation s a a"] == "extra"
    assert marks.gold.count("missing") == 1


def test_roots_stand_for_each_other_whatever_they_are() -> None:
    view = view_of("(a / b :R (c / d))", "(y / d :R-of (x / b))")
    marks = marks_of(view, {"a": "x", "c": "y"})
    tops = [t for t, triple in enumerate(view.system.triples) if triple.kind == "top"]
    assert [marks.system[t] for t in tops] == ["other"]
    assert marks.counts(view.system, view.gold) == {"top": Counter({"other": 1})}


def test_triples_of_one_name_stand_for_each_other() -> None:
    """The result does not depend on the order in the files."""
    view = view_of("(a / b :quant 3 :mode x)", "(a / b :mode y :quant 4)")
    for number, other in view.marks.partner.items():
        assert view.system.triples[number].name == view.gold.triples[other].name
