"""What the program of AnCast reads of a sentence: its text, and which graphs it takes for damaged.

A role ends at the next blank, and a word that does not follow a role is an error: so sentences are
left out that have comments in their graph, or no blank between a role and a parenthesis. So are
those with a slash in a concept.
"""

import re

from exactmatch.graph import Sentence

_GRAPH, _BELOW_GRAPH = "# sentence level graph:", "# alignment:"

#: A variable and its concept, anywhere behind a parenthesis.
_HEAD = re.compile(r"[a-z0-9_\-]+\s*/\s*[^)\s]+")
#: A role up to the blank that ends it, the blanks behind it, and what its value begins with; the
#: rest of a value that is no string and no node.
_ROLE = re.compile(r":[^ ]* [ \t]*(?=(\(|\"|))", re.DOTALL)
_STRING = re.compile(r'"[^"]*')
_WORD = re.compile(r"[^ \t\n)]*(?=[ \t\n)])")
_OUT_OF_PLACE = re.compile(r"[a-z0-9]")


def text_for_program(sentence: Sentence) -> str:
    """Return in what the program looks for names: all that stands above the graph."""
    header, found, _ = sentence.text.partition(_GRAPH)
    return header if found else " ".join(sentence.tokens)


def program_reads(sentence: Sentence) -> bool:
    """Tell whether the program reads the graph of a sentence, as far as its text is known."""
    _, found, below = sentence.text.partition(_GRAPH)
    return not found or _is_read(below.partition(_BELOW_GRAPH)[0])


def _is_read(text: str) -> bool:
    place = _after_head(text, text.find("("))
    depth = 1
    while depth and place is not None and place < len(text):
        character = text[place]
        if character == ":":
            place, is_node = _after_role(text, place)
            depth += is_node
        elif _OUT_OF_PLACE.match(character):
            return False
        else:
            depth -= character == ")"
            place += 1
    return not depth


def _after_head(text: str, place: int) -> int | None:
    """Return where a node goes on whose parenthesis is at *place*; None if it is no node.

    As the program does, take a head that comes later for one that begins here.
    """
    found = _HEAD.search(text, place + 1)
    if place < 0 or found is None or found[0].count("/") > 1:
        return None
    return place + 1 + len(found[0])


def _after_role(text: str, place: int) -> tuple[int | None, bool]:
    """Return where it goes on behind a role, and whether in a new node, or else after its value."""
    role = _ROLE.match(text, place)
    if role is None:
        return None, False
    if role[1] == "(":
        return _after_head(text, role.end()), True
    value = (_STRING if role[1] else _WORD).match(text, role.end())
    return (None if value is None else value.end()), False
