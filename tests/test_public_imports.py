"""Names that users may import keep their place, since users' programs contain them.

The list is a file. ``--update-golden`` adds the names of new functions, metrics and encodings, and
removes none. Removing a name from the package requires removing it from the file, and a line in the
changelog.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pytest

import exactmatch
from exactmatch.encodings import NAMES, get_encoding

LIST = Path(__file__).parent / "golden" / "public_names.txt"


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
