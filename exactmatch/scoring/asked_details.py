"""Select the details of a score, subscores and counts by sentence; check that metrics have them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

from exactmatch.errors import UsageError, briefly
from exactmatch.metrics.base import Metric
from exactmatch.scoring.choices import StrPath

if TYPE_CHECKING:
    from exactmatch.metrics.subscores.asked import Subscores

#: What functions take as subscores: names in a text, with commas between, or in a list; or the
#: result of `select_subscores`.
AskedSubscores: TypeAlias = Union[str, Iterable[str], "Subscores", None]


@briefly
def select_subscores(
    *names: str, aspects: StrPath | None = None, frames: StrPath | None = None
) -> "Subscores":
    """Return the subscores with these names, for use with `score`.

    Args:
        *names: names of subscores or of groups of them: ``damonte``, ``damonte-set``, ``aspects``,
            ``aspects-own``, ``sbn``, ``sbn-own``, ``documents``; a text may have several, with
            commas between.
        aspects: a TOML file with aspects of your own; all of them are counted as well.
        frames: a table of frames: each line has a concept, one of its roles, and the role that
            stands for it.

    Raises:
        InputError: for files that cannot be used.
        UsageError: for an unknown name.

    Example:
        >>> import exactmatch
        >>> wanted = exactmatch.select_subscores("concepts", "reentrancies")
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"
        >>> found = exactmatch.score(system, gold, subscores=wanted).subscores
        >>> found["concepts"].matched, found["reentrancies"].pairs
        (1, 0)
    """
    from exactmatch.metrics.subscores.asked import Subscores
    from exactmatch.metrics.subscores.aspect_files import read_aspects, read_frames

    own, digest = ({}, "") if aspects is None else read_aspects(aspects)
    table = None if frames is None else read_frames(frames)
    for name in names:
        if not isinstance(name, str):
            raise UsageError(f"subscores: expected names, not {name!r}")
    listed = [name.strip() for text in names for name in text.split(",")]
    return Subscores.of(listed, own, digest, table)


def chosen_subscores(given: AskedSubscores) -> "Subscores | None":
    """Return the subscores that are *given*. Raises `UsageError` for unknown names."""
    if given is None:
        return None
    from exactmatch.metrics.subscores.asked import Subscores

    if isinstance(given, Subscores):
        return given
    if isinstance(given, str) or not isinstance(given, Iterable):
        return select_subscores(given)
    return select_subscores(*given)


def check_subscores(asked: "Subscores | None", metrics: Sequence[Metric]) -> None:
    """Raise `UsageError` if one of *metrics* has no subscores, or none has those *asked* for."""
    if asked is not None:
        from exactmatch.metrics.subscores.measuring import check_sentences_known, with_subscores

        for metric in metrics:
            with_subscores(metric)
        check_sentences_known(asked, metrics)


def check_by_sentence(asked: bool, metrics: Sequence[Metric]) -> None:
    """Raise `UsageError` if sentences are to be counted, and no metric knows sentences."""
    if asked and not any(metric.tells_sentences for metric in metrics):
        raise UsageError(
            "sentences are counted one by one only with --sentences aligned, or with "
            "--document-level count of UMR, and without --anchors"
        )
