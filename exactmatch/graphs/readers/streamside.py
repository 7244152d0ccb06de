"""Read the JSON of StreamSide, the annotation tool for AMR and WISeR of Emory University.

Choi and Williams (2021), *StreamSide: A Fully-Customizable Open-Source Toolkit for Efficient
Annotation of Meaning Representations*. A file holds an object with an array ``graphs``, one graph a
line. Graphs alone, one a line, are read as well. A graph has concepts and relations::

    {"tid": "x.1", "tokens": ["A", "bird", "sings"],
     "concepts": {"c0": {"name": "sing-01", "token_ids": [2], "attribute": false}, ...},
     "relations": {"r0": {"parent_id": "c0", "child_id": "c1", "label": "ARG0", ...}, ...}}

A concept becomes a variable with its concept. An attribute below a concept becomes a constant, as
in StreamSide's own conversion to PENMAN. The root is the first concept that hangs below no other
one; a note names further ones. Identifier, sentence, annotator and date become metadata under the
keys of that conversion.
"""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import CONCEPT, Argument, Constant, Graph, Location, Triple, Variable
from exactmatch.graphs.readers.examined import ExaminedGraph
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.json_records import (
    GRAPHS,
    error_about,
    identifier_under,
    read_record,
    record_in,
)
from exactmatch.graphs.readers.source import numbered_lines

_ID = "tid"
#: Lines without a graph.
_AROUND = re.compile(rb'\s*(\{|(\{\s*)?"graphs"\s*:\s*\[|\]\s*\}?|\}|)\s*')


class _Role(NamedTuple):
    parent: str
    label: str
    child: str
    is_reentrant: bool


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield the lines of a file that hold a graph, numbered, each with its identifier, if any."""
    for line, raw in numbered_lines(chunks):
        if _AROUND.fullmatch(raw):
            continue
        record = record_in(raw)
        several = None if record is None else record.get(GRAPHS)
        if isinstance(several, list):
            for one in several:
                name = identifier_under(one if isinstance(one, dict) else None, _ID)
                yield (
                    line,
                    json.dumps(one, ensure_ascii=False).encode("utf-8", "surrogatepass"),
                    name,
                )
        else:
            yield line, raw, identifier_under(record, _ID)


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*. Raises `GraphError` if it is unusable."""
    record = read_record(text)
    try:
        return _graph(record, text)
    except (KeyError, TypeError, AttributeError):
        raise error_about(text, "not the concepts and relations that StreamSide writes") from None


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the graph in *text*. Raises `GraphError` as above."""
    graph = read_graph(text)
    return ExaminedGraph(graph, [text.line] * len(graph.triples))


def read_metadata(text: GraphText) -> Mapping[str, str]:
    """Return the metadata of the graph in *text*; none if it is unreadable."""
    try:
        return _metadata(read_record(text))
    except GraphError:
        return {}


def _graph(record: Mapping[str, Any], text: GraphText) -> Graph:
    """Return the graph. Raises `GraphError`, and whatever access to members of other types does."""
    concepts = {key: str(concept["name"]) for key, concept in record["concepts"].items()}
    if not concepts:
        raise error_about(text, "empty graph")
    relations = [*map(_relation, record["relations"].values())]
    below = {relation.child for relation in relations}
    constants = {key for key in below & concepts.keys() if record["concepts"][key]["attribute"]}
    for relation in relations:
        reason = _fault(relation, concepts, constants)
        if reason is not None:
            raise error_about(text, reason)
    variables = [key for key in concepts if key not in constants]
    roots = _roots(variables, relations)
    triples = [Triple(CONCEPT, (Variable(key), Constant(concepts[key]))) for key in variables]
    for relation in relations:
        child = relation.child
        target: Argument = Constant(concepts[child]) if child in constants else Variable(child)
        triples.append(Triple(relation.label, (Variable(relation.parent), target)))
    note = f"{', '.join(roots)} hang below no other concept; the first is the root"
    return Graph(
        identifier=text.identifier,
        variables=dict.fromkeys(variables, ""),
        triples=tuple(triples),
        tops=tuple(roots[:1]),
        location=Location(text.source, text.line),
        metadata=_metadata(record),
        notes=(str(error_about(text, note)),) if len(roots) > 1 else (),
    )


def _relation(given: Mapping[str, Any]) -> _Role:
    label = str(given["label"]).removeprefix(":")
    return _Role(given["parent_id"], label, given["child_id"], bool(given["referent"]))


def _fault(relation: _Role, concepts: Mapping[str, str], constants: Container[str]) -> str | None:
    """Return why a relation cannot be read; None if it can."""
    for end in (relation.parent, relation.child):
        if end not in concepts:
            return f"{relation.label} leads from or to {end}, no concept"
    if relation.parent in constants:
        return f"attribute {relation.parent} has a relation {relation.label}"
    return None


def _roots(variables: Sequence[str], relations: Sequence[_Role]) -> list[str]:
    """Return the variables that hang below no other one, in the order in which they were made."""
    hanging = {relation.child for relation in relations if not relation.is_reentrant}
    # Concepts are numbered: c2 comes before c10.
    return sorted(set(variables) - hanging, key=lambda key: (len(key), key))


def _metadata(record: Mapping[str, Any]) -> dict[str, str]:
    keys = {"id": _ID, "save-date": "last_saved", "annotator": "annotator"}
    found = {key: str(record[name]) for key, name in keys.items() if record.get(name) is not None}
    tokens = record.get("tokens")
    if isinstance(tokens, list):
        found["snt"] = " ".join(map(str, tokens))
    return found
