"""Certificates at the edges of the format, on which all checkers must agree.

Values of other JSON types, numbers and texts at their limits, and claims that are too high by
exactly the value that a checker would find if it left out a step.
"""

import copy
import json
from typing import Any, NamedTuple

from certificate_samples import CERTIFICATE, PAIR, TRIANGLE, TRIANGLE_CERTIFICATE, TRIANGLE_SETS

from exactmatch.certificate.checker import MALFORMED, digest, parse


class Odd(NamedTuple):
    """A line of a certificate, and that of the pair it is about."""

    line: bytes
    pair: bytes


def _odd(
    name: str,
    pair: Any = PAIR,
    certificate: Any = CERTIFICATE,
    *,
    change: tuple[str, str] = ("", ""),
    pair_change: tuple[str, str] = ("", ""),
    **claims: Any,
) -> Odd:
    """Return a certificate called *name* that fits its pair, with the *claims* given.

    In its JSON, the first text of *change* is then replaced once; in that of the pair, everywhere.
    """
    about = json.dumps({**pair, "id": name}).replace(*pair_change).encode()
    try:
        print_of_pair = digest(parse(about))
    except MALFORMED:
        print_of_pair = ""
    old, new = change
    whole = {**certificate, "id": name, "digest": print_of_pair, **claims}
    return Odd(json.dumps(whole).replace(old, new, 1).encode(), about)


def _labelled(label: str) -> Any:
    pair: Any = copy.deepcopy(PAIR)
    for side in ("test", "gold"):
        pair[side]["triples"][0][0][1] = label
    return pair


def _of(variables: Any, triples: Any, **more: Any) -> Any:
    """Return a pair of two graphs that are the same."""
    graph = {"variables": variables, "triples": triples}
    return {**PAIR, "test": graph, "gold": graph, **more}


def _keyed(test: Any, gold: Any) -> Any:
    """Return a pair of graphs with these keys, or without keys."""
    pair = _of(["a", "b"], [[["p"], ["a"]]])
    sides = {"test": test, "gold": gold}
    return {**pair, **{side: {**pair[side], "keys": keys} for side, keys in sides.items() if keys}}


def _between(test: Any, gold: Any, **more: Any) -> Any:
    """Return a pair of graphs of the variables a, b, ... with these triples."""
    sides = []
    for triples in (test, gold):
        names = sorted({name for _, about in triples for name in about})
        graph = {"variables": names, "triples": [[[label], list(of)] for label, of in triples]}
        sides.append(graph)
    return {**PAIR, "test": sides[0], "gold": sides[1], **more}


_LEAF = {"denominator": 2}
_LABELS = [
    *("\x7f", "\x00\x1f", "\u2028\u2029", "\U0001f600", "\ud800", "\udc00\ud800", "é\xff\x80"),
    *("</script>", '"\\/\b\f\n\r\t', "~ ", ""),
]
_KEYS = [
    *("+0", " 1\t", "\v2\f", "1_0", "-0", "007", "1__0", "_1", "1_", "- 1", "1\x1c", "\uff11"),
    *("\xa01", "1\n", "0" * 4300, "0" * 4301, "-1", "1.0", "", "constructor", "__proto__"),
]
_JSON: list[tuple[str, str]] = [  # in a certificate, the one is replaced by the other
    ('"value": 3', '"value": 9, "value": 3'),
    ('"value": 3', '"value": 3, "value": 9'),
    *[('"value": 3', f'"value": {n}') for n in (
        "3.0", "3e0", "03", "+3", "3.", "-", "true", "NaN",
    )],
    *[('"upper": 3', f'"upper": {n}') for n in (
        "1" + "0" * 4299, "1" + "0" * 4300, "1e9", "true",
    )],
    ("}}", "},}"),
    *[("{", before + "{") for before in ("\ufeff", "x", "[")],
    *[('"schema"', f'"x": {n}, "schema"') for n in (
        "[1,]", "-Infinity", "-NaN", "tru", "", "1E400", "-0.0", '"\\x"', '"\\ud800\\u12"', '"\t"',
        '"\\ud83d\\ud83d\\ude00\\/"', '"\\U0041"', "'1'", "[[]", "{", '{"a"}', '{"a" 1}', "\xa01",
        *("[" * n + "]" * n for n in (900, 1100, 100_000)),
    )],
    ('"schema"', '"sch\\u0065ma"'),
    ("{", " \t{"),
]  # fmt: skip
_SHARES: Any = (
    {"0": [], "1": {}, "2": False, "3": ""}, {"0": 0, "1": None}, {"0": True}, {"0": "7"},
    {"0": {"7": 1}}, {"0": [True, 9]}, {"0": [9, 9]}, {"1": [0, 1]}, {"00": []}, [], None,
)  # fmt: skip
_LOCAL: Any = (
    None, "", {"ab12": 0}, ["0000"], [["a", None, "xy", 0], [10**30, -1, [None, True], 0]],
    [[0, 0, [], "x"], [False, False, "", 0]], [["a", None, "xy", 1]], [[0, 0, [1], -1]],
    [[[0], 0, [], 0]], [[0, 0, 0]],
)  # fmt: skip
_ADVICE: Any = (
    None, "prices", {"prices": None}, {"prices": {}}, {"prices": {"0": True}}, {"prices": []},
)  # fmt: skip
_PROOFS: list[Any] = [
    *({**_LEAF, "shares": shares} for shares in _SHARES),
    *({**_LEAF, "local": local} for local in _LOCAL),
    {**_LEAF, "prices": None}, {**_LEAF, "prices": [1]}, {"denominator": 0}, {"denominator": True},
    *({"counts": advice} for advice in _ADVICE),
    *("nonex", "counts", ["counts"], ["denominator"], None, 1, {}, {"counts": {}, **_LEAF}),
    *({"pair": pair, "with": _LEAF, "without": _LEAF} for pair in (
        "ab", {"x": 1, "y": 2}, [[0], 0], [False, None], [10**30, 10**30], [0], [0, 0], [-1, 0],
    )),
    *({"sieve": leaf, "score": score, "rest": _LEAF} for leaf, score in (
        (_LEAF, "3"), (_LEAF, -(10**30)), (_LEAF, True), ([], 1), ({"sieve": _LEAF}, 1),
    )),
    # At 2, the pair (1, 2) is ruled out, for which the rest has much; at 1 it is not.
    *({"sieve": _LEAF, "score": score, "rest": {**_LEAF, "shares": {"3": [100]}}}
      for score in (1, 2)),
]  # fmt: skip
_LONE = [[[0, j]] for j in range(1001)]
_CLIQUES: Any = (
    [[0, []]], [[0, [[]]]], [[0, [[[10**30, 10**40]], [[10**30, 5]]]]], [["1", []]], None, {},
    [[0, [[[10**30, 5]], [[10**30, 5]]]]], [[True, [[[False, False], [True, True]]]]], "",
    ["ab"],
    [[0, [["01"]]]], [[0, [[[-1, 0]]]]], [[0, [[[1, 0], [0, 1]]]]], [[0, [[[0, 0], [0, 1]]]]],
    [[0, [[[0, 0], [1, 0]]]]], [[0, _LONE[:-1]]], [[0, _LONE]], [[1, TRIANGLE_SETS]] * 2,
    [[0, [[[0, 0]], [[1, 1]]]]], [[-1, []]],
)  # fmt: skip
_ROWS: list[Any] = [  # cliques, unit, schema
    ([[2, TRIANGLE_SETS]], 1, 1), ([[2, TRIANGLE_SETS]], True, True), ([[2, TRIANGLE_SETS]], 0, 2),
    ([[2, TRIANGLE_SETS]], -1, 2), ([[2, TRIANGLE_SETS]], 10**9, 2), ([[0, []]], 10**9 + 1, 2),
    *((cliques, 1, 2) for cliques in _CLIQUES),
]  # fmt: skip
_KEYED: list[Any] = [
    ("xy", None), (["xy", {"x": 1}], ["xy", {"x": 1}]), (["x", "y", "z"], ["x", "y"]),
    ([[], []], [[], []]), (["x"], ["x"]), (["x", "y"], ["y", "x"]), ([None, 1], [1, 1]),
]  # fmt: skip
_PRICES: list[Any] = [
    {}, {"0": 1}, {"0": 1, "1": 1}, {"0": 1, "2": 3}, {"0": 1, "1": 1, "2": 1, "3": 1}, {"4": 0},
]  # fmt: skip
_NO_IMAGES: Any = ({}, "", None)
_MAPPINGS: list[Any] = [
    [False, True], "01", {"a": 0}, [0, None, None], [0, 0], [0, 3], [-1, 1], None,
]  # fmt: skip
_NAMES = "__proto__", "toString", "it's", "a\"'b\x7f\x80\U0001f600\u1234\\", "\u2028\n"
_EMPTY = {**CERTIFICATE, "mapping": [], "value": 0, "upper": 0}


def _graphs() -> list[Odd]:
    """Return pairs that are no usual ones, with certificates that say too little."""
    half = [["p", "a"], ["q", "a"], ["p", "b"], ["q", "b"]]
    two = _between([["p", "a"], ["q", "b"]], [["p", "a"], ["q", "a"]])
    often, seldom = [*[["p", "a"]] * 3, ["p", "b"]], [["p", "a"]] * 2
    lonely = [["p", "a"], ["q", "b"], ["p", "c"], ["q", "d"]]
    names = [f"v{k}" for k in range(501)]
    wide = _of(names, [[[name], [name]] for name in names])
    none = {**CERTIFICATE, "mapping": [None, None], "value": 0, "upper": 0}
    return [
        _odd("empty", _of([], []), _EMPTY),
        *(_odd(f"empty {m!r}", _of([], []), _EMPTY, mapping=m) for m in _NO_IMAGES),
        _odd("empty, counted", _of([], []), _EMPTY, proof={"counts": {"prices": {}}}),
        _odd("empty, no shares needed", _of([], []), _EMPTY, proof={**_LEAF, "shares": 7}),
        _odd("no variables", _of([], [[["p"], []]] * 2), _EMPTY),
        _odd("texts", _of("ab", ["pq", [["p"], ["a"]]]), value=1, upper=1),
        _odd("texts of triples", _of("ab", [["pq", "ab"], [["p"], ["a"]]]), value=2, upper=2),
        _odd("objects", _of({"a": 1, "b": 2}, [{"pq": 1, "ab": 2}, [[], ["a"]]]), value=2, upper=2),
        _odd("odd names", _of([None, 1], [[["p"], [True]], [["p"], [1, None]]]), value=2, upper=2),
        _odd("twice", _of([1, True], []), value=0, upper=0),
        _odd("keys", _of(["a", "b"], [[["p"], ["a"]]]), value=1, upper=1),
        *(_odd(f"keys {k}", _keyed(*keys), none) for k, keys in enumerate(_KEYED)),
        *(
            _odd(f"mapping by keys {k}", _keyed(*keys), value=1, upper=1)
            for k, keys in enumerate(_KEYED)
        ),
        _odd("similar again", {**PAIR, "similar": [[["is", "boy"], ["is", "boy"], 1]]}, upper=2),
        _odd("worth of nothing", {**PAIR, "similar": [[["is", "boy"], ["is", "boy"], None]]}),
        _odd("label of a list", {**PAIR, "similar": [[[["is"], "boy"], ["is", "boy"], 1]]}),
        *(_odd(f"scale {scale}", {**PAIR, "scale": scale}) for scale in ("1.5", True, None, -1)),
        *(_odd(f"duplicates {d}", {**PAIR, "duplicates": d}) for d in (["set"], "toString", None)),
        _odd("one for two", two, none, proof={"counts": {"prices": {"0": 1}}}),
        _odd("half of the counts", _between(half, half), none, proof={"counts": {"prices": {}}}),
        *(
            _odd(f"prices {k}", _between(half, lonely), none, proof={"counts": {"prices": prices}})
            for k, prices in enumerate(_PRICES)
        ),
        *(
            _odd(f"{d} {k} of many", _between(often, seldom, duplicates=d), none, proof=proof)
            for d in ("set", "multiset", "product")
            for k, proof in enumerate([{"counts": {}}, {"counts": {"prices": {}}}, _LEAF])
        ),
        *(
            _odd(
                f"column {column}",
                _between([["p", "abc"]], [["p", "cba"], ["q", "abc"]]),
                {**none, "mapping": [None] * 3},
                proof={"denominator": 1, "local": [[0, 2, column, 1]]},
            )
            for column in ([0, 1], [1, 0])
        ),
        _odd(
            "classes",
            wide,
            {**none, "mapping": [None] * 501, "upper": 501},
            proof={"counts": {"prices": {}}},
        ),
    ]


def odd_certificates() -> list[Odd]:
    """Return them all, each of another name."""
    found = [_odd(f"label {k}", _labelled(label)) for k, label in enumerate(_LABELS)]
    found += [_odd(f"key {k}", proof={**_LEAF, "prices": {key: 0}}) for k, key in enumerate(_KEYS)]
    found += [_odd(f"json {k}", change=change) for k, change in enumerate(_JSON)]
    found += [_odd(f"proof {k}", proof=proof) for k, proof in enumerate(_PROOFS)]
    found += [_odd(f"high proof {k}", proof=proof, upper=9) for k, proof in enumerate(_PROOFS)]
    found += [
        _odd(f"low proof {k}", proof=proof, mapping=[None, None], value=0, upper=0)
        for k, proof in enumerate(_PROOFS)
    ]
    found += [
        _odd(
            f"rows {k} up to {upper}",
            TRIANGLE,
            TRIANGLE_CERTIFICATE,
            proof={"cliques": cliques, "unit": unit, "rest": {"denominator": 1}},
            schema=schema,
            upper=upper,
        )
        for upper in (2, 6)
        for k, (cliques, unit, schema) in enumerate(_ROWS)
    ]
    several = '{"0":1,"00":40,"0":0}', '{"0":1,"00":0,"0":40}'
    found += [
        _odd(
            f"prices of one {k}",
            proof={**_LEAF, "prices": {}},
            change=('"prices": {}', f'"prices": {prices}'),
        )
        for k, prices in enumerate(several)
    ]
    raw = ('"X"', '"\\ud83d\\ude00"'), ('"X"', '"\U0001f600"')
    found += [_odd(f"raw {k}", _labelled("X"), pair_change=by) for k, by in enumerate(raw)]
    ordered = _labelled("X")
    ordered["test"] |= {"\U0001f600": 1, "\uffff": {"b": [True, None, 1.5], "a": -0}}
    found += [_odd("order of keys", ordered)]
    found += [_odd(f"mapping {k}", mapping=mapping) for k, mapping in enumerate(_MAPPINGS)]
    profiles = [1, {"a": True, "b": None}], [True, {"b": None, "a": 1}]
    found += [
        _odd("profile", {**PAIR, "profile": profiles[0]}, profile=profiles[1]),
        _odd("other profile", {**PAIR, "profile": "1"}, profile=1),
        *(_odd(name, value=4) for name in _NAMES),
    ]
    return found + _graphs()
