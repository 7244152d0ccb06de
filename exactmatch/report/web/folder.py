"""The folder of static files that is the page, for any server of files."""

import base64
import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from exactmatch._version import __version__
from exactmatch.report.html import report_script
from exactmatch.report.pages.site import page_script
from exactmatch.report.pages.template import harmless_json
from exactmatch.report.web import python_runtime
from exactmatch.report.web.python_sources import drawing_sources, licences, sources
from exactmatch.runtime.output import PAGE, check_ours, check_outputs, make_folder
from exactmatch.runtime.together import writing_together

#: What the page runs, in this order, as one script, after what it shares with pages of pairs.
_SCRIPTS = ("engine", "form", "results", "agreement", "start")


def write_page(
    folder: Path,
    form: Mapping[str, Any],
    runtime: Path | None = None,
    note: Callable[[str], object] = lambda _: None,
) -> Path:
    """Write the page to *folder*; return the file to open, by a server.

    *form* is what it may ask for; *runtime* a folder of the browser's Python, which is copied, with
    the packages that it has; *note* is told which it has in part. Without it, Python is loaded from
    a public address. Raises `InputError` for what cannot be read or written, and if other files
    would be replaced; `UsageError` if *runtime* would be.
    """
    python = [] if runtime is None else python_runtime.runtime_files(runtime)
    packages = {} if runtime is None else python_runtime.package_files(runtime, note)
    copied = {one.name: one.content for some in (python, *packages.values()) for one in some}
    archives = {"exactmatch.zip": sources(), "drawing.zip": drawing_sources()}
    own = _page_files()
    elsewhere = "" if python else python_runtime.ADDRESS
    settings = {
        "version": __version__,
        "python": python_runtime.VERSION,
        "loaded": _loaded(archives, copied, elsewhere or "python/"),
        "packages": {
            "networkx": ["drawing.zip"],
            **{name: [one.name for one in found] for name, found in packages.items()},
        },
        "form": form,
        "examples": _examples(),
    }
    # Of equal content, equal addresses: a browser does not take an older file for a newer one.
    marks = {"styled": _mark(own["page.css"]), "run": _mark(own["page.js"])}
    page = _index(settings, elsewhere, marks)
    written = {
        # The first one, so that a folder that is not whole is known as ours. It has the digests of
        # the others, so no browser takes such a folder for a whole one.
        PAGE: page.encode(),
        **archives,
        **own,
        "LICENCES.txt": licences().encode(),
        **{f"python/{name}": content for name, content in copied.items()},
    }
    if runtime is not None:
        read = [str(runtime / name) for name in copied]
        check_outputs(read, *(folder / "python" / name for name in copied))
    check_ours(folder, written)
    make_folder(folder / "python" if copied else folder)
    with writing_together(folder) as files:
        for name, content in written.items():
            files.write(folder / name, content)
    return folder / PAGE


def _loaded(
    archives: Mapping[str, bytes], copied: Mapping[str, bytes], place: str
) -> dict[str, list[str]]:
    """Return the address and the integrity of what the page loads, with Python from *place*."""
    found = {
        **{name: (name, sha256(content)) for name, content in archives.items()},
        **{name: (place + name, digest) for name, digest in python_runtime.FILES.items()},
        **{name: (place + name, sha256(content)) for name, content in copied.items()},
    }
    return {name: [address, _integrity(digest)] for name, (address, digest) in found.items()}


def _mark(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]


def _index(settings: Mapping[str, Any], elsewhere: str, marks: Mapping[str, str]) -> str:
    text = _own("index.html")
    parts = {
        **marks,
        "policy": _policy(elsewhere),
        "settings": harmless_json(json.dumps(settings, ensure_ascii=False)),
        "version": escape(__version__),
        "python": escape(python_runtime.VERSION),
        "origin": escape(elsewhere) or "the folder of this page",
        "elsewhere": f", and {escape(elsewhere)} for Python" if elsewhere else "",
    }
    for name, value in parts.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def _policy(elsewhere: str) -> str:
    """Return what the page may load, and whom it may ask: its own server, and *elsewhere* if given.

    What it shows of a pair is a page of its own, and so is a report. Their scripts are known, and
    may run.
    """
    shown = [page_script(with_checker=has_proofs) for has_proofs in (False, True)]
    digests = [sha256(script.encode()) for script in (*shown, report_script())]
    scripts = " ".join(f"'{_integrity(digest)}'" for digest in digests)
    rules = (
        "default-src 'none'",
        f"script-src 'self' blob: 'wasm-unsafe-eval' {scripts}",
        "worker-src blob:",
        "frame-src blob:",
        "style-src 'self' 'unsafe-inline'",
        f"connect-src 'self' {elsewhere}".rstrip(),
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def _page_files() -> dict[str, bytes]:
    styles = [files("exactmatch.report").joinpath("base.css").read_text("utf-8"), _own("web.css")]
    shared = files("exactmatch.report.pages").joinpath("script", "elements.js")
    checker = files("exactmatch.certificate").joinpath("checker.js")
    own = (_own(f"script/{name}.js") for name in _SCRIPTS)
    scripts = ['"use strict";', shared.read_text("utf-8"), *own]
    joined = {"page.css": "\n".join(styles), "page.js": "\n".join(scripts)}
    alone = {"worker.js": _own("worker.js"), "checker.js": checker.read_text("utf-8")}
    texts = {**joined, **alone}
    return {name: text.encode() for name, text in texts.items()}


def _own(name: str) -> str:
    return files("exactmatch.report.web").joinpath("page", *name.split("/")).read_text("utf-8")


def _examples() -> list[dict[str, Any]]:
    """Return what can be opened at once: of each format two files, of AMRs three."""
    folder = files("exactmatch.report.web").joinpath("examples")
    found = []
    for title, names in _EXAMPLES.items():
        texts = [folder.joinpath(name).read_text("utf-8") for name in names]
        contents = [{"name": n, "text": text} for n, text in zip(names, texts, strict=True)]
        found.append({"title": title, "files": contents})
    return found


_EXAMPLES = {
    "AMR (PENMAN)": ("parser.amr", "gold.amr"),
    "AMR of three annotators": ("anna.amr", "ben.amr", "cleo.amr"),
    "UMR": ("first.umr", "second.umr"),
    "MRP": ("parser.mrp", "gold.mrp"),
    "DRS (clauses)": ("parser.clf", "gold.clf"),
    "DRS (SBN)": ("parser.sbn", "gold.sbn"),
}


def _integrity(digest: Any) -> str:
    """Return what browsers call a SHA-256, given as such or in hexadecimal digits."""
    data = bytes.fromhex(digest) if isinstance(digest, str) else digest.digest()
    return f"sha256-{base64.b64encode(data).decode()}"
