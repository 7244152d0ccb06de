"""The least versions of other packages, and what is said of versions that are too old."""

import importlib.metadata
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.version import Version

import exactmatch.__main__
from exactmatch import encodings
from exactmatch._requirements import unmet
from exactmatch.cli import main
from exactmatch.errors import SolverError
from exactmatch.stopping.interrupts import Interrupt

ROOT = Path(__file__).parents[1]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """Return a function by which packages have other versions, and some of them are needed."""
    needed = ["click>=8.2", "numpy>=2.0.2", "pandas>=2.2.2", "scipy>=9; extra == 'studies'"]
    usual = {"click": "8.10", "numpy": "2.0.10", "pandas": "3.0"}

    def install(versions: dict[str, str]) -> None:
        monkeypatch.setattr(importlib.metadata, "requires", lambda _: needed)
        monkeypatch.setattr(importlib.metadata, "version", (usual | versions).__getitem__)

    return install


@pytest.mark.checkout
def test_every_package_has_one_least_version_and_they_fit_together() -> None:
    """What a package needs is known where it is installed in its least version, as OR-tools is."""
    command = [sys.executable, str(ROOT / ".ci" / "lowest.py")]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    least = dict(line.split("==") for line in printed.split())
    assert {"click", "cython", "ortools", "pandas", "pyarrow", "pytest"} < {*least}
    looked_at = 0
    for package, version in least.items():
        try:
            distribution = importlib.metadata.distribution(package)
        except importlib.metadata.PackageNotFoundError:
            continue
        if Version(distribution.version) != Version(version):
            continue
        for requirement in map(Requirement, distribution.requires or ()):
            given = least.get(requirement.name)
            applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if given is not None and applies:
                assert requirement.specifier.contains(given, prereleases=True), requirement
                looked_at += 1
    assert looked_at or Version(importlib.metadata.version("ortools")) > Version(least["ortools"])


def test_packages_that_are_too_old_are_named(installed: Callable[[dict[str, str]], None]) -> None:
    assert unmet() == []
    installed({})
    assert unmet() == []
    installed({"pandas": "2.1.0", "click": "8.1.7"})
    assert unmet() == [
        "click 8.1.7 is installed, and exactmatch needs click>=8.2",
        "pandas 2.1.0 is installed, and exactmatch needs pandas>=2.2.2",
    ]


def test_a_solver_that_cannot_be_loaded_is_one_message(
    installed: Callable[[dict[str, str]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As OR-tools with an old pandas, whose arrays have another form than those of NumPy."""

    def fail(_: str) -> None:
        raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    installed({"pandas": "2.1.0"})
    monkeypatch.setattr(encodings, "import_module", fail)
    with pytest.raises(SolverError) as raised:
        encodings.get_encoding("cpsat")
    assert str(raised.value) == (
        "the solver cpsat cannot be loaded: numpy.dtype size changed, may indicate binary "
        "incompatibility; pandas 2.1.0 is installed, and exactmatch needs pandas>=2.2.2; install "
        "the package ortools anew, or use --solver dual, which needs none"
    )


def test_an_unexpected_error_names_packages_that_are_too_old(
    installed: Callable[[dict[str, str]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise AttributeError("module 'click.exceptions' has no attribute 'NoArgsIsHelpError'")

    installed({"click": "8.1.7"})
    monkeypatch.setattr("atexit.register", lambda *_: None)
    monkeypatch.setattr(exactmatch.__main__, "listen_to_the_end", Interrupt)
    monkeypatch.setattr(exactmatch.__main__, "_run", fail)
    with pytest.raises(AttributeError) as raised:
        exactmatch.__main__.run()
    notes = ["click 8.1.7 is installed, and exactmatch needs click>=8.2"]
    assert raised.value.__notes__ == notes


def test_no_option_depends_on_a_value_of_false() -> None:
    """A flag whose value is False is always set in click 8.3.0 to 8.3.2."""
    help_shown = CliRunner().invoke(main, ["--help"])
    assert help_shown.exit_code == 0
    for name in exactmatch.cli.COMMANDS:
        command = main.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        for option in command.params:
            if not option.secondary_opts:  # as --exact has --heuristic
                assert getattr(option, "flag_value", None) is not False, (name, option.opts)
