"""The pairing of graphs, and the messages for graphs without a partner."""

from pathlib import Path
from typing import Any

import pytest
from umr_samples import ONE, TWO

import exactmatch
from exactmatch.errors import InputError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.pairing import PairBy
from exactmatch.many.choose import choose_from

A, B, C = "# ::id 1\n(a / alpha)", "# ::id 2\n(b / beta :ARG0 (c / gamma))", "# ::id 3\n(d / delta)"
BAD = "# ::id 2\n(b / beta"


def together(*blocks: str) -> str:
    return "\n\n".join(blocks)


def test_identifiers_are_checked() -> None:
    with pytest.raises(InputError) as caught:
        exactmatch.score(together(A, C, B), together(A, B, C))
    assert str(caught.value) == (
        "graph 2: identifier 3 at system:4, but 2 at gold:4 "
        '(to pair by identifier: --pair-by id, in Python pair_by="id")'
    )


def test_numbers_of_graphs_are_checked() -> None:
    for system, gold in ((together(A, B), together(A, B, C)), (together(A, B, C), together(A, B))):
        with pytest.raises(
            InputError,
            match=r"graph 3 of (system|gold) \(id 3, line \d+\) has no partner .*--pair-by id",
        ):
            exactmatch.score(system, gold)


def test_one_side_without_identifiers_goes_by_position() -> None:
    plain = "(a / alpha)\n\n(b / beta :ARG0 (c / gamma))"
    result = exactmatch.score(plain, together(A, B))
    assert result.f1 == 1.0
    assert [pair.identifier for pair in result.per_pair] == ["1", "2"]


def test_by_identifier_the_order_does_not_matter() -> None:
    result = exactmatch.score(together(C, A, B), together(A, B, C), pair_by="id")
    assert (result.f1, result.pairs, result.skipped) == (1.0, 3, 0)


@pytest.mark.parametrize("side", ["system", "gold"])
def test_missing_graphs_are_counted(side: str) -> None:
    files = {"system": together(A, B, C), "gold": together(A, B, C), side: together(A, C)}
    skipping = exactmatch.score(files["system"], files["gold"], pair_by="id")
    assert (skipping.pairs, skipping.skipped, skipping.f1) == (2, 1, 1.0)
    assert [p.identifier for p in skipping.per_pair if p.status == "skipped"] == ["2"]
    emptied = exactmatch.score(files["system"], files["gold"], pair_by="id", on_error="empty")
    assert (emptied.pairs, emptied.skipped, emptied.emptied) == (3, 0, 1)
    assert (emptied.matched, emptied.system_total + emptied.gold_total) == (4, 12)


def test_bad_graphs_stop_skip_or_count_as_empty() -> None:
    gold = together(A, B, C)
    with pytest.raises(InputError, match=r"system:5: graph 2 \(id 2\)"):
        exactmatch.score(together(A, BAD, C), gold)
    skipping = exactmatch.score(together(A, BAD, C), gold, on_error="skip")
    assert (skipping.pairs, skipping.skipped, skipping.gold_total) == (2, 1, 4)
    assert [pair.status for pair in skipping.per_pair] == ["optimal", "skipped", "optimal"]
    emptied = exactmatch.score(together(A, BAD, C), gold, on_error="empty")
    assert (emptied.pairs, emptied.emptied, emptied.gold_total) == (3, 1, 8)
    assert emptied.per_pair[1].f1 == 0.0
    assert [pair.emptied for pair in emptied.per_pair] == [False, True, False]
    both = exactmatch.score(together(BAD, C), together(B, C.replace(")", "")), on_error="empty")
    assert both.emptied == 2


def test_all_bad_graphs_are_named_at_once() -> None:
    with pytest.raises(InputError) as caught:
        exactmatch.score(together(*[BAD] * 30), together(*[B] * 30))
    lines = str(caught.value).splitlines()
    assert sum("graph" in line for line in lines) == 20
    assert lines[-1] == "... and 10 more"


@pytest.mark.parametrize(
    "system, gold, reason",
    [
        (together(A, A), together(A, B), "system:4: identifier 1 occurs twice, first at system:1"),
        (A, "(a / alpha)", "gold:1: graph 1 has no identifier"),
        (A, B, "no identifier is in both system and gold"),
    ],
)
def test_identifiers_must_serve(system: str, gold: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        exactmatch.score(system, gold, pair_by="id")
    assert "(to pair by position: --pair-by position, in Python" in str(caught.value)


NAMED = together(A, B, C)
PLAIN = "(a / alpha)\n\n(b / beta)"


@pytest.mark.parametrize("pair_by", [None, "position", "id"])
@pytest.mark.parametrize("files", [(PLAIN, NAMED), (NAMED, PLAIN)])
def test_no_way_of_pairing_is_suggested_that_fails_as_well(
    files: tuple[str, str], pair_by: PairBy | None
) -> None:
    with pytest.raises(InputError) as caught:
        exactmatch.score(*files, pair_by=pair_by)
    assert "--pair-by" not in str(caught.value)
    assert "nor can they be paired by " in str(caught.value)


def test_identifiers_that_occur_twice_are_no_way_to_pair() -> None:
    with pytest.raises(InputError, match=r"in gold, an identifier occurs twice\)"):
        exactmatch.score(together(A, B), together(A, B, B))


def test_of_other_names_position_is_suggested_and_then_taken() -> None:
    other = NAMED.replace("::id ", "::id x")
    with pytest.raises(InputError, match=r"identifier x1 .*, but 1 at .* \(to pair by position"):
        exactmatch.score(other, NAMED)
    notes: list[str] = []
    result = exactmatch.score(other, NAMED, pair_by="position", note=notes.append)
    assert [pair.identifier for pair in result.per_pair] == ["1", "2", "3"]
    assert notes == ["paired by position, though identifiers differ (3): x1 and 1; x2 and 2"]


def write(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{letter}.amr" for letter in "abc"[: len(texts)]]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_studies_pair_as_score_does(tmp_path: Path) -> None:
    """By position if nobody contradicts, and if it is asked for; the last file names the items."""
    files = write(tmp_path, PLAIN, together(A, B), together(A, C))
    by_position = exactmatch.agreement(files[:2])
    assert [*by_position.found.study.names] == ["1", "2"] and not by_position.notes
    asked = exactmatch.agreement(files[1:], pair_by="position")
    assert [*asked.found.study.names] == ["1", "3"]
    note = "paired by position, though identifiers differ (1): 2 and 3"
    assert asked.notes == (note,)
    assert f"{note[0].upper()}{note[1:]}." in asked.document.notes
    by_name = exactmatch.agreement(files[1:])
    assert [*by_name.found.study.names] == ["1", "2", "3"]


def test_studies_suggest_no_way_that_fails_as_well(tmp_path: Path) -> None:
    files = write(tmp_path, PLAIN, NAMED)
    for pair_by in (None, "position", "id"):
        with pytest.raises(InputError, match=r"\(nor can they be paired by ") as caught:
            exactmatch.agreement(files, pair_by=pair_by)
        assert "--pair-by" not in str(caught.value)


def test_choices_pair_as_score_does(tmp_path: Path) -> None:
    files = write(tmp_path, together(A, B), together(A, C))
    notes: list[str] = []
    chosen = [*choose_from(files, pair_by="position", note=notes.append)]
    assert [one.identifier for one in chosen] == ["1", "3"]
    assert notes == ["paired by position, though identifiers differ (1): 2 and 3"]
    files = write(tmp_path, PLAIN, NAMED)
    with pytest.raises(InputError, match=r"\(nor can they be paired by identifier: no graph of "):
        [*choose_from(files)]


def test_names_that_look_numbered_are_told_apart() -> None:
    assert distinct(["x", "x", "x#2", "x", "x#2"]) == ["x", "x#2", "x#2#2", "x#3", "x#2#3"]


@pytest.mark.parametrize("pair_by", ["position", "id"])
@pytest.mark.parametrize("empty_side", [0, 1])
def test_a_file_without_any_graph_lacks_all_of_them(
    tmp_path: Path, pair_by: PairBy, empty_side: int
) -> None:
    texts = [together(A, B)] * 2
    texts[empty_side] = "# only a comment\n"
    files = [tmp_path / "one", tmp_path / "other"]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="holds no graph"):
        exactmatch.score(*files, pair_by=pair_by)
    skipped = exactmatch.score(*files, pair_by=pair_by, on_error="skip")
    assert (skipped.pairs, skipped.skipped) == (0, 2)
    emptied = exactmatch.score(*files, pair_by=pair_by, on_error="empty")
    assert (emptied.pairs, emptied.emptied, emptied.matched) == (2, 2, 0)
    assert (emptied.system_total > 0) is (empty_side == 1)
    assert [pair.identifier for pair in emptied.per_pair] == ["1", "2"]
    with pytest.raises(InputError, match="holds no graph"):
        exactmatch.score(files[empty_side], files[empty_side], on_error="skip")


@pytest.mark.parametrize("metric", ["smatch", "umatch", "ancast"])
def test_a_file_of_umr_without_any_graph_lacks_all_of_them(tmp_path: Path, metric: Any) -> None:
    full, empty = tmp_path / "full.umr", tmp_path / "empty.umr"
    full.write_text(TWO, encoding="utf-8")
    empty.write_text("# meta-info :: sent_id = birds-1\n", encoding="utf-8")
    for files in ((full, empty), (empty, full)):
        skipped = exactmatch.score(*files, metric=metric, on_error="skip")
        assert (skipped.pairs, skipped.skipped > 0) == (0, True)
        emptied = exactmatch.score(*files, metric=metric, on_error="empty")
        assert emptied.pairs == emptied.emptied == skipped.skipped


def test_a_document_that_one_file_lacks_counts_as_empty_in_metrics_of_sentences() -> None:
    score = exactmatch.score(TWO, ONE, metric="ancast", pair_by="id", on_error="empty")
    assert (score.pairs, score.emptied) == (2, 1)
    assert [pair.value for pair in score.per_pair] == [1, 0]
