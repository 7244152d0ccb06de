"""Serving a folder of static files to the browser of this machine."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO

_LOOPBACK = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files without logging requests."""

    extensions_map = {  # noqa: RUF012  # as the class above has it
        **SimpleHTTPRequestHandler.extensions_map,
        # A registry of the system may call these otherwise, and browsers then refuse them.
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answer paths that no file can have as those that no file has."""
        try:
            return super().send_head()
        except ValueError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    """Ignores browsers that close the connection in the middle of a file."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell of defects alone."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """Yield the address of a server of *folder* for this machine alone, and the server.

    It answers once ``serve_forever`` is called. Port 0 is any that is free. Raises `OSError` for
    one that is not.
    """
    server = _Server((_LOOPBACK, port), partial(_Quiet, directory=str(folder)))
    with server:
        yield f"http://{_LOOPBACK}:{server.server_port}/", server
