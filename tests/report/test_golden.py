"""Whole reports in every format, beside files that people have read (``--update-golden``)."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import cache
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from study_files import IAA, blocks_of, numbered, run, write, write_files

from exactmatch.encodings import get_encoding
from exactmatch.report import html
from exactmatch.report.document import Plot, Report
from exactmatch.report.formats import FORMATS
from exactmatch.scoring import pair as pair_scoring
from exactmatch.studies.common.plan import StudyResult
from exactmatch.studies.search_error import attempts

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
WORDS = "words.txt"

#: What another tool might say of the first five pairs of a.amr and b.amr, whose best mappings match
#: 10, 18, 25, 12 and 42 triples. The first run is right but for other totals of the fourth pair;
#: the second is 2 and 1 too low, and claims what cannot be of two pairs.
CLAIMS = [
    {"id": "study.1", "matched_runs": [10, 8], "system_triples": 15, "gold_triples": 12},
    {"id": "study.2", "matched_runs": [18, 17], "system_triples": 26, "gold_triples": 20},
    {"id": "study.3", "matched_runs": [25, 26], "system_triples": 43, "gold_triples": 30},
    {"id": "study.4", "matched_runs": [12, 12], "system_triples": 14, "gold_triples": 13},
    {"id": "study.5", "matched_runs": [42, 44], "system_triples": 65, "gold_triples": 48},
]

#: Groups that are no stretches of the file; of the first one, short.amr has no item.
GROUPS = "study.1\tb|1\nstudy.2\tb|1\nstudy.3\t2\nstudy.4\t3\nstudy.5\t2\nstudy.6\t3\n"

STUDIES = {
    "agreement": IAA,
    "agreement-unproven": (
        "iaa", "a.amr", "b.amr", "short.amr", "broken.amr", "--consensus", "consensus.amr",
        "--on-error", "skip", "--memory", "1K", "--resamples", "99", "--rows", "4",
    ),
    "ranking": (
        "compare", "d.amr", "c.amr", "b.amr", "a.amr", "--gold", "consensus.amr",
        "--resamples", "99", "--confidence", "0.6",
    ),
    "ranking-unproven": (
        "compare", "a.amr", "short.amr", "broken.amr", "--gold", "consensus.amr",
        "--on-error", "skip", "--memory", "1K", "--metric", "s2match", "--vectors", WORDS,
        "--resamples", "99",
    ),
    "ranking-metrics": (
        "compare", "d.amr", "c.amr", "b.amr", "a.amr", "--gold", "consensus.amr",
        "--metric", "smatch", "--metric", "sembleu", "--metric", "s2match", "--vectors", WORDS,
        "--resamples", "99",
    ),
    "search-error": (
        "search-error", "a.amr", "b.amr", "short.amr", "consensus.amr",
        "--method", "r", "--restarts", "1", "--seeds", "3", "--document", "2", "--rows", "5",
    ),
    "search-error-groups": (
        "search-error", "a.amr", "b.amr", "short.amr", "--every-two", "--group-by", "groups.tsv",
        "--profile", "paper-2013", "--method", "base", "--method", "ilp-paper", "--method", "r",
        "--seeds", "2", "--rows", "0",
    ),
    "claims": (
        "search-error", "a.amr", "b.amr", "--scores", "claims.json", "--from", "smatch",
        "--rows", "1",
    ),
    "claims-rounded": (
        "search-error", "a.amr", "b.amr", "--scores", "rounded.txt", "--from", "smatch",
        "--timeout", "0",
    ),
    "explanation": (
        "explain", "a.amr", "b.amr", "--between", "default", "smatch-1.0.4:top=concept",
        "--scores", "claims.json", "--from", "smatch", "--rows", "4",
    ),
    "explanation-unproven": (
        "explain", "b.amr", "short.amr", "--between", "default", "paper-2013:case=keep",
        "--memory", "1K", "--rows", "2",
    ),
    "principles": (
        "principles", "left.amr", "right.amr", "--seeds", "3", "--vectors", WORDS,
        "--metric", "smatch", "--metric", "s2match", "--metric", "smatch:r", "--metric", "sembleu",
    ),
    "correlation": (
        "correlate", "a.amr", "b.amr", "consensus.amr", "--metrics", "smatch,smatch:r,sembleu",
        "--human", "human.tsv", "--human-range", "0", "5", "--rows", "4",
    ),
    "correlation-unproven": (
        "correlate", "b.amr", "short.amr", "broken.amr", "consensus.amr", "--on-error", "skip",
        "--memory", "1K", "--metric", "smatch", "--metric", "s2match", "--vectors", WORDS,
        "--rows", "3",
    ),
}  # fmt: skip
#: Graphs that tell metrics apart: of many like parts, of a single node, and like figure 2 of Opitz
#: et al. (2020), where no path tells who is ARG1.
LEFT = ["(a / x)", "(p / beat-01 :ARG0 (x1 / man) :ARG1 (x2 / man) :ARG2 x2)"]
RIGHT = [
    "(a / x :r (b / y :s (c / z-01)))",
    "(p / beat-01 :ARG0 (x1 / man) :ARG1 x1 :ARG2 (x2 / man))",
]
#: What people might say of all items but one, and of another one.
RATINGS = {"study.2": 5, "study.1": 2, "study.3": 3.5, "study.5": 2.5, "study.4": 5, "other": 1}
SUFFIXES = {"text": "txt", "markdown": "md", "latex": "tex"}
#: The studies whose reports are here in every format; the writers of formats know no study, so
#: these formats suffice for the others.
IN_ALL_FORMATS = ("agreement", "ranking")
MAIN_FORMATS = ("text", "csv", "json")
REPORTS = [
    (study, output_format)
    for study in STUDIES
    for output_format in (FORMATS if study in IN_ALL_FORMATS else MAIN_FORMATS)
]


def ticking() -> Callable[[], float]:
    """Return a clock that advances by an eighth of a second at each reading."""
    ticks = count()
    return lambda: next(ticks) / 8


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Enter a folder with the inputs of the studies."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("studies"))
        write_files()
        write("short.amr", blocks_of("c.amr")[2:])
        Path("groups.tsv").write_text(GROUPS, encoding="utf-8")
        write("broken.amr", ["# ::id study.1\n(a / b", *blocks_of("c.amr")[1:5]])
        Path("claims.json").write_text(json.dumps({"pairs": CLAIMS}), encoding="utf-8")
        rated = "".join(f"{item}\t{rating}\n" for item, rating in RATINGS.items())
        Path("human.tsv").write_text(f"id\trating\n{rated}", encoding="utf-8")
        Path("rounded.txt").write_text("F-score: 0.8\n" * 6, encoding="utf-8")
        hard = blocks_of(INSTANCES / "hard" / "unlabelled.system.amr")
        plain = [block[block.index("(") :] for block in (hard[0], *blocks_of("a.amr")[:2])]
        write("left.amr", numbered(*LEFT, *plain))
        write("right.amr", numbered(*RIGHT, plain[0], *plain[:0:-1]))
        Path(WORDS).write_bytes((INSTANCES / "vectors" / WORDS).read_bytes())
        yield


@pytest.fixture(scope="module")
def report_of(inputs: None) -> Callable[[str], Report]:
    """Return the report on a study, as its command makes it: each study is run once."""

    @cache
    def made(study: str) -> Report:
        found: list[StudyResult[object]] = []

        def kept(result: StudyResult[object], *_: object, **__: object) -> str:
            found.append(result)
            return ""

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pair_scoring, "time", SimpleNamespace(monotonic=ticking()))
            patch.setattr(attempts, "time", SimpleNamespace(perf_counter=ticking()))
            patch.setattr(attempts, "get_solver", lambda name, _: get_encoding(name))  # no loading
            patch.setattr(StudyResult, "report", kept)
            run(*STUDIES[study], "--format", "json")
        (result,) = found
        return result.document

    return made


def numbers(plot: Plot) -> str:
    """Return the drawing commands instead of the picture, whose bytes matplotlib may change."""
    drawn = json.dumps({type(plot).__name__: asdict(plot)})
    return json.dumps(json.loads(drawn, parse_float=lambda text: round(float(text), 12)), indent=1)


def without_versions(text: str) -> str:
    """Return a report without the parts that differ between machines or releases."""
    packages = r"numpy [0-9.\w]+(, scipy [0-9.\w]+)?"
    text = re.sub(rf"exactmatch [0-9]\S*, Python \S+, {packages}", "VERSIONS", text)
    text = re.sub(r"\|version:[-+.\w]+", "|version:VERSION", text)
    text = re.sub(r"\|memory:[0-9]{7,}", "|memory:DEFAULT", text)
    return re.sub(r"\|with:[-+.\w]+", "|with:VERSIONS", text)


@pytest.mark.slow
@pytest.mark.parametrize(("study", "output_format"), REPORTS)
def test_reports_are_those_that_people_have_read(
    report_of: Callable[[str], Report],
    golden: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
    study: str,
    output_format: str,
) -> None:
    monkeypatch.setattr(html, "svg", numbers)
    monkeypatch.setattr(html, "_resource", "/* {} */\n".format)
    report = report_of(study)
    command = report.provenance.command.replace("--format json", f"--format {output_format}")
    report = replace(report, provenance=replace(report.provenance, command=command))
    suffix = SUFFIXES.get(output_format, output_format)
    golden(f"{study}.{suffix}", without_versions(f"{FORMATS[output_format](report)}\n"))
