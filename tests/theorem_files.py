"""Many theorems in one file for Coq, each said to be proven or to be refused."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

HEAD = """\
From Coq Require Import ZArith String List.
From Exactmatch Require Import Statement Named Checker Certificate.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
"""
_STATEMENT = HEAD.replace(" Checker Certificate", "")
_EVIDENCE = "From Exactmatch Require Import Checker Certificate.\n"


class Expected(NamedTuple):
    """What `theorem` has written, and whether Coq is to accept it."""

    text: str
    is_proven: bool


def one_file(theorems: Iterable[Expected]) -> str:
    """Return a file that compiles if all is as expected, with a module for each theorem."""
    modules = (f"Module m{k}.\n{_body(t)}End m{k}.\n" for k, t in enumerate(theorems))
    return HEAD + "".join(modules)


def _body(expected: Expected) -> str:
    _, body = expected.text.split(_STATEMENT)
    body, _ = body.replace(_EVIDENCE, "").split("Print Assumptions")
    return body if expected.is_proven else body.replace("Qed.", "Fail Qed. Abort.")


def coqc(development: Path, file: Path, folder: Path | None = None) -> str:
    """Compile *file* and return what Coq prints; the test fails if it is not accepted.

    It may require what was compiled in *folder*.
    """
    found = ["-Q", str(folder), ""] if folder else []
    words = ["coqc", "-noglob", "-q", "-Q", str(development), "Exactmatch", *found, str(file)]
    env = os.environ | {"OCAMLRUNPARAM": "s=256k,o=5000"}  # as in the script `prove`
    run = subprocess.run(
        words, capture_output=True, text=True, encoding="utf-8", env=env, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
