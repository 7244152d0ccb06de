"""Terminal control characters are escaped, and all other characters stay."""

import sys
import unicodedata
from io import StringIO

import pytest

from exactmatch.runtime.harmless import (
    HarmlessStream,
    bare,
    harmless,
    harmless_stream,
    harmless_streams,
    on_one_line,
)


def test_control_characters_are_written_out_and_nothing_else() -> None:
    """The test covers all of Unicode: C0, DEL, C1, separators, directions, half characters."""
    texts = ["".join(map(chr, range(k, k + 256))) for k in range(0, sys.maxunicode + 1, 256)]
    # One by one, these are a million calls.
    changed = {c for text in texts if harmless(text) != text for c in text if harmless(c) != c}
    controls = {
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in ("Cc", "Cs")
    }
    turning = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}
    assert changed == (controls - {"\n", "\t"}) | {"\u2028", "\u2029"} | turning
    for character in changed:
        assert harmless(character).encode().decode("unicode_escape") == character
    for character in map(chr, range(128)):  # texts of ASCII alone are searched in another way
        assert harmless(f"{character}é") == f"{harmless(character)}é"


def test_ordinary_text_stays() -> None:
    text = "Zoë\tsaid\u00a0:\n“नमस्ते” \u200f(שלום)\u200e — क्\u200dष 👩\u200d🚀 \\x1b\u3000\ufeff"
    assert harmless(text) == text
    assert on_one_line("a\tb\nc\x1b") == "a\tb\\nc\\x1b"


def test_a_harmless_stream_writes_nothing_else() -> None:
    text = StringIO()
    stream = harmless_stream(text)
    assert stream.write("\x1bab\n") == 4
    stream.writelines(["\x9b", "c"])
    print("\x07", end="", file=stream)
    assert text.getvalue() == "\\x1bab\n\\x9bc\\x07"
    assert harmless_stream(stream) is stream and bare(stream) is text and bare(text) is text
    for way in ("buffer", "detach"):
        assert not hasattr(HarmlessStream(sys.stdout), way)
    with pytest.raises(TypeError):
        HarmlessStream(text).write(b"")


def test_streams_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that another program has put there meanwhile stays. For None, another one stands."""
    before = sys.stdout, sys.stderr
    with harmless_streams():
        assert isinstance(sys.stdout, HarmlessStream) and isinstance(sys.stderr, HarmlessStream)
        with harmless_streams():
            print("\x1b", file=sys.stderr)
    assert (sys.stdout, sys.stderr) == before
    other = StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        with harmless_streams():
            with pytest.raises(OSError, match="closed"):
                print("to nobody")
            patch.setattr(sys, "stdout", other)
        kept: object = sys.stdout
        assert kept is other
    assert sys.stdout is before[0]
