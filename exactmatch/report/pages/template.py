"""Templates of pages, and JSON that may stand in them."""

from collections.abc import Iterator


def pieces(text: str) -> Iterator[str]:
    """Yield the parts of a template: its text, and the *name* of each placeholder ``{{name}}``."""
    for number, piece in enumerate(text.split("{{")):
        name, ends, rest = piece.partition("}}")
        if number and ends:
            yield name
            yield rest
        else:
            yield piece


def harmless_json(text: str) -> str:
    """Return JSON that ends no element of HTML, and is JavaScript too."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
