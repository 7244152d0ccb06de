"""Change a few concepts of graphs for the study of principles."""

import random
from collections.abc import Mapping

from exactmatch.graphs.graph import CONCEPT, SENSE, Constant, Graph, Triple, Variable

#: A concept that occurs in no corpus, made of no word in vectors.
WRONG = "xqzvk-00"


def concepts_of(graph: Graph) -> dict[str, str]:
    """Return the concept of each variable that has one; the first if there are several."""
    concepts: dict[str, str] = {}
    for triple in graph.triples:
        known = _concept(triple)
        if known is not None:
            concepts.setdefault(*known)
    return concepts


def with_concepts(graph: Graph, concepts: Mapping[str, str]) -> Graph:
    """Return *graph* with other concepts for some variables that have one."""
    changed = []
    for triple in graph.triples:
        known = _concept(triple)
        if known is not None and known[0] in concepts:
            concept = concepts[known[0]]
            if triple.relation == CONCEPT:
                changed.append(triple._replace(arguments=(triple.arguments[0], Constant(concept))))
            else:
                changed.append(triple._replace(relation=concept))
        else:
            changed.append(triple)
    return graph._replace(triples=tuple(changed), by_smatch=None)


def disturbed(graph: Graph, strength: int, seed: str) -> Graph:
    """Return *graph* after *strength* random changes of its concepts.

    Each change replaces a concept by a wrong one, or exchanges those of two variables.
    """
    rng = random.Random(seed)
    concepts = concepts_of(graph)
    variables = list(concepts)
    for _ in range(strength if variables else 0):
        one, other = rng.choice(variables), rng.choice(variables)
        if rng.random() < 0.5:
            concepts[one] = WRONG
        else:
            concepts[one], concepts[other] = concepts[other], concepts[one]
    return with_concepts(graph, concepts)


def degrees(graph: Graph) -> Mapping[str, int]:
    """Return the number of relations of each variable to others."""
    from networkx import MultiGraph

    # Clauses relate up to three variables: so relations are nodes, joined to their arguments.
    incidence = MultiGraph()
    incidence.add_nodes_from(graph.variables)
    relations = (
        (triple.relation, tuple(a.name for a in triple.arguments if isinstance(a, Variable)))
        for triple in graph.triples
    )
    # An edge in MRP is several triples if it has attributes.
    for relation in dict.fromkeys(relations):
        _, variables = relation
        if len(variables) > 1:
            incidence.add_edges_from((relation, variable) for variable in variables)
    return dict(incidence.degree(graph.variables))


def _concept(triple: Triple) -> tuple[str, str] | None:
    """Return the variable and the concept of *triple*; None if it gives none."""
    first, *_, last = triple.arguments
    if triple.relation == CONCEPT and isinstance(first, Variable):
        return first.name, last.text if isinstance(last, Constant) else last.name
    if len(triple.arguments) == 3 and isinstance(last, Variable):
        sense = triple.arguments[1]
        if isinstance(sense, Constant) and SENSE.fullmatch(sense.text):
            return last.name, triple.relation
    return None
