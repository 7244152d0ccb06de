"""Cells and columns as people see them."""

import json
import pickle
from dataclasses import replace

import pytest

from exactmatch.report.document import Cell, Column, Heading, Linked, Rows, Style, Table, at_most


@pytest.mark.parametrize(
    "style, cell, shown",
    [
        ("number", 0.5, "0.5000"),
        ("number", 2 / 3, "0.6667"),
        ("percent", 0.5, "50.0 %"),
        ("percent", 2 / 3, "66.7 %"),
        ("percent", 1.0, "100.0 %"),
        ("count", 60.0, "60"),
        ("count", 52.5, "52.5"),
        ("count", 0.0, "0"),
        ("count", 61 / 3, "20.3333"),
        ("seconds", 2 / 3, "0.67"),
        ("seconds", 12.0, "12.00"),
        ("number", 1234, "1234"),
        ("percent", 3, "3"),
        ("number", "word", "word"),
        ("number", None, "-"),
        ("percent", None, "-"),
    ],
)
def test_cells_are_shown_as_their_column_says(style: Style, cell: Cell, shown: str) -> None:
    assert Heading("key", "title", style).shown(cell) == shown


def table(*rows: list[Cell]) -> Table:
    upper = Heading("up", "at most", upper_of="f1")
    columns = [Heading("name", "name"), Heading("f1", "F1"), upper]
    return Table("key", "title", columns, list(rows))


def test_columns_take_their_values_from_the_objects_of_a_row() -> None:
    columns: list[Column[str, tuple[float, float]]] = [
        Column("name", "name", lambda name, _: name),
        Column("f1", "F1", lambda _, ends: ends[0], "percent"),
        at_most("f1", lambda _, ends: ends[1]),
    ]
    made = Rows({"a": (0.5, 0.6), "b": (0.7, 0.7)}.items()).table(
        "key", "title", columns, "note", 1
    )
    assert made.rows == [["a", 0.5, 0.6], ["b", 0.7, 0.7]]
    headings = [
        Heading("name", "name"),
        Heading("f1", "F1", "percent"),
        Heading("f1_upper", "at most", upper_of="f1"),
    ]
    assert (made.columns, made.note, made.top) == (headings, "note", 1)
    assert pickle.loads(pickle.dumps(made)) == made


def test_upper_ends_are_shown_where_one_says_something_new() -> None:
    proven = table(["a", 0.5, 0.5], ["b", 0.7, 0.7])
    assert [column.key for column in proven.for_people().columns] == ["name", "f1"]
    assert proven.for_people().shown() == [["a", "0.5000"], ["b", "0.7000"]]
    open_still = table(["a", 0.5, 0.5], ["b", 0.7, 0.8])
    assert open_still.for_people() == open_still


def test_people_see_the_first_rows() -> None:
    rows: list[list[Cell]] = [["a", 0.5, 0.5], ["b", 0.7, 0.7], ["c", 0.9, 0.9]]
    long = replace(table(*rows), top=1, note="F1.")
    assert long.for_people().shown() == [["a", "0.5000"]]
    assert long.for_people().note == "F1. And 2 more rows, in JSON and CSV."
    assert long.rows == rows
    whole = replace(long, top=3)
    assert (len(whole.for_people().rows), whole.for_people().note) == (3, "F1.")


def test_words_are_columns_of_words_alone() -> None:
    mixed = table(["a", "-", None], [None, 0.7, None])
    assert [mixed.is_text(k) for k in range(3)] == [True, False, True]


def test_words_that_lead_to_a_pair_are_words() -> None:
    linked = Linked("first", ("a", "b"), "item 1")
    assert linked == "first" and json.dumps([linked]) == '["first"]'
    again = pickle.loads(pickle.dumps(linked))
    assert (again, again.files, again.item) == (linked, linked.files, linked.item)
    shown = table([linked, 0.5, 0.5]).shown(link=lambda text, cell: f"{text} in {cell.files[1]}")
    assert shown[0][0] == "first in b"
    assert table([linked, 0.5, 0.5]).shown()[0][0] == "first"
