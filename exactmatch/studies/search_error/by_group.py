"""Scores of groups of items, by method: table 1 of Cai and Knight (2013)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from exactmatch.graphs.items import FilePair
from exactmatch.studies.search_error.trials import Trials, losses


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The micro F1 of two files on the items of a group, which the paper calls a document.

    exact: the F1 of the best mappings, whose upper bound is *exact_upper*.
    f1: the mean over seeds, by method.
    below: the methods that miss a best mapping with some seed: search errors.
    """

    files: FilePair
    group: str
    exact: float
    exact_upper: float
    f1: Mapping[str, float]
    below: frozenset[str]


def group_scores(
    trials: Mapping[FilePair, Trials], groups: Sequence[str], methods: Sequence[str]
) -> list[GroupScore]:
    """Return the scores of each two files on each of *groups*, which take the place of documents.

    A group is left out if two files have none of its items in common.
    """
    scores = []
    for files, of_files in trials.items():
        for number, group in enumerate(groups):
            inside = of_files.documents == number
            if inside.any():
                scores.append(_scored(files, group, of_files.restricted(inside), methods))
    return scores


def _scored(files: FilePair, group: str, trials: Trials, methods: Sequence[str]) -> GroupScore:
    return GroupScore(
        files,
        group,
        exact=trials.scores.f1,
        exact_upper=trials.scores.f1_upper,
        f1={method: fmean(trials.f1(method)) for method in methods},
        below=frozenset(method for method in methods if losses(trials, method).worst),
    )
