"""Metrics as they are asked for: by name, with a profile, choices, and what comes from files."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from exactmatch.errors import UsageError
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import (
    METRICS,
    check_format,
    metric_called,
    metric_for,
    profile_called,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from exactmatch.metrics.similarity import Similarity
    from exactmatch.standardisation.tables import ReificationTable
    from exactmatch.words import Classes, Synonyms, Words

#: The path of a file.
StrPath: TypeAlias = str | PathLike[str]
#: A number from 0 to 1; as text it is exact.
Share: TypeAlias = Union[str, float, "Fraction"]
#: Several metrics at once.
Several: TypeAlias = list[str] | list[Metric] | list[str | Metric] | tuple[str | Metric, ...]


def metric(
    name: str,
    *,
    profile: str = "default",
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    classes: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    **choices: Choice,
) -> Metric:
    """Return the metric called *name*, to be given to the other functions.

    Args:
        name: one of `exactmatch.METRICS`.
        profile: how it counts: ``default``, ``smatch-1.0.4`` and so on.
        vectors: a file of word vectors, as text of word2vec or GloVe, for ``s2match``.
        similarity: instead of them, a file of similarities: two words and a number a line.
        synonyms: a file of concepts that count as others, for ``counter``.
        classes: a file of concepts and the class of each, for ``rematch``.
        cut_off: similarity below this number counts nothing.
        sense_factor: what the senses of one word count to each other.
        **choices: single choices, such as ``top="none"``; see its class. Metrics of n-grams take
            ``order`` and ``weights`` as well. ``reification_table`` may be the path of a file.

    Raises:
        InputError: for files that cannot be used.
        UsageError: for what does not exist, what the metric does not take, or lacks.

    Example:
        >>> import exactmatch
        >>> counted = exactmatch.metric("smatch", top="none")
        >>> exactmatch.score("(a / bird)", "(b / cat)", metric=counted).f1
        0.0
    """
    chosen = profile_called(metric_called(name), profile).with_choices(**_with_table(choices))
    words = similarity_of(vectors, similarity, cut_off, sense_factor)
    return with_words(chosen, words, synonyms_of(synonyms), _classes_of(classes))


def chosen_metric(
    form: str, metric: str | Metric | None, profile: str, choices: Mapping[str, Choice]
) -> Metric:
    """Return the metric for graphs of the format *form* that is asked for, None is the usual one.

    Raises `UsageError` for what does not exist, and `InputError` for graphs of another format.
    """
    if isinstance(metric, Metric):
        check_format(metric, form)
        if profile != "default" and metric.profile != profile_called(type(metric), profile).profile:
            raise UsageError(f"this {metric.name} is not of profile {profile}: name the metric")
        return metric.with_choices(**_with_table(choices))
    kind = metric_for(form, metric)
    chosen = profile_called(kind, profile).with_choices(**_with_table(choices))
    return chosen.with_words()


def with_words(
    metric: Metric,
    similarity: "Similarity | None",
    synonyms: "Synonyms | None",
    classes: "Classes | None" = None,
) -> Metric:
    """Return *metric* with a similarity, synonyms and classes.

    Raises `UsageError` for what it does not take, or lacks.
    """
    for what, words in (("similarity", similarity), ("synonyms", synonyms), ("classes", classes)):
        if words is not None and what not in metric.takes:
            takers = [name for name, kind in METRICS.items() if what in kind.takes]
            raise UsageError(f"{metric.name}: takes no {what}; {' and '.join(takers)} would")
    return metric.with_words(similarity=similarity, synonyms=synonyms, classes=classes)


def reification_table(path: StrPath | None) -> "ReificationTable | None":
    """Return the table of reifications in a file, None if none is named.

    Raises `InputError` for what is no table, and `UsageError` if there is no such file.
    """
    if path is None:
        return None
    from exactmatch.readers.source import read_lines, source_name
    from exactmatch.standardisation.tables import NAMED, parse_table

    if not Path(path).exists():
        there = ", ".join(NAMED)
        raise UsageError(f"reification_table is {str(path)!r}: no such file; there are {there}")
    return parse_table([*read_lines(path)], source_name(path))


def _with_table(choices: Mapping[str, Choice]) -> Mapping[str, Choice]:
    """Return choices with the table of reifications that one of them names by its file."""
    from exactmatch.standardisation.tables import NAMED

    given = choices.get("reification_table")
    if not isinstance(given, str | PathLike) or given in NAMED:
        return choices
    table = reification_table(given)
    assert table is not None
    return {**choices, "reification_table": table}


def similarity_of(
    vectors: StrPath | None, similarity: StrPath | None, cut_off: Share, sense_factor: Share
) -> "Similarity | None":
    """Return the similarity that files say, None if none is named. Raises as `metric` does."""
    if vectors is None and similarity is None:
        return None
    from exactmatch.metrics.similarity import Similarity
    from exactmatch.readers.words import read_similarities, read_vectors

    if vectors is not None and similarity is not None:
        raise UsageError("name either --vectors or --similarity")
    words: Words
    if vectors is not None:
        words = read_vectors(vectors)
    elif similarity is not None:
        words = read_similarities(similarity)
    return Similarity(words, _share(cut_off), _share(sense_factor))


def synonyms_of(path: StrPath | None) -> "Synonyms | None":
    """Return the synonyms in a file, None if none is named. Raises `InputError`."""
    if path is None:
        return None
    from exactmatch.readers.words import read_synonyms

    return read_synonyms(path)


def _classes_of(path: StrPath | None) -> "Classes | None":
    """Return the classes in a file, None if none is named. Raises `InputError`."""
    if path is None:
        return None
    from exactmatch.readers.words import read_classes

    return read_classes(path)


def _share(given: Share) -> "Fraction":
    """Return a number from 0 to 1. Raises `UsageError` if it is none."""
    from fractions import Fraction

    from exactmatch.readers.source import fraction

    try:
        number = fraction(str(given))
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1:
        raise UsageError(f"{given!r} is not a number from 0 to 1")
    return number
