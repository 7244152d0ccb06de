"""Connect to the scheduler of a Dask cluster: address, file, TLS, and a limit of time."""

import json
import os
import re
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.errors import InputError, UsageError, WorkerError
from exactmatch.stopping.deadline import Deadline
from exactmatch.stopping.interrupts import LOOK

if TYPE_CHECKING:
    from distributed import Client, Security

#: Seconds for the first answer of a scheduler.
FIRST_ANSWER = 10.0
#: Dask writes the file of a scheduler in place, so a reader tries again, seconds apart.
_TRIES = 10
_APART = 0.1
#: More bytes than the file of a scheduler has.
_LONGEST = 10_000_000
#: The keys for files of TLS, with the names of Dask's options, and the fields of `Security`.
_TLS = {
    "tls-ca-file": "tls_ca_file",
    "tls-cert": "tls_client_cert",
    "tls-key": "tls_client_key",
}


class _SchedulerPlace(NamedTuple):
    """The address of a scheduler, and its files of TLS by fields of `Security`."""

    address: str
    tls: dict[str, str]


def open_client(given: "str | os.PathLike[str]") -> "Client":
    """Connect to the scheduler at *given*: its address, or its file.

    Raises `InputError` for a file that is not a scheduler's, or a file of TLS that is not there;
    `UsageError` if TLS has no certificate; `WorkerError` if no scheduler answers in ten seconds.
    """
    name = os.fspath(given)
    shown = without_password(name) or "an empty address"
    is_file = "://" not in name and not re.search(r":\d+$", name)
    place = _read(Path(name), shown) if is_file else _SchedulerPlace(name, {})
    address = without_password(place.address)
    at = f"{address} ({shown})" if is_file else address
    security = _security(place, at)
    try:
        return _first_answer(lambda: _connected(place.address, security))
    except TimeoutError:
        said = f"no answer in {FIRST_ANSWER:.0f} seconds"
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        said = str(error)
    except Exception as error:  # any, where Dask takes the bytes of another program for its own
        said = f"another program is there ({error})"
    # Without the error of Dask as the cause, which may show the password.
    raise WorkerError(f"no scheduler answers at {at}: {_line(_hidden(said, place.address))}")


def without_password(address: str) -> str:
    """Return *address* with asterisks in the place of a user's name and password."""
    return _hidden(address, address)


def _hidden(text: str, address: str) -> str:
    """Return *text* without the user's name and password in *address*."""
    secret = re.sub(r"^[A-Za-z][\w+.-]*://", "", address.rpartition("@")[0])
    if not secret or ("://" not in address and ":" not in secret):  # a file may have an @
        return text
    return text.replace(secret, "***").replace(repr(secret)[1:-1], "***")


def _line(text: str) -> str:
    return " ".join(text.split())


def _connected(address: str, security: "Security") -> "Client":
    from distributed import Client
    from distributed.comm import resolve_address

    resolve_address(address)  # a client does not recover from an invalid address
    return Client(address, security=security, timeout=FIRST_ANSWER, set_as_default=False)


def _first_answer(connect: Callable[[], "Client"]) -> "Client":
    """Return what *connect* returns. Raises `TimeoutError` after a limit, and its errors.

    Dask sets no limit for a socket that accepts a connection and is silent. So *connect* runs in a
    thread; a client that comes too late is closed there.
    """
    answer: Future[Client] = Future()

    def run() -> None:
        try:
            client = connect()
        except Exception as error:
            if answer.set_running_or_notify_cancel():
                answer.set_exception(error)
            return
        if answer.set_running_or_notify_cancel():
            answer.set_result(client)
        else:
            client.close()

    threading.Thread(target=run, daemon=True).start()
    try:
        # The first second beyond the limit is left to Dask, whose errors say more.
        if not is_done(answer, FIRST_ANSWER + 1) and answer.cancel():
            raise TimeoutError
    except KeyboardInterrupt:
        answer.cancel()
        raise
    return answer.result()


def is_done(answer: "Future[Any]", seconds: float) -> bool:
    """Wait for *answer* for so many *seconds*, checking for interrupts; return whether it came."""
    end = Deadline.after(seconds)
    while not answer.done() and not end.passed():
        wait([answer], timeout=min(LOOK, end.remaining()))
    return answer.done()


def _read(path: Path, shown: str) -> _SchedulerPlace:
    """Read the file of a scheduler, called *shown* in messages. Raises `InputError`."""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_APART)
        try:
            place = _parsed(_bytes(path, shown), path.parent)
        except OSError as error:
            raise InputError(f"{shown}: {error.strerror or error}") from error
        if place is not None:
            return place
    raise InputError(f'{shown}: not the file of a scheduler, a JSON object with an "address"')


def _bytes(path: Path, shown: str) -> bytes:
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise InputError(
            f"{shown}: neither the file of a scheduler nor an address such as tcp://host:8786"
        ) from error
    if not stat.S_ISREG(mode):  # to open a FIFO would wait for its writer
        raise InputError(f"{shown}: not a regular file, which the file of a scheduler is")
    with path.open("rb") as file:
        return file.read(_LONGEST)


def _parsed(data: bytes, folder: Path) -> _SchedulerPlace | None:
    """Return what the *data* of a file in *folder* say; None if they are no scheduler's."""
    content: Any = None
    with suppress(ValueError, RecursionError):
        content = json.loads(data)
    if not isinstance(content, dict) or not isinstance(content.get("address"), str):
        return None
    files = {field: content[key] for key, field in _TLS.items() if content.get(key) is not None}
    if not all(isinstance(name, str) for name in files.values()):
        return None
    return _SchedulerPlace(content["address"], {k: str(folder / name) for k, name in files.items()})


def _security(place: _SchedulerPlace, at: str) -> "Security":
    """Return the certificates for *place*, from its file or Dask's settings.

    Raises `InputError` if a file of them cannot be used, and `UsageError` if TLS has none.
    """
    from distributed import Security

    files: dict[str, Any] = dict(place.tls)
    try:
        security = Security(**files, require_encryption=True) if files else Security()
    except ValueError as error:  # versions of TLS that there are not
        raise UsageError(f"Dask's settings for {at}: {error}") from error
    set_files = [getattr(security, field) for field in _TLS.values()]
    names = [name for name in set_files if name and "\n" not in name]
    for name in names:
        if not Path(name).is_file():
            raise InputError(f"{name}: no such file; it is named as one of TLS for {at}")
    try:
        arguments = security.get_connection_args("client")
    except (OSError, ValueError) as error:  # such as ssl.SSLError
        raise InputError(f"{', '.join(names)}: cannot be used for TLS: {error}") from error
    if place.address.startswith(("tls://", "wss://")) and arguments["ssl_context"] is None:
        raise UsageError(
            f"{at}: TLS needs certificates; name their files in the file of the scheduler "
            f"({', '.join(_TLS)}) or in Dask's settings (distributed.comm.tls)"
        )
    return security
