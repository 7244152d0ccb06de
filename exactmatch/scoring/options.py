"""The options of the program, each declared once.

From a declaration come the option of commands (`exactmatch.cli.click_options`), the keyword of
public functions (`exactmatch.scoring.declaration.keywords`) with its line of documentation, its
type in ``exactmatch/__init__.pyi``, and whether the option identifies a run.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Literal

from exactmatch.encodings import NAMES
from exactmatch.errors import UsageError, shown_value
from exactmatch.graphs.pairing import Missing, OnError, PairBy
from exactmatch.graphs.selection import NUMBERS, TEXTS, Ids
from exactmatch.metrics.base import Metric
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import ClusterAddress, Workers, parse_size
from exactmatch.scoring.asked_details import AskedSubscores
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import COUNTING, LIMITS, OUTPUT, PROOF, Options, option
from exactmatch.solving.names import AUTO, EXACT, LARGEST_SEED, SOLVERS
from exactmatch.solving.search.methods import METHODS, Starts

#: A sample of fewer pairs has no usable standard error.
FEWEST_PAIRS = 100
#: Numbers of pairs have at most so many digits.
_MOST_DIGITS = 18

#: A function that takes a message about a pair or a file.
Note = Callable[[str], object]

#: How unreadable graphs are treated: they end the study, or count as missing.
StudyOnError = Literal["stop", "skip"]

#: How the report of a study is written.
Format = Literal["text", "json", "csv", "markdown", "latex", "html"]

#: The formats of a single table, in which programs find the signature in a column.
ROWS_ALONE: frozenset[str] = frozenset({"csv"})

#: The checker of certificates: the Python file, or the program proven in Coq.
Checker = Literal["python", "coq"]

#: The pairs of graphs of different items that are compared: all, none, or at most so many.
ExpectedPairs = int | Literal["all", "none"]

#: How an unreadable candidate is treated: it is an error, or an empty graph replaces it.
CandidateOnError = Literal["stop", "empty"]

#: A pair is shown as a whole up to so many nodes and triples of both graphs together.
VIEW_LIMIT = 20_000

#: The formats of a model; ``triples`` is for the checker of certificates.
Target = Literal["wcnf", "opb", "lp", "mps", "cpsat-proto", "json", "triples"]

#: How a term depends on its pairs in an exported program.
Model = Literal["paper", "grouped", "pairs"]


def ignore_note(_: str) -> None:
    """Take a note and do nothing."""


def seconds(value: float | None) -> float | None:
    """Return a time limit in seconds; infinite means None, no limit. Raises `ValueError`."""
    if value is not None and (math.isnan(value) or value < 0):
        raise ValueError("not a number of seconds")
    return None if value is None or math.isinf(value) else value


def pairs_by_chance(given: object) -> ExpectedPairs:
    """Return a number of pairs, ``all`` or ``none``. Raises `UsageError` for anything else."""
    if given == "all" or given == "none":
        return given
    is_huge = isinstance(given, int) and abs(given) >= 10**_MOST_DIGITS
    text = "" if is_huge else str(given)
    if re.fullmatch(f"[0-9]{{1,{_MOST_DIGITS}}}", text) and int(text) >= FEWEST_PAIRS:
        return int(text)
    raise UsageError(
        f"chance is {shown_value(given)}; the values are all, none, and numbers of pairs from "
        f"{FEWEST_PAIRS} on (of at most {_MOST_DIGITS} digits)"
    )


class PairLimits(Options):
    """Limits for a pair, and the seed of random choices."""

    timeout: float | None = option(
        default=60.0,
        doc="seconds for each pair, None for no limit. A pair that is not proven by then has an "
        "interval.",
        help="Seconds for each pair, or inf. A pair that is not proven by then has an interval.",
        group=LIMITS,
        parse=seconds,
    )
    memory: int | None = option(
        default=None,
        doc="bytes for a pair; a pair that would need more is not solved, and has an interval. "
        "None is a quarter of the free memory for each worker, at most 1 GiB.",
        help="Memory for a pair (800M, 2G); a pair that would need more is not solved, and has "
        "an interval.  [default: a quarter of the free memory for each worker, at most 1G]",
        group=LIMITS,
        metavar="SIZE",
        parse=parse_size,
    )
    seed: int = option(
        default=0,
        doc="the seed of every random choice.",
        help="The seed of every random choice.",
        group=PROOF,
        least=0,
        most=LARGEST_SEED,
        effect="score",
    )


class CorpusLimits(PairLimits):
    """Limits for each pair and for all pairs together."""

    total_timeout: float | None = option(
        default=None,
        doc="seconds for all pairs together.",
        help="Seconds for all pairs.",
        group=LIMITS,
        parse=seconds,
    )


class Work(Options):
    """The workers that share the work."""

    workers: Workers = option(
        default=1,
        doc="the number of processes that share the work, or ``auto``: one for each core if the "
        "work takes more than a second. The result is the same with any number, except for "
        "pairs that limits of time and memory leave open. A program that asks for more than "
        'one has to start under ``if __name__ == "__main__":``.',
        help="The number of processes that share the pairs, or auto: one for each core if the "
        "work takes more than a second. The result is the same with any number, except for "
        "pairs that limits of time and memory leave open.",
        group=LIMITS,
        metavar="N",
        cli_default=AUTO,
        effect="nothing",
    )
    cluster: ClusterAddress | None = option(
        default=None,
        doc="a Dask cluster whose workers share the work instead of processes: "
        "``tcp://host:8786``, the file of a scheduler, or a ``distributed.Client``. The "
        "result is the same.",
        help="Share the pairs among the workers of a Dask cluster: tcp://HOST:PORT, or the file "
        "of its scheduler. The result is the same.",
        group=LIMITS,
        metavar="ADDRESS",
        effect="nothing",
    )


class Watching(Options):
    """Progress reporting."""

    progress: Progress = option(
        default=unwatched,
        doc="reports progress; see `exactmatch.runtime.progress.Progress`.",
        effect="nothing",
    )


class Telling(Watching):
    """Progress reporting, and notes on problems found in graphs."""

    note: Note = option(
        default=ignore_note,
        doc="a function that is called with each note on a pair or a graph.",
        effect="nothing",
    )


class Search(Options):
    """How mappings are searched for."""

    method: str = option(
        default=EXACT,
        doc="``exact``, or a heuristic: ``base``, ``r``, ``10r``, ``s``, ``s+4r``, ``s+9r``.",
        values=(EXACT, *METHODS),
        effect="score",
    )
    starts: Starts = option(
        default="all",
        doc="what a heuristic maps, at the start and later: ``all`` variables of the smaller "
        "graph, or pairs of ``candidates`` alone, which share a possible match.",
        help="What heuristics map: all variables of the smaller graph at any time, as Cai and "
        "Knight (2013) write, or only candidates, which are pairs that share a possible "
        "match.  [default: all]",
        group=PROOF,
        cli_default=None,
        effect="score",
    )


class Solver(Options):
    """How a result is proven."""

    solver: str = option(
        default=AUTO,
        doc="what proves an exact result: ``auto``, ``dual`` (no solver), "
        f"{', '.join(f'``{name}``' for name in NAMES[:-1])} or ``{NAMES[-1]}``.",
        help="The solver that proves each pair: auto picks the fastest; dual uses bounds only; "
        "any other name runs that solver alone, with what --given says.",
        group=PROOF,
        values=SOLVERS,
    )
    given: str | Sequence[str] | None = option(
        default=None,
        doc="what a *solver* asked for by name receives: ``presolve``, ``start`` and ``bound``, "
        "several in a list or with commas between, or ``none``. None is all three, or nothing for "
        "``ilp-paper``.",
        help="What a solver asked for by name receives: presolve (a problem without forced and "
        "dominated parts), start (the mapping of a hill climb), bound (the first dual "
        "bound), several with commas, or none. The result says what each of them "
        "contributed.  [default: all three, none for ilp-paper]",
        group=PROOF,
        metavar="PART,...",
        cli_default=None,
    )


class PairProving(Solver, PairLimits):
    """How each pair is proven, and its limits."""


class Proving(Solver):
    """How a result is proven, and whether a second solver proves it again."""

    cross_check: bool = option(
        default=False,
        doc="prove every result a second time, with another solver.",
        help="Prove every pair again with a second solver, with the same time limit again.",
        group=PROOF,
    )


class Details(Options):
    """Details that are counted beside the score."""

    breakdown: bool = option(
        default=False,
        doc="count the matched triples of each kind as well: under the mapping found, and the "
        "least and the most under any best mapping.",
        help="Count the matched triples of each kind as well: the least and the most under any "
        "best mapping. With --certificates, prove both.",
        group=COUNTING,
    )
    subscores: AskedSubscores = option(
        default=None,
        doc="scores of single phenomena: names with commas between, such as ``damonte,aspects``, "
        "or the result of `exactmatch.select_subscores`.",
        help="Add scores of single phenomena: damonte, damonte-set, aspects, aspects-own, sbn, "
        "sbn-own, documents, or single ones, such as concepts,srl.",
        group=COUNTING,
        metavar="NAME,...",
    )
    by_sentence: bool = option(
        default=False,
        doc="count how much the sentences of documents lose as well, if the metric knows "
        "sentences.",
        help="With --sentences: show the sentences of documents that lose most, and the triples "
        "in several sentences or none; with --per-pair, the triples of every sentence.",
        group=COUNTING,
    )


def _repair() -> bool:
    """Return the declaration of an option that several groups have."""
    declared: bool = option(
        default=False,
        doc="take what other readers of PENMAN take for a graph: parentheses that lack at the end "
        "are added, ``(b)`` is the variable that has its concept elsewhere, and a variable that is "
        "described twice with one concept is one. Each repair is counted, and noted.",
        help="Read AMRs and UMRs that other readers take: without the last parentheses, with (b) "
        "for a variable, or one described twice with one concept. Each repair is counted and told.",
        effect="score",
    )
    return declared


class Pairing(Options):
    """Which graphs are compared, and how unreadable graphs are treated."""

    pair_by: PairBy | None = option(
        default=None,
        doc="``position`` or ``id``; None is by position, and identifiers must agree.",
        help="How graphs are paired. By id, the graphs of GOLD are held in memory, and graphs "
        "without partner are skipped, or paired with an empty graph under --on-error empty.  "
        "[default: position, and identifiers must agree]",
        values=("position", "id"),
    )
    on_error: OnError = option(
        default="stop",
        doc="how unreadable graphs are treated: ``stop``, ``skip`` or ``empty``.",
        help="For an unreadable graph: stop, skip its pair, or replace it with an empty graph.",
    )
    repair: bool = _repair()

    def identity(self) -> dict[str, str]:
        """Return the values that identify a run; whether identifiers must agree changes none."""
        return {**super().identity(), "pair_by": self.pair_by or "position"}


class CorpusReading(Options):
    """How graphs that belong to no pair are treated."""

    on_error: OnError = option(
        default="stop",
        doc="how unreadable graphs are treated: they are errors (``stop``), are left out "
        "(``skip``), or are replaced with empty graphs (``empty``).",
        help="For an unreadable graph: stop, leave it out, or replace it with an empty graph.",
    )
    repair: bool = _repair()


class CandidateReading(Options):
    """How unreadable candidates are treated."""

    on_error: CandidateOnError = option(
        default="empty",
        doc="how an unreadable graph is treated: an empty graph replaces it, which shares "
        "nothing with any other and is chosen only if all are unreadable (``empty``); or it "
        "is an error (``stop``).",
        help="For an unreadable graph: replace it with an empty graph, which is not chosen; or "
        "stop.",
        values=("empty", "stop"),
    )
    repair: bool = _repair()


class CandidatePairing(Options):
    """Which graphs of several files belong together."""

    pair_by: PairBy | None = option(
        default=None,
        doc="``position`` or ``id``, by which all files are held in memory; None is by position, "
        "and identifiers must agree.",
        help="How graphs are grouped. By id, the files are held in memory, and a graph that a "
        "file lacks counts as unreadable.  [default: position, and identifiers must agree]",
        values=("position", "id"),
    )


class StudyReading(Options):
    """Which graphs of several files are the same item, and how missing ones are treated."""

    pair_by: PairBy | None = option(
        default=None,
        doc="``position`` or ``id``; None is by position if all files have equally many graphs, "
        "and their identifiers agree, otherwise by identifier.",
        help="How graphs of the same item are found.  [default: position if all files have "
        "equally many graphs, and their identifiers agree, otherwise id]",
        values=("id", "position"),
    )
    missing: Missing = option(
        default="pairwise",
        doc="an item that a file lacks is left out where that file is compared (``pairwise``), "
        "is left out everywhere (``common``), or is compared as an empty graph (``empty``). Two "
        "files that both lack it are never compared on it.",
        help="For an item that a file lacks: leave it out where that file is compared, leave it "
        "out everywhere, or compare an empty graph (but not where both files lack it).",
    )
    on_error: StudyOnError = option(
        default="stop",
        doc="an unreadable graph is an error (``stop``), or counts as missing (``skip``).",
        help="For an unreadable graph: stop, or treat it as missing.",
    )
    repair: bool = _repair()


class Selecting(Options):
    """Which pairs are scored."""

    ids: Ids = option(
        default=None,
        doc="identifiers of the pairs to score, as results name them, or a `pathlib.Path` of a "
        "file with one a line; None is all pairs.",
        help="Score only the pairs named in FILE, one identifier a line.",
        file="file",
        metavar="FILE",
    )
    where: Sequence[str] = option(
        default=(),
        doc="conditions that a pair has to meet to be scored, such as ``gold_variables<=20``; "
        "see `exactmatch.graphs.selection`.",
        help="Score only the pairs that meet this condition, such as 'gold_variables<=20' or "
        "'id~^lpp'; list several with commas, and all have to hold. Texts "
        f"({', '.join(TEXTS)}) take =, !=, ~ (a regular expression); numbers "
        f"({', '.join(NUMBERS)}) take =, !=, <, <=, >, >=.",
        metavar="CONDITION",
    )


class PairFiles(Options):
    """Files with the result of each pair, written while pairs are scored."""

    certificates: bool | StrPath = option(
        default=False,
        doc="put every proof into the ``certificate`` of each pair; or the path of a file for "
        "the proofs, which `exactmatch.verify` reads.",
        help="Write the proof of each pair to FILE, for exactmatch verify.",
        group=OUTPUT,
        file="output",
        metavar="FILE",
        cli_default=None,
    )
    per_pair: StrPath | None = option(
        default=None,
        doc="a file that gets the result of each pair: as CSV or Parquet if its name ends in "
        "``.csv`` or ``.parquet``, else as a JSON object a line.",
        help="Write the result of each pair to FILE: CSV or Parquet if its name ends in .csv or "
        ".parquet, else one JSON object a line.",
        group=OUTPUT,
        file="output",
        metavar="FILE",
    )
    mappings: StrPath | None = option(
        default=None,
        doc="a text file with the mapping of each pair, for people.",
        help="Write the mapping of each pair to FILE, as text for people.",
        group=OUTPUT,
        file="output",
        metavar="FILE",
    )
    seconds: bool = option(
        default=True,
        doc="write times to *per_pair*; without times, equal runs write equal files.",
    )
    resume: StrPath | None = option(
        default=None,
        doc="a folder that keeps finished pairs, and is made if it does not exist: a call with "
        "the same arguments resumes an interrupted one. Then no list of pairs is kept in "
        "memory; name a file with *per_pair*.",
        help="Keep finished pairs in FOLDER: the same command resumes an interrupted run. Other "
        "files are written at the end then.",
        group=OUTPUT,
        file="path",
        metavar="FOLDER",
        effect="nothing",
    )


class View(Options):
    """How much of a pair is shown."""

    view_limit: int = option(
        default=VIEW_LIMIT,
        doc="the largest pair that is shown as a whole, in nodes and triples of both graphs "
        "together; of a larger pair, an excerpt of that size with the differences and their "
        "surroundings is shown.",
        help="Show pairs of up to N nodes and triples, of both graphs together, as a whole; of "
        "larger pairs, show an excerpt of at most N with the differences and their "
        "surroundings.",
        group=LIMITS,
        metavar="N",
        least=1,
    )


class Intervals(Options):
    """How confidence intervals and tests are computed."""

    resamples: int = option(
        default=9999,
        doc="the number of resamples for confidence intervals and significance tests.",
        help="The number of resamples for confidence intervals and significance tests.",
        group=COUNTING,
        least=10,
    )
    confidence: float = option(
        default=0.95,
        doc="the level of confidence intervals and tests, between 0 and 1.",
        help="The level of confidence intervals and significance tests.",
        group=COUNTING,
    )


class Chance(Options):
    """The pairs of graphs by which agreement is corrected for chance."""

    chance: ExpectedPairs = option(
        default=200_000,
        doc="the number of pairs of graphs of different items that give the agreement by chance, "
        "drawn at random if there are more; ``all``; or ``none``, for no correction.",
        help="The pairs of graphs of different items that give the agreement by chance: at most N, "
        "drawn at random if there are more; all; or none, for no correction.",
        group=COUNTING,
        metavar="N",
        parse=pairs_by_chance,
        cli_default="200000",
    )


class Planning(Options):
    """How precise a study is to be."""

    plan: float | None = option(
        default=None,
        doc="a half-width of confidence intervals, such as 0.01: the report says how many items "
        "give it, and what fewer and more items give.",
        help="Say how many items give confidence intervals of this half-width, such as 0.01, and "
        "what fewer and more items give.",
        group=COUNTING,
        metavar="WIDTH",
    )


class TableLength(Options):
    """How long tables are."""

    rows: int = option(
        default=15,
        doc="the rows of tables of the worst or the most frequent.",
        help="Rows of tables of the worst or the most frequent.",
        group=OUTPUT,
        least=0,
    )


class ItemsForThird(Options):
    """The items for a further annotator."""

    items: StrPath | None = option(
        default=None,
        doc="a CSV file that gets the items on which annotators disagree, in the order in which a "
        "third annotator should have them: the lowest agreement first.",
        help="Write the items on which annotators disagree to FILE, as CSV, in the order for a "
        "third annotator: the lowest agreement first.",
        group=OUTPUT,
        file="output",
        metavar="FILE",
    )


class StudyFiles(Options):
    """Files that a study writes beside its report."""

    certificates: StrPath | None = option(
        default=None,
        doc="a folder for the proofs, one file for each two files of graphs and each "
        "metric; `exactmatch.verify` reads it.",
        help="Write the proofs to DIR for exactmatch verify, one file for each two "
        "files and each metric.",
        group=OUTPUT,
        file="folder",
        metavar="DIR",
    )
    pages: StrPath | None = option(
        default=None,
        doc="a folder for pages that show the pairs, as `exactmatch.show` writes them, with a "
        "folder for each two files; a report in HTML links to them. Each pair is solved a "
        "second time for the pages.",
        help="Write pages that show the pairs to DIR, as exactmatch show does, with a folder for "
        "each two files; a report in HTML links to them.",
        group=OUTPUT,
        file="folder",
        metavar="DIR",
        effect="nothing",
    )


class StudyOptions(PairProving, Work, StudyReading, Watching):
    """The options of all studies."""

    command: str | None = option(
        default=None,
        doc="the command that the report names as its origin; None is this call.",
        effect="nothing",
    )


class NamedMetricOptions(Options):
    """The metric, and its profile. Each function describes both."""

    metric: str | Metric | None = option(default=None)
    profile: str = option(default="default")
