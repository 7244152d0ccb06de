"""Writing the page on which annotations are adjudicated: one file, which needs nothing else."""

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

from exactmatch.graphs.graph import UMR
from exactmatch.report.pages.template import harmless_json, pieces
from exactmatch.scoring.validity import amr, umr

#: What the page runs, in this order, as one script: files of ``script`` and ``adjudication``.
_SCRIPTS = (
    "script/elements", "adjudication/batch", "adjudication/result", "adjudication/faults",
    "adjudication/work", "adjudication/people",
    "adjudication/keeping", "adjudication/export", "adjudication/words", "adjudication/questions",
    "adjudication/drawing", "adjudication/view", "adjudication/keys",
)  # fmt: skip


def adjudication_page(content: Mapping[str, Any]) -> str:
    """Return the page of a batch, as HTML."""
    place = files("exactmatch.report.pages")
    styles = (files("exactmatch.report") / "base.css", place / "adjudication" / "page.css")
    scripts = (place.joinpath(f"{name}.js") for name in _SCRIPTS)
    parts = {
        "title": escape(f"Adjudication of {', '.join(content['annotators'])}"),
        "style": "".join(style.read_text(encoding="utf-8") for style in styles),
        "script": "\n".join(
            ['"use strict";', *(script.read_text(encoding="utf-8") for script in scripts)]
        ),
        "batch": harmless_json(
            json.dumps(page_content(content), ensure_ascii=False, separators=(",", ":"))
        ),
    }
    template = (place / "adjudication" / "page.html").read_text(encoding="utf-8")
    return "".join(parts.get(piece, piece) for piece in pieces(template))


def page_content(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a batch as the page has it: with rules, and metadata in pairs.

    Pairs keep their order, while objects of JavaScript put keys that are numbers first.
    """
    items = [{**item, "metadata": [*item["metadata"].items()]} for item in content["items"]]
    return {**content, "items": items, "rules": fault_rules(content["format"])}


def fault_rules(form: str) -> dict[str, Any]:
    """Return what the checks of a format go by: regular expressions, and roles.

    roles: those of the AMR model of penman; areKnown: whether others are a fault. variable: what
    looks like one. leadingBack: the roles that may form cycles.
    """
    from penman.models.amr import model

    rules = umr if form == UMR else amr
    return {
        "roles": sorted(model.roles),
        "areKnown": form != UMR,
        # In Python, digits are those of any script.
        "variable": rules.LIKE_A_VARIABLE.pattern.replace(r"\d", r"\p{Nd}"),
        "leadingBack": sorted(umr.LEADING_BACK) if form == UMR else [],
    }
