"""Lay out tables in plain text."""

from collections.abc import Sequence

from exactmatch.runtime.harmless import harmless

#: Separates columns.
_GAP = "   "


def grid(titles: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[bool]) -> str:
    """Return a table; columns of *texts* are aligned to the left, others to the right."""
    lines = [[_in_one_line(cell) for cell in row] for row in (titles, *rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    head, *body = (_GAP.join(map(_padded, line, widths, texts)).rstrip() + "\n" for line in lines)
    rule = "-" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    return "".join([head, f"{rule}\n", *body])


def _in_one_line(text: str) -> str:
    return harmless(" ".join(text.splitlines()))


def _width(text: str) -> int:
    """Return the width of *text* in columns of a terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _padded(text: str, width: int, is_text: bool) -> str:
    blank = " " * (width - _width(text))
    return text + blank if is_text else blank + text


def whole(count: int, scale: int) -> str:
    """Return a count in triples, with a fraction if the metric counts parts of them."""
    return str(count) if scale == 1 else f"{count / scale:.3f}"
