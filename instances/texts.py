"""Texts of several sentences for the benchmark set, and what a poor parser makes of them.

Documents of AMR are those of the agreement study. UMR adds a level of the document to them. DRSs
are drawn. All choices come from the generator of random numbers that the caller gives.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

import penman
from generate import Labelled

#: A clause of a DRS: a box, a relation, and its two ends.
Clause = tuple[str, str, str, str]

INSTANCE = ":instance"
#: A poor parser writes one of so many frequent labels instead.
FREQUENT = 5
#: It attaches an edge to one of so many nodes before instead, most of them of the same sentence.
NEAR = 10

#: Label -> its share: about those of UMR's English texts, in hundredths.
STRENGTHS = {
    ":full-affirmative": 84,
    ":full-negative": 6,
    ":neutral-affirmative": 6,
    ":partial-affirmative": 4,
}
TIMES = {":overlap": 42, ":after": 34, ":before": 15, ":contains": 9}
ASPECTS = {"state": 40, "performance": 40, "activity": 10, "process": 10}
#: About those of the Parallel Meaning Bank's English texts, in hundredths.
ROLES = {
    "Theme": 44,
    "Agent": 29,
    "Experiencer": 7,
    "Patient": 7,
    "Stimulus": 6,
    "Location": 7,
}
#: The numbers of nouns and of verbs; the k-th has 1 / k of the share of the first.
WORDS = 40


def document(graphs: Iterable[penman.Graph]) -> Labelled:
    """Return some graphs as one, under a root of its own."""
    triples = [("m", INSTANCE, "multi-sentence")]
    for k, graph in enumerate(graphs, start=1):
        renamed = {variable: f"s{k}_{variable}" for variable in graph.variables()}
        triples.append(("m", f":snt{k}", renamed[str(graph.top)]))
        triples += [(renamed[s], role, renamed.get(t, t)) for s, role, t in graph.triples]
    return Labelled(triples)


def with_level(graph: Labelled, rng: random.Random) -> Labelled:
    """Return a document with an aspect, a modal and a temporal relation for each of its events.

    The modal relation comes from the author, the temporal one from the document's creation time or
    one of the two events before. An event is a node whose concept has a sense.
    """
    made = graph.triples[:1]
    for name, role in (("author", ":modal"), ("document-creation-time", ":temporal")):
        made += [("m", role, name[0]), (name[0], INSTANCE, name)]
    events: list[str] = []
    for triple in graph.triples[1:]:
        made.append(triple)
        source, role, target = triple
        if role == INSTANCE and re.search(r"-\d\d$", target):
            before = rng.choice(["d", *events[-2:]])
            made += [(source, ":aspect", drawn(ASPECTS, rng))]
            made += [("a", drawn(STRENGTHS, rng), source), (before, drawn(TIMES, rng), source)]
            events.append(source)
    return Labelled(made)


def misread(graph: Labelled, errors: float, rng: random.Random) -> Labelled:
    """Return what a poor parser makes of a document, whose sentences it keeps apart.

    *errors* is the share of labels, ends and attributes that are wrong. Wrong attributes are left
    out. A wrong edge is attached to another node seen before, so that the graph stays connected.
    """
    variables = set(graph.variables())
    inner = [triple for triple in graph.triples[1:] if not triple[1].startswith(":snt")]
    concepts = frequent(target for _, role, target in inner if role == INSTANCE)
    roles = frequent(role for _, role, target in inner if target in variables)

    def errs() -> bool:
        return rng.random() < errors

    made, seen = graph.triples[:1], [graph.triples[0][0]]
    for triple in graph.triples[1:]:
        source, role, target = triple
        if role == INSTANCE:
            made.append((source, role, rng.choice(concepts) if errs() else target))
        elif target not in variables:
            made += [] if errs() else [triple]
        elif role.startswith(":snt"):
            made.append(triple)
        else:
            ends = _misattached(source, target, seen, rng) if errs() else (source, target)
            made.append((ends[0], rng.choice(roles) if errs() else role, ends[1]))
        seen += [end for end in (source, target) if end in variables and end not in seen]
    return Labelled(list(dict.fromkeys(made)))


def _misattached(
    source: str, target: str, seen: Sequence[str], rng: random.Random
) -> tuple[str, str]:
    """Return other ends of an edge: that which was seen before, the source if both, is another."""
    other = rng.choice([end for end in seen[-NEAR:] if end not in (source, target)] or seen[:1])
    return (other, target) if source in seen else (source, other)


def drs(size: int, rng: random.Random) -> list[Clause]:
    """Return the DRS of a text of *size* sentences, one box each.

    A sentence has an event, its time, and up to three participants, half of them known before.
    """
    clauses: list[Clause] = []
    nouns, verbs = ({f"{kind}{k}": 1 / k for k in range(1, WORDS + 1)} for kind in ("noun", "verb"))
    known: list[str] = []
    new = map("x{}".format, count())
    for k in range(size):
        box, event, time = f"b{k}", f"e{k}", f"t{k}"
        clauses.append((box, drawn(verbs, rng), '"v.01"', event))
        clauses += [(box, "Time", event, time), (box, "time", '"n.08"', time)]
        clauses.append((box, rng.choice(["TPR", "EQU"]), time, '"now"'))
        for role in dict.fromkeys(drawn(ROLES, rng) for _ in range(3)):
            if known and rng.random() < 0.5:
                thing = rng.choice(known)
            else:
                thing = next(new)
                known.append(thing)
                clauses.append((box, drawn(nouns, rng), '"n.01"', thing))
            clauses.append((box, role, event, thing))
    return clauses


def misread_clauses(
    clauses: Sequence[Clause], errors: float, rng: random.Random
) -> Iterator[Clause]:
    """Yield what a poor parser makes of a DRS: other relations, participants and boxes.

    *errors* is the share of them that are those of another clause of the same kind.
    """
    kinds: dict[tuple[str, str], list[Clause]] = {}
    for clause in clauses:
        kinds.setdefault(_kind(clause), []).append(clause)
    for clause in clauses:
        others = kinds[_kind(clause)]
        box, relation, first, second = (
            rng.choice(others)[k] if rng.random() < errors and k != 2 else part
            for k, part in enumerate(clause)
        )
        yield box, relation, first, second


def _kind(clause: Clause) -> tuple[str, str]:
    """Return the kinds of the ends of a clause: strings, events, times or participants."""
    return clause[2][:2] if clause[2][0] == '"' else clause[2][0], clause[3][0]


def drawn(shares: Mapping[str, float], rng: random.Random) -> str:
    """Return one of the keys, by their shares."""
    return rng.choices([*shares], [*shares.values()])[0]


def frequent(labels: Iterable[str]) -> list[str]:
    """Return the most frequent labels; of equally frequent ones, the first."""
    return [label for label, _ in Counter(labels).most_common(FREQUENT)]


def clause_text(clauses: Iterable[Clause]) -> str:
    """Return clauses as the lines of a file, each once."""
    return "".join(f"{' '.join(clause)}\n" for clause in dict.fromkeys(clauses))
