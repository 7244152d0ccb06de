# cython: language_level=3, boundscheck=False, wraparound=False
"""Cut a text file into blocks: the texts between empty lines, each with its comments.

A block of comments alone belongs to the graph after it, unless both have an identifier: then the
first graph is missing, and its comments become a block without body.

All bytes of all files go through this module. Written in Cython's pure Python mode: compiled code
looks at bytes one by one, where interpreted code asks Python.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import cython

from exactmatch.graphs.readers.blocks import line_metadata
from exactmatch.graphs.unicode_form import nfc

if cython.compiled:
    from cython.cimports.libc.string import memchr, memcmp

#: A block: the number of its first line, its text, and the identifier that its comments give.
Block = tuple[int, bytes, str | None]

#: A blank line, after the end of the line before it.
_BLANK_LINE = re.compile(rb"\n[ \t\r\v\f]*\n")


def cut_blocks(
    chunks: Iterable[bytes],
    comment: str = "#",
    cut_several: "Callable[[int, bytes, str | None], Iterable[Block]] | None" = None,
) -> "Iterator[Block]":
    """Cut the *chunks* of a file, whose lines end in ``\\n``, into the texts of blocks.

    Lines that start with *comment* are comments. Yields the number of the first line of each, the
    text, and the identifier that its comments give. *cut_several* cuts a block in which several
    lines begin with a parenthesis.
    """
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t = 0  # the line after the comments that are held
    line: cython.Py_ssize_t
    has_body: cython.bint
    held: list[bytes] = []  # comments of the following block, with blank lines between
    held_id: str | None = None
    for line, stretch in _stretches(chunks):
        identifier, has_body = identified(stretch, comment)
        if held and held_id and identifier:
            yield start, b"".join(held), held_id
            held, held_id = [], None
        if held:
            held.append(b"\n" * (line - end + 1))
        else:
            start = line
        held.append(stretch)
        held_id = held_id if identifier is None else identifier
        if has_body:
            body = b"".join(held)
            if cut_several is not None and begins_several(body):
                yield from cut_several(start, body, held_id or None)
            else:
                yield start, body, held_id or None
            held, held_id = [], None
        else:
            end = line + stretch.count(b"\n") + 1
    if held_id:
        yield start, b"".join(held), held_id


def identified(stretch: bytes, comment: str) -> tuple[str | None, bool]:
    """Return the identifier in the comments before a body, if any, and whether there is a body."""
    body: cython.Py_ssize_t = _after_comments(stretch, comment)
    has_body: cython.bint = body < len(stretch)
    body = min(body, len(stretch))
    key: cython.Py_ssize_t = _find(stretch, b"::id", 0, body)
    if key == body:
        return None, has_body
    start: cython.Py_ssize_t = key + 5
    stop: cython.Py_ssize_t = _plain_value(stretch, key, body)
    if stop > start and _find(stretch, b"::id", stop, body) == body:
        return stretch[start:stop].decode("ascii"), has_body
    identifier: str | None = None
    for line in stretch[:body].decode("utf-8", errors="replace").split("\n"):
        identifier = line_metadata(line).get("id", identifier)
    return nfc(identifier or "") or identifier, has_body


@cython.ccall
def begins_several(block: bytes) -> cython.bint:
    """Tell whether several lines of *block* begin with a parenthesis."""
    if not cython.compiled:
        return (b"\n" + block).count(b"\n(") > 1
    letters: cython.p_const_char = block
    size: cython.Py_ssize_t = len(block)
    start: cython.Py_ssize_t = 0
    found: cython.int = 0
    while start < size:
        if letters[start] == 40:
            if found:
                return True
            found = 1
        end = cython.cast(cython.p_const_char, memchr(letters + start, 10, size - start))
        if end == cython.NULL:
            break
        start = end - letters + 1
    return False


def _stretches(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the parts between blank lines, each with the number of its first line."""
    number: cython.Py_ssize_t = 1  # of the line that is reached
    first: cython.Py_ssize_t = 1  # of the first line of the part
    start: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    lines: bytes
    pieces: list[bytes] = []  # the part, as far as it is in chunks before
    for lines in _whole_lines(chain(chunks, (b"\n\n",))):
        start = begin = 1
        while begin < len(lines):
            if not cython.compiled:
                blank = _BLANK_LINE.search(lines, begin - 1)
                end = len(lines) if blank is None else blank.start() + 1
                number += lines.count(b"\n", begin, end)
                begin = end
                if blank is None:
                    break
            end = _find(lines, b"\n", begin, len(lines))
            if _is_blank(lines, begin, end):
                if pieces:
                    yield first, b"".join((*pieces, lines[start:begin])).removesuffix(b"\n")
                    pieces = []
                elif begin > start:
                    yield first, lines[start : begin - 1]
                start, first = end + 1, number + 1
            number += 1
            begin = end + 1
        if start < begin:
            pieces.append(lines[start:])


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines that each chunk completes, after the end of the line before them."""
    pieces = [b"\n"]
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end > 0:
            yield b"".join((*pieces, chunk[:end]))
            pieces = [b"\n"]
        pieces.append(chunk[end:])


@cython.cfunc
def _after_comments(stretch: bytes, comment: str) -> cython.Py_ssize_t:
    """Return where the first line that is no comment begins; beyond the end if there is none."""
    sign: cython.int = ord(comment)
    start: cython.Py_ssize_t = 0
    while start < len(stretch):
        end: cython.Py_ssize_t = _find(stretch, b"\n", start, len(stretch))
        if stretch[start] != sign:
            if 33 <= stretch[start] <= 126:  # surely no space before a comment
                break
            line = stretch[start:end].decode("utf-8", errors="replace")
            if not line.lstrip().startswith(comment):
                break
        start = end + 1
    return start


@cython.cfunc
def _plain_value(text: bytes, key: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return where the value of a key of two letters ends, a single word; 0 if in doubt."""
    k: cython.Py_ssize_t = key + 5
    if key == 0 or k >= stop or text[key - 1] != 32 or text[k - 1] != 32 or text[k] == 58:
        return 0
    while k < stop and 33 <= text[k] <= 126:
        k += 1
    if k == stop or text[k] == 10:
        return k
    is_before_a_key: cython.bint = k + 3 < stop and _find(text, b" ::", k, k + 3) == k
    return k if is_before_a_key and 33 <= text[k + 3] <= 126 else 0


@cython.cfunc
@cython.inline
def _is_blank(lines: bytes, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Tell whether a line, which ends in a line feed, has nothing but space."""
    k: cython.Py_ssize_t = start
    while k < end and (lines[k] == 32 or 9 <= lines[k] <= 13):
        k += 1
    return k == end


@cython.cfunc
@cython.inline
def _find(
    text: bytes, word: bytes, start: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the first place of *word* between *start* and *stop*; *stop* if there is none."""
    place: cython.Py_ssize_t = start
    if not cython.compiled:
        place = text.find(word, start, stop)
        return stop if place < 0 else place
    size: cython.Py_ssize_t = len(word)
    letters: cython.p_const_char = text
    sought: cython.p_const_char = word
    while place + size <= stop:
        found = cython.cast(cython.p_const_char, memchr(letters + place, sought[0], stop - place))
        if found == cython.NULL:
            break
        place = found - letters
        if place + size <= stop and memcmp(found, sought, size) == 0:
            return place
        place += 1
    return stop
