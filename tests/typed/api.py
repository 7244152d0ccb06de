"""The public functions as type checkers see them. Never run: mypy and pyright read it."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import assert_type

import exactmatch
from exactmatch import (
    Candidates,
    Consensus,
    CorpusScore,
    Graph,
    Metric,
    PairScore,
    StudyResult,
    Validity,
)
from exactmatch.studies.agreement.measure import Agreement
from exactmatch.studies.common.claims import Claims
from exactmatch.studies.correlation.measure import Correlation
from exactmatch.studies.explanation.measure import Explanation
from exactmatch.studies.principles.measure import Measurements
from exactmatch.studies.ranking.measure import Ranking, Rankings
from exactmatch.studies.search_error.measure import SearchError

SYSTEM, GOLD = Path("system.amr"), Path("gold.amr")


@contextmanager
def told(doing: str, total: int | None, unit: str) -> Generator[Callable[[int], object]]:
    """Tell how far it is."""
    print(doing, total, unit)
    yield print


watching: Callable[[str, int | None, str], AbstractContextManager[Callable[[int], object]]] = told

# Scores of corpora.
corpus = exactmatch.score(SYSTEM, GOLD, timeout=10, workers=2, progress=watching, note=print)
assert_type(corpus, CorpusScore)
assert_type(corpus.f1, float)
assert_type(corpus.f1_upper, float)
assert_type(corpus.value_name, str)
assert_type(corpus.figure("f1"), float | None)
assert_type(corpus.optimal, int)
assert_type(corpus.pairs, int)
assert_type(corpus.confirmed, int | None)
assert_type(corpus.per_pair, Sequence[PairScore])
assert_type(corpus.metric, Metric)
wanted = exactmatch.select_subscores("damonte", aspects="aspects.toml", frames=Path("frames.txt"))
phenomena = exactmatch.score(SYSTEM, GOLD, subscores=wanted).subscores
assert_type(phenomena["srl"].score().f1_upper, float)
exactmatch.best_mapping("(b / bird)", "(c / cat)", subscores="concepts,names")
lost = exactmatch.score(SYSTEM, GOLD, sentences="aligned", by_sentence=True).sentences
assert_type(exactmatch.ngrams(SYSTEM, GOLD, id="1", order=2).orders[0][0].matched, int)
listed = exactmatch.best_mappings("(b / bird)", "(c / cat)", limit=3).best
if listed is not None:
    assert_type(listed.mappings, list[dict[str, str]])
    assert_type(listed.are_all, bool)
assert_type(corpus.by_word, Mapping[str, int])
frame = corpus.to_frame()
several = exactmatch.score(SYSTEM, GOLD, metric=["smatch", "sembleu"], per_pair="pairs.jsonl")
assert_type(several, list[CorpusScore])
mixed = exactmatch.score("(a / b)", ["(a / b)"], metric=("smatch", exactmatch.metric("sembleu")))
assert_type(mixed, list[CorpusScore])
exactmatch.score(SYSTEM, GOLD, total_timeout=1.5, certificates="proofs.jsonl", mappings=Path("m"))
exactmatch.score(SYSTEM, GOLD, per_pair="pairs.parquet", resume="kept", seconds=False)
exactmatch.score(SYSTEM, GOLD, ids=["a", "b"], where=["position<9"])
assert_type(exactmatch.score(SYSTEM, GOLD, ids=Path("ids.txt")).unselected, int)
for found in exactmatch.score_pairs(SYSTEM, GOLD, ids=("a",), where=("id~^x",)):
    assert_type(found, PairScore)

# Validity.
validity = exactmatch.check(SYSTEM, "(a / b)", only=["cycle"], without=(), most=3)
assert_type(validity, Validity)
assert_type(validity.counts, Mapping[str, int])
assert_type(validity.found, int)
assert_type(validity.report("json"), str)
for fault in validity.files[0].faults:
    assert_type(fault.line, int)

# Candidates.
several_graphs = exactmatch.candidates(["(a / b)", *exactmatch.loads("(c)")], [0.5, "0.5"])
assert_type(several_graphs, Candidates)
assert_type(several_graphs.best, int)
assert_type(several_graphs.mapping(0, 1), Mapping[str, str])
common = exactmatch.consensus(["(a / b)"], "0.5", 0, note=print)
assert_type(common, Consensus)
assert_type(common.to_penman(), str)
assert_type(common.faults, Sequence[str])

# Scores of pairs.
for found in exactmatch.score_pairs(SYSTEM, GOLD, pair_by="id", on_error="skip"):
    assert_type(found, PairScore)
    assert_type(found.identifier, str)
    assert_type(found.certificate, str | None)
pair = exactmatch.best_mapping("(s / sing-01)", "(x / sing-01)", top="none")
assert_type(pair.f1, float)
assert_type(pair.mapping, Mapping[str, str])
assert_type(pair.certified, bool)

# Rewards.
assert_type(exactmatch.reward(None, "(a / b)", steps=10, top="none"), float)
with exactmatch.Scorer("smatch", workers="auto", steps=50) as scorer:
    scorer.keep({1: "(a / b)"})
    assert_type(scorer.rewards([("(a / b)", 1)]), list[float])
    assert_type(scorer.scores(zip(["(a / b)"], ["(a / b)"], strict=True)), list[PairScore])

# Graphs and metrics.
assert_type(exactmatch.load("gold.amr"), list[Graph])
assert_type(exactmatch.loads("(a / b)")[0].identifier, str | None)
assert_type(exactmatch.to_sbn(exactmatch.loads("x.n.01")[0]), str)
counted = exactmatch.metric("s2match", vectors="glove.txt", cut_off=0.6, top="none")
assert_type(counted, Metric)
assert_type(counted.signature(), str)
assert_type(exactmatch.METRICS["smatch"], type[Metric])

# Studies.
agreed = exactmatch.agreement(["a.amr", Path("b.amr")], "agreed.amr", metric=counted, rows=3)
assert_type(agreed, StudyResult[Agreement])
assert_type(agreed.found.consensus, str | None)
assert_type(agreed.report("markdown"), str)
assert_type(agreed.report(table="pairs"), str)
assert_type(agreed.tables, Sequence[str])
assert_type(agreed.lacking, Mapping[str, Sequence[str]])
assert_type(agreed.shortened, int)
agreed.write_plots("plots")
anything: StudyResult[object] = agreed
ranked = exactmatch.compare(["a.amr"], GOLD, resamples=99, missing="common", duplicates="multiset")
assert_type(ranked, StudyResult[Ranking])
beside = exactmatch.compare(["a.amr"], GOLD, metric=("smatch", counted))
assert_type(beside, StudyResult[Rankings])
missed = exactmatch.search_error(["a.amr", "b.amr"], methods=["s+4r"], restarts=[2], document=10)
grouped = exactmatch.search_error(["a.amr", "b.amr"], starts="candidates", group_by="::genre")
assert_type(grouped, StudyResult[SearchError])
assert_type(missed, StudyResult[SearchError])
claimed = exactmatch.search_error([SYSTEM], GOLD, scores="scores.txt", tool="smatch")
assert_type(claimed, StudyResult[Claims])
assert_type(claimed.pairs, int)
explained = exactmatch.explain(
    SYSTEM, GOLD, between=["default", counted], scores="scores.txt", tool="smatch"
)
assert_type(explained, StudyResult[Explanation])
measured = exactmatch.principles("a.amr", "b.amr", metric=["smatch", counted, (counted, "s+4r")])
assert_type(measured, StudyResult[Measurements])
correlated = exactmatch.correlate(
    [SYSTEM], GOLD, metric=["smatch:r", counted], human="ratings.tsv", human_range=(0, 5)
)
assert_type(correlated, StudyResult[Correlation])

# Proofs, models and solutions.
verified = exactmatch.verify("proofs.jsonl", SYSTEM, GOLD, profile="default", checker="coq")
assert_type(verified.refuted, int)
for finding in verified.findings:
    assert_type(finding.reason, str)
assert_type(exactmatch.export(SYSTEM, GOLD, "wcnf", id="1"), str)
proofs = exactmatch.export_proofs("c.jsonl", SYSTEM, GOLD, "coq", "proofs", id="1")
assert_type(proofs, exactmatch.ProofFiles)
assert_type(proofs.refuted, int)
assert_type(exactmatch.import_solution("answer.txt", SYSTEM, GOLD, id="1").score, PairScore)

# What is wrong is told before anything runs.
exactmatch.score(SYSTEM)  # type: ignore[call-overload] # pyright: ignore[reportCallIssue]
exactmatch.score(SYSTEM, GOLD, timeout="ten")  # type: ignore[call-overload] # pyright: ignore
exactmatch.score(SYSTEM, GOLD, pair_by="name")  # type: ignore[call-overload] # pyright: ignore
exactmatch.best_mapping("(a / b)", "(a / b)", tpo="none")  # type: ignore[call-arg] # pyright: ignore
exactmatch.best_mapping("(a / b)", "(a / b)", top="non")  # type: ignore[arg-type] # pyright: ignore
exactmatch.best_mapping("(a / b)", "(a / b)", metric="smath")  # type: ignore[arg-type] # pyright: ignore
exactmatch.metric("smath")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
exactmatch.score(SYSTEM, GOLD, metric="smath")  # type: ignore[call-overload] # pyright: ignore
exactmatch.diff(SYSTEM, GOLD, solver="cplex")  # type: ignore[arg-type] # pyright: ignore
exactmatch.compare(["a.amr"])  # type: ignore[call-overload] # pyright: ignore[reportCallIssue]
exactmatch.export(SYSTEM, GOLD, "pdf")  # type: ignore[arg-type] # pyright: ignore
agreed.report("pdf")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
corpus.f1 = 1.0  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]

# Pairs as text.
assert_type(exactmatch.diff(SYSTEM, GOLD, id="study.7", width=120, color=True), str)

# What annotators differ in, settled by hand.
batch = exactmatch.adjudicate([SYSTEM, GOLD], "pages", guidelines="verbs first", timeout=5)
assert_type(batch.page, Path)
assert_type(exactmatch.merge_work(["one.json", "other.json"], "all.json").report(), str)
assert_type(exactmatch.collect_work("pages", ["all.json"], Path("gold.amr")).refused, int)
