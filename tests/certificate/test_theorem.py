"""The theorem of a pair: its text, and Coq's verdict."""

import random
import re
import textwrap
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from certificate_samples import CERTIFICATE, PAIR
from changed_certificates import change, change_pair
from coq_program import Proven
from nightly import day_share
from random_certificates import sample
from theorem_files import Expected, coqc, one_file

from exactmatch.certificate import checker
from exactmatch.certificate.coq_theorem import theorem

SIDES = ("test", "gold")
TEXTS = [
    "",
    "want-01",
    'say "no"',
    '"',
    "a\nb",
    "\0",
    "(* none *)",
    "*)",
    "\\n",
    "é",
    "e\u0301",
    "\u202ereversed",
    "\ud800",
    "\ud83d\ude00",
    "\U0001f600",
    "吃-01",
    "\u00a0",
    "\x7f\x80",
    '"' * 1001,
    " ",
]


def with_labels(texts: list[str]) -> Any:
    """Return a pair that has a triple for each text."""
    graph = {"variables": ["v"], "triples": [[["is", text], ["v"]] for text in texts]}
    return {**PAIR, "test": graph, "gold": graph}


def certified(pair: Any, **claims: Any) -> Any:
    return {**CERTIFICATE, "digest": checker.digest(pair), "id": pair["id"], **claims}


def written(text: str) -> str:
    """Return a text as a Coq expression."""
    found = re.search(r'^ {4}\(\["is"; (.*)\], +\["v"\]\)\];$', theorem(*about([text])), re.M)
    assert found
    return found[1]


def about(texts: list[str]) -> tuple[Any, Any]:
    pair = with_labels(texts)
    return pair, certified(pair, mapping=[0], value=len(texts), upper=len(texts))


def read(expression: str) -> bytes:
    """Return the bytes that a Coq expression stands for."""
    assert expression.isprintable()
    if expression.startswith("("):
        expression = expression.removeprefix("(").removesuffix(")%string")
    found, pieces = b"", re.compile(r'"((?:[^"]|"")*)"|bytes \[([0-9; ]*)\]%N| \+\+ ')
    while expression:
        piece = pieces.match(expression)
        assert piece, expression
        expression = expression[piece.end() :]
        found += (piece[1] or "").replace('""', '"').encode()
        found += bytes(map(int, (piece[2] or "").split("; "))) if piece[2] else b""
    return found


def test_the_theorem_of_an_example_is_as_people_have_read_it(
    golden: Callable[[str, str], None],
) -> None:
    text = theorem(PAIR, CERTIFICATE)
    golden("theorem.v", text)
    assert theorem(PAIR, CERTIFICATE) == text


def test_texts_stay_what_they_are() -> None:
    rng = random.Random("texts")
    anything = 'aé"\0\n(*)\ud800\U0001f600吃\u200d\u0301 '
    more = ["".join(rng.choices(anything, k=rng.randrange(9))) for _ in range(300)]
    for text in TEXTS + more:
        assert read(written(text)) == text.encode("utf-8", "surrogatepass")


def test_texts_are_shown() -> None:
    assert written("want-01") == '"want-01"'
    assert written('say "no"') == '"say ""no"""'
    assert written("吃-01 é") == '"吃-01 é"'
    assert written("a\nb") == '("a" ++ bytes [10]%N ++ "b")%string'
    assert written("\0") == "(bytes [0]%N)%string"


@pytest.mark.parametrize("place", ["id", "profile"])
def test_nothing_gets_out_of_a_comment(place: str) -> None:
    text = 'a*) Axiom wrong : False. (* " \n \\'
    pair = {**PAIR, place: text}
    head, *_ = theorem(pair, CERTIFICATE).partition("From Coq")
    assert head.count("(*") == head.count("*)") == 1
    assert '"a\\u{2a}) Axiom wrong : False. (\\u{2a} "" \\u{a} \\u{5c}"' in head


@pytest.mark.parametrize(
    "triple", [[["is", None], ["a"]], ["is", ["a"]], [["is"], "a"], [["is", 1], ["a"]]]
)
def test_a_label_that_is_no_text_is_an_error(triple: Any) -> None:
    test = {"variables": ["a"], "triples": [triple]}
    with pytest.raises(ValueError, match="not a"):
        theorem({**PAIR, "test": test}, CERTIFICATE)


def test_a_theorem_may_state_an_interval() -> None:
    text = theorem(PAIR, {**CERTIFICATE, "upper": 4})
    assert "one mapping scores 3, and no mapping scores more than 4." in text
    assert (
        "  score both the_mapping = 3 /\\\n  forall M, valid both M -> score both M <= 4.\n" in text
    )


def test_deep_proofs_become_definitions() -> None:
    proof: Any = {"denominator": 2}
    for _ in range(900):
        proof = {"pair": [0, 1], "with": {"denominator": 1}, "without": proof}
    text = theorem(PAIR, {**CERTIFICATE, "proof": proof})
    assert text.count("\nDefinition proof_") == 1801


# In Coq


def prints(proven: Proven, folder: Path, text: str) -> str:
    """Return Coq's output while it compiles *text* without an error."""
    file = folder / "file.v"
    file.write_text(text, encoding="utf-8")
    return coqc(proven.program.parent, file)


def changed(rng: random.Random) -> tuple[Any, Any]:
    """Return a pair and a certificate of the pair; in most cases, one of them is changed."""
    pair, certificate = sample(rng)
    if rng.random() < 0.2:
        change_pair(rng, pair)
    if rng.random() < 0.6:
        change(rng, pair, certificate)
    claims = {k: certificate[k] for k in ("mapping", "value", "upper", "proof")}
    return pair, certified(pair, schema=2, **claims)


def verdict(pair: Any, certificate: Any) -> str:
    """Return the verdict of `checker`, or "unproven" where no theorem can be stated."""
    n, m = (len(pair[side]["variables"]) for side in SIDES)
    mapping = certificate["mapping"]
    if certificate["proof"] == "none" or len(mapping) != n or not {*mapping} <= {None, *range(m)}:
        return checker.UNPROVEN
    try:
        return checker.check(pair, certificate)
    except checker.Refused:
        return checker.REFUTED
    except checker.MALFORMED:
        return checker.UNPROVEN


@pytest.mark.coq
def test_coq_proves_what_is_so_and_nothing_else(proven: Proven, tmp_path: Path) -> None:
    rng = random.Random("theorems")
    theorems, verdicts = [], Counter[str]()
    for pair, certificate in (changed(rng) for _ in range(day_share(160))):
        found = verdict(pair, certificate)
        verdicts[found] += 1
        if found != checker.UNPROVEN:
            theorems.append(Expected(theorem(pair, certificate), found != checker.REFUTED))
    assert verdicts["verified"] > day_share(30)
    assert min(verdicts["bounded"], verdicts["refuted"]) >= day_share(10)
    prints(proven, tmp_path, one_file(theorems))


@pytest.mark.nightly
@pytest.mark.coq
def test_coq_reads_every_text_as_it_is_and_long_lists(
    proven: Proven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = ["; ".join(map(str, text.encode("utf-8", "surrogatepass"))) for text in TEXTS]
    same = [
        f"Check eq_refl : list_ascii_of_string {written(text)} = map ascii_of_N [{number}]%N.\n"
        for text, number in zip(TEXTS, numbers, strict=True)
    ]
    theorems = [theorem(*about(TEXTS)), *long_lists(monkeypatch)]
    stated = one_file(Expected(text, True) for text in theorems)
    prints(proven, tmp_path, f"{stated}From Coq Require Import Ascii.\n{''.join(same)}")


def long_lists(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return theorems with a list that is too long for two brackets, and with many such lists."""
    shares = {str(k): [0] for k in range(10, 4100)}
    long = theorem(PAIR, {**CERTIFICATE, "proof": {"denominator": 2, "shares": shares}})
    assert long.count(" ++ ") == 1
    monkeypatch.setattr("exactmatch.certificate.coq_theorem._MOST", 1)
    pair: Any = PAIR
    keyed = {s: {**pair[s], "keys": [["k"], ["k"], ["l"]][: 2 + (s == "gold")]} for s in SIDES}
    pair = {**pair, **keyed, "similar": [[["ARG0"], ["ARG1"], 1], [["is", "boy"], ["no"], 2]]}
    many = theorem(pair, certified(pair))
    assert many.count(" ++ ") == 1 + 2 + 1 + 2 + 4 + 2 + 1 + 1
    return [long, many]


class Compiled(NamedTuple):
    """A folder with a theorem that Coq has compiled, `so.v`, and the output of Coq."""

    folder: Path
    printed: str


@pytest.fixture(scope="module")
def compiled(proven: Proven, tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    said = 'a*) Axiom wrong : False. (* " \n \\ '
    pair = {**PAIR, "id": said, "profile": said}
    text = theorem(pair, {**CERTIFICATE, "proof": {"counts": {"prices": {"0": 0}}}, "upper": 4})
    folder = tmp_path_factory.mktemp("theorem")
    return Compiled(folder, compile_in(folder, "so", text, proven))


def compile_in(folder: Path, name: str, text: str, proven: Proven) -> str:
    """Compile a theorem, or questions, and return what is printed."""
    file = folder / f"{name}.v"
    file.write_text(text, encoding="utf-8")
    return coqc(proven.program.parent, file, folder)


@pytest.mark.coq
def test_nothing_is_assumed(compiled: Compiled) -> None:
    assert compiled.printed == "Closed under the global context\n"


@pytest.mark.nightly
@pytest.mark.coq
@pytest.mark.checkout
def test_what_is_admitted_compiles_and_a_question_tells(proven: Proven, compiled: Compiled) -> None:
    head, _ = (
        theorem(PAIR, CERTIFICATE)
        .replace("= 3 /\\", "= 4 /\\")
        .replace("<= 3.", "<= 4.")
        .split("Proof.")
    )
    feigned = 'Goal True. idtac "Closed under the global context". Abort.\n'
    text = f"{head}Admitted.\n{feigned}"
    printed = compile_in(compiled.folder, "feigned", text, proven)
    assert printed == "Closed under the global context\n"  # of what is admitted, nothing is said
    # One start answers both; each theorem is asked about as in docs/trust.md.
    both = f'{question("so")}Goal True. idtac "next". Abort.\n{question("feigned")}'
    answers = compile_in(compiled.folder, "ask", both, proven)
    of_so, of_feigned = answers.split("next\n")
    assert of_so.endswith("proven : claim\n     : claim\nClosed under the global context\n")
    assert of_feigned.endswith("proven : claim\n     : claim\nAxioms:\nproven : claim\n")


def question(name: str) -> str:
    """Return the question of docs/trust.md about the theorem in a file."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "trust.md").read_text(encoding="utf-8")
    (asked,) = re.findall(r"write `ask\.v`:\n\n((?: {4}.*\n)+)", page)
    return textwrap.dedent(asked).replace("pair_1", name)
