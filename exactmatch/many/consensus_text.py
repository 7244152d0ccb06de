"""The triples of a consensus as an AMR in PENMAN notation, if they are one; nothing is repaired."""

from collections import Counter
from collections.abc import Sequence

from exactmatch.errors import InputError
from exactmatch.many.votes import Outline, Vote
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.amr_based import AmrMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.network import as_graph

#: AMRs as they are written, but for the direction of roles and surface alignment marks.
_AS_WRITTEN = Smatch.profiles["default"].with_choices(case="keep", quotes="keep")


def voting_form(metric: AlignmentMetric) -> AlignmentMetric:
    """Return the metric whose triples are voted for, where mappings are the best under *metric*."""
    return _AS_WRITTEN if isinstance(metric, AmrMetric) else metric


def faults(triples: Sequence[Vote], form: Outline) -> list[str]:
    """Return why the triples of AMRs are no AMR, one reason each; nothing if they are one."""
    found = []
    if form.parts != 1:
        found.append(f"{form.parts} parts that nothing connects" if form.parts else "no triple")
    if len(form.tops) != 1:
        found.append(f"{len(form.tops)} roots" if form.tops else "no root")
    concepts = Counter(triple.variables[0] for triple in triples if triple.kind == "instance")
    for name in form.variables:
        if concepts[name] != 1:
            has = f"{concepts[name]} concepts" if concepts[name] else "no concept"
            found.append(f"{name} has {has}")
    return found


def penman_text(triples: Sequence[Vote], top: str) -> str | None:
    """Return the AMR that *triples* without faults are; None if it would be read as another."""
    import penman
    from penman.models.amr import model

    written = [_as_penman(triple) for triple in triples if triple.kind != "top"]
    text: str = penman.encode(penman.Graph(written, top=top), model=model)
    try:
        read = _AS_WRITTEN.normalise(as_graph(text))
    except InputError:
        return None
    same = {(t.label, t.variables) for t in read.triples} == {t[:2] for t in triples}
    return text if same else None


def _as_penman(triple: Vote) -> tuple[str, str, str]:
    if triple.kind == "relation":
        source, target = triple.variables
        return source, f":{triple.label[1]}", target
    (source,) = triple.variables
    if triple.kind == "instance":
        return source, ":instance", triple.label[1]
    return source, f":{triple.label[1]}", triple.label[2]
