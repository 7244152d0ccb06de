"""Select metrics by name, with a profile, choices, and words from files."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from exactmatch.errors import UsageError, briefly
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

    from exactmatch.graphs.camr_places import SentenceLengths
    from exactmatch.graphs.words import Classes, Synonyms, Words
    from exactmatch.metrics.amr.reifications import ReificationTable
    from exactmatch.metrics.credits import Credits
    from exactmatch.metrics.similarity import Similarity

#: The path of a file.
StrPath: TypeAlias = str | PathLike[str]

#: A number from 0 to 1; as text it is exact.
Share: TypeAlias = Union[str, float, "Fraction"]

#: Several metrics at once.
Several: TypeAlias = list[str] | list[Metric] | list[str | Metric] | tuple[str | Metric, ...]


@briefly
def metric(
    name: str,
    *,
    profile: str = "default",
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    classes: StrPath | None = None,
    lengths: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    **choices: Choice,
) -> Metric:
    """Return the metric called *name*, for use with the other functions.

    Args:
        name: one of `exactmatch.METRICS`.
        profile: a named set of choices: ``default``, ``smatch-1.0.4`` and so on.
        vectors: a file of word vectors, as text of word2vec or GloVe, for ``s2match`` and
            ``counter``.
        similarity: instead of *vectors*, a file of similarities: two words and a number a line.
        synonyms: for ``counter``, a file of concepts that count as others: a list, Counter's
            ``wordnet_dict_en.py``, or the folder of WordNet's own files.
        classes: for ``rematch``, a file of concepts and the class of each.
        lengths: for ``align-smatch``, a file of the sentences' numbers of words.
        cut_off: similarities below this number count as 0.
        sense_factor: the factor for two senses of one word.
        **choices: single choices, such as ``top="none"``; see its class. Metrics of n-grams take
            ``order`` and ``weights`` as well. ``reification_table`` may be the path of a file.
            Alignment-based metrics take ``credits``, a table of values that match in part: its
            path, or the name ``umr-lattices-2024``.

    Raises:
        InputError: for files that cannot be used.
        UsageError: for unknown names, and for arguments that the metric does not take or lacks.

    Example:
        >>> import exactmatch
        >>> counted = exactmatch.metric("smatch", top="none")
        >>> exactmatch.score("(a / bird)", "(b / cat)", metric=counted).f1
        0.0
    """
    chosen = profile_called(metric_called(name), profile).with_choices(**_with_tables(choices))
    words = similarity_of(vectors, similarity, cut_off, sense_factor)
    return with_words(
        chosen, words, synonyms_of(synonyms), _classes_of(classes), lengths_of(lengths)
    )


def chosen_metric(
    form: str, metric: str | Metric | None, profile: str, choices: Mapping[str, Choice]
) -> Metric:
    """Return the metric for graphs of the format *form*; None selects the usual one.

    Raises `UsageError` for unknown names, and `InputError` for graphs of another format.
    """
    if isinstance(metric, Metric):
        check_format(metric, form)
        if profile != "default" and metric.profile != profile_called(type(metric), profile).profile:
            raise UsageError(
                f"this {metric.name} has another profile than {profile}; name the metric"
            )
        return metric.with_choices(**_with_tables(choices)).for_format(form)
    kind = metric_for(form, metric)
    chosen = profile_called(kind, profile).with_choices(**_with_tables(choices))
    return chosen.with_words().for_format(form)


def with_words(
    metric: Metric,
    similarity: "Similarity | None",
    synonyms: "Synonyms | None",
    classes: "Classes | None" = None,
    lengths: "SentenceLengths | None" = None,
) -> Metric:
    """Return *metric* with a similarity, synonyms, classes and lengths of sentences.

    Raises `UsageError` for arguments that the metric does not take or lacks.
    """
    given: dict[str, Any] = {
        "similarity": similarity,
        "synonyms": synonyms,
        "classes": classes,
        "lengths": lengths,
    }
    for what, words in given.items():
        if words is not None and what not in metric.takes:
            takers = [name for name, kind in METRICS.items() if what in kind.takes]
            raise UsageError(f"{metric.name}: takes no {what}; use {' or '.join(takers)}")
    return metric.with_words(**given)


def reification_table(path: StrPath | None) -> "ReificationTable | None":
    """Return the table of reifications in a file; None if no file is named.

    Raises `InputError` for a malformed table, and `UsageError` if the file does not exist.
    """
    if path is None:
        return None
    from exactmatch.graphs.readers.source import read_lines, source_name
    from exactmatch.metrics.amr.reifications import NAMED, parse_table

    if not Path(path).exists():
        there = ", ".join(NAMED)
        raise UsageError(
            f"reification_table is {str(path)!r}: no such file; the tables are {there}"
        )
    return parse_table([*read_lines(path)], source_name(path))


def credits_of(given: StrPath | None) -> "Credits | None":
    """Return a table of credits by its name, or from a file; None if none is given.

    Raises `InputError` for a malformed table, and `UsageError` if the file does not exist.
    """
    if given is None:
        return None
    from exactmatch.graphs.readers.source import read_lines, source_name
    from exactmatch.metrics.credits import NAMED, named_credits, parse_credits

    if given in NAMED:
        return named_credits(str(given))
    if str(given) != "-" and not Path(given).exists():
        there = ", ".join(NAMED)
        raise UsageError(f"credits are {str(given)!r}: no such file; the named table is {there}")
    return parse_credits([*read_lines(given)], source_name(given))


def _with_tables(choices: Mapping[str, Choice]) -> Mapping[str, Choice]:
    """Return the choices, with tables of reifications and credits in place of their files."""
    tables: dict[str, Choice] = {}
    given = choices.get("reification_table")
    if isinstance(given, str | PathLike):
        from exactmatch.metrics.amr.reifications import NAMED

        if given not in NAMED:
            table = reification_table(given)
            assert table is not None
            tables["reification_table"] = table
    credits = choices.get("credits")
    if isinstance(credits, str | PathLike):
        tables["credits"] = credits_of(credits)
    return {**choices, **tables} if tables else choices


def similarity_of(
    vectors: StrPath | None, similarity: StrPath | None, cut_off: Share, sense_factor: Share
) -> "Similarity | None":
    """Return the similarity in files; None if none is named. Raises as `metric` does."""
    if vectors is None and similarity is None:
        return None
    from exactmatch.graphs.readers.word_files import read_similarities, read_vectors
    from exactmatch.metrics.similarity import Similarity

    if vectors is not None and similarity is not None:
        raise UsageError("name only one of --vectors and --similarity")
    words: Words
    if vectors is not None:
        words = read_vectors(vectors)
    elif similarity is not None:
        words = read_similarities(similarity)
    return Similarity(words, share(cut_off), share(sense_factor))


def synonyms_of(path: StrPath | None) -> "Synonyms | None":
    """Return the synonyms in a file; None if none is named. Raises `InputError`."""
    if path is None:
        return None
    from exactmatch.graphs.readers.word_files import read_synonyms

    return read_synonyms(path)


def _classes_of(path: StrPath | None) -> "Classes | None":
    """Return the classes in a file; None if none is named. Raises `InputError`."""
    if path is None:
        return None
    from exactmatch.graphs.readers.word_files import read_classes

    return read_classes(path)


def lengths_of(path: StrPath | None) -> "SentenceLengths | None":
    """Return the lengths of sentences in a file; None if none is named. Raises `InputError`."""
    if path is None:
        return None
    from exactmatch.graphs.readers.word_files import read_lengths

    return read_lengths(path)


def share(given: Share) -> "Fraction":
    """Return a number from 0 to 1. Raises `UsageError` for anything else."""
    from fractions import Fraction

    from exactmatch.graphs.readers.source import fraction

    try:
        number = fraction(str(given))
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1:
        raise UsageError(f"{given!r} is not a number from 0 to 1")
    return number
