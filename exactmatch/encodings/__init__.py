"""The registry of encodings for solvers, by name.

The encodings themselves are the files of the folder ``encodings`` at the top of the repository. An
installation has them beside this file; in a checkout, that folder is added to this package's search
path.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from exactmatch.errors import SolverError, is_want_of_memory
from exactmatch.stopping.interrupts import put_off

if TYPE_CHECKING:
    from exactmatch.encodings.base import Encoding

__all__ = ["NAMES", "PROVER", "get_encoding", "needed", "unloadable"]

#: The name of each encoding, its module in this package, and its object there. Modules are imported
#: on first use: OR-tools takes a second.
_PLACES = {
    "brute": ("brute", "ENCODING"),
    "cpsat": ("cp_sat", "ENCODING"),
    "highs": ("ilp", "HIGHS"),
    "ilp": ("ilp", "GROUPED"),
    "ilp-paper": ("ilp", "PAPER"),
    "maxsat": ("maxsat", "ENCODING"),
}
NAMES = tuple(_PLACES)
#: What makes proofs of results that are already known; it is no solver to choose.
PROVER = "linear-tree"
_PLACES[PROVER] = ("linear_tree", "ENCODING")
#: The package of the solver of a module.
_PACKAGES = {
    "cp_sat": "ortools",
    "ilp": "ortools",
    "linear_tree": "ortools",
    "maxsat": "python-sat",
}

_CHECKOUT = Path(__file__).resolve().parents[2]
if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "encodings").is_dir():
    __path__.append(str(_CHECKOUT / "encodings"))


def get_encoding(name: str) -> "Encoding":
    """Return the encoding called *name*, importing its solver on first use.

    Raises `SolverError` if the solver cannot be loaded, and names packages that are too old for it.
    """
    module, attribute = _PLACES[name]
    try:
        with put_off():  # a library that is interrupted while it is loaded reports that itself
            encoding: Encoding = getattr(import_module(f"{__name__}.{module}"), attribute)
    except Exception as error:  # a library can fail in any way, by other libraries, too
        if is_want_of_memory(error):
            raise
        from exactmatch._requirements import unmet

        said = " ".join(str(error).split())
        raise unloadable(name, "; ".join([said, *unmet()])) from error
    return encoding


def unloadable(name: str, reason: str) -> SolverError:
    """Return the error that the solver *name* cannot be loaded for a *reason*, with the remedy."""
    package = _PACKAGES.get(_PLACES[name][0]) if name in _PLACES else None
    remedy = "" if package is None else f"install the package {package} anew, or "
    return SolverError(
        f"the solver {name} cannot be loaded: {reason}; {remedy}use --solver dual, which needs none"
    )


def needed(name: str, n_terms: int) -> tuple[str, ...]:
    """Return the encodings whose libraries *name* uses for a problem of *n_terms* terms.

    They are loaded before its time begins.
    """
    from exactmatch.encodings.base import PLAIN_TERMS

    return (name, "ilp") if name == "maxsat" and n_terms > PLAIN_TERMS else (name,)
