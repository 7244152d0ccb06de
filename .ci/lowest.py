"""Print the least versions that pyproject.toml allows of all packages that it names, for pip.

    python .ci/lowest.py > constraints.txt

Versions are those of "at least" (>=) and "exactly" (==). A package has one in all lists.
"""

import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

SETTINGS = Path(__file__).resolve().parents[1] / "pyproject.toml"


def main() -> None:
    """Raise `SystemExit` if a package has two least versions, or none."""
    settings = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))
    project = settings["project"]
    lists = [settings["build-system"]["requires"], project["dependencies"]]
    lists += project["optional-dependencies"].values()
    least: dict[str, str] = {}
    for requirement in chain.from_iterable(lists):
        found = re.match(r"([\w-]+)[>=]=([\w.]+)(,<[\w.]+)?$", requirement)
        if found is None:
            sys.exit(f"{requirement}: no least version")
        package, version = found[1], found[2]
        if least.setdefault(package, version) != version:
            sys.exit(f"{package}: least versions {least[package]} and {version}")
    for package in sorted(least):
        print(f"{package}=={least[package]}")


if __name__ == "__main__":
    main()
