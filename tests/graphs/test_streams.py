"""Files as streams of bytes, the texts of graphs that are cut from them, and their scores."""

import gzip
import hashlib
import json
import math
import os
import pickle
import random
import re
import threading
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from statistics import fmean

import generate
import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from seeds import cases
from whole_files import read_graphs

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.coupling import couple_graphs
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers import clauses, mrp, penman, penman_json, streamside, triples
from exactmatch.graphs.readers import source as reading
from exactmatch.graphs.readers.blocks import line_metadata
from exactmatch.graphs.readers.cutting import cut_blocks, identified
from exactmatch.graphs.readers.detect import cut_texts, parse, read_file, read_text
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import ByteStream, read_lines, text_chunks
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem.interpreted import interpreted
from exactmatch.runtime import workers as memory
from exactmatch.scoring.stream import ScoringTask, score_stream
from exactmatch.scoring.tally import ExactSum, Tally

INSTANCES = Path(__file__).resolve().parents[2] / "instances"

AMR = """\
# AMR release

# ::id x.1 ::date 2020

# ::snt A dog barks.
(b / bark-01
   # inside
   :ARG0 (d / dog))
 \t
# ::id x.2

# ::id x.3 ::snt
(a / alpha

# ::id ::snt x
  (c / caf\u00e9 :op1 "\u2028")


# ::id x.4
# ::id x.5
(e / eps)
# after it
  # ::id x.6

# ::id x.7

# the last comment
"""
DRS = """\
%%% made by hand

% ::id p.1
% Tom sleeps .
b1 REF x1   % Tom
  % between
b1 Name x1 "tom"

b1 REF
 \t
% ::id p.2

% ::id p.3
b1 REF x1
% ::id p.4
"""
NODE = {"id": "1", "framework": "dm", "nodes": [{"id": 0, "label": "caf\u00e9"}], "tops": [0]}
JSON_LINES = "\n".join(
    [
        json.dumps(NODE),
        " ",
        json.dumps({**NODE, "id": ""}),
        json.dumps({**NODE, "framework": None}),
        '{"id": "2", "framework": "\\ud800"}',
        "[1]",
        '{"id": {}}',
        "\t" + json.dumps({**NODE, "id": "3"}, ensure_ascii=False),
        "{",
    ]
)
RECORDS = "\n".join(
    [
        json.dumps({"id": "1", "snt": "One.", "amr": "# ::id x\n\n(a / caf\u00e9\r\n :op1 (b"}),
        " ",
        json.dumps({"id": 2, "amr": "(a / caf\u00e9 :op1 \u2028)"}, ensure_ascii=False),
        '{"amr": "# ::id 3\\n(c / d)"},',
        '{"id": "4", "amr": null}',
        "[1]",
        "{",
    ]
)
CONCEPT = {"name": "caf\u00e9", "token_ids": [], "attribute": False}
GRAPH = {"tid": "1", "tokens": ["x"], "concepts": {"c0": CONCEPT}, "relations": {}}
OF_STREAMSIDE = "\n".join(
    [
        "{",
        '  "graphs": [',
        json.dumps(GRAPH) + ",",
        json.dumps({**GRAPH, "tid": None}, ensure_ascii=False) + ",",
        json.dumps({**GRAPH, "concepts": {}}) + ",",
        '{"tid": "4"',
        "] }",
    ]
)
CONJUNCTIONS = """\
# ::id 1
instance(a, caf\u00e9) ^
op1(a, "b )^ c,")

# ::id 2
instance(a b)

# ::id 3
instance(a, b) ^ ARG0(a,
  c) ^ instance(c,d)

instance(a, b)
"""
TEXTS = {"PENMAN": AMR, "clause form": DRS, "MRP": JSON_LINES}
TEXTS |= {"PENMAN in JSON lines": RECORDS, "StreamSide": OF_STREAMSIDE, "triples": CONJUNCTIONS}
READERS = {"PENMAN": penman, "clause form": clauses, "MRP": mrp}
READERS |= {"PENMAN in JSON lines": penman_json, "StreamSide": streamside, "triples": triples}
LINE_ENDS = ["\n", "\r\n", "\r"]


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def told(graphs: list[Graph | GraphError]) -> list[object]:
    """Return the whole content of graphs in a comparable form."""
    return [str(g) if isinstance(g, GraphError) else g for g in graphs]


def cut(data: bytes, size: int) -> list[GraphText]:
    lines = reading._text_chunks(pieces(data, size))
    return list(cut_texts(lines, "f").texts)


@pytest.mark.parametrize("end", LINE_ENDS, ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("form", TEXTS)
def test_texts_hold_what_whole_files_hold_wherever_they_are_cut(form: str, end: str) -> None:
    data = ("\ufeff" + TEXTS[form].replace("\n", end)).encode()
    whole = read_graphs(READERS[form], data[3:], "f")
    assert len(whole) >= 4
    for size in (1, 2, 3, 7, 64, len(data)):
        texts = cut(data, size)
        assert {text.format for text in texts} == {form}
        assert told([parse(text) for text in texts]) == told(whole)
        assert [text.identifier for text in texts] == [graph.identifier for graph in whole]
        assert [text.number for text in texts] == list(range(1, len(whole) + 1))


@pytest.mark.parametrize("end", LINE_ENDS, ids=["lf", "crlf", "cr"])
def test_interpreted_code_cuts_blocks_alike(end: str) -> None:
    plain = interpreted("exactmatch.graphs.readers.cutting")
    for text, comment in ((AMR, "#"), (DRS, "%")):
        data = (
            text.replace("\n# ::id x.7", "\n \u00a0# ::id x.7 ::d\n").replace("\n", end)
        ).encode()
        for size in (1, 5, len(data)):
            lines = [*reading._text_chunks(pieces(data, size))]
            assert [*plain.cut_blocks(lines, comment)] == [*cut_blocks(lines, comment)]


def test_the_identifier_that_is_cut_out_is_the_one_in_the_metadata() -> None:
    pieces = ["# ::id", "::id", " ", " ", "::", "a", "::snt b", "\t", "é", "\x7f", "\xa0", "\n#"]
    generator = random.Random(8)
    found = set()
    for _ in range(4000):
        text = "# " + "".join(generator.choices(pieces, k=generator.randint(2, 9)))
        known = [line_metadata(line).get("id") for line in text.split("\n")]
        given = [one for one in known if one is not None]
        assert identified(f"{text}\n(a / b)".encode(), "#") == (given[-1] if given else None, True)
        found.update(given)
    assert {"a", "::", ""} <= found


@pytest.mark.slow
def test_texts_of_random_files() -> None:
    random_lines = ["", " ", "\t ", "# ::id a", "# ::id b", "# ::id", "#", "(a / b", ")", "(c / d)"]
    generator = random.Random(7)
    for _ in range(cases(2000)):
        lines = generator.choices(random_lines, k=generator.randint(1, 12))
        text = "\n".join(lines)
        whole = read_graphs(penman, text.encode(), "f")
        if not whole:
            with pytest.raises(InputError, match="holds no graph"):
                read_text(text, "f")
            continue
        assert told(read_text(text, "f").graphs) == told(whole), lines


@pytest.mark.parametrize("name", ["agreement/a.amr", "drs/system.clf", "mrp/system.mrp"])
def test_texts_of_real_files(name: str) -> None:
    data = (INSTANCES / name).read_bytes()
    texts = cut(data, 1000)
    whole = read_graphs(READERS[texts[0].format], data, "f")
    assert told([parse(text) for text in texts]) == told(whole)


def test_texts_can_be_pickled_and_are_small() -> None:
    (text, *_) = cut_texts(text_chunks(AMR), "f").texts
    again = pickle.loads(pickle.dumps(text))
    assert again == text
    assert told([parse(again)]) == told([parse(text)])
    assert len(pickle.dumps(text)) < len(text.data) + 200


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_gzip_in_any_pieces(size: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reading, "CHUNK", size)
    text = AMR.replace("\n", "\r\n").encode()
    path = tmp_path / "members.gz"
    members = gzip.compress(b"\xef\xbb\xbf" + text[:100]) + b"\0" * 9 + gzip.compress(text[100:])
    path.write_bytes(members + b"\0")
    assert [*read_lines(path)] == text.splitlines()


def test_broken_gzip_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    whole = gzip.compress(AMR.encode())
    for broken in (whole[:-1], whole[:-9], whole[:40], whole[:2], whole + b"more", whole + b"\x1f"):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=r"x\.gz: broken gzip file: "):
            read_file(path)
    wrong_sum = whole[:-8] + bytes(4) + whole[-4:]
    path.write_bytes(wrong_sum)
    with pytest.raises(InputError, match="broken gzip file"):
        read_file(path)


def test_a_stream_tells_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(gzip.compress(AMR.encode()))
    digest = hashlib.sha256()
    with ByteStream(path, watch=digest.update) as stream:
        assert (stream.size, stream.position) == (path.stat().st_size, 0)
        assert b"".join(stream.chunks()) == AMR.encode()
        assert stream.position == stream.size
    assert digest.digest() == hashlib.sha256(path.read_bytes()).digest()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
def test_pipes_are_read_once_and_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    first_is_read = threading.Event()

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            for byte in b"(a / b\n:r c)\n\n(d":
                pipe.write(bytes([byte]))
            assert first_is_read.wait(60)
            pipe.write(b" / e)")

    writer = threading.Thread(target=write)
    writer.start()
    with ByteStream(path) as stream:
        assert stream.size is None
        texts = cut_texts(stream.chunks(), stream.name).texts
        assert next(texts).data == b"(a / b\n:r c)"
        first_is_read.set()
        assert [text.data for text in texts] == [b"(d / e)"]
    writer.join()


def test_what_is_cut_off_is_not_kept() -> None:
    def most(number: int) -> int:
        chunks = (f"# ::id {k}\n(a / b :op {k})\n\n".encode() for k in range(number))
        tracemalloc.start()
        for text in cut_texts(chunks, "f").texts:
            parse(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    most(2000)  # constants are remembered, up to a number
    assert most(2000) < most(200) + 50_000


PAIRS = "\n".join(
    f"# ::id p.{k % 7}\n(a / alpha :ARG0 (b / beta{k % 3} :mod (c / c{k % 5})))\n"
    for k in range(90)
)
OTHERS = "\n".join(
    f"# ::id p.{k % 7}\n(x / alpha :ARG1 (y / beta{k % 4} :mod (z / c{k % 5})))\n"
    for k in range(90)
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.amr").write_text(PAIRS, encoding="utf-8")
    Path("b.amr").write_text(OTHERS, encoding="utf-8")
    return tmp_path


def score(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["score", *words], input=given, catch_exceptions=False)


def timeless(text: str) -> str:
    return re.sub(r'"seconds": [\d.e-]+', "", text)


@pytest.mark.slow
@pytest.mark.parametrize("options", by_day([[], ["--pair-by", "id"], ["--metric", "sembleu"]]))
def test_results_are_the_same_with_any_number_of_workers(
    files: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "exactmatch.runtime.workers._ALONE", 0.0
    )  # auto starts processes after the first pair
    monkeypatch.setattr(memory, "cores", lambda: 2)
    if "id" in options:
        for name, text in (("a.amr", PAIRS), ("b.amr", OTHERS)):
            blocks = [block.replace("p.", f"{k}.") for k, block in enumerate(text.split("\n\n"))]
            random.Random(name).shuffle(blocks)
            Path(name).write_text("\n\n".join(blocks), encoding="utf-8")
    found = set()
    for workers in ("1", "2") if options else ("1", "3", "auto"):  # auto is two here
        more = () if "--metric" in options else ("--per-pair", "p", "--mappings", "m")
        result = score("a.amr", "b.amr", *options, "--workers", workers, "--format", "json", *more)
        assert (result.exit_code, result.stderr) == (0, "")
        written = [Path(name).read_text("utf-8") for name in "pm"] if more else []
        found.add(tuple(map(timeless, (result.stdout, *written))))
    assert len(found) == 1
    if more:
        names = [json.loads(line)["id"] for line in written[0].splitlines()]
        assert len(set(names)) == len(names) == 90
        expected = ["p.0", "p.1", "p.6", "p.0#2", "p.1#2"]
        assert options or [names[k] for k in (0, 1, 6, 7, 8)] == expected


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_all_unreadable_graphs_are_listed_whoever_reads_them(files: Path, workers: str) -> None:
    blocks = PAIRS.split("\n\n")
    for k in (1, 2, 3, 50, 51, 89):
        blocks[k] = blocks[k].replace(")))", "))")
    Path("a.amr").write_text("\n\n".join(blocks), encoding="utf-8")
    Path("b.amr").write_text(OTHERS.replace("(x / alpha", "(x", 1), encoding="utf-8")
    result = score("a.amr", "b.amr", "--workers", workers, "--per-pair", "p")
    assert (result.exit_code, result.stdout) == (1, "")
    named = re.findall(r"([ab]\.amr:\d+): graph (\d+) \(id", result.stderr)
    assert [number for _, number in named] == ["1", "2", "3", "4", "51", "52", "90"]
    assert "note: a.amr" not in result.stderr
    assert not Path("p").exists()


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_notes_come_in_the_order_of_the_pairs(files: Path, workers: str) -> None:
    blocks = PAIRS.split("\n\n")
    for k in (40, 3):
        blocks[k] = blocks[k].replace(")))", "))")
    Path("a.amr").write_text("\n\n".join(blocks), encoding="utf-8")
    words = ("--on-error", "skip", "--workers", workers, "--format", "json")
    result = score("a.amr", "b.amr", *words)
    assert result.exit_code == 1
    assert re.findall(r"note: .* graph (\d+)", result.stderr) == ["4", "41"]
    content = json.loads(result.stdout)
    assert (content["pairs"], content["skipped"], len(content["notes"])) == (88, 2, 2)


def test_numbers_of_graphs_are_counted_to_the_end(files: Path) -> None:
    Path("b.amr").write_text(f"{OTHERS}\n{OTHERS}", encoding="utf-8")
    result = score("a.amr", "b.amr", "--workers", "2")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(
        "error: number of graphs: 90 in a.amr, 180 in b.amr; graph 91 of b.amr (id p.0, line "
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
def test_both_sides_may_be_pipes(files: Path) -> None:
    expected = timeless(score("a.amr", "b.amr", "--format", "json").stdout)
    writers = []
    for name, text in (("c", PAIRS), ("d", OTHERS)):
        os.mkfifo(name)
        packed = gzip.compress(text.encode()) if name == "d" else text.encode()
        writers.append(threading.Thread(target=Path(name).write_bytes, args=(packed,)))
        writers[-1].start()
    result = score("c", "d", "--format", "json")
    for writer in writers:
        writer.join()
    assert timeless(result.stdout) == expected
    assert timeless(score("-", "b.amr", "--format", "json", given=PAIRS).stdout) == expected


def test_by_identifier_what_has_no_partner_comes_in_its_place() -> None:
    names = {"system": [5, 1, 8, 3], "gold": [*range(60, 160), 1, 2, 3, 4, 5]}
    sides = [
        cut_texts(text_chunks("\n\n".join(f"# ::id {k}\n(a / n{k})" for k in numbers)), name).texts
        for name, numbers in names.items()
    ]
    found = list(couple_graphs(*sides, system_name="system", gold_name="gold", pair_by="id"))
    expected = [5, 1, 8, 3, *range(60, 160), 2, 4]
    assert [couple.identifier for couple in found] == [str(k) for k in expected]
    for couple, k in zip(found, expected, strict=True):
        for side, name in ((couple.system, "system"), (couple.gold, "gold")):
            assert (side is not None) == (k in names[name])
            assert side is None or f"n{k}" in str(parse(side))  # type: ignore[arg-type]


def test_sums_are_rounded_once() -> None:
    generator = random.Random(3)
    for _ in range(200):
        numbers = [generator.uniform(-1, 1) * 10.0 ** generator.randint(-20, 20) for _ in range(50)]
        total = ExactSum()
        total.add(numbers[:20])
        for number in numbers[20:]:
            total.add([number])
        assert total.total() == math.fsum(numbers)
        assert sum(map(Fraction, total.parts())) == sum(map(Fraction, numbers))
    thirds = ExactSum()
    for _ in range(3000):
        thirds.add([1 / 3])
        assert len(thirds._parts) <= 256
    assert thirds.total() == math.fsum([1 / 3] * 3000)
    assert len(thirds.parts()) < 5


def test_a_tally_says_what_the_pairs_say() -> None:
    result = exactmatch.score(PAIRS, OTHERS, breakdown=True, cross_check=True)
    pairs = result.per_pair
    assert result.macro_f1 == fmean(pair.f1 for pair in pairs)
    assert result.macro_f1_upper == fmean(pair.f1_upper for pair in pairs)
    for name in ("matched", "matched_upper", "system_total", "gold_total", "confirmed"):
        assert getattr(result, name) == sum(getattr(pair, name) for pair in pairs)
    assert (result.pairs, result.optimal, result.certified) == (90, 90, 90)
    assert list(result.breakdown) == list(pairs[0].breakdown)
    matched = sum(counts.matched for counts in result.breakdown.values())
    assert matched == result.matched


def test_the_word_of_a_solver_is_no_checked_proof(files: Path) -> None:
    pairs = [generate.family("unrelated", 6, seed=1), (PAIRS, PAIRS)]
    for name, texts in zip(("a.amr", "b.amr"), zip(*pairs, strict=True), strict=True):
        Path(name).write_text("\n\n".join(texts), encoding="utf-8")
    words = ("a.amr", "b.amr", "--solver", "maxsat")
    content = json.loads(score(*words, "--format", "json").stdout)
    assert (content["optimal"], content["certified"], content["by_word"]) == (91, 90, {"maxsat": 1})
    told = "proven: 91 of 91 pairs (90 by a checked proof, 1 by the word of maxsat); no mapping"
    assert told in score(*words).stdout
    certified = score(*words, "--require-certified")  # linear relaxations prove it
    assert certified.exit_code == 0 and "proven: 91 of 91 pairs; no mapping" in certified.stdout
    assert score(*words, "--require-optimal").exit_code == 0
    Path("a.amr").write_text(PAIRS, encoding="utf-8")
    Path("b.amr").write_text(OTHERS, encoding="utf-8")
    assert score("a.amr", "b.amr", "--require-certified").exit_code == 0


@pytest.mark.slow
def test_scoring_takes_the_same_memory_for_any_number_of_pairs() -> None:
    def most(times: int) -> int:
        sides = [
            cut_texts((text.encode() + b"\n\n" for _ in range(times)), name).texts
            for name, text in (("a", PAIRS), ("b", OTHERS))
        ]
        couples = couple_graphs(*sides, system_name="a", gold_name="b")
        tally, words = Tally(), Tally()
        tracemalloc.start()
        for answer in score_stream(couples, ScoringTask([Smatch(), SemBleu()])):
            for sums, score in zip((tally, words), answer.scores, strict=True):
                sums.add(score)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert tally.counts["pairs"] == 90 * times
        return peak

    most(1)
    # Garbage in circles is found now and then; scores that are kept are a kilobyte a pair or more.
    assert most(8) < most(2) + 600_000
