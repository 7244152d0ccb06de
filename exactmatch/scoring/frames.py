"""Make tables outside reports: data frames of pandas, and HTML for notebooks."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exactmatch.errors import UsageError

if TYPE_CHECKING:
    import pandas

#: Blue and orange as in the pages, in a lightness that is visible on white and on black.
_SURE, _UNSURE = "#3d7fc4", "#c05f15"


def data_frame(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> "pandas.DataFrame":
    """Return a data frame. Raises `UsageError` if pandas is not installed."""
    try:
        import pandas
    except ImportError as error:
        raise UsageError("data frames need pandas: pip install 'exactmatch[frame]'") from error
    return pandas.DataFrame(list(rows), columns=list(columns))


def check_parquet(path: Path) -> None:
    """Raise `UsageError` if *path* names a Parquet file, and pyarrow is not installed."""
    if path.suffix.lower() != ".parquet":
        return
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        reason = "Parquet needs pyarrow: pip install 'exactmatch[parquet]'"
        raise UsageError(f"{path}: {reason}") from error


def html_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str, is_sure: bool
) -> str:
    """Return a small table of text cells, with *caption* below it.

    The edge of the caption is blue if all is proven (*is_sure*), otherwise orange; the text has the
    colour of its surroundings, so that it is readable in light and in dark notebooks.
    """
    from html import escape

    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    edge = _SURE if is_sure else _UNSURE
    return (
        '<table style="color: inherit; font-variant-numeric: tabular-nums">'
        '<caption style="caption-side: bottom; text-align: left; color: inherit; '
        f'margin-top: .3em; padding-left: .6em; border-left: 4px solid {edge}">'
        f"{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
