"""Read the rows of a Chinese AMR: sentence, node, concept, coreference, relation, and so on.

The columns are the number of the sentence; a node, its concept, and the node that it stands for;
the relation; the place and the text of the relation's word; and the second node, as the first.
``-`` stands for nothing, but in the columns of concepts.
"""

from exactmatch.graphs.readers.blocks import Block
from exactmatch.graphs.readers.camr_nodes import Nodes

_COLUMNS = 10
_NOTHING = ("-", "")
#: The concept and the relation of the row that leads to the root.
_ROOT = ("root", ":top")


def read_table(block: Block, nodes: Nodes) -> None:
    """Add the rows of *block* to *nodes*. Raises `GraphError` for a row that is none."""
    for number, text in enumerate(block.body.split("\n")):
        if text.strip():
            _read_row(block, number, text, nodes)


def _read_row(block: Block, number: int, text: str, nodes: Nodes) -> None:
    cells = text.strip(" \r").split("\t")
    if len(cells) != _COLUMNS:
        raise block.error_at(f"found {len(cells)} columns, expected {_COLUMNS}", number, 0)
    first, (relation, place, word), second = cells[1:4], cells[4:7], cells[7:]
    line = block.body_line + number
    if (first[1], relation) == _ROOT:
        root = _node(nodes, second, line)
        nodes.tops += [] if root is None else [root]
        return
    source, target = _node(nodes, first, line), _node(nodes, second, line)
    if source is None and target is None:
        raise block.error_at("a row without a node", number, 0)
    is_named = relation.startswith(":") and len(relation) > 1
    has_word = place != "-" and word != "-"
    if source is not None and target is not None and (is_named or has_word):
        mark = f"{place}/{word}" if has_word else ""
        nodes.relate(source, relation[1:] if is_named else "", target, line, mark)


def _node(nodes: Nodes, cells: list[str], line: int) -> str | None:
    identifier, concept, coreference = cells
    if identifier in _NOTHING:
        return None
    name = nodes.node(identifier, concept, line)
    if coreference not in _NOTHING:
        nodes.corefer(name, coreference, line)
    return name
