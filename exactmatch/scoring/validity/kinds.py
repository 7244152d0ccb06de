"""The kinds of faults, with their names and one-line descriptions."""

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
INVISIBLE = "invisible"
NOT_NFC = "not-nfc"
UNKNOWN_ROLE = "unknown-role"
NO_TOP = "no-top"
TOKEN_OUT_OF_RANGE = "token-out-of-range"
PARALLEL_EDGES = "parallel-edges"

#: The kinds in the order of tables.
KINDS: Mapping[str, str] = {
    UNREADABLE: "an unreadable graph, or a file that holds something else",
    IDENTIFIER_TWICE: "a graph with the identifier of an earlier one",
    REPAIRED: "a repair made in reading",
    UNCLOSED: "a block of UMR with open parentheses",
    DAMAGED: "a block of UMR of which a line, or the end, is lost",
    UNKNOWN_VARIABLE: "a surface alignment of something that is no variable",
    TOKEN_OUT_OF_RANGE: "a surface alignment with a token beyond the sentence",
    NO_CONCEPT: "a node without concept or label",
    SEVERAL_CONCEPTS: "a node with more than one concept",
    DECLARED_TWICE: "a repeated declaration of a variable",
    USED_TWICE: "a variable of two sentences, or with two surface alignments, in UMR",
    UNDECLARED: "a constant that looks like an undeclared variable",
    UNUSED: "a referent that is declared and not used",
    NO_VALUE: "a role without value",
    NO_TOP: "a graph without top",
    DISCONNECTED: "a graph in several pieces",
    UNREACHABLE: "a part of an SBN graph that the root does not reach",
    CYCLE: "a cycle of relations",
    DUPLICATE: "a repeated triple or clause",
    PARALLEL_EDGES: "a second relation between the same two SBN nodes",
    INVERSE_CONSTANT: "an inverse role of a constant",
    INVISIBLE: "an invisible character in a role, a concept or another word",
    NOT_NFC: "text that is not in Unicode's form NFC",
    UNKNOWN_ROLE: "a role that is not in the AMR model of penman",
}
