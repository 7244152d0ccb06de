"""Streams that stand for standard streams that are closed. Few runs need them."""

import errno
import io


class ClosedOutput(io.TextIOBase):
    """Stands for standard output if that is closed: writing to it fails."""

    name = "<stdout>"  # as errors call it

    def write(self, text: str, /) -> int:
        """Raise `OSError`."""
        raise OSError(errno.EBADF, "closed")


class Unheard(io.TextIOBase):
    """Stands for standard error if that is closed: drops what is written to it."""

    def write(self, text: str, /) -> int:
        """Return the length of *text*."""
        return len(text)
