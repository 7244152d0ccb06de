"""One faulty line in a file: nothing is lost but what it belongs to, in any format.

The expected counts are those of the same files without that line or, where it makes its graph
unreadable, without that pair.
"""

import random
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day

import exactmatch
from exactmatch.errors import GraphError
from exactmatch.graphs.graph import MRP, PENMAN, PENMAN_IN_JSON, TRIPLES, Graph
from exactmatch.graphs.pairing import PairBy
from exactmatch.graphs.readers.detect import read_file
from exactmatch.graphs.readers.recognition import recognise

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
#: Files, what separates their graphs, choices, and lines that are no part of any graph there.
FORMATS: dict[str, tuple[str, str, str, dict[str, Any], list[str]]] = {
    "PENMAN": (
        "agreement/a.amr", "agreement/b.amr", "\n\n", {},
        [":ARG5 :ARG6 x", "(zz / )", ') (', '"', "/ /", ": :", '{"a": 1}', "b1 REF x1", "\udcff"],
    ),
    "clauses": (
        "drs/system.clf", "drs/gold.clf", "\n\n", {},
        ["b1 REF", "b1", "b1 Name x1 \"New York\"", "b1 person x1", "(a / b)", '{"a": 1}',
         "b1 Agent e1 18", "b1 \udcff x1", '"'],
    ),
    "SBN": (
        "sbn/system.sbn", "sbn/gold.sbn", "\n",
        {"ill_formed": "skip", "gold_ill_formed": "skip"},
        ["Agent", "+99", "(", '"x', "Agent -99", "\udcff"],
    ),
    "MRP": (
        "mrp/system.mrp", "mrp/gold.mrp", "\n", {"metric": "mrp"},
        ["{", "[1, 2]", "{'id': 1}", '{"id": "1", "nodes": 5}', "\udcff"],
    ),
}  # fmt: skip


def graphs(name: str, separator: str) -> list[str]:
    """Return the graphs of a file, without their comments."""
    text = (INSTANCES / name).read_text(encoding="utf-8")
    rows = [row for row in text.split("\n") if not row.startswith(("#", "%"))]
    return [graph for graph in "\n".join(rows).split(separator) if graph.strip()]


def counts(folder: Path, system: str, gold: str, **choices: Any) -> tuple[int, int, int]:
    paths = []
    for name, text in (("system", system), ("gold", gold)):
        paths.append(folder / name)
        paths[-1].write_bytes(text.encode("utf-8", errors="surrogateescape"))
    found = exactmatch.score(*paths, on_error="skip", workers=1, **choices)
    return found.matched, found.system_total, found.gold_total


@pytest.mark.parametrize("form", FORMATS)
def test_a_faulty_graph_loses_itself(form: str, tmp_path: Path) -> None:
    *names, separator, choices, lines = FORMATS[form]
    rng = random.Random(form)
    sides = [graphs(name, separator)[:4] for name in names]
    for line in lines:
        side, place = rng.randrange(2), rng.randrange(1, 4)
        odd = [list(graphs) for graphs in sides]
        odd[side][place] = with_line(odd[side][place], line, form, rng)
        without = [graphs[:place] + graphs[place + 1 :] for graphs in sides]
        found, expected = (
            counts(tmp_path, *(separator.join(graphs) + "\n" for graphs in both), **choices)
            for both in (odd, without)
        )
        assert found == expected, (line, side, place)


def with_line(graph: str, line: str, form: str, rng: random.Random) -> str:
    """Return a graph with a faulty line, or part of a line."""
    if form == "MRP":
        return line
    if form == "SBN":
        return f"{graph} {line}"
    rows = graph.split("\n")
    rows.insert(rng.randint(1, len(rows) - 1) if len(rows) > 1 else 1, line)
    return "\n".join(rows)


SENTENCE = """\
# :: snt{k}
Words: a b c

# sentence level graph:
(s{k}a / aa
    :ARG0 (s{k}b / bb)
    :ARG1 (s{k}c / bb))

# alignment:
{surface}

# document level annotation:
(s{k}s0 / sentence
    :temporal ((document-creation-time :before s{k}a) (s{k}a :before s{k}b))
    :modal ((author :full-affirmative s{k}a)))


"""
SURFACE = ["s{k}a: 1-1", "s{k}b: 2-2", "s{k}c: 3-3"]
FAULTS = [
    "s2c: -1-5", "s2c: 2", "s2c:", "s2c: undefined", "s2c: 1\u20131", "s2c: 1-1,", "zz: 1-1",
    "s2c: 0-3", "s2c 1-1", "???", "s2c: 99999999-99999999", "(", '"', ": 1-1", "s2c: 1-1-1",
]  # fmt: skip
UMR_CHOICES = [
    {"metric": "umatch"}, {"metric": "smatch"}, {"metric": "smatch", "anchors": "tokens"},
]  # fmt: skip


def document(surface: list[str] = SURFACE) -> str:
    """Return three sentences, of which the second has these lines of surface alignment."""
    rows = ["\n".join(surface if k == 2 else SURFACE) for k in (1, 2, 3)]
    return "".join(
        SENTENCE.format(k=k, surface=row.format(k=k)) for k, row in enumerate(rows, start=1)
    )


@pytest.mark.parametrize("choices", UMR_CHOICES, ids=["umatch", "smatch", "anchors"])
def test_a_faulty_line_of_a_surface_alignment_loses_itself(
    choices: dict[str, Any], tmp_path: Path
) -> None:
    rng = random.Random(0)
    gold = document()
    expected = counts(tmp_path, document(SURFACE[:2]), gold, **choices)
    for line in FAULTS:
        rows = [*SURFACE[:2], line]
        rng.shuffle(rows)
        assert counts(tmp_path, document(rows), gold, **choices) == expected, rows


@pytest.mark.parametrize("line", ["# :: snt2", "# sentence level graph:", "# alignment:"])
def test_a_repeated_mark_begins_nothing(line: str, tmp_path: Path) -> None:
    gold = document()
    second = gold.index("# :: snt2")
    odd = gold[:second] + gold[second:].replace(f"{line}\n", f"{line}\n{line}\n", 1)
    assert odd != gold
    expected = counts(tmp_path, gold, gold, **UMR_CHOICES[0])
    assert counts(tmp_path, odd, gold, **UMR_CHOICES[0]) == expected


def test_a_node_without_its_line_is_aligned_with_no_token(tmp_path: Path) -> None:
    # Of the 7 values of a sentence, the concept and the two ends of s2c are lost: 6 + 5 + 6.
    choices = {"metric": "smatch", "anchors": "tokens", "top": "none"}
    found = counts(tmp_path, document([*SURFACE[:2], "s2c: 2"]), document(), **choices)
    assert found == (5 + 3 + 5, 15, 15)


CAMR_LINES = ["```", "[1, 2]", "(zz / )", "Agent -99", "+99", "null", "b1 person x1"]


@pytest.mark.parametrize("form", ["camr", "tuples"])
@pytest.mark.parametrize("line", CAMR_LINES)
def test_a_line_that_is_no_row_belongs_to_one_chinese_amr(
    form: str, line: str, tmp_path: Path
) -> None:
    gold = (INSTANCES / f"camr/gold.{form}").read_text(encoding="utf-8")
    second = gold.index("(x2 /" if form == "camr" else "2\tx0")
    odd = f"{gold[:second]}{line}\n{gold[second:]}"
    (tmp_path / "gold").write_text(gold, encoding="utf-8")
    (tmp_path / "odd").write_text(odd, encoding="utf-8")
    found = exactmatch.score(tmp_path / "odd", tmp_path / "gold", on_error="skip", workers=1)
    assert (found.skipped, found.pairs) == (1, 2)
    assert found.f1 == 1


@pytest.mark.parametrize(
    ("first", "line", "form"),
    [
        ("% x", '{"id": "1", "amr": "(a / b)"}', PENMAN_IN_JSON),
        ("Agent", '{"id": "1", "framework": "amr", "nodes": []}', MRP),
        ("o\torder-01:instance", "o\tx\t:ARG0", TRIPLES),
        ("b1 REF x1", "(a / b :ARG0 (c / d))", PENMAN),
        ("a\tb\t:ARG0", "(a / b :ARG0 (c / d))", PENMAN),
    ],
)
def test_a_broken_first_line_does_not_decide_on_the_format(
    first: str, line: str, form: str
) -> None:
    assert recognise(text.encode() for text in (first, line, line)) == form
    if form == PENMAN and first.count("\t"):
        assert recognise(text.encode() for text in ("# ::id x", first, line, line)) == form


#: Lines that begin a file of another kind, or are no text at all.
FIRST_LINES = [
    "(a / b)", "()", "(a / b", "instance(a, b) ^", "{", '{"a": 1}', '{"id": "1", "nodes": 5}',
    "person.n.01", "1\tx4\tx\t-\t:arg0\t-\t-\tx1\ty\t-", "a\tb\t:ARG0", "b1 REF x1", "# comment",
    "# ::wid x1_y", "# sentence level graph:", "# ::id zz", "```", "<html>", "[1, 2]", "\udcff",
    "PK\x03\x04", "1, 2, 3", '"',
]  # fmt: skip
BEGUN = {
    "PENMAN": ["agreement/a.amr"],
    "clauses": ["drs/gold.clf"],
    "SBN": ["sbn/gold.sbn", "sbn/gold.blocks.sbn"],
    "MRP": ["mrp/gold.mrp"],
    "UMR": ["umr/a.umr"],
    "Chinese AMR": ["camr/gold.camr", "camr/gold.tuples"],
}


@pytest.mark.parametrize("form", BEGUN)
@pytest.mark.parametrize("line", by_day(FIRST_LINES, 5))
def test_a_stray_first_line_is_refused_alone(form: str, line: str, tmp_path: Path) -> None:
    for name in BEGUN[form]:
        text = (INSTANCES / name).read_bytes()
        whole = read_file(INSTANCES / name)
        path = tmp_path / "odd"
        path.write_bytes(line.encode("utf-8", errors="surrogateescape") + b"\n\n" + text)
        odd = read_file(path)
        assert odd.format == whole.format, name
        behind = [contents(graph) for graph in odd.graphs[-len(whole.graphs) + 1 :]]
        assert behind == [contents(graph) for graph in whole.graphs[1:]]


def contents(graph: Graph | GraphError) -> object:
    assert isinstance(graph, Graph)
    return graph.identifier, graph.triples


@pytest.mark.parametrize("pair_by", ["position", "id"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_stray_text_between_named_graphs_shifts_no_pair(
    place: int, pair_by: PairBy, tmp_path: Path
) -> None:
    named = ["# ::id 1\n(a / ant)\n", "# ::id 2\n(b / bee)\n"]
    odd = [*named[:place], "It failed, sorry.\n", *named[place:]]
    system, gold = tmp_path / "system", tmp_path / "gold"
    for one, other in ((odd, named), (named, odd)):
        system.write_text("\n".join(one), "utf-8")
        gold.write_text("\n".join(other), "utf-8")
        notes: list[str] = []
        found = exactmatch.score(
            system, gold, on_error="skip", pair_by=pair_by, note=notes.append, workers=1
        )
        assert isinstance(found, exactmatch.CorpusScore)
        assert (found.pairs, found.skipped, found.matched) == (2, 1, 4)
        assert any(f":{1 + 3 * place}: graph {1 + place}:" in note for note in notes)
        with pytest.raises(exactmatch.InputError):
            exactmatch.score(system, gold, pair_by=pair_by)


FILES = {
    **{form: (*spec[:2], spec[3]) for form, spec in FORMATS.items()},
    "UMR": ("umr/a.umr", "umr/b.umr", {"metric": "umatch"}),
}


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize("change", ["\r\n", "\r", "\ufeff", "blanks", "marks"])
def test_line_ends_marks_and_blanks_change_no_count(form: str, change: str, tmp_path: Path) -> None:
    *names, choices = FILES[form]
    texts = [(INSTANCES / name).read_text(encoding="utf-8") for name in names]
    expected = counts(tmp_path, *texts, **choices)
    system = texts[0]
    if change in ("\r\n", "\r"):
        system = system.replace("\n", change)
    elif change == "\ufeff":
        system = change + system
    elif change == "marks":
        system = system.replace("\n", "\n\ufeff")
    else:
        system = system.replace("\n", " \n")
    assert counts(tmp_path, system, texts[1], **choices) == expected


@pytest.mark.parametrize("form", FILES)
def test_letters_in_another_form_and_the_order_of_alignments_change_no_count(
    form: str, tmp_path: Path
) -> None:
    *names, choices = FILES[form]
    rng = random.Random(form)
    system, gold = ((INSTANCES / name).read_text(encoding="utf-8") for name in names)
    word = {"MRP": '"label": "', "SBN": 'Name "', "clauses": "b1 "}.get(form, "/ ")
    system, gold = (text.replace(word, f"{word}\u00e9\u1ec7") for text in (system, gold))
    expected = counts(tmp_path, system, gold, **choices)
    rows = unicodedata.normalize("NFD", system).split("\n")
    while form == "UMR" and "# alignment:" in rows:
        first = rows.index("# alignment:")
        last = rows.index("", first)
        rows[first] = "# Alignment:"
        rows[first + 1 : last] = rng.sample(rows[first + 1 : last], last - first - 1)
    assert counts(tmp_path, "\n".join(rows), gold, **choices) == expected


def test_an_ordinary_file_needs_no_pattern_of_rare_formats() -> None:
    """Each pattern is compiled at the start of every command, which takes long."""
    program = (
        "from exactmatch.graphs.readers.recognition import compiled, recognise\n"
        "lines = [b'# ::id lpp.1 ::snt-type body', b'(s / sing-01', b'   :ARG0 (c / cat))']\n"
        "print(recognise(lines), compiled.cache_info().currsize)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [PENMAN, "3"]
