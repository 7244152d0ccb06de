"""Options that several commands share."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import wraps
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactmatch.errors import InputError, UsageError
from exactmatch.metrics.counter import CounterProfile
from exactmatch.metrics.direct import DirectMetric
from exactmatch.metrics.profiles import Profile
from exactmatch.metrics.registry import (
    DIRECT,
    METRICS,
    direct_metric,
    metric_for,
    profile_called,
)
from exactmatch.metrics.s2match import S2matchProfile
from exactmatch.metrics.similarity import Similarity
from exactmatch.words import Words

if TYPE_CHECKING:
    from exactmatch.pairing import GraphPair, Pairing

Command = Callable[..., Any]

_HELP = {
    "top": "What counts for the root.",
    "duplicates": "A triple that is written more than once.",
    "strings": "Compare strings whole, or as far as their first space.",
    "inverse": "Turn inverse roles (ARG0-of) round.",
    "mod": "Take mod and domain, and their inverses, as one relation.",
    "inverse_constants": "A constant under an inverse role (:mod 5).",
    "case": "Letter case.",
    "quotes": "Quotes of strings.",
    "underscores": "Underscores at the end.",
    "alignments": "Alignment marks (~e.4).",
    "edges": "Turn inverse edges round.",
    "attributes": "Attributes of edges that have their default value.",
    "refs": "The REF clauses that count.",
    "senses": "Senses of concepts.",
    "concepts": "Concepts, and their senses.",
    "roles": "Names of roles.",
    "loops": "A clause of three variables, two of which are the same.",
    "swapped": "Two clauses that differ in the order of symmetric arguments alone.",
    "sorts": "How it is known what is a box.",
    "second_constant": "The second of two constants.",
    "anchors": "Anchors as the characters that they cover, or as intervals.",
}


@dataclass(frozen=True, slots=True)
class Grading:
    """What the options say about the similarity of concepts, and about synonyms."""

    vectors: str | None
    similarities: str | None
    synonyms: str | None
    cut_off: str
    sense_factor: str

    def applied(self, profile: Profile) -> Profile:
        """Return *profile* with the similarity or the synonyms, if it knows such.

        Raises `UsageError` if it needs one and there is none, or the other way round, and
        `InputError` for a file that cannot be used.
        """
        from exactmatch.readers.words import read_similarities, read_synonyms, read_vectors

        words: Words
        if self.synonyms is not None:
            if not isinstance(profile, CounterProfile):
                raise UsageError(f"{profile.metric} knows no synonyms; counter does")
            profile = replace(profile, synonyms=read_synonyms(self.synonyms))
        if not isinstance(profile, S2matchProfile):
            if self.vectors or self.similarities:
                raise UsageError(f"{profile.metric} knows no similarity; s2match does")
            return profile
        if (self.vectors is None) == (self.similarities is None):
            raise UsageError("s2match needs --vectors or --similarity")
        if self.vectors is not None:
            words = read_vectors(self.vectors)
        else:
            words = read_similarities(self.similarities or "")
        cut_off, factor = (_part(text) for text in (self.cut_off, self.sense_factor))
        return profile.with_similarity(Similarity(words, cut_off, factor))


def _part(text: str) -> Fraction:
    """Return a number from 0 to 1. Raises `UsageError` if *text* is none."""
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1:
        raise UsageError(f"{text!r} is not a number from 0 to 1")
    return number


def grading_options(command: Command) -> Command:
    """Add the options for the similarity of concepts; *command* gets one `Grading`, *grading*."""

    @wraps(command)
    def called(**given: Any) -> Any:
        grading = Grading(**{f.name: given.pop(f.name) for f in fields(Grading)})
        return command(grading=grading, **given)

    for option in (
        click.option(
            "--sense-factor",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            help="What similarity counts, at most, between concepts with senses.",
        ),
        click.option(
            "--cut-off",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            help="Similarity up to this number counts nothing.",
        ),
        click.option(
            "--synonyms",
            type=click.Path(),
            metavar="FILE",
            help="For counter: concepts that count as others (human.n.01 person.n.01), one a line.",
        ),
        click.option(
            "--similarity",
            "similarities",
            type=click.Path(),
            metavar="FILE",
            help="Similarities of words for s2match: two words and a number a line.",
        ),
        click.option(
            "--vectors",
            type=click.Path(),
            metavar="FILE",
            help="Word vectors for s2match, as text of word2vec or GloVe.",
        ),
    ):
        called = option(called)
    return called


@dataclass(frozen=True, slots=True)
class Counting:
    """What the options say about how graphs are compared; the rest depends on their format."""

    metrics: Sequence[str]
    profile: str
    choices: Mapping[str, str]
    grading: Grading

    def chosen(self, form: str) -> list[Profile | DirectMetric]:
        """Return what is asked for on graphs of the format *form*, or what is usual.

        Raises `UsageError` for a profile or choice that does not exist, and `InputError` for a
        metric that compares other graphs.
        """
        return [self._chosen(metric, form) for metric in self.metrics or (None,)]

    def profile_for(self, form: str) -> Profile:
        """Return the one profile that is asked for; it has to align.

        Raises as `chosen` does, and `UsageError` for several metrics or one that does not align.
        """
        first, *others = self.chosen(form)
        if others or not isinstance(first, Profile):
            raise UsageError(f"this takes one of the metrics {', '.join(METRICS)}")
        return first

    def _chosen(self, metric: str | None, form: str) -> Profile | DirectMetric:
        if metric in DIRECT:
            if self.choices:
                choice = next(iter(self.choices))
                raise UsageError(f"{metric} has no choice called {choice!r}")
            return direct_metric(metric, self.profile, form)
        kind = metric_for(form, metric)
        return self.grading.applied(profile_called(kind, self.profile).with_choices(**self.choices))


def counting_options(command: Command) -> Command:
    """Add the options for metric and profile, and one for each single choice of a profile.

    *command* gets them as one `Counting`, called *counting*.
    """

    def called(metrics: tuple[str, ...], profile: str, grading: Grading, **others: Any) -> Any:
        asked = {choice: others.pop(choice) for choice in _choices()}
        choices = {choice: value for choice, value in asked.items() if value is not None}
        return command(counting=Counting(metrics, profile, choices, grading), **others)

    added: Command = wraps(command)(called)
    for name, values in reversed(_choices().items()):
        option = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=click.Choice(values),
            help=f"{_HELP[name]} {_defaults(name)}",
        )
        added = option(added)
    profile = click.option(
        "--profile",
        type=click.Choice(_profiles()),
        default="default",
        show_default=True,
        help="How a metric counts; the options below change single choices of it.",
    )
    metric = click.option(
        "--metric",
        "metrics",
        multiple=True,
        type=click.Choice([*METRICS, *DIRECT]),
        help="What is counted; score takes several.  [default: by the format of the files]",
    )
    return metric(profile(grading_options(added)))


def _profiles() -> list[str]:
    known = [*(kind.known for kind in METRICS.values()), *DIRECT.values()]
    return list(dict.fromkeys(name for names in known for name in names))


def _choices() -> dict[str, list[str]]:
    """Return the choices of all metrics, and the values that each has anywhere."""
    found: dict[str, list[str]] = {}
    for kind in METRICS.values():
        for choice, values in kind.choices().items():
            known = found.setdefault(choice, [])
            known += [value for value in values if value not in known]
    return found


def _defaults(choice: str) -> str:
    defaults = [
        f"{metric}: {getattr(kind.known['default'], choice)}"
        for metric, kind in METRICS.items()
        if choice in kind.choices()
    ]
    return f"[default: {', '.join(defaults)}]"


def pairing_options(command: Command) -> Command:
    """Add the options that say which graphs are compared."""
    on_error = click.option(
        "--on-error",
        type=click.Choice(["stop", "skip", "empty"]),
        default="stop",
        show_default=True,
        help="A graph that cannot be read: stop, skip its pair, or take it as empty.",
    )
    pair_by = click.option(
        "--pair-by",
        type=click.Choice(["position", "id"]),
        default="position",
        show_default=True,
        help="By position, identifiers are checked; by id, graphs without partner are skipped, or "
        "taken as empty with --on-error empty.",
    )
    return pair_by(on_error(command))


def read_pairs(system: str, gold: str, pair_by: Any, on_error: Any) -> "tuple[Pairing, str]":
    """Read two files and pair their graphs; say on standard error what is left out.

    Returns the pairs, and the format of the graphs.
    """
    from exactmatch.pairing import pair_graphs
    from exactmatch.readers.files import read_file, same_format
    from exactmatch.readers.source import source_name

    if system == gold == "-":
        raise UsageError("only one of the two files can be standard input")
    left, right = read_file(system), read_file(gold)
    names = (source_name(system), source_name(gold))
    form = same_format(dict(zip(names, (left, right), strict=True)))
    pairing = pair_graphs(
        left.graphs,
        right.graphs,
        test_name=names[0],
        gold_name=names[1],
        pair_by=pair_by,
        on_error=on_error,
    )
    for note in pairing.notes:
        click.echo(f"note: {note}", err=True)
    return pairing, form


def scored_pairs(pairing: "Pairing") -> list["GraphPair"]:
    """Return the pairs but those that are skipped."""
    from exactmatch.pairing import GraphPair

    return [pair for pair in pairing.pairs if isinstance(pair, GraphPair)]


def pair_of(pairing: "Pairing", identifier: str | None) -> "GraphPair":
    """Return the pair called *identifier*, or the only one there is.

    Raises `InputError` if there is none, or more than one.
    """
    pairs = scored_pairs(pairing)
    if identifier is None and len(pairs) != 1:
        raise UsageError(f"name one of the {len(pairs)} pairs with --id")
    found = [pair for pair in pairs if identifier in (None, pair.identifier)]
    if len(found) != 1:
        raise InputError(f"pairs that are called {identifier}: {len(found)}")
    return found[0]


def format_option(command: Command) -> Command:
    """Add the option for the format of the result."""
    option = click.option(
        "--format",
        "output_format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How the result is printed.",
    )
    return option(command)


def seconds(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """Check a time limit in seconds; infinite means None, no limit."""
    if value is not None and (math.isnan(value) or value < 0):
        raise click.BadParameter("not a number of seconds")
    return None if value is None or math.isinf(value) else value


def timeout_option(command: Command) -> Command:
    """Add the option for the time limit of a pair."""
    option = click.option(
        "--timeout",
        type=float,
        default=60.0,
        show_default=True,
        callback=seconds,
        help="Seconds for each pair, or inf. What is not proven by then is given as an interval.",
    )
    return option(command)


def workers_option(command: Command) -> Command:
    """Add the option for the number of processes."""
    option = click.option(
        "--workers",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="Processes that share the pairs. The result is the same with any number.",
    )
    return option(command)


def id_option(command: Command) -> Command:
    """Add the option that names a pair."""
    option = click.option(
        "--id",
        "identifier",
        help="The pair's identifier, or its number if it has none; needed if there are several.",
    )
    return option(command)


def check_outputs(inputs: Sequence[str], *outputs: Path | None) -> None:
    """Raise `UsageError` if an output would go over an input or over another output."""
    written = [path for path in outputs if path is not None]
    for path in written:
        if str(path) == "-":
            raise UsageError("standard output is for the result; name a file")
        for name in inputs:
            if name != "-" and _same_file(path, Path(name)):
                raise UsageError(f"{path} is an input and would be overwritten")
    for path, other in combinations(written, 2):
        if _same_file(path, other):
            raise UsageError(f"{path} is named for two outputs")


def _same_file(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:  # one of them does not exist
        return path.resolve() == other.resolve()
