"""Write out control characters, so that text cannot steer a terminal.

Graphs, files and command lines may hold escape sequences, which colour, move, rename, or show a
link to somewhere else. They are written out as Python writes them, as in ``\\x1b``.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from exactmatch.runtime.standard_streams import standard_error, standard_output

#: Control characters except line feed and tab, including DEL and C1; separators of lines and
#: paragraphs; characters that change the direction of writing; surrogates.
_STEERING = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
#: The ASCII characters among them; this pattern compiles in a tenth of the time.
_STEERING_IN_ASCII = r"[\x00-\x08\x0b-\x1f\x7f]"


def harmless(text: str) -> str:
    """Return *text* with control characters written out, except line feeds and tabs."""
    return re.sub(_STEERING_IN_ASCII if text.isascii() else _STEERING, _written_out, text)


def on_one_line(text: str) -> str:
    """Return *text* as `harmless` does, with line feeds written out, too."""
    return harmless(text).replace("\n", "\\n")


def _written_out(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


#: What errors call the standard streams, by Python's names.
_STREAMS = {"<stdout>": "standard output", "<stderr>": "standard error"}


@contextmanager
def errors_of(stream: TextIO) -> Iterator[None]:
    """Have errors of the system name the standard stream that is written in the block."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = _STREAMS.get(getattr(stream, "name", ""))
        raise


class HarmlessStream:
    """A stream of text that writes to *bare*, with control characters written out.

    Everything else is as with *bare*, but there is no access to its bytes, and errors of the system
    name the stream.
    """

    def __init__(self, bare: TextIO) -> None:
        self.bare = bare

    def write(self, text: Any, /) -> int:
        """Write *text*, a str or UTF-8; return its length, as streams do.

        Click completes words in bytes. Empty bytes are still refused: click tests with them whether
        this is a stream of bytes.
        """
        if text and isinstance(text, bytes):
            text = text.decode("utf-8", "backslashreplace")
        with errors_of(self.bare):
            self.bare.write(harmless(text))
        return len(text)

    def flush(self) -> None:
        """Flush the stream."""
        with errors_of(self.bare):
            self.bare.flush()

    def writelines(self, lines: Iterable[str], /) -> None:
        """Write *lines*, which include their ends."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        # With access to the bytes, click would make a stream of its own if it distrusts the
        # encoding.
        if name in ("bare", "buffer", "detach"):
            raise AttributeError(name)
        return getattr(self.bare, name)


def harmless_stream(stream: TextIO) -> TextIO:
    """Return a stream that writes to *stream* with control characters written out."""
    if isinstance(stream, HarmlessStream):
        return cast("TextIO", stream)
    return cast("TextIO", HarmlessStream(stream))


def bare(stream: TextIO) -> TextIO:
    """Return the stream under *stream*, for text whose pieces are all known to be harmless."""
    return stream.bare if isinstance(stream, HarmlessStream) else stream


def guard_streams() -> None:
    """Make standard output and standard error harmless, until the process ends.

    If one of them is closed, another stream stands for it.
    """
    sys.stdout = harmless_stream(standard_output())
    sys.stderr = harmless_stream(standard_error())


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Make standard output and standard error harmless as long as the block lasts."""
    before = sys.stdout, sys.stderr
    guard_streams()
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        # A stream that somebody else has put there, as click does for a closed pipe, has a reason.
        if sys.stdout is ours[0]:
            sys.stdout = before[0]
        if sys.stderr is ours[1]:
            sys.stderr = before[1]
