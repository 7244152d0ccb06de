"""Find the folder of the npm package pyodide, a browser's Python, for tests."""

import os
from pathlib import Path

from javascript_checker import node

#: Names that folder.
VARIABLE = "EXACTMATCH_PYODIDE"


def runtime() -> Path | None:
    """Return the folder, or None if no folder is named or Node.js, which runs it, is missing."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named and node() is not None else None
