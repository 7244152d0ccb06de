"""The notebooks in docs/ run, and have the outputs that they show."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from notebook_runs import executed

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

pytestmark = [pytest.mark.checkout, pytest.mark.notebooks]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of notebooks as in the repository, with the files that they score."""
    place = tmp_path / "docs" / "notebooks"
    place.mkdir(parents=True)
    shutil.copytree(ROOT / "instances" / "agreement", tmp_path / "instances" / "agreement")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "jupyter"))
    return place


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_have_the_outputs_that_they_show(
    path: Path, folder: Path, request: pytest.FixtureRequest
) -> None:
    import nbformat

    run = executed(path, folder)
    if request.config.getoption("--update-golden"):
        nbformat.write(run, path)
    shown = nbformat.read(path, as_version=4)
    assert _outputs(run) == _outputs(shown)
    assert [cell.source for cell in run.cells] == [cell.source for cell in shown.cells]


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 2


def _outputs(notebook: Any) -> list[Any]:
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
