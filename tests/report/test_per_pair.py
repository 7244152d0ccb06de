"""Results of pairs as CSV and Parquet: read back, they are the JSON lines."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from partial_files import partial_of
from study_files import blocks_of

import exactmatch
from exactmatch.cli import main
from exactmatch.report import per_pair

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
WORDS = INSTANCES / "vectors" / "words.txt"
ODD = (
    '# ::id 1\n(s / sing-01 :ARG0 (b / "bi,rd"))\n\n# ::id ä,"語"\n(a / alpha)\n\n'
    "# ::id broken\n(a / alpha\n\n# ::id NA\n(語 / alpha)\n\n# ::id =1+1\n(a / =2)\n\n"
    "# ::id @x\n(a / alpha)\n\n# ::id -\n(a / alpha)\n"
)


def cases() -> Iterator[tuple[str, Any, Any, dict[str, Any]]]:
    for name in ("agreement/a agreement/b", "mrp/system mrp/gold", "drs/system drs/gold"):
        ending = {"agreement": ".amr", "mrp": ".mrp", "drs": ".clf"}[name.partition("/")[0]]
        system, gold = (INSTANCES / f"{stem}{ending}" for stem in name.split())
        yield name, system, gold, {"breakdown": True}
    yield "without mappings", system, gold, {"metric": "dscorer"}
    a, b = ("\n\n".join(blocks_of(INSTANCES / f"agreement/{name}.amr")[:8]) for name in "ab")
    amrs = (a, b)
    yield "a formula", *amrs, {"metric": "sembleu"}
    yield "parts of triples", *amrs, {"metric": exactmatch.metric("s2match", vectors=WORDS)}
    yield "not proven", *amrs, {"method": "s", "seconds": False}
    yield "confirmed", *amrs, {"cross_check": True, "ids": ["study.1"]}
    yield "skipped", ODD, ODD, {"on_error": "skip"}
    yield (
        "emptied",
        ODD,
        ODD.replace("(a / alpha)", "(a / alpha :x (b / c))"),
        {"on_error": "empty"},
    )
    yield "none", ODD, ODD, {"ids": []}


CASES = {name: rest for name, *rest in cases()}


@pytest.fixture(params=CASES, scope="module")
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[dict[str, Any]]]:
    """The three files of one run each, and the content of the JSON lines."""
    folder = tmp_path_factory.mktemp("written")
    system, gold, options = CASES[request.param]
    options = {"seconds": False, **options}
    for ending in (".jsonl", ".csv", ".parquet"):
        exactmatch.score(system, gold, per_pair=folder / f"pairs{ending}", **options)
    text = (folder / "pairs.jsonl").read_text("utf-8")
    return folder, [json.loads(line) for line in text.splitlines()]


def as_table(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return lines as rows of the same columns; values that are not plain become text."""
    columns = [*dict.fromkeys([*(key for line in lines for key in line), "breakdown", "framework"])]
    rows = [{column: line.get(column) for column in columns} for line in lines]
    for row in rows:
        for column in ("mapping", "breakdown"):
            row[column] = None if row[column] is None else json.dumps(row[column])
    return rows


def same(found: Any, wanted: list[dict[str, Any]]) -> None:
    """Compare values and their types; NaN is pandas' value for a missing one."""
    import pandas

    plain = [{key: None if pandas.isna(v) else v for key, v in row.items()} for row in found]
    assert plain == wanted
    for row, other in zip(plain, wanted, strict=True):
        for key, value in row.items():
            assert isinstance(value, bool) == isinstance(other[key], bool), key
            assert isinstance(value, str) == isinstance(other[key], str), key


@pytest.mark.slow
def test_parquet_is_the_json_lines(written: tuple[Path, list[dict[str, Any]]]) -> None:
    import pandas
    from pyarrow import parquet

    folder, lines = written
    table = parquet.read_table(folder / "pairs.parquet")
    assert table.to_pylist() == as_table(lines)
    same(pandas.read_parquet(folder / "pairs.parquet").to_dict("records"), as_table(lines))
    types = dict(zip(table.column_names, map(str, table.schema.types), strict=True))
    assert {types[name] for name in ("matched", "upper", "gold_total")} == {"int64"}
    assert {types[name] for name in ("score", "f1", "f1_upper", "seconds")} == {"double"}
    assert {types[name] for name in ("certified", "confirmed", "emptied")} == {"bool"}


def test_only_proven_pairs_are_certified(written: tuple[Path, list[dict[str, Any]]]) -> None:
    """No solver by name takes part, so every proof was checked."""
    _, lines = written
    for line in lines:
        assert line["certified"] == (line["status"] == "optimal"), line["id"]


def test_csv_is_the_json_lines(written: tuple[Path, list[dict[str, Any]]]) -> None:
    import pandas
    from pyarrow import csv as arrow_csv

    folder, lines = written
    path, wanted = folder / "pairs.csv", as_table(lines)
    with path.open(encoding="utf-8", newline="") as file:
        assert [row["id"] for row in csv.DictReader(file)] == [line["id"] for line in lines]
    if not lines:
        return
    texts = ["id", "status", "score_name", "solver", "mapping", "breakdown", "framework"]
    frame = pandas.read_csv(
        path,
        dtype=dict.fromkeys(texts, "string"),
        keep_default_na=False,
        na_values=[""],
        engine="python",
    )
    same(frame.to_dict("records"), wanted)
    table = arrow_csv.read_csv(
        path,
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(texts, "string"),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )
    assert table.to_pylist() == wanted


def test_columns_are_those_of_the_metric(tmp_path: Path) -> None:
    """This also holds if no line has them, since the header is written first."""
    exactmatch.score(ODD, ODD, per_pair=tmp_path / "x.csv", ids=[], metric="sembleu")
    header = (tmp_path / "x.csv").read_text("utf-8")
    assert "brevity_penalty" in header and header.endswith("breakdown,framework\n")


def test_parquet_is_written_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyarrow import parquet

    monkeypatch.setattr(per_pair, "_ROWS", 7)
    a, b = (INSTANCES / "agreement" / f"{name}.amr" for name in "ab")
    result = exactmatch.score(a, b, per_pair=tmp_path / "x.PARQUET")
    file = parquet.ParquetFile(tmp_path / "x.PARQUET")
    sizes = [file.metadata.row_group(k).num_rows for k in range(file.metadata.num_row_groups)]
    assert sizes == [7, 7, 7, 3]
    assert file.read()["matched"].to_pylist() == [pair.matched for pair in result.per_pair]


def test_any_other_ending_is_json_lines(tmp_path: Path) -> None:
    for name in ("pairs", "pairs.jsonl", "pairs.txt", "pairs.csv.gz"):
        exactmatch.score("(a / b)", "(a / b)", per_pair=tmp_path / name)
        assert json.loads((tmp_path / name).read_text("utf-8"))["id"] == "1"


def test_a_run_cut_short_leaves_parquet_that_can_be_read(tmp_path: Path) -> None:
    from pyarrow import parquet

    path = tmp_path / "x.parquet"
    broken = ODD.replace("(b", "((")
    with pytest.raises(exactmatch.InputError) as caught:
        exactmatch.score(ODD, ODD, per_pair=path)
    partial = partial_of(path)
    assert f"{partial.name} holds what was written so far" in str(caught.value.__notes__)
    assert not path.exists()
    assert parquet.read_table(partial)["id"].to_pylist() == ["1", 'ä,"語"']
    partial.unlink()
    with pytest.raises(exactmatch.InputError):
        exactmatch.score(broken, broken, per_pair=path)
    assert parquet.read_table(partial_of(path)).num_rows == 0


def test_without_pyarrow_nothing_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    path = tmp_path / "x.parquet"
    with pytest.raises(exactmatch.UsageError, match=r"pip install 'exactmatch\[parquet\]'"):
        exactmatch.score(tmp_path / "not there", "(a / b)", per_pair=path)
    assert [*tmp_path.iterdir()] == []
    exactmatch.score("(a / b)", "(a / b)", per_pair=tmp_path / "x.csv")


def test_what_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no device that is full")
    link = tmp_path / "x.parquet"
    link.symlink_to(full)
    with pytest.raises(exactmatch.InputError, match="parquet"):
        exactmatch.score("(a / b)", "(a / b)", per_pair=link)


def test_the_command_writes_files_of_pairs(tmp_path: Path) -> None:
    a, b = (str(INSTANCES / "agreement" / f"{name}.amr") for name in "ab")
    words = ["score", a, b, "--per-pair", str(tmp_path / "x.csv"), "--workers", "2"]
    main(words, standalone_mode=False)
    assert len((tmp_path / "x.csv").read_text("utf-8").splitlines()) == 25
