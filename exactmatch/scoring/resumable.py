"""A run that can be resumed. It is loaded for a run with a checkpoint."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from exactmatch.runtime.checkpoint import Checkpoint


class Resumable(NamedTuple):
    """What a run needs to be resumed.

    checkpoint: has begun; it holds the results of an earlier run, and saves those of this one.
    check_read: called before outputs are written. If it raises `InputError`, since an input is not
        the same any more, the checkpoint forgets all results.
    """

    checkpoint: "Checkpoint"
    check_read: Callable[[], None]
