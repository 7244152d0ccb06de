"""The month in which a graph was annotated, as releases of AMR write dates."""

from pathlib import Path

import pytest
from study_files import numbered, tables, write

GRAPH = "(a / b :ARG0 (c / d))"


def months(*metadata: str) -> list[tuple[str, int]]:
    """Return the months of one annotator's graphs with this metadata, and how many are of each."""
    graphs = [f"{line}\n{GRAPH}" if line else GRAPH for line in metadata]
    write("one.amr", numbered(*graphs))
    write("gold.amr", numbered(*[GRAPH] * len(metadata)))
    words = ("iaa", "one.amr", "--consensus", "gold.amr", "--resamples", "10")
    return [(row["month"], row["pairs"]) for row in tables(*words)["months"]]


@pytest.mark.parametrize("key", ["date", "save-date"])
@pytest.mark.parametrize(
    "date",
    [
        "2013-09-04",
        "2013-09-04T09:05:30",
        "2013-09-04 09:05:30",
        "Wed Sep 4, 2013",
        "Wed Sep 04, 2013",
        "2013/09/04",
        "2013/9/4",
        "04.09.2013",
        "4.9.2013",
    ],
)
def test_dates_of_all_kinds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, date: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert months(f"# ::{key} {date}", f"# ::{key} {date}") == [("2013-09", 2)]


def test_months_are_in_order_and_what_is_no_date_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = months(
        "# ::date 2014-01-31",
        "# ::save-date Sun Dec 1, 2013",
        "# ::date 13/2013",
        "",
        "# ::date 31.01.2014",
        # The date of a graph counts before that on which its file was saved.
        "# ::date 2013-12-31 ::save-date 2014-02-01",
        "# ::date nothing ::save-date 2014-02-01",
    )
    assert found == [("2013-12", 2), ("2014-01", 2)]
