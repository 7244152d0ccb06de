"""The text of a collected graph: as annotators' files have it, with who adjudicated it and when.

The page exports the same (``report/pages/adjudication/export.js``); a test compares.

A sentence of UMR has its words and its graph. Its surface alignment and its document level are
empty, since they are not adjudicated.
"""

import re
from collections.abc import Mapping, Sequence

from exactmatch.graphs.graph import UMR
from exactmatch.many.adjudication.item import Item
from exactmatch.many.adjudication.work import Entry

#: The identifier of a sentence of UMR: its document, unless that is the first, and its number.
_SENTENCE = re.compile(r"(?:d(\d+)\.)?snt(\d+)")
#: The keys that UMR has in comments; others have lines of their own.
_IN_COMMENTS = re.compile(r"[a-z][\w-]*")


def collected_text(
    item: Item, position: int, form: str, graph: str, entries: Sequence[Entry], decided: int
) -> str:
    """Return the text of a *graph* of the item at *position*, of which so much was *decided*."""
    own = {**_who_and_when(entries), "decided": f"{decided} of {len(item.differences)}"}
    if form == UMR:
        return _sentence(item, position, own, graph)
    metadata = {"id": "", **item.metadata, **own} | {"id": item.id}
    comments = (f"# ::{key} {_on_a_line(value)}\n" for key, value in metadata.items())
    return f"{''.join(comments)}{graph}\n"


def _who_and_when(entries: Sequence[Entry]) -> dict[str, str]:
    """Return who adjudicated and when; nothing if nobody had to."""
    if not entries:
        return {}
    people = sorted({entry.who for entry in entries})
    return {"adjudicator": ", ".join(people), "adjudicated": max(entry.when for entry in entries)}


def _sentence(item: Item, position: int, own: Mapping[str, str], graph: str) -> str:
    named = _SENTENCE.fullmatch(item.id)
    document, number = named.groups() if named else (None, position)
    said = {key: value for key, value in item.metadata.items() if _IN_COMMENTS.fullmatch(key)}
    if document or "document" in said:  # a number of the annotators may be another
        own = {**own, "document": document or "1"}
    said |= own
    fields = " :: ".join(f"{key} = {_in_a_field(value)}" for key, value in said.items())
    rows = [f"{key}: {value}" for key, value in item.metadata.items() if key not in said]
    return "\n".join(
        [
            "#" * 80,
            f"# meta-info :: {fields}",
            f"# :: snt{number}",
            *rows,
            "",
            "# sentence level graph:",
            graph,
            "",
            "# alignment:",
            "",
            "# document level annotation:",
            "",
            "",
        ]
    )


def _on_a_line(text: str) -> str:
    """Return *text* without what would end a comment, or begin another key; all else stays."""
    return re.sub(r"(?<!\S)::+(?=\S)", ":", re.sub(r"\s*[\r\n]\s*", " ", text))


def _in_a_field(text: str) -> str:
    """Return *text* without what would end a field of UMR."""
    return " ".join(re.sub("::+", ":", text).split())
