"""Options that several commands share.

Options under headings, so that the help of a command can be looked through.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.types import StringParamType

from exactmatch.cli.answers import say_note
from exactmatch.errors import UsageError
from exactmatch.graphs.selection import NUMBERS, TEXTS
from exactmatch.report.views.limits import VIEW_LIMIT
from exactmatch.runtime.workers import AUTO, Workers, parse_size
from exactmatch.scoring.corpus import BADNESS
from exactmatch.solving.names import SOLVERS
from exactmatch.solving.search.methods import STARTS

#: What a click command is before the decorators, and what adds options to it.
Command = Callable[..., Any]

Adding = Callable[[Command], Command]

INPUT = "Input"

COUNTING = "Counting"

PROOF = "Search and proof"

LIMITS = "Limits"

OUTPUT = "Output"

_ORDER = (INPUT, COUNTING, PROOF, LIMITS, OUTPUT)


class GroupedOption(click.Option):
    """An option that stands under the heading *group*."""

    def __init__(self, *words: Any, group: str, **settings: Any) -> None:
        super().__init__(*words, **settings)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose options stand under headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those without a heading last."""
        found: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*_ORDER, "Other")}
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        for parameter in options:
            record = parameter.get_help_record(ctx)
            if record is not None:
                found[getattr(parameter, "group", "Other")].append(record)
        for heading, records in found.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


class LateChoice(StringParamType):
    """A choice whose values are listed only when one is given, or all are shown."""

    name = "choice"

    def __init__(self, values: Callable[[], Sequence[str]]) -> None:
        self._values = values

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Return *value* if it is one of those that there are; else fail as a choice does."""
        return click.Choice(self._values()).convert(value, param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the values as help shows them."""
        return f"[{'|'.join(self._values())}]"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """Return the values that begin like this."""
        return click.Choice(self._values()).shell_complete(ctx, param, incomplete)


def option(*words: str, group: str, **settings: Any) -> Adding:
    """Return what adds an option under a heading; the rest is as for `click.option`."""
    return click.option(*words, cls=GroupedOption, group=group, **settings)


def adding(*options: Adding) -> Adding:
    """Return what adds several options, in this order."""

    def add(command: Command) -> Command:
        for one in reversed(options):
            command = one(command)
        return command

    return add


#: An argument that is a file, or ``-`` for standard input.
FILE = click.Path(allow_dash=True, path_type=Path)

#: Where a context keeps the address of a cluster until it is known who shares the work.
_CLUSTER = f"{__name__}.cluster"


def seconds(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """Check a time limit in seconds; infinite means None, no limit."""
    if value is not None and (math.isnan(value) or value < 0):
        raise click.BadParameter("not a number of seconds")
    return None if value is None or math.isinf(value) else value


def _memory(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    return None if value is None else parse_size(value)


def _cluster(context: click.Context, _: click.Parameter, value: str | None) -> None:
    context.meta[_CLUSTER] = value


def _workers(context: click.Context, parameter: click.Parameter, value: Any) -> Workers:
    """Return who shares the work; a command need not know that it may be a cluster."""
    address = context.meta[_CLUSTER]
    if address is None:
        return AUTO if value == AUTO else click.IntRange(min=1).convert(value, parameter, context)
    if context.get_parameter_source("workers") != ParameterSource.DEFAULT:
        raise UsageError("--workers goes without --cluster, which has workers of its own")
    from exactmatch.runtime.cluster import Cluster, silence

    cluster = Cluster(address, say_note)
    silence()
    return cluster


def _on_error(help: str) -> Adding:
    return option(
        "--on-error",
        type=click.Choice(["stop", "skip", "empty"]),
        default="stop",
        show_default=True,
        group=INPUT,
        help=help,
    )


#: Which graphs are compared.
pairing_options: Adding = adding(
    option(
        "--pair-by",
        type=click.Choice(["position", "id"]),
        default="position",
        show_default=True,
        group=INPUT,
        help="By position, identifiers are checked; by id, the graphs of GOLD are held in memory, "
        "and graphs without partner are skipped, or taken as empty with --on-error empty.",
    ),
    _on_error("A graph that cannot be read: stop, skip its pair, or take it as empty."),
)

#: What becomes of graphs that belong to no pair.
on_error_option: Adding = _on_error(
    "A graph that cannot be read: stop, leave it out, or take it as empty."
)

#: Which pair.
id_option: Adding = option(
    "--id",
    "identifier",
    group=INPUT,
    help="The pair's identifier, or its number; needed if there are several.",
)

memory_option: Adding = option(
    "--memory",
    metavar="SIZE",
    callback=_memory,
    group=LIMITS,
    help="Memory for a pair (800M, 2G): what would take more is not solved, but given as an "
    "interval.  [default: a quarter of what is free for each worker, at most 1G]",
)

#: What a computation may take, and how many share the work.
limit_options: Adding = adding(
    option(
        "--timeout",
        type=float,
        default=60.0,
        show_default=True,
        callback=seconds,
        group=LIMITS,
        help="Seconds for each pair, or inf. What is not proven by then is given as an interval.",
    ),
    memory_option,
    option(
        "--workers",
        metavar="N",
        default=AUTO,
        show_default=True,
        callback=_workers,
        group=LIMITS,
        help="Processes that share the pairs: a number, or auto, one for each core as soon as a "
        "second was not enough. The result is the same with any number, but for what limits of "
        "time and memory leave open.",
    ),
    option(
        "--cluster",
        metavar="ADDRESS",
        is_eager=True,
        expose_value=False,
        callback=_cluster,
        group=LIMITS,
        help="Have the workers of a Dask cluster share the pairs: tcp://HOST:PORT, or the file of "
        "its scheduler. The result is the same.",
    ),
)

#: What has to be proven.
proof_options: Adding = adding(
    option(
        "--require-optimal",
        is_flag=True,
        group=PROOF,
        help="Exit with 3 unless all pairs are proven.",
    ),
    option(
        "--require-certified",
        is_flag=True,
        group=PROOF,
        help="Exit with 3 unless all pairs are proven, and each proof is checked.",
    ),
)

seed_option: Adding = option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=0,
    show_default=True,
    group=PROOF,
    help="Seed of every random choice.",
)

solver_option: Adding = option(
    "--solver",
    type=click.Choice(SOLVERS),
    default=SOLVERS[0],
    show_default=True,
    group=PROOF,
    help="What proves each pair: auto, the fastest; dual, none; any other, that one alone.",
)

#: What heuristics map. A command's *starts* is None where it is not given.
starts_option: Adding = option(
    "--starts",
    type=click.Choice(STARTS),
    group=PROOF,
    help="What heuristics map: all variables of the smaller graph at any time, as Cai and Knight "
    "(2013) write, or candidates alone, pairs of which some triples may match.  [default: all]",
)

#: How the result of a single computation is printed; studies have formats of their own.
format_option: Adding = option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    group=OUTPUT,
    help="How the result is printed.",
)

output_option: Adding = option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    group=OUTPUT,
    help="Write the result to FILE instead of standard output.",
)

#: Which pairs are scored.
selection_options: Adding = adding(
    option(
        "--ids",
        type=FILE,
        metavar="FILE",
        group=INPUT,
        help="Score only the pairs named in FILE, an identifier a line.",
    ),
    option(
        "--where",
        multiple=True,
        metavar="CONDITION",
        group=INPUT,
        help="Score only the pairs of which this holds, such as 'gold_variables<=20' or "
        f"'id~^lpp'; may be repeated. Of texts ({', '.join(TEXTS)}): =, !=, ~ (a regular "
        f"expression); of numbers ({', '.join(NUMBERS)}): =, !=, <, <=, >, >=.",
    ),
)


def worst_options(help: str) -> Adding:
    """Return what adds the options for the worst pairs, and by what they are."""
    return adding(
        option("--worst", type=click.IntRange(min=1), metavar="N", group=OUTPUT, help=help),
        option(
            "--sort",
            type=click.Choice([*BADNESS]),
            group=OUTPUT,
            help="By what they are the worst: the lowest score, or most triples between what is "
            "found and proven (gap), without partner (difference) or in all (size), or most "
            "seconds; of equals the first come first.  [default: score]",
        ),
    )


#: How large a pair may be that is shown as a whole.
view_limit_option: Adding = option(
    "--view-limit",
    type=click.IntRange(min=1),
    metavar="N",
    default=VIEW_LIMIT,
    show_default=True,
    group=LIMITS,
    help="Show pairs of up to N nodes and triples, those of both graphs together, as a whole; of "
    "larger ones an excerpt of N at most: what differs, and what is around it.",
)

#: One pair of many.
show_id_option: Adding = option(
    "--id", "identifier", group=INPUT, help="Show this pair alone: its identifier, or its number."
)
