"""``--help-metric``: describe a metric and the options of its own."""

import re
import sys
from collections.abc import Collection, Sequence

import click

from exactmatch.cli.click_options import Adding, option
from exactmatch.cli.short_help import fitted
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS
from exactmatch.scoring.declaration import COUNTING

#: One line on each choice; its values say the rest.
HELP = {
    "top": "How the root counts.",
    "duplicates": "How often a triple counts that is written more than once.",
    "strings": "Compare strings whole, or up to their first space.",
    "inverse": "Turn inverse roles (ARG0-of) around.",
    "mod": "Treat mod and domain, and their inverses, as one relation.",
    "inverse_constants": "How to read a constant under an inverse role (:mod 5).",
    "case": "Letter case.",
    "unicode": "Compare canonically equivalent text (NFC, NFD) as equal, or text as written.",
    "quotes": "Whether quotes of strings count.",
    "underscores": "Whether underscores at the end count.",
    "surface_alignments": "Whether surface alignments (~e.4) count.",
    "wiki": "Attributes wiki.",
    "reification": "Collapse nodes that are reified roles, or expand such roles to nodes.",
    "reification_table": "The table of reifications; each line of a file has a role, a concept, "
    "and the roles of its ends.",
    "coordination": "Operands of and and or: numbered (op1, op2), or all op.",
    "constants": "Treat constants as attributes, or as nodes with the constant as concept.",
    "tuples": "Count the tuples that the framework of a graph uses, or all kinds of tuples.",
    "edges": "Turn inverse edges around: by their normal form in the file, or by their label.",
    "edge_labels": "Whether labels of edges count.",
    "attributes": "Whether attributes of edges count that have their default value.",
    "predicates": "Which nodes with outgoing edges are predicates.",
    "refs": "Which REF clauses count.",
    "senses": "Whether senses of concepts count.",
    "concepts": "How concepts and their senses count; in SBN, parts are lemma, part of speech "
    "and sense.",
    "boxes": "In SBN: whether edges from a box to its concepts count.",
    "of_roles": "In SBN: turn around the six roles of the published programs, or all roles in Of.",
    "parallel_edges": "In SBN: count all edges from one node to another, or the last of them.",
    "unreachable": "In SBN: what becomes of nodes that the root does not lead to.",
    "box_mapping": "In SBN: map boxes to boxes only, or to concepts as well.",
    "tabs": "In SBN: keep or drop the tabs that indentation leaves behind concepts, as many as a "
    "node is deep.",
    "unclosed": "In PENMAN: what becomes of missing parentheses at the end.",
    "blanks": "In PENMAN: which blanks divide words: those of ASCII, or as in smatch 1.0.4.",
    "roles": "How names of roles count.",
    "loops": "A clause of three variables, two of which are equal.",
    "swapped": "Two clauses that differ only in the order of symmetric arguments.",
    "sorts": "How boxes are recognised.",
    "second_constant": "How the second of two constants counts.",
    "graded": "Which triples match in part.",
    "threshold": "Whether a similarity equal to the cut-off counts.",
    "lookup": "Which vector stands for a concept with a sense.",
    "parallel": "How relations between the same two variables, and attributes of one name, count.",
    "root_distance": "Whether triples near the root count more (weighted), or alone (core).",
    "types": "The type of a variable that is no box: the first letter of its name, or none.",
    "backwards": "Which edges go both ways: all but those between boxes, or all but those in "
    "capitals.",
    "directions": "The labels of an edge in its two directions.",
    "once": "What an n-gram visits at most once: edges or nodes.",
    "arithmetic": "How scores are computed from the counts.",
    "reading": "The profile of smatch whose triples are compared.",
    "multiplicity": "Count what occurs more than once one time, or as often as on both sides.",
    "anchors": "Anchors as characters, trimmed as a whole or by span, or as intervals. In UMR: "
    "map variables to any, or by their tokens. In AnCast: begin with names or with "
    "tokens.",
    "sentences": "In documents of AMR: map variables to any sentence, or within sentences that "
    "correspond by number, by order, or by docSmatch's rule.",
    "ill_formed": "In SBN: what becomes of a pair with an ill-formed system graph. In clauses: "
    "what stands for an ill-formed DRS of either side; score: itself.",
    "gold_ill_formed": "In SBN: what becomes of a pair with an ill-formed gold graph.",
    "document_level": "Which triples of UMR's document level count; with them, whole documents "
    "are compared.",
    "ranges": "Use all ranges of tokens in a surface alignment, or the first range.",
    "scope": "Names of variables belong to the document, or to the file, where the last one wins.",
    "faults": "Faults of AnCast's program: fix them, or reproduce them.",
}

#: The options that belong to the parameters of a metric.
WORDS = {
    "similarity": ("vectors", "similarity", "cut_off", "sense_factor"),
    "synonyms": ("synonyms",),
    "classes": ("classes",),
    "lengths": ("lengths",),
}


def metric_help(kind: type[Metric], context: click.Context) -> str:
    """Return the help of a metric, with the options of *context*'s command that it takes."""
    formatter = context.make_formatter()
    described = sys.modules[kind.__module__].__doc__ or kind.title
    for number, paragraph in enumerate(described.strip().split("\n\n")):
        if number:
            formatter.write_paragraph()
        lines = paragraph.split("\n")
        is_prose = all(re.match(r"\w|``", line) for line in lines)
        formatter.write_text(" ".join(lines)) if is_prose else formatter.write(f"{paragraph}\n")
    with formatter.section("Files"):
        formatter.write_text(f"Graphs in {' or '.join([kind.format, *kind.also])}.")
    with formatter.section("Profiles"):
        formatter.write_text(", ".join(kind.profiles))
    records = _choices(kind) + _parameters(kind, context) + _words(kind, context)
    if records:
        with formatter.section("Options"):
            formatter.write_dl(records)
    return formatter.getvalue().rstrip("\n")


def _choices(kind: type[Metric]) -> list[tuple[str, str]]:
    usual = kind.profiles["default"]
    return [
        (
            f"--{choice.replace('_', '-')} [{'|'.join(shown_values(choice, values))}]",
            f"{HELP[choice]}  [default: {getattr(usual, choice)}]",
        )
        for choice, values in kind.choices().items()
    ]


def shown_values(choice: str, values: Sequence[str]) -> Sequence[str]:
    """Return the values of a choice as people write them."""
    if choice != "reification_table":
        return values
    from exactmatch.metrics.amr.reifications import NAMED

    return [*NAMED, "FILE"]


def _parameters(kind: type[Metric], context: click.Context) -> list[tuple[str, str]]:
    usual = kind.profiles["default"]
    found = []
    for one in _options(context, kind.parameters):
        value = getattr(usual, one.name or "")
        shown = value if isinstance(value, str | None) else ",".join(_short(value))
        found.append(_record(one, shown or None))
    return found


def _short(numbers: int | Sequence[float]) -> list[str]:
    return [f"{n:.4g}" for n in ([numbers] if isinstance(numbers, int) else numbers)]


def _words(kind: type[Metric], context: click.Context) -> list[tuple[str, str]]:
    names = [name for what in kind.takes for name in WORDS[what]]
    return [
        _record(one, one.default if one.show_default else None) for one in _options(context, names)
    ]


def _options(context: click.Context, names: Collection[str]) -> list[click.Option]:
    """Return the options of *context*'s command with these names."""
    options = (one for one in context.command.params if isinstance(one, click.Option))
    return [one for one in options if one.name in names]


def _record(one: click.Option, default: object) -> tuple[str, str]:
    shown = "" if default is None else f"  [default: {default}]"
    return f"{one.opts[0]} {one.metavar}", f"{one.help or ''}{shown}"


def _show(context: click.Context, _: click.Parameter, name: str | None) -> None:
    if name is not None:
        click.echo(fitted(metric_help(METRICS[name], context), context))
        context.exit()


#: The option that shows the help of a metric.
metric_option: Adding = option(
    "--help-metric",
    type=click.Choice([*METRICS]),
    metavar="METRIC",
    is_eager=True,
    expose_value=False,
    callback=_show,
    group=COUNTING,
    help="Describe a metric and the options of its own, and exit.",
)
