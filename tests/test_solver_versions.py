"""The versions of the packages that solvers come from, found without what loads slowly."""

import subprocess
import sys
from collections.abc import Mapping
from importlib.machinery import PathFinder
from importlib.metadata import MetadataPathFinder, PackageNotFoundError, version
from pathlib import Path
from zipfile import ZipFile

import pytest

from exactmatch import _version

PLAIN = "Metadata-Version: 2.1\nName: python-sat\nVersion: 1.8.dev13\n\nVersion: 9\n"
FILES: Mapping[str, tuple[bool, Mapping[str, str]]] = {
    "a wheel": (True, {"python_sat-1.8.dev13.dist-info/METADATA": PLAIN}),
    "a name in capitals": (True, {"Python.SAT-1.8.dist-info/METADATA": PLAIN}),
    "a folder that says another version": (True, {"python_sat-2.dist-info/METADATA": PLAIN}),
    "an epoch": (True, {"python_sat-1.dist-info/METADATA": "Version: 1!2.0+x.y\n"}),
    "a name with runs": (True, {"python._sat-1.8.dist-info/METADATA": PLAIN}),
    "an egg": (False, {"python_sat-1.egg-info/PKG-INFO": PLAIN}),
    "three": (
        True,
        {f"python_sat-{n}.dist-info/METADATA": f"Version: {n}\n\n" for n in (1, 2, 3)},
    ),
    "no metadata": (False, {"python_sat-1.dist-info/PKG-INFO": PLAIN}),
    "small letters": (False, {"python_sat-1.dist-info/METADATA": "version: 3\n\n"}),
    "two lines": (False, {"python_sat-1.dist-info/METADATA": "Version: 3\n  4\n\n"}),
    "a space": (False, {"python_sat-1.dist-info/METADATA": "Version: 3 \n\n"}),
}


def found(package: str) -> str:
    return _version._version(package, _version._plain_metadata())


def is_found_at_once(package: str) -> bool:
    folder = _version._plain_metadata().get(package.replace("-", "_"))
    return folder is not None and _version._said_in(folder / "METADATA") is not None


def lay_out(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize(("is_plain", "files"), FILES.values(), ids=FILES.keys())
def test_a_version_is_what_the_standard_library_says(
    is_plain: bool, files: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path, files)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "nowhere"), str(tmp_path), *sys.path])
    assert found("python-sat") == version("python-sat")
    # Other packages may have changed who finds packages in the process of the tests.
    finders = [one for one in sys.meta_path if hasattr(one, "find_distributions")]
    assert is_found_at_once("python-sat") == (is_plain and finders == [PathFinder])


def test_a_package_in_an_archive_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("python_sat-7.dist-info/METADATA", "Version: 7\n\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "all.zip"), *sys.path])
    assert found("python-sat") == version("python-sat") == "7"


def test_an_archive_of_the_standard_library_is_passed_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a browser, what the standard library takes to look for a package loads very slowly."""
    library = tmp_path / f"python{sys.version_info.major}{sys.version_info.minor}.zip"
    with ZipFile(library, "w") as archive:
        archive.writestr("this.py", "")
    lay_out(tmp_path, {"python_sat-7.dist-info/METADATA": "Version: 7\n\n"})
    monkeypatch.setattr(sys, "path", [str(library), str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    # Other packages may have taken it away in the process of the tests.
    finding = MetadataPathFinder.find_distributions
    monkeypatch.setattr(PathFinder, "find_distributions", finding, raising=False)
    assert is_found_at_once("python-sat")
    assert found("python-sat") == version("python-sat") == "7"


def test_who_finds_packages_in_another_way_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        @staticmethod
        def find_distributions(context: object = None) -> list[object]:
            return []

    monkeypatch.setattr(sys, "meta_path", [Other, *sys.meta_path])
    assert not is_found_at_once("python-sat")
    assert found("python-sat") == version("python-sat")


def test_a_package_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(PackageNotFoundError):
        _version.solver_versions.__wrapped__()


def test_versions_are_found_without_the_module_that_loads_slowly() -> None:
    program = (
        "import sys; from exactmatch._version import solver_versions; print(solver_versions());"
        "print('importlib.metadata' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    names = [f"{name}-{version(name)}" for name in ("ortools", "python-sat")]
    assert said.stdout.split("\n")[0] == "+".join(names)
    if is_found_at_once("ortools") and is_found_at_once("python-sat"):
        assert said.stdout.split("\n")[1] == "False"
