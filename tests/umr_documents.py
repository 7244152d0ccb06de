"""Small random UMR documents, and the best score of two, by the definition alone."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

#: A role and its value: a variable of the sentence, or a constant as written.
Value = tuple[str, str]
#: The block, and the triple.
Level = tuple[str, str, str, str]

_CONSTANTS = ("author", "root", "document-creation-time")


@dataclass
class Node:
    concept: str
    tokens: list[int]  # none: aligned with nothing
    values: list[Value]
    children: list[Value]


@dataclass
class SampleSentence:
    tokens: Sequence[str]
    nodes: dict[str, Node]
    level: list[Level]

    def values(self, variable: str) -> list[Value]:
        """Return what is compared of a node, its concept first; strings without quotes."""
        node = self.nodes[variable]
        plain = [(role, value.strip('"')) for role, value in node.values]
        return [("concept", node.concept), *node.children, *(v for v in plain if v[1])]

    def extended(self, variable: str) -> str:
        node = self.nodes[variable]
        if node.concept != "name":
            return node.concept
        operands = sorted((v for v in node.values if v[0].startswith(":op")), key=lambda v: v[0])
        return f"name[{' '.join(value.strip(chr(34)) for _, value in operands)}]"


def pair_of_documents(rng: random.Random) -> tuple[list[SampleSentence], list[SampleSentence]]:
    """Return two documents over the same tokens; one is a changed copy of the other."""
    tokens = [rng.choices("abcd", k=rng.randrange(1, 4)) for _ in range(rng.randrange(1, 4))]
    system = _document(rng, tokens)
    return system, _document(rng, tokens) if rng.random() < 0.3 else _changed(rng, system)


def _changed(rng: random.Random, document: Sequence[SampleSentence]) -> list[SampleSentence]:
    """Return *document* with other names of variables, and a few changes."""

    def called(text: str) -> str:
        return f"{text[:2]}g{text[2:]}" if re.fullmatch(r"s\d[xyz]\d", text) else text

    found = []
    for sentence in document:
        nodes = {}
        for name, node in sentence.nodes.items():
            values, children = (
                [(role, called(value)) for role, value in own]
                for own in (node.values, node.children)
            )
            new = _node(rng, [*map(called, sentence.nodes)], len(sentence.tokens))
            nodes[called(name)] = Node(
                rng.choice([node.concept, node.concept, new.concept]),
                rng.choice([node.tokens, node.tokens, new.tokens]),
                rng.choice([values, values, new.values]),
                children,
            )
        level = [(kind, called(a), r, called(b)) for kind, a, r, b in sentence.level]
        found.append(SampleSentence(sentence.tokens, nodes, level))
    return found


def _document(rng: random.Random, tokens: Sequence[Sequence[str]]) -> list[SampleSentence]:
    sentences = []
    for k, words in enumerate(tokens, start=1):
        names = [f"s{k}{rng.choice('xyz')}{i}" for i in range(rng.randrange(1, 4))]
        nodes = {name: _node(rng, names, len(words)) for name in names}
        for i, name in enumerate(names[1:]):
            parent = nodes[names[rng.randrange(i + 1)]]
            parent.children.append((rng.choice([":ARG0", ":ARG1"]), name))
        sentences.append(SampleSentence(words, nodes, []))
    ends = [*(name for sentence in sentences for name in sentence.nodes), *_CONSTANTS]
    for sentence in sentences:
        for _ in range(rng.randrange(4)):
            relation = rng.choice(["before", "same-entity", "full-affirmative"])
            kind = rng.choice(["temporal", "modal", "coref"])
            sentence.level.append((kind, rng.choice(ends), relation, rng.choice(ends)))
    return sentences


def _node(rng: random.Random, names: Sequence[str], n_tokens: int) -> Node:
    aligned = rng.choices(range(1, n_tokens + 1), k=rng.randrange(1, 3)) * (rng.random() < 0.6)
    values = []
    for _ in range(rng.randrange(3)):
        role = rng.choice([":ARG0", ":ARG0", ":mod", ":op1", ":op2", ":aspect"])
        constant = rng.choice(['"X"', "X", "state", '""'])
        values.append((role, rng.choice(names) if rng.random() < 0.6 else constant))
    return Node(rng.choice(["p", "q", "name"]), sorted(set(aligned)), values, [])


def written(document: Sequence[SampleSentence]) -> str:
    """Return the text of a document."""
    return "\n\n\n".join(_written(k, s) for k, s in enumerate(document, start=1)) + "\n"


def _written(k: int, sentence: SampleSentence) -> str:
    ranges = [
        f"{name}: {', '.join(f'{t}-{t}' for t in node.tokens) or '0-0'}"
        for name, node in sentence.nodes.items()
    ]
    blocks = [
        f":{kind} ({' '.join(f'({a} :{r} {b})' for own, a, r, b in sentence.level if own == kind)})"
        for kind in sorted({kind for kind, *_ in sentence.level})
    ]
    return "\n".join(
        [
            f"# :: snt{k}",
            f"Words: {' '.join(sentence.tokens)}",
            "",
            "# sentence level graph:",
            _penman(next(iter(sentence.nodes)), sentence),
            "",
            "# alignment:",
            *ranges,
            "",
            "# document level annotation:",
            f"(s{k}s0 / sentence {' '.join(blocks)})",
        ]
    )


def _penman(name: str, sentence: SampleSentence) -> str:
    node = sentence.nodes[name]
    children = [f"{role} {_penman(child, sentence)}" for role, child in node.children]
    values = [f"{role} {value}" for role, value in node.values]
    return f"({' '.join([f'{name} / {node.concept}', *children, *values])})"


def total(document: Sequence[SampleSentence]) -> int:
    """Return the number of values of a document and, in each sentence, triples of its level."""
    values = sum(len(s.values(name)) for s in document for name in s.nodes)
    return values + sum(len({triple[1:] for triple in s.level}) for s in document)


def best(system: Sequence[SampleSentence], gold: Sequence[SampleSentence]) -> int:
    """Return the most that a mapping of links matches, trying all."""
    return max(_matched(system, gold, mapping) for mapping in _mappings(system, gold))


def _mappings(
    system: Sequence[SampleSentence], gold: Sequence[SampleSentence]
) -> Iterator[Mapping[str, str]]:
    names, choices = [], []
    for ours, theirs in zip(system, gold, strict=True):
        for name in ours.nodes:
            names.append(name)
            choices.append([None, *(w for w in theirs.nodes if _linked(name, ours, w, theirs))])
    for images in product(*choices):
        used = [image for image in images if image is not None]
        if len(set(used)) == len(used):
            pairs = zip(names, images, strict=True)
            yield {name: image for name, image in pairs if image is not None}


def _linked(name: str, ours: SampleSentence, other: str, theirs: SampleSentence) -> bool:
    one, two = ours.nodes[name].tokens, theirs.nodes[other].tokens
    if one and two:
        return not set(one).isdisjoint(two)
    return not one and not two and ours.extended(name) == theirs.extended(other)


def _matched(
    system: Sequence[SampleSentence], gold: Sequence[SampleSentence], mapping: Mapping[str, str]
) -> int:
    every = {name for sentence in system for name in sentence.nodes}

    def image(end: str) -> str | None:
        return mapping.get(end) if end in every else end

    found = 0
    for ours, theirs in zip(system, gold, strict=True):
        for name in ours.nodes.keys() & mapping.keys():
            values = ((role, _value(v, ours, image)) for role, v in ours.values(name))
            wanted = ((r, _value(v, theirs, str)) for r, v in theirs.values(mapping[name]))
            found += (Counter(values) & Counter(wanted)).total()
        triples = {(image(a), relation, image(b)) for _, a, relation, b in ours.level}
        found += len(triples & {triple[1:] for triple in theirs.level})
    return found


def _value(value: str, sentence: SampleSentence, image: object) -> object:
    """Return a value as it is compared: of variables, their images, which are no constants."""
    assert callable(image)
    return ("variable", image(value)) if value in sentence.nodes else value
