"""Adjudication: what differs, what comes out of decisions, and what is refused."""

import hashlib
import json
import random
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import networkx
import pytest
from javascript_checker import node
from nightly import by_day
from study_files import ANNOTATORS, blocks_of

import exactmatch
from exactmatch.many.adjudication.batch import BATCH, Batch, read_batch
from exactmatch.many.adjudication.collecting import wrong_with
from exactmatch.many.adjudication.item import Item, ItemDifference, about_of
from exactmatch.many.adjudication.merging import merge_work
from exactmatch.many.adjudication.result import (
    ADD,
    DROP,
    NEITHER,
    is_addition,
    is_new,
    penman_of,
    result_of,
    written,
)
from exactmatch.many.adjudication.work import Entry, WorkFile, in_force, read_work
from exactmatch.runtime import partial_file

ROOT = Path(__file__).resolve().parents[2]
AGREEMENT = ROOT / "instances" / "agreement"
UMR = [ROOT / "instances" / "umr" / f"{x}.umr" for x in "ab"]
SCRIPTS = Path(str(files("exactmatch.report.pages") / "adjudication"))
ELEMENTS = SCRIPTS.parent / "script" / "elements.js"


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """The batch of the four annotators of the instances, of every second item."""
    folder = tmp_path_factory.mktemp("four")
    paths = [folder / name for name in ANNOTATORS]
    for path in paths:
        path.write_text("\n\n".join(blocks_of(AGREEMENT / path.name)[::2]), encoding="utf-8")
    return exactmatch.adjudicate(paths, folder / "pages").batch


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """The batch of the two annotators of UMR."""
    return exactmatch.adjudicate(UMR, tmp_path_factory.mktemp("umr")).batch


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """A batch with graphs that have faults."""
    one = "(s / sing-01 :ARG99 3 :ARG0 (b / bird :mod b) :time x9)"
    other = "(s / sing-02 :ARG0 (b / bird :quote-of s) :ARG1 (c / cat))"
    unreadable = "(s / sing-01 :ARG99 3 :ARG1 (b))"  # its faults excuse none of other graphs
    return batch_of(tmp_path_factory.mktemp("faulty"), one, other, unreadable)


def batch_of(folder: Path, *texts: str) -> Batch:
    folder.mkdir(exist_ok=True)
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"{'abcd'[number]}.amr")
        paths[-1].write_text(text, encoding="utf-8")
    return exactmatch.adjudicate(paths, folder / "pages").batch


def choices_of(item: Item, annotator: int) -> dict[str, Any]:
    """Return what one annotator says of all that can be asked."""
    found: dict[str, Any] = {}
    for one in item.differences:
        own = [k for k, option in enumerate(one.options) if annotator in option.by]
        if own:
            found[one.id] = own[0]
        elif annotator in one.absent:
            found[one.id] = NEITHER
    return found


def by_chance(item: Item, chance: random.Random, often: float = 0.95) -> dict[str, Any]:
    """Return choices that need not make a graph: some undecided, some new."""
    found: dict[str, Any] = {}
    for one in item.differences:
        new = {
            "concept": "new-01",
            "attribute": '"x y"',
            "relation": "ARG9-of",
            "root": item.nodes[0],
        }
        some: list[Any] = [*range(len(one.options)), NEITHER]
        if one.kind in new:
            some.append({"new": new[one.kind]})
        if chance.random() < often:
            found[one.id] = chance.choice(some)
    if chance.random() < 0.3:
        found[f"{DROP}{chance.choice(item.nodes)}"] = True
    if chance.random() < 0.3:
        found[f"{ADD}{chance.choice(item.nodes)} :mod (zz / extra)"] = True
        found[f"{ADD}zz :ARG1-of {chance.choice(item.nodes)}"] = True
        found[f"{ADD}zz :quant 3"] = True
    if chance.random() < 0.2:
        found[f"{ADD}{chance.choice(item.nodes)} :ARG99 3"] = True
    return found


def as_network(path_or_text: str) -> Any:
    return exactmatch.to_networkx(exactmatch.loads(path_or_text)[0])


def kinds_of(item: Item) -> set[str]:
    """Return the kinds of faults in the graphs of the annotators."""
    return {fault.kind for graph in item.graphs for fault in graph.faults}


def same_graph(one: str, other: str) -> bool:
    """Tell whether two texts say the same graph, but for names."""
    score = exactmatch.score(one, other, case="keep", quotes="keep", mod="separate")
    return bool(score.f1 == 1 and score.per_pair[0].system_total == score.per_pair[0].gold_total)


@pytest.mark.parametrize("name", ["index.html", "batch.json"])
def test_what_others_have_written_is_not_replaced(name: str, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / name).write_text("of others")
    with pytest.raises(exactmatch.InputError, match="of another program, and would be replaced"):
        batch_of(tmp_path, "(s / sing-01)", "(s / song)")
    assert (tmp_path / "pages" / name).read_text() == "of others"


def test_a_folder_that_an_interrupt_has_left_is_written_to_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = "(s / sing-01)", "(s / song)"
    replace = partial_file.replace
    for completed in (0, 1):
        left = iter(range(completed))

        def interrupted(*given: Any, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            replace(*given)

        with monkeypatch.context() as broken:
            broken.setattr(partial_file, "replace", interrupted)
            with pytest.raises(KeyboardInterrupt):
                batch_of(tmp_path, *texts)
        assert batch_of(tmp_path, *texts).digest == read_batch(tmp_path / "pages").digest
        shutil.rmtree(tmp_path / "pages")


def test_a_long_text_is_no_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.amr").write_text("(s / sing-01)")
    said = "Prefer a verb to its noun. " * 20
    files = [tmp_path / "a.amr"] * 2
    page = exactmatch.adjudicate(files, tmp_path / "pages", guidelines=said).page
    assert json.dumps(said)[1:-1] in page.read_text(encoding="utf-8")


def test_graphs_without_identifiers_are_collected_under_a_number(tmp_path: Path) -> None:
    for name, text in (("a", "(a / b)\n\n(c / d)\n"), ("b", "(a / c)\n\n(c / d)\n")):
        (tmp_path / f"{name}.amr").write_text(text)
    notes: list[str] = []
    paths, gold = [tmp_path / "a.amr", tmp_path / "b.amr"], tmp_path / "gold.amr"
    batch = exactmatch.adjudicate(paths, tmp_path / "pages", note=notes.append).batch
    assert len(notes) == 1 and "iaa then pairs by position" in notes[0]
    work = save(tmp_path / "work.json", batch, decided(batch, 0))
    exactmatch.collect_work(tmp_path / "pages", [work], gold)
    assert [graph.identifier for graph in exactmatch.load(gold)] == ["1", "2"]
    exactmatch.agreement(paths, consensus=gold)


def test_what_is_left_out_is_listed(tmp_path: Path) -> None:
    text = "# ::id one\n(a / b)\n\n# ::id two\n(c / d)\n"
    for name, graphs in (("a", text), ("b", "# ::id one\n(a / c)\n")):
        (tmp_path / f"{name}.amr").write_text(graphs)
    notes: list[str] = []
    paths = [tmp_path / "a.amr", tmp_path / "b.amr"]
    batch = exactmatch.adjudicate(paths, tmp_path / "pages", note=notes.append).batch
    assert notes == ["b has no graph two"]
    work = save(tmp_path / "work.json", batch, [])
    report = exactmatch.collect_work(tmp_path / "pages", [work]).report()
    assert "left out, not finished: 2: one, two\n" in f"{report}\n"


def test_annotators_are_not_called_like_what_nobody_says(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("neither.amr", "new.amr")]
    for path, concept in zip(paths, ("a", "b"), strict=True):
        path.write_text(f"(x / {concept})")
    batch = exactmatch.adjudicate(paths, tmp_path / "pages").batch
    work = save(tmp_path / "work.json", batch, decided(batch, 1))
    found = exactmatch.collect_work(tmp_path / "pages", [work])
    assert found.annotators == batch.annotators == ["neither#2", "new#2"]
    assert found.ways == {"concept": {"new#2": 1}}


@pytest.mark.slow
def test_always_one_annotator_gives_that_graph(four: Batch) -> None:
    for item in four.items:
        for annotator in range(4):
            result = result_of(item, choices_of(item, annotator))
            assert not result.undecided
            text = written(item, result)
            assert text in [graph.text for graph in item.graphs[: annotator + 1]]
            assert same_graph(text, item.graphs[annotator].text)
            # What is not taken from the file is the same graph, too.
            assert same_graph(penman_of(result), item.graphs[annotator].text)


def decided(batch: Batch, annotator: int, left_out: Sequence[str] = ()) -> list[Entry]:
    """Return the decisions that take what one annotator says, but for some items."""
    return [
        Entry(item.id, key, "ann", f"2026-01-01T00:00:00.{number:03}Z", choice)
        for item in batch.items
        if item.id not in left_out
        for number, (key, choice) in enumerate(
            [*choices_of(item, annotator).items(), ("finished", True)]
        )
    ]


@pytest.mark.parametrize("annotator", [0, 1])
def test_sentence_graphs_of_umr_are_collected(
    annotator: int, sentences: Batch, tmp_path: Path
) -> None:
    notes: list[str] = []
    exactmatch.adjudicate(UMR, tmp_path / "pages", note=notes.append)
    assert [note.split("of ")[1:] for note in notes] == [
        ["25 variables, 24 triples ", "the document level"]
    ] * 2
    work = save(tmp_path / "work.json", sentences, decided(sentences, annotator))
    gold = tmp_path / "gold.umr"
    found = exactmatch.collect_work(tmp_path / "pages", [work], gold)
    assert [item.fate for item in found.items] == ["collected"] * 5 and not found.shared
    assert exactmatch.check(gold).found == 0
    score = exactmatch.score(gold, UMR[annotator], case="keep", quotes="keep", mod="separate")
    assert score.f1 == 1
    first, given = exactmatch.load(gold)[0], exactmatch.load(UMR[annotator])[0]
    assert first.sentences[0].tokens == given.sentences[0].tokens
    assert not first.sentences[0].tokens_of and not first.sentences[0].document_level
    assert first.metadata["sent_id"] == "ferry.1" and first.metadata["adjudicator"] == "ann"


def test_documents_stay_apart_if_sentences_are_left_out(sentences: Batch, tmp_path: Path) -> None:
    exactmatch.adjudicate(UMR, tmp_path / "pages")
    left_out = ["snt2", "snt3", "d2.snt1"]
    work = save(tmp_path / "work.json", sentences, decided(sentences, 0, left_out))
    exactmatch.collect_work(tmp_path / "pages", [work], tmp_path / "gold.umr")
    names = [graph.identifier for graph in exactmatch.load(tmp_path / "gold.umr")]
    assert names == ["snt1", "d2.snt2"]


def test_a_sentence_keeps_its_document_whatever_an_annotator_says(tmp_path: Path) -> None:
    one = umr("(s1x / a)")
    other = one.replace("# ::", "# meta-info :: document = 7\n# ::")
    batch = batch_of(tmp_path, one, other)
    work = save(tmp_path / "work.json", batch, decided(batch, 0))
    exactmatch.collect_work(tmp_path / "pages", [work], tmp_path / "gold.umr")
    assert exactmatch.load(tmp_path / "gold.umr")[0].identifier == batch.items[0].id == "snt1"


def umr(*graphs: str) -> str:
    return "\n\n".join(
        f"# :: snt{number}\nWords: a b\n\n# sentence level graph:\n{graph}\n"
        for number, graph in enumerate(graphs, start=1)
    )


def test_names_that_sentences_of_a_document_share_are_said(tmp_path: Path) -> None:
    one, other = umr("(s1x / a)", "(s2x / b)"), umr("(s3x / a)", "(s1x / b)")
    batch = batch_of(tmp_path, one, other)
    entries = [
        Entry(item.id, "finished", "ann", "2026-01-01T00:00:00.000Z", True) for item in batch.items
    ]
    choices = Entry("snt2", "concept s2x", "ann", "2026-01-01T00:00:00.000Z", 0)
    assert not batch.differences
    added = f"{ADD}s2x :mod (s1x / c)"
    work = save(
        tmp_path / "work.json", batch, [*entries, choices._replace(difference=added, choice=True)]
    )
    found = exactmatch.collect_work(tmp_path / "pages", [work])
    assert found.shared == ["snt2: used-twice: variable s1x is also one of snt1"]
    assert "names that sentences of a document share:\n  snt2: used" in found.report()


def test_other_tokens_are_another_sentence(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, umr("(s1x / a)"), umr("(s1x / b)").replace("a b", "a c"))
    (item,) = batch.items
    assert not item.differences and "token 2 is 'c', but 'b'" in (item.graphs[1].error or "")


def test_a_comment_inside_a_graph_does_not_cut_it(tmp_path: Path) -> None:
    text = "(s / sing-01\n# who?\n  :ARG0 (b / bird))"
    batch = batch_of(tmp_path, text, "(s / sing-01\n  :ARG0 (b / bird))")
    finished = Entry("1", "finished", "ann", "2026-01-01T00:00:00.000Z", True)
    work, gold = save(tmp_path / "work.json", batch, [finished]), tmp_path / "gold.amr"
    exactmatch.collect_work(tmp_path / "pages", [work], gold)
    assert len(exactmatch.load(gold)) == 1


@pytest.mark.nightly
def test_the_batch_is_the_same_with_any_number_of_workers(sentences: Batch, tmp_path: Path) -> None:
    assert exactmatch.adjudicate(UMR, tmp_path / "pages", workers=2).batch == sentences


def test_files_without_a_common_item_are_refused(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.amr", "b.amr", "c.amr")]
    for file in files:
        file.write_text(f"# ::id {file.stem}.1\n(g / go-01)\n", encoding="utf-8")
    with pytest.raises(exactmatch.InputError, match="no two files have an item in common"):
        exactmatch.adjudicate(files, tmp_path / "page")
    assert not (tmp_path / "page").exists()


def test_identifiers_that_occur_twice_are_refused(tmp_path: Path) -> None:
    text = "# ::id x\n(a / b)\n\n# ::id x\n(a / c)\n"
    with pytest.raises(
        exactmatch.InputError, match=r"a.amr:4: identifier x occurs twice, first at"
    ):
        batch_of(tmp_path, text, text)


def test_triples_are_those_chosen(four: Batch) -> None:
    """Counted another way: from the triples, what each needs, and what was chosen of it."""
    chance = random.Random(1)
    for item in four.items:
        choices = {
            key: choice
            for key, choice in by_chance(item, chance).items()
            if key in dict((one.id, one) for one in item.differences)
        }
        gone = {
            key[5:] for key, choice in choices.items() if key[:5] == "node " and choice == NEITHER
        }
        gone |= {
            one.about[0] for one in item.differences if one.kind == "node" and one.id not in choices
        }
        expected = set()
        for number, triple in enumerate(item.triples):
            asked = [
                one for one in item.differences if any(number in o.triples for o in one.options)
            ]
            is_chosen = all(
                isinstance(choices.get(one.id), int)
                and number in one.options[choices[one.id]].triples
                for one in asked
            )
            ends = about_of(triple) or [triple[1]]
            if is_chosen and not gone.intersection(ends):
                expected.add(triple)
        found = set(result_of(item, choices).triples)
        made = {t for t in found if t not in item.triples}
        new = {key for key, choice in choices.items() if isinstance(choice, dict)}
        assert expected <= found and len(made) <= len(new)
        assert all(not about_of(t) or not gone.intersection(about_of(t)) for t in found)


def test_what_is_collected_passes_the_check_and_all_else_is_refused(four: Batch) -> None:
    chance, fates = random.Random(2), set()
    for item in four.items:
        for _ in range(4):
            result = result_of(item, by_chance(item, chance))
            text = f"# ::id x\n{written(item, result)}\n"
            wrong, _ = wrong_with(item, result, text, four.format)
            fates.add(bool(wrong))
            if not wrong:
                faults = exactmatch.check(text).files[0].faults
                assert {fault.kind for fault in faults} <= kinds_of(item)
                assert networkx.is_connected(networkx.Graph(as_network(text)))
    assert fates == {True, False}


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"relation b s": NEITHER}, "disconnected: s not connected"),
        ({"concept b": NEITHER}, "no-concept: variable b has no concept"),
        ({"root": NEITHER}, "no root"),
        ({"relation b s": {"new": "ARG99"}}, "unknown-role: :ARG99"),
        ({f"{ADD}s :quant x9": True}, "undeclared: s :quant x9"),
        ({f"{ADD}b :part s": True}, "cycle: among"),
        ({f"{ADD}nobody :mod b": True}, "added to a node that is not there: nobody mod b"),
    ],
)
def test_what_is_wrong_is_said_in_the_words_of_the_check(
    choices: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    batch = batch_of(
        tmp_path,
        "(s / sing-01 :ARG0 (b / bird :mod (r / red)))",
        "(b / cat :mod (r / red) :ARG1-of (s / sing-01))",
    )
    (item,) = batch.items
    everything = {one.id: 0 for one in item.differences}
    assert {"root", "concept b", "relation b s"} <= everything.keys()
    result = result_of(item, {**everything, **choices})
    wrong, _ = wrong_with(item, result, written(item, result), batch.format)
    assert any(one.startswith(reason) for one in wrong), wrong


def test_faults_of_an_input_are_named_and_kept(tmp_path: Path) -> None:
    text = "(s / sing-01 :ARG0 (b / bird) :ARG99 x :ARG0 b)"
    batch = batch_of(tmp_path, text, "(s / sing-01 :ARG0 (b / bird))")
    (item,) = batch.items
    result = result_of(item, choices_of(item, 0))
    assert written(item, result) == text
    wrong, inherited = wrong_with(item, result, text, batch.format)
    assert not wrong
    assert [one.split(":")[0] for one in inherited] == ["undeclared", "duplicate", "unknown-role"]


@pytest.mark.parametrize(
    ("text", "choices", "reason"),
    [
        (
            "(s / sing-01 :ARG99 (b / bird))",
            {f"{ADD}b :ARG99 3": True},
            "unknown-role: :ARG99 of b",
        ),
        ("(s / sing-01 :mod x9 :ARG0 (b / bird))", {f"{ADD}b :mod x9": True}, "undeclared: b"),
        (
            "(s / sing-01 :ARG0 (b / bird :mod b))",
            {f"{ADD}s :mod s": True},
            "cycle: s leads to itself",
        ),
    ],
)
def test_a_fault_of_the_same_kind_at_another_node_is_new(
    text: str, choices: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    batch = batch_of(tmp_path, text, "(s / sing-02 :ARG0 (b / bird))")
    (item,) = batch.items
    kept = choices_of(item, 0) | {"concept s": 1}
    result = result_of(item, kept)
    wrong, inherited = wrong_with(item, result, written(item, result), batch.format)
    assert not wrong and inherited
    result = result_of(item, kept | choices)
    wrong, inherited = wrong_with(item, result, written(item, result), batch.format)
    assert len(wrong) == 1 and wrong[0].startswith(reason) and inherited


def test_a_graph_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, "(s / sing-01", "(s / sing-01)")
    (item,) = batch.items
    assert item.differences == [] and "not closed" in (item.graphs[0].error or "")
    (tmp_path / "elsewhere").mkdir()
    other = batch_of(tmp_path / "elsewhere", "(s / sing-01", "(s / sing-01)")
    assert batch == other  # readers of the page do not have the folders of this machine
    assert set(result_of(item, {}).triples) == {("root", "s"), ("concept", "s", "sing-01")}


def test_what_depends_on_the_mapping_is_arbitrary(tmp_path: Path) -> None:
    """Two birds that nothing tells apart may be mapped to the one bird, either of them."""
    batch = batch_of(
        tmp_path, "(a / and :op1 (x / bird) :op1 (y / bird))", "(a / and :op1 (b / bird))"
    )
    standings = {one.id.split()[0]: one.standing for one in batch.items[0].differences}
    assert standings["node"] == "arbitrary"
    (tmp_path / "other").mkdir()
    batch = batch_of(tmp_path / "other", "(a / b :op1 (x / bird))", "(a / b)")
    assert [one.standing for one in batch.items[0].differences] == ["certain"]


def test_differences_that_a_limit_leaves_open_are_counted(tmp_path: Path) -> None:
    paths = [AGREEMENT / name for name in ANNOTATORS[:2]]
    notes: list[str] = []
    made = exactmatch.adjudicate(paths, tmp_path / "cut", timeout=0, note=notes.append)
    unknown = json.loads(made.report("json"))["unknown"]
    assert 0 < unknown <= made.batch.differences
    assert f"of {unknown} differences, a limit leaves open" in notes[0] and len(notes) == 1
    made = exactmatch.adjudicate(paths, tmp_path / "whole", note=notes.append)
    assert (json.loads(made.report("json"))["unknown"], len(notes)) == (0, 1)


def entry(difference: str, who: str, when: int, choice: Any, **more: Any) -> Entry:
    return Entry("1", difference, who, f"2026-01-01T00:00:{when:02}.000Z", choice, **more)


def test_what_counts_is_what_each_said_last_until_somebody_settles_it() -> None:
    first, second = entry("root", "ann", 1, 0), entry("root", "ann", 2, 1)
    other = entry("root", "bob", 3, 0)
    settled = entry("root", "cleo", 4, 1, over=(("ann", second.when), ("bob", other.when)))
    assert in_force([second, first])["1", "root"] == [second]
    assert in_force([first, other, second])["1", "root"] == [second, other]
    assert in_force([settled, first, other, second])["1", "root"] == [settled]


def test_a_decision_settles_only_earlier_ones() -> None:
    """Two that are over each other, or one over itself, do not vanish."""
    last = entry("root", "bob", 2, 1, over=(("ann", "2026-01-01T00:00:01.000Z"),))
    first = entry("root", "ann", 1, 0, over=((last.who, last.when),))
    assert in_force([first, last])["1", "root"] == [last]
    itself = entry("root", "ann", 1, 0, over=((first.who, first.when),))
    assert in_force([itself])["1", "root"] == [itself]


def save(path: Path, batch: Batch, entries: Sequence[Entry]) -> Path:
    path.write_text(WorkFile(batch.digest, entries).text(), encoding="utf-8")
    return path


@pytest.fixture
def two(tmp_path: Path) -> Batch:
    return batch_of(tmp_path, "(s / sing-01 :ARG0 (b / bird))", "(s / sing-02 :ARG0 (b / cat))")


def test_work_is_merged_and_nothing_is_lost(two: Batch, tmp_path: Path) -> None:
    ours = [entry("concept s", "ann", 1, 0), entry("concept b", "ann", 2, 0)]
    theirs = [entry("concept s", "bob", 3, 1, words="sing-02"), entry("concept b", "bob", 4, 0)]
    note = Entry("1", "concept s", "bob", "2026-01-01T00:00:05.000Z", note="why?")
    one = save(tmp_path / "one.json", two, ours)
    other = save(tmp_path / "other.json", two, [*theirs, note, ours[0]])
    merged = exactmatch.merge_work([one, other], tmp_path / "all.json")
    assert read_work(tmp_path / "all.json").entries == [*ours, *theirs, note]
    assert [(c.item, c.difference) for c in merged.conflicts] == [("1", "concept s")]
    assert "bob says sing-02" in merged.report()
    assert json.loads(merged.report("json"))["conflicts"][0]["difference"] == "concept s"
    with pytest.raises(exactmatch.UsageError, match="is an input"):
        exactmatch.merge_work([one, other], one)
    strange = tmp_path / "strange.json"
    strange.write_text(WorkFile("0" * 64, theirs).text(), encoding="utf-8")
    with pytest.raises(
        exactmatch.InputError, match=r"strange.json: of another batch \(0{12}\) than"
    ):
        exactmatch.merge_work([one, strange], tmp_path / "none.json")
    assert not (tmp_path / "none.json").exists()
    found = exactmatch.collect_work(tmp_path / "pages", [one, other])
    assert [item.fate for item in found.items] == ["conflict"]
    assert [(a.same, a.both) for a in found.agreements] == [(1, 2)]


def test_finished_items_are_collected_with_who_and_when(two: Batch, tmp_path: Path) -> None:
    said = [entry("concept s", "ann", 1, 0), entry("concept b", "ann", 2, {"new": "duck"})]
    work = save(tmp_path / "work.json", two, said)
    gold = tmp_path / "gold.amr"
    assert exactmatch.collect_work(tmp_path / "pages", [work], gold).items[0].fate == "unfinished"
    assert gold.read_text(encoding="utf-8") == ""
    save(work, two, [*said, entry("finished", "ann", 3, True)])
    found = exactmatch.collect_work(tmp_path / "pages", [work], gold)
    assert gold.read_text(encoding="utf-8") == (
        "# ::id 1\n# ::adjudicator ann\n# ::adjudicated 2026-01-01T00:00:03.000Z\n"
        "# ::decided 2 of 2\n(s / sing-01\n   :ARG0 (b / duck))\n"
    )
    assert {kind: dict(counts) for kind, counts in found.ways.items()} == {
        "concept": {"a": 1, "new": 1}
    }
    for times, fate in (((3, 4), "unfinished"), ((4, 3), "collected")):
        whole = [entry("finished", "ann", times[0], True), entry("finished", "bob", times[1], None)]
        save(work, two, [*said, *whole])
        assert exactmatch.collect_work(tmp_path / "pages", [work]).items[0].fate == fate
    save(work, two, [said[0], entry("finished", "ann", 3, True)])
    found = exactmatch.collect_work(tmp_path / "pages", [work])
    assert found.items[0].reasons == ["not decided: concept b"] and found.refused == 1


def test_identifiers_and_metadata_stay_as_they_are(tmp_path: Path) -> None:
    text = "# ::id a  b :: c\n# ::snt x  y:: ::: z\n(x / a)\n"
    batch = batch_of(tmp_path, text, text.replace("/ a", "/ b"))
    work, gold = save(tmp_path / "work.json", batch, decided(batch, 0)), tmp_path / "gold.amr"
    exactmatch.collect_work(tmp_path / "pages", [work], gold)
    (graph,), (given,) = exactmatch.load(gold), exactmatch.loads(text)
    assert graph.identifier == given.identifier == "a  b :: c"
    assert {**graph.metadata, **given.metadata} == {**graph.metadata}


def test_a_name_adds_no_metadata(two: Batch, tmp_path: Path) -> None:
    who = "Eve ::::id stolen\n# ::id"
    choices = [*((one.id, 0) for one in two.items[0].differences), ("finished", True)]
    said = [entry(key, who, k, choice) for k, (key, choice) in enumerate(choices)]
    gold = tmp_path / "gold.amr"
    exactmatch.collect_work(tmp_path / "pages", [save(tmp_path / "w.json", two, said)], gold)
    (graph,) = exactmatch.load(gold)
    assert graph.metadata["id"] == "1"
    assert graph.metadata["adjudicator"] == "Eve :id stolen # :id"


@pytest.mark.parametrize("name", ["index.html", "batch.json"])
def test_inputs_in_the_folder_are_not_overwritten(name: str, tmp_path: Path) -> None:
    paths = [tmp_path / name, tmp_path / "b.amr"]
    for path in paths:
        path.write_text("(a / b)\n", encoding="utf-8")
    with pytest.raises(exactmatch.UsageError, match="is an input"):
        exactmatch.adjudicate(paths, tmp_path)
    with pytest.raises(exactmatch.UsageError, match="is an input"):
        exactmatch.adjudicate([paths[1]], tmp_path, consensus=paths[1], guidelines=str(paths[0]))
    assert paths[0].read_text(encoding="utf-8") == "(a / b)\n"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda work: "{", "no work file"),
        (lambda work: "[" * 100_000, "no work file"),
        (lambda work: [], "no work file"),
        (lambda work: json.dumps(work).replace('"who"', '"who": "eve", "who"'), '"who" twice'),
        (lambda work: {**work, "schema": 9}, "schema 9"),
        (lambda work: {**work, "batch": "0" * 64}, "of another batch"),
        (lambda work: {**work, "entries": [{}]}, "lacks one of item"),
        (lambda work: {**work, "entries": [{**work["entries"][0], "item": "9"}]}, "no item 9"),
        (lambda work: {**work, "entries": [{**work["entries"][0], "choice": 7}]}, "no such choice"),
        (
            lambda work: {**work, "entries": [{**work["entries"][0], "choice": {"new": "a)(b"}}]},
            "no such choice",
        ),
        (lambda work: {**work, "entries": [{**work["entries"][0], "who": "\ud800"}]}, "surrogate"),
        (
            lambda work: {**work, "entries": [{**work["entries"][0], "choice": {"new": "\udfff"}}]},
            "surrogate",
        ),
        *(
            (lambda work, w=when: {**work, "entries": [{**work["entries"][0], "when": w}]}, "time")
            for when in (
                "zzz",
                "2026-01-01T00:00:00Z",
                "2026-02-30T00:00:00.000Z",
                "+010000-01-01T00:00:00.000Z",
            )
        ),
    ],
)
def test_what_is_no_work_of_the_batch_is_refused(
    change: Any, reason: str, two: Batch, tmp_path: Path
) -> None:
    path = save(tmp_path / "work.json", two, [entry("concept s", "ann", 1, 0)])
    changed = change(json.loads(path.read_text(encoding="utf-8")))
    text = changed if isinstance(changed, str) else json.dumps(changed)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(exactmatch.InputError, match=reason):
        exactmatch.collect_work(tmp_path / "pages", [path])


def test_work_that_is_nested_deep_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path / "work.json", Batch([], "PENMAN", [], ""), [entry("root", "ann", 1, 7)])
    text = path.read_text(encoding="utf-8")
    for depth in (1, 2, *range(950, 1000)):
        for change in ('"choice": 7', '"schema": 1'):
            nested = f"{change.partition(':')[0]}: {'[' * depth}{']' * depth}"
            path.write_text(text.replace(change, nested), encoding="utf-8")
            with pytest.raises(exactmatch.InputError):
                merge_work([path], tmp_path / "merged.json")


def test_a_batch_that_was_changed_is_refused(two: Batch, tmp_path: Path) -> None:
    path = tmp_path / "pages" / BATCH
    assert read_batch(path.parent) == two or read_batch(path.parent).digest == two.digest
    path.write_text(path.read_text(encoding="utf-8").replace("bird", "bard"), encoding="utf-8")
    with pytest.raises(exactmatch.InputError, match="was changed"):
        read_batch(path.parent)


def forge(folder: Path, content: Mapping[str, Any]) -> str:
    """Write *content* as a batch with a digest that fits; return the digest."""
    items = [{**item, "drawn": None} for item in content["items"]]
    for item in items:
        item["graphs"] = [{**one, "error": one["error"] and True} for one in item["graphs"]]
    parts = [content["schema"], content["annotators"], content["format"], content["signature"]]
    found = hashlib.sha256(json.dumps([*parts, items], sort_keys=True).encode()).hexdigest()
    (folder / BATCH).write_text(json.dumps({**content, "digest": found}), encoding="utf-8")
    return found


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("annotators", ["a", "a"], "two annotators or two items"),
        ("annotators", ["a", "b", "c"], "graphs: no texts of 3"),
        ("annotators", "ab", "annotators: no names"),
        ("format", "MRP", "no format"),
        ("items/0/id", "\ud800", "surrogate"),
        ("items/0/id", 7, "id: no text"),
        ("items/0/sentences", [["x"]], "sentences"),
        ("items/0/metadata", {"snt": 7}, "metadata"),
        ("items/0/pivot", 2, "pivot"),
        ("items/0/graphs/0/text", None, "graphs"),
        ("items/0/nodes", ["s", "s"], "nodes"),
        ("items/0/holders", [[0, 1]], "holders"),
        ("items/0/by/0", [0, 2], "by: no numbers of 2"),
        ("items/0/triples/0", ["root", "nobody"], "triples: number 0"),
        ("items/0/triples/0", ["root"], "triples: number 0"),
        ("items/0/settled", [99], r"item 1: settled: no numbers of 6 triples"),
        ("items/0/settled", [True], "settled"),
        ("items/0/settled", [-1], "settled"),
        ("items/0/differences/0/options/0/triples", [99], "differences: number 0"),
        ("items/0/differences/0/id", "concept nobody", "differences: number 0"),
        ("items/0/differences/0/standing", "sure", "differences: number 0"),
        ("items/0/differences/0/kind", "root", "differences: number 0"),
        ("items/0/drawn", [], "drawn"),
    ],
)
def test_a_batch_whose_digest_was_forged_is_refused(
    place: str, value: Any, reason: str, two: Batch, tmp_path: Path
) -> None:
    content = json.loads(json.dumps(two.content()))
    *way, last = place.split("/")
    part = content
    for key in way:
        part = part[int(key) if isinstance(part, list) else key]
    part[int(last) if isinstance(part, list) else last] = value
    digest = forge(tmp_path / "pages", content)
    work = tmp_path / "work.json"
    work.write_text(WorkFile(digest, []).text(), encoding="utf-8")
    with pytest.raises(exactmatch.InputError, match=f"batch.json: no batch: .*{reason}"):
        exactmatch.collect_work(tmp_path / "pages", [work])


def places_in(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every part of a value of JSON."""
    if way:
        yield way
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places_in(value[key], (*way, key))


@pytest.mark.parametrize("seed", by_day(range(3)))
def test_any_part_of_a_forged_batch_is_collected_or_refused(
    seed: int, two: Batch, tmp_path: Path
) -> None:
    rng, refused = random.Random(seed), 0
    whole = json.dumps(two.content())
    odd: list[Any] = [None, True, -1, 0, 1, 99, 0.5, "", "s", "root", "a)(b\n\n(c"]
    odd += [[], [0], ["s"], [[]], {}]
    ways = [*places_in(json.loads(whole)["items"])]
    choices = [*((one.id, 0) for one in two.items[0].differences), ("finished", True)]
    entries = [entry(key, "ann", k, choice) for k, (key, choice) in enumerate(choices)]
    for _ in range(150):
        content = json.loads(whole)
        *way, last = rng.choice(ways)
        part = content["items"]
        for key in way:
            part = part[key]
        part[last] = rng.choice(odd)
        try:
            digest = forge(tmp_path / "pages", content)
        except (TypeError, KeyError):
            continue  # no digest fits
        work = tmp_path / "work.json"
        work.write_text(WorkFile(digest, entries).text(), encoding="utf-8")
        try:
            exactmatch.collect_work(tmp_path / "pages", [work])
        except exactmatch.InputError:
            refused += 1
    assert 50 < refused < 150


def test_a_folder_keeps_the_batch_that_it_holds(two: Batch, tmp_path: Path) -> None:
    path = tmp_path / "pages" / BATCH
    kept = path.read_bytes(), path.with_name("index.html").read_bytes()
    files = [tmp_path / "a.amr", tmp_path / "b.amr"]
    exactmatch.adjudicate(files, path.parent, guidelines="Prefer verbs.")  # the same batch
    assert path.read_bytes() == kept[0] and b"Prefer" in path.with_name("index.html").read_bytes()
    exactmatch.adjudicate(files, path.parent)
    files[0].write_text("(s / sing-03)")
    for batch in (kept[0], kept[0].replace(b"bird", b"bard"), b"of others"):
        path.write_bytes(batch)
        with pytest.raises(exactmatch.InputError, match=r"batch.json: another batch, and would be"):
            exactmatch.adjudicate(files, path.parent)
        assert (path.read_bytes(), path.with_name("index.html").read_bytes()) == (batch, kept[1])
        assert not [*path.parent.glob("*.partial")]


def test_other_formats_are_refused(tmp_path: Path) -> None:
    drs = ROOT / "instances" / "drs"
    with pytest.raises(
        exactmatch.UsageError, match="for sentence graphs of UMR; these files are in clause"
    ):
        exactmatch.adjudicate([drs / "system.clf", drs / "gold.clf"], tmp_path / "pages")


#: Roles, and whether they can be one: odd inverses, and spaces of JavaScript and Python.
ROLES = {
    "ARG1-of": True,
    "consist-of": True,
    "consist-of-of": True,
    "-of": False,
    "ARG1-of-of": False,
    "instance": False,
    "instance-of": False,
    "a\ufeffb": False,
    "a\x85b": False,
    "a\x1cb": False,
}


def test_roles_that_can_be_new(two: Batch) -> None:
    (item,) = two.items
    one = ItemDifference("relation b s", "relation", ["b", "s"], [], [], "certain")
    assert {role: is_new(item, one, role) for role in ROLES} == ROLES
    assert {role: is_addition(f"b :{role} s") for role in ROLES} == ROLES


def test_faults_of_unreadable_graphs_excuse_no_other(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, "(s / sing-01)", "(s / sing-02)", "(s / sing-01 :ARG99 3 :ARG1 (b))")
    (item,) = batch.items
    assert item.graphs[2].error and "unknown-role" in kinds_of(item)
    result = result_of(item, {"concept s": 0, f"{ADD}s :ARG99 3": True})
    wrong, inherited = wrong_with(item, result, written(item, result), batch.format)
    assert [one.split(":")[0] for one in wrong] == ["unknown-role"] and not inherited


@pytest.mark.node
def test_the_page_takes_the_same_roles(tmp_path: Path) -> None:
    script = (SCRIPTS / "result.js").read_text(encoding="utf-8")
    script += """
    const roles = JSON.parse(process.argv[2]);
    const same = (role) => canBeRole(role) === canBeAdded(`b :${role} s`);
    console.log(JSON.stringify(roles.map((role) => same(role) && canBeRole(role))));"""
    (tmp_path / "roles.js").write_text(script, encoding="utf-8")
    found = subprocess.check_output([str(node()), tmp_path / "roles.js", json.dumps([*ROLES])])
    assert json.loads(found) == [*ROLES.values()]


_DRIVER = """
const fs = require("fs");
const [, , input, ...scripts] = process.argv;
const given = JSON.parse(fs.readFileSync(input));
const source = scripts.map((name) => fs.readFileSync(name, "utf8")).join("\\n");
const run = new Function("batch", "cases", source + `
  return cases.map(([k, choices]) => {
    const item = batch.items[k];
    const result = resultOf(item, new Map(choices));
    const faults = faultsOf(item, result);
    return { text: textOf(item, result), triples: result.triples, undecided: result.undecided,
      wrong: faults.filter((fault) => !fault.isInherited).map(({ kind }) => kind) };
  });`);
process.stdout.write(JSON.stringify(run(given.batch, given.cases)));
"""


@pytest.mark.node
@pytest.mark.parametrize("name", by_day(["sentences", "four", "faulty"]))
def test_the_page_makes_the_same_graph_as_python(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """And says of the same graphs that they cannot be finished."""
    from exactmatch.report.pages.adjudication_site import fault_rules

    batch: Batch = request.getfixturevalue(name)
    chance = random.Random(3)
    cases: list[tuple[int, Mapping[str, Any]]] = [
        (k, by_chance(item, chance, often))
        for k, item in enumerate(batch.items)
        for often in (0.5, 0.9, *[1] * (100 // len(batch.items)))
    ]
    cases += [
        (k, choices_of(item, who))
        for k, item in enumerate(batch.items)
        for who in range(len(batch.annotators))
    ]
    content = {
        "batch": {**batch.content(), "rules": fault_rules(batch.format)},
        "cases": [[k, list(choices.items())] for k, choices in cases],
    }
    (tmp_path / "given.json").write_text(json.dumps(content), encoding="utf-8")
    (tmp_path / "driver.js").write_text(_DRIVER, encoding="utf-8")
    scripts = [SCRIPTS / "result.js", SCRIPTS / "faults.js"]
    ran = subprocess.run(
        [str(node()), tmp_path / "driver.js", tmp_path / "given.json", *scripts],
        capture_output=True,
        check=True,
    )
    refused = 0
    for (k, choices), found in zip(cases, json.loads(ran.stdout), strict=True):
        item = batch.items[k]
        result = result_of(item, choices)
        text = written(item, result)
        assert found["text"] == text
        assert {*map(tuple, found["triples"])} == {*result.triples}
        assert found["undecided"] == result.undecided
        if result.undecided:
            continue  # what is open may still mend it
        wrong, _ = wrong_with(item, result, text + "\n", batch.format)
        assert bool(found["wrong"]) == bool(wrong), (found["wrong"], wrong, text)
        refused += bool(wrong)
    assert 0 < refused < len(cases)


_EXPORTER = """
const fs = require("fs");
const [, , input, ...scripts] = process.argv;
const given = JSON.parse(fs.readFileSync(input));
const source = scripts.map((name) => fs.readFileSync(name, "utf8")).join("\\n");
const run = new Function("batch", "works", source + `
  return works.map((entries) => {
    work.entries = entries;
    states.clear();
    const done = batch.items.filter((item) => isDone(stateOf(item)));
    return { done: done.map(({ id }) => id), text: done.map(collectedText).join("\\\\n") };
  });`);
process.stdout.write(JSON.stringify(run(given.batch, given.works)));
"""


def work_by_chance(batch: Batch, chance: random.Random) -> list[Entry]:
    """Return what two people decide of the items, some of which they finish and open again."""
    entries = []
    for item in batch.items:
        decided = [*by_chance(item, chance, 1.0).items()] if chance.random() < 0.6 else []
        if chance.random() < 0.8:
            decided = [*choices_of(item, chance.randrange(len(batch.annotators))).items()]
        decided += [("finished", choice) for choice in chance.choice(([], [True], [True, None]))]
        decided = decided if chance.random() < 0.7 else []
        for number, (key, choice) in enumerate(decided):
            who = "ann" if chance.random() < 0.97 else "bob <::x :: \x1c y>"
            when = f"2026-01-01T00:{number // 60:02}:{number % 60:02}.000Z"
            entries.append(Entry(item.id, key, who, when, choice, "words"))
    return entries


@pytest.mark.node
@pytest.mark.parametrize("name", by_day(["sentences", "four", "faulty"]))
def test_the_page_exports_what_python_collects(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """The text is the same, of the same items."""
    batch: Batch = request.getfixturevalue(name)
    chance = random.Random(name)
    works = [work_by_chance(batch, chance) for _ in range(6 if len(batch.items) > 4 else 60)]
    seen = exported(batch, works, tmp_path)
    for entries, found in zip(works, seen, strict=True):
        assert found == python_export(batch, entries, tmp_path)
    assert any(found["done"] for found in seen)


def exported(batch: Batch, works: Sequence[Sequence[Entry]], folder: Path) -> list[dict[str, Any]]:
    """Return which items the page takes for done after each work, and the text of its export."""
    from exactmatch.report.pages.adjudication_site import page_content

    content = {
        "batch": page_content(batch.content()),
        "works": [[entry.content() for entry in entries] for entries in works],
    }
    (folder / "given.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "driver.js").write_text(_EXPORTER, encoding="utf-8")
    scripts = [SCRIPTS / f"{name}.js" for name in ("result", "faults", "work", "export")]
    ran = subprocess.run(
        [str(node()), folder / "driver.js", folder / "given.json", ELEMENTS, *scripts],
        capture_output=True,
        check=True,
    )
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


def python_export(batch: Batch, entries: Sequence[Entry], folder: Path) -> dict[str, Any]:
    """Return the items that are collected after this work, and their text."""
    (folder / BATCH).write_text(json.dumps(batch.content()), encoding="utf-8")
    work, gold = folder / "work.json", folder / "gold.txt"
    work.write_text(WorkFile(batch.digest, entries).text(), encoding="utf-8")
    done = exactmatch.collect_work(folder, [work], gold)
    ids = [item.id for item in done.items if item.fate == "collected"]
    return {"done": ids, "text": gold.read_bytes().decode("utf-8")}


def test_an_item_on_which_all_agree_is_collected_unless_somebody_opens_it(tmp_path: Path) -> None:
    batch = batch_of(tmp_path, "(c / cat)", "(x / cat)", "(y / cat)")
    (item,) = batch.items
    entries = [Entry(item.id, "finished", "ann", "2026-01-01T00:00:00.000Z", None, "open again")]
    noted = [Entry(item.id, "root", "ann", "2026-01-01T00:00:00.000Z", note="why?")]
    for given, done in (([], 1), (noted, 1), (entries, 0)):
        found = exactmatch.collect_work(
            tmp_path / "pages", [save(tmp_path / "work.json", batch, given)], tmp_path / "gold.amr"
        )
        assert len([one for one in found.items if one.fate == "collected"]) == done
        assert ("on which all agree: 1" in found.report()) == bool(done)
    disagreeing = batch_of(tmp_path / "other", "(c / cat)", "(x / cat")  # the second is unreadable
    assert not disagreeing.items[0].is_agreed


@pytest.mark.parametrize("name", ["index.html", BATCH])
def test_graphs_are_not_collected_over_the_page(name: str, two: Batch, tmp_path: Path) -> None:
    work = save(tmp_path / "work.json", two, [])
    with pytest.raises(exactmatch.UsageError, match="is an input and would be overwritten"):
        exactmatch.collect_work(tmp_path / "pages", [work], tmp_path / "pages" / name)
