"""How large text is drawn, in px: estimates that hold for the fonts which the page asks for."""

from exactmatch.views.drawing import Node

#: The text of nodes is set in a monospaced font of this size; so wide is a character of it.
FONT_SIZE = 12
CHARACTER = 7.2
LINE_HEIGHT = 16
#: Between the text of a node and its border: on the left and right, and above and below.
PADDING_X, PADDING_Y = 8, 5
#: Nodes are no narrower than the first, nor than is needed for the ends of edges to be so far
#: apart; but for these, they do not become wider than the second.
LEAST_WIDTH, WIDE_ENOUGH = 44, 180
END_GAP = 9

#: The labels of edges are smaller.
LABEL_FONT_SIZE = 11
LABEL_CHARACTER = 6.6
LABEL_HEIGHT = 14


def node_size(node: Node) -> tuple[int, int]:
    """Return the width and height of a node."""
    longest = max(sum(len(piece.text) for piece in line) for line in node.lines)
    width = max(round(longest * CHARACTER) + 2 * PADDING_X, LEAST_WIDTH)
    return width, len(node.lines) * LINE_HEIGHT + 2 * PADDING_Y


def label_width(label: str) -> int:
    """Return the width of the label of an edge."""
    return round(len(label) * LABEL_CHARACTER) + 4 if label else 0


def width_for(ends: int) -> int:
    """Return the width that a node should have where so many edges begin, or end."""
    return min(2 * PADDING_X + ends * END_GAP, WIDE_ENOUGH)
