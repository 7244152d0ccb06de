"""The inputs of studies: files with recorded digests, logs, and graphs from logs."""

import random
import re
from pathlib import Path

import neural_drs
import pytest
import run_smatch_program
import sbn_evaluation_tool
import ufal_umr
from digests import ChangedFilesError, checked, sha256
from program_counts import Claim

LISTINGS = sorted((Path(neural_drs.__file__).parent / "digests").glob("*.sha256"))


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with two files, and their listing beside it."""
    folder = tmp_path / "clone"
    folder.mkdir()
    lines = []
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(name)
        lines.append(f"{sha256(folder / name)}  {name}\n")
    (tmp_path / "tiny.sha256").write_text("".join(lines))
    return folder


def test_files_with_the_digests_of_the_listing_are_taken(clone: Path) -> None:
    assert checked(clone, "tiny", clone.parent) == ["a.txt", "b.txt"]


def test_a_file_that_has_changed_is_refused_by_name(clone: Path) -> None:
    (clone / "b.txt").write_text("b.txt ")
    with pytest.raises(ChangedFilesError, match=r"1 of 2 files\n  b.txt has changed"):
        checked(clone, "tiny", clone.parent)


def test_a_file_that_is_missing_is_refused_by_name(clone: Path) -> None:
    (clone / "a.txt").unlink()
    with pytest.raises(ChangedFilesError, match=r"1 of 2 files\n  a.txt is missing"):
        checked(clone, "tiny", clone.parent)


@pytest.mark.parametrize("listing", LISTINGS, ids=lambda path: path.stem)
def test_listings_have_digests_and_relative_paths(listing: Path) -> None:
    lines = listing.read_text("utf-8").splitlines()
    assert lines
    assert all(re.fullmatch(r"[0-9a-f]{64}  [^/\s][^\s]*", line) for line in lines)


def test_outputs_are_told_from_logs_and_counts() -> None:
    paths = [
        "output/pmb-2.1.0/dev/spar.txt",
        "output/pmb-3.0.0/en/test/bert_only/output3.txt",
        "output/pmb-2.2.0/en/dev/marian_best_gold_only/output5.seq.drs.res",
        "output/pmb-3.0.0/en/dev/bert_only/eval.txt",
        "output/pmb-3.0.0/en/dev/bert_only/output1.prf",
        "output/pmb-3.0.0/de/dev/bert_only/output1.txt",
    ]
    found = [(o.release, o.part, o.name) for o in neural_drs.outputs(paths)]
    assert found == [
        ("pmb-2.1.0", "dev", "spar"),
        ("pmb-3.0.0", "test", "bert_only.3"),
        ("pmb-2.2.0", "dev", "marian_best_gold_only.5"),
    ]


def test_every_published_mean_has_files_and_every_file_a_published_mean() -> None:
    paths = [
        line.split()[1] for line in LISTINGS[0].with_stem("neural_drs").read_text().splitlines()
    ]
    found = {(o.release, o.part, o.system) for o in neural_drs.outputs(paths)}
    told = {(*key, system) for key, means in neural_drs.PUBLISHED.items() for system in means}
    assert found == told


def test_the_score_of_a_run_is_read_from_its_log(tmp_path: Path) -> None:
    (tmp_path / "eval.txt").write_text(
        "For score-type: F-score\nRuns: 2\nAll scores: 0.8775, 0.8772\nHighest score: 0.8775\n\n"
        "For score-type: Precision\nRuns: 2\nAll scores: 0.1, 0.2\n"
    )
    second = neural_drs.Output("output2.txt", "pmb-3.0.0", "dev", "bert_only", 2)
    assert neural_drs.logged(tmp_path, second) == 0.8772
    assert neural_drs.logged(tmp_path, second._replace(run=0)) is None
    assert neural_drs.logged(tmp_path / "elsewhere", second) is None


def test_drss_are_told_apart_as_counter_does_it(tmp_path: Path) -> None:
    path = tmp_path / "drss.clf"
    path.write_text("% one\n% two\nb1 REF x1 % said\n\n \n% three\nb1 REF x1\n% four\nb1 REF x2")
    assert neural_drs.clause_texts(path) == ["b1 REF x1 % said", "b1 REF x1\nb1 REF x2"]


PRINTED = """AMR pair 1
AMR 1 (one-line): (s / say-01:ARG0 (p / person:name "a:b"))g
AMR 2 (one-line): (s / say-01)
Instance triples of AMR 1: 2
Attribute triples of AMR 1: 2
Relation triples of AMR 1: 1
Instance triples of AMR 2: 1
Attribute triples of AMR 2: 1
Relation triples of AMR 2: 0
best match number 2
"""


def test_what_smatch_has_printed_is_read() -> None:
    assert list(ufal_umr.printed(PRINTED * 2)) == [Claim(2, 5, 2)] * 2


def test_graphs_are_read_from_what_smatch_has_printed() -> None:
    graphs = ufal_umr.graphs(PRINTED * 2, "1").split("\n\n")
    graph = '(s / say-01 :ARG0 (p / person :name "a:b"))'
    assert [text.strip() for text in graphs] == [graph, graph]
    assert ufal_umr.graphs(PRINTED, "2") == "(s / say-01)\n"


def test_parentheses_that_are_lacking_are_added_at_the_end() -> None:
    assert sbn_evaluation_tool.closed('(a / "(" :b (c / d') == '(a / "(" :b (c / d))'
    assert sbn_evaluation_tool.closed("(a / b)") == "(a / b)"


def test_the_runner_of_smatch_reads_graphs_with_identifiers_or_numbers(tmp_path: Path) -> None:
    path = tmp_path / "graphs.amr"
    path.write_text("# ::id x.1\n(a / b\n  :c d)\n\n\n# ::snt two\n(e / f)")
    assert list(run_smatch_program.read_graphs(path)) == [("x.1", "(a / b:c d)"), ("2", "(e / f)")]


def test_the_runner_of_smatch_keeps_its_first_seed() -> None:
    """smatch seeds anew at each start; with such a seed, two runs would differ."""
    kept, plain = run_smatch_program.SeededOnce(7), random.Random(7)
    drawn = []
    for _ in range(3):
        kept.seed()
        drawn.append(kept.random())
    assert drawn == [plain.random() for _ in range(3)]
