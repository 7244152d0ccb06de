"""Run compiled modules by the interpreter, for numbers that are too large.

Compiled code computes in 64 bits. If numbers are too large for that, the interpreter runs the same
source, with integers of any size: slower, with the same result.
"""

import builtins
import threading
from functools import cache
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

#: Threads, such as workers of a cluster, must not find a half-loaded module.
_LOADING = threading.RLock()


def interpreted(name: str) -> ModuleType:
    """Load the module *name* from its source, and with it the compiled modules it imports from.

    The modules that other code imports stay as they are.
    """
    with _LOADING:
        return _interpreted(name)


@cache
def _interpreted(name: str) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    folder = Path(str(import_module(name).__file__)).parent
    spec = spec_from_file_location(name, folder / f"{name.rpartition('.')[2]}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    # An import statement calls the function that its module has under this name.
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": _import}
    spec.loader.exec_module(module)
    return module


def _import(name: str, *arguments: Any) -> ModuleType:
    """Import as Python does, but import our compiled modules from their source."""
    module = __import__(name, *arguments)
    is_compiled = isinstance(module.__loader__, ExtensionFileLoader)
    return interpreted(name) if is_compiled and name.startswith("exactmatch.") else module
