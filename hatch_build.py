"""Compile the slow modules where there is a C compiler, and make links for the package index.

`_MODULES` lists the compiled modules.

Without a compiler, installing continues. The modules are ordinary Python, in Cython's pure Python
mode: interpreted, they give the same results, only slower. If EXACTMATCH_PURE is set to anything,
nothing is compiled.

The code that Cython adds to every module is compiled once, as a module that the others share. Its
name contains Cython's version, since modules made by another version cannot use it.
"""

import compileall
import os
import re
import shlex
import shutil
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_MODULES = (
    *(f"exactmatch/problem/{name}" for name in ("integers", "joining", "tables")),
    *(f"exactmatch/solving/dual/{name}" for name in ("assignment", "clique_rows", "grouping")),
    "exactmatch/solving/dual/lagrangian",
    *(f"exactmatch/solving/dual/{name}" for name in ("layout", "primal_heuristic", "subgradient")),
    "exactmatch/scoring/recount",
    *(f"exactmatch/certificate/{name}" for name in ("proof_check", "cover_check")),
    "exactmatch/many/label_index",
    *(f"exactmatch/solving/{name}" for name in ("conflicts", "covers", "first_mapping")),
    *(
        f"exactmatch/graphs/readers/{name}"
        for name in ("cutting", "known_words", "numbered", "well_formed")
    ),
    "exactmatch/metrics/amr/labels",
)
#: The declarations that compiled modules know of each other.
_HEADERS = ("exactmatch/problem/integers.pxd", "exactmatch/graphs/readers/known_words.pxd")
_SHARED = "exactmatch/_cython"
#: Python's own flags ask for -O3 and -g: twice the time, nine times the size, and no faster here.
#: Those in CFLAGS come last, so they win.
_FLAGS = [] if os.name == "nt" else ["-O2", "-g0", *shlex.split(os.environ.get("CFLAGS", ""))]

#: A link or a picture of a page that leads to a file beside it, not to an address or a heading.
_RELATIVE = re.compile(r"(!?)(\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+\))")


class Links(MetadataHookInterface):
    """A metadata hook of hatchling: the README for the package index, and addresses."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add ``readme`` and ``urls``."""
        root = Path(self.root)
        address = repository_address(root)
        state = state_of(str(metadata["version"]))
        page = (root / "README.md").read_text(encoding="utf-8")
        text = with_absolute_links(page, address, state)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = {
            "Homepage": address,
            "Documentation": f"{address}/blob/{state}/docs/index.md",
            "Changelog": f"{address}/blob/{state}/CHANGELOG.md",
            "Issues": f"{address}/issues",
        }


def repository_address(root: Path) -> str:
    """Return the address of the project at *root*, from its ``pyproject.toml``."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return str(settings["tool"]["exactmatch"]["address"])


def state_of(version: str) -> str:
    """Return the repository's name for the state of a version: its tag, or the branch."""
    return "main" if "dev" in version else f"v{version}"


def with_absolute_links(page: str, address: str, state: str) -> str:
    """Return a page at the top of the repository with absolute links."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}{link[2]}{address}/{kind}/{state}/{link[3]}"

    return _RELATIVE.sub(absolute, page)


class CompileKernel(BuildHookInterface[Any]):
    """A build hook of hatchling."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the compiled modules into the wheel or, for an editable install, into the tree.

        There it also leaves the bytecode of all modules.
        """
        if self.target_name != "wheel":
            return
        is_editable = version == "editable"
        if is_editable:
            # As pip does with what it copies: who may not write bytecode starts as fast.
            compileall.compile_dir(str(Path(self.root, "exactmatch")), quiet=2)
        if os.environ.get("EXACTMATCH_PURE"):
            if is_editable:
                self._remove(self._compiled_files())
            return
        folder = Path(tempfile.mkdtemp(prefix="exactmatch-"))
        try:
            if is_editable:
                self._bring_up_to_date(folder)
            else:
                compiled = _compile(Path(self.root), _MODULES, folder)
        except (Exception, SystemExit) as error:  # a compiler can fail in any way
            shutil.rmtree(folder)
            if is_editable:
                self._remove(self._compiled_files())
            self.app.display_warning(f"not compiled; the modules will run interpreted: {error}")
            return
        if is_editable:
            shutil.rmtree(folder)
            return
        self._folder = folder
        build_data["force_include"] |= {str(path): place for place, path in compiled.items()}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the files that the wheel was made from."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder)

    def _bring_up_to_date(self, folder: Path) -> None:
        """Compile into the tree the modules that are missing there, or have changed."""
        start = time.time()
        self._remove(path for module in _MODULES for path in self._outdated_files(module))
        suffix = EXTENSION_SUFFIXES[0]
        lacking = [m for m in _MODULES if not Path(self.root, f"{m}{suffix}").exists()]
        if not lacking:
            return
        for place, path in _compile(Path(self.root), lacking, folder).items():
            target = Path(self.root, place)
            # A process that has loaded the shared module would crash if its file were overwritten.
            target.unlink(missing_ok=True)
            shutil.copy(path, target)
            # A file that is written while the compiler runs is newer than the compiled one.
            os.utime(target, (start, start))

    def _outdated_files(self, module: str) -> Iterator[Path]:
        headers = [Path(self.root, header) for header in _HEADERS]
        sources = (Path(self.root, f"{module}.py"), *headers, Path(__file__))
        newest = max(source.stat().st_mtime for source in sources)
        for path in self._files(module):
            if path.stat().st_mtime < newest:
                yield path

    def _compiled_files(self) -> Iterator[Path]:
        for module in _MODULES:
            yield from self._files(module)
        yield from self._files(f"{_SHARED}_*")

    def _files(self, module: str) -> Iterator[Path]:
        """Yield the files that an editable install has compiled from *module*, for any Python."""
        for path in Path(self.root).glob(f"{module}.*"):
            if path.suffix in (".so", ".pyd"):
                yield path

    def _remove(self, paths: Iterable[Path]) -> None:
        for path in list(paths):
            path.unlink()


def _compile(root: Path, modules: Sequence[str], folder: Path) -> dict[str, Path]:
    """Return the compiled files by their places in the tree, with the shared module."""
    import Cython
    from Cython.Build import cythonize
    from setuptools import Extension
    from setuptools.dist import Distribution

    shared = f"{_SHARED}_{Cython.__version__.replace('.', '_')}"
    sources = {**{module: f"{module}.py" for module in modules}, shared: f"{shared}.c"}
    here = Path.cwd()
    os.chdir(root)  # relative paths find the names and places of the modules
    try:
        extensions = cythonize(
            [
                Extension(name.replace("/", "."), [source], extra_compile_args=_FLAGS)
                for name, source in sources.items()
            ],
            build_dir=str(folder / "c"),
            shared_utility_qualified_name=shared.replace("/", "."),
            quiet=True,
        )
        command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
        command.parallel = True
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(here)
    library = folder / "lib"
    files = sorted(path for path in library.rglob("*") if path.is_file())
    return {path.relative_to(library).as_posix(): path for path in files}
