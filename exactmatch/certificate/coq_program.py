"""Call the program of the checker that is proven in Coq."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from importlib.resources import files
from typing import IO, Any

from exactmatch.certificate.checker import VERDICTS, VERIFIED
from exactmatch.errors import InputError, VerificationError, WorkerError

#: The program that the script ``exactmatch/certificate/coq/build`` makes.
NAME = "exactmatch-coqcheck"

#: What is proven goes through lists by recursion, and so takes stack as they are long.
_WITH_ALL_STACK = ["/bin/sh", "-c", 'ulimit -s "$(ulimit -H -s)"; exec "$0" - -']

_NUMBERS = re.compile("  ".join(rf"{verdict}: (\d+)" for verdict in VERDICTS))
_JSON = json.JSONDecoder()


def program() -> str:
    """Return the path of the program. Raises `InputError` if there is none."""
    found = shutil.which(NAME)
    if found is None:
        script = files("exactmatch.certificate") / "coq" / "build"
        raise InputError(
            f"{NAME} is not installed: run sh {script} FOLDER to build it in FOLDER, and add "
            "FOLDER to PATH; building needs coqc, and ocamlfind with zarith"
        )
    return found


def check_all(
    pairs: Iterable[dict[str, Any]], certificates: Iterable[bytes]
) -> list[tuple[str, str, str]]:
    """Return identifier, verdict and reason, as `exactmatch.certificate.checker.check_all` does.

    Verified pairs come last, and without names. Raises `InputError` if there is no program,
    `WorkerError` if it dies, and `VerificationError` if its answer is not one verdict for each of
    *pairs*.
    """
    with subprocess.Popen(
        [*_WITH_ALL_STACK, program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            given = _hand_over(pairs, certificates, process.stdin)
            answer = process.stdout.read().decode()
        except BaseException:
            process.kill()  # its answer is no longer needed
            raise
    if process.returncode not in (0, 4):
        raise WorkerError(f"{NAME} has died: exit status {process.returncode}")
    try:
        return _findings(answer, given)
    except ValueError as error:
        raise VerificationError(f"{NAME} gave an invalid answer: {error}") from error


def _hand_over(
    pairs: Iterable[dict[str, Any]], certificates: Iterable[bytes], stream: IO[bytes]
) -> int:
    """Write the input of the program, and return the number of pairs."""
    given = 0
    with suppress(BrokenPipeError), stream:  # if it has died, its exit status tells why
        stream.writelines(certificate + b"\n" for certificate in certificates)
        stream.write(b"\n")
        for pair in pairs:
            stream.write(json.dumps(pair, separators=(",", ":")).encode("ascii") + b"\n")
            given += 1
    return given


def _findings(answer: str, given: int) -> list[tuple[str, str, str]]:
    """Return the program's verdicts on so many pairs. Raises `ValueError` for another answer."""
    *lines, last = answer.removesuffix("\n").split("\n")
    found = [_finding(text) for text in lines]
    numbers = _NUMBERS.fullmatch(last)
    if numbers is None:
        raise ValueError(f"{last!r} at the end")
    counts = dict(zip(VERDICTS, map(int, numbers.groups()), strict=True))
    told = Counter(verdict for _, verdict, _ in found)
    if Counter(counts) - Counter({VERIFIED: counts[VERIFIED]}) != told:
        raise ValueError(f"{last!r} after {dict(told)}")
    if sum(counts.values()) < given:
        raise ValueError(f"{last!r} for {given} pairs")
    return found + [("", VERIFIED, "")] * counts[VERIFIED]


def _finding(text: str) -> tuple[str, str, str]:
    """Return the verdict, the identifier and the reason of a line; the latter two are JSON."""
    verdict, rest = text.split(" ", 1)
    identifier, end = _JSON.raw_decode(rest)
    return str(identifier), verdict, str(json.loads(rest[end:].removeprefix(": ")))
