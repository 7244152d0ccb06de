"""With ``on_error="skip"``, a broken graph spoils no other graph, however it is broken."""

from pathlib import Path

import pytest
from nightly import by_day

import exactmatch
from exactmatch.errors import InputError
from exactmatch.graphs.pairing import PairBy

FIRST, SECOND = "# ::id 1\n(a / ant)\n", "# ::id 2\n(b / bee :ARG0 (c / cat))\n"
THIRD, FOURTH = "# ::id 3\n(d / dog)\n", "# ::id 4\n(e / elk)\n"

#: What stands instead of the second graph.
BROKEN = {
    "a parenthesis lacks": b"# ::id 2\n(b / bee :ARG0 (c / cat\n\n",
    "a parenthesis too many": b"# ::id 2\n(b / bee))\n\n",
    "an open quote": b'# ::id 2\n(b / bee :op1 "x)\n\n',
    "bytes that are no UTF-8": b"# ::id 2\n(b / b\xff\xfee)\n\n",
    "a NUL": b"# ::id 2\n(b / b\0e)\n\n",
    "no graph under its identifier": b"# ::id 2\n\n",
    "a message of the parser": b"# ::id 2\nERROR: no parse found\n\n",
    "a role without value": b"# ::id 2\n(b / bee :ARG0)\n\n",
    "a variable of two concepts": b"# ::id 2\n(b / bee :ARG0 (b / cat))\n\n",
    "JSON": b'# ::id 2\n{"nodes": []}\n\n',
    "nested without end": b"# ::id 2\n" + b"(b / x :A " * 4_000 + b"\n\n",
    "an empty line in it": b"# ::id 2\n(b / bee\n\n    :ARG0 (c / cat))\n\n",
    "an empty line before a node": b"# ::id 2\n(b / bee :ARG0\n\n(c / cat))\n\n",
    "no empty line behind it": b"# ::id 2\n(b / bee\n",
    "steering characters": b"# ::id 2\n(b / \x1b[31m :ARG0 (c / cat\n\n",
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    gold = tmp_path / "gold.amr"
    gold.write_text("\n".join((FIRST, SECOND, THIRD, FOURTH)), encoding="utf-8")
    return tmp_path / "system.amr", gold


@pytest.mark.parametrize("pair_by", by_day(["position", "id"]))
@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_pairs_behind_a_broken_graph_are_scored(
    files: tuple[Path, Path], broken: bytes, pair_by: PairBy
) -> None:
    system, gold = files
    system.write_bytes(f"{FIRST}\n".encode() + broken + f"{THIRD}\n{FOURTH}".encode())
    notes: list[str] = []
    found = exactmatch.score(system, gold, on_error="skip", pair_by=pair_by, note=notes.append)
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.pairs, found.skipped, found.f1, found.matched) == (3, 1, 1.0, 6)
    assert [pair.identifier for pair in found.per_pair] == ["1", "2", "3", "4"]
    assert any(":4: graph 2 (id 2):" in note or ":5: graph 2 (id 2):" in note for note in notes)
    with pytest.raises(InputError):
        exactmatch.score(system, gold, pair_by=pair_by)


def test_a_graph_in_two_parts_is_not_closed_as_if_it_were_whole(files: tuple[Path, Path]) -> None:
    system, gold = files
    for rest in ("    :ARG1 (e / elk))", "(e / elk))"):
        broken = f"# ::id 2\n(b / bee :ARG0 (c / cat)\n\n{rest}\n"
        for behind in (f"\n{THIRD}\n{FOURTH}", ""):
            texts = (FIRST, SECOND, *([THIRD, FOURTH] if behind else []))
            gold.write_text("\n".join(texts), encoding="utf-8")
            system.write_text(f"{FIRST}\n{broken}{behind}", encoding="utf-8")
            notes: list[str] = []
            found = exactmatch.score(
                system, gold, profile="smatch-1.0.4", on_error="skip", note=notes.append
            )
            assert isinstance(found, exactmatch.CorpusScore)
            assert (found.pairs, found.skipped, found.mended) == (len(texts) - 1, 1, 0)
            assert "graph 2 (id 2): this parenthesis is not closed" in notes[0]


def test_the_rest_of_a_graph_is_passed_over_where_none_has_an_identifier(
    files: tuple[Path, Path],
) -> None:
    system, gold = files
    gold.write_text("(a / ant)\n\n(b / bee :ARG0 (c / cat))\n\n(d / dog)\n", encoding="utf-8")
    system.write_text(
        "(a / ant)\n\n(b / bee\n\n  :ARG0 (c / cat))\n\n(d / dog)\n", encoding="utf-8"
    )
    found = exactmatch.score(system, gold, on_error="skip")
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.pairs, found.skipped, found.f1) == (2, 1, 1.0)
    system.write_text("(a / ant)\n\nno parse\n\n(d / dog)\n", encoding="utf-8")  # one of three
    found = exactmatch.score(system, gold, on_error="empty")
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.pairs, found.emptied, found.matched) == (3, 1, 4)


def test_by_identifier_a_graph_without_one_and_one_twice_are_skipped(
    files: tuple[Path, Path],
) -> None:
    system, gold = files
    twice = gold.read_text(encoding="utf-8") + "\n# ::id 4\n(e / elk)\n\n(f / fox)\n"
    system.write_text(twice, encoding="utf-8")
    for pair, skipped in (((system, gold), 2), ((gold, system), 2), ((system, system), 4)):
        notes: list[str] = []
        found = exactmatch.score(*pair, on_error="skip", pair_by="id", note=notes.append)
        assert isinstance(found, exactmatch.CorpusScore)
        assert (found.pairs, found.skipped, found.f1) == (4, skipped, 1.0)
        assert sum("identifier 4 occurs twice" in note for note in notes) == skipped // 2
        assert sum("no identifier, # ::id" in note for note in notes) == skipped // 2


def test_clauses_end_where_a_comment_names_the_next_drs() -> None:
    gold = '% ::id 1\nb1 man "n.01" x1\n\n% ::id 2\nb1 cat "n.01" x1\n'
    system = '% ::id 1\nb1 man\n% ::id 2\nb1 cat "n.01" x1\n'
    found = exactmatch.score(system, gold, on_error="skip")
    assert isinstance(found, exactmatch.CorpusScore)
    assert (found.pairs, found.skipped, found.f1) == (1, 1, 1.0)
