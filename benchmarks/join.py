"""Join every K consecutive AMRs of a file into one document graph.

    python benchmarks/join.py K INPUT OUTPUT

Documents are the large system cases of the benchmark. They are joined by token, with few changes:
only variables are renamed, all other text is unchanged.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

# White space is a token too, so that the tokens put together give the text back.
TOKEN = re.compile(r'\s+|"[^"]*"|[()/]|:[^\s()"/:]*|[^\s()"/:]+')
ROOT = "s0_m"  # like the names of renamed variables, so that it equals no constant by chance


class Sentence(NamedTuple):
    """One graph of the input, without its comments."""

    identifier: str
    text: str
    graph: str


def join_file(source: Path, target: Path, size: int) -> int:
    """Write the joined graphs of one file to another, and return how many there are."""
    sentences = read_sentences(source.read_text(encoding="utf-8-sig"))
    groups = [sentences[i : i + size] for i in range(0, len(sentences), size)]
    documents = [join_sentences(group, size) for group in groups]
    target.write_text("\n".join(documents), encoding="utf-8")
    return len(documents)


def read_sentences(text: str) -> list[Sentence]:
    """Return the graphs of a file, in order; blocks that have only comments are no graphs."""
    sentences = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.splitlines()
        comments = [line for line in lines if is_comment(line)]
        graph = "\n".join(line for line in lines if not is_comment(line)).strip()
        if graph:
            identifier = header_value(comments, r"::id\s+(\S+)")
            sentences.append(Sentence(identifier, header_value(comments, r"::snt\s+(.+)"), graph))
    return sentences


def is_comment(line: str) -> bool:
    """Tell whether a line is a comment, anywhere in a file."""
    return line.lstrip().startswith("#")


def header_value(comments: list[str], field: str) -> str:
    """Return the value of a header field in the first comment that begins with it, or nothing."""
    for line in comments:
        found = re.match(r"\s*#\s*" + field, line)
        if found:
            return found[1].strip()
    return ""


def join_sentences(sentences: list[Sentence], size: int) -> str:
    """Return one document graph of the sentences, with a header."""
    first = sentences[0]
    lines = []
    if first.identifier:
        lines.append(f"# ::id {first.identifier}+{size}")
    if first.text:
        lines.append(f"# ::snt {first.text}")
    lines.append(f"({ROOT} / multi-sentence")
    for number, sentence in enumerate(sentences, start=1):
        lines.append(f":snt{number} {rename_variables(sentence, f's{number}_')}")
    return "\n".join(lines) + ")\n"


def rename_variables(sentence: Sentence, prefix: str) -> str:
    """Return the text of a graph in which every variable has the prefix."""
    tokens = tokenize(sentence)
    variables = declared_variables(tokens)
    renamed = []
    previous = ""
    for token in tokens:
        # A concept may be spelled like a variable, (i / i), so the position decides.
        is_name = token in variables and (previous == "(" or previous.startswith(":"))
        renamed.append(prefix + token if is_name else token)
        if not token.isspace():
            previous = token
    return "".join(renamed)


def tokenize(sentence: Sentence) -> list[str]:
    """Return the tokens of a graph; exit with a message if it is not one graph in brackets."""
    tokens = TOKEN.findall(sentence.graph)
    if "".join(tokens) != sentence.graph or not is_bracketed(tokens):
        name = sentence.identifier or sentence.graph[:40]
        raise ValueError(f"brackets or quotes of graph {name} do not match")
    return tokens


def is_bracketed(tokens: list[str]) -> bool:
    """Tell whether the tokens are one expression in balanced brackets."""
    depth = 0
    for position, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if depth <= 0:
            return depth == 0 and position == len(tokens) - 1
    return False


def declared_variables(tokens: list[str]) -> set[str]:
    """Return the symbols between an opening bracket and a slash."""
    words = [token for token in tokens if not token.isspace()]
    return {
        name
        for before, name, after in zip(words, words[1:], words[2:], strict=False)
        if before == "(" and after == "/" and name[0] not in '"():/'
    }


def group_size(text: str) -> int:
    """Read the number of graphs per document from the command line."""
    size = int(text)
    if size < 2:
        raise argparse.ArgumentTypeError("at least 2 graphs make a document")
    return size


def run(graphs: str, join: Callable[[Path, Path, int], int]) -> None:
    """Join the *graphs* of the file named on the command line by *join*."""
    parser = argparse.ArgumentParser(description=f"Join consecutive {graphs} into documents.")
    parser.add_argument("size", metavar="K", type=group_size, help=f"{graphs} per document")
    parser.add_argument("source", metavar="INPUT", type=Path)
    parser.add_argument("target", metavar="OUTPUT", type=Path)
    arguments = parser.parse_args()
    try:
        count = join(arguments.source, arguments.target, arguments.size)
    except (OSError, ValueError) as error:
        sys.exit(f"{parser.prog}: {error}")
    print(f"{count} documents", file=sys.stderr)


if __name__ == "__main__":
    run("AMRs", join_file)
