"""Tables in plain text."""

from collections.abc import Sequence
from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

#: A line under the head. In ASCII, so that the table is the same bytes on every terminal.
_BOX = box.Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
#: Columns of the terminal: enough that nothing is ever broken.
_WIDTH = 100_000


def grid(titles: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[bool]) -> str:
    """Return a table; columns of *texts* stand to the left, others to the right."""
    table = Table(box=_BOX, pad_edge=False, show_edge=False)
    for title, is_text in zip(titles, texts, strict=True):
        table.add_column(Text(title), justify="left" if is_text else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(file=StringIO(), width=_WIDTH, record=True)
    console.print(table)
    return "\n".join(line.rstrip() for line in console.export_text().splitlines()) + "\n"
