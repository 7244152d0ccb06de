"""Check for SciPy, which some studies need and an extra installs."""

from importlib.util import find_spec

from exactmatch.errors import UsageError


def check_scipy() -> None:
    """Raise `UsageError` if SciPy is not installed."""
    if find_spec("scipy") is None:
        raise UsageError("correlations and t-tests need SciPy: pip install 'exactmatch[studies]'")
