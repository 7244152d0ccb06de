"""What the page in a browser may ask for: the options of `score`, as JSON for its form."""

from collections.abc import Iterator
from typing import Any

import click

from exactmatch.cli.exchange import export
from exactmatch.cli.iaa import iaa
from exactmatch.cli.metric_help import HELP, WORDS, shown_values
from exactmatch.cli.score import score
from exactmatch.cli.show import show
from exactmatch.graphs.graph import CAMR, CLAUSES, MRP, PENMAN, SBN, UMR
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS, metric_for
from exactmatch.scoring.declaration import OUTPUT

#: What has no sense in a browser, has a place of its own in the form, or takes libraries that the
#: browser's Python has not: solvers, penman.
_LEFT_OUT = frozenset(
    {
        *("metrics", "profile", "help_metric", "cite", "help_all"),
        *("workers", "cluster", "memory", "solver", "given", "cross_check", "with_validity"),
        *("exact", "method", "starts"),  # what has no proof
        *("require_optimal", "require_certified", "fail_under", "free_too", "by_framework"),
    }
)


def form_content() -> dict[str, Any]:
    """Return what a form is made of: the metrics, and the options of all of them."""
    return {
        "metrics": [_metric(kind) for kind in METRICS.values()],
        "usual": {form: metric_for(form).name for form in (PENMAN, UMR, MRP, CLAUSES, SBN, CAMR)},
        "options": [*_options()],
    }


def _metric(kind: type[Metric]) -> dict[str, Any]:
    usual = kind.profiles["default"]
    return {
        "name": kind.name,
        "title": kind.title,
        "formats": [kind.format, *kind.also],
        "profiles": [*kind.profiles],
        "proves": kind.name in ALIGNMENT_BASED,
        "takes": [*kind.parameters, *kind.takes],
        "choices": [
            {
                "flag": f"--{name.replace('_', '-')}",
                "help": HELP[name],
                "values": [value for value in shown_values(name, values) if value != "FILE"],
                "default": str(getattr(usual, name)),
            }
            for name, values in kind.choices().items()
        ],
    }


def _options() -> Iterator[dict[str, Any]]:
    """Yield the options that are no choices of a metric."""
    context = click.Context(score, info_name="score")
    shown, exported, studied = ({one.name for one in of.params} for of in (show, export, iaa))
    for one in score.params:
        if not isinstance(one, click.Option) or one.name in _LEFT_OUT or one.name in HELP:
            continue
        if getattr(one, "group", OUTPUT) == OUTPUT:
            continue
        has_default = one.show_default and not one.is_flag
        yield {
            "flag": (one.secondary_opts or one.opts)[0],
            "name": one.name,
            "help": one.help,
            "group": getattr(one, "group", ""),
            "kind": _kind(one),
            "values": [*one.type.choices] if isinstance(one.type, click.Choice) else [],
            "default": str(one.get_default(context)) if has_default else "",
            "shown": one.metavar or "",
            "is_shown": one.name in shown,
            "is_exported": one.name in exported,
            "is_studied": one.name in studied,
            "of": _taken(one.name or "") if one.hidden else "",
        }


def _taken(name: str) -> str:
    """Return what a metric takes if it has the option called so: see "takes" of a metric."""
    return next((what for what, names in WORDS.items() if name in names), name)


def _kind(one: click.Option) -> str:
    if one.is_flag:
        return "flag"
    if isinstance(one.type, click.Choice):
        return "choice"
    return "file" if isinstance(one.type, click.Path) else "text"
