"""Score random pairs under random options; all that is written must verify.

    python tests/campaign.py COUNT [SEED] [--first NUMBER]

Each setting has a metric with its profile and choices, a solver or a heuristic, limits of time and
memory near zero or none, and further options. Most go through Python; every 40th runs the commands
``score`` and ``verify``, and every 80th a study with a folder of certificates.

A setting is at fault if `verify` refutes a certificate, if two computations disagree (status 4), if
a lower bound exceeds an upper one, or if a pair is certified but not optimal, or contradicts its
certificate. Prints each fault with the seed that repeats it, and the numbers by metric and by
solver. Ends with status 1 if there is a fault. `test_campaign.py` runs some settings.
"""

import argparse
import atexit
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import fuzz
from camr_samples import random_camr
from click.testing import CliRunner, Result
from drs_samples import random_drs
from samples import random_graph, random_mrp_graph
from sbn_samples import random_sbn
from umr_pairs import random_pair

import exactmatch
from exactmatch.certificate.checker import BOUNDED, REFUTED, VERIFIED, check_all
from exactmatch.cli import main as command
from exactmatch.encodings import NAMES
from exactmatch.errors import InputError, NotProvenError, UsageError, VerificationError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.amr.amr_metric import AmrMetric
from exactmatch.metrics.registry import ALIGNMENT_BASED
from exactmatch.metrics.triples import Label, NormalisedGraph, NormalisedTriple
from exactmatch.report.range_certificates import RangeCertificates
from exactmatch.scoring.choices import credits_of, similarity_of
from exactmatch.scoring.comparison import Comparison
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.solving import solver_process
from exactmatch.solving.asking import can_hold
from exactmatch.solving.names import EXACT, GIVEN
from exactmatch.solving.search.methods import METHODS
from exactmatch.stopping.deadline import Deadline

COMMANDS, STUDIES, WORKERS = 40, 80, 400
#: Solvers run in a process of their own for so many settings once. Else they run here: a process
#: that is ended at a limit would have to load them again.
_PROCESSES = 10
#: Similarities of the few concepts of random graphs, for S2match.
_SIMILAR = "p\tq\t0.75\nq\tr\t0.5\np\tr\t0.3333\n"
#: Credits of values of the random graphs.
_CREDITS = """instance p q 0.75
instance q r 0.25
instance man.n.01 go.n.01 1
instance man.n.01 go.v.01 0.5
polarity + - 0.125
k true x 0.4
EQU now tom 0.5
TPR now tom 0.3
Theme now speaker 0.5
aspect state X 0.6
aspect plural 3 0.3
quant 3 - 0.6
"""
#: The subscores by format, of sentences and of documents.
_SUBSCORES = {"amr": "damonte,damonte-set,aspects,aspects-own", "sbn": "sbn,sbn-own"}
#: The kinds of the labels of weighted triples; only labels of one kind are similar.
_KINDS = {"p": "x", "q": "x", "r": "y"}
#: What is said of weights that a solver cannot represent.
_UNREPRESENTABLE = "computes in floating point"
_SENTENCES = ("aligned", "aligned-by-order", "aligned-docsmatch")


class Fault(AssertionError):  # noqa: N818
    """A setting whose result cannot be right; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Graphs on both sides, a metric, and the options of a score."""

    kind: str
    system: Sequence[str]
    gold: Sequence[str]
    metric: AlignmentMetric
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def solver(self) -> str:
        """What solves the pairs: a solver, or a heuristic."""
        method: str = self.options.get("method", "exact")
        return str(self.options.get("solver", "auto")) if method == "exact" else method


class Row(NamedTuple):
    """What was found out about settings."""

    settings: int = 0
    refused: int = 0
    verified: int = 0
    bounded: int = 0
    refuted: int = 0
    status_4: int = 0
    other: int = 0

    def plus(self, other: "Row") -> "Row":
        """Return the sum of both."""
        return Row(*(one + more for one, more in zip(self, other, strict=True)))


def wide_graph(rng: random.Random) -> str:
    """Return a text of a node with many equal parts, some of which have parts of their own."""
    parts = [
        f":{rng.choice(['op1', 'op1', 'op2'])} (x{k} / {rng.choice('ppq')}"
        f"{rng.choice(['', '', ' :mod x0', ' :ARG0 a', ' :polarity -'])})"
        for k in range(rng.randint(2, 7))
    ]
    return f"(a / {rng.choice('pq')} {' '.join(parts)})"


def document(rng: random.Random) -> str:
    """Return a document of AMR of a few sentences with edges between them."""
    sentences: list[str] = []
    names: list[str] = []
    for number in range(1, rng.randint(2, 4)):
        text, _ = random_graph(rng, rng.randint(1, 4))
        for letter in "abcx":
            for digit in range(4):
                text = text.replace(f"{letter}{digit}", f"s{number}{letter}{digit}")
        if names and rng.random() < 0.7:
            text = f"{text[:-1]} :{rng.choice(['part', 'coref', 'ARG0'])} {rng.choice(names)})"
        names.append(text[1:].partition(" ")[0])
        sentences.append(f":snt{number} {text}")
    return f"(d / document {' '.join(sentences)})"


def _amr(rng: random.Random) -> str:
    if rng.random() < 0.03:
        return "(broken / p"  # an empty graph replaces it
    return (
        wide_graph(rng)
        if rng.random() < 0.3
        else random_graph(rng, rng.choice([1, 2, 2, 3, 3, 4, 4, 5, 6]))[0]
    )


def _mrp(rng: random.Random, framework: str) -> str:
    size = rng.choice([0, 1, 2, 3, 4, 6])
    graph = random_mrp_graph(rng, size or 1, framework)
    return json.dumps(graph if size else {**graph, "tops": [], "nodes": [], "edges": []})


def _texts(rng: random.Random, make: Callable[[random.Random], str]) -> list[list[str]]:
    count = rng.choice([1, 1, 1, 1, 1, 2, 3])
    system = [make(rng) for _ in range(count)]
    gold = [text if rng.random() < 0.2 else make(rng) for text in system]
    return [system, gold]


def _profile(rng: random.Random, name: str) -> AlignmentMetric:
    profiles = [*ALIGNMENT_BASED[name].profiles.values()]
    found = rng.choice([one for one in profiles if isinstance(one, AlignmentMetric)])
    if name == "s2match":
        found = found.with_words(similarity=similarity_of(None, _similarities(), "0.5", "0.5"))
    chosen = fuzz.choose(rng, found)
    assert isinstance(chosen, AlignmentMetric)
    return chosen


@cache
def _table(text: str) -> Path:
    """Return a file of a table, which ends with this process."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "table.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def _similarities() -> Path:
    return _table(_SIMILAR)


def _credits() -> Path:
    return _table(_CREDITS)


def drawn(rng: random.Random) -> Setting:
    """Return a random setting."""
    kind = rng.choice(["amr", "amr", "s2match", "document", "mrp", "drs", "sbn", "umr", "camr"])
    if kind == "umr":
        system, gold = ([text] for text in random_pair(rng.randrange(2**30)))
        metric = _profile(rng, rng.choice(["umatch", "smatch"]))
        if isinstance(metric, AmrMetric):
            metric = metric.with_choices(
                anchors=rng.choice(["none", "tokens"]),
                document_level=rng.choice(["ignore", "count"]),
            )
    else:
        make: dict[str, Callable[[random.Random], str]] = {
            "document": document,
            "mrp": partial(_mrp, framework=rng.choice(["x", "eds", "amr", "dm"])),
            "drs": random_drs,
            "sbn": random_sbn,
            "camr": random_camr,
        }
        system, gold = _texts(rng, make.get(kind, _amr))
        names = {
            "s2match": "s2match",
            "drs": "counter",
            "mrp": rng.choice(["mrp", "mrp", "smatch"]),
            "camr": rng.choice(["align-smatch", "align-smatch", "smatch"]),
        }
        metric = _profile(rng, names.get(kind, "smatch"))
        if kind == "document" and rng.random() < 0.8:
            metric = metric.with_choices(sentences=rng.choice(_SENTENCES))
    assert isinstance(metric, AlignmentMetric)
    options = _options(rng, kind, metric)
    takes_credits = "credits" in metric.parameters and "subscores" not in options
    if takes_credits and rng.random() < 0.3:
        metric = metric.with_choices(credits=credits_of(_credits()))
    return Setting(kind=kind, system=system, gold=gold, metric=metric, options=options)


def _options(rng: random.Random, kind: str, metric: AlignmentMetric) -> dict[str, Any]:
    """Return random options for both the Python functions and the commands."""
    found: dict[str, Any] = {"on_error": "empty", "memory": rng.choice([2**30] * 7 + [0, 2**14])}
    found["timeout"] = rng.choice([60.0] * 4 + [0.0, 1e-6, 1e-6, 1e-4, 1e-3, 3e-3, 0.01, 0.05])
    if rng.random() < 0.15:
        found["total_timeout"] = rng.choice([0.0, 1e-6, 1e-3, 0.02])
    if rng.random() < 0.1:
        found["method"] = rng.choice([*METHODS])
        found["starts"] = rng.choice(["all", "candidates"])
    else:
        found["certificates"] = rng.random() < 0.95
        found["cross_check"] = rng.random() < 0.1
        found["solver"] = rng.choice(["auto", "dual", "brute"] * 4 + [*NAMES])
        if found["solver"] in NAMES and rng.random() < 0.8:
            parts = [part for part in GIVEN if rng.random() < 0.5]
            found["given"] = ",".join(parts) or "none"
    found["breakdown"] = rng.random() < 0.75
    found["seed"] = rng.randint(0, 3)
    if kind in ("amr", "sbn") and rng.random() < 0.15:
        found["subscores"] = _SUBSCORES[kind]
    is_aligned = isinstance(metric, AmrMetric) and metric.anchors == "none"
    if kind == "document" and is_aligned and metric.sentences != "free":  # type: ignore[attr-defined]
        found["by_sentence"] = rng.random() < 0.5
        if rng.random() < 0.3:
            found["subscores"] = "documents"
    return found


def _joined(setting: Setting, texts: Sequence[str]) -> str:
    separator = {"mrp": "\n", "umr": "\n\n\n"}.get(setting.kind, "\n\n")
    return separator.join(texts) + "\n"


def _files(setting: Setting, folder: Path) -> list[Path]:
    places = [folder / "system", folder / "gold"]
    for place, texts in zip(places, (setting.system, setting.gold), strict=True):
        place.write_text(_joined(setting, texts), encoding="utf-8")
    return places


def _similarity(setting: Setting) -> Path | None:
    return _similarities() if setting.metric.name == "s2match" else None


def _credits_of(setting: Setting) -> Path | None:
    return _credits() if setting.metric.credits else None


def in_python(rng: random.Random, setting: Setting, folder: Path, workers: int = 1) -> Row:
    """Score by `exactmatch.score_pairs`, with best mappings of some, and verify."""
    system, gold = _files(setting, folder)
    listed = rng.choice([None] * 5 + [0, 1, 3])
    pairs = [
        *exactmatch.score_pairs(
            system,
            gold,
            metric=setting.metric,
            best_mappings=listed,
            workers=workers,
            **setting.options,
        )
    ]
    for pair in pairs:
        _see(pair)
    written = [pair.all_certificates for pair in pairs if pair.all_certificates is not None]
    if not written:
        return Row(settings=1)
    proofs = folder / "proofs.jsonl"
    proofs.write_text("\n".join(written) + "\n", encoding="utf-8")
    for pair in pairs:
        _compare(pair, setting.metric.scale)
    found = exactmatch.verify(
        proofs,
        system,
        gold,
        similarity=_similarity(setting),
        credits=_credits_of(setting),
        on_error="empty",
    )
    _demand(not found.refuted, f"refuted: {[one.reason for one in found.findings]}")
    return Row(settings=1, verified=found.verified, bounded=found.counts["bounded"])


def _see(pair: PairScore) -> None:
    """Raise `Fault` unless the numbers of a pair can be true."""
    _demand(0 <= pair.matched <= pair.matched_upper, f"{pair.matched} to {pair.matched_upper}")
    _demand(not pair.certified or pair.status == "optimal", "certified, but not optimal")
    is_exact = pair.matched == pair.matched_upper
    _demand(not pair.is_compared or (pair.status == "optimal") == is_exact, "a wrong status")
    for part, known in pair.ranges.items():
        counts = pair.breakdown.get(part)
        inside = counts is None or known.unknown or known.least <= counts.matched <= known.most
        _demand(known.least <= known.most and bool(inside), f"{part}: {known} with {counts}")
    for name, one in pair.subscores.items():
        _demand(0 <= one.matched <= one.matched_upper, f"{name}: {one}")


def _compare(pair: PairScore, scale: int) -> None:
    """Raise `Fault` unless the certificate of a pair shows what the pair claims."""
    if pair.certificate is None:
        _demand(not pair.end_certificates, "certificates of ranges alone")
        return
    written = json.loads(pair.certificate)
    # The certificate counts in the largest unit that divides all values of the pair.
    unit = pair.matched // written["value"] if written["value"] else 1
    _demand(written["value"] * unit == pair.matched, "the certificate has another score")
    _demand(scale % unit == 0, f"{unit} is no unit of {scale}")
    if written["value"]:
        _demand(pair.matched_upper <= written["upper"] * unit, "the certificate bounds more")
    _demand((written["value"] == written["upper"]) == pair.certified, "wrongly certified or not")
    ends = [json.loads(line) for line in pair.end_certificates]
    value = {json.loads(one["profile"])["range"]: one["value"] for one in ends}
    for part, known in pair.ranges.items() if written["value"] else ():
        if known.unknown:
            _demand(f"most {part}" not in value, f"{part} is known to its certificate alone")
        else:  # both are those of the best mapping, times a factor, and the end
            sum_of_ends = value[f"most {part}"] - value[f"least {part}"]
            _demand(
                sum_of_ends * unit == known.least + known.most, f"{part}: other ends than {known}"
            )


def by_command(rng: random.Random, setting: Setting, folder: Path) -> Row:
    """Run ``score`` and ``verify``."""
    files = [str(file) for file in _files(setting, folder)]
    proofs, rows = folder / "proofs.jsonl", folder / "rows.jsonl"
    options = dict(setting.options)
    if options.pop("certificates", False):
        options["certificates"] = proofs
    words = _words(setting, options)
    _run("score", *files, *words, "--per-pair", str(rows), *rng.choice([[], ["--workers", "1"]]))
    for line in rows.read_text("utf-8").splitlines():
        row = json.loads(line)
        is_sure = row["status"] == "optimal" and row["matched"] == row["upper"]
        _demand(row["matched"] <= row["upper"] and (is_sure or not row["certified"]), line)
    if "certificates" not in options or not proofs.read_text("utf-8"):
        return Row(settings=1)
    return _verified("verify", str(proofs), *files, *_similar_words(setting), "--on-error", "empty")


def by_study(rng: random.Random, setting: Setting, folder: Path) -> Row:
    """Run a study that writes a folder of certificates, and verify the folder."""
    files = [str(file) for file in _files(setting, folder)]
    proofs = str(folder / "proofs")
    options = {
        name: value
        for name, value in setting.options.items()
        if name in ("timeout", "memory", "seed") and value
    }
    study = rng.choice(["compare", "iaa", "search-error"])
    asked = {
        "compare": ["--gold", files[1], files[0], "--breakdown", "--resamples", "20"],
        "iaa": [*files, "--resamples", "20"],
        "search-error": [files[0], "--gold", files[1], "--seeds", "1", "--method", "r"],
    }[study]
    kept = Setting(kind=setting.kind, system=(), gold=(), metric=setting.metric)
    words = [*_words(kept, options), "--on-error", "skip", "--certificates", proofs]
    _run(study, *asked, *words)
    return _verified("verify", proofs, "--graphs", str(folder), *_similar_words(setting))


def _words(setting: Setting, options: dict[str, Any]) -> list[str]:
    """Return the words of a command for a metric and options."""
    choices = {name: getattr(setting.metric, name) for name in setting.metric.said()}
    found = ["--metric", setting.metric.name, *_similar_words(setting)]
    found += ["--heuristic"] if "method" in options else []
    for name, value in {**choices, **options}.items():
        option = f"--{name.replace('_', '-')}"
        if value is True:
            found.append(option)
        elif value is not False and value is not None:
            found += [option, str(value)]
    return found


def _similar_words(setting: Setting) -> list[str]:
    tables = {"--similarity": _similarity(setting), "--credits": _credits_of(setting)}
    return [word for option, path in tables.items() if path for word in (option, str(path))]


class _Refused(Exception):  # noqa: N818
    """A command does not take these options together, or these graphs."""


def _run(*words: str) -> Result:
    result = CliRunner().invoke(command, words)
    if result.exit_code in (1, 2) and isinstance(result.exception, SystemExit):
        raise _Refused(result.stderr)
    if result.exit_code == VerificationError.exit_status and words[0] != "verify":
        raise VerificationError(result.stderr)
    if result.exit_code not in (0, NotProvenError.exit_status) and words[0] != "verify":
        raise Fault(f"status {result.exit_code}: {result.stderr}") from result.exception
    return result


def _verified(*words: str) -> Row:
    result = _run(*words, "--format", "json")
    _demand(result.exit_code == 0, f"verify: {result.stdout}{result.stderr}")
    found = json.loads(result.stdout)
    return Row(settings=1, verified=found["verified"], bounded=found["bounded"])


def of_weights(rng: random.Random) -> Row:
    """Map graphs of triples of any weight, and verify the certificates."""
    sample = fuzz.of_weights(rng)
    scale = sample.metric.scale
    system, gold = (_with_kinds(graph) for graph in (sample.system, sample.gold))
    credits = {
        (_with_kind(one), _with_kind(other)): min(scale, credit)
        for (one, other), credit in sample.similar.items()
        if _KINDS[one[0]] == _KINDS[other[0]]
    }
    similar: dict[str, Any] = {"similar": lambda *_: credits, "similar_kinds": lambda *_: ["x"]}
    if credits:  # of several triples with the same variables, each may match each
        similar["can_exceed"] = True
    kind = type("Dear", (type(sample.metric),), {**similar, "parts": ("x", "y")})
    metric = kind(duplicates=sample.metric.duplicates)
    options = _options(rng, "weights", metric)
    names = Settings.__dataclass_fields__.keys() & options.keys()
    settings = Settings(**{name: options[name] for name in names})
    deadline = Deadline.after(settings.timeout)
    comparison = Comparison(system, gold, credits, metric, scale)
    if settings.method == EXACT and not can_hold(settings.solver, comparison.problem):
        raise _Refused
    mapper = Mapper("x", settings, deadline, Deadline())
    found = mapper.map_triples(metric, system, gold)
    pair = PairScore.of("x", metric, found, seconds=0.0)
    _see(pair)
    _compare(pair, scale)
    if pair.all_certificates is None:
        return Row(settings=1)
    lines = pair.all_certificates.encode().splitlines()
    ranges = RangeCertificates(lines)
    in_unit = comparison.in_largest_unit()
    judged = [*check_all(ranges.contents(in_unit, "x"), lines)]
    counts = Counter(verdict for _, verdict, _ in judged)
    _demand(not counts[REFUTED] and not ranges.misfits, f"refuted: {judged}, {ranges.misfits}")
    return Row(settings=1, verified=counts[VERIFIED], bounded=counts[BOUNDED])


def _with_kinds(graph: NormalisedGraph) -> NormalisedGraph:
    return graph.with_triples(
        [NormalisedTriple(_with_kind(label), variables) for label, variables in graph.triples]
    )


def _with_kind(label: Label) -> Label:
    return (_KINDS[label[0]], *label)


def _demand(holds: bool, reason: str) -> None:
    if not holds:
        raise Fault(reason)


def try_one(seed: str, folder: Path) -> tuple[str, str, Row, str]:
    """Try the setting of a seed; return its metric, its solver, what was found, and the fault."""
    rng = random.Random(seed)
    number = int(seed.rpartition(" ")[2])
    if rng.random() < 0.1:
        return "weighted", "several", *_tried(lambda: of_weights(rng))
    setting = drawn(rng)
    if number % STUDIES == 0:
        found = _tried(lambda: by_study(rng, setting, folder))
        return setting.metric.name, "studies", *found
    if number % COMMANDS == 0:
        found = _tried(lambda: by_command(rng, setting, folder))
    else:
        workers = 2 if number % WORKERS == 1 else 1
        found = _tried(lambda: in_python(rng, setting, folder, workers))
    return setting.metric.name, setting.solver, *found


def _tried(attempt: Callable[[], Row]) -> tuple[Row, str]:
    try:
        return attempt(), ""
    except (_Refused, UsageError, InputError) as error:
        if _UNREPRESENTABLE in str(error):  # the weights of a pair are small
            return Row(settings=1, other=1), str(error)
        return Row(settings=1, refused=1), ""
    except VerificationError as error:
        return Row(settings=1, status_4=1), f"status 4: {error}"
    except Fault as fault:
        is_refuted = str(fault).startswith(("refuted", "verify"))
        return Row(settings=1, refuted=is_refuted, other=not is_refuted), str(fault)


def campaign(count: int, seed: str, first: int = 0) -> tuple[dict[str, Row], list[str]]:
    """Try *count* settings; return what was found by metric and by solver, and all faults."""
    rows: dict[str, Row] = {}
    faults = []
    for number in range(first, first + count):
        inline = solver_process._INLINE if number % _PROCESSES == 0 else frozenset(NAMES)
        with (
            tempfile.TemporaryDirectory() as folder,
            patch.object(solver_process, "_INLINE", inline),
        ):
            metric, solver, row, fault = try_one(f"{seed} {number}", Path(folder))
        for name in (f"metric {metric}", f"solver {solver}", "all"):
            rows[name] = rows.get(name, Row()).plus(row)
        if fault:
            faults.append(f"{seed} --first {number} ({metric}, {solver}): {fault}")
    return dict(sorted(rows.items())), faults


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", nargs="?", default="campaign")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    asked = parser.parse_args()
    rows, faults = campaign(asked.count, asked.seed, asked.first)
    for fault in faults:
        print(fault)
    print(" ".join(f"{name:>9}" for name in Row._fields))
    for name, row in rows.items():
        print(" ".join(f"{number:9}" for number in row), name)
    return bool(faults)


if __name__ == "__main__":
    raise SystemExit(_main())
