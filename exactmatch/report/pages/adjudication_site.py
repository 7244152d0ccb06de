"""Writing the page on which annotations are adjudicated: one file, which needs nothing else."""

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from exactmatch.report.pages.template import harmless_json, pieces
from exactmatch.runtime.output import PAGE, writing

#: What the page runs, in this order, as one script: files of ``script`` and ``adjudication``.
_SCRIPTS = (
    "script/elements", "adjudication/batch", "adjudication/result", "adjudication/faults",
    "adjudication/work",
    "adjudication/keeping", "adjudication/words", "adjudication/questions",
    "adjudication/drawing", "adjudication/view", "adjudication/keys",
)  # fmt: skip


def write_adjudication(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write the page of a batch to ``index.html`` in *folder*; return its path."""
    place = files("exactmatch.report.pages")
    styles = (files("exactmatch.report") / "base.css", place / "adjudication" / "page.css")
    scripts = (place.joinpath(f"{name}.js") for name in _SCRIPTS)
    shown = {**content, "roles": _roles()}
    parts = {
        "title": escape(f"Adjudication of {', '.join(content['annotators'])}"),
        "style": "".join(style.read_text(encoding="utf-8") for style in styles),
        "script": "\n".join(
            ['"use strict";', *(script.read_text(encoding="utf-8") for script in scripts)]
        ),
        "batch": harmless_json(json.dumps(shown, ensure_ascii=False, separators=(",", ":"))),
    }
    template = (place / "adjudication" / "page.html").read_text(encoding="utf-8")
    page = folder / PAGE
    with writing(page) as file:
        for piece in pieces(template):
            file.write(parts.get(piece, piece))
    return page


def _roles() -> list[str]:
    """Return the roles of the AMR model of penman, as regular expressions."""
    from penman.models.amr import model

    return sorted(model.roles)
