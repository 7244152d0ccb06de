"""Settings that say what is counted: the metric, its profile and single choices, similarities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import wraps
from typing import Any

import click

from exactmatch.cli.options import Command
from exactmatch.errors import UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import (
    METRICS,
    alignment_based,
    metric_for,
    profile_called,
)
from exactmatch.metrics.similarity import Similarity
from exactmatch.words import Synonyms, Words

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

    def applied(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Return *metrics*, each with what it takes of the similarity and the synonyms.

        Raises `UsageError` for what none of them takes, or one lacks, and `InputError` for a file
        that cannot be used.
        """
        similarity, synonyms = self._similarity(), self._synonyms()
        for what, words in (("similarity", similarity), ("synonyms", synonyms)):
            if words is not None and not any(what in metric.takes for metric in metrics):
                takers = [name for name, kind in METRICS.items() if what in kind.takes]
                named = ", ".join(metric.name for metric in metrics)
                raise UsageError(f"{named}: takes no {what}; {' and '.join(takers)} would")
        return [metric.with_words(similarity=similarity, synonyms=synonyms) for metric in metrics]

    def _synonyms(self) -> Synonyms | None:
        from exactmatch.readers.words import read_synonyms

        return None if self.synonyms is None else read_synonyms(self.synonyms)

    def _similarity(self) -> Similarity | None:
        from exactmatch.readers.words import read_similarities, read_vectors

        if self.vectors is not None and self.similarities is not None:
            raise UsageError("name either --vectors or --similarity")
        words: Words
        if self.vectors is not None:
            words = read_vectors(self.vectors)
        elif self.similarities is not None:
            words = read_similarities(self.similarities)
        else:
            return None
        return Similarity(words, *(_part(text) for text in (self.cut_off, self.sense_factor)))


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

    def chosen(self, form: str) -> list[Metric]:
        """Return the metrics that are asked for on graphs of the format *form*, or what is usual.

        Raises `UsageError` for a profile or choice that does not exist, and `InputError` for a
        metric that compares other graphs.
        """
        return self.grading.applied(
            [
                profile_called(metric_for(form, name), self.profile).with_choices(**self.choices)
                for name in self.metrics or (None,)
            ]
        )

    def alignment_metric(self, form: str) -> AlignmentMetric:
        """Return the one metric that is asked for; it has to map variables.

        Raises as `chosen` does, and `UsageError` for several metrics or one that maps none.
        """
        first, *others = self.chosen(form)
        if others:
            raise UsageError("this takes one metric")
        return alignment_based(first)


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
        type=click.Choice([*METRICS]),
        help="What is counted; score takes several.  [default: by the format of the files]",
    )
    return metric(profile(grading_options(added)))


def _profiles() -> list[str]:
    return list(dict.fromkeys(name for kind in METRICS.values() for name in kind.profiles))


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
        f"{metric}: {getattr(kind.profiles['default'], choice)}"
        for metric, kind in METRICS.items()
        if choice in kind.choices()
    ]
    return f"[default: {', '.join(defaults)}]"
