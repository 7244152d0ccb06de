"""The selection of certificates for a page, without a browser."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser_pages import SCRIPT

import exactmatch
from exactmatch.certificate.checker import check_all, parse
from exactmatch.errors import InputError, UsageError

SYSTEM = "# ::id one\n(a / b :ARG0 (c / d))\n\n# ::id two\n(a / b)\n"
GOLD = "# ::id one\n(x / b :ARG1 (y / d))\n\n# ::id two\n(x / z)\n"


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "system.amr", tmp_path / "gold.amr"
    for path, text in zip(paths, (SYSTEM, GOLD), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


@pytest.fixture
def proofs(sides: tuple[Path, Path], tmp_path: Path) -> Path:
    exactmatch.score(*sides, certificates=tmp_path / "proofs.jsonl")
    return tmp_path / "proofs.jsonl"


def shown(sides: tuple[Path, Path], proofs: Path | None, **given: Any) -> dict[str, Any]:
    """Return the JSON of a page with these proofs, by the identifiers of its elements."""
    page = exactmatch.show(*sides, proofs_page(sides), certificates=proofs, **given)
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'<script type="application/json" id="([\w-]+)">(.*?)</script>', text)
    return {name: json.loads(content) for name, content in found}


def proofs_page(sides: tuple[Path, Path]) -> Path:
    return sides[0].with_name("page.html")


def test_a_page_has_what_a_checker_takes(sides: tuple[Path, Path], proofs: Path) -> None:
    content = shown(sides, proofs)
    given = [content[f"pair-{k}"]["proof"] for k in range(2)]
    pairs = [parse(one["about"].encode()) for one in given]
    found = check_all(pairs, [one["certificate"].encode() for one in given])
    assert [verdict for _, verdict, _ in found] == ["verified", "verified"]
    assert content["page-data"]["proofs"] == {"file": proofs.name, "left": 0}
    assert "exactmatchChecker = " in proofs_page(sides).read_text(encoding="utf-8")


def test_a_page_without_certificates_has_no_checker(sides: tuple[Path, Path]) -> None:
    content = shown(sides, None)
    assert "proofs" not in content["page-data"] and "proof" not in content["pair-0"]
    assert "exactmatchChecker = " not in proofs_page(sides).read_text(encoding="utf-8")


def test_what_is_of_no_pair_of_the_page_is_counted(sides: tuple[Path, Path], proofs: Path) -> None:
    with proofs.open("ab") as file:
        file.write(b'{\n\xff\n\n{"id": "one", "profile": "default.2"}\n')
    content = shown(sides, proofs, id="two")
    assert content["page-data"]["proofs"]["left"] == 4
    assert content["pair-0"]["proof"]["certificate"].startswith('{"schema":1,"id":"two"')


def test_certificates_of_ranges_are_of_no_pair(sides: tuple[Path, Path], tmp_path: Path) -> None:
    proofs = tmp_path / "ranges.jsonl"
    exactmatch.score(*sides, certificates=proofs, breakdown=True)
    content = shown(sides, proofs)
    lines = proofs.read_text(encoding="utf-8").splitlines()
    assert content["page-data"]["proofs"]["left"] == len(lines) - 2 > 0
    assert '"profile":"default.2"' in content["pair-0"]["proof"]["certificate"]


@pytest.mark.parametrize(("limit", "most"), [("_MOST_CHARACTERS", 10), ("_MOST_LOOKS", 1)])
def test_what_takes_long_is_left_out(
    sides: tuple[Path, Path],
    proofs: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: int,
) -> None:
    monkeypatch.setattr(f"exactmatch.report.pages.page_proofs.{limit}", most)
    proof = shown(sides, proofs)["pair-0"]["proof"]
    assert proof["certificate"] is None and proof["size"] > 10 and proof["looks"] > 1


def test_proofs_by_counts_are_kept_however_many_terms_there_are(
    sides: tuple[Path, Path], proofs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactmatch.report.pages.page_proofs._MOST_LOOKS", 0)
    first = json.loads(proofs.read_text(encoding="utf-8").splitlines()[0])
    proofs.write_text(json.dumps({**first, "proof": {"counts": {}}}), encoding="utf-8")
    assert "counts" in shown(sides, proofs)["pair-0"]["proof"]["certificate"]


def test_certificates_of_a_former_profile_are_checked_as_such(
    sides: tuple[Path, Path], proofs: Path
) -> None:
    """Profile smatch-1.0.4 had no number before it closed graphs; its counts are the same."""
    earlier = exactmatch.metric("smatch", profile="smatch-1.0.4").former
    former = next(one for one in earlier if one.profile == "smatch-1.0.4")
    exactmatch.score(*sides, metric=former, certificates=proofs)
    assert '"profile":"smatch-1.0.4"' in proofs.read_text()
    content = shown(sides, proofs, profile="smatch-1.0.4")
    given = [content[f"pair-{k}"]["proof"] for k in range(2)]
    pairs = [parse(one["about"].encode()) for one in given]
    found = check_all(pairs, [one["certificate"].encode() for one in given])
    assert [verdict for _, verdict, _ in found] == ["verified", "verified"]
    with pytest.raises(UsageError, match=r"no certificate of smatch\|profile:default"):
        exactmatch.show(*sides, proofs_page(sides), certificates=proofs)


def test_hostile_texts_end_no_script(tmp_path: Path) -> None:
    sides = tmp_path / "one.amr", tmp_path / "other.amr"
    for path in sides:
        path.write_text(f'# ::id {SCRIPT}\n(a / "{SCRIPT}")\n', encoding="utf-8")
    proofs = tmp_path / "proofs.jsonl"
    exactmatch.score(*sides, certificates=proofs)
    text = exactmatch.show(*sides, tmp_path / "page.html", certificates=proofs).read_text("utf-8")
    assert SCRIPT not in text and text.count("</script>") == text.count("<script") == 3
    assert "<!--" not in text


def test_files_of_other_things_are_refused(sides: tuple[Path, Path], proofs: Path) -> None:
    page = proofs_page(sides)
    with pytest.raises(UsageError, match=r"no certificate of smatch\|profile:smatch-1.0.4"):
        exactmatch.show(*sides, page, certificates=proofs, profile="smatch-1.0.4")
    for nothing in (b"\n \n", SYSTEM.encode(), b"\xff\x00"):
        proofs.write_bytes(nothing)
        with pytest.raises(InputError, match="holds no certificate"):
            exactmatch.show(*sides, page, certificates=proofs)
    with pytest.raises(InputError, match="missing"):
        exactmatch.show(*sides, page, certificates=proofs.with_name("missing"))
    with pytest.raises(UsageError, match="only one of the files"):
        exactmatch.show(Path("-"), sides[1], page, certificates="-")
    assert not page.exists()
