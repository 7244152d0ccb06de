"""The checker of certificates as a script without dependencies."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from certificate_samples import CERTIFICATE, PAIR

from exactmatch.certificate import checker

SOURCE = Path(checker.__file__)


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(SOURCE), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


class TestScript:
    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[Path, Path]:
        certificates, pairs = tmp_path / "certificates", tmp_path / "pairs"
        pairs.write_text(json.dumps(PAIR) + "\n")
        certificates.write_text(json.dumps(CERTIFICATE) + "\n")
        return certificates, pairs

    def test_the_script_counts_what_is_verified(self, files: tuple[Path, Path]) -> None:
        result = run(*files)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout == "verified: 1  bounded: 0  refuted: 0  unproven: 0\n"

    def test_the_script_ends_with_4_if_something_is_refuted(self, files: tuple[Path, Path]) -> None:
        files[0].write_text(json.dumps({**CERTIFICATE, "value": 4, "upper": 4}) + "\n")
        result = run(*files)
        assert (result.returncode, result.stderr) == (4, "")
        first, last = result.stdout.splitlines()
        assert first.startswith("refuted ")
        assert ": 'the mapping scores 3, not 4 up to 4'" in first
        assert last == "verified: 0  bounded: 0  refuted: 1  unproven: 0"

    def test_the_script_counts_what_is_unproven(self, files: tuple[Path, Path]) -> None:
        files[0].write_text("")
        result = run(*files)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.endswith("verified: 0  bounded: 0  refuted: 0  unproven: 1\n")

    def test_odd_identifiers_add_no_lines(self, files: tuple[Path, Path]) -> None:
        name = "é\n\x1b[2J\u2028verified: 9"
        files[1].write_text(json.dumps({**PAIR, "id": name}) + "\n")
        files[0].write_text("")
        result = run(*files)
        assert result.returncode == 0
        assert len(result.stdout.splitlines()) == 2
        assert result.stdout.isascii()
        assert "\x1b" not in result.stdout

    @pytest.mark.parametrize("text", ["{", "[]\n", '{"test": 1}\n', "\ufeff{}"])
    def test_the_script_refuses_malformed_pairs(self, files: tuple[Path, Path], text: str) -> None:
        files[1].write_text(text, encoding="utf-8")
        result = run(*files)
        assert result.returncode == 1
        assert result.stderr

    def test_the_script_names_a_file_that_it_cannot_read(self, files: tuple[Path, Path]) -> None:
        result = run(files[0], files[1].with_name("missing"))
        assert result.returncode == 1
        assert "missing" in result.stderr

    def test_the_script_says_what_it_takes(self) -> None:
        result = run("one")
        assert result.returncode in (1, 2)
        assert "CERTIFICATES PAIRS" in result.stderr


def test_can_be_read_in_one_go_and_depends_on_nothing() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 375
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
