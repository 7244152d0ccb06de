"""Lines of comma-separated values, after RFC 4180 but for plain line feeds between them."""

import csv
import io
from collections.abc import Iterable


def csv_line(cells: Iterable[object]) -> str:
    """Return *cells* as a line, without its end; what has a line end in it is quoted."""
    file = io.StringIO()
    # The writer quotes only the characters that it ends lines with.
    csv.writer(file, lineterminator="\r\n").writerow(cells)
    return file.getvalue().removesuffix("\r\n")
