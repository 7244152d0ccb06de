"""What a file is that holds no graphs in any of the formats, by how it begins.

Only what is surely something else is named. Any other file is left to the readers, which say at
which graph, and where in it, they stop.
"""

import re

from exactmatch.errors import InputError

#: How the first line that is not blank begins, and what that looks like.
_LOOKS_LIKE = (
    (rb"\x1f\x8b", "a gzip file inside a gzip file"),
    (rb"PK[\x03\x05\x07]", "a binary file (zip archive)"),
    (rb"BZh\d1AY", "a binary file (bzip2)"),
    (rb"\xfd7zXZ\x00", "a binary file (xz)"),
    (rb"\x28\xb5\x2f\xfd", "a binary file (zstd)"),
    (rb"7z\xbc\xaf", "a binary file (7-Zip archive)"),
    (rb"\x89PNG", "a binary file (PNG image)"),
    (rb"\xff\xd8\xff", "a binary file (JPEG image)"),
    (rb"%PDF-", "a PDF document"),
    (rb"%!PS", "a PostScript document"),
    (rb"\xff\xfe|\xfe\xff", "text in UTF-16 or UTF-32 (convert it to UTF-8)"),
    # Bytes with which no text begins, or a NUL in the first word, which begins no graph.
    (rb"[\x00-\x08\x0e-\x1f\x80-\xc1\xf5-\xff]|[^\s(#%{\x00]*\x00", "a binary file"),
    (rb"\s*\[", "a JSON array (MRP has one graph a line, each an object)"),
    (rb'\s*"', "a JSON string or a table"),
    (rb"(?i)\s*<(!doctype\s+)?html\b", "HTML"),
    (rb"\s*<", "XML"),
    (rb"#SDP \d{4}", "semantic dependencies in the format of SDP (convert them to MRP)"),
    (rb"\d+\t", "a table of words (CoNLL)"),
    (rb"[\w.-]+([,;][\w.-]*)+\s*$", "a table (CSV)"),
)
#: How files of graphs usually begin, and no other file that is known here.
_GRAPHS = (b"# ", b'{"', b"% ", b"%%")


def refuse_foreign(line: bytes, number: int, source: str) -> None:
    """Raise `InputError` if a file of graphs cannot begin with *line*; tell what it looks like.

    The line is the first one that is not blank, *number* which it is.
    """
    if line.startswith(_GRAPHS):
        return
    for beginning, what in _LOOKS_LIKE:
        if re.match(beginning, line):
            raise InputError(
                f"{source}:{number}: looks like {what}; expected AMRs in PENMAN notation, UMR, "
                "MRP graphs as JSON lines, or DRSs in clause form or SBN"
            )
