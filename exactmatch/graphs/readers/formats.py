"""The formats of graphs that can be read, each with its module."""

from collections.abc import Mapping
from typing import NamedTuple

from exactmatch.graphs.graph import (
    CAMR,
    CLAUSES,
    MRP,
    PENMAN,
    PENMAN_IN_JSON,
    SBN,
    STREAMSIDE,
    TRIPLES,
    UMR,
)


class ReadFormat(NamedTuple):
    """A format of files.

    reader: the module beside this one that cuts the bytes of a file into texts of graphs
        (`cut_graphs`) and reads such a text (`read_graph`, `examine_graph`). It is loaded when it
        is needed.
    described: its graphs and their notation, for help and messages.
    comments: the sign of comments with metadata; empty if there are none.
    reads_metadata: the reader finds metadata elsewhere (`read_metadata`).
    is_penman: the texts hold graphs in PENMAN's terms, and become PENMAN graphs when read.
    line: the pattern of the beginning of a line that no other format has. It is tried on lines that
        have a tab, or do not begin as a graph in PENMAN does. Formats without such a line are
        recognised by `exactmatch.graphs.readers.recognition`.
    """

    reader: str
    described: str
    comments: str = ""
    reads_metadata: bool = False
    is_penman: bool = False
    line: bytes = b""


#: The rows that only Chinese AMR has: its header, or ten columns.
_CAMR_ROW = (
    r"(?:句子编号|sid\tnid1)\t"
    r"|[^\t]+\t(?:x\d[^\t]*|-)(?:\t[^\t]*){2}\t(?::[^\t]*|-)(?:\t[^\t]*){2}\t"
    r"(?:x\d[^\t]*|-)(?:\t[^\t]*){2}$".encode()
)

FORMATS: Mapping[str, ReadFormat] = {
    PENMAN: ReadFormat("penman", "AMRs in PENMAN notation", comments="#"),
    UMR: ReadFormat("umr", "UMR documents", reads_metadata=True),
    MRP: ReadFormat("mrp", "MRP graphs as JSON lines"),
    CLAUSES: ReadFormat("clauses", "DRSs in clause form", comments="%"),
    SBN: ReadFormat("sbn", "DRSs in SBN"),
    CAMR: ReadFormat("camr", "Chinese AMRs", comments="#", line=_CAMR_ROW),
    TRIPLES: ReadFormat("triples", "AMRs as triples", comments="#", is_penman=True),
    PENMAN_IN_JSON: ReadFormat(
        "penman_json", "AMRs in JSON lines", reads_metadata=True, is_penman=True
    ),
    STREAMSIDE: ReadFormat("streamside", "AMRs of StreamSide", reads_metadata=True, is_penman=True),
}
#: All formats, for messages.
ALL_DESCRIBED = ", ".join(form.described for form in FORMATS.values())
