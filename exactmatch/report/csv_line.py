"""Lines of comma-separated values, after RFC 4180 but with plain line feeds between them."""

import csv
import io
from collections.abc import Iterable


def csv_line(cells: Iterable[object]) -> str:
    """Return *cells* as a line, without its end; cells that contain a line end are quoted."""
    file = io.StringIO()
    # The writer only quotes the characters that it ends lines with.
    csv.writer(file, lineterminator="\r\n").writerow(cells)
    return file.getvalue().removesuffix("\r\n")
