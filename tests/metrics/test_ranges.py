"""The ranges of aspects against a look at all mappings."""

import random
from collections.abc import Iterator

import pytest
from samples import random_graph
from seeds import each_seed

import exactmatch
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.subscores.asked import Joint, Searched, Subscores, uses_frames
from exactmatch.metrics.subscores.aspect_files import Frames
from exactmatch.metrics.subscores.statements import Statements
from exactmatch.metrics.triples import Duplicates, NormalisedGraph
from exactmatch.scoring.recount import count_matched

#: Roles that differ for the whole graphs are one for an aspect, and the other way round.
FRAMES = Frames("digest", {("p", "arg0"): "cause", ("s", "arg1"): "cause", ("q", "arg0"): "arg1"})
ASKED = Subscores.of(["aspects", "aspects-own", "reentrancies", "srl"], frames=FRAMES)


def mappings(left: tuple[str, ...], right: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yield all one-to-one mappings, partial ones too."""
    if not left:
        yield {}
        return
    first, *rest = left
    for mapping in mappings(tuple(rest), right):
        yield mapping
        yield from ({first: image, **mapping} for image in right if image not in mapping.values())


def best_mappings(
    system: NormalisedGraph, gold: NormalisedGraph, duplicates: Duplicates
) -> list[dict[str, str]]:
    scored = [
        (count_matched(system, gold, mapping, duplicates), mapping)
        for mapping in mappings(system.variables, gold.variables)
    ]
    best = max(score for score, _ in scored)
    return [mapping for score, mapping in scored if score == best]


@pytest.mark.slow
@each_seed(15)
def test_ends_are_those_of_all_best_mappings(seed: int) -> None:
    rng = random.Random(seed)
    choices: list[Duplicates] = ["set", "multiset", "product"]
    metric = Smatch(duplicates=choices[seed % 3], top=rng.choice(["constant", "concept"]))
    texts = [random_graph(rng, rng.randint(1, 5))[0] for _ in range(2)]
    if rng.random() < 0.5:  # fewer of the mappings are best ones
        texts[1] = texts[1].replace("/ p", "/ s").replace("/ q", "/ t")
    found = exactmatch.best_mapping(*texts, metric=metric, subscores=ASKED).subscores
    graphs = [metric.normalise(graph) for text in texts for graph in exactmatch.loads(text)]
    best = best_mappings(graphs[0], graphs[1], metric.duplicates)
    every = [*mappings(graphs[0].variables, graphs[1].variables)]
    seen = 0
    for name, definition in ASKED.definitions.items():
        if not isinstance(definition, Joint | Searched):
            continue
        sides = [Statements.of(graph, metric) for graph in graphs]
        if uses_frames(definition):
            sides = [side.renamed(FRAMES.role) for side in sides]
        system, gold = (definition.part.graph(side) for side in sides)
        if not (system.triples or gold.triples):
            assert name not in found
            continue
        seen += 1
        tried = best if isinstance(definition, Joint) else every
        counts = [count_matched(system, gold, mapping, metric.duplicates) for mapping in tried]
        if isinstance(definition, Searched):
            counts = [max(counts)]
        assert found[name][:2] == (min(counts), max(counts)), (name, texts)
        assert found[name].unproven == 0
    assert seen > 10


def test_renamed_roles_may_match_where_nothing_else_does() -> None:
    """All best mappings score the same triples, and yet differ in the aspect."""
    frames = Frames("digest", {("go-01", "arg4"): "path", ("travel-01", "arg2"): "path"})
    found = exactmatch.best_mapping(
        "(g / go-01 :ARG4 (c / city))",
        "(t / travel-01 :ARG2 (v / village))",
        subscores=Subscores.of(["aspect-location", "aspect-location-own"], frames=frames),
    )
    assert found.matched == 1  # the root
    assert found.subscores["aspect-location"][:4] == (0, 1, 3, 3)
    assert found.subscores["aspect-location-own"][:4] == (1, 1, 3, 3)


@pytest.mark.parametrize("is_renamed", ["the system", "the gold standard"])
def test_roles_renamed_in_one_graph_may_match_where_nothing_else_does(is_renamed: str) -> None:
    """The renamed roles are requested together with aspects that rename no role."""
    frames = Frames("digest", {("go-01", "arg4"): "path"})
    texts = [
        "(g / go-01 :ARG4 (c / city) :time (n / now))",
        "(t / travel-01 :path (v / village) :time (d / day))",
    ]
    if is_renamed == "the gold standard":
        texts.reverse()
    asked = Subscores.of(["aspect-location", "aspect-time"], frames=frames)
    found = exactmatch.best_mapping(*texts, subscores=asked)
    assert found.matched == 2  # the root and the time
    assert found.subscores["aspect-location"][:4] == (0, 1, 3, 3)
    assert found.subscores["aspect-time"][:4] == (1, 1, 3, 3)
