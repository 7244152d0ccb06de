"""Detect in the graph how a document of AMR writes coreference."""

import pytest

import exactmatch
from exactmatch.metrics.amr.documents import ALL, possible, signs_of


def told(*sentences: str) -> str:
    numbered = " ".join(f":snt{n} ({text})" for n, text in enumerate(sentences, start=1))
    (graph,) = exactmatch.loads(f"(d / document {numbered})")
    found = possible(signs_of(graph))
    return "any" if found == ALL else " ".join(found)


ADA = 'person :name ({} / name :op1 "Ada")'
COME = f"a / come-01 :ARG1 (p / {ADA.format('n')})"
CHAIN = ":coref-of (c / coref-entity :coref p)"
DOG, ANIMAL = "a / come-01 :ARG1 (p / dog)", f"b / go-01 :ARG0 (h / animal {CHAIN})"

# The same documents of two sentences in the representations, as the paper describes them.
WRITTEN = [
    # Named mentions: chains of names, or one node.
    ("no-merge", (COME, f"b / go-01 :ARG0 (q / {ADA.format('o')} {CHAIN})")),
    ("merge-names docAMR merge-all", (COME, "b / go-01 :ARG0 p")),
    # A name and a pronoun.
    (
        "no-merge merge-names",
        (COME, f"b / go-01 :ARG0 (h / she {CHAIN})"),
    ),
    # Two nouns.
    (
        "no-merge merge-names docAMR",
        (DOG, ANIMAL),
    ),
    ("docAMR merge-all", (DOG, "b / go-01 :ARG0 p")),
    # Two nouns and a pronoun, which is dropped.
    (
        "docAMR",
        (
            DOG,
            ANIMAL,
            "e / eat-01 :ARG0 c",
        ),
    ),
    ("same-as", (DOG, "b / go-01 :ARG0 (h / animal :same-as p)")),
    # Nothing that tells: no coreference, coreference within a sentence, bridging, a chain of one.
    ("any", ("a / come-01", "b / go-01")),
    ("any", ("a / want-01 :ARG0 (p / dog) :ARG1 (e / eat-01 :ARG0 p)", "b / go-01")),
    ("any", ("a / house", "b / wall :part-of a")),
    ("any", ("a / dog", "b / pack :subset a")),
    ("any", ("a / dog :coref-of (c / coref-entity)", "b / go-01 :ARG0 (i / implicit-role)")),
    # Signs that contradict each other: nothing is known.
    ("any", ("a / dog :coref-of (c / coref-entity :coref b)", "b / she", "e / see-01 :ARG0 c")),
]  # fmt: skip


@pytest.mark.parametrize("expected, sentences", WRITTEN)
def test_the_representation_of_a_document_is_told_from_its_texts(
    expected: str, sentences: tuple[str, ...]
) -> None:
    assert told(*sentences) == expected


def test_a_document_may_be_written_from_any_node() -> None:
    # The same graph, with the second sentence hanging from the node that both share.
    (graph,) = exactmatch.loads(f"(d / document :snt1 ({COME[:-1]} :ARG0-of (b / go-01))) :snt2 b)")
    assert possible(signs_of(graph)) == ("merge-names", "docAMR", "merge-all")
    assert told("a / house :mod (b / old)", "e / see-01 :ARG0 b") == "docAMR merge-all"
    assert told("a / house :mod (b / old)", "e / boat :mod b") == "docAMR merge-all"
