"""A hook of mkdocs: each notebook in docs/notebooks/ becomes a page.

The page has the texts of the notebook, its code, and the plain text of its outputs.
"""

import json
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).resolve().parents[2]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook, under the name of the notebook."""
    for path in sorted(_ROOT.glob("docs/notebooks/*.ipynb")):
        place = path.relative_to(_ROOT).with_suffix(".md").as_posix()
        notebook = json.loads(path.read_text(encoding="utf-8"))
        files.append(File.generated(config, place, content=_markdown(notebook["cells"])))
    return files


def _markdown(cells: list[dict[str, Any]]) -> str:
    pieces = []
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            pieces.append(text)
            continue
        pieces.append(f"```python\n{text}\n```")
        pieces += [f"```text\n{_output(output)}\n```" for output in cell["outputs"]]
    return "\n\n".join(pieces) + "\n"


def _output(output: dict[str, Any]) -> str:
    text = output["text"] if "text" in output else output["data"]["text/plain"]
    return "".join(text).rstrip()
