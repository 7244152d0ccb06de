"""The version, in a module of its own so that everything may import it."""

__version__ = "0.1.0"


def solver_versions() -> str:
    """Return names and versions of the packages that solvers come from."""
    from importlib.metadata import version

    return "+".join(f"{package}-{version(package)}" for package in ("ortools", "python-sat"))
