"""Find the folder of the npm package pyodide, a browser's Python, for tests."""

import os
from pathlib import Path

#: Names that folder.
VARIABLE = "EXACTMATCH_PYODIDE"


def runtime() -> Path | None:
    """Return the folder, or None if no folder is named."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None
