"""The options of the program, each declared once; and how a corpus is scored.

From a declaration come the option of commands (`exactmatch.cli.click_options`), the keyword of
public functions (`exactmatch.scoring.declaration.keywords`) with its line of documentation, its
type in ``exactmatch/__init__.pyi``, and whether it tells a run from others.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from exactmatch._version import __version__, solver_versions
from exactmatch.encodings import NAMES
from exactmatch.errors import UsageError
from exactmatch.graphs.pairing import Missing, OnError, PairBy
from exactmatch.graphs.selection import NUMBERS, TEXTS, Ids
from exactmatch.metrics.base import Metric
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import MOST, ClusterAddress, Workers, default_limit, parse_size
from exactmatch.scoring.choices import AskedSubscores, StrPath
from exactmatch.scoring.declaration import COUNTING, LIMITS, OUTPUT, PROOF, Options, option
from exactmatch.solving.names import AUTO, EXACT, GIVEN, NOTHING, SOLVERS, usually_given
from exactmatch.solving.search.methods import METHODS, STARTS, Starts

if TYPE_CHECKING:
    from exactmatch.metrics.subscores.asked import Subscores

#: CP-SAT and SCIP take seeds of 31 bits.
_LARGEST_SEED = 2**31 - 1

#: What is told of a pair or a file, one message at a time.
Note = Callable[[str], object]

#: What becomes of graphs that cannot be read: they end the study, or are missing.
StudyOnError = Literal["stop", "skip"]

#: How the report of a study is written.
Format = Literal["text", "json", "csv", "markdown", "latex", "html"]

#: What checks certificates: the checker of one file, or the one that is proven in Coq.
Checker = Literal["python", "coq"]

#: What becomes of a candidate that cannot be read: it ends all, or an empty graph stands for it.
CandidateOnError = Literal["stop", "empty"]

#: So many nodes and triples of both graphs together are shown as a whole.
VIEW_LIMIT = 20_000

#: For whom a model is written; of ``triples``, for the checker of certificates.
Target = Literal["wcnf", "opb", "lp", "mps", "cpsat-proto", "json", "triples"]

#: For whom certificates are written anew.
ProofFormat = Literal["coq", "veripb", "veripb-1.1"]


def ignore_note(_: str) -> None:
    """Take a note and do nothing."""


def seconds(value: float | None) -> float | None:
    """Return a time limit in seconds; infinite means None, no limit. Raises `ValueError`."""
    if value is not None and (math.isnan(value) or value < 0):
        raise ValueError("not a number of seconds")
    return None if value is None or math.isinf(value) else value


class PairLimits(Options):
    """What a pair may take, and what random choices begin with."""

    timeout: float | None = option(
        default=60.0,
        doc="seconds for each pair, None for no limit. What is not proven by then is reported as "
        "an interval.",
        help="Seconds for each pair, or inf. What is not proven by then is given as an interval.",
        group=LIMITS,
        parse=seconds,
    )
    memory: int | None = option(
        default=None,
        doc="bytes that a pair may take; what would take more is not solved, but reported as an "
        "interval. None is a quarter of what is free for each worker, at most 1 GiB.",
        help="Memory for a pair (800M, 2G): what would take more is not solved, but given as an "
        "interval.  [default: a quarter of what is free for each worker, at most 1G]",
        group=LIMITS,
        metavar="SIZE",
        parse=parse_size,
    )
    seed: int = option(
        default=0,
        doc="of every random choice.",
        help="Seed of every random choice.",
        group=PROOF,
        least=0,
        most=_LARGEST_SEED,
        effect="score",
    )


class CorpusLimits(PairLimits):
    """What each pair and all together may take."""

    total_timeout: float | None = option(
        default=None,
        doc="seconds for all pairs together.",
        help="Seconds for all pairs.",
        group=LIMITS,
        parse=seconds,
    )


class Work(Options):
    """Who shares the work."""

    workers: Workers = option(
        default=1,
        doc="processes that share the work, or ``auto``: one for each core, as soon as a second "
        "was not enough; the result is the same with any number. A program that asks for more "
        'than one has to start under ``if __name__ == "__main__":``.',
        help="Processes that share the pairs: a number, or auto, one for each core as soon as a "
        "second was not enough. The result is the same with any number, but for what limits of "
        "time and memory leave open.",
        group=LIMITS,
        metavar="N",
        cli_default=AUTO,
        effect="nothing",
    )
    cluster: ClusterAddress | None = option(
        default=None,
        doc="a Dask cluster whose workers share the work instead: ``tcp://host:8786``, the file "
        "of a scheduler, or a ``distributed.Client``. The result is the same.",
        help="Have the workers of a Dask cluster share the pairs: tcp://HOST:PORT, or the file of "
        "its scheduler. The result is the same.",
        group=LIMITS,
        metavar="ADDRESS",
        effect="nothing",
    )


class Watching(Options):
    """Who sees how far it is."""

    progress: Progress = option(
        default=unwatched,
        doc="shows how far it is; see `exactmatch.runtime.progress.Progress`.",
        effect="nothing",
    )


class Telling(Watching):
    """Who sees how far it is, and is told what is the matter with graphs."""

    note: Note = option(
        default=ignore_note,
        doc="called with what there is to note of a pair or a graph, as it comes.",
        effect="nothing",
    )


class Search(Options):
    """What searches for mappings."""

    method: str = option(
        default=EXACT,
        doc="``exact``, or a heuristic: ``base``, ``r``, ``10r``, ``s``, ``s+4r``, ``s+9r``.",
        values=(EXACT, *METHODS),
        effect="score",
    )
    starts: Starts = option(
        default="all",
        doc="what a heuristic maps, to begin with and all the time: ``all`` variables of the "
        "smaller graph, or pairs of ``candidates`` alone, of which some triples may match.",
        help="What heuristics map: all variables of the smaller graph at any time, as Cai and "
        "Knight (2013) write, or candidates alone, pairs of which some triples may match.  "
        "[default: all]",
        group=PROOF,
        cli_default=None,
        effect="score",
    )


class Solver(Options):
    """What proves a result."""

    solver: str = option(
        default=AUTO,
        doc="what proves an exact result: ``auto``, ``dual`` (none), ``cpsat``, ``maxsat``, "
        "``ilp``, ``ilp-paper``, ``highs`` or ``brute``.",
        help="What proves each pair: auto, the fastest; dual, none; any other, that one, from what "
        "--given says.",
        group=PROOF,
        values=SOLVERS,
    )
    given: str | None = option(
        default=None,
        doc="what a *solver* asked for by name gets from us: ``presolve``, ``start`` and "
        "``bound``, several with commas between, or ``none``. None is all three, but none of them "
        "for ``ilp-paper``.",
        help="What a solver asked for by name gets from us: presolve (a problem without what is "
        "forced or dominated), start (the mapping of a hill climb), bound (the first one of the "
        "dual), several with commas, or none. The result tells what each did.  [default: all "
        "three, none for ilp-paper]",
        group=PROOF,
        metavar="PART,...",
        cli_default=None,
    )


class Proving(Solver):
    """What proves a result, and whether a second solver does so, too."""

    cross_check: bool = option(
        default=False,
        doc="prove every result a second time, with another solver.",
        help="Prove every pair again with a second solver, in as much time again.",
        group=PROOF,
    )


class Details(Options):
    """What is counted beside the score."""

    breakdown: bool = option(
        default=False,
        doc="count the matched triples of each kind as well: under the mapping found, and the "
        "least and the most under any of the best mappings.",
        help="Count the matched triples of each kind as well: the least and the most under any of "
        "the best mappings. With --certificates, of both ends, too.",
        group=COUNTING,
    )
    subscores: AskedSubscores = option(
        default=None,
        doc="scores of single phenomena as well: names with commas between, such as "
        "``damonte,aspects``, or what `exactmatch.select_subscores` returns.",
        help="Scores of single phenomena as well: damonte, damonte-set, aspects, aspects-own, sbn, "
        "sbn-own, documents, or single ones, such as concepts,srl.",
        group=COUNTING,
        metavar="NAME,...",
    )
    by_sentence: bool = option(
        default=False,
        doc="how the sentences of documents fare as well, where the metric tells sentences.",
        help="With --sentences: the sentences of documents that lose most, and what is in several "
        "sentences or none; with --per-pair, the triples of every sentence.",
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
    """Which graphs are compared, and what becomes of those that cannot be read."""

    pair_by: PairBy = option(
        default="position",
        doc="``position`` or ``id``.",
        help="By position, identifiers are checked; by id, the graphs of GOLD are held in memory, "
        "and graphs without partner are skipped, or taken as empty with --on-error empty.",
    )
    on_error: OnError = option(
        default="stop",
        doc="what to do with graphs that cannot be read: ``stop``, ``skip`` or ``empty``.",
        help="A graph that cannot be read: stop, skip its pair, or take it as empty.",
    )
    repair: bool = _repair()


class CorpusReading(Options):
    """What becomes of graphs that belong to no pair."""

    on_error: OnError = option(
        default="stop",
        doc="graphs that cannot be read end it all (``stop``), are left out (``skip``), or empty "
        "ones stand for them (``empty``).",
        help="A graph that cannot be read: stop, leave it out, or take it as empty.",
    )
    repair: bool = _repair()


class CandidateReading(Options):
    """What becomes of candidates that cannot be read."""

    on_error: CandidateOnError = option(
        default="empty",
        doc="what becomes of a graph that cannot be read: an empty one stands for it, which has "
        "nothing in common with any other and is not the best unless all are such (``empty``); or "
        "it ends all (``stop``).",
        help="A graph that cannot be read: it has nothing in common with the others, and is not "
        "chosen; or stop.",
        values=("empty", "stop"),
    )
    repair: bool = _repair()


class CandidatePairing(Options):
    """Which graphs of several files belong together."""

    pair_by: PairBy = option(
        default="position",
        doc="``position`` or ``id``; by identifier, all files are held in memory.",
        help="Which graphs belong together. By position, identifiers are checked; by id, the "
        "files are held in memory, and a graph that a file lacks is taken as one that cannot be "
        "read.",
    )


class StudyReading(Options):
    """Which graphs of files are of the same item, and what becomes of missing ones."""

    pair_by: PairBy | None = option(
        default=None,
        doc="``position`` or ``id``; None is by position if all files have the same identifiers in "
        "the same order, else by identifier.",
        help="Which graphs are of the same item.  [default: position if all files have the same "
        "identifiers in the same order, else id]",
        values=("id", "position"),
    )
    missing: Missing = option(
        default="pairwise",
        doc="an item that a file lacks is left out where that file is compared (``pairwise``), or "
        "everywhere (``common``), or an empty graph stands for it (``empty``).",
        help="An item that a file lacks is left out where that file is compared, or left out "
        "everywhere, or compared as an empty graph.",
    )
    on_error: StudyOnError = option(
        default="stop",
        doc="a graph that cannot be read ends it all (``stop``), or is missing (``skip``).",
        help="A graph that cannot be read: stop, or take it as missing.",
    )
    repair: bool = _repair()


class Selecting(Options):
    """Which pairs are scored."""

    ids: Ids = option(
        default=None,
        doc="identifiers of the pairs that are to be scored, as results call them, or the path of "
        "a file with one a line; None are all.",
        help="Score only the pairs named in FILE, an identifier a line.",
        file="file",
        metavar="FILE",
    )
    where: Sequence[str] = option(
        default=(),
        doc="conditions that all have to hold of a pair that is to be scored, such as "
        "``gold_variables<=20``; see `exactmatch.graphs.selection`.",
        help="Score only the pairs of which this holds, such as 'gold_variables<=20' or "
        "'id~^lpp'; several may be listed with commas, and all have to hold. "
        f"Of texts ({', '.join(TEXTS)}): =, !=, ~ (a regular expression); "
        f"of numbers ({', '.join(NUMBERS)}): =, !=, <, <=, >, >=.",
        metavar="CONDITION",
    )


class PairFiles(Options):
    """What is written of the pairs as they are scored."""

    certificates: bool | StrPath = option(
        default=False,
        doc="write down every proof, in the ``certificate`` of each pair; or the path of a file to "
        "write them to, for `exactmatch.verify`.",
        help="Write the proof of each pair to FILE, for exactmatch verify.",
        group=OUTPUT,
        file="path",
        metavar="FILE",
        cli_default=None,
    )
    per_pair: StrPath | None = option(
        default=None,
        doc="a file that gets the result of each pair: as CSV or Parquet if its name ends in "
        "``.csv`` or ``.parquet``, else as a JSON object a line.",
        help="Write each pair's result to FILE: CSV or Parquet if its name ends in .csv or "
        ".parquet, else one JSON object a line.",
        group=OUTPUT,
        file="path",
        metavar="FILE",
    )
    mappings: StrPath | None = option(
        default=None,
        doc="a file that gets the mapping of each pair, to be read by people.",
        help="Write each pair's mapping of variables to FILE, to be read.",
        group=OUTPUT,
        file="path",
        metavar="FILE",
    )
    seconds: bool = option(
        default=True,
        doc="write times to *per_pair*; without, equal runs write equal files.",
    )
    resume: StrPath | None = option(
        default=None,
        doc="a folder, made if there is none, that keeps what is finished: a call with the same "
        "arguments goes on where another was broken off. Then pairs are kept in no list; name a "
        "file with *per_pair*.",
        help="Keep what is finished in FOLDER: the same command goes on where it was broken off. "
        "Files are written at the end, then.",
        group=OUTPUT,
        file="path",
        metavar="FOLDER",
        effect="nothing",
    )


class View(Options):
    """How much of a pair is shown."""

    view_limit: int = option(
        default=VIEW_LIMIT,
        doc="show pairs of up to so many nodes and triples, those of both graphs together, as a "
        "whole; of larger ones an excerpt of so many at most: what differs, and what is around it.",
        help="Show pairs of up to N nodes and triples, those of both graphs together, as a whole; "
        "of larger ones an excerpt of N at most: what differs, and what is around it.",
        group=LIMITS,
        metavar="N",
        least=1,
    )


class Intervals(Options):
    """How confidence intervals and tests are computed."""

    resamples: int = option(
        default=9999,
        doc="how often is resampled for confidence intervals and significance tests.",
        help="Of confidence intervals and significance tests.",
        group=COUNTING,
        least=10,
    )
    confidence: float = option(
        default=0.95,
        doc="their level, between 0 and 1.",
        help="Level of confidence intervals and significance.",
        group=COUNTING,
    )


class TableLength(Options):
    """How long tables are."""

    rows: int = option(
        default=15,
        doc="of the tables that show the worst or most frequent.",
        help="Rows of the tables that show the worst or most frequent.",
        group=OUTPUT,
        least=0,
    )


class StudyFiles(Options):
    """What a study writes beside its report."""

    certificates: StrPath | None = option(
        default=None,
        doc="a folder that gets the proofs for `exactmatch.verify`, one file for each two files.",
        help="Write the proofs to DIR for exactmatch verify, one file for each two files.",
        group=OUTPUT,
        file="folder",
        metavar="DIR",
    )
    pages: StrPath | None = option(
        default=None,
        doc="a folder that gets pages which show the pairs, as `exactmatch.show` makes them, in a "
        "folder for each two files; in HTML, the report leads to them. Each pair is solved once "
        "more for that.",
        help="Write pages to DIR that show the pairs, as exactmatch show does, in a folder for "
        "each two files; reports in HTML lead to them.",
        group=OUTPUT,
        file="folder",
        metavar="DIR",
        effect="nothing",
    )


class StudyOptions(PairLimits, Work, StudyReading, Watching):
    """What all studies have."""

    command: str | None = option(
        default=None,
        doc="what the report says it was made by; None is this call.",
        effect="nothing",
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked for. Raises `UsageError` for what makes no sense.

    method: ``exact``, or a heuristic of `exactmatch.solving.search.methods.METHODS`.
    starts: what heuristics map, to begin with and all the time; see there.
    solver: what proves the exact result, one of `exactmatch.solving.strategy.SOLVERS`.
    given: what a solver asked for by name gets from us: see `Solver`.
    timeout: seconds for a pair, total_timeout: seconds for all; None is no limit.
    seed: of every random choice; each pair starts from it anew.
    memory: bytes that a pair may take; one that would take more is not solved but bounded.
    cross_check: solve every pair again with another solver.
    certificates: write down a proof of every result.
    breakdown: count the matched triples of each kind as well.
    best_mappings: of each pair, list so many of its best mappings, and tell what all have in
        common; for 0, only make sure that the mapping is the defined one, see
        `exactmatch.solving.best.listing`. None asks for nothing of this.
    subscores: the scores of single phenomena that are asked for as well.
    by_sentence: count the triples of each sentence of documents as well.
    repair: graphs are taken as other readers take them, see `Pairing`.
    """

    method: str = EXACT
    starts: Starts = "all"
    solver: str = AUTO
    given: str | None = None
    timeout: float | None = None
    total_timeout: float | None = None
    seed: int = 0
    memory: int = MOST
    cross_check: bool = False
    certificates: bool = False
    breakdown: bool = False
    best_mappings: int | None = None
    subscores: "Subscores | None" = None
    by_sentence: bool = False
    repair: bool = False

    @classmethod
    def of(cls, *groups: Options, workers: Workers = 1, **others: Any) -> "Settings":
        """Return what the options of *groups* say, and *others*; memory for so many workers."""
        given = {name: value for group in groups for name, value in vars(group).items()} | others
        if given.get("memory") is None:
            given["memory"] = default_limit(workers)
        return cls(**{name: given[name] for name in cls.__dataclass_fields__ if name in given})

    def __post_init__(self) -> None:
        kinds = {"method": (EXACT, *METHODS), "starts": STARTS, "solver": SOLVERS}
        for name, known in kinds.items():
            if getattr(self, name) not in known:
                raise UsageError(
                    f"no {name} is called {getattr(self, name)!r}; there are {', '.join(known)}"
                )
        self._check_numbers()
        self._check_given()
        only_exact = self.cross_check or self.certificates or self.solver != AUTO
        if self.method != EXACT and only_exact:
            raise UsageError(
                "solvers, certificates and cross-checking go with the exact method alone"
            )

    def _check_given(self) -> None:
        if self.given is None:
            return
        if not self.is_by_name:
            raise UsageError(
                f"what is given goes with a solver asked for by name: {', '.join(NAMES)}"
            )
        is_known = set(self.given.split(",")) <= set(GIVEN)
        if self.given != NOTHING and not is_known:
            raise UsageError(
                f"given is {self.given!r}; there are {', '.join(GIVEN)}, several with commas "
                f"between, or {NOTHING}"
            )

    @property
    def is_by_name(self) -> bool:
        """Whether one of the solvers is asked for, and no strategy."""
        return self.method == EXACT and self.solver in NAMES

    @property
    def given_parts(self) -> Sequence[str]:
        """What a solver asked for by name is given, in the order of `GIVEN`."""
        if self.given is None:
            return usually_given(self.solver)
        return [part for part in GIVEN if part in self.given.split(",")]

    def _check_numbers(self) -> None:
        for seconds in (self.timeout, self.total_timeout):
            if seconds is not None and not (type(seconds) in (int, float) and seconds >= 0):
                raise UsageError(f"a time limit of {seconds!r} seconds")
        if not _is_count(self.memory):
            raise UsageError(f"a limit of {self.memory!r} bytes")
        if self.best_mappings is not None and not _is_count(self.best_mappings):
            raise UsageError(f"{self.best_mappings!r} best mappings: not a whole number from 0 on")
        if not (isinstance(self.seed, int) and 0 <= self.seed <= _LARGEST_SEED):
            raise UsageError(f"seed {self.seed!r}: not a whole number from 0 to {_LARGEST_SEED}")

    @property
    def search(self) -> str:
        """How mappings are looked for, in the words of a signature, but for the seed."""
        method = f"method:{self.method}"
        return method if self.method == EXACT else f"{method}|starts:{self.starts}"

    def signature(self, metric: Metric) -> str:
        """Return one line that fixes every choice that moves the score by *metric*."""
        seed = "" if self.method == EXACT else f"|seed:{self.seed}"
        repair = "|repair:on" if self.repair else ""
        return f"{metric.signature(self.search + seed)}{repair}|version:{__version__}"

    def long_signature(self, metric: Metric) -> str:
        """Return the signature with the limits and, where it proves, solver, seed, versions."""
        parts = [self.signature(metric)]
        for name in ("timeout", "total_timeout"):
            seconds = getattr(self, name)
            parts.append(f"{name.replace('_', '-')}:{'none' if seconds is None else seconds}")
        parts.append(f"memory:{self.memory}")
        if self.subscores is not None:
            parts.append(self.subscores.signature())
        if self.method == EXACT:
            parts.append(f"solver:{self.solver}")
            if self.is_by_name:
                parts.append(f"given:{','.join(self.given_parts) or NOTHING}")
            parts += [f"seed:{self.seed}", f"with:{solver_versions()}"]
        return "|".join(parts)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0
