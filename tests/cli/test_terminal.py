"""No text from graphs, files or command lines controls a terminal, in any command."""

import csv
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.shell_completion import CompletionItem
from click.testing import CliRunner
from command_files import with_graphs
from nightly import by_day
from rich.cells import cell_len

import exactmatch
from exactmatch.cli import COMMANDS, main
from exactmatch.cli.answers import print_answer
from exactmatch.cli.progress_bar import Advance
from exactmatch.cli.progress_bar import progress as silent
from exactmatch.graphs.graph import Variable
from exactmatch.runtime.harmless import harmless
from exactmatch.runtime.output import append_text, write_text, writing
from exactmatch.scoring.options import Target

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")

#: A link to somewhere else, blinking red, a cleared screen, a reset terminal; some of it again with
#: C1; a direction of writing turned round, a bell and a deletion.
HOSTILE = "\x1b]8;;evil\x1b\\\x1b[5;41m\x1b[2J\x1bc\x9b5;41m\x9d0;evil\x9c\u202e\x07\x7f"
#: As long, and nothing but letters.
LETTERS = re.sub(r"[^a-z]", "x", HOSTILE)
#: What is seen of the first where it was written out, or replaced.
_WRITTEN_OUT = re.compile(r"\\x1b\]8|\\u001b\]8|\ufffd\]8")
#: A sequence that steers, or a character that does so alone.
_STEERS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.?"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]",
    re.DOTALL,
)
#: What bars of progress write; how much of it is the clock's to say.
_BAR = re.compile(r"\r|\x1b\[(\?25[lh]|2K|1A|0m|[39][0-7]m|38;5;\d+m)")

#: Command -> what is called; {x} stands for the text.
CASES = {
    "score": [
        "score {x}.a {x}.b --worst 3 --check",
        "score {x}.a {x}.b --ids {x}.ids",
        "score {x}.a {x}.b --aspects {x}.toml",
        "score {x}.a {x}.b --worst 3 --format json",
        "score {x}.bad {x}.b --on-error skip",
        "score {x}.bad {x}.b",
        "score {x}.mrp {x}.mrp --worst 1",
        "score {x}.none {x}.b",
        "score {x}.a {x}.b -o {x}.none/{x}",
        "score {x}.a {x}.b --ids {x}.none",
        "score {x}.a {x}.b --aspects {x}.bad",
        "score {x}.a {x}.b --metric s2match --vectors {x}.bad",
        "score {x}.a {x}.b --metric {x}",
        "score {x}.a {x}.b --where {x}",
        "score {x}.a {x}.b --timeout {x}",
        "score {x}.a {x}.b {x}",
        "score {x}.a {x}.b --{x}",
    ],
    "iaa": [
        "iaa {x}.a {x}.b {x}.c --resamples 10",
        "iaa {x}.a {x}.b --resamples 10 --format csv",
        "iaa {x}.a {x}.b --resamples 10 --format markdown",
        "iaa {x}.a {x}.b --resamples 10 --format latex",
        "iaa {x}.a {x}.b --resamples 10 --format html",
        "iaa {x}.a {x}.bad --resamples 10 --on-error skip",
        "iaa {x}.a {x}.b --table {x}",
    ],
    "compare": [
        "compare {x}.a {x}.b --gold {x}.c --resamples 10",
        "compare {x}.a {x}.b --gold {x}.bad",
    ],
    "adjudicate": [
        "adjudicate {x}.a {x}.b -o {x}.pages --format json",
        "adjudicate {x}.a {x}.bad -o {x}.pages",
        "adjudicate --merge {x}.a {x}.b -o {x}.work",
        "adjudicate --collect {x} {x}.a -o {x}.gold",
    ],
    "web": ["web -o {x}.a", "web -o {x}.page --runtime {x}.none"],
    "choose": ["choose {x}.a {x}.b {x}.c", "choose {x}.a {x}.bad {x}.c", "choose {x}.none"],
    "matrix": ["matrix {x}.a", "matrix {x}.a {x}.bad", "matrix {x}.a -o {x}.none"],
    "nearest": ["nearest {x}.a {x}.b --top 1", "nearest {x}.bad {x}.b --on-error skip"],
    "show": [
        "show {x}.a {x}.b -o {x}.html",
        "show {x}.a {x}.b -o {x}.html --id {x}",
        "show {x}.bad {x}.b -o {x}.html --on-error skip",
    ],
    "mappings": [
        "mappings {x}.a {x}.b --id p1{x}",
        "mappings {x}.a {x}.b --id p1{x} --format json",
        "mappings {x}.a {x}.b --id {x}",
    ],
    "ngrams": [
        "ngrams {x}.a {x}.b --id p1{x}",
        "ngrams {x}.a {x}.b --id p1{x} --format json",
        "ngrams {x}.a {x}.b --id p1{x} --format dot",
        "ngrams {x}.a {x}.b --id {x}",
    ],
    "diff": [
        "diff {x}.a {x}.b",
        "diff {x}.a {x}.b --color always --width 120",
        "diff {x}.a {x}.b --color never",
        "diff {x}.mrp {x}.mrp --id m --color always",
        "diff {x}.a {x}.b --ids {x}.ids",
        "diff {x}.a {x}.b --color {x}",
    ],
    "search-error": [
        "search-error {x}.a {x}.b --seeds 1",
        "search-error {x}.a {x}.b --scores {x}.bad --from smatch",
    ],
    "explain": [
        "explain {x}.a {x}.b --between default default:top=none",
        "explain {x}.a {x}.b --between default {x}",
    ],
    "principles": [
        "principles {x}.a {x}.b --seeds 1 --metric smatch",
        "principles {x}.a {x}.b --metric {x}",
    ],
    "correlate": [
        "correlate {x}.a {x}.b {x}.c --metrics smatch,sembleu --human {x}.ratings",
        "correlate {x}.a {x}.b {x}.c --metrics smatch,sembleu --human {x}.bad",
    ],
    "check": [
        "check {x}.a {x}.bad",
        "check {x}.mrp {x}.none",
        "check {x}.a --only {x}",
    ],
    "verify": [
        "verify {x}.proofs {x}.a {x}.b",
        "verify {x}.proofs {x}.a {x}.c",
        "verify {x}.bad {x}.a {x}.b",
    ],
    "smatch": ["smatch -f {x}.a {x}.b -v --vv", "smatch -f {x}.bad {x}.b"],
    "export": [
        *(
            f"export {{x}}.a {{x}}.b --id p1{{x}} --to {target}"
            for target in ("lp", "wcnf", "opb", "mps", "cpsat-proto", "json", "triples")
        ),
        "export {x}.a {x}.c --to veripb --certificates {x}.proofs -o {x}.folder",
        "export {x}.a {x}.b --id {x} --to lp",
    ],
    "import-solution": [
        "import-solution {x}.answer {x}.a {x}.b --id p1{x}",
        "import-solution {x}.bad {x}.a {x}.b --id p1{x}",
    ],
    "completion": ["completion bash", "completion {x}"],
}
#: Other commands are run on graphs that can be read, and on others.
CASES |= {
    name: [
        " ".join(with_graphs(name, {}, first, "{x}.b", "{x}.c")) for first in ("{x}.a", "{x}.bad")
    ]
    for name in COMMANDS
    if name not in CASES
}


def graph(number: int, label: str, text: str) -> str:
    return (
        f"# ::id p{number}{text}\n# ::snt sentence{text}\n# ::{text} {text}\n"
        f'(g{text} / {label}{text} :ARG0{text} (b / boy) :op1 "x{text}" :polarity {text})\n'
    )


def write_files(text: str) -> None:
    """Write the files of the cases, with *text* wherever a text can stand."""
    labels = {"a": ("go", "come"), "b": ("go", "came"), "c": ("goes", "came")}
    for name, (first, second) in labels.items():
        graphs = [graph(1, first, text), graph(2, second, text)]
        Path(f"{text}.{name}").write_text("\n".join(graphs), encoding="utf-8")
    node = {"id": 0, "label": text, "properties": [text], "values": [text]}
    mrp = {"id": "m", "framework": "eds", "input": text, "tops": [0], "nodes": [node]}
    contents = {
        "mrp": json.dumps(mrp),
        "bad": f"# ::id p1{text}\n(a / {text}))\n\n{graph(2, 'go', text)}",
        "ids": f"p1{text}\nnone{text}\n",
        "toml": f"[aspects.ours]\ntitle = {json.dumps(text)}\nroles = ['ARG0']\n",
        "ratings": f"{text}\t{text}\np1{text}\t1\np2{text}\t2\n",
        "answer": '{"mapping": [[0, 0]]}',
    }
    for ending, content in contents.items():
        Path(f"{text}.{ending}").write_text(content, encoding="utf-8")
    exactmatch.score(Path(f"{text}.a"), Path(f"{text}.b"), certificates=Path(f"{text}.proofs"))


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("terminal"))
    for text in (HOSTILE, LETTERS):
        write_files(text)
    yield
    os.chdir(before)


@contextmanager
def terminal() -> Iterator[tuple[int, list[bytes]]]:
    """Yield a terminal to write to, and the list that receives its output."""
    import tty

    outer, inner = os.openpty()
    tty.setraw(inner)
    found: list[bytes] = []

    def read() -> None:
        try:
            while data := os.read(outer, 1 << 16):
                found.append(data)
        except OSError:  # how a terminal ends on Linux
            pass

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        yield inner, found
    finally:
        os.close(inner)
        reader.join(60)
        os.close(outer)


def called(words: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[object, str]:
    """Run a command in this process, on a terminal; return its status and its output."""
    with terminal() as (inner, found), monkeypatch.context() as patch:
        status: object = None
        with (
            os.fdopen(os.dup(inner), "w", encoding="utf-8") as out,
            os.fdopen(os.dup(inner), "w", encoding="utf-8") as err,
        ):
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            try:
                main(words, prog_name="exactmatch")
            except SystemExit as leaving:
                status = leaving.code
    return status, b"".join(found).decode("utf-8")


def started(*words: str) -> tuple[object, str]:
    """Run Python on a terminal; return its status and its output."""
    with terminal() as (inner, found):
        run = subprocess.run(
            [sys.executable, *words], stdin=subprocess.DEVNULL, stdout=inner, stderr=inner
        )
    return run.returncode, b"".join(found).decode("utf-8")


def steering(seen: str) -> set[str]:
    return {sequence for sequence in _STEERS.findall(seen) if not _BAR.fullmatch(sequence)}


def check_written_out(seen: str) -> None:
    assert steering(seen) == set()
    assert _WRITTEN_OUT.search(seen)


def run(case: str, text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[object, str]:
    words = case.replace("{x}", text).split(" ")
    if words[0] == "smatch":  # the drop-in takes standard error as it is when it is imported
        return started("-m", "exactmatch", *words)
    return called(words, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("command", by_day(CASES, 6))
def test_no_command_lets_a_text_steer_the_terminal(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every control character of the output is also there with harmless text."""
    shown = ""
    for case in CASES[command]:
        status, seen = run(case, HOSTILE, monkeypatch)
        other_status, with_letters = run(case, LETTERS, monkeypatch)
        assert status == other_status, (case, seen, with_letters)
        assert steering(seen) <= steering(with_letters), (case, seen)
        shown += seen
    assert _WRITTEN_OUT.search(shown)


def test_colours_and_bars_still_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    words = f"diff {LETTERS}.a {LETTERS}.b".split()
    assert "\x1b[1;4;35m{" not in called(words, monkeypatch)[1]
    coloured = called([*words, "--color", "always"], monkeypatch)[1]
    assert {"\x1b[0m", "\x1b[1m"} < steering(coloured) | {"\x1b[0m"}
    assert "\x1b[?25l" in called(["check", f"{LETTERS}.a"], monkeypatch)[1]


def test_names_of_files_are_no_markup_of_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "[red]{task}"
    Path(name).write_text("(a / b)\n", encoding="utf-8")
    status, seen = called(["check", name], monkeypatch)
    assert (status, f"checking {name} " in seen) == (0, True)


def test_messages_stand_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = graph(1, "go", "one"), graph(2, f"go{HOSTILE}", "one")
    Path("both.amr").write_text(f"{first}\n{second}", encoding="utf-8")
    Path("one.amr").write_text(second, encoding="utf-8")
    status, seen = called(["score", "one.amr", "both.amr", "--pair-by", "id"], monkeypatch)
    before, note, _ = seen.partition("note: one.amr: no graph p1one\n")
    assert (status, bool(note)) == (1, True)
    assert before.endswith("\x1b[2K"), "what the bar shows is cleared before the note"
    assert steering(seen) == set()


def test_what_a_shell_completes_steers_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_EXACTMATCH_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", f"exactmatch check {LETTERS}")
    monkeypatch.setenv("COMP_CWORD", "2")
    monkeypatch.setattr(
        "click.Path.shell_complete", lambda *_: [CompletionItem(HOSTILE, help=HOSTILE)]
    )
    seen = called([], monkeypatch)[1]
    assert seen.startswith("plain\n\\x1b]8;;")
    check_written_out(seen)
    monkeypatch.undo()
    monkeypatch.setenv("_EXACTMATCH_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", "exactmatch sco")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert called([], monkeypatch)[1].startswith("plain\nscore\n")


def test_a_traceback_steers_no_terminal() -> None:
    code = "import sys, exactmatch.api.check as asked; from exactmatch.__main__ import run\n"
    code += f"def broken(*_, **__): raise RuntimeError({HOSTILE!a})\n"
    code += "asked.check = broken; sys.argv = ['exactmatch', 'check', 'x']; run()"
    status, seen = started("-c", code)
    assert status == 1 and "RuntimeError: \\x1b]8;;" in seen
    assert steering(seen) == set()


def test_a_worker_process_steers_no_terminal() -> None:
    code = "from exactmatch.runtime.processes import in_order;"
    code += f"[*in_order(print, [{HOSTILE!a}] * 4, 2)]"
    status, seen = started("-c", code)
    assert (status, seen.count("\\x1b]8;;")) == (0, 4)
    assert steering(seen) == set()


def test_the_drop_in_for_smatch_steers_no_terminal() -> None:
    amr = f"(a / b{HOSTILE})"
    code = "from exactmatch.compat import smatch; smatch.verbose = True;"
    code += f"smatch.get_amr_match({amr!a}, {amr!a})"
    status, seen = started("-c", code)
    assert status == 0 and "(one-line): (a / b\\x1b]8;;" in seen
    assert steering(seen) == set()


def test_an_encoding_that_click_distrusts_changes_nothing() -> None:
    """For ASCII, click would make a stream of its own from the bytes of standard error."""
    code = "import sys; sys.stdout.reconfigure(encoding='ascii');"
    code += "sys.stderr.reconfigure(encoding='ascii'); from exactmatch.__main__ import run;"
    code += f"sys.argv = ['exactmatch', 'check', {HOSTILE + '.a'!a}, {HOSTILE + '.none'!a}]; run()"
    assert steering(started("-c", code)[1]) == set()


def test_a_file_that_is_a_terminal_is_one() -> None:
    with terminal() as (inner, found):
        write_text(Path(os.ttyname(inner)), f"{HOSTILE}\n")
        with writing(Path(os.ttyname(inner))) as file:
            append_text(file, f"{HOSTILE}\n".encode())
    seen = b"".join(found).decode("utf-8")
    assert (steering(seen), seen.count("\\x1b]8;;")) == (set(), 2)


def stdout(*words: str) -> str:
    return CliRunner().invoke(main, words, catch_exceptions=False).stdout


def test_texts_for_people_are_the_same_in_a_pipe_and_in_a_file() -> None:
    """The texts are as a terminal could show them, and letters stay unchanged."""
    options = ("--resamples", "10", "--long-signature", "--format")
    words = ("iaa", f"{HOSTILE}.a", f"{HOSTILE}.b", *options)
    for kind in ("text", "markdown", "latex", "html", "json"):
        printed = stdout(*words, kind)
        check_written_out(printed)
        stdout(*words, kind, "--output", "report")
        assert Path("report").read_text(encoding="utf-8") == printed


def test_what_is_given_to_people_is_harmless_in_a_file() -> None:
    print_answer(HOSTILE, Path("given"))
    assert Path("given").read_text(encoding="utf-8") == f"{harmless(HOSTILE)}\n"


def test_texts_that_python_functions_return_steer_no_terminal() -> None:
    """People print such reports. A text that LaTeX cannot read must not stay a LaTeX escape."""
    system, gold = (Path(f"{HOSTILE}.{side}") for side in "ab")
    study = exactmatch.agreement([system, gold], resamples=10)
    for kind in ("text", "markdown", "latex", "html"):
        check_written_out(study.report(kind))
    assert "\\textbackslash{}x1b]8" in study.report("latex", table="items")
    check_written_out(exactmatch.check(system).report())
    check_written_out(exactmatch.diff(system, gold))
    check_written_out(repr(exactmatch.score(system, gold).per_pair[0]))


def test_a_line_feed_in_a_name_begins_no_line_of_latex(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a\n\\evil", "b"):
        Path(name).write_text("(a / b)\n", encoding="utf-8")
    assert "\n\\evil" not in stdout("iaa", "a\n\\evil", "b", "--format", "latex")


def test_programs_that_read_csv_get_texts_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = ("matrix", f"{HOSTILE}.a", f"{HOSTILE}.b")
    iaa = ("iaa", *matrix[1:], "--resamples", "10", "--table", "pairs", "--format", "csv")
    for words, text in ((matrix, f"p1{HOSTILE}"), (iaa, f"{HOSTILE}.a")):
        printed = stdout(*words)
        assert text in [cell for row in csv.reader(printed.splitlines(True)) for cell in row]
        stdout(*words, "--output", "rows.csv")
        assert Path("rows.csv").read_text(encoding="utf-8") == printed
        seen = called([*words], monkeypatch)[1]
        check_written_out(seen)


def test_json_has_texts_in_its_own_escapes() -> None:
    content = json.loads(stdout("choose", f"{HOSTILE}.a", f"{HOSTILE}.b").splitlines()[0])
    assert content["id"] == f"p1{HOSTILE}"


@pytest.mark.parametrize("target", ["lp", "wcnf", "opb", "mps", "cpsat-proto"])
def test_names_in_a_model_stay_in_their_comments(target: Target) -> None:
    """This holds for files, too, and a line feed in a name begins no line of the model."""
    files = [Path(f"{HOSTILE}.{side}") for side in "ab"]
    stdout("export", *map(str, files), "--id", f"p1{HOSTILE}", "--to", target, "-o", "model")
    model = Path("model").read_text(encoding="utf-8")
    assert model == exactmatch.export(files[0], files[1], target, id=f"p1{HOSTILE}")
    check_written_out(model)
    graph = exactmatch.loads("(x / bird)")[0]
    plain, broken = (
        exactmatch.export(renamed(graph, name), "(b / bird)", target) for name in ("xny", "x\ny")
    )
    assert broken == plain.replace("xny", "x\\ny")


def renamed(graph: exactmatch.Graph, name: str) -> exactmatch.Graph:
    """Return *graph*, which has only a concept, with another name of its variable."""
    (triple,) = graph.triples
    (variable, concept) = triple.arguments
    assert isinstance(variable, Variable)
    arguments = (variable._replace(name=name), concept)
    return graph._replace(
        variables={name: ""}, tops=(name,), triples=(triple._replace(arguments=arguments),)
    )


def test_few_write_to_a_stream_by_themselves() -> None:
    """Bars, colours, and CSV for programs; everything else goes through the harmless stream."""
    package = Path(exactmatch.__file__).parent
    bare = re.compile(r"import .*\b(echo_)?bare\b|\.bare\b|__std(out|err)__|std(out|err)\.buffer")
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if bare.search(path.read_text(encoding="utf-8"))
    }
    cli = {f"cli/{name}.py" for name in ("__init__", "answers", "diff", "progress_bar")}
    assert found == {"runtime/harmless.py", *cli}


@pytest.mark.parametrize("words", ["", "--metric smatch", "--per-pair pairs.jsonl"])
def test_score_says_on_a_terminal_what_compares_with_published_scores(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["score", f"{LETTERS}.a", f"{LETTERS}.b", *words.split()]
    _, seen = called(asked, monkeypatch)
    *_, signature, hint = seen.splitlines()
    assert signature.startswith("smatch|profile:default.2|")
    assert hint == "for a score comparable to published Smatch, use --profile smatch-1.0.4"
    piped = CliRunner().invoke(main, asked)
    assert "published" not in piped.output


@pytest.mark.parametrize(
    "words",
    [
        "--profile smatch-1.0.4",
        "--top none",
        "--metric sembleu",
        "--metric smatch --metric sembleu",
        "--format json",
        "-o score.txt",
    ],
)
def test_score_says_that_of_the_usual_profile_and_for_people_alone(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, seen = called(["score", f"{LETTERS}.a", f"{LETTERS}.b", *words.split()], monkeypatch)
    assert "published" not in seen


#: What is printed for programs or shells keeps its lines on a terminal, too, as does --width.
_FOR_PROGRAMS = re.compile(
    r"--width|--format (csv|json|latex|markdown|html)|^completion|^export|^smatch"
)


def lines_at(width: int, words: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines of a command on a terminal of so many columns, without bars."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "dumb")
    seen = called(words, monkeypatch)[1]
    return re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", seen))


def check_widths(case: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = case.replace("{x}", LETTERS).split(" ")
    too_long = [line for line in lines_at(width, words, monkeypatch) if cell_len(line) > width]
    assert too_long == [], case


@pytest.mark.parametrize("command", ["score", "iaa", "check", "mappings"])
def test_text_fits_into_eighty_columns(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_widths(CASES[command][0], 80, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("width", by_day([80, 100, 160]))
@pytest.mark.parametrize("command", by_day(CASES, 4))
def test_text_fits_into_any_terminal(
    command: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in CASES[command]:
        if not _FOR_PROGRAMS.search(case):
            check_widths(case, width, monkeypatch)


@pytest.mark.parametrize("command", ["", *CASES])
def test_help_fits_into_eighty_columns(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = lines_at(80, [*command.split(), "--help"], monkeypatch)
    assert [line for line in lines if len(line) > 80] == []


def test_the_first_screen_answers_what_one_asks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which number, how sure, and what to do next, in 24 lines of 80 columns."""
    x = LETTERS
    iaa = f"iaa {x}.a {x}.b --resamples 20".split()
    first = " ".join(" ".join(lines_at(80, iaa, monkeypatch)[:24]).split())
    assert re.search(r"Smatch F1 of .* 2 of 2 pairs of graphs certified", first)
    assert "95% confidence" in first and f"Next: `exactmatch diff {x}.a {x}.b --id" in first
    compare = f"compare {x}.a {x}.b {x}.c --resamples 20".split()
    first = " ".join(" ".join(lines_at(80, compare, monkeypatch)[:24]).split())
    assert re.search(r"p [=<] ", first) and "Next: `exactmatch diff" in first
    explain = f"explain {x}.a {x}.b --between default smatch-1.0.4".split()
    first = " ".join(" ".join(lines_at(80, explain, monkeypatch)[:24]).split())
    assert "by default and" in first and "Proven: " in first and "Next: " in first
    score = " ".join(lines_at(80, f"score {x}.a {x}.b".split(), monkeypatch))
    assert "F1" in score and "proven: 2 of 2 pairs" in score and "at most" in score
    assert "Next: " not in stdout(*iaa)


def test_results_stand_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    _, seen = called(["choose", *(f"{LETTERS}.{side}" for side in "abc")], monkeypatch)
    before, *_ = seen.partition(f"p1{LETTERS}:")
    assert "choosing" in before and before.endswith("\x1b[2K")


@pytest.mark.parametrize("command", ["score", "iaa"])
def test_a_terminal_is_told_where_the_result_is(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [command, f"{LETTERS}.a", f"{LETTERS}.b", "-o", str(tmp_path / "result")]
    seen = " ".join(lines_at(300, words, monkeypatch))
    assert f"note: the result is in {tmp_path / 'result'}" in seen
    assert CliRunner().invoke(main, words).output == ""


def test_rows_for_programs_are_a_table_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = lines_at(80, ["matrix", f"{LETTERS}.a"], monkeypatch)
    assert [line.split()[:3] for line in matrix if line.startswith("system")] == [
        ["system", "gold", "F1"]
    ]
    chosen = lines_at(80, ["choose", *(f"{LETTERS}.{side}" for side in "abc")], monkeypatch)
    assert any("mean F1 " in line for line in chosen)
    assert not any(line.startswith("{") for line in chosen)


@pytest.mark.parametrize("pair_by", [None, "position"])
def test_the_next_step_pairs_graphs_as_the_study_did(
    pair_by: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default, diff refuses files with other numbers of graphs, or other identifiers."""
    graphs = ["# ::id x\n(a / b)\n", "# ::id y\n(c / d :mod (e / f))\n"]
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("\n".join(graphs), encoding="utf-8")
    changed = "\n".join(graphs[1:] if pair_by is None else graphs).replace("/ d", "/ other")
    if pair_by == "position":
        changed = changed.replace("::id ", "::id other.")
    other.write_text(changed, encoding="utf-8")
    words = [] if pair_by is None else ["--pair-by", pair_by]
    for command in ("iaa", "compare"):
        asked = [command, str(one), str(other), "--resamples", "20", *words]
        shown = " ".join(" ".join(lines_at(200, asked, monkeypatch)).split())
        found = re.search(r"Next: `exactmatch ([^`]*)`", shown)
        assert found is not None
        assert found[1].endswith(f"--pair-by {pair_by or 'id'}")
        assert "triples matched" in " ".join(lines_at(200, found[1].split(), monkeypatch))


@pytest.mark.parametrize(
    "words, told",
    by_day(
        [
            (
                "explain {0}.a {0}.b --between default paper-2013",
                ["starting", "reading", "scoring"],
            ),
            (
                "principles {0}.a {0}.b --metric smatch --seeds 1 --sample 1",
                ["starting", "reading", "judging"],
            ),
            (
                "correlate {0}.a {0}.b {0}.c --metric smatch,sembleu --plots {1}",
                ["starting", "reading", "scoring", "drawing plots"],
            ),
        ],
        2,
    ),
)
def test_studies_say_what_they_do_from_the_start(
    words: str, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []

    @contextmanager
    def progress(doing: str, total: int | None, unit: str = "") -> Iterator[Advance]:
        found.append(doing)
        with silent(doing, total, unit) as advance:
            yield advance

    monkeypatch.setattr("exactmatch.cli.studies.progress", progress)
    stdout(*words.format(LETTERS, tmp_path / "plots").split())
    assert [*dict.fromkeys(found)] == told
