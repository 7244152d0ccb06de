"""Two graphs as their metric compares them, in JSON: what a certificate is about.

The checker reads exactly this (`exactmatch.certificate.checker`), and nothing else of a pair.
"""

from collections.abc import Sequence
from typing import Any

from exactmatch.triples import Duplicates, Item, ItemGraph, Similar


def pair_as_json(
    identifier: str,
    profile: str,
    duplicates: Duplicates,
    test: ItemGraph,
    gold: ItemGraph,
    similar: Similar,
    scale: int,
) -> dict[str, Any]:
    """Return all that the score of a pair depends on, with its *identifier* and *profile*.

    *similar* is what triples of different labels count for, in units of 1 / *scale*.
    """
    return {
        "id": identifier,
        "profile": profile,
        "duplicates": duplicates,
        "scale": scale,
        "similar": [[list(a), list(b), credit] for (a, b), credit in similar.items()],
        "test": _graph_as_json(test.variables, test.items),
        "gold": _graph_as_json(gold.variables, gold.as_gold()),
    }


def _graph_as_json(variables: Sequence[str], items: Sequence[Item]) -> dict[str, Any]:
    triples = [[list(label), list(names)] for label, names in items]
    return {"variables": list(variables), "triples": triples}
