"""The aspects of smatch++ against its steps, written down again for plain triples."""

import random

import pytest
from seeds import each_seed

import exactmatch
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.subscores.aspects import DAMONTE_ASPECTS, SMATCHPP_ASPECTS
from exactmatch.metrics.subscores.statements import Statements
from exactmatch.metrics.triples import NormalisedGraph

#: Source, role and target, as smatch++ has them.
Plain = tuple[str, str, str]

METRIC = Smatch.profiles["smatchpp-1.8-amr"].with_choices(reification="keep")
ROLES = [
    *("arg0", "arg1", "arg4", "location", "time", "poss", "name"),
    *("quant", "mod", "domain", "cause", "wiki", "topic"),
]
CONCEPTS = [
    *("cause-01", "city", "date-entity", "amr-unknown"),
    *("sum-of", "mass-quantity", "go-02", "cat"),
]
CONSTANTS = ["-", "5", "city"]

#: Roles, concepts, steps of context, with parents, with predicates.
ORACLE: dict[str, tuple[str, str, int, bool, bool]] = {
    "aspect-agent": ("arg0", "", 2, False, True),
    "aspect-patient": ("arg1 arg4", "", 2, False, True),
    "aspect-srl": ("arg0 arg1 arg4", "", 2, False, True),
    "aspect-cause": ("cause", "cause-01", 2, False, True),
    "aspect-concept": ("instance", "", 0, False, False),
    "aspect-focus": ("root", "", 2, False, True),
    "aspect-location": ("location", "city", 2, False, True),
    "aspect-maths": ("", "sum-of", 2, False, True),
    "aspect-ner": ("name", "", 2, False, True),
    "aspect-possession": ("poss", "", 2, False, True),
    "aspect-quantifier": ("quant", "mass-quantity", 2, False, True),
    "aspect-question": ("", "amr-unknown", 0, True, True),
    "aspect-time": ("time", "date-entity", 2, False, True),
    "aspect-topic": ("topic", "", 2, False, True),
    "aspect-wiki": ("wiki", "", 0, False, False),
}


def random_amr(rng: random.Random) -> tuple[str, list[Plain]]:
    """Return an AMR as text, and as smatch++ has its triples."""
    size = rng.randint(1, 8)
    concepts = [rng.choice(CONCEPTS) for _ in range(size)]
    triples: set[Plain] = {(f"n{k}", "instance", concept) for k, concept in enumerate(concepts)}
    triples.add(("n0", "root", concepts[0]))
    said: list[list[str]] = [[] for _ in range(size)]

    def say(k: int, target: str, text: str) -> None:
        role, inverse = rng.choice(ROLES), rng.choice(["", "", "-of"])
        said[k].append(f":{role}{inverse} {text}")
        ends = (f"n{k}", target)
        if (inverse == "") == (role == "domain"):
            ends = ends[::-1]
        triples.add((ends[0], "mod" if role == "domain" else role, ends[1]))

    for k in range(size):
        for _ in range(rng.randrange(2)):
            say(k, constant := rng.choice(CONSTANTS), constant)
        for _ in range(rng.randrange(2)):
            say(k, other := f"n{rng.randrange(size)}", other)
    for k in range(size - 1, 0, -1):
        say(rng.randrange(k), f"n{k}", f"(n{k} / {' '.join([concepts[k], *said[k]])})")
    return f"(n0 / {' '.join([concepts[0], *said[0]])})", sorted(triples)


def smatchpp_aspect(name: str, triples: list[Plain]) -> set[Plain]:
    """Return the part of a graph, step by step."""
    edges = [t for t in triples if t[1] != "instance"]
    variables = {t[0] for t in triples if t[1] == "instance"}
    if name == "aspect-reentrancies":
        into = {v: [t for t in edges if t[2] == v] for v in variables}
        found = {t for leading in into.values() if len(leading) > 1 for t in leading}
    else:
        roles, concepts, steps, parents, predicates = ORACLE[name]
        nodes = {s for s, _, t in triples if t in concepts.split()}
        core = {t for t in triples if t[1] in roles.split() or {t[0], t[2]} & nodes}
        found = set(core)
        for _ in range(steps):
            found |= {t for t in edges if t[0] in {reached for _, _, reached in found}}
        if parents:
            # smatch++ also takes the concepts of other nodes that are spelled like a source.
            found |= {t for t in edges for source, _, _ in core if t[2] == source}
        if predicates:
            ends = {end for s, _, t in found for end in (s, t)}
            found |= {
                (s, r, t)
                for s, r, t in edges
                if t in ends
                and r != "root"
                and not any(other[2] == s for other in edges)
                and sum(other[0] == s for other in edges) == 1
            }
    ends = {end for s, _, t in found for end in (s, t)}
    return found | {t for t in triples if t[1] == "instance" and t[0] in ends}


def plain(graph: NormalisedGraph) -> set[Plain]:
    """Return the triples of a part of a graph as smatch++ has them."""
    found = set()
    for (kind, *words), variables in graph.triples:
        if kind in ("instance", "top"):
            found.add((variables[0], "instance" if kind == "instance" else "root", words[0]))
            continue
        role, *constant = words
        source, target = (*variables, *constant)
        if role.endswith("-of"):
            role, source, target = role[:-3], target, source
        if role == "domain":
            role, source, target = "mod", target, source
        found.add((source, role, target))
    return found


@each_seed(150)
def test_aspects_of_smatchpp_hold_what_its_program_takes(seed: int) -> None:
    text, triples = random_amr(random.Random(seed))
    (graph,) = exactmatch.loads(text)
    statements = Statements.of(METRIC.normalise(graph), METRIC)
    assert plain(statements.part(range(len(statements.statements)))) == set(triples)
    for name in [*ORACLE, "aspect-reentrancies"]:
        found = plain(SMATCHPP_ASPECTS[name].graph(statements))
        assert found == smatchpp_aspect(name, triples), (name, text)


def part(text: str, name: str, metric: Smatch = METRIC) -> list[str]:
    (graph,) = exactmatch.loads(text)
    found = DAMONTE_ASPECTS[name].graph(Statements.of(metric.normalise(graph), metric))
    return [" ".join((*label[1:], *variables)) for label, variables in found.triples]


def test_aspects_of_damonte_are_counted() -> None:
    text = (
        "(w / want-01 :ARG0 (b / boy :mod (y / young)) :ARG1 (g / go-02 :ARG0 b :time (n / now)))"
    )
    edges = ["arg0 w b", "arg0 g b"]
    concepts = ["want-01 w", "boy b", "go-02 g"]
    assert sorted(part(text, "reentrancies")) == sorted(edges + concepts)
    assert sorted(part(text, "srl")) == sorted([*edges, "arg1 w g", *concepts])


@pytest.mark.parametrize("mod", ["unified", "plain", "separate"])
def test_a_modifier_makes_no_reentrancy(mod: str) -> None:
    metric = Smatch().with_choices(mod=mod)
    assert part("(w / see-01 :ARG0 (b / boy :mod (y / young)))", "reentrancies", metric) == []
