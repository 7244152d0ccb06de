"""The nodes of a document AMR that stand for coreference, as docSmatch tells them.

They are the nodes of chains (``coref-entity``), implicit arguments (``implicit-role``), and nodes
of several sentences to which several others lead: at least two whose sentences differ from its own
and from each other's. See ``find_coref`` in ``docSmatch/amr.py`` (IBM/docAMR; Naseem et al. 2022).
"""

from collections import defaultdict
from collections.abc import Mapping

from exactmatch.graph import CONCEPT, Graph, Variable
from exactmatch.metrics.sentence_sets import edges_of, is_between

#: The concepts of nodes that are there for coreference alone.
CHAIN, IMPLICIT = "coref-entity", "implicit-role"


def coreferent(graph: Graph, sentences: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return the variables that stand for coreference; *sentences* has the sentences of each."""
    marked = {v for v, concept in concepts_of(graph).items() if concept in (CHAIN, IMPLICIT)}
    around: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for role, source, target in edges_of(graph):
        if not is_between(role):
            around[target].add(sentences[source])
    shared = {
        v for v, those in around.items() if len(sentences[v]) > 1 < len(those - {sentences[v]})
    }
    return frozenset(marked | shared)


def concepts_of(graph: Graph) -> dict[str, str]:
    """Return the concept of each variable that has one, in lower case."""
    return {
        arguments[0][0]: arguments[1][0].lower()
        for relation, arguments, _ in graph.triples
        if relation == CONCEPT and not isinstance(arguments[1], Variable)
    }
