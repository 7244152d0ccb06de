"""Plots of reports as files and as pieces of HTML: equal numbers give equal bytes."""

import re
from collections.abc import Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

from exactmatch.errors import InputError
from exactmatch.report.document import Plot
from exactmatch.report.drawing import INK, drawn
from exactmatch.runtime.output import make_folder
from exactmatch.runtime.together import writing_together

_DPI = 150
#: Makes the identifiers inside SVG files the same in every run. Text stays text, also in PDF.
_SETTINGS: Any = {
    "svg.hashsalt": "exactmatch",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
}
#: The identifiers that matplotlib gives to parts of a picture; nothing refers to them, and a page
#: would have duplicates.
_NAMES = re.compile(r' id="[A-Za-z][A-Za-z0-9.]*_[0-9]+"')


def svg(plot: Plot) -> str:
    """Return a plot as an ``<svg>`` element without a title; lines have the colour of the text."""
    text = StringIO()
    _save(plot, text, titled=False, format="svg", metadata=_UNDATED_SVG, transparent=True)
    drawing = text.getvalue()
    return _NAMES.sub("", drawing[drawing.index("<svg") :]).replace(INK, "currentColor")


def write_plots(plots: Sequence[Plot], folder: Path) -> None:
    """Write every plot as PNG, SVG and PDF files into *folder*, which is made if missing."""
    make_folder(folder)
    with writing_together(folder) as files:
        for plot in plots:
            text = StringIO()
            _save(plot, text, titled=True, format="svg", metadata=_UNDATED_SVG)
            files.write(folder / f"{plot.key}.svg", text.getvalue())
            for suffix, options in _BINARY.items():
                picture = BytesIO()
                _save(plot, picture, titled=True, format=suffix, **options)
                files.write(folder / f"{plot.key}.{suffix}", picture.getvalue())


_UNDATED_SVG = {"Date": None, "Creator": None}
_BINARY: dict[str, dict[str, Any]] = {
    "png": {"dpi": _DPI, "metadata": {"Software": None}},
    "pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


def _save(plot: Plot, target: Any, *, titled: bool, **options: Any) -> None:
    try:
        from matplotlib import style
    except ValueError as error:  # it reads the settings of this machine, perhaps not in UTF-8
        raise InputError(
            f"plots: matplotlib cannot read its settings: {error}; mend its file matplotlibrc"
        ) from error

    # Not the settings of the reader's machine: a file in the current folder may have some.
    with style.context(["default", _SETTINGS]):
        drawn(plot, titled=titled).savefig(target, **options)
