"""``--help-metric``: what a metric is, and the options that it has of its own."""

import sys
from collections.abc import Collection, Sequence

import click

from exactmatch.cli.click_options import Adding, option
from exactmatch.metrics.amr.reifications import NAMED
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS
from exactmatch.scoring.declaration import COUNTING

#: What each choice is about; the values say the rest.
HELP = {
    "top": "What counts for the root.",
    "duplicates": "A triple that is written more than once.",
    "strings": "Compare strings whole, or as far as their first space.",
    "inverse": "Turn inverse roles (ARG0-of) round.",
    "mod": "Take mod and domain, and their inverses, as one relation.",
    "inverse_constants": "A constant under an inverse role (:mod 5).",
    "case": "Letter case.",
    "quotes": "Quotes of strings.",
    "underscores": "Underscores at the end.",
    "surface_alignments": "Surface alignments (~e.4).",
    "wiki": "Attributes wiki.",
    "reification": "Collapse nodes that say the same as a role, or expand such roles to nodes.",
    "reification_table": "The rules for that; lines of a file: role, concept, roles of its ends.",
    "coordination": "Operands of and and or: op1, op2, or all op.",
    "constants": "Take constants for attributes, or for nodes with the constant as concept.",
    "tuples": "Count what applies to the framework of a graph, or all kinds of tuples.",
    "edges": "Turn inverse edges round: by their normal form in the file, or by their label.",
    "edge_labels": "Labels of edges.",
    "attributes": "Attributes of edges that have their default value.",
    "refs": "The REF clauses that count.",
    "senses": "Senses of concepts.",
    "concepts": "Concepts, and their senses; in SBN, parts are lemma, part of speech and sense.",
    "boxes": "In SBN, edges from a box to the concepts in it.",
    "of_roles": "In SBN, turn roles round: the six that the published programs do, or all in Of.",
    "parallel_edges": "In SBN, the edges from one node to another count, or the last of them.",
    "unreachable": "In SBN, what the root does not lead to.",
    "box_mapping": "In SBN, map boxes to boxes alone, or to concepts as well.",
    "tabs": "In SBN, the tabs that indentation leaves behind concepts: as many as a node is deep.",
    "unclosed": "In PENMAN, parentheses that lack at the end, behind another one.",
    "roles": "Names of roles.",
    "loops": "A clause of three variables, two of which are the same.",
    "swapped": "Two clauses that differ in the order of symmetric arguments alone.",
    "sorts": "How it is known what is a box.",
    "second_constant": "The second of two constants.",
    "graded": "The triples that match in part.",
    "threshold": "A similarity of exactly the cut-off counts, or not.",
    "lookup": "The vector of a concept with a sense.",
    "parallel": "Relations between the same two variables, and attributes of one name.",
    "types": "The type of a variable that is no box: the first letter of its name, or none.",
    "backwards": "Edges go both ways unless both ends are boxes, or unless in capitals.",
    "directions": "The labels of an edge in both directions.",
    "once": "What an n-gram comes to once at most.",
    "arithmetic": "How figures are made of the counts.",
    "reading": "The profile of smatch whose triples are compared.",
    "multiplicity": "What occurs more than once: counts once, or as often as on both sides.",
    "anchors": "Anchors as characters, trimmed as a whole or by span, or as intervals; in UMR, "
    "map variables to any, or by their tokens; in AnCast, begin with names or with tokens.",
    "sentences": "In documents of AMR, map variables to any, or within sentences: by number, by "
    "order, or as docSmatch tells them.",
    "ill_formed": "Of SBN: what becomes of a pair if the graph of the system is ill-formed; of "
    "clauses: what stands for ill-formed DRSs of either side.",
    "gold_ill_formed": "Of SBN: the same, if that of the gold standard is.",
    "document_level": "Triples of UMR's document level; whole documents are compared then.",
    "ranges": "All ranges of tokens in a surface alignment, or the first one.",
    "scope": "Names of variables are of the document, or of the file, where the last one wins.",
    "faults": "Faults of AnCast's program: mended, or kept.",
}

#: The options that go with what a metric takes.
WORDS = {
    "similarity": ("vectors", "similarity", "cut_off", "sense_factor"),
    "synonyms": ("synonyms",),
    "classes": ("classes",),
}


def metric_help(kind: type[Metric], context: click.Context) -> str:
    """Return the help of a metric, with the options that *context*'s command has for it."""
    formatter = context.make_formatter()
    described = sys.modules[kind.__module__].__doc__ or kind.title
    formatter.write(f"{described.strip()}\n")
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
    """Return the values that a choice has as people are to write them."""
    return [*NAMED, "FILE"] if choice == "reification_table" else values


def _parameters(kind: type[Metric], context: click.Context) -> list[tuple[str, str]]:
    usual = kind.profiles["default"]
    found = []
    for one in _options(context, kind.parameters):
        value = getattr(usual, one.name or "")
        numbers = value if isinstance(value, tuple) else (value,)
        shown = value if isinstance(value, str) else ",".join(f"{n:.4g}" for n in numbers)
        found.append(_record(one, shown or None))
    return found


def _words(kind: type[Metric], context: click.Context) -> list[tuple[str, str]]:
    names = [name for what in kind.takes for name in WORDS[what]]
    return [
        _record(one, one.default if one.show_default else None) for one in _options(context, names)
    ]


def _options(context: click.Context, names: Collection[str]) -> list[click.Option]:
    """Return the options of *context*'s command that are called so."""
    options = (one for one in context.command.params if isinstance(one, click.Option))
    return [one for one in options if one.name in names]


def _record(one: click.Option, default: object) -> tuple[str, str]:
    shown = "" if default is None else f"  [default: {default}]"
    return f"{one.opts[0]} {one.metavar}", f"{one.help or ''}{shown}"


def _show(context: click.Context, _: click.Parameter, name: str | None) -> None:
    if name is not None:
        click.echo(metric_help(METRICS[name], context))
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
    help="Show what a metric is, and the options that it has of its own, and exit.",
)
