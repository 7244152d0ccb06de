"""What the page in a browser calls: commands, whose pairs several workers of it may share."""

import io
import json
import pickle
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from typing import Any

from exactmatch.cli import main
from exactmatch.runtime.shares import AllShares, Share, ShareIsDone, Tell
from exactmatch.runtime.workers import RemoteWorkers


def share(words: Sequence[str], number: int, of: int, tell: Tell) -> bytes:
    """Work off a share of a command's pairs; return the answers, for `answered`."""
    workers = Share(number, of, tell)
    with suppress(ShareIsDone):
        _run(words, workers)
    return pickle.dumps(workers.answers)


def answered(words: Sequence[str], shares: Sequence[bytes]) -> str:
    """Run a command with the answers of all *shares*; return what comes of it, as JSON."""
    return json.dumps(_run(words, AllShares([pickle.loads(one) for one in shares])))


def _run(words: Sequence[str], workers: RemoteWorkers) -> dict[str, Any]:
    """Return the exit status of a command, what it prints, and what it says beside that."""
    printed, said, status = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(printed), redirect_stderr(said):
        try:
            main([*words], prog_name="exactmatch", obj=workers)
        except SystemExit as leaving:
            status = leaving.code if isinstance(leaving.code, int) else 1
    return {"status": status, "printed": printed.getvalue(), "said": said.getvalue()}
