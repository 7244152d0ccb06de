"""Serving a folder of static files to the browser of this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_LOOPBACK = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing of it."""

    extensions_map = {  # noqa: RUF012  # as the class above has it
        **SimpleHTTPRequestHandler.extensions_map,
        # A registry of the system may call these otherwise, and browsers then refuse them.
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """Yield the address of a server of *folder* for this machine alone, and the server.

    It answers once ``serve_forever`` is called. Port 0 is any that is free. Raises `OSError` for
    one that is not.
    """
    server = ThreadingHTTPServer((_LOOPBACK, port), partial(_Quiet, directory=str(folder)))
    with server:
        yield f"http://{_LOOPBACK}:{server.server_port}/", server
