"""Modules that are compiled where there is a compiler, run by the interpreter all the same.

Compiled code computes in 64 bits. Where numbers are too large for that, the same source is run by
the interpreter, whose integers have no limit: later, with the same result.
"""

import builtins
import threading
from functools import cache
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

#: Threads, as workers of a cluster may have, must not find a module that is half loaded.
_LOADING = threading.RLock()


def interpreted(name: str) -> ModuleType:
    """Load the module *name* from its source, and with it the compiled ones that it imports from.

    The modules that all others import remain what they are.
    """
    with _LOADING:
        return _interpreted(name)


@cache
def _interpreted(name: str) -> ModuleType:
    folder = Path(str(import_module(name).__file__)).parent
    spec = spec_from_file_location(name, folder / f"{name.rpartition('.')[2]}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    # An import statement calls what its module has under this name.
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": _import}
    spec.loader.exec_module(module)
    return module


def _import(name: str, *arguments: Any) -> ModuleType:
    """Import as Python does, but what is ours and compiled from its source."""
    module = __import__(name, *arguments)
    is_compiled = isinstance(module.__loader__, ExtensionFileLoader)
    return interpreted(name) if is_compiled and name.startswith("exactmatch.") else module
