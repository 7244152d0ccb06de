"""Repair of graphs in studies: repairs are counted, reported, and verified."""

from pathlib import Path

import pytest

import exactmatch

#: One parenthesis is missing, and a variable is described twice; and what that is taken for.
BROKEN = ("(s / sing-01 :ARG0 (b / bird)", "(s / sing-01 :ARG0 (b / bird) :ARG1 (b))")
WHOLE = ("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (b / bird) :ARG1 b)")
GOLD = ("(s / shout-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (b / bird))")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Files of broken graphs, of the same graphs after repair, and of other graphs."""
    places = {}
    for name, graphs in (("broken", BROKEN), ("whole", WHOLE), ("gold", GOLD)):
        places[name] = tmp_path / f"{name}.amr"
        places[name].write_text("".join(f"# ::id {k}\n{one}\n\n" for k, one in enumerate(graphs)))
    return places


def test_a_study_counts_repaired_graphs_as_what_they_are_taken_for(files: dict[str, Path]) -> None:
    asked = [files["broken"], files["whole"]]
    with pytest.raises(exactmatch.InputError, match="parenthesis"):
        exactmatch.compare(asked, files["gold"], resamples=10)
    result = exactmatch.compare(asked, files["gold"], resamples=10, repair=True)
    scores = result.to_frame().set_index("system")["f1"]
    assert scores["broken"] == scores["whole"]
    assert result.notes[0] == "repairs of graphs, or replacements: 2"
    assert sum(note.endswith(": repaired") for note in result.notes) == 2
    assert "|repair:on|" in result.document.provenance.signature


def test_certificates_of_repaired_graphs_are_verified_as_such(
    files: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "certificates"
    made = exactmatch.agreement(
        [files["broken"], files["gold"]], resamples=10, repair=True, certificates=folder
    )
    assert made.certified == 2
    checked = exactmatch.verify_study(folder, graphs=tmp_path)
    assert (checked.verified, checked.refuted) == (2, 0)


def test_a_manifest_without_repairs_says_nothing_of_them(
    files: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "certificates"
    exactmatch.agreement([files["whole"], files["gold"]], resamples=10, certificates=folder)
    manifest = folder / "manifest.json"
    text = manifest.read_text()
    assert "repair" not in text
    manifest.write_text(text.replace('"missing"', '"repair": "yes",\n "missing"'))
    with pytest.raises(exactmatch.InputError, match="'repair' is not true"):
        exactmatch.verify_study(folder, graphs=tmp_path)


def test_search_error_is_measured_on_repaired_graphs(files: dict[str, Path]) -> None:
    result = exactmatch.search_error(
        [files["broken"]], files["gold"], methods=["s+4r"], repair=True
    )
    assert result.optimal == result.pairs == 2
