"""The kinds of faults, by the names that people know, and what each is."""

from collections.abc import Mapping

from exactmatch.graphs.readers.examined import (
    DAMAGED,
    DECLARED_TWICE,
    NO_CONCEPT,
    NO_VALUE,
    REPAIRED,
    SEVERAL_CONCEPTS,
    UNCLOSED,
    UNKNOWN_VARIABLE,
    UNREACHABLE,
    USED_TWICE,
)

UNREADABLE = "unreadable"
IDENTIFIER_TWICE = "identifier-twice"
UNDECLARED = "undeclared"
UNUSED = "unused"
DISCONNECTED = "disconnected"
CYCLE = "cycle"
DUPLICATE = "duplicate"
INVERSE_CONSTANT = "inverse-constant"
UNKNOWN_ROLE = "unknown-role"
NO_TOP = "no-top"
TOKEN_OUT_OF_RANGE = "token-out-of-range"
PARALLEL_EDGES = "parallel-edges"

#: In the order in which they are shown.
KINDS: Mapping[str, str] = {
    UNREADABLE: "a graph that cannot be read",
    IDENTIFIER_TWICE: "a graph with the identifier of one before",
    REPAIRED: "what was mended in reading",
    UNCLOSED: "a block of UMR in which parentheses are left open",
    DAMAGED: "a block of UMR of which the rest is lost",
    UNKNOWN_VARIABLE: "a surface alignment of what is no variable",
    TOKEN_OUT_OF_RANGE: "a surface alignment with a token beyond the sentence",
    NO_CONCEPT: "a node without concept or label",
    SEVERAL_CONCEPTS: "a node with more than one concept",
    DECLARED_TWICE: "a variable that is declared again",
    USED_TWICE: "a variable of two sentences, or two surface alignments, of UMR",
    UNDECLARED: "what looks like a variable, but is declared nowhere",
    UNUSED: "a referent that is declared and not used",
    NO_VALUE: "a role without value",
    NO_TOP: "a graph without top",
    DISCONNECTED: "a graph in several pieces",
    UNREACHABLE: "a part of a graph of SBN that no path leads to from its root",
    CYCLE: "a cycle of relations",
    DUPLICATE: "a triple or clause that is written again",
    PARALLEL_EDGES: "another relation between the same two nodes of SBN",
    INVERSE_CONSTANT: "an inverse role of a constant",
    UNKNOWN_ROLE: "a role that the AMR model of penman does not have",
}
