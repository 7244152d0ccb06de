"""The packages that are installed in a version too old for exactmatch."""

import re


def unmet() -> list[str]:
    """Name each package that exactmatch always needs and that is too old, with its versions.

    pip prevents that, but a later installation of something else may bring in an older version.
    """
    from importlib.metadata import PackageNotFoundError, requires, version

    found = []
    try:
        for requirement in requires("exactmatch") or ():
            needed = re.fullmatch(r"([\w-]+)>=([\w.]+)", requirement)
            if needed is None:  # of an extra
                continue
            package, least = needed.groups()
            if _numbers(version(package)) < _numbers(least):
                found.append(
                    f"{package} {version(package)} is installed, and exactmatch needs {requirement}"
                )
    except PackageNotFoundError:  # not installed by pip, as in a browser; then nobody knows
        return found
    return found


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
