"""Which subscores are asked for: by name, with aspects and frames that come from files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, Union

from exactmatch.api.metrics import StrPath
from exactmatch.metrics.base import Metric

if TYPE_CHECKING:
    from exactmatch.subscores.asked import Subscores

#: What functions take that score: names in a text, with commas between, or what has selected them.
AskedSubscores: TypeAlias = Union[str, "Subscores", None]


def select_subscores(
    *names: str, aspects: StrPath | None = None, frames: StrPath | None = None
) -> "Subscores":
    """Return the subscores called so, to be given to `score`.

    Args:
        *names: of subscores or of groups of such: ``damonte``, ``damonte-set``, ``aspects``,
            ``aspects-own``, ``sbn``, ``sbn-own``, ``documents``; a text may have several, with
            commas between.
        aspects: a TOML file with aspects of your own; all of them are counted as well.
        frames: a table of frames: a concept, one of its roles, and the role that stands for it, on
            each line.

    Raises:
        InputError: for files that cannot be used.
        UsageError: for a name that does not exist.

    Example:
        >>> import exactmatch
        >>> wanted = exactmatch.select_subscores("concepts", "reentrancies")
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"
        >>> found = exactmatch.score(system, gold, subscores=wanted).subscores
        >>> found["concepts"].matched, found["reentrancies"].pairs
        (1, 0)
    """
    from exactmatch.subscores.asked import Subscores
    from exactmatch.subscores.files import read_aspects, read_frames

    own, digest = ({}, "") if aspects is None else read_aspects(aspects)
    table = None if frames is None else read_frames(frames)
    listed = [name.strip() for text in names for name in text.split(",")]
    return Subscores.of(listed, own, digest, table)


def chosen_subscores(given: AskedSubscores) -> "Subscores | None":
    """Return the subscores that are *given*. Raises `UsageError` for what does not exist."""
    return select_subscores(given) if isinstance(given, str) else given


def check_subscores(asked: "Subscores | None", metrics: Sequence[Metric]) -> None:
    """Raise `UsageError` if one of *metrics* has no subscores, or none has those *asked* for."""
    if asked is not None:
        from exactmatch.subscores.measuring import check_sentences_known, with_subscores

        for metric in metrics:
            with_subscores(metric)
        check_sentences_known(asked, metrics)
