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


def test_chosen_graphs_are_written_without_what_was_repaired(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    best = tmp_path / "best.amr"
    assert [chosen.best for chosen in choose_from([*files], repair=True, output=best)] == [0, 0]
    assert [graph.identifier for graph in exactmatch.load(best)] == ["0", "1"]
    assert exactmatch.check(best).found == 0 and exactmatch.score(best, files[1]).f1 == 1
    [*_] = choose_from([*files[::-1]], repair=True, output=best)
    assert best.read_text() == files[1].read_text().removesuffix("\n")  # nothing was repaired here


def test_what_cannot_be_written_stays_and_is_said(tmp_path: Path) -> None:
    path, best, agreed = (tmp_path / name for name in ("a.amr", "best.amr", "agreed.amr"))
    path.write_text("# ::id x\n(s / sing-01\n   :instance (x / name :mod (x)))\n")
    notes: list[str] = []
    given = [path, path]
    [*_] = choose_from(given, repair=True, output=best, consensus=agreed, note=notes.append)
    assert best.read_text() == agreed.read_text() == path.read_text()
    assert notes[-1].endswith("cannot write the repaired graph; the text stays as it is")


def test_repaired_sentences_of_umr_keep_what_is_beside_their_graph(tmp_path: Path) -> None:
    around = (
        "# :: snt1\nWords: x\n\n# sentence level graph:\n{}\n\n# alignment:\ns1s: 1-1\n\n"
        "# document level annotation:\n(s1s0 / sentence\n    :modal ((author :full s1s)))\n"
    )
    paths = [tmp_path / "a.umr", tmp_path / "b.umr"]
    broken = "(s1s / sing-01  # who?\n    :ARG0 (s1b / bird)\n    # or\n    :ARG1 (s1b))"
    paths[0].write_text(around.format(broken))
    paths[1].write_text(around.format("(s1s / sing-01)"))
    best = tmp_path / "best.umr"
    [chosen] = choose_from(paths, repair=True, weights=[2, 1], output=best)
    assert (chosen.best, chosen.mended) == (0, 1)
    assert exactmatch.check(best).found == 0
    assert exactmatch.score(best, paths[0], repair=True).f1 == 1
    before, after = around.split("{}")
    assert best.read_text().startswith(before) and best.read_text().endswith(after.rstrip() + "\n")


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
    assert "repairs of graphs, or replacements: 2" in str(summary.layout())
