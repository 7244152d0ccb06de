"""Results for people: the table of a corpus, and the mapping of a pair."""

from io import StringIO

from rich import box
from rich.console import Console
from rich.table import Table

from exactmatch.corpus import CorpusScore, PairScore
from exactmatch.graph import CONCEPT, Graph
from exactmatch.pairing import GraphPair


def corpus_text(score: CorpusScore) -> str:
    """Return the table of a corpus result, what is proven of it, and its signature."""
    lines = [_table(score), _proof(score)]
    lines += _exceptions(score)
    lines.append(score.signature)
    return "\n".join(lines)


def mapping_text(pair: GraphPair, score: PairScore) -> str:
    """Return the variables of a pair side by side, those without partner last."""
    left, right = _described(pair.test), _described(pair.gold)
    rows = [(left[v], right[w]) for v, w in score.mapping.items()]
    rows += [(text, "-") for v, text in left.items() if v not in score.mapping]
    partners = set(score.mapping.values())
    rows += [("-", text) for w, text in right.items() if w not in partners]
    width = max((len(text) for text, _ in rows), default=0)
    head = (
        f"# ::id {pair.identifier}\n"
        f"# {score.matched} triples matched of {score.test_total} and {score.gold_total}, "
        f"{score.status}"
    )
    return "\n".join([head, *(f"{text:<{width}}   {other}" for text, other in rows)]) + "\n"


def _table(score: CorpusScore) -> str:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("Smatch")
    table.add_column("found", justify="right")
    table.add_column("at most", justify="right")
    table.add_column("triples", justify="right")
    table.add_row(
        "precision",
        f"{score.precision:.4f}",
        f"{score.precision_upper:.4f}",
        f"{score.matched} of {score.test_total}",
    )
    table.add_row(
        "recall",
        f"{score.recall:.4f}",
        f"{score.recall_upper:.4f}",
        f"{score.matched} of {score.gold_total}",
    )
    table.add_row("F1", f"{score.f1:.4f}", f"{score.f1_upper:.4f}", "", style="bold")
    console = Console(file=StringIO(), width=80, record=True)
    console.print(table)
    return "\n".join(line.rstrip() for line in console.export_text().splitlines()) + "\n"


def _proof(score: CorpusScore) -> str:
    if score.optimal == score.pairs:
        return f"proven: all {score.pairs} pairs; no mapping of variables scores higher"
    return (
        f"proven: {score.optimal} of {score.pairs} pairs; the true F1 lies between "
        f"{score.f1:.4f} and {score.f1_upper:.4f} ({score.gap} triples)"
    )


def _exceptions(score: CorpusScore) -> list[str]:
    """Return a line for everything that keeps the result from being a plain one."""
    lines = []
    if score.partial:
        lines.append("PARTIAL: interrupted; later pairs are not in this result")
    if score.timed_out:
        lines.append(f"time limit reached: {score.timed_out} pairs")
    if score.skipped:
        lines.append(f"skipped: {score.skipped} pairs")
    if score.emptied:
        lines.append(f"scored against an empty graph: {score.emptied} pairs")
    if score.confirmed is not None:
        lines.append(f"confirmed by a second solver: {score.confirmed} of {score.pairs} pairs")
    return lines


def _described(graph: Graph) -> dict[str, str]:
    """Return each variable with its concept, as PENMAN writes them."""
    found = {}
    for triple in graph.triples:
        if triple.relation == CONCEPT:
            (variable,), (concept,) = triple.arguments
            found[variable] = f"{variable} / {concept}"
    return found
