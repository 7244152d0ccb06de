"""Connecting to a scheduler that is not there, is no scheduler, or needs certificates."""

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from exactmatch.errors import InputError, UsageError, WorkerError
from exactmatch.runtime import scheduler
from exactmatch.runtime.scheduler import open_client, without_password

pytestmark = pytest.mark.slow  # loads Dask

NO_FILE = "neither the file of a scheduler nor an address such as tcp://host:8786"
NO_SCHEDULER = 'not the file of a scheduler, a JSON object with an "address"'


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(scheduler, "_APART", 0.0)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        b"[]",
        b"5",
        b'{"address": 5}',
        b'{"address": "tls://h:1", "tls-key": 5}',
        b'"\xff"',
        b"[" * 100_000,
    ],
    ids=["empty", "garbage", "list", "number", "no text", "no name", "no UTF-8", "deep"],
)
def test_a_file_that_is_no_schedulers(content: bytes) -> None:
    Path("s.json").write_bytes(content)
    with pytest.raises(InputError) as caught:
        open_client("s.json")
    assert str(caught.value) == f"s.json: {NO_SCHEDULER}"


@pytest.mark.parametrize("address", ["nowhere.json", "no/where.json", "x\0y"])
def test_a_file_that_is_not_there(address: str) -> None:
    with pytest.raises(InputError) as caught:
        open_client(address)
    assert str(caught.value) == f"{address}: {NO_FILE}"


@pytest.mark.skipif(os.name != "posix", reason="makes a FIFO")
def test_what_is_no_file() -> None:
    os.mkfifo("fifo")
    for name in ("fifo", "."):
        with pytest.raises(InputError, match="not a regular file"):
            open_client(name)


def test_a_file_that_is_still_being_written(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("s.json")
    path.write_text('{"addr', encoding="utf-8")
    whole = json.dumps({"address": "pigeon://h:1"})
    monkeypatch.setattr(time, "sleep", lambda _: path.write_text(whole, "utf-8"))
    with pytest.raises(WorkerError, match=r"at pigeon://h:1 \(s\.json\): unknown address scheme"):
        open_client(path)


@contextmanager
def listener(greeting: bytes) -> Iterator[str]:
    """Accept connections and send *greeting*; yield the address."""
    kept = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    found, _ = server.accept()
                except OSError:
                    return
                kept.append(found)
                found.sendall(greeting)

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    for one in kept:
        one.close()


def test_a_silent_socket_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert scheduler.FIRST_ANSWER == 10.0
    monkeypatch.setattr(scheduler, "FIRST_ANSWER", 0.2)
    with listener(b"") as address, pytest.raises(WorkerError) as caught:
        open_client(address)
    assert str(caught.value) == f"no scheduler answers at {address}: no answer in 0 seconds"


def test_a_late_answer_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "FIRST_ANSWER", -1.0)
    may_come, is_closed = threading.Event(), threading.Event()

    class Late:
        def close(self) -> None:
            is_closed.set()

    def connect() -> Any:
        may_come.wait()
        return Late()

    with pytest.raises(TimeoutError):
        scheduler._first_answer(connect)
    may_come.set()
    assert is_closed.wait(60)


@pytest.mark.parametrize(
    "greeting", [b"HTTP/1.1 400 Bad Request\r\n\r\nwho are you?", b"\2" + bytes(7) + b"\xff" * 64]
)
def test_another_program_at_the_address(greeting: bytes) -> None:
    with listener(greeting) as address, pytest.raises(WorkerError) as caught:
        open_client(address)
    wanted = f"no scheduler answers at {address}: another program is there ("
    assert str(caught.value).startswith(wanted)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("tcp://host:8786", "tcp://host:8786"),
        ("tls://user:secret@host:8786", "tls://***@host:8786"),
        ("tls://user:se@cr/et://x@host:8786", "tls://***@host:8786"),
        ("user:secret@host:8786", "***@host:8786"),
        ("jobs@night/scheduler.json", "jobs@night/scheduler.json"),
    ],
)
def test_a_password_is_not_shown(address: str, shown: str) -> None:
    assert without_password(address) == shown


@pytest.mark.parametrize("scheme", ["tcp", "tls", "ws", "wss", "pigeon", "inproc"])
@pytest.mark.parametrize("secret", ["secret", "se'cr\"et", "se\\cret"])
@pytest.mark.parametrize("is_in_a_file", [False, True])
def test_no_message_and_no_log_shows_a_password(
    scheme: str, secret: str, is_in_a_file: bool, caplog: pytest.LogCaptureFixture
) -> None:
    address = f"{scheme}://user:{secret}@127.0.0.1:1"
    Path("s.json").write_text(json.dumps({"address": address}), encoding="utf-8")
    with pytest.raises((UsageError, WorkerError), match=r"\*\*\*@127") as caught:
        open_client("s.json" if is_in_a_file else address)
    assert caught.value.__cause__ is None
    said = f"{caught.value}{caplog.text}"
    assert not any(part in said for part in (secret, repr(secret)[1:-1]))


def test_tls_needs_certificates() -> None:
    with pytest.raises(UsageError, match=r"^tls://127\.0\.0\.1:1: TLS needs certificates"):
        open_client("tls://127.0.0.1:1")


def test_files_of_tls_that_cannot_be_used() -> None:
    content = {"address": "tls://127.0.0.1:1", "tls-ca-file": "ca.pem", "tls-cert": "own.pem"}
    Path("there").mkdir()
    Path("there/s.json").write_text(json.dumps(content), encoding="utf-8")
    Path("there/ca.pem").write_text("no certificate", encoding="utf-8")
    own = Path("there/own.pem")
    with pytest.raises(InputError, match=rf"^{own}: no such file"):
        open_client("there/s.json")
    own.write_text("no certificate", encoding="utf-8")
    with pytest.raises(InputError, match=rf"ca\.pem, {own}: cannot be used for TLS: "):
        open_client("there/s.json")


def test_settings_of_dask_that_cannot_be_used() -> None:
    import dask
    import distributed  # noqa: F401  # before a setting of it is changed, it must have set all others

    with (
        dask.config.set({"distributed.comm.tls.min-version": 0.5}),
        pytest.raises(UsageError, match=r"^Dask's settings for tcp://h:1: .*min-version"),
    ):
        open_client("tcp://h:1")


@pytest.mark.skipif(which("openssl") is None, reason="makes certificates")
def test_certificates_named_in_the_file_of_the_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster, Security

    words = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out own.pem -subj /CN=here -days 2"
    subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
    files = {f"tls_{who}_cert": "own.pem" for who in ("scheduler", "worker", "client")}
    files |= {f"tls_{who}_key": "key.pem" for who in ("scheduler", "worker", "client")}
    safe = Security(tls_ca_file="own.pem", require_encryption=True, **files)
    started = LocalCluster(
        n_workers=0, security=safe, protocol="tls", dashboard_address="127.0.0.1:0", processes=False
    )
    with started as cluster:
        content = {"address": cluster.scheduler_address, "tls-ca-file": "own.pem"}
        content |= {"tls-cert": "own.pem", "tls-key": "key.pem"}
        Path("s.json").write_text(json.dumps(content), encoding="utf-8")
        with open_client("s.json") as client:
            assert client.status == "running"
        monkeypatch.setattr(scheduler, "FIRST_ANSWER", 1.0)
        with pytest.raises(UsageError, match="TLS needs certificates"):
            open_client(cluster.scheduler_address)
        with pytest.raises(WorkerError, match="no scheduler answers at tcp://"):
            open_client(cluster.scheduler_address.replace("tls:", "tcp:"))
