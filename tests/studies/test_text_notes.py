"""Reports of studies note text that looks the same, as a score does."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from exactmatch.cli import main

ONE = '# ::id 1\n(a / ant :op1 "Sa\u0303o")\n\n# ::id 2\n(c / d\u00a0x)\n'
OTHER = '# ::id 1\n(a / ant :op1 "S\u00e3o")\n\n# ::id 2\n(c / dx)\n'
INVISIBLE = "1 invisible character beside roles and concepts, in 1 graph"
FORM = "Labels that differ by their Unicode form alone: 1, in 1 pair"


@pytest.mark.parametrize("command", ["iaa", "compare", "search-error"])
def test_text_that_looks_the_same_is_noted(command: str, tmp_path: Path) -> None:
    files = [str(tmp_path / "one.amr"), str(tmp_path / "other.amr")]
    for file, text in zip(files, (ONE, OTHER), strict=True):
        Path(file).write_text(text, encoding="utf-8")
    words = [command, *files, "--workers", "1"]
    if command == "search-error":
        words += ["--seeds", "1"]
    for more, is_told in ((["--unicode", "as-written"], True), ([], False)):
        done = CliRunner().invoke(main, [*words, *more])
        assert done.exit_code == 0, done.output
        assert INVISIBLE in done.output
        assert (FORM in done.output) == is_told
