"""Counts that the pages describe, and that no figure of a program or a paper shows."""

import exactmatch


def counted(graph: str, subscore: str) -> tuple[int, int]:
    """Return the matches and the number of what a subscore counts in a graph against itself."""
    found = exactmatch.score(graph, graph, subscores=subscore)
    return found.subscores[subscore][0], found.subscores[subscore][2]


def test_without_variables_counts_the_root_with_its_concept() -> None:
    assert counted("(a / cat)", "without-variables") == (1, 1)
    other = exactmatch.score("(a / cat)", "(b / dog)", subscores="without-variables")
    assert other.subscores["without-variables"].matched == 0
    assert counted("(a / cat :mod (b / old) :quant 3)", "without-variables") == (3, 3)


def test_wiki_takes_the_concept_of_a_node() -> None:
    system, gold = '(a / cat :wiki (w / "Q1"))', '(a / cat :wiki "Q1")'
    found = exactmatch.score(system, gold, subscores="wiki")
    assert found.subscores["wiki"].matched == 1


def test_dscorer_counts_a_repeated_clause_once() -> None:
    once = 'b1 REF x1\nb1 person "n.01" x1\nb1 Agent x1 x2\nb1 REF x2\nb1 cat "n.01" x2'
    twice = f"{once}\nb1 Agent x1 x2"
    score = exactmatch.best_mapping(twice, once, metric="dscorer")
    assert score.value == 1.0
