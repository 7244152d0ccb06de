"""The papers of metrics and profiles, as BibTeX; metrics name them by their keys."""

import re
from collections.abc import Iterable
from importlib import resources

_ENTRY = re.compile(r"^@\w+\{([\w-]+),\n.*?^\}$", re.MULTILINE | re.DOTALL)


def entries() -> dict[str, str]:
    """Return all entries by their keys."""
    text = (resources.files(__package__) / "papers.bib").read_text(encoding="utf-8")
    return {found[1]: found[0] for found in _ENTRY.finditer(text)}


def entries_of(keys: Iterable[str]) -> list[str]:
    """Return the entries with these keys, each once."""
    there = entries()
    return [there[key] for key in dict.fromkeys(keys)]
