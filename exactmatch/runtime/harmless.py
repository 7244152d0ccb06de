"""Text that cannot steer a terminal, and standard streams that write nothing else.

What graphs, files and command lines say may hold escape sequences, which colour, move, rename,
or show a link to somewhere else. They are written out as Python writes them, as in ``\\x1b``.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

#: Control characters but for line feed and tab, DEL and C1 among them; separators of lines and
#: paragraphs; what turns the direction of writing round; halves of characters.
_STEERING = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
#: Those of them that ASCII has, which takes a tenth of the time to compile.
_STEERING_IN_ASCII = r"[\x00-\x08\x0b-\x1f\x7f]"


def harmless(text: str) -> str:
    """Return *text* with what steers a terminal written out; line feeds and tabs stay."""
    return re.sub(_STEERING_IN_ASCII if text.isascii() else _STEERING, _written_out, text)


def on_one_line(text: str) -> str:
    """Return *text* as `harmless` does, with line feeds written out, too."""
    return harmless(text).replace("\n", "\\n")


def _written_out(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


class HarmlessStream:
    """A stream of text that writes to *bare*, and writes out what steers a terminal.

    All else is as with *bare*, but that there is no way to its bytes.
    """

    def __init__(self, bare: TextIO) -> None:
        self.bare = bare

    def write(self, text: Any, /) -> int:
        """Write *text*, a str or UTF-8; return its length, as streams do.

        Click completes words in bytes. No bytes at all are refused all the same: if they could be
        written, which is how click asks, it would take this for a stream of bytes.
        """
        if text and isinstance(text, bytes):
            text = text.decode("utf-8", "backslashreplace")
        self.bare.write(harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str], /) -> None:
        """Write *lines*, which have their ends."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        # With the bytes, click would make a stream of its own where it distrusts the encoding.
        if name in ("bare", "buffer", "detach"):
            raise AttributeError(name)
        return getattr(self.bare, name)


def harmless_stream(stream: TextIO) -> TextIO:
    """Return what writes to *stream* what is harmless alone."""
    # There is no stream if its descriptor was closed at the start.
    if stream is None or isinstance(stream, HarmlessStream):
        return stream
    return cast("TextIO", HarmlessStream(stream))


def bare(stream: TextIO) -> TextIO:
    """Return the stream under *stream*, for text of which every piece is known to be harmless."""
    return stream.bare if isinstance(stream, HarmlessStream) else stream


def guard_streams() -> None:
    """Make standard output and standard error harmless, until the process ends."""
    sys.stdout, sys.stderr = harmless_stream(sys.stdout), harmless_stream(sys.stderr)


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Make standard output and standard error harmless as long as the block lasts."""
    before = sys.stdout, sys.stderr
    guard_streams()
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        # Whoever has put another stream there, as click does for a closed pipe, had a reason.
        if sys.stdout is ours[0]:
            sys.stdout = before[0]
        if sys.stderr is ours[1]:
            sys.stderr = before[1]
