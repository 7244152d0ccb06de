"""Two graphs as their metric compares them, in JSON: what a certificate is about.

The checker reads exactly this (`exactmatch.certificate.checker`), and nothing else of a pair. The
system's graph is called "test" there: published certificates hold a digest of it.
"""

from collections.abc import Sequence
from typing import Any

from exactmatch.triples import Duplicates, NormalisedGraph, NormalisedTriple, Similar


def pair_as_json(
    identifier: str,
    profile: str,
    duplicates: Duplicates,
    system: NormalisedGraph,
    gold: NormalisedGraph,
    similar: Similar,
    scale: int,
) -> dict[str, Any]:
    """Return all that the score of a pair depends on, with its *identifier* and *profile*.

    *similar* is what triples of different labels count for, in units of 1 / *scale*.
    """
    is_linked = system.keys is not None or gold.keys is not None
    return {
        "id": identifier,
        "profile": profile,
        "duplicates": duplicates,
        "scale": scale,
        "similar": [[list(a), list(b), credit] for (a, b), credit in similar.items()],
        "test": _graph_as_json(system, system.triples, is_linked=is_linked),
        "gold": _graph_as_json(gold, gold.as_gold(), is_linked=is_linked),
    }


def _graph_as_json(
    graph: NormalisedGraph, triples: Sequence[NormalisedTriple], *, is_linked: bool
) -> dict[str, Any]:
    written = [[list(label), list(names)] for label, names in triples]
    content: dict[str, Any] = {"variables": list(graph.variables), "triples": written}
    return {**content, "keys": graph.keys_in_order()} if is_linked else content
