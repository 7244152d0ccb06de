"""The registry of encodings, by name.

The encodings themselves are the files of the folder ``encodings`` at the top of the
repository. An installation has them beside this file; in a checkout, that folder is put on
this package's search path.
"""

from importlib import import_module
from pathlib import Path

from exactmatch.problem import Encoding

__all__ = ["NAMES", "get_encoding"]

#: Name -> module of this package. Modules are imported on first use: OR-tools takes a second.
NAMES = {"cpsat": "cp_sat", "ilp": "ilp"}

_CHECKOUT = Path(__file__).resolve().parents[2]
if (_CHECKOUT / "pyproject.toml").is_file() and (_CHECKOUT / "encodings").is_dir():
    __path__.append(str(_CHECKOUT / "encodings"))


def get_encoding(name: str) -> Encoding:
    """Return the encoding called *name*, importing its solver on first use."""
    encoding: Encoding = import_module(f"{__name__}.{NAMES[name]}").ENCODING
    return encoding
