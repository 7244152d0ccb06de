"""Recognise the format of a file of graphs by its first lines."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

from exactmatch.graphs.graph import CAMR, CLAUSES, MRP, PENMAN, SBN, TRIPLES, UMR
from exactmatch.graphs.readers.foreign import LOOKED_AT as LINES_OF_TEXT
from exactmatch.graphs.readers.formats import FORMATS

#: Comments that only UMR has.
UMR_COMMENT = rb"(?i)\s*#\s*(sentence level graph\s*:|::\s+snt\d)"
_FIRST_OF_UMR = ([b"::"], [b"sentence"])
#: The comment that only Chinese AMR has.
_WORDS = rb"\s*#(?:.*\s)?::wid\s"
_WORDS_OF_CHINESE = "words of Chinese"
#: Lines that can be in one format only, by their pattern.
_BEGINNINGS = {form.line: name for name, form in FORMATS.items() if form.line}
#: A format has won when it has so many more votes than all others: no single line can change that.
_CLEAR = 2
#: After so many bytes, the votes so far decide: a file of large graphs is not read ahead for more.
ENOUGH = 1 << 16
#: A line of a graph in PENMAN, or its kin, that begins with a role; a role in any place, and one of
#: Chinese AMR: with empty parentheses, or with a word before its target.
_ROLE_FIRST = rb"\s*:[^\s()\":/]+(?:[\s(]|$)"
_ROLE_NAME = rb"(?<!\S):[^\s()\":/]+"
_CHINESE_ROLE = rb":[^\s(]+\(\s*(?:\)|x\d[^()]*\)\s*[^\s:)])"
#: The beginning of a graph in PENMAN, which is nothing else, and that of a document level of UMR.
_ROOT = rb"\s*\(\s*[^\s()/:]+\s*/\s*[^\s()/:]"
_LEVEL = rb"\(\s*\w+\s*/\s*sentence\s*(?:\)|:|$)"
#: The beginning of clauses: a comment, or a box and a word that begins no graph and no string.
_CLAUSES = rb"\s*(%|[^\W\d]\w*\s+[^\s(:/\"])"
#: A clause that is surely one: a referent, or a concept with its sense.
_CLAUSE = rb"\s*[^\W\d]\w*\s+(REF\s+\S+|\S+\s+\"[nvars]\.\d+\"\s+\S+)\s*(%|$)"
#: The first character of a triple, and its end: the role.
_SOURCE = rb"[^\s(#%{\":]"
_ROLE = rb"[ \t]:[A-Za-z][\w-]*\s*$"
#: A comment with metadata, and the beginning of a graph, in PENMAN.
_METADATA = rb"\s*#\s*::"
_GRAPH = rb"\s*\(\s*[^\s()\":/]+(\s*/|\s+:\S)"
_STRING = rb'"[^"]*"?'
#: A concept of SBN with a role, an operator or another concept after it, and signs of PENMAN, which
#: no text in SBN has outside strings.
_SEVERAL_WORDS = rb"\s*\S+\s+([A-Z]\w*|[-+<>]\d+|\S+\.[nvarx]\.\d+)(?!\S)"
_OF_PENMAN = rb"[()/]|\s:"


def recognise(lines: Iterable[bytes]) -> str:
    """Return the format of a file by its beginning; PENMAN if in doubt.

    Lines that can be in one format only vote for it, until two more are for one format than for any
    other, so that no single line decides on a file. Where no line votes, the first one that is not
    blank decides. Comments may have the sign of another format.
    """
    beginning = islice((line for line in lines if line.strip()), LINES_OF_TEXT)
    votes = _Votes()
    size = 0
    for line in beginning:
        votes.add(line)
        size += len(line)
        if votes.are_clear() or (size > ENOUGH and votes.winner() is not None):
            break
    return votes.winner() or _by_first_line(votes.first)


def supports(lines: Iterable[bytes], form: str) -> bool:
    """Tell whether a good part of the *lines* can be in the format *form* only."""
    looked_at = [*islice(lines, LINES_OF_TEXT)]
    voted = PENMAN if form == UMR else form
    n_votes = sum(_vote(line) == voted for line in looked_at)
    return n_votes > 0 and 4 * n_votes >= len(looked_at)


class _Votes:
    """The votes of the lines of a file for formats.

    first: the first line. UMR and the text form of Chinese AMR are kin of PENMAN: all lines vote
    for PENMAN, and marks that it lacks decide between the three.
    """

    def __init__(self) -> None:
        self.first = b""
        self._votes: Counter[str] = Counter()
        self._marks: Counter[str] = Counter()
        self._n_roots = 0

    def add(self, line: bytes) -> None:
        """Count the vote of a *line*."""
        self.first = self.first or line
        form = _vote(line)
        if form is None:
            return
        self._votes[form] += 1
        if form == PENMAN:
            self._n_roots += line.startswith(b"(") and not _begins_level(line)
            self._marks[_marked(line)] += 1

    def are_clear(self) -> bool:
        """Tell whether further lines cannot change the winner, even if one line is faulty."""
        most = self._votes.most_common(2)
        if not most or most[0][1] - sum(n for _, n in most[1:]) < _CLEAR:
            return False
        return most[0][0] != PENMAN or not (self._marks.keys() - {"", PENMAN})

    def winner(self) -> str | None:
        """Return the format with most votes; None without votes.

        Of several, it is SBN, whose first text may be anything, or else the first one.
        """
        if not self._votes:
            return None
        form = max(self._votes, key=lambda form: (self._votes[form], form == SBN))
        return self._of_kin() if form == PENMAN else form

    def _of_kin(self) -> str:
        """Return PENMAN, UMR or Chinese AMR.

        A comment that only one of them has decides in a file with one graph; with more graphs, two
        have to.
        """
        needed = max(1, min(self._n_roots, 2))
        for form, mark in ((UMR, UMR), (CAMR, _WORDS_OF_CHINESE)):
            if self._marks[mark] >= needed:
                return form
        return CAMR if self._marks[CAMR] > self._marks[PENMAN] else PENMAN


def _vote(line: bytes) -> str | None:
    """Return the format in which *line* stands if it can be in no other one; None for other lines.

    Whatever is in PENMAN, UMR or the text form of Chinese AMR votes for PENMAN.
    """
    # Complex: the usual lines are told by their first character.
    start = line.lstrip()[:1]
    if b"\t" not in line:
        if start == b"#":
            return PENMAN if _marked(line) else None
        if start == b"(":
            return PENMAN if _begins_graph(line) else None
        if start == b":" and b"," not in line:
            return PENMAN if compiled(_ROLE_FIRST).match(line) else None
    if start == b"{":
        return _json_vote(line)
    return _vote_of_columns(line)


def _vote_of_columns(line: bytes) -> str | None:
    """Return the vote of a line that has tabs, or begins with a word."""
    for pattern, form in _BEGINNINGS.items():
        if compiled(pattern).match(line):
            return form
    from exactmatch.graphs.readers.sbn_layout import is_notation

    if is_notation(line) and not _begins_penman(line):
        return SBN
    if _is_triple(line):
        return TRIPLES
    if line.lstrip().startswith((b"#", b":", b"(")):
        is_kin = _marked(line) or compiled(_ROLE_FIRST).match(line) or _begins_graph(line)
        return PENMAN if is_kin else None
    return CLAUSES if compiled(_CLAUSE).match(line) else None


def _json_vote(line: bytes) -> str | None:
    from exactmatch.graphs.readers.json_records import format_of_record  # few files need this

    return format_of_record(line)


def _marked(line: bytes) -> str:
    """Return the format whose mark a line of PENMAN or its kin has; empty if it has none.

    Ordinary lines are told without the patterns of rare formats, which take long to compile.
    """
    if line.lstrip().startswith(b"#"):
        first = line.lstrip()[1:].split(None, 1)[:1]
        if [*map(bytes.lower, first)] in _FIRST_OF_UMR and compiled(UMR_COMMENT).match(line):
            return UMR
        return _WORDS_OF_CHINESE if b"::wid" in line and compiled(_WORDS).match(line) else ""
    role = compiled(_ROLE_NAME).search(line)
    if role is None:
        return ""
    word = line[role.start() :].split(None, 1)[0]
    is_chinese = b"(" in word and compiled(_CHINESE_ROLE).match(line, role.start())
    return CAMR if is_chinese else PENMAN


def _by_first_line(first: bytes) -> str:
    """Return the format of a file whose lines can all be in several formats."""
    if first.lstrip().startswith(b"{"):
        return MRP
    return CLAUSES if compiled(_CLAUSES).match(first) else PENMAN


def _begins_graph(line: bytes) -> bool:
    """Tell whether a graph in PENMAN, or of its kin, begins in *line*."""
    return compiled(_ROOT).match(line) is not None


def _begins_level(line: bytes) -> bool:
    """Tell whether the document level of UMR begins in *line*."""
    return b"sentence" in line and compiled(_LEVEL).match(line) is not None


def _begins_penman(line: bytes) -> bool:
    """Tell whether a line with tabs is metadata or an open graph, and not raw text of SBN.

    The raw text stands before the last tab. There, a graph of SBN has no open bracket after which
    a variable follows; ``(Tom / Mary) left.`` has a closed one. Several words of SBN in the
    last column decide, whatever the raw text is.
    """
    text, _, column = line.rpartition(b"\t")
    is_whole = column.count(b'"') % 2 == 0
    words = compiled(_STRING).sub(b"", column)
    is_sbn = is_whole and compiled(_SEVERAL_WORDS).match(words) is not None
    if is_sbn and not compiled(_OF_PENMAN).search(words):
        return False
    if compiled(_METADATA).match(line):
        return True
    said = compiled(_STRING).sub(b"", text)
    return compiled(_GRAPH).match(line) is not None and said.count(b"(") > said.count(b")")


def _is_triple(line: bytes) -> bool:
    """Tell whether a line begins a conjunction of triples, or is a source, a target and a role.

    Between source and target is a tab or, if there is none, any space. So the line is not matched
    as a whole, which would take long for a long one.
    """
    if b"(" in line and b"\t" not in line:
        from exactmatch.graphs.readers.triples import is_conjunction

        if is_conjunction(line):
            return True
    role = compiled(_ROLE).search(line)
    ends = line[: role.start()].strip(b" \t") if role else b""
    if not compiled(_SOURCE).match(ends) or ends[-1:].isspace():
        return False
    between = ends[1:-1]
    return between.count(b"\t") == 1 or (b"\t" not in between and b" " in between)


@cache
def compiled(pattern: Any) -> "re.Pattern[Any]":
    """Return a pattern that is compiled on first use: most runs need few of them."""
    return re.compile(pattern)
