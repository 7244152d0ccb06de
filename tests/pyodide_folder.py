"""Where the browser's Python is, for tests: the folder of the npm package pyodide."""

import os
from pathlib import Path

from javascript_checker import node

#: Names that folder.
VARIABLE = "EXACTMATCH_PYODIDE"


def runtime() -> Path | None:
    """Return the folder; None if none is named, or Node.js, which runs it as well, is not there."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named and node() is not None else None
