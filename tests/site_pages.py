"""The documentation as a site, built as it is for readers."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def has_mkdocs() -> bool:
    """Tell whether the extra `site` is installed."""
    return all(find_spec(name) is not None for name in ("latex2mathml", "material", "mkdocs"))


def built_site(folder: Path) -> Path:
    """Build the site in *folder*; any complaint of mkdocs is an error."""
    words = ("build", "--strict", "--config-file", "docs/site/mkdocs.yml", "--site-dir")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", *words, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
