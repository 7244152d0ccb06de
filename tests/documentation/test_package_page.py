"""The first page as the package index shows it, and the metadata of the package."""

import importlib.util
import os
import re
import runpy
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import exactmatch

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.checkout


@pytest.fixture(scope="module")
def hatch_build() -> ModuleType:
    pytest.importorskip("hatchling")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def metadata(hatch_build: ModuleType) -> dict[str, Any]:
    """The metadata that the build of the package makes."""
    made: dict[str, Any] = {"version": exactmatch.__version__}
    hatch_build.Links(str(ROOT), {}).update(made)
    return made


def project() -> dict[str, Any]:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = content["project"]
    return found


def targets(page: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```$", "", page, flags=re.M | re.S))


def test_every_link_of_the_first_page_holds_on_the_package_index(
    metadata: dict[str, Any], hatch_build: ModuleType
) -> None:
    address = hatch_build.repository_address(ROOT)
    state = hatch_build.state_of(exactmatch.__version__)
    there = targets((ROOT / "README.md").read_text(encoding="utf-8"))
    shown = targets(metadata["readme"]["text"])
    assert len(shown) == len(there) > 10
    for target, link in zip(there, shown, strict=True):
        kinds = (f"{address}/{kind}/{state}/{target}" for kind in ("blob", "raw"))
        assert link == target if "://" in target else link in kinds


def test_an_editable_install_keeps_bytecode_of_the_package(
    hatch_build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXACTMATCH_PURE", "1")
    module = tmp_path / "exactmatch" / "room" / "module.py"
    module.parent.mkdir(parents=True)
    module.write_text("x = 1\n", encoding="utf-8")
    bytecode = Path(importlib.util.cache_from_source(str(module)))
    hook = hatch_build.CompileKernel(str(tmp_path), {}, None, None, "", "wheel")
    for version, is_kept in (("standard", False), ("editable", True)):
        hook.initialize(version, {})
        assert bytecode.exists() == is_kept


def test_an_editable_install_leaves_the_files_that_processes_have_loaded(
    hatch_build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old file stays what it was, also that of the shared module; here, under another name."""
    made, loaded = tmp_path / "made.so", tmp_path / "loaded.so"
    shared = tmp_path / "exactmatch" / "_cython_1.so"
    shared.parent.mkdir()
    for path, content in ((shared, "old"), (made, "new")):
        path.write_text(content, encoding="utf-8")
    loaded.hardlink_to(shared)
    monkeypatch.setattr(hatch_build, "_compile", lambda *_: {"exactmatch/_cython_1.so": made})
    monkeypatch.setattr(hatch_build, "_MODULES", ("exactmatch/module",))
    monkeypatch.setattr(hatch_build, "_HEADERS", ())
    (tmp_path / "exactmatch" / "module.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.delenv("EXACTMATCH_PURE", raising=False)
    hook = hatch_build.CompileKernel(str(tmp_path), {}, None, None, "", "wheel")
    hook.initialize("editable", {})
    assert [path.read_text(encoding="utf-8") for path in (shared, loaded)] == ["new", "old"]


@pytest.mark.skipif(os.name == "nt", reason="its compiler has other flags")
def test_flags_of_the_environment_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", "-O1 '-DA=b c'")
    assert runpy.run_path(str(ROOT / "hatch_build.py"))["_FLAGS"][-2:] == ["-O1", "-DA=b c"]


def test_pictures_and_pages_have_addresses_of_their_own(hatch_build: ModuleType) -> None:
    page = "[a](docs/a.md#b) ![c](d.svg) [e](https://f.g/h) [i](#j)"
    assert hatch_build.with_absolute_links(page, "https://x.y", "v1") == (
        "[a](https://x.y/blob/v1/docs/a.md#b) ![c](https://x.y/raw/v1/d.svg) "
        "[e](https://f.g/h) [i](#j)"
    )
    assert (
        hatch_build.state_of("1.2.0") == "v1.2.0" and hatch_build.state_of("1.3.0.dev0") == "main"
    )


def test_addresses_of_the_package_are_of_one_place(
    metadata: dict[str, Any], hatch_build: ModuleType
) -> None:
    address = hatch_build.repository_address(ROOT)
    assert metadata["urls"]["Homepage"] == address
    assert all(url.startswith(address) for url in metadata["urls"].values())
    for url in metadata["urls"].values():
        _, is_page, path = url.partition(f"/blob/{hatch_build.state_of(exactmatch.__version__)}/")
        assert not is_page or (ROOT / path).is_file()


def test_authors_and_keywords_are_those_of_the_citation() -> None:
    said = (ROOT / "CITATION.cff").read_text(encoding="utf-8").partition("references:")[0]
    authors = re.findall(r"^  - name: (.*)$", said.partition("contact:")[0], re.MULTILINE)
    assert [author["name"] for author in project()["authors"]] == authors
    assert project()["keywords"] == re.findall(r"^  - (?!name)(.*)$", said, re.MULTILINE)


def test_classifiers_are_those_that_the_index_knows() -> None:
    known = pytest.importorskip("trove_classifiers").classifiers
    assert set(project()["classifiers"]) <= known
