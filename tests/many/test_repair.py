"""Repair of graphs in commands on many graphs, and in the choice of one."""

import json
from pathlib import Path

import numpy as np
import pytest

import exactmatch
from exactmatch.many.choose import ChoiceSummary, choice_line, choose_from

#: One parenthesis is missing, and a variable is described twice; and what that is taken for.
BROKEN = ("(s / sing-01 :ARG0 (b / bird)", "(s / sing-01 :ARG0 (b / bird) :ARG1 (b))")
WHOLE = ("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (b / bird) :ARG1 b)")


def written(path: Path, graphs: tuple[str, ...]) -> Path:
    path.write_text("".join(f"# ::id {k}\n{graph}\n\n" for k, graph in enumerate(graphs)))
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A file of broken graphs, and a file of the same graphs after repair."""
    return written(tmp_path / "broken.amr", BROKEN), written(tmp_path / "whole.amr", WHOLE)


def test_a_matrix_of_repaired_graphs_is_that_of_what_they_are_taken_for(
    files: tuple[Path, Path],
) -> None:
    notes: list[str] = []
    found = exactmatch.matrix(files[0], repair=True, note=notes.append)
    whole = exactmatch.matrix(files[1])
    assert np.array_equal(found.dense(), whole.dense())
    assert (found.mended, whole.mended, len(notes)) == (2, 0, 2)
    assert "|repair:on|" in found.signature
    assert "repair" not in whole.signature


def test_without_it_such_graphs_cannot_be_read(files: tuple[Path, Path]) -> None:
    with pytest.raises(exactmatch.InputError, match="parenthesis"):
        exactmatch.matrix(files[0])


def test_neighbours_are_those_of_repaired_graphs(files: tuple[Path, Path]) -> None:
    found = exactmatch.nearest(*files, top=1, repair=True)
    assert [[(n.position, n.f1) for n in one.neighbours] for one in found.found] == [
        [(0, 1.0)],
        [(1, 1.0)],
    ]
    assert found.mended == 2


def test_candidates_are_repaired_and_counted() -> None:
    notes: list[str] = []
    found = exactmatch.candidates([*BROKEN, *WHOLE], repair=True, note=notes.append)
    assert not found.errors
    assert found.matched[0, 2] == found.totals[0] == found.totals[2]
    assert (found.mended, len(notes)) == (2, 2)
    assert "|repair:on|" in found.signature


def test_candidates_are_mended_as_the_profile_does() -> None:
    found = exactmatch.candidates([*BROKEN, *WHOLE], profile="smatch-1.0.4")
    assert (found.mended, [*found.errors]) == (1, [1])


def test_what_repaired_candidates_agree_on(files: tuple[Path, Path]) -> None:
    found = exactmatch.consensus([BROKEN[0], *WHOLE], repair=True)
    assert found.to_penman().split() == WHOLE[0].split()


@pytest.mark.parametrize("pair_by", ["position", "id"])
def test_of_repaired_graphs_the_nearest_is_chosen(files: tuple[Path, Path], pair_by: str) -> None:
    summary = ChoiceSummary(["a", "b"])
    lines = []
    for chosen in choose_from([*files], repair=True, pair_by=pair_by):
        summary.add(chosen)
        lines.append(json.loads(choice_line(chosen, ["a", "b"])))
    assert [(line["means"], line["unreadable"], line["mended"]) for line in lines] == [
        ([1.0, 1.0], [], 1)
    ] * 2
    assert json.loads(summary.json())["mended"] == 2
    assert "repairs of graphs, or replacements: 2" in summary.text()
