"""Find the similar concepts of two DRSs, and grade them as S2match does those of AMRs.

Opitz, Parcalabescu and Frank (2020) expect that S2match helps with DRSs as well, but do not say
how. Here, the rules are those of `exactmatch.metrics.similarity`, and the clauses of two concepts
match in part only if the rest of them is equal. A referent may have several concepts in a box,
which an AMR's node has not: see `exactmatch.metrics.credits` for what then matches.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from exactmatch.graphs.graph import DUMMY, SENSE
from exactmatch.metrics.similarity import ConceptRules, Similarity
from exactmatch.metrics.triples import Label, NormalisedTriple
from exactmatch.stopping.deadline import Deadline

_RULES = ConceptRules(lookup="synset-or-word")


def similar_synsets(
    system: Iterable[NormalisedTriple],
    gold: Iterable[NormalisedTriple],
    similarity: Similarity,
    deadline: Deadline,
) -> dict[tuple[Label, Label], int]:
    """Return the labels of similar concepts that differ, and their similarity in parts.

    Raises `OutOfTime` if there are many and *deadline* comes first.
    """
    values: dict[tuple[Label, Label], int] = {}
    left, right = _by_rest(system), _by_rest(gold)
    for rest in left:
        if rest in right:
            ones, others = sorted(left[rest]), sorted(right[rest])
            for i, j, credit in similarity.alike(ones, others, _RULES, deadline):
                values[left[rest][ones[i]], right[rest][others[j]]] = credit
    return values


def _by_rest(triples: Iterable[NormalisedTriple]) -> Mapping[Label, Mapping[str, Label]]:
    """Return the labels of concepts by the rest of their clause, and by the concept."""
    found: defaultdict[Label, dict[str, Label]] = defaultdict(dict)
    for triple in triples:
        label = triple.label
        if label[0] != "concept" or label[1] in ("", DUMMY):
            continue
        _, word, box, sense, *others = label
        if SENSE.fullmatch(sense):
            sense = sense.strip('"')
            found[box, *others][f"{word}.{sense}"] = label
        elif not sense:  # ignored
            found[box, *others][word] = label
    return found
