"""Tables of graphs: a table of one graph is that of several graphs, as far as it has room."""

import random
from typing import Any

import pytest

from exactmatch.problem import tables
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.joining import Occurrences, occurrences

PLAIN = interpreted("exactmatch.problem.tables")
VARIABLES = ("a", "b", "c")


def random_graph(rng: random.Random) -> Occurrences:
    """Return triples of one or two variables, with few labels and many repetitions."""
    written = [
        (rng.choice("pqrst"), tuple(rng.choices(VARIABLES, k=rng.choice((1, 2)))))
        for _ in range(rng.randrange(12))
    ]
    found: Occurrences = occurrences(VARIABLES, written)
    return found


def rows(table: tables.TripleTable, graph: int) -> list[tuple[int, ...]]:
    """Return label, variables and number of occurrences of each triple."""
    columns = (table.label, table.first, table.second, table.times)
    each = range(table.start[graph], table.start[graph + 1])
    return [tuple(column[k] for column in columns) for k in each]


def ranked(found: list[list[tuple[int, ...]]]) -> list[list[tuple[int, ...]]]:
    """Return rows with their labels numbered from 0 on, in the same order."""
    ranks = {label: rank for rank, label in enumerate(sorted({row[0] for g in found for row in g}))}
    return [[(ranks[row[0]], *row[1:]) for row in graph] for graph in found]


@pytest.mark.parametrize("module", [tables, PLAIN], ids=["as installed", "interpreted"])
def test_graphs_one_by_one_have_the_rows_of_all_together(module: Any) -> None:
    rng = random.Random(3)
    first = module.GraphTable()
    second = module.GraphTable(first)
    for _ in range(300):
        graphs = [random_graph(rng), random_graph(rng)]
        numbers: dict[Any, int] = {}
        assert first.take(graphs[0], 3, numbers) and second.take(graphs[1], 3, numbers)
        together = tables.tabulate(graphs, [3, 3], {})
        expected = ranked([sorted(rows(together, g)) for g in range(2)])
        assert ranked([rows(first.table, 0), rows(second.table, 0)]) == expected


@pytest.mark.parametrize("module", [tables, PLAIN], ids=["as installed", "interpreted"])
def test_a_graph_without_room_has_no_table(module: Any) -> None:
    table = module.GraphTable()
    most = tables.MOST_TRIPLES
    assert table.take({"p": [(most, 0)]}, 1, {})
    assert table.total == 1 and table.n_written == table.table.times[0] == most
    assert not table.take({"p": [(most, 0)], "q": [(1, 0)]}, 1, {})
    assert not table.take({"p": [(1, 0, 1, 2)]}, 3, {})
    assert not table.take({"p": [(1,)]}, 1, {})
    assert not table.take({"p": [(1, 0)]}, most + 1, {})
