"""Read DRSs that are no DRSs, as Counter does with ``-ill score``.

Counter checks neither the sorts of arguments nor their number. It takes any two words after the
relation for arguments, and any third one for nothing. A word in quotes, single ones included, is a
constant. The relation decides what a clause is: capitals make an operator, a capital and letters a
role, and anything else a concept, whose first argument is its sense, however written. A clause with
a single argument is an operator, whatever its relation, and the argument a variable.
"""

from collections.abc import Sequence

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import (
    CLAUSES,
    REFERENT,
    Argument,
    Constant,
    Graph,
    Location,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.blocks import read_block
from exactmatch.graphs.readers.clauses import ROLE, clause_words
from exactmatch.graphs.readers.graph_text import GraphText

_FEWEST_WORDS = 3
_OPERATORS_WITH_DIGITS = frozenset({"SY1", "SY2"})


def read_ill_formed(text: GraphText, error: GraphError) -> Graph | GraphError:
    """Return the DRS in *text*, in which our reader found *error*, with a note on that.

    *error* remains if Counter cannot read the DRS either: if a clause has fewer than three words,
    or the text is not UTF-8. The sorts in `Graph.variables` say nothing.
    """
    try:
        clauses = clause_words(text)
    except GraphError:
        return error
    if not clauses or min(map(len, clauses)) < _FEWEST_WORDS:
        return error
    block = read_block(text, "%")
    triples = tuple(map(_clause, clauses))
    arguments = (argument for triple in triples for argument in triple.arguments[:3])
    names = (argument.name for argument in arguments if isinstance(argument, Variable))
    head, *_ = str(error).splitlines()
    return Graph(
        identifier=block.identifier,
        variables=dict.fromkeys(names, REFERENT),
        triples=triples,
        tops=(),
        location=Location(block.source, block.body_line),
        metadata=block.metadata,
        notes=(f"{head} (ill-formed: scored as Counter reads it)",),
        format=CLAUSES,
        mended=1,
    )


def _clause(words: Sequence[str]) -> Triple:
    box, relation, *others = words
    if len(others) == 1:
        return Triple(relation, (Variable(box), Variable(others[0])))
    first, *more = map(_argument, others)
    if not _is_operator(relation) and not ROLE.fullmatch(relation):
        first = Constant(others[0])
    return Triple(relation, (Variable(box), first, *more))


def _argument(word: str) -> Argument:
    return Constant(word) if word[0] == word[-1] in "\"'" else Variable(word)


def _is_operator(relation: str) -> bool:
    return all(map(str.isupper, relation)) or relation in _OPERATORS_WITH_DIGITS
