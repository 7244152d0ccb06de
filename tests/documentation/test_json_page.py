"""docs/json.md names every key of every output, and no other."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nightly import by_day

from exactmatch.cli import main
from exactmatch.studies.common.manifest import MANIFEST

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"
PAPER = (str(INSTANCES / "paper" / "system.amr"), str(INSTANCES / "paper" / "gold.amr"))
AGREEMENT = [str(INSTANCES / "agreement" / f"{name}.amr") for name in ("a", "b", "consensus")]
SESSIONS = str(INSTANCES / "agreement" / "sessions.tsv")

JSON = ("--format", "json")

#: Keys that only some metrics have.
OF_SOME_METRICS = {"breakdown"}
#: A part of it that only metrics with a mapping have.
OF_MAPPINGS = {"range"}
#: Keys that only come with --subscores.
OF_SUBSCORES = {"subscores", "subscores_signature"}
#: Keys that are there if sentences of documents are left out, or graphs repaired or replaced.
OF_DOCUMENTS = {"left_out", "mended"}
#: Keys that only texts of SBN have, and such texts.
OF_TEXTS = {"ill_formed", "macro_f1", "macro_f1_upper"}
SBN = [str(INSTANCES / "sbn" / name) for name in ("system.sbn", "gold.sbn")]
#: Keys that only documents of AMR have, with options for such.
OF_SENTENCES = {"sentences", "difference"}
#: Keys where a solver was asked for by name.
OF_SOLVERS = {"solver_work", "given", "own"}
DOCUMENTS = [str(INSTANCES / "documents" / name) for name in ("system.amr", "gold.amr")]
#: Keys that only graphs in MRP have, and such graphs.
OF_MRP = {"frameworks", "framework_average", "framework_average_upper"}
UMR = [str(INSTANCES / "umr" / name) for name in ("a.umr", "b.umr")]
MRP = [str(INSTANCES / "mrp" / name) for name in ("system.mrp", "gold.mrp")]

pytestmark = pytest.mark.checkout


def section(title: str) -> str:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def keys_of_rows(text: str) -> set[str]:
    """Return the keys in the first column of the tables in *text*."""
    firsts = re.findall(r"^\| ([^|]*) \|", text, re.MULTILINE)
    return {key for first in firsts for key in re.findall(r"`(\w+)`", first)}


def tables() -> Iterator[tuple[str, str, set[str]]]:
    """Yield study, table and keys of its rows, as the page says."""
    study = ""
    for line in section("Reports").splitlines():
        cells = line.strip("|").split(" | ")
        if len(cells) == 3 and "`" in cells[1] + cells[2]:
            study = cells[0].strip(" `|") or study
            for table in re.findall(r"`(\w+)`", cells[1]):
                yield study, table, set(re.findall(r"`([\w-]+)`", cells[2]))


def run(*words: str) -> Any:
    result = CliRunner().invoke(main, [*words], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_page_names_the_keys_of_score() -> None:
    keys = keys_of_rows(section("`score --format json`"))
    keys -= OF_MAPPINGS | OF_DOCUMENTS | OF_SENTENCES | OF_TEXTS | OF_SOLVERS
    asked = ("--subscores", "all,wiki", "--check")
    with_subscores = run("score", *PAPER, *asked, "--format", "json")
    assert set(with_subscores) == keys - OF_SOME_METRICS - OF_MRP
    (row,) = re.findall(r"^\| `subscores` (.*)$", section("`score --format json`"), re.MULTILINE)
    words = set(re.findall(r"`(\w+)`", row)) - {"none", "own", "main"}
    assert all(set(found) == words for found in with_subscores["subscores"].values())
    keys -= OF_SUBSCORES | {"validity"}
    assert set(run("score", *PAPER, "--format", "json")) == keys - OF_SOME_METRICS - OF_MRP
    assert set(run("score", *PAPER, "--breakdown", "--format", "json")) == keys - OF_MRP
    content = run("score", *MRP, "--breakdown", "--format", "json")
    assert set(content) == keys
    (row,) = re.findall(r"^\| `frameworks` (.*)$", section("`score --format json`"), re.MULTILINE)
    of_each = set(re.findall(r"`(\w+)`", row))
    assert all(set(found) == of_each for found in content["frameworks"].values())


def test_the_page_names_the_keys_of_pairs(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    asked = ("--breakdown", "--subscores", "concepts")
    run("score", *PAPER, *asked, "--format", "json", "--per-pair", str(file))
    keys = keys_of_rows(section("`score --per-pair FILE`"))
    keys -= OF_DOCUMENTS | OF_SENTENCES | OF_TEXTS | OF_SOLVERS
    assert set(json.loads(file.read_text(encoding="utf-8"))) == keys - {"framework"}
    keys -= OF_SUBSCORES
    run("score", *MRP, "--breakdown", "--format", "json", "--per-pair", str(file))
    lines = file.read_text(encoding="utf-8").splitlines()
    assert all(set(json.loads(line)) == keys for line in lines)


def test_the_page_names_the_keys_of_ill_formed_texts(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    plain = set(run("score", *PAPER, "--format", "json"))
    found = run("score", *SBN, "--format", "json", "--per-pair", str(file))
    assert set(found) == plain | OF_TEXTS
    (row,) = re.findall(r"^\| `ill_formed` (.*)$", section("`score --format json`"), re.MULTILINE)
    assert set(found["ill_formed"]) == set(re.findall(r"`(\w+)`", row))
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    told = [line["ill_formed"] for line in lines if line["status"] == "ill-formed"]
    assert told == [["system"]] * found["ill_formed"]["zero"]
    assert not any("ill_formed" in line for line in lines if line["status"] == "optimal")


def test_sentences_of_documents_that_are_left_out(tmp_path: Path) -> None:
    short, pairs = tmp_path / "short.umr", tmp_path / "pairs.jsonl"
    text = Path(UMR[0]).read_text(encoding="utf-8")
    short.write_text(text.rpartition("# meta-info")[0].rstrip("#\n") + "\n", encoding="utf-8")
    words = ("score", str(short), UMR[1], "--metric", "umatch", "--on-error", "skip")
    result = CliRunner().invoke(main, [*words, "--format", "json", "--per-pair", str(pairs)])
    lines = pairs.read_text(encoding="utf-8").splitlines()
    contents = [json.loads(text) for text in (result.stdout, *lines)]
    assert [content.get("left_out") for content in contents] == [1, None, 1]


def test_the_page_names_the_keys_of_sentences(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    words = ("--sentences", "aligned", "--by-sentence", "--free-too", "--per-pair", str(file))
    content = run("score", *DOCUMENTS, *words, "--format", "json")
    (row,) = re.findall(r"^\| `difference` (.*)$", section("`score --format json`"), re.MULTILINE)
    assert set(content["difference"]) | {"metrics"} == set(re.findall(r"`(\w+)`", row))
    (row,) = re.findall(r"^\| `sentences` (.*)$", section("`score --per-pair FILE`"), re.MULTILINE)
    of_each = set(re.findall(r"`(\w+)`", row)) - {"several", "none", "least", "most", "unknown"}
    lines = file.read_text(encoding="utf-8").splitlines()
    for line in lines:
        for found in json.loads(line)["sentences"].values():
            assert set(found) == of_each
            assert set(found["gold_range"]) == {"least", "most", "unknown"}
    summary = content["metrics"][0]["sentences"]
    (row,) = re.findall(r"^\| `sentences` (.*)$", section("`score --format json`"), re.MULTILINE)
    worst, totals = summary["worst"], summary["totals"]
    assert {*summary, *totals, "id", "sentence"} == set(re.findall(r"`(\w+)`", row))
    assert all(set(one) == of_each | {"id", "sentence"} for one in worst)


def test_the_page_names_the_keys_of_a_breakdown() -> None:
    section_of_score = section("`score --format json`")
    words = {}
    for key in ("breakdown", "range"):
        (row,) = re.findall(rf"^\| `{key}` (.*)$", section_of_score, re.MULTILINE)
        words[key] = set(re.findall(r"`(\w+)`", row))
    for part in run("score", *PAPER, "--breakdown", "--format", "json")["breakdown"].values():
        assert set(part) == words["breakdown"]
        assert set(part["range"]) == words["range"]


def test_the_page_names_the_keys_of_mappings() -> None:
    content = run("mappings", *PAPER, "--format", "json")
    text = section("`mappings --format json`")
    of_pairs = (
        keys_of_rows(section("`score --per-pair FILE`"))
        - OF_DOCUMENTS
        - OF_SENTENCES
        - OF_TEXTS
        - OF_SOLVERS
    )
    assert set(content) == keys_of_rows(text) | of_pairs - OF_SUBSCORES - OF_SOME_METRICS - {
        "framework"
    }
    (row,) = re.findall(r"^\| `best_mappings` (.*)$", text, re.MULTILINE)
    assert set(content["best_mappings"]) | {"mapping"} == set(re.findall(r"`(\w+)`", row))
    assert content["best_mappings"]["mappings"][0] == content["mapping"]


def test_the_page_names_the_keys_of_choose(tmp_path: Path) -> None:
    keys = keys_of_rows(section("`choose`").partition("| `stages`")[0])
    keys |= {"stages", "unreadable", "faults"}
    items = tmp_path / "items"
    words = ["--consensus", str(tmp_path / "agreed"), "--per-item", str(items)]
    assert CliRunner().invoke(main, ["choose", *PAPER, *words]).exit_code == 0
    line = json.loads(items.read_text(encoding="utf-8"))
    assert set(line) == keys
    (row,) = re.findall(r"^\| `stages` (.*)$", section("`choose`"), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", row)) == set(line["stages"])


def test_the_page_names_the_keys_of_adjudicate(tmp_path: Path) -> None:
    pages, work = str(tmp_path / "pages"), str(tmp_path / "work.json")
    found = run("adjudicate", *PAPER, "-o", pages, *JSON)
    content = {"schema": 1, "batch": found["batch"], "entries": []}
    Path(work).write_text(json.dumps(content), encoding="utf-8")
    merged = run("adjudicate", "--merge", work, "-o", str(tmp_path / "all.json"), *JSON)
    collected = run("adjudicate", "--collect", pages, work, "-o", str(tmp_path / "gold.amr"), *JSON)
    rows = re.findall(r"^\| (?:pages|`--\w+`) (.*)$", section("`adjudicate --format json`"), re.M)
    for content, row in zip((found, merged, collected), rows, strict=True):
        assert content.keys() - {"schema"} <= set(re.findall(r"`(\w+)`", row))
    assert collected["items"][0].keys() <= set(re.findall(r"`(\w+)`", rows[2]))


def test_the_page_names_the_keys_of_verify(tmp_path: Path) -> None:
    file = tmp_path / "proofs.jsonl"
    run("score", *PAPER, "--format", "json", "--certificates", str(file))
    found = set(run("verify", str(file), *PAPER, "--format", "json"))
    of_file, of_folder = section("`verify --format json`").split("\nFor [a folder]")
    assert found == keys_of_rows(of_file)
    folder = tmp_path / "proofs"
    written = run("compare", PAPER[0], "--gold", PAPER[1], "--certificates", str(folder), *JSON)
    assert written.keys() >= {"sentence", "verify", "manifest"}
    graphs = str(Path(PAPER[0]).parent)
    assert set(run("verify", str(folder), "--graphs", graphs, *JSON)) == keys_of_rows(of_folder)
    with_claim = re.sub(r'"matched": \d+', '"matched": 1', (folder / MANIFEST).read_text("utf-8"))
    (folder / MANIFEST).write_text(with_claim, encoding="utf-8")
    refuted = CliRunner().invoke(main, ["verify", str(folder), "--graphs", graphs, *JSON])
    (finding,) = json.loads(refuted.stdout)["findings"]
    (row,) = re.findall(r"^\| `findings` (.*)$", of_folder, re.MULTILINE)
    assert set(finding) == set(re.findall(r"`(\w+)`", row))
    certificates = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
    format_section = certificates.partition("## The format")[2].partition("\n## ")[0]
    assert set(json.loads(file.read_text(encoding="utf-8"))) == keys_of_rows(format_section)


def test_the_page_names_the_keys_of_check(tmp_path: Path) -> None:
    file = tmp_path / "x.amr"
    file.write_text("(a / b :foo 1)\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["check", str(file), "--format", "json"])
    content = json.loads(result.stdout)
    text = section("`check --format json`")
    assert set(content) == keys_of_rows(text)
    (row,) = re.findall(r"^\| `files` (.*)$", text, re.MULTILINE)
    (found,) = content["files"]
    assert {*found, *found["faults"][0], "validity"} == {*re.findall(r"`(\w+)`", row)}
    (row,) = re.findall(r"^\| `validity` (.*)$", section("`score --format json`"), re.MULTILINE)
    validity = run("score", *PAPER, "--check", "--format", "json")["validity"]
    assert set(validity) | set(validity["gold"]) <= set(re.findall(r"`(\w+)`", row))


def test_the_page_names_the_keys_of_exports() -> None:
    assert set(run("export", *PAPER, "--to", "json")) == keys_of_rows(section("`export --to json`"))
    named = set(re.findall(r"`(\w+)`", section("`export --to triples`")))
    assert set(run("export", *PAPER, "--to", "triples")) == named


def claims(folder: Path) -> list[str]:
    pair = {"id": "paper.1", "matched": 6, "system_triples": 6, "gold_triples": 7}
    file = folder / "claims.json"
    file.write_text(json.dumps({"pairs": [pair]}), encoding="utf-8")
    return ["search-error", *PAPER, "--scores", str(file), "--from", "smatchpp"]


def correlations(folder: Path) -> list[str]:
    file = folder / "human.txt"
    file.write_text("".join(f"{k}\n" for k in range(24)), encoding="utf-8")
    return ["correlate", *AGREEMENT, "--human", str(file)]


def explanation(folder: Path) -> list[str]:
    return ["explain", *PAPER, "--between", "default", "paper-2013", *claims(folder)[-4:]]


#: Tables with a column for each file, group or range of degrees, of which no key can be named.
BY_NAME = (
    "layer_f1",
    "micro_f1",
    "macro_f1",
    "scores",
    "groups",
    "bias",
    "differences",
    "rankings",
)

STUDIES: dict[str, Callable[[Path], list[str]]] = {
    "agreement": lambda _: ["iaa", *AGREEMENT[:2], "--consensus", AGREEMENT[2]],
    "ranking": lambda _: ["compare", *AGREEMENT[:2], "--gold", AGREEMENT[2]],
    "search-error": lambda _: [
        "search-error",
        *AGREEMENT,
        "--method",
        "r",
        "--seeds",
        "1",
        "--group-by",
        SESSIONS,
    ],
    "claims": claims,
    "explanation": explanation,
    "principles": lambda _: ["principles", *PAPER, "--seeds", "1"],
    "correlation": correlations,
}


@pytest.mark.slow
@pytest.mark.parametrize("study", by_day(STUDIES, 2))
def test_the_page_names_the_keys_of_reports(study: str, tmp_path: Path) -> None:
    check_report(study, run(*STUDIES[study](tmp_path), "--format", "json"))


def test_the_page_names_the_keys_of_layers() -> None:
    content = run("iaa", UMR[0], UMR[1], UMR[0], "--resamples", "10", "--format", "json")
    check_report("agreement", content)
    assert {"layer_f1", "layers", "layer_alpha", "values", "unsaid"} <= content["tables"].keys()


def check_report(study: str, content: Any) -> None:
    head, further = (
        section("Reports").partition("\nA key that ends")[0].split("\nIf scores can be certified")
    )
    assert keys_of_rows(further) == {"sentence", "verify", "manifest"}
    has_sentence = study in ("agreement", "ranking", "search-error")
    assert set(content) == keys_of_rows(head) | ({"sentence"} if has_sentence else set())
    assert content["study"] == study
    said = {table: keys for of, table, keys in tables() if of == study}
    assert content["tables"].keys() <= said.keys()
    for table, rows in content["tables"].items():
        assert rows, table
        if table not in BY_NAME:
            assert set(rows[0]) == said[table], table


def test_the_page_names_the_keys_of_differences() -> None:
    said = {of: keys for of, table, keys in tables() if table == "differences"}
    content = run(*STUDIES["ranking"](Path()), "--format", "json")
    values = {"yes", "no", "null"}
    assert set(content["tables"]["differences"][0]) == said["agreement"] - values


def test_the_page_names_the_keys_of_solvers(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    words = ("score", *PAPER, "--format", "json", "--per-pair", str(file))
    plain, asked = run(*words), run(*words, "--solver", "brute")
    pair = json.loads(file.read_text(encoding="utf-8"))
    assert {*asked} - {*plain} | {*pair} & {"given", "own"} == OF_SOLVERS
    assert (
        keys_of_rows(section("`score --format json`"))
        | keys_of_rows(section("`score --per-pair FILE`"))
        >= OF_SOLVERS
    )
