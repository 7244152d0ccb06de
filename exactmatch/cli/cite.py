"""``--cite``: BibTeX entries of the program, and of the papers of metrics and profiles."""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any

import click

from exactmatch._version import __version__

#: Studies that take all metrics that suit the files if none is named.
_OF_ALL_METRICS = ("correlate", "principles")

#: Studies that follow a paper.
_OF_STUDIES: Mapping[str, tuple[str, ...]] = {
    "correlate": ("opitz-2020-s2match",),
    "principles": ("opitz-2020-s2match", "kachwala-2024-rematch"),
    "search-error": ("cai-2013-smatch",),
}

#: As in CITATION.cff; a test compares them.
_PROGRAM = {
    "author": "{The exactmatch authors}",
    "title": "exactmatch: exact, certified scores for semantic graphs",
    "version": __version__,
    "year": "2026",
    "license": "MIT",
}


def program() -> str:
    """Return the BibTeX entry of the program."""
    homepage = project_address("Homepage")
    fields = _PROGRAM | ({"url": homepage} if homepage else {})
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@software{{exactmatch,\n{lines}\n}}"


def project_address(name: str) -> str | None:
    """Return an address of the project, such as ``Issues``, from the metadata of the package.

    Return None if the package is not installed, or has no such address.
    """
    try:
        urls = metadata("exactmatch").get_all("Project-URL") or []
    except PackageNotFoundError:
        return None
    return dict(url.split(", ", 1) for url in urls).get(name)


def what_to_cite(command: click.Command, given: Mapping[str, Any]) -> str:
    """Return the entries of the program and of the metrics of *command* with options *given*.

    Comments name the metric and the profile of each paper. Raises `UsageError` for an unknown name,
    and `InputError` if the format of the first file is not clear.
    """
    from exactmatch.metrics.papers import entries_of

    lines = ["% the program: exactmatch"]
    keys: list[str] = []
    for said, papers in _papers(command, given):
        lines.append(f"% {said}: {', '.join(papers) or 'no paper'}")
        keys += papers
    return "\n\n".join(["\n".join(lines), program(), *entries_of(keys)])


def _papers(command: click.Command, given: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield each metric, profile and study in use, with the keys of its papers."""
    from exactmatch.metrics.registry import metric_called, profile_called

    profile = given["profile"] or "default"
    for name, own in _metrics(command, given):
        kind = metric_called(name)
        chosen = own or profile
        profile_called(kind, chosen)
        yield f"{name}, profile {chosen}", [*kind.papers, *kind.profile_papers.get(chosen, ())]
    if command.name is not None and command.name in _OF_STUDIES:
        yield f"the study {command.name}", [*_OF_STUDIES[command.name]]


def _metrics(command: click.Command, given: Mapping[str, Any]) -> Iterable[tuple[str, str | None]]:
    """Return the requested metrics, each once, with the named profiles."""
    from exactmatch.metrics.registry import metric_for
    from exactmatch.studies.common.metric_names import metric_name, usual_names

    names = given["metrics"]
    if not names:
        form = _format(command, given)
        is_all = command.name in _OF_ALL_METRICS
        names = usual_names(form) if is_all else [metric_for(form).name]
    return dict.fromkeys((one.metric, one.profile) for one in map(metric_name, names))


def _format(command: click.Command, given: Mapping[str, Any]) -> str:
    """Return the format of the first file; if no file is named, return AMR and print a note."""
    from exactmatch.cli.answers import say_note
    from exactmatch.graphs.graph import PENMAN
    from exactmatch.graphs.readers.detect import cut_texts
    from exactmatch.graphs.readers.source import ByteStream

    values = [given[one.name or ""] for one in command.params if isinstance(one, click.Argument)]
    paths = [path for one in values for path in (one if isinstance(one, tuple) else [one]) if path]
    if not paths:
        say_note("no metric and no file is named; the papers are those for files of AMRs")
        return PENMAN
    with ByteStream(paths[0]) as stream:
        return cut_texts(stream.chunks(), stream.name).format
