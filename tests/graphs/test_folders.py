"""Folders of graphs: files are paired by name, and what is missing is listed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.folders import files_below

SYSTEM = {"b.amr": ["(a / b)"], "a/x.amr": ["(c / d)", "(e / f)"], "c.amr": ["(g / h)"]}
GOLD = {"c.amr": ["(g / h)"], "a/x.amr": ["(c / d)", "(e / g)"], "b.amr": ["(a / b)"]}


def folder(place: Path, files: dict[str, list[str]]) -> Path:
    for name, graphs in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("\n\n".join(graphs) + "\n", encoding="utf-8")
    return place


@pytest.fixture
def both(tmp_path: Path) -> tuple[Path, Path]:
    return folder(tmp_path / "sys", SYSTEM), folder(tmp_path / "gold", GOLD)


def test_files_are_paired_by_name_and_their_order_is_told(both: tuple[Path, Path]) -> None:
    notes: list[str] = []
    result = exactmatch.score(*both, note=notes.append)
    assert [pair.identifier for pair in result.per_pair] == ["a/x", "a/x#2", "b", "c"]
    assert [pair.f1 == 1 for pair in result.per_pair] == [True, False, True, True]
    said = "are paired by name, in this order: a/x.amr, b.amr, c.amr"
    assert notes == [f"3 files of sys and gold {said}"]
    study = exactmatch.agreement(both)
    assert [*study.found.study.names] == ["a/x", "a/x#2", "b", "c"]
    assert study.notes == (f"3 files of sys and gold {said}",)


def test_hidden_files_are_left_out_and_links_of_folders_not_followed(tmp_path: Path) -> None:
    place = folder(tmp_path / "sys", {**SYSTEM, ".git/x.amr": ["(a"], "a/.y": ["(a"]})
    (place / "loop").symlink_to(place, target_is_directory=True)
    assert files_below(place) == ["a/x.amr", "b.amr", "c.amr"]


def test_missing_files_are_listed(both: tuple[Path, Path]) -> None:
    system, gold = both
    (gold / "b.amr").unlink()
    (system / "c.amr").rename(system / "d.amr")
    with pytest.raises(InputError) as caught:
        exactmatch.score(system, gold)
    assert f"{system} lacks 1 file of {gold}: c.amr" in str(caught.value)
    assert f"{gold} lacks 2 files of {system}: b.amr, d.amr" in str(caught.value)
    assert "(to pair by identifier: --pair-by id" in str(caught.value)
    notes: list[str] = []
    result = exactmatch.score(system, gold, pair_by="id", on_error="empty", note=notes.append)
    assert (result.pairs, result.emptied) == (5, 3)
    assert f"{gold}: no graph b" in notes
    study = exactmatch.agreement(both)
    assert study.lacking == {"sys": ["c"], "gold": ["b", "d"]}


def test_graphs_never_go_to_another_file(both: tuple[Path, Path]) -> None:
    """The totals are equal, so positions alone would pair all."""
    system, gold = both
    folder(system, {"a/x.amr": ["(c / d)"], "b.amr": ["(a / b)", "(e / f)"]})
    reason = r"a/x.amr: number of graphs: 1 in .*sys, 2 in .*gold\nb.amr: number of graphs: 2 in"
    with pytest.raises(InputError, match=reason):
        exactmatch.score(system, gold)
    with pytest.raises(InputError, match=reason):
        exactmatch.agreement(both, pair_by="position")


def test_a_folder_goes_with_a_file(both: tuple[Path, Path], tmp_path: Path) -> None:
    gold = tmp_path / "gold.amr"
    gold.write_text("\n\n".join(graph for name in sorted(GOLD) for graph in GOLD[name]))
    notes: list[str] = []
    assert exactmatch.score(both[0], gold, note=notes.append).pairs == 4
    assert notes == ["3 files of sys are read in this order: a/x.amr, b.amr, c.amr"]


def test_all_commands_for_pairs_take_folders(both: tuple[Path, Path], tmp_path: Path) -> None:
    names = [str(place) for place in both]
    out = str(tmp_path / "out")
    for words in (
        ("iaa", *names), ("compare", *names), ("diff", *names), ("check", *names),
        ("show", *names, "-o", f"{out}1"), ("adjudicate", *names, "-o", f"{out}2"),
    ):  # fmt: skip
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 0, (words, result.stderr)
    with pytest.raises(UsageError, match="certificates of a study are of files"):
        exactmatch.agreement(both, certificates=f"{out}3")
    assert not Path(f"{out}3").exists()


def test_identifiers_are_compared_across_files(tmp_path: Path) -> None:
    place = folder(tmp_path / "sys", {"1": ["# ::id x\n(a / b)"], "2": ["# ::id x\n(a / b)"]})
    (file,) = exactmatch.check(place, only=["identifier-twice"]).files
    (fault,) = file.faults
    assert (fault.source, fault.number) == (str(place / "2"), 1)
    assert fault.reason == f"graph 1 of {place / '1'}, in line 1, has the same identifier"


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    place = folder(tmp_path / "sys", {**SYSTEM, "empty.amr": [""]})
    with pytest.raises(InputError, match=r"sys.empty.amr: holds no graph"):
        exactmatch.score(place, place)
    assert exactmatch.score(place, place, on_error="skip").pairs == 4
    with pytest.raises(InputError, match="a folder without graphs"):
        exactmatch.score(folder(tmp_path / "none", {".x": ["(a / b)"]}), place)
