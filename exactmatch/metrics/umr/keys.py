"""Keys of UMR variables: properties that both annotators share, which restrict mappings.

juːmæʧ, the scorer of the shared task (ufal/umrtools), maps a node only to one that shares a token
with it or, if both are aligned with none, has the same extended concept. Whole documents are
compared with their sentences in order, so the key of a variable includes its sentence.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from exactmatch.graphs.graph import CONCEPT, Constant, Graph, Sentence
from exactmatch.metrics.triples import NormalisedTriple

#: The operands of a name, which are part of its extended concept.
_NAME, _OPERAND = "name", "op"

Keys = Mapping[str, tuple[str, ...]]


def sentence_keys(graph: Graph, triples: Sequence[NormalisedTriple]) -> Keys:
    """Return the sentence number of each variable, including those that only *triples* have."""
    keys = {v: (str(number),) for number, s in _numbered(graph) for v in s.variables}
    return with_new(keys, triples)


def with_new(keys: Keys, triples: Sequence[NormalisedTriple]) -> Keys:
    """Return keys; variables that only *triples* have get the keys of those beside them."""
    new: defaultdict[str, set[str]] = defaultdict(set)
    for triple in triples:
        without = [variable for variable in triple.variables if variable not in keys]
        if without:
            numbers = {number for v in triple.variables for number in keys.get(v, ())}
            for variable in without:
                new[variable] |= numbers
    return {**keys, **{variable: tuple(sorted(numbers)) for variable, numbers in new.items()}}


def token_keys(graph: Graph, triples: Sequence[NormalisedTriple]) -> Keys:
    """Return the tokens of each variable or, without tokens, a key of its sentence."""
    of_sentence = sentence_keys(graph, triples)
    without = {v: tuple(f"{n}=" for n in numbers) for v, numbers in of_sentence.items()}
    return {**without, **_keys(graph, lambda s: dict.fromkeys(s.variables, ""))}


def token_or_concept_keys(graph: Graph) -> Keys:
    """Return the tokens of each variable or, without tokens, its extended concept."""
    return _keys(graph, extended_concepts)


def extended_concepts(sentence: Sentence) -> dict[str, str]:
    """Return the concept of each variable; for a name, with its operands by role."""
    concepts = {}
    operands: dict[str, list[tuple[str, str]]] = {}
    for relation, (source, target, *_), _ in sentence.triples:
        variable = source[0]
        text = plain(target) if isinstance(target, Constant) else target.name
        if relation == CONCEPT:
            concepts[variable] = text
        elif relation.startswith(_OPERAND) and relation[len(_OPERAND) :].isdecimal():
            operands.setdefault(variable, []).append((relation, text))
    for variable, concept in concepts.items():
        if concept == _NAME:
            words = " ".join(text for _, text in sorted(operands.get(variable, ()), key=_role))
            concepts[variable] = f"{_NAME}[{words}]"
    return concepts


def plain(constant: Constant) -> str:
    """Return the text of a constant without the quotes of a string."""
    text = constant.text
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _role(operand: tuple[str, str]) -> str:
    return operand[0].lower()


def _numbered(graph: Graph) -> Iterator[tuple[int, Sentence]]:
    return enumerate(graph.sentences, start=1)


def _keys(graph: Graph, without_tokens: Callable[[Sentence], Mapping[str, str]]) -> Keys:
    """Return the tokens of each variable, or the key by *without_tokens*, by sentence."""
    keys: dict[str, tuple[str, ...]] = {}
    for number, sentence in _numbered(graph):
        called = without_tokens(sentence)
        for variable in sentence.variables:
            tokens = sentence.tokens_of.get(variable)
            if tokens is None:
                keys[variable] = (f"{number}={called.get(variable, '')}",)
            else:
                keys[variable] = tuple(f"{number}:{t}" for t in tokens if _is_there(t, sentence))
    return keys


def _is_there(token: int, sentence: Sentence) -> bool:
    """Tell whether a sentence has a token of this number, as far as its tokens are known."""
    return not sentence.tokens or token <= len(sentence.tokens)
