"""Read text once from a file, a pipe or standard input, compressed or not.

A small compressed file may unpack to endless data. So there are limits to the length of a line, the
number of lines in a list, and the size of a text that is read as a whole.

A file that another program changes while it is read would be scored as a mixture of both contents.
So every piece that is read is followed by a look at the file's size and time of change.
"""

import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Self

from exactmatch.errors import FileError, InputError
from exactmatch.stopping.interrupts import until_readable

if TYPE_CHECKING:
    from fractions import Fraction

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_FIRST_OF_MARK = _BYTE_ORDER_MARK[:1]
_GZIP_MAGIC = b"\x1f\x8b"
#: Tells zlib to expect the header and the check sum of gzip.
_GZIP_FORMAT = 16 + zlib.MAX_WBITS
#: Bytes that are read, and at most unpacked, at a time.
CHUNK = 1 << 18
#: Lines that are cut at a time: often, only the first ones are looked at.
_LINES_AT_ONCE = 1000
#: The longest lines in bytes: of any file; of certificates, where a line is a whole proof; and of
#: lists, such as identifiers or word vectors.
LONGEST_LINE = 64 << 20
LONGEST_CERTIFICATE = 512 << 20
LONGEST_OF_LIST = 1 << 20
#: The most lines of a list, and the most bytes of a file that is held as a whole.
MOST_LINES = 10_000_000
LARGEST_WHOLE = 256 << 20
#: A number has at most so many characters, and so many powers of ten to or from 1. Exact
#: computation with more of them would fill the memory.
MOST_CHARACTERS, MOST_POWERS = 1000, 999
_HUGE_EXPONENT = r"[eE][-+]?[0_]*[1-9][\d_]{3}"


class OutOfRange(ValueError):  # noqa: N818
    """A number that is too long, too large or too small to compute with."""

    def __init__(self) -> None:
        super().__init__(
            f"is out of range: at most {MOST_CHARACTERS} characters, "
            f"and powers of ten from -{MOST_POWERS} to {MOST_POWERS}"
        )


def source_name(path: str | PathLike[str]) -> str:
    """Return the name of the source in messages."""
    return "<stdin>" if str(path) == "-" else str(path)


def _standard_input() -> BinaryIO:
    """Return the bytes of standard input. Raises `InputError` if it is closed, or holds text."""
    if sys.stdin is None or getattr(sys.stdin, "closed", False):
        raise InputError("<stdin>: closed")
    buffer: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if buffer is None:  # a program may have put anything there
        raise InputError("<stdin>: not a stream of bytes")
    return buffer


#: Which file it is (device and inode), and what tells one content of that file from another: the
#: size, and the time of the last change. The time when it was read is no part of it, nor is the
#: time of a change of its name.
FileState = tuple[int, int, int, int]


class Unchanged:
    """An open file whose content may not change while it is read.

    state: the state of the file when it was opened; None for pipes and the like, which may change.
    """

    def __init__(self, file: IO[Any], name: str) -> None:
        self.state: FileState | None = _state(file)
        self._file = file
        self._name = name

    def check(self) -> None:
        """Raise `InputError` if the file has changed since it was opened.

        A file that takes its place under the same name is another file, and no change of this one.
        """
        if self.state is not None and _state(self._file) != self.state:
            raise changed(self._name)


def changed(name: str) -> InputError:
    """Return the error about a file that was changed while it was read."""
    return InputError(
        f"{name}: changed while it was read; run again when no other program writes it"
    )


class ByteStream:
    """The bytes of a source, in chunks.

    name: the name in messages. size: its bytes as they are stored; None if unknown, as for a pipe.
    position: the number of these bytes read so far. unpacked: the bytes that they unpacked to.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        watch: Callable[[bytes], object] | None = None,
        *,
        longest: int = LONGEST_LINE,
    ) -> None:
        """Open the file at *path*, or standard input for ``-``.

        *watch* is called with the stored bytes as they are read. *longest* is the limit of a line
        in bytes. Raises `InputError` if the source cannot be opened.
        """
        self.name: str = source_name(path)
        self.position: int = 0
        self.unpacked: int = 0
        self._watch = watch
        self._longest = longest
        self._is_ours = str(path) != "-"
        try:
            self._file: BinaryIO = (
                Path(path).open("rb")  # noqa: SIM115, closed by close()
                if self._is_ours
                else _standard_input()
            )
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or error}") from error
        except ValueError as error:  # a NUL in the name
            raise InputError(f"{self.name!r}: not a file name: {error}") from error
        self._unchanged = Unchanged(self._file, self.name)
        state = self._unchanged.state
        self.size: int | None = None if state is None else state[2]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file that was opened here."""
        if self._is_ours:
            self._file.close()

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes, unpacked if they start like a gzip file, whatever the name.

        Byte order marks before lines are removed, and every line ends in ``\\n`` alone. Raises
        `InputError` if the source cannot be read to its end, has a line that is too long, or is
        changed meanwhile.
        """
        try:
            first, rest = _beginning(self.stored())
            chunks = _chained(first, rest)
            if first.startswith(_GZIP_MAGIC):
                chunks = _unpacked(chunks)
            for chunk in self._with_short_lines(_text_chunks(chunks)):
                self.unpacked += len(chunk)
                yield chunk
        except (EOFError, zlib.error) as error:
            raise FileError(f"broken gzip file: {error}", source=self.name) from error
        finally:
            self.close()

    def stored(self) -> Iterator[bytes]:
        """Yield the bytes as they are stored. Raises `InputError` as `chunks` does."""
        try:
            yield from self._raw()
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or error}") from error

    def whole_digest(self) -> str:
        """Return the SHA-256 of the whole file, which is read from its beginning for that.

        Raises `InputError` if its name means another file by now, or if it is no regular file.
        """
        with ByteStream(self.name) as again:
            state = again._unchanged.state
            if state is None:
                raise InputError(
                    f"{self.name}: not a regular file, as the input of a run has to be"
                )
            if state != self._unchanged.state:
                raise changed(self.name)
            return _digest(again)

    def _with_short_lines(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield *chunks*, each shorter than a line may be, until one of their lines is too long."""
        number, length = 1, 0  # of a line that spans several chunks
        for chunk in chunks:
            end = chunk.find(b"\n")
            length += len(chunk) if end < 0 else end
            if length > self._longest:
                reason = f"a line of more than {size_shown(self._longest)}"
                raise FileError(reason, source=self.name, line=number)
            if end >= 0:
                number += chunk.count(b"\n")
                length = len(chunk) - chunk.rfind(b"\n") - 1
            yield chunk

    def _raw(self) -> Iterator[bytes]:
        # Reading only what is available lets a slow pipe be scored while it is written.
        read = getattr(self._file, "read1", self._file.read)
        may_wait = self.size is None and os.name == "posix"
        while True:
            if may_wait:
                until_readable(self._file)
            chunk = read(CHUNK)
            self._unchanged.check()
            if not chunk:
                return
            self.position += len(chunk)
            if self._watch is not None:
                self._watch(chunk)
            yield chunk


class Lines:
    """The lines of the file at a path, or of standard input for ``-``, without their ends.

    They are read as they are iterated, once.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        longest: int,
        watch: Callable[[bytes], object] | None = None,
    ) -> None:
        """Open the file; a line may have at most *longest* bytes. *watch* is as for `ByteStream`.

        Raises `InputError` if it cannot be opened or, later, cannot be read to its end.
        """
        import hashlib  # few graphs need this

        self._stream = ByteStream(path, watch, longest=longest)
        self._digest = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        with self._stream as stream:
            between = b""
            for number, line in numbered_lines(stream.chunks()):
                if number > MOST_LINES:
                    raise InputError(f"{stream.name}:{number}: more than {MOST_LINES:,} lines")
                self._digest.update(between)
                self._digest.update(line)
                between = b"\n"
                yield line

    def digest(self) -> str:
        """Return the SHA-256 of the lines read so far, with line ends between them."""
        return self._digest.hexdigest()

    def whole(self) -> bytes:
        """Return all lines, with line ends between them. Raises `InputError` if too large."""
        held: list[bytes] = []
        size = 0
        for number, line in enumerate(self, start=1):
            size += len(line) + 1
            if size > LARGEST_WHOLE:
                raise InputError(
                    f"{self._stream.name}:{number}: more than {size_shown(LARGEST_WHOLE)}"
                )
            held.append(line)
        return b"\n".join(held)


def read_lines(
    path: str | PathLike[str],
    *,
    longest: int = LONGEST_OF_LIST,
    watch: Callable[[bytes], object] | None = None,
) -> Lines:
    """Return the lines of a file: see `Lines`."""
    return Lines(path, longest=longest, watch=watch)


def size_shown(size: int) -> str:
    """Return a limit in bytes as messages show it."""
    return f"{size >> 20} MiB"


def numbered_lines(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines in *chunks*, without their ends, each with its number."""
    number = 0
    held: list[bytes] = []
    for chunk in chunks:
        rest, cut = chunk, _LINES_AT_ONCE
        while cut == _LINES_AT_ONCE:
            *lines, rest = rest.split(b"\n", _LINES_AT_ONCE)
            cut = len(lines)
            for line in lines:
                number += 1
                held.append(line)
                yield number, b"".join(held)
                held.clear()
        held.append(rest)
    if last := b"".join(held):
        yield number + 1, last


def remembered(chunks: Iterable[bytes], seen: list[bytes]) -> Iterator[bytes]:
    """Yield *chunks*, and append each to *seen* before."""
    for chunk in chunks:
        seen.append(chunk)
        yield chunk


def text_chunks(text: str) -> Iterator[bytes]:
    """Return the bytes of a string as `ByteStream.chunks` returns those of a file."""
    data = text.encode("utf-8", errors="surrogatepass")
    return _text_chunks(data[start : start + CHUNK] for start in range(0, len(data), CHUNK))


def read_whole(path: str | PathLike[str]) -> bytes:
    """Return the stored bytes of a file. Raises `InputError` if it cannot be read unchanged."""
    with ByteStream(path) as stream:
        return b"".join(stream.stored())


def file_digest(path: str | PathLike[str]) -> str:
    """Return the SHA-256 of a file. Raises `InputError` if it cannot be read unchanged."""
    with ByteStream(path) as stream:
        return _digest(stream)


def _digest(stream: ByteStream) -> str:
    import hashlib

    digest = hashlib.sha256()
    for chunk in stream.stored():
        digest.update(chunk)
    return digest.hexdigest()


def _state(file: IO[Any]) -> FileState | None:
    try:
        status = os.fstat(file.fileno())
    except (OSError, AttributeError):  # standard input may be anything
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def fraction(text: str) -> "Fraction":
    """Return the exact number that *text* writes.

    Raises `ValueError` for other text (also its subclass `OutOfRange`), and `ZeroDivisionError`.
    """
    from fractions import Fraction

    if len(text) > MOST_CHARACTERS or re.search(_HUGE_EXPONENT, text):
        raise OutOfRange
    return Fraction(text)


def _text_chunks(chunks: Iterator[bytes]) -> Iterator[bytes]:
    return _without_marks(_unix_lines(chunks))


def _beginning(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return a beginning that is long enough to recognise the kind of file, and the rest."""
    first = b""
    while len(first) < len(_BYTE_ORDER_MARK):
        chunk = next(chunks, None)
        if chunk is None:
            break
        first += chunk
    return first, chunks


def _chained(first: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _unix_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    held = b""  # a carriage return whose next character is not known yet
    for chunk in chunks:
        text = held + chunk
        held = b"\r" if text.endswith(b"\r") else b""
        text = text[: len(text) - len(held)]
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if text:
            yield text
    if held:
        yield b"\n"


def _without_marks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield *chunks* without byte order marks before lines, which joined files have inside."""
    held, begins = b"", True  # the first bytes of a mark, and whether a line begins there
    for chunk in chunks:
        text, held = held + chunk, b""
        if _FIRST_OF_MARK in text and (_BYTE_ORDER_MARK in text or _FIRST_OF_MARK in text[-2:]):
            text, held = _unmarked(text, begins=begins)
        if text:
            begins = text.endswith(b"\n")
            yield text
    if held:
        yield held


def _unmarked(text: bytes, *, begins: bool) -> tuple[bytes, bytes]:
    """Return *text* without marks before lines, and the first bytes of a mark at its end.

    *begins* tells whether a line begins with the text.
    """
    lines = text.split(b"\n")
    for number in range(0 if begins else 1, len(lines)):
        while lines[number].startswith(_BYTE_ORDER_MARK):
            lines[number] = lines[number].removeprefix(_BYTE_ORDER_MARK)
    last = lines[-1]
    is_part = (begins or len(lines) > 1) and last != b"" and _BYTE_ORDER_MARK.startswith(last)
    if is_part:
        lines[-1] = b""
    return b"\n".join(lines), last if is_part else b""


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Unpack consecutive gzip files, with zeros after each."""
    member = zlib.decompressobj(_GZIP_FORMAT)
    for chunk in chunks:
        rest = chunk
        while rest:
            if member.eof:
                rest = rest.lstrip(b"\0")
                if not rest:
                    break
                member = zlib.decompressobj(_GZIP_FORMAT)
            yield member.decompress(rest, CHUNK)
            rest = member.unused_data if member.eof else member.unconsumed_tail
    while not member.eof:
        more = member.decompress(b"", CHUNK)
        if not more and not member.eof:
            raise EOFError("it ends too early")
        yield more
