"""List the n-grams of one pair of graphs, and draw the graphs whose paths they are."""

from exactmatch.graphs.graph import CLAUSES
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.base import Choice
from exactmatch.metrics.ngrams import NGramList, ngram_metric
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import PairReading
from exactmatch.scoring.options import NamedMetricOptions
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.sides import pair_of, read_couples


@keywords
def ngrams(
    system: Graphs,
    gold: Graphs,
    *,
    id: str | None = None,
    named: NamedMetricOptions,
    pairing: PairReading,
    **choices: Choice,
) -> NGramList:
    """Return the n-grams of one pair of graphs, and the graphs whose paths they are.

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        id: the pair, if there are several: its identifier or its number.
        metric: ``dscorer``, the default for clauses, or ``sembleu``, the default for other graphs.
        profile, **choices: as for `exactmatch.score`.
        {options}

    Raises:
        InputError: for files and graphs that cannot be used, if there is no such pair, and for a
            graph with more than a million n-grams.
        UsageError: for unknown options, and if *id* is missing.

    Example:
        >>> import exactmatch
        >>> found = exactmatch.ngrams("(s / sing :ARG0 (b / bird))", "(s / sing :ARG0 (c / cat))")
        >>> [(ngram.path, ngram.matched) for ngram in found.orders[0]]
        [(('sing',), 1), (('bird',), 0), (('cat',), 0)]
    """
    return run_ngrams(PairRequest.of(system, gold, named, choices, pairing), id)[1]


def run_ngrams(request: PairRequest, identifier: str | None) -> tuple[GraphPair, NGramList]:
    """Do what `ngrams` does, but also return the graphs.

    *identifier* names the pair, None the only one.
    """
    (asked,) = request.metrics
    with request.opened() as sides:
        usual = "dscorer" if sides.format == CLAUSES else "sembleu"
        chosen = chosen_metric(sides.format, asked or usual, request.profile, request.choices)
        metric = ngram_metric(chosen)
        couples = sides.couples(metric, only=identifier)
        on_error, telling = request.pairing.on_error, request.telling
        pair = pair_of(
            read_couples(couples, sides, metric, "reading", on_error, telling), identifier
        )
    return pair, metric.listed(pair.system, pair.gold)
