"""Write the claim of a certificate about a pair of graphs as a theorem: a file for Coq.

The file is written for readers. It has both graphs, with names and labels unchanged, then the
claim, in terms of `coq/Statement.v` and `coq/Named.v`, and last the part that convinces Coq: the
evidence of the certificate, and a proof that the checker of `coq/Checker.v` accepts it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

Object = dict[str, Any]

_DUPLICATES = {
    "set": ("AsSet", "once"),
    "multiset": ("AsMultiset", "as often as on the side where they are fewer"),
    "product": ("AsProduct", "once for every pair of occurrences"),
}
_WIDTH = 100
#: Longer labels do not widen their column.
_WIDEST = 40
#: The most bytes between two quotes, and the most elements between two brackets: Coq reads both as
#: nested structures, and runs out of stack.
_LONGEST = 1000
_MOST = 4000
#: Separates the elements of a list with one a line.
_BREAK = ";\n    "
#: Keys of shares that are numbers of terms; other keys are not looked up.
_NUMBER = re.compile("0|[1-9][0-9]{0,17}")
#: No graph has so many variables.
_BEYOND = 2**64
#: Characters of these categories are written unchanged. The database never changes, so that the
#: text does not depend on the version of Python.
_VISIBLE = {*"LMNPS"}
_FROZEN = unicodedata.ucd_3_2_0


def theorem(pair: Object, certificate: Object) -> str:
    """Return the text that proves the claim of *certificate* about *pair*, for Coq 8.16.

    The text is in UTF-8. Both are as `exactmatch.certificate.checker.check` takes them, whose
    verdict was "verified" or "bounded". Equal arguments give equal texts. Coq needs the development
    of the folder ``coq``, compiled with the logical name ``Exactmatch``.

    Raises:
        ValueError: a name of a variable, a part of a label or a key is not a text.
    """
    value, upper = int(certificate["value"]), int(certificate["upper"])
    sections = [
        _head(pair, value, upper),
        _graph("test_graph", "The test graph: that of the system.", pair["test"]),
        _graph("gold_graph", "The gold graph.", pair["gold"]),
        _problem(pair),
        _mapping(pair, certificate["mapping"]),
        _claim(value, upper),
        "(** * Evidence\n\n    What follows need not be read: it is for Coq alone. *)\n"
        "From Exactmatch Require Import Checker Certificate.\n",
        *_evidence(certificate["proof"]),
        _proof(value, upper),
    ]
    return "\n".join(sections)


def _head(pair: Object, value: int, upper: int) -> str:
    claim = (
        f"one mapping scores {value}, and no mapping scores more"
        if value == upper
        else f"one mapping scores {value}, and no mapping scores more than {upper}"
    )
    return f"""\
(** Of the pair {_quoted(pair["id"])}, with the profile
    {_quoted(pair["profile"])}:
    {claim}.

    That is stated here, as [claim], and proven. What has to be believed is that the graphs are the
    ones that are meant, and that Statement.v and Named.v, which the claim is made of, say what is
    meant by a mapping and by what it scores. What follows the claim need not be believed or read.

    Texts stand in quotes, quotes within them are doubled; a character that cannot be seen is
    written by the numbers of its bytes in UTF-8. To have Coq check this file:
    sh Exactmatch/prove; coqc -Q Exactmatch Exactmatch FILE *)
From Coq Require Import ZArith String List.
From Exactmatch Require Import Statement Named.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
"""


def _graph(name: str, title: str, graph: Object) -> str:
    keys = "None"
    if "keys" in graph:
        keyed = zip(graph["variables"], graph["keys"], strict=True)
        keys = "Some " + _rows([(f"({_text(v)},", f"{_listed(_texts(ks))})") for v, ks in keyed])
    triples = [
        (f"({_listed(_texts(label))},", f"{_listed(_texts(names))})")
        for label, names in graph["triples"]
    ]
    return f"""\
(** {title} *)
Definition {name} : named_graph := {{|
  variables := {_filled(_texts(graph["variables"]))};
  triples := {_rows(triples)};
  keys := {keys}
|}}.
"""


def _problem(pair: Object) -> str:
    counted, told = _DUPLICATES[pair["duplicates"]]
    similar = [
        (f"({_listed(_texts(own))},", f"{_listed(_texts(other))},", f"{int(worth)})")
        for own, other, worth in pair["similar"]
    ]
    return f"""\
(** Two triples of one label that match are worth [scale], of two labels what [similar] lists for
    these. Triples that occur several times count {told}. *)
Definition both : problem := {{|
  counted := {counted};
  scale := {int(pair["scale"])};
  similar := {_rows(similar)};
  test := by_position test_graph;
  gold := by_position gold_graph
|}}.
"""


def _mapping(pair: Object, images: list[Any]) -> str:
    own, other = (pair[side]["variables"] for side in ("test", "gold"))
    mapped = [
        f"({_text(own[i])}, {_text(other[j])})" for i, j in enumerate(images) if j is not None
    ]
    return f"""\
(** From test variables to gold variables; those that are not listed are mapped to nothing. *)
Definition mapped : list (string * string) := {_filled(mapped, "  ")}.
Definition the_mapping : mapping := by_name test_graph gold_graph mapped.
"""


def _claim(value: int, upper: int) -> str:
    return f"""\
(** * The claim *)
Definition claim : Prop :=
  well_named test_graph /\\ well_named gold_graph /\\
  valid both the_mapping /\\
  score both the_mapping = {value} /\\
  forall M, valid both M -> score both M <= {upper}.
"""


def _proof(value: int, upper: int) -> str:
    verdict = "left" if value == upper else "right"
    claimed = f"{_integer(value)} {_integer(upper)}"
    return f"""\
Theorem proven : claim.
Proof.
  refine (concluded test_graph gold_graph both mapped {claimed} evidence _).
  {verdict}. vm_cast_no_check (eq_refl {"Verified" if value == upper else "Bounded"}).
Qed. (* Here Coq computes what the checker says. *)

Print Assumptions proven.
"""


# Evidence


def _evidence(proof: Any) -> Iterator[str]:
    """Yield definitions; the last one is the evidence."""
    if "counts" in proof:
        prices = proof["counts"].get("prices")
        given = "None" if prices is None else f"(Some {_prices(prices)})"
        shown = f"Numbers {given}"
    else:
        # Each node by itself, since Coq is slow with deep terms; nodes below a node come before it.
        yield from reversed([*_nodes(proof)])
        shown = "Shown proof_0"
    yield f"Definition evidence := {shown}.\n"


def _nodes(proof: Object) -> Iterator[str]:
    """Yield the definition of each node, after those of the nodes below it."""
    count, waiting = 1, [(0, proof)]
    while waiting:
        number, node = waiting.pop()
        below: list[Object] = []
        if "denominator" in node:
            said = f"Bound {_leaf(node)}"
        elif "sieve" in node:
            below = [node["rest"]]
            said = f"Sieve {_leaf(node['sieve'])} {_integer(node['score'])}"
        elif "pair" not in node:
            below = [node["rest"]]
            said = f"Rows {_cliques(node['cliques'])} {_integer(node['unit'])}"
        else:
            i, j = node["pair"]
            below = [node["with"], node["without"]]
            said = f"Split ({_position(i)}, {_position(j)})"
        numbered = [*enumerate(below, count)]
        count += len(below)
        waiting += numbered
        named = "".join(f" proof_{other}" for other, _ in numbered)
        yield f"Definition proof_{number} := {said}{named}.\n"


def _leaf(leaf: Object) -> str:
    """Return a leaf, without shares of unknown terms, which no checker reads."""
    given = leaf.get("shares")
    shares = [
        f"({number}%N, {_listed(_integer(part) for part in parts)})"
        for number, parts in (given.items() if isinstance(given, dict) else ())
        if _NUMBER.fullmatch(number) and _are_integers(parts)
    ]
    prices = {((i, j), tuple(column)): price for i, j, column, price in leaf.get("local", [])}
    local = [
        f"(({_position(i)}, {_position(j)}), {_listed(map(_position, column))}, {_integer(price)})"
        for ((i, j), column), price in prices.items()
    ]
    lists = _filled(shares), _prices(leaf.get("prices", {})), _filled(local)
    return f"(Leaf {int(leaf['denominator'])} {' '.join(lists)})"


def _cliques(cliques: Any) -> str:
    return _filled([f"({_integer(k)}, {_filled(list(map(_set, sets)))})" for k, sets in cliques])


def _set(pairs: Any) -> str:
    """Return a set of a clique; an empty one if a position is below 0, since both are refused."""
    if any(position < 0 for pair in pairs for position in pair):
        return "[]"
    return _listed(f"({_position(i)}, {_position(j)})" for i, j in pairs)


def _prices(prices: Object) -> str:
    found = {int(j): price for j, price in prices.items()}
    return _filled([f"({_position(j)}, {_integer(price)})" for j, price in found.items()])


def _are_integers(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, int) for value in values)


def _integer(number: int) -> str:
    return f"({number})" if number < 0 else str(int(number))


def _position(variable: Any) -> str:
    """Return the position of a variable; for other values, a position that no variable has."""
    if not isinstance(variable, int):
        return f"{_BEYOND}%N"
    return f"{int(variable) if variable >= 0 else _BEYOND - variable}%N"


# Texts


def _text(text: Any) -> str:
    """Return *text* for Coq, as its bytes in UTF-8, including lone surrogates."""
    if not isinstance(text, str):
        raise ValueError(f"not a text: {text!r}")
    parts: list[str] = []
    for shown, characters in groupby(text, _is_visible):
        run = "".join(characters)
        if shown:
            parts += ['"' + part.replace('"', '""') + '"' for part in _pieces(run, _LONGEST)]
        else:
            numbers = run.encode("utf-8", "surrogatepass")
            parts.append(f"bytes {_listed(map(str, numbers))}%N")
    if len(parts) == 1 and parts[0].startswith('"'):
        return parts[0]
    return f"({' ++ '.join(parts)})%string" if parts else '""'


def _is_visible(character: str) -> bool:
    return character == " " or _FROZEN.category(character)[0] in _VISIBLE


def _quoted(text: str) -> str:
    """Return *text* for use within a comment, where Coq also reads quotes and comments."""
    return '"' + "".join(map(_commented, text)) + '"'


def _commented(character: str) -> str:
    if character == '"':
        return '""'
    if _is_visible(character) and character not in "*\\":
        return character
    return f"\\u{{{ord(character):x}}}"


def _texts(texts: Any) -> list[str]:
    if not isinstance(texts, list | tuple):  # labels of a pair in memory are tuples
        raise ValueError(f"not a list of texts: {texts!r}")
    return [_text(text) for text in texts]


# Layout


def _listed(parts: Iterable[str]) -> str:
    return f"[{'; '.join(parts)}]"


def _filled(parts: Sequence[str], margin: str = "    ") -> str:
    """Return a list, folded."""
    if len(parts) > _MOST:
        return _joined([_filled(some, margin) for some in _pieces(parts, _MOST)])
    lines, line = [], ""
    for part in parts:
        if line and len(margin) + len(line) + len(part) + 3 > _WIDTH:
            lines.append(line)
            line = part
        else:
            line = f"{line}; {part}" if line else part
    ends = f";\n{margin}".join([*lines, line])
    return f"[\n{margin}{ends}]" if lines else f"[{ends}]"


def _rows(rows: Sequence[Sequence[str]]) -> str:
    """Return a list, one row a line, with aligned columns."""
    if not rows:
        return "[]"
    *columns, _ = zip(*rows, strict=True)
    widths = [max((len(c) for c in column if len(c) <= _WIDEST), default=0) for column in columns]
    lines = [
        " ".join([*(c.ljust(width) for c, width in zip(row, widths, strict=False)), row[-1]])
        for row in rows
    ]
    pieces = [f"[\n    {_BREAK.join(some)}]" for some in _pieces(lines, _MOST)]
    return _joined(pieces)


def _joined(lists: list[str]) -> str:
    return lists[0] if len(lists) == 1 else f"({' ++ '.join(lists)})%list"


def _pieces(whole: Sequence[Any], longest: int) -> Iterator[Any]:
    for start in range(0, len(whole), longest):
        yield whole[start : start + longest]
