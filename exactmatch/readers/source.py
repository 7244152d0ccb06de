"""Where text comes from: a file, compressed or not, or standard input."""

import gzip
import re
import sys
import zlib
from fractions import Fraction
from os import PathLike
from pathlib import Path

from exactmatch.errors import InputError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_GZIP_MAGIC = b"\x1f\x8b"
#: An exponent of which the number would fill the memory.
_HUGE_EXPONENT = re.compile(r"[eE][-+]?[\d_]{5}")


def source_name(path: str | PathLike[str]) -> str:
    """Return what messages call the source."""
    return "<stdin>" if str(path) == "-" else str(path)


def read_lines(path: str | PathLike[str]) -> list[bytes]:
    """Return the lines of the file at *path*, or of standard input for ``-``.

    Line ends of any system are taken off, and so is a byte order mark. What starts like a gzip
    file is unpacked, whatever it is called. Raises `InputError` if it cannot be read.
    """
    if str(path) == "-" and sys.stdin is None:
        raise InputError("<stdin>: closed")
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
        if data.startswith(_GZIP_MAGIC):
            data = gzip.decompress(data)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{source_name(path)}: broken gzip file: {error}") from error
    except OSError as error:
        raise InputError(f"{source_name(path)}: {error.strerror or error}") from error
    return data.removeprefix(_BYTE_ORDER_MARK).splitlines()


def text_lines(text: str) -> list[bytes]:
    """Return the lines of a string as `read_lines` returns those of a file."""
    return text.removeprefix("\ufeff").encode("utf-8", errors="surrogatepass").splitlines()


def fraction(text: str) -> Fraction:
    """Return the number that *text* writes, exactly.

    Raises `ValueError` if it is none or its exponent is beyond use, and `ZeroDivisionError`.
    """
    if _HUGE_EXPONENT.search(text):
        raise ValueError(f"{text!r} is out of range")
    return Fraction(text)
