"""What is counted, as the options of a command say it: metrics, profile, choices, similarities."""

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.errors import UsageError
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import METRICS, metric_for

if TYPE_CHECKING:
    from exactmatch.api.metric_names import NamedMetric

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
        from exactmatch.api.metric_names import NamedMetric, metric_name, usual_names

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
        from exactmatch.api.metrics import metric

        words = {
            word: value
            for word, value in self.words.items()
            if not (TAKEN.get(word) in taken and TAKEN[word] not in METRICS[name].takes)
        }
        return metric(name, profile=profile, **words, **{**self.choices, **choices})
