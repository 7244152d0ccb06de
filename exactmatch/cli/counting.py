"""Options that say what is counted: the metric, its profile and single choices, similarities."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

import exactmatch
from exactmatch.cli.groups import COUNTING, Command, adding, option
from exactmatch.cli.metric_help import HELP, metric_option
from exactmatch.errors import UsageError
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS, metric_for

if TYPE_CHECKING:
    from exactmatch.api.principles import Judged

#: What metrics take, by the option that names a file for it.
_TAKEN = {"vectors": "similarity", "similarity": "similarity", "synonyms": "synonyms"}


@dataclass(frozen=True, slots=True)
class Counting:
    """What the options say about how graphs are compared.

    metrics: their names, none for the usual one of the files.
    words: files of similarities and synonyms, and how they are taken.
    """

    metrics: Sequence[str]
    profile: str
    choices: Mapping[str, Any]
    words: Mapping[str, Any]

    def chosen(self) -> Sequence[str | Metric | None]:
        """Return what is asked for, as the public functions take it.

        Raises `UsageError` and `InputError` as `exactmatch.metric` does.
        """
        if not self._given():
            return self.metrics or (None,)
        return self._with_words(self.metrics or [metric_for(self._format()).name])

    def one(self) -> str | Metric | None:
        """Return the one metric that is asked for. Raises `UsageError` if there are several."""
        first, *others = self.chosen()
        if others:
            raise UsageError("this takes one metric")
        return first

    def judged(self) -> "Sequence[Judged]":
        """Return the metrics that are asked for, each perhaps with a heuristic."""
        from exactmatch.api.principles import named_search, usual_judges

        if not self._given():
            return list(dict.fromkeys(self.metrics))
        names = self.metrics or usual_judges(self._format(), takes=self._given())
        searches = [named_search(name) for name in dict.fromkeys(names)]
        metrics = self._with_words([str(search.metric) for search in searches])
        return [(one, search.method) for one, search in zip(metrics, searches, strict=True)]

    def _given(self) -> list[str]:
        """Return what files are named for."""
        return [what for name, what in _TAKEN.items() if self.words[name] is not None]

    def _format(self) -> str:
        """Return the format of the graphs of the metrics that take what is given."""
        return next(k.format for k in METRICS.values() if set(self._given()) & set(k.takes))

    def _with_words(self, names: Sequence[str]) -> list[Metric]:
        """Return the metrics called so, each with what it takes; what none takes is refused."""
        taken = {what for name in names for what in METRICS[name].takes}
        return [
            exactmatch.metric(
                name,
                profile=self.profile,
                **{
                    word: value
                    for word, value in self.words.items()
                    if not (_TAKEN.get(word) in taken and _TAKEN[word] not in METRICS[name].takes)
                },
                **self.choices,
            )
            for name in names
        ]


def word_options(*, hidden: bool) -> Callable[[Command], Command]:
    """Return what adds the options for similarities and synonyms; a command gets *words*."""
    options = adding(
        option(
            "--vectors",
            type=click.Path(),
            metavar="FILE",
            group=COUNTING,
            hidden=hidden,
            help="Word vectors for s2match, as text of word2vec or GloVe.",
        ),
        option(
            "--similarity",
            type=click.Path(),
            metavar="FILE",
            group=COUNTING,
            hidden=hidden,
            help="Similarities of words for s2match: two words and a number a line.",
        ),
        option(
            "--synonyms",
            type=click.Path(),
            metavar="FILE",
            group=COUNTING,
            hidden=hidden,
            help="For counter: concepts that count as others (human.n.01 person.n.01), one a line.",
        ),
        option(
            "--cut-off",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            group=COUNTING,
            hidden=hidden,
            help="Similarity up to this number counts nothing.",
        ),
        option(
            "--sense-factor",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            group=COUNTING,
            hidden=hidden,
            help="What similarity counts, at most, between concepts with senses.",
        ),
    )

    def add(command: Command) -> Command:
        @wraps(command)
        def called(**given: Any) -> Any:
            names = (*_TAKEN, "cut_off", "sense_factor")
            return command(words={name: given.pop(name) for name in names}, **given)

        return options(called)

    return add


def counting_options(command: Command) -> Command:
    """Add the options of a metric that is named; *command* gets one `Counting`, *counting*."""
    name = option(
        "--metric",
        "metrics",
        multiple=True,
        type=click.Choice([*METRICS]),
        group=COUNTING,
        help="What is counted; score takes several.  [default: by the format of the files]",
    )
    return name(choice_options(command))


def choice_options(command: Command) -> Command:
    """Add the options for profile, choices and files; *command*, which has *metrics*, gets all."""

    @wraps(command)
    def called(metrics: Sequence[str], profile: str, words: Any, **others: Any) -> Any:
        asked = {choice: others.pop(choice) for choice in _choices()}
        choices = {choice: value for choice, value in asked.items() if value is not None}
        names = (*metrics, *others.pop("listed", ()))  # as they were named before
        return command(counting=Counting(names, profile, choices, words), **others)

    profiles = dict.fromkeys(name for kind in METRICS.values() for name in kind.profiles)
    profile = option(
        "--profile",
        type=click.Choice([*profiles]),
        default="default",
        show_default=True,
        group=COUNTING,
        help="How a metric counts; other options change single choices of it.",
    )
    choices = adding(
        *(
            option(
                f"--{name.replace('_', '-')}",
                name,
                type=click.Choice(values),
                group=COUNTING,
                hidden=True,
                help=HELP[name],
            )
            for name, values in _choices().items()
        )
    )
    return adding(profile, choices, word_options(hidden=True), metric_option)(called)


def _choices() -> dict[str, list[str]]:
    """Return the choices of all metrics, and the values that each has anywhere."""
    found: dict[str, list[str]] = {}
    for kind in METRICS.values():
        for choice, values in kind.choices().items():
            known = found.setdefault(choice, [])
            known += [value for value in values if value not in known]
    return found
