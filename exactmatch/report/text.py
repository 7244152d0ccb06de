"""Results for people: the table of a corpus, and the mapping of a pair."""

from collections.abc import Mapping

from exactmatch.corpus import CorpusScore, PairScore
from exactmatch.graph import CONCEPT, Graph
from exactmatch.metrics.counts import Counts
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.report.grid import grid
from exactmatch.unaligned import UnalignedScore


def unaligned_text(result: UnalignedScore) -> str:
    """Return the table of a result that needs no mapping, and its signature."""
    score = result.score
    figures = [("score, " + score.value_name, score.value), *score.figures.items()]
    rows = [[name, f"{value:.4f}"] for name, value in figures]
    lines = [grid([result.metric.title, ""], rows, [True, False]), *_parts(score.parts, 1)]
    lines.append(f"pairs: {result.pairs}; no mapping of variables is needed")
    lines += _interrupted(result.partial)
    counts = {
        "skipped": result.skipped,
        "scored against an empty graph": result.emptied,
        "with a note": result.noted,
    }
    lines += [f"pairs {what}: {count}" for what, count in counts.items() if count]
    lines.append(result.signature)
    return "\n".join(lines)


def corpus_text(score: CorpusScore) -> str:
    """Return the table of a corpus result, what is proven of it, and its signature."""
    lines = [_table(score), *_parts(score.breakdown, score.profile.scale), _proof(score)]
    lines += _exceptions(score)
    lines.append(score.signature)
    return "\n".join(lines)


def mapping_text(pair: GraphPair | Skipped, score: PairScore) -> str:
    """Return the variables of a pair side by side, those without partner last."""
    if isinstance(pair, Skipped):
        return f"# ::id {pair.identifier}\n# skipped\n"
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
    profile = score.profile
    matched = _whole(score.matched, profile.scale)
    rows = [
        [name, f"{found:.4f}", f"{upper:.4f}", f"{matched} of {_whole(total, profile.scale)}"]
        for name, found, upper, total in (
            ("precision", score.precision, score.precision_upper, score.test_total),
            ("recall", score.recall, score.recall_upper, score.gold_total),
        )
    ]
    rows.append(["F1", f"{score.f1:.4f}", f"{score.f1_upper:.4f}", ""])
    return grid(
        [profile.title, "found", "at most", profile.unit], rows, [True, False, False, False]
    )


def _whole(count: int, scale: int) -> str:
    """Return a count in whole triples: with a fraction where a metric counts in parts of them."""
    return str(count) if scale == 1 else f"{count / scale:.3f}"


def _parts(parts: Mapping[str, Counts], scale: int) -> list[str]:
    rows = []
    for part, counts in parts.items():
        own = counts.score()
        ratios = [f"{ratio:.4f}" for ratio in (own.precision, own.recall, own.f1)]
        sums = (own.matched, own.test_total, own.gold_total)
        rows.append([part, *ratios, *(_whole(count, scale) for count in sums)])
    titles = ["", "precision", "recall", "F1", "matched", "of test", "of gold"]
    return [grid(titles, rows, [True] + 6 * [False])] if rows else []


def _proof(score: CorpusScore) -> str:
    if not score.pairs:
        return "nothing was scored"
    proven = f"proven: {score.optimal} of {score.pairs} pairs"
    if score.by_word:
        words = [f"{count} by the word of {solver}" for solver, count in score.by_word.items()]
        proven += f" ({', '.join([f'{score.certified} by a checked proof', *words])})"
    if score.optimal == score.pairs:
        return f"{proven}; no mapping of variables scores higher"
    interval = f"{score.f1:.4f} and {score.f1_upper:.4f}"
    gap = f"gap in {score.profile.unit}: {_whole(score.gap, score.profile.scale)}"
    return f"{proven}; the true F1 lies between {interval} ({gap})"


def _exceptions(score: CorpusScore) -> list[str]:
    """Return a line for everything that keeps the result from being a plain one."""
    lines = _interrupted(score.partial)
    counts = {
        "pairs that reached the time limit": score.timed_out,
        "pairs too large for the memory limit": score.too_large,
        **{
            f"upper bounds by the word of {solver}": count
            for solver, count in score.bounded_by_word.items()
        },
        "pairs skipped": score.skipped,
        "pairs scored against an empty graph": score.emptied,
        "pairs with a note": score.noted,
    }
    lines += [f"{what}: {count}" for what, count in counts.items() if count]
    if score.profile.scale != 1:
        lines.append(f"similarities are rounded to 1/{score.profile.scale}")
    if score.confirmed is not None:
        lines.append(f"confirmed by a second solver: {score.confirmed} of {score.pairs} pairs")
    return lines


def _interrupted(partial: bool) -> list[str]:
    return ["PARTIAL: cut short; later pairs are not in this result"] if partial else []


def _described(graph: Graph) -> dict[str, str]:
    """Return each variable with its concept, if it has one, as PENMAN writes them."""
    found = {variable: variable for variable in graph.variables}
    for triple in graph.triples:
        if triple.relation == CONCEPT:
            (variable,), (concept,) = triple.arguments
            found[variable] = f"{variable} / {concept}"
    return found
