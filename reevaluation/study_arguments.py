"""The arguments of a study: its clones, and where its tables go."""

from __future__ import annotations

import argparse
from pathlib import Path


def study_parser(description: str | None, *clones: str) -> argparse.ArgumentParser:
    """Return a parser of the arguments that every study takes; *clones* are names of repositories.

    *description* is shown as it is. The caller may add options.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for clone in clones:
        parser.add_argument(clone, type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    return parser
