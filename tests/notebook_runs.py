"""Notebooks of the documentation: executed, with their outputs as plain text."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any


def has_notebooks() -> bool:
    """Tell whether the extra `notebooks` is installed."""
    return all(find_spec(name) is not None for name in ("ipykernel", "nbclient", "nbformat"))


def executed(path: Path, folder: Path) -> Any:
    """Return the notebook at *path* after running it in *folder*; an error in a cell is raised.

    Only plain text is kept of outputs: the tables in HTML repeat that text.
    """
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [_plain(output) for output in cell.outputs]
    return notebook


def _plain(output: Any) -> Any:
    """Return *output* without parts that depend on the run or are not text."""
    if output.output_type == "execute_result":
        output.execution_count = None
        output.data = {"text/plain": output.data["text/plain"]}
        output.metadata = {}
    return output
