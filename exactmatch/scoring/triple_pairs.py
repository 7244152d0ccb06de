"""The pairs of triples of two graphs that a mapping may match, each by itself.

The matching problem merges those over the same pairs of variables into one term. The program of Cai
and Knight (2013) has a variable for each of them.
"""

from collections.abc import Iterator
from itertools import product

from exactmatch.problem import Term
from exactmatch.problem.joining import credit
from exactmatch.scoring.build import joined, worths
from exactmatch.scoring.comparison import Comparison


def triple_pairs(comparison: Comparison) -> Iterator[Term]:
    """Yield a term for each two triples that a mapping may match, in the order of the triples.

    A triple that a graph has several times is one here; the weight counts its occurrences.
    """
    system, gold = comparison.system.occurrences, comparison.gold.gold_occurrences
    matched = worths(system, comparison.values)
    links = comparison.links
    for label, ours in system.items():
        for other, worth in matched[label]:
            for one, its in product(ours, gold.get(other, ())):
                (times, *variables), (its_times, *its_variables) = one, its
                pairs = joined(variables, its_variables)
                if pairs and (links is None or all(map(links.allows, pairs))):
                    yield Term(
                        worth * credit(times, its_times, comparison.metric.duplicates), pairs
                    )
