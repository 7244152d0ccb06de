"""Names on which users' programs and files rely stay: imports, metrics, signatures, files.

The names are in files of the folder golden. ``--update-golden`` adds new ones, and neither changes
nor removes any. To change or remove one on purpose, edit the file, and add a line to the changelog.
"""

import json
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from command_files import LISTED

import exactmatch
from exactmatch.encodings import NAMES, get_encoding

GOLDEN = Path(__file__).parent / "golden"
LIST = GOLDEN / "public_names.txt"


def listed() -> list[str]:
    return LIST.read_text(encoding="utf-8").splitlines()


def promised() -> set[str]:
    """Return the public functions, and the registered metrics and encodings, with their modules."""
    kinds = [*exactmatch.METRICS.values()]
    encodings = [(type(get_encoding(name)).__module__, get_encoding(name)) for name in NAMES]
    return {
        *(f"exactmatch.{name}" for name in exactmatch.__all__),
        *(f"{kind.__module__}.{kind.__name__}" for kind in kinds),
        *(
            f"{module}.{name}"
            for module, encoding in encodings
            for name, value in vars(import_module(module)).items()
            if value is encoding
        ),
    }


def test_names_that_are_promised_are_listed(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        LIST.write_text("\n".join(sorted({*listed(), *promised()})) + "\n", encoding="utf-8")
    assert promised() - {*listed()} == set()


def test_names_that_are_listed_are_where_they_were() -> None:
    names = listed()
    assert "exactmatch.score" in names
    for name in names:
        resolve_name(name)


def test_the_package_shows_the_listed_names_alone() -> None:
    own = {name for name in listed() if name.count(".") == 1}
    assert own - {"exactmatch.compat"} == {f"exactmatch.{name}" for name in exactmatch.__all__}


@pytest.mark.parametrize("module", ["exactmatch.compat.amr", "exactmatch.compat.smatch"])
def test_modules_of_smatch_show_its_names_alone(module: str) -> None:
    place, taken = import_module(module), dict[str, object]()
    exec(f"from {module} import *", taken)
    own = [name.removeprefix(f"{module}.") for name in listed() if name.startswith(f"{module}.")]
    assert dir(place) == sorted(place.__all__) == own
    assert sorted(taken.keys() - {"__builtins__"}) == dir(place)


def known(name: str, found: dict[str, Any], request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return what is known by name, from a file that gets the new names of *found* on request."""
    path = GOLDEN / name
    written: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if request.config.getoption("--update-golden"):
        written = {**found, **written}
        text = json.dumps(written, indent=1, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return written


def test_metrics_keep_their_names_and_signatures(request: pytest.FixtureRequest) -> None:
    found: dict[str, Any] = {}
    for name, kind in exactmatch.METRICS.items():
        usual = kind.profiles["default"]
        names = [kind.title, kind.unit, kind.format, *kind.parts]
        found[name] = [*names, usual.scale, *kind.takes, *kind.parameters]
        for profile, of in kind.profiles.items():
            found[f"{name}:{profile}"] = [of.profile, of.signature()]
    assert [*found.items()] == [*known("metrics.json", found, request).items()]


def test_parameters_that_name_files_stay_such(request: pytest.FixtureRequest) -> None:
    """Files that a command reads are not overwritten, and changes of them are noticed."""
    found = {
        f"{name} {one}": use
        for name, files in LISTED.items()
        for use, names in zip(("read", "written"), files, strict=True)
        for one in sorted(names)
    }
    assert found == known("command_files.json", found, request)
