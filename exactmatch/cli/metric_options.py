"""The options that say how graphs are compared: metric, profile, choices, similarities."""

import re
from collections.abc import Mapping, Sequence, Set
from functools import partial, wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.types import StringParamType

from exactmatch.cli.click_options import (
    Adding,
    Command,
    GroupedOption,
    LateChoice,
    adding,
    cite_option,
    joined,
    option,
)
from exactmatch.cli.metric_help import HELP, metric_option
from exactmatch.cli.presets import preset_option, tell_preset
from exactmatch.errors import UsageError, near_names
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS, metric_for
from exactmatch.scoring.declaration import COUNTING
from exactmatch.scoring.options import NamedMetricOptions

if TYPE_CHECKING:
    from exactmatch.studies.common.metric_names import NamedMetric

#: The words that metrics take, by the option that names their file.
TAKEN = {
    "vectors": "similarity",
    "similarity": "similarity",
    "synonyms": "synonyms",
    "classes": "classes",
    "lengths": "lengths",
}


class TakenMetrics(NamedTuple):
    """The metrics that a command takes by name.

    several: whether it takes several at once.
    with_choice: what the command needs beside some of *names*, by the name of the metric.
    unlike: what all other metrics do, for which the command does not take them.
    """

    names: Sequence[str]
    several: bool = False
    with_choice: Mapping[str, str] = MappingProxyType({})
    unlike: str = "maps no variables"

    def help(self, each: str = "") -> str:
        """Return the help of the option that names metrics; *each* is what a name may have."""
        names = [
            f"{name} (with {self.with_choice[name]})" if name in self.with_choice else name
            for name in self.names
        ]
        return f"One {'or several ' if self.several else ''}of {', '.join(names)}{each}."


#: Several metrics of any kind, for commands that report scores.
ANY_METRICS = TakenMetrics([*METRICS], several=True)

#: The same for a command that compares all metrics on sentences.
ANY_ON_SENTENCES = ANY_METRICS._replace(
    with_choice={"umatch": ":document-level=ignore", "ancast": ":document-level=ignore"}
)

#: One metric that maps variables, for commands that show, prove or study mappings.
METRIC_BY_MAPPING = TakenMetrics([*ALIGNMENT_BASED])

#: One metric whose n-grams are listed.
NGRAM_METRIC = TakenMetrics(["sembleu", "dscorer"], unlike="counts no n-grams")

#: The same for commands that compare many sentences with each other.
SENTENCE_METRIC = METRIC_BY_MAPPING._replace(with_choice={"umatch": "--document-level ignore"})


class _MetricName(click.Choice[str]):
    """The type of a metric's name: one of those that the command takes."""

    def __init__(self, taken: TakenMetrics) -> None:
        super().__init__(taken.names)
        self._unlike = taken.unlike

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Return *value* if the command takes it; otherwise fail, and give the reason."""
        if value in METRICS and value not in self.choices:
            taken = ", ".join(self.choices)
            raise UsageError(
                f"{value} {self._unlike}; use one of {taken} (this command takes one metric)"
            )
        if value not in self.choices:
            known = ", ".join(self.choices)
            self.fail(
                f"{value!r}; use one of {known}.{near_names(value, self.choices)}", param, ctx
            )
        return super().convert(value, param, ctx)


class AskedMetrics(NamedTuple):
    """The metrics, choices and files that the options of a command name.

    metrics: the names of the metrics; none for the usual metric of the files.
    words: the files of similarities, synonyms, classes and lengths, and the numbers that go with
        them.
    """

    metrics: Sequence[str]
    profile: str
    choices: Mapping[str, Any]
    words: Mapping[str, Any]

    def chosen(self) -> Sequence[str | Metric | None]:
        """Return the requested metrics, as the public functions take them.

        Raises `UsageError` and `InputError` as `exactmatch.metric` does.
        """
        if not self._given():
            return self.metrics or (None,)
        return self._with_words(self.metrics or [metric_for(self._format()).name])

    def one(self) -> str | Metric | None:
        """Return the one requested metric. Raises `UsageError` if there are several."""
        first, *others = self.chosen()
        if others:
            raise UsageError("this command takes one metric")
        return first

    def arguments(self, metric: Any) -> dict[str, Any]:
        """Return the arguments of a study that counts by *metric*."""
        return {"metric": metric, "profile": self.profile, **self.choices}

    def one_with_profile(self) -> NamedMetricOptions:
        """Return the one requested metric and the profile. Raises as `one` does."""
        return NamedMetricOptions(metric=self.one(), profile=self.profile)

    def with_and_without_labels(self) -> Sequence[Metric]:
        """Return the requested MRP metric, and the same metric without edge labels.

        Raises `UsageError` for another metric.
        """
        if set(self.metrics) - {"mrp"}:
            raise UsageError("--by-framework needs the metric mrp")
        if "edge_labels" in self.choices:
            raise UsageError(
                "--by-framework and --edge-labels cannot be combined: it counts "
                "with and without labels"
            )
        (labelled,) = self._with_words(["mrp"])
        return labelled, labelled.with_choices(edge_labels="ignore")

    def within_sentences_and_free(self) -> Sequence[Metric]:
        """Return the requested metric, and the same metric with free sentences.

        Raises `UsageError` for several metrics, and for a metric that already maps variables to any
        sentence.
        """
        first, *others = self._with_words(self.metrics or ["smatch"])
        if others:
            raise UsageError("--free-too takes one metric")
        if getattr(first, "sentences", "free") == "free":
            raise UsageError("--free-too needs --sentences aligned, or --profile docsmatch")
        return first, first.with_choices(sentences="free")

    def one_or_several(self) -> "str | Metric | NamedMetric | list[str | NamedMetric] | None":
        """Return the metric, given by a name of studies, or a list of several such names."""
        if not self.metrics:
            return self.one()
        names = [*self.named()]
        return names if len(names) > 1 else next(iter(names))

    def named(self) -> "Sequence[str | NamedMetric]":
        """Return the metrics with names of studies (``smatch:s+4r``)."""
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
        """Return the kinds of words (such as synonyms) that the given files have."""
        return [what for name, what in TAKEN.items() if self.words[name] is not None]

    def _format(self) -> str:
        """Return the format of the graphs of the metric that takes most of the given words."""
        given = set(self._given())
        return max(METRICS.values(), key=lambda kind: len(given & set(kind.takes))).format

    def _with_words(self, names: Sequence[str]) -> list[Metric]:
        """Return the metrics *names*, each with the words it takes; words for none are an error."""
        taken = {what for name in names for what in METRICS[name].takes}
        return [self._metric(name, self.profile, {}, taken) for name in names]

    def _metric(
        self, name: str, profile: str, choices: Mapping[str, str], taken: Set[str]
    ) -> Metric:
        """Return a metric with the words it takes; words in *taken* may go to other metrics."""
        from exactmatch.metrics.registry import profile_called
        from exactmatch.scoring.choices import metric

        # The choices of a name are no other arguments of `metric`, such as its files.
        profile_called(METRICS[name], profile).check_choices(choices)
        words = {
            word: value
            for word, value in self.words.items()
            if not (TAKEN.get(word) in taken and TAKEN[word] not in METRICS[name].takes)
        }
        return metric(name, profile=profile, **words, **{**self.choices, **choices})


#: Options on which certificates may rest, too: those of alignment-based metrics.
_WORDS = ("vectors", "similarity", "synonyms", "lengths", "cut_off", "sense_factor")

_FILE = click.Path()

_classes_option: Adding = option(
    "--classes",
    type=_FILE,
    metavar="FILE",
    group=COUNTING,
    hidden=True,
    help="For rematch: a file with a concept and its class (abandon-01 discard) on each line.",
)


def word_options(*, hidden: bool) -> Adding:
    """Return a decorator for the options on files of words."""
    word_option = partial(option, group=COUNTING, hidden=hidden)
    return adding(
        word_option(
            "--vectors",
            type=_FILE,
            metavar="FILE",
            help="For s2match and counter: word vectors, as text of word2vec or GloVe.",
        ),
        word_option(
            "--similarity",
            type=_FILE,
            metavar="FILE",
            help="For s2match and counter: similarities of words; each line has two words (or "
            "concepts) and a number.",
        ),
        word_option(
            "--synonyms",
            type=_FILE,
            metavar="FILE",
            help="For counter: synonyms, as a file with two concepts (human.n.01 person.n.01) on "
            "each line, as Counter's wordnet_dict_en.py, or as the folder of WordNet's "
            "files.",
        ),
        word_option(
            "--lengths",
            type=_FILE,
            metavar="FILE",
            help="For align-smatch: a file with a sentence and its number of words on each line.",
        ),
        word_option(
            "--cut-off",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            help="Similarities below this number count as 0.",
        ),
        word_option(
            "--sense-factor",
            metavar="NUMBER",
            default="0.5",
            show_default=True,
            help="The factor for two senses of one word.",
        ),
    )


#: The parameters of metrics that are not choices, each with its option.
_PARAMETERS: Mapping[str, Adding] = {
    "order": option(
        "--order",
        metavar="N",
        group=COUNTING,
        hidden=True,
        help="Count n-grams of orders up to N, with equal weights.",
    ),
    "weights": option(
        "--weights",
        metavar="W,W,...",
        group=COUNTING,
        hidden=True,
        help="The weights of the orders, beginning with the lowest.",
    ),
    "only": option(
        "--only",
        metavar="ROLE,...",
        multiple=True,
        callback=joined,
        group=COUNTING,
        hidden=True,
        help="Count only these roles; concept and TOP count as roles.",
    ),
    "credits": option(
        "--credits",
        type=_FILE,
        metavar="FILE",
        group=COUNTING,
        hidden=True,
        help="Values that match in part: each line has a role (or instance), two values and a "
        "credit from 0 to 1; or the table umr-lattices-2024.",
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


def metric_options(taken: TakenMetrics, without: Set[str] = frozenset()) -> Adding:
    """Return a decorator for the options of the metrics that a command takes by name.

    The command gets an `AskedMetrics`, *asked*. Choices and parameters in *without* get no option,
    and are as in the profile.
    """
    name = option(
        "--metric",
        "metrics",
        multiple=True,
        type=_MetricName(taken),
        metavar="METRIC",
        is_eager=True,  # --profile depends on it
        group=COUNTING,
        help=f"{taken.help()}  [default: by the format of the files]",
    )
    return lambda command: name(choice_options(command, without))


def named_metrics_option(taken: TakenMetrics, each: str, default: str) -> Adding:
    """Return a decorator for the option that names metrics as studies do.

    *each* says what a name may have beside that of the metric.
    """
    return option(
        "--metric",
        "metrics",
        multiple=True,
        split=listed_names,
        metavar="NAME[:PART]...",
        is_eager=True,  # --profile depends on it
        group=COUNTING,
        help=f"{taken.help(each)}  [default: {default}]",
    )


def judges_option(taken: TakenMetrics) -> Adding:
    """Return a decorator for the option that names several metrics to compare."""
    return named_metrics_option(
        taken,
        ", each optionally with a heuristic, a profile or choices (smatch:s+4r, smatch:top=none)",
        "all that suit the files, and hill climbing",
    )


def listed_names(text: str) -> Sequence[str]:
    """Return the metrics of a list with commas; a comma before a number belongs to a name."""
    words = re.split(r",(?!\s*[\d.])", text)
    return [word.strip() for word in words if word.strip()]


def choice_options(command: Command, without: Set[str] = frozenset()) -> Command:
    """Add options for profile, choices and files to *command*, which has *metrics*.

    *without* is as for `metric_options`.
    """
    names = [name for name in HELP if name not in without]
    parameters = [name for name in _PARAMETERS if name not in without]

    @wraps(command)
    def called(metrics: Sequence[str], profile: str | None, **others: Any) -> Any:
        words = {name: others.pop(name) for name in (*_WORDS, "classes")}
        if others.pop("preset") is not None:
            tell_preset()
        asked = {choice: others.pop(choice) for choice in (*names, *parameters)}
        choices = {choice: value for choice, value in asked.items() if value is not None}
        named = (*metrics, *others.pop("listed", ()))  # by repetition, and from a list
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
        cite_option,
    )(called)


class _Profile(StringParamType):
    """The type of a profile's name: a profile of the metrics named before it, if there are any."""

    name = "profile"

    def convert(self, value: Any, param: Any, ctx: click.Context | None) -> str:
        """Return *value* if it may be a profile; otherwise fail with a list of the profiles."""
        there = _profiles(ctx)
        if _metrics_of(ctx) and value not in there:
            said = f"{value!r}; the profiles are {', '.join(there)}.{near_names(value, there)}"
            self.fail(said, param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """Return the profiles that begin with *incomplete*."""
        return click.Choice(_profiles(ctx)).shell_complete(ctx, param, incomplete)


class _ProfileOption(GroupedOption):
    """The option for a profile, whose help lists the profiles of the metric that is named."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the option and its help, with the names of the profiles."""
        name = next(iter(_metrics_of(ctx)), "smatch")
        there = ", ".join(METRICS[name].profiles)
        return (
            f"--profile {self.metavar}",
            f"A named set of choices: for {name}, {there}; for other metrics, see --help-metric.",
        )


def _metrics_of(ctx: click.Context | None) -> list[str]:
    """Return the metrics that a command line has named so far, without profiles and choices."""
    given = () if ctx is None else ctx.params.get("metrics") or ()
    named = (text.partition(":")[0] for text in given)
    return [name for name in named if name in METRICS]


def _profiles(ctx: click.Context | None) -> list[str]:
    """Return the profiles of the metrics that are named, or those of the usual one."""
    metrics = _metrics_of(ctx) or ["smatch"]
    return [*dict.fromkeys(name for metric in metrics for name in METRICS[metric].profiles)]


def _type(choice: str) -> click.Path | LateChoice:
    """Return the click type of a choice; a table of reifications may be a file."""
    return _FILE if choice == "reification_table" else LateChoice(partial(_values, choice))


def _values(choice: str) -> list[str]:
    """Return the values that any metric has for a choice."""
    values = (value for kind in METRICS.values() for value in kind.choices().get(choice, ()))
    return [*dict.fromkeys(values)]
