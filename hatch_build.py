"""Compile what takes the time where there is a C compiler: see `_MODULES`.

Where there is none, installing goes on without.
The modules are ordinary Python, in Cython's pure Python mode: interpreted, they give the same
results, only later. With EXACTMATCH_PURE set to anything, nothing is compiled.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_MODULES = (
    *(f"exactmatch/dual/{name}" for name in ("integers", "assignment", "layout")),
    *(f"exactmatch/dual/{name}" for name in ("lagrangian", "primal_heuristic")),
    "exactmatch/joining",
    "exactmatch/recount",
    *(f"exactmatch/certificate/{name}" for name in ("proof_check", "cover_check")),
    *(f"exactmatch/many/{name}" for name in ("small", "label_index")),
    "exactmatch/readers/well_formed",
    "exactmatch/metrics/amr_labels",
)


class CompileKernel(BuildHookInterface[Any]):
    """A build hook of hatchling."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the compiled modules into the wheel or, for an editable install, into the tree."""
        if self.target_name != "wheel":
            return
        if version == "editable":
            self._remove_old()
        if os.environ.get("EXACTMATCH_PURE"):
            return
        folder = Path(tempfile.mkdtemp(prefix="exactmatch-"))
        try:
            compiled = self._compile(folder)
        except (Exception, SystemExit) as error:  # a compiler can fail in any way it likes
            shutil.rmtree(folder)
            self.app.display_warning(f"not compiled, everything will run interpreted: {error}")
            return
        if version == "editable":
            for place, path in compiled.items():
                shutil.copy(path, Path(self.root, place))
            shutil.rmtree(folder)
            return
        self._folder = folder
        build_data["force_include"] |= {str(path): place for place, path in compiled.items()}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel was made from."""
        folder = getattr(self, "_folder", None)
        if folder is not None:
            shutil.rmtree(folder)

    def _remove_old(self) -> None:
        """Remove what an earlier editable install left: it would hide later changes."""
        for module in _MODULES:
            for path in Path(self.root).glob(f"{module}.*"):
                if path.suffix in (".so", ".pyd"):
                    path.unlink()

    def _compile(self, folder: Path) -> dict[str, Path]:
        """Return the compiled files by their places in the tree."""
        from Cython.Build import cythonize
        from setuptools import Extension
        from setuptools.dist import Distribution

        root = Path(self.root)
        here = Path.cwd()
        os.chdir(root)  # names and places of the modules are found by relative paths
        try:
            extensions = cythonize(
                [Extension(module.replace("/", "."), [f"{module}.py"]) for module in _MODULES],
                build_dir=str(folder / "c"),
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
