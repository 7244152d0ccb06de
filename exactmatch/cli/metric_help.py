"""``--help-metric``: what a metric is, and the options that it has of its own."""

import sys

import click

from exactmatch.cli.groups import COUNTING, Adding, option
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS

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
    "tuples": "Count what applies to the framework of a graph, or all kinds of tuples.",
    "edges": "Turn inverse edges round: by their normal form in the file, or by their label.",
    "edge_labels": "Labels of edges.",
    "attributes": "Attributes of edges that have their default value.",
    "refs": "The REF clauses that count.",
    "senses": "Senses of concepts.",
    "concepts": "Concepts, and their senses.",
    "roles": "Names of roles.",
    "loops": "A clause of three variables, two of which are the same.",
    "swapped": "Two clauses that differ in the order of symmetric arguments alone.",
    "sorts": "How it is known what is a box.",
    "second_constant": "The second of two constants.",
    "anchors": "Anchors as characters, trimmed as a whole or span by span, or as intervals.",
}

#: The options that go with what a metric takes.
_WORDS = {
    "similarity": ("vectors", "similarity", "cut_off", "sense_factor"),
    "synonyms": ("synonyms",),
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
    records = _choices(kind) + _words(kind, context)
    if records:
        with formatter.section("Options"):
            formatter.write_dl(records)
    return formatter.getvalue().rstrip("\n")


def _choices(kind: type[Metric]) -> list[tuple[str, str]]:
    usual = kind.profiles["default"]
    return [
        (
            f"--{choice.replace('_', '-')} [{'|'.join(values)}]",
            f"{HELP.get(choice, '')}  [default: {getattr(usual, choice)}]",
        )
        for choice, values in kind.choices().items()
    ]


def _words(kind: type[Metric], context: click.Context) -> list[tuple[str, str]]:
    names = {name for what in kind.takes for name in _WORDS[what]}
    own = [one for one in context.command.params if one.name in names]
    found = []
    for parameter in own:
        assert isinstance(parameter, click.Option)
        default = f"  [default: {parameter.default}]" if parameter.show_default else ""
        found.append(
            (f"{parameter.opts[0]} {parameter.metavar}", f"{parameter.help or ''}{default}")
        )
    return found


def _show(context: click.Context, _: click.Parameter, name: str | None) -> None:
    if name is not None:
        click.echo(metric_help(METRICS[name], context))
        context.exit()


#: The option that shows the help of a metric.
metric_option: Adding = option(
    "--help-metric",
    type=click.Choice([*METRICS]),
    is_eager=True,
    expose_value=False,
    callback=_show,
    group=COUNTING,
    help="Show what a metric is, and the options that it has of its own, and exit.",
)
