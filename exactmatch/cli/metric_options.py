"""The options that say what is counted: metric, profile, single choices, similarities.

What is counted, as the options of a command say it: metrics, profile, choices, similarities.
"""

from collections.abc import Mapping, Sequence, Set
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.types import StringParamType

from exactmatch.cli.click_options import (
    FILE,
    Adding,
    Command,
    GroupedOption,
    LateChoice,
    adding,
    id_option,
    joined,
    option,
    options,
    proof_options,
    show_id_option,
)
from exactmatch.cli.metric_help import HELP, metric_option
from exactmatch.cli.presets import preset_option, tell_preset
from exactmatch.errors import UsageError, near_names
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS, metric_for
from exactmatch.scoring.declaration import COUNTING
from exactmatch.scoring.options import Pairing, PairLimits, Selecting, Solver, View, Work

if TYPE_CHECKING:
    from exactmatch.studies.common.metric_names import NamedMetric

#: What metrics take, by the option that names a file for it.
TAKEN = {
    "vectors": "similarity",
    "similarity": "similarity",
    "synonyms": "synonyms",
    "classes": "classes",
}


class AskedMetrics(NamedTuple):
    """What the options say about how graphs are compared.

    metrics: their names, none for the usual one of the files.
    words: files of similarities, synonyms and classes, and how they are taken.
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

    def with_and_without_labels(self) -> Sequence[Metric]:
        """Return the MRP metric that is asked for, and the same without the labels of edges.

        Raises `UsageError` for another metric.
        """
        if set(self.metrics) - {"mrp"}:
            raise UsageError("--by-framework goes with the metric mrp alone")
        if "edge_labels" in self.choices:
            raise UsageError("--by-framework counts with and without --edge-labels")
        (labelled,) = self._with_words(["mrp"])
        return labelled, labelled.with_choices(edge_labels="ignore")

    def within_sentences_and_free(self) -> Sequence[Metric]:
        """Return the metric that is asked for, and the same with sentences free.

        Raises `UsageError` for several, and for one that maps variables to any sentence anyway.
        """
        first, *others = self._with_words(self.metrics or ["smatch"])
        if others:
            raise UsageError("--free-too goes with one metric")
        if getattr(first, "sentences", "free") == "free":
            raise UsageError("--free-too goes with --sentences aligned, or --profile docsmatch")
        return first, first.with_choices(sentences="free")

    def one_or_several(self) -> "str | Metric | NamedMetric | list[str | NamedMetric] | None":
        """Return the metric that is asked for by a name of studies, or a list of several."""
        if not self.metrics:
            return self.one()
        names = [*self.named()]
        return names if len(names) > 1 else next(iter(names))

    def named(self) -> "Sequence[str | NamedMetric]":
        """Return the metrics that are asked for by names of studies (``smatch:s+4r``)."""
        from exactmatch.studies.common.metric_names import NamedMetric, metric_name, usual_names

        if not self._given():
            return list(dict.fromkeys(self.metrics))
        asked = self.metrics or usual_names(self._format(), takes=self._given())
        names = [metric_name(name) for name in dict.fromkeys(asked)]
        taken = {what for name in names for what in METRICS[name.metric].takes}
        return [
            NamedMetric(
                name.text,
                self._metric(name.metric, name.profile or self.profile, name.choices, taken),
                name.method,
                name.exchanged,
            )
            for name in names
        ]

    def _given(self) -> list[str]:
        """Return what files are named for."""
        return [what for name, what in TAKEN.items() if self.words[name] is not None]

    def _format(self) -> str:
        """Return the format of the graphs of the metrics that take what is given."""
        return next(k.format for k in METRICS.values() if set(self._given()) & set(k.takes))

    def _with_words(self, names: Sequence[str]) -> list[Metric]:
        """Return the metrics called so, each with what it takes; what none takes is refused."""
        taken = {what for name in names for what in METRICS[name].takes}
        return [self._metric(name, self.profile, {}, taken) for name in names]

    def _metric(
        self, name: str, profile: str, choices: Mapping[str, str], taken: Set[str]
    ) -> Metric:
        """Return a metric with what it takes; *taken* is what it leaves to others that take it."""
        from exactmatch.scoring.choices import metric

        words = {
            word: value
            for word, value in self.words.items()
            if not (TAKEN.get(word) in taken and TAKEN[word] not in METRICS[name].takes)
        }
        return metric(name, profile=profile, **words, **{**self.choices, **choices})


#: What certificates may rest on, too: what metrics that map variables take.
_WORDS = ("vectors", "similarity", "synonyms", "cut_off", "sense_factor")

_FILE = click.Path()

_classes_option: Adding = option(
    "--classes",
    type=_FILE,
    metavar="FILE",
    group=COUNTING,
    hidden=True,
    help="For rematch: concepts and the class of each (abandon-01 discard), one a line.",
)


def word_options(*, hidden: bool) -> Adding:
    """Return what adds the options for similarities and synonyms; a command gets *words*."""
    every = adding(
        option(
            "--vectors",
            type=_FILE,
            metavar="FILE",
            group=COUNTING,
            hidden=hidden,
            help="Word vectors for s2match, as text of word2vec or GloVe.",
        ),
        option(
            "--similarity",
            type=_FILE,
            metavar="FILE",
            group=COUNTING,
            hidden=hidden,
            help="Similarities of words for s2match: two words and a number a line.",
        ),
        option(
            "--synonyms",
            type=_FILE,
            metavar="FILE",
            group=COUNTING,
            hidden=hidden,
            help="For counter: concepts that count as others (human.n.01 person.n.01), one a line; "
            "or Counter's wordnet_dict_en.py, or the folder of WordNet's files.",
        ),
        option(
            "--cut-off",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            group=COUNTING,
            hidden=hidden,
            help="Similarity below this number counts nothing.",
        ),
        option(
            "--sense-factor",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            group=COUNTING,
            hidden=hidden,
            help="What the senses of one word count to each other.",
        ),
    )

    def add(command: Command) -> Command:
        @wraps(command)
        def called(**given: Any) -> Any:
            return command(words={name: given.pop(name) for name in _WORDS}, **given)

        return every(called)

    return add


#: The parameters of metrics that are no choices, each with its option.
_PARAMETERS: Mapping[str, Adding] = {
    "order": option(
        "--order",
        metavar="N",
        group=COUNTING,
        hidden=True,
        help="Count n-grams of orders up to N, all with the same weight.",
    ),
    "weights": option(
        "--weights",
        metavar="W,W,...",
        group=COUNTING,
        hidden=True,
        help="The weights of the orders, from the lowest one on.",
    ),
    "only": option(
        "--only",
        metavar="ROLE,...",
        multiple=True,
        callback=joined,
        group=COUNTING,
        hidden=True,
        help="Count these roles alone; concept and TOP are such, too.",
    ),
    "excluding": option(
        "--except",
        "excluding",
        metavar="ROLE,...",
        multiple=True,
        callback=joined,
        group=COUNTING,
        hidden=True,
        help="Count all roles but these.",
    ),
}


def metric_options(command: Command, without: Set[str] = frozenset()) -> Command:
    """Add the options of a metric that is named; *command* gets one `AskedMetrics`, *asked*.

    What of choices and parameters is *without* an option of its own is as the profile has it.
    """
    name = option(
        "--metric",
        "metrics",
        multiple=True,
        type=click.Choice([*METRICS]),
        metavar="METRIC",
        is_eager=True,  # --profile goes by it
        group=COUNTING,
        help=f"What is counted, one or several of {', '.join(METRICS)}.  [default: by the format "
        "of the files]",
    )
    return name(choice_options(command, without))


#: The graphs of one pair of two files, and how they are compared.
one_pair_options: Adding = adding(
    click.argument("system", type=FILE),
    click.argument("gold", type=FILE),
    id_option,
    options(Pairing),
    metric_options,
)

#: Pairs of two files that are to be shown, and how they are compared.
shown_pairs_options: Adding = adding(
    show_id_option,
    options(Pairing, Selecting),
    metric_options,
    options(Solver),
    proof_options,
    options(PairLimits, Work, View),
)


def choice_options(command: Command, without: Set[str] = frozenset()) -> Command:
    """Add the options for profile, choices and files; *command*, which has *metrics*, gets all.

    *without* is as for `metric_options`.
    """
    names = [name for name in HELP if name not in without]
    parameters = [name for name in _PARAMETERS if name not in without]

    @wraps(command)
    def called(
        metrics: Sequence[str], profile: str | None, words: Any, classes: str | None, **others: Any
    ) -> Any:
        words = {**words, "classes": classes}
        if others.pop("preset") is not None:
            tell_preset()
        asked = {choice: others.pop(choice) for choice in (*names, *parameters)}
        choices = {choice: value for choice, value in asked.items() if value is not None}
        named = (*metrics, *others.pop("listed", ()))  # one by one, and of a list
        return command(asked=AskedMetrics(named, profile or "default", choices, words), **others)

    profile = click.option(
        "--profile",
        cls=_ProfileOption,
        type=_Profile(),
        metavar="PROFILE",
        group=COUNTING,
    )
    choices = adding(
        *(
            option(
                f"--{name.replace('_', '-')}",
                name,
                type=_type(name),
                group=COUNTING,
                hidden=True,
                help=HELP[name],
            )
            for name in names
        ),
    )
    words_too = word_options(hidden=True)
    parameter_options = adding(*(_PARAMETERS[name] for name in parameters))
    return adding(
        preset_option,
        profile,
        choices,
        parameter_options,
        words_too,
        _classes_option,
        metric_option,
    )(called)


class _Profile(StringParamType):
    """The name of a profile of the metrics that are named before; of no metric, any name."""

    name = "profile"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Return *value* if it may be meant; else say which profiles there are."""
        there = _profiles(ctx)
        if _metrics_of(ctx) and value not in there:
            said = f"{value!r}; there are {', '.join(there)}.{near_names(value, there)}"
            self.fail(said, param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """Return the profiles that begin like this."""
        return click.Choice(_profiles(ctx)).shell_complete(ctx, param, incomplete)


class _ProfileOption(GroupedOption):
    """The option for a profile, whose help names those of the metric that is asked for."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the option, and what it says with the names of profiles."""
        name = next(iter(_metrics_of(ctx)), "smatch")
        there = ", ".join(METRICS[name].profiles)
        return (
            f"--profile {self.metavar}",
            f"How a metric counts: of {name}, {there}; of others, --help-metric tells.",
        )


def _metrics_of(ctx: click.Context | None) -> list[str]:
    """Return the metrics that a command line has named so far, perhaps with profile or choices."""
    given = () if ctx is None else ctx.params.get("metrics") or ()
    named = (text.partition(":")[0] for text in given)
    return [name for name in named if name in METRICS]


def _profiles(ctx: click.Context | None) -> list[str]:
    """Return the profiles of the metrics that are named, or those of the usual one."""
    metrics = _metrics_of(ctx) or ["smatch"]
    return [*dict.fromkeys(name for metric in metrics for name in METRICS[metric].profiles)]


def _type(choice: str) -> click.Path | LateChoice:
    """Return what tells the values of a choice; a table of reifications may be a file."""
    return _FILE if choice == "reification_table" else LateChoice(partial(_values, choice))


def _values(choice: str) -> list[str]:
    """Return the values that a choice has with any metric."""
    values = (value for kind in METRICS.values() for value in kind.choices().get(choice, ()))
    return [*dict.fromkeys(values)]
