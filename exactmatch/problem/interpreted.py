"""Modules that are compiled where there is a compiler, run by the interpreter all the same.

Compiled code computes in 64 bits. Where numbers are too large for that, the same source is run by
the interpreter, whose integers have no limit: later, with the same result.
"""

import sys
import threading
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

#: Threads, as workers of a cluster may have, must not find a module that is half loaded.
_LOADING = threading.RLock()


def interpreted(package: str, *names: str) -> ModuleType:
    """Load modules of *package* from their sources, and return the last of them.

    Each may import the ones before it, relatively (``from .integers import zeros``).
    """
    with _LOADING:
        return _interpreted(package, *names)


@cache
def _interpreted(package: str, *names: str) -> ModuleType:
    folder = Path(str(import_module(package).__file__)).parent
    shadow = f"{package}._interpreted"
    sys.modules.setdefault(shadow, ModuleType(shadow)).__path__ = []
    for name in names:
        spec = spec_from_file_location(f"{shadow}.{name}", folder / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    return module
