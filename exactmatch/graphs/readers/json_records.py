"""Objects of JSON, one a line, and what their keys tell of their format."""

import json
import re
from collections.abc import Mapping
from typing import Any

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import MRP, PENMAN_IN_JSON, STREAMSIDE
from exactmatch.graphs.readers.blocks import undecodable
from exactmatch.graphs.readers.graph_text import GraphText

#: The keys under which a record may have its graph as text.
GRAPH_KEYS = ("amr", "graph", "penman", "output", "prediction")
#: Keys that only graphs of MRP have, those of a graph of StreamSide, and the key of its graphs.
_OF_MRP = ("framework", "flavor", "nodes", "edges", "tops")
GRAPHS = "graphs"
_OF_STREAMSIDE = {"concepts", "relations"}
#: A word of a value that would be another key.
_KEY = re.compile(r"(?<!\S)::(?=\S)")


def format_of_record(line: bytes) -> str | None:
    """Return the format of the graph in a line that holds an object; None if its keys do not tell.

    StreamSide writes its graphs inside an object of several lines.
    """
    record = record_in(line)
    if record is None:
        return None
    if any(key in record for key in _OF_MRP):
        return MRP
    if record.keys() >= _OF_STREAMSIDE or isinstance(record.get(GRAPHS), list):
        return STREAMSIDE
    is_text = any(key in record for key in GRAPH_KEYS) or any(map(_is_graph, record.values()))
    return PENMAN_IN_JSON if is_text else None


def _is_graph(value: object) -> bool:
    """Tell whether a value looks like the text of a graph, whose key is then the fault."""
    return isinstance(value, str) and value.lstrip().startswith(("(", "# ::"))


def record_in(line: bytes) -> dict[str, Any] | None:
    """Return the object in a line, perhaps with a comma after it; None if there is none."""
    try:
        found = json.loads(line.strip().removesuffix(b",").decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_record(text: GraphText) -> dict[str, Any]:
    """Return the object in *text*. Raises `GraphError` with the reason if there is none."""
    reason = undecodable(text.data)
    if reason is not None:
        raise error_about(text, reason)
    line = text.data.decode("utf-8")
    try:
        found = json.loads(line.rstrip().removesuffix(","))
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg}); each graph takes one line"
        raise error_about(text, reason, line, error.pos) from None
    except RecursionError:
        raise error_about(text, "nested too deeply") from None
    except ValueError:  # Python's message on integers with thousands of digits
        raise error_about(text, "a number with too many digits") from None
    if not isinstance(found, dict):
        raise error_about(text, "no object of JSON; each graph takes one line")
    return found


def error_about(
    text: GraphText, reason: str, line: str | None = None, column: int = 0
) -> GraphError:
    """Return an error about the graph in *text*."""
    return GraphError(
        reason,
        source=text.source,
        line=text.line,
        number=text.number,
        identifier=text.identifier,
        text=line,
        column=column,
    )


def identifier_under(record: dict[str, Any] | None, key: str) -> str | None:
    """Return the identifier under *key*, on one line; None if there is none."""
    found = None if record is None else record.get(key)
    if isinstance(found, bool) or not isinstance(found, str | int):
        return None
    name = " ".join(str(found).split())
    return name if name and name.isprintable() else None


def comments(values: Mapping[str, object]) -> list[str]:
    """Return the lines of comments with *values* as metadata, without those that are missing."""
    said = {key: " ".join(str(value).split()) for key, value in values.items() if value is not None}
    return [f"# ::{key} {_KEY.sub(':: ', value)}" for key, value in said.items()]
