"""Show results to people: the table of a corpus, and the mapping of a pair."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from exactmatch.graphs.graph import CONCEPT, Graph
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.metrics.counts import Range, Score, difference
from exactmatch.report.text_layout import Beside, Part, TextLayout
from exactmatch.report.text_table import Grid, whole
from exactmatch.report.wording import counted
from exactmatch.runtime.harmless import on_one_line
from exactmatch.scoring.corpus import Shown
from exactmatch.scoring.results import COUNTERS, CorpusScore, PairScore

if TYPE_CHECKING:
    from exactmatch.metrics.best_mappings import BestMappings
    from exactmatch.metrics.sentence_triples import SentenceTriples
    from exactmatch.metrics.subscores.subscore import Subscore

#: What people see of a signature.
Sign = Callable[[str], str]

#: The characters of a sentence that a table shows.
_WORDS = 60


def corpus_text(score: CorpusScore, sign: Sign = str, *, with_seconds: bool = True) -> TextLayout:
    """Return the table of a corpus score, what is proven of it, and its signature by *sign*.

    Without *with_seconds*, equal runs have equal texts.
    """
    lines: list[Part] = [*_idle(score), _figures(score), ""]
    lines += [*_breakdown(score), *_subscores(score)]
    lines += [*_sentences(score), *_frameworks(score), _proof(score)]
    if score.solver_totals is not None:
        from exactmatch.report.solver_text import solver_lines

        lines += solver_lines(score, with_seconds=with_seconds)
    lines += [*_ill_formed(score), *_exceptions(score), sign(score.signature)]
    return TextLayout(lines)


def _idle(score: CorpusScore) -> list[str]:
    """Return a line if a solver that was asked for by name never worked."""
    if score.solver_totals is None:
        return []
    from exactmatch.report.solver_text import idle_solver

    return idle_solver(score)


def worst_text(score: CorpusScore, pairs: Sequence[Shown]) -> Grid:
    """Return the table of the worst pairs by a metric, as `pair_content` has them."""
    scale = score.metric.scale
    has_sentences = any("sentence" in pair for pair in pairs)
    rows = []
    for pair in pairs:
        matched, upper, *totals = (
            pair[name] for name in ("matched", "upper", "system_total", "gold_total")
        )
        counts = [matched, *totals, sum(totals) - 2 * matched, upper - matched]
        seconds = [] if pair["seconds"] is None else [f"{pair['seconds']:.3f}"]
        said = [_beginning(pair.get("sentence", ""))] if has_sentences else []
        shown = [whole(count, scale) for count in counts]
        rows.append([pair["id"], f"{pair['score']:.4f}", *shown, *seconds, *said])
    titles = ["worst pairs", score.value_name, "matched", "of system", "of gold"]
    titles += ["difference", "gap"]
    titles += ["seconds"] * any(pair["seconds"] is not None for pair in pairs)
    titles += ["sentence"] * has_sentences
    texts = [title in ("worst pairs", "sentence") for title in titles]
    return Grid(titles, rows, texts)


def _beginning(sentence: str) -> str:
    """Return the beginning of a sentence, long enough to recognise it."""
    return sentence if len(sentence) <= _WORDS else f"{sentence[: _WORDS - 1].rstrip()}…"


def official_text(labelled: CorpusScore, unlabelled: CorpusScore, sign: Sign = str) -> TextLayout:
    """Return the table of the MRP tasks: F1 by framework and its average over the frameworks.

    *unlabelled* is the score without the labels of edges.
    """
    both = {"labelled": labelled, "unlabelled": unlabelled}
    rows = []
    for name, score in labelled.frameworks.items():
        values = [score, unlabelled.frameworks[name]]
        rows.append([name, str(score.pairs), *(text for one in values for text in _interval(one))])
    rows.append(["average", "", *(text for one in both.values() for text in _average(one))])
    titles = ["F1", "pairs", "labelled", "at most", "unlabelled", "at most"]
    lines: list[Part] = [*_idle(labelled), _with_bounds(titles, rows), ""]
    lines += [f"{name}: {_proof(score)}" for name, score in both.items()]
    lines += dict.fromkeys(line for score in both.values() for line in _exceptions(score))
    return TextLayout([*lines, *(sign(score.signature) for score in both.values())])


def free_text(within: CorpusScore, free: CorpusScore, sign: Sign = str) -> TextLayout:
    """Return the table of a score with sentences aligned and free, and the proofs of *free*."""
    scale = free.metric.scale
    both = {"aligned": within, "free": free, "difference": difference(within, free)}
    rows = [
        [name, *_interval(one), *(whole(n, scale) for n in (one.matched, one.matched_upper))]
        for name, one in both.items()
    ]
    table = _with_bounds(["sentences", "F1", "at most", "matched", "at most"], rows)
    lines: list[Part] = [*_idle(free), table, "", f"free: {_proof(free)}", *_exceptions(free)]
    return TextLayout([*lines, sign(free.signature)])


def certificate_line(pair: GraphPair | Skipped, score: PairScore) -> str | None:
    """Return the line of a pair in a file of certificates; nothing for a skipped pair."""
    return score.all_certificates


def mapping_text(pair: GraphPair | Skipped, score: PairScore) -> str:
    """Return `mapping_layout` as a file of mappings has it."""
    return f"{mapping_layout(pair, score)}\n"


def mapping_layout(pair: GraphPair | Skipped, score: PairScore) -> TextLayout:
    """Return the variables of a pair side by side; those without partner come last.

    If facts about all best mappings are known, pairs that differ between them are marked.
    """
    if isinstance(pair, Skipped):
        return TextLayout([_name(pair), f"# {score.status}"])
    head: list[Part] = [_name(pair), f"# {_outcome(score)}"]
    best = score.best
    if best is not None and (best.some or best.are_all):  # more than the defined mapping is known
        head.append(f"# {how_many(best)}")
    elif best is None and score.status == "optimal":
        head.append("# other mappings may be as good")
    return TextLayout([*head, *_side_by_side(pair, score.mapping, best)])


def mappings_layout(pair: GraphPair, score: PairScore) -> TextLayout:
    """Return the requested best mappings, one below the other."""
    best = score.best
    if best is None:
        return mapping_layout(pair, score)
    from exactmatch.report.solver_text import solver_line

    line = solver_line(score)
    work = [] if line is None else [f"# {line}"]
    parts: list[Part] = [_name(pair), f"# {_outcome(score)}", *work, f"# {how_many(best)}"]
    for number, mapping in enumerate(best.mappings, 1):
        parts += ["", f"# {number}", *_side_by_side(pair, mapping, best)]
    return TextLayout(parts)


def _name(pair: GraphPair | Skipped) -> str:
    return f"# ::id {on_one_line(pair.identifier)}"


def _outcome(score: PairScore) -> str:
    totals = f"{score.system_total} and {score.gold_total}"
    return f"{counted(score.matched, 'triple')} matched of {totals}, {score.status}"


def how_many(best: "BestMappings") -> str:
    """State how many other mappings are as good, and how differences are marked."""
    others = equally_good_note(best)
    return others if _is_only(best) else f"{others}; a ~ marks differences between them"


def equally_good_note(best: "BestMappings") -> str:
    """State how many other mappings are as good."""
    if _is_only(best):
        return "no other mapping is as good"
    others = len(best.mappings) - best.are_all
    if best.are_all:
        return f"{others} other mapping{'s are' if others > 1 else ' is'} as good"
    return f"{others} or more other mappings are as good"


def _is_only(best: "BestMappings") -> bool:
    return best.are_all and len(best.mappings) == 1


def _side_by_side(
    pair: GraphPair, mapping: Mapping[str, str], best: "BestMappings | None"
) -> list[Beside]:
    """Return the variables of a pair in two columns, if there are any.

    A ~ marks pairs that are not in all best mappings, and variables without partner that some best
    mappings map.
    """
    left, right = _described(pair.system), _described(pair.gold)
    every, some = (best.every, best.some) if best is not None else (frozenset(), frozenset())
    mapped_left, mapped_right = ({pair[side] for pair in some} for side in (0, 1))
    # A standardised graph may have variables that the graph itself lacks.
    rows = [
        (left.get(v, v), right.get(w, w), bool(some) and (v, w) not in every)
        for v, w in mapping.items()
    ]
    rows += [(text, "-", v in mapped_left) for v, text in left.items() if v not in mapping]
    partners = set(mapping.values())
    rows += [("-", text, w in mapped_right) for w, text in right.items() if w not in partners]
    shown = [
        (on_one_line(text), "~" if varies else " ", on_one_line(other))
        for text, other, varies in rows
    ]
    return [Beside(shown)] if shown else []


def _figures(score: CorpusScore) -> Grid:
    """Return the table of the results of a formula, or of precision, recall and F1."""
    metric = score.metric
    figures = score.figures
    if figures is None:
        return _ratios(score)
    rows = [
        (f"score, {figures.value_name}", figures.value),
        *((name, getattr(figures, name)) for name in ("precision", "recall")),
        *figures.others.items(),
    ]
    shown = [[name, f"{value:.4f}"] for name, value in rows if value is not None]
    if figures.is_known:
        return Grid([metric.title, ""], shown, [True, False])
    at_most = [[*row, f"{score.value_upper:.4f}"] for row in shown]
    return _with_bounds([metric.title, "found", "at most"], at_most)


def _with_bounds(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """Return a table with upper bounds, which a terminal shows even if they equal the scores."""
    return Grid(titles, rows, [True, *(False for _ in titles[1:])], distinct=True)


def _ratios(score: CorpusScore) -> Grid:
    metric = score.metric
    matched = whole(score.matched, metric.scale)
    rows = [
        [name, f"{lower:.4f}", f"{upper:.4f}", f"{matched} of {whole(total, metric.scale)}"]
        for name, lower, upper, total in (
            ("precision", score.precision, score.precision_upper, score.system_total),
            ("recall", score.recall, score.recall_upper, score.gold_total),
        )
    ]
    rows.append(["F1", f"{score.f1:.4f}", f"{score.f1_upper:.4f}", ""])
    if score.ill_formed is not None:  # where it exists, people report the mean
        mean = [f"{score.macro_f1:.4f}", f"{score.macro_f1_upper:.4f}"]
        rows.append(["macro F1", *mean, counted(score.pairs + score.ill_formed.zero, "pair")])
    return _with_bounds([metric.title, "found", "at most", metric.unit], rows)


def _breakdown(score: CorpusScore) -> list[Part]:
    """Return the table of the kinds of triples, and the number of pairs without a range, if any."""
    scale = score.metric.scale
    rows = []
    is_known_in_part = any(known.unknown for known in score.ranges.values())
    for part, counts in score.breakdown.items():
        known = score.ranges.get(part, Range(counts.matched, *counts))
        least, most = known.ends
        ratios = [
            _from_to(f"{low:.4f}", f"{high:.4f}")
            for low, high in (
                (least.precision, most.precision),
                (least.recall, most.recall),
                (least.f1, most.f1),
            )
        ]
        matched = _from_to(whole(known.least, scale), whole(known.most, scale))
        totals = (known.system_total, known.gold_total)
        if known.unknown and not any(totals):
            ratios = ["n/a"] * 3
        unknown = [str(known.unknown)] if is_known_in_part else []
        rows.append([part, *ratios, matched, *(whole(count, scale) for count in totals), *unknown])
    titles = ["", "precision", "recall", "F1", "matched", "of system", "of gold"]
    titles += ["no range"] if is_known_in_part else []
    return [Grid(titles, rows, [True] + (len(titles) - 1) * [False]), ""] if rows else []


def _from_to(low: str, high: str) -> str:
    return low if low == high else f"{low}..{high}"


def _subscores(score: CorpusScore) -> list[Part]:
    """Return the table of subscores, and a line of explanation."""
    asked = score.settings.subscores
    if asked is None:
        return []
    rows = [
        [name, what.title, what.mapping, *_subscore(score.subscores[name])]
        for name, what in asked.definitions.items()
    ]
    titles = ["subscore", "of", "mapping", "precision", "recall", "F1"]
    titles += ["matched", "of system", "of gold", "pairs", "exact", "not proven"]
    return [Grid(titles, rows, [True] * 3 + [False] * 9), "", asked.signature()]


def _subscore(subscore: "Subscore") -> list[str]:
    own = subscore.score()
    ratios = ["n/a"] * 3
    if subscore.pairs:
        ratios = [
            _from_to(f"{getattr(own, name):.4f}", f"{getattr(own, name + '_upper'):.4f}")
            for name in ("precision", "recall", "f1")
        ]
    return [
        *ratios,
        _from_to(str(subscore.matched), str(subscore.matched_upper)),
        *map(str, (subscore.system_total, subscore.gold_total, subscore.pairs)),
        _from_to(str(subscore.exact), str(subscore.exact_upper)),
        str(subscore.unproven),
    ]


def _sentences(score: CorpusScore) -> list[Part]:
    """Return the table of the sentences that lose most, and of the losses of all of them."""
    summary = score.sentences
    if summary is None:
        return []
    named = {f"{one.identifier} :snt{one.sentence}": one.counts for one in summary.worst}
    single, several, none = summary.totals.values()
    named |= {"in one sentence": single, "in several": several, "in none": none}
    whole_score = Range(score.matched, score.matched)  # all best mappings match as much
    everything = single + several + none
    named["all"] = everything._replace(system_range=whole_score, gold_range=whole_score)
    scale = score.metric.scale
    rows = [
        [name, whole(counts.lost, scale), *_of_sentence(counts, scale)]
        for name, counts in named.items()
    ]
    titles = ["most lost in", "lost", "matched", "of system", "matched", "of gold"]
    return [Grid(titles, rows, [True] + 5 * [False]), ""]


def _of_sentence(counts: "SentenceTriples", scale: int) -> list[str]:
    """Return the matches on both sides: over all best mappings, if they are all known."""
    cells = []
    for matched, total, known in (
        (counts.system_matched, counts.system_total, counts.system_range),
        (counts.gold_matched, counts.gold_total, counts.gold_range),
    ):
        least, most = (matched, matched) if known.unknown else (known.least, known.most)
        cells += [_from_to(whole(least, scale), whole(most, scale)), whole(total, scale)]
    return cells


def _frameworks(score: CorpusScore) -> list[Part]:
    """Return the scores of each framework and their average, if there are several."""
    if len(score.frameworks) < 2:
        return []
    rows = []
    for name, one in score.frameworks.items():
        ratios = [one.figure("precision"), one.figure("recall")]
        shown = ["" if ratio is None else f"{ratio:.4f}" for ratio in ratios]
        rows.append([name, *shown, *_interval(one), str(one.pairs)])
    rows.append(["average", "", "", *_average(score), ""])
    titles = ["", "precision", "recall", score.value_name, "at most", "pairs"]
    return [_with_bounds(titles, rows), ""]


def _interval(score: Score) -> tuple[str, str]:
    return f"{score.value:.4f}", f"{score.value_upper:.4f}"


def _average(score: CorpusScore) -> tuple[str, str]:
    return f"{score.framework_average:.4f}", f"{score.framework_average_upper:.4f}"


def _proof(score: CorpusScore) -> str:
    if not score.pairs:
        return "nothing was scored"
    if not score.metric.maps_variables:
        said = f"pairs: {score.pairs}; {score.metric.unproven}"
        if score.optimal == score.pairs:
            return said
        interval = f"{score.value:.4f} and {score.value_upper:.4f}"
        return f"{said}; the true {score.value_name} lies between {interval}"
    proven = f"proven: {score.optimal} of {counted(score.pairs, 'pair')}"
    if score.by_word:
        words = [f"{count} by the word of {solver}" for solver, count in score.by_word.items()]
        proven += f" ({', '.join([f'{score.certified} by a checked proof', *words])})"
    if score.optimal == score.pairs:
        return f"{proven}; no mapping of variables scores higher"
    interval = f"{score.f1:.4f} and {score.f1_upper:.4f}"
    gap = f"gap in {score.metric.unit}: {whole(score.gap, score.metric.scale)}"
    return f"{proven}; the true F1 lies between {interval} ({gap})"


def _ill_formed(score: CorpusScore) -> list[str]:
    """Return the number of ill-formed graphs, if the format tells, and how they are treated."""
    counts = score.ill_formed
    if counts is None:
        return []
    line = (
        f"ill-formed: {counts.system} of {counts.texts} graphs of the system "
        f"(ERR {counts.error_rate:.2%}), {counts.gold} of gold"
    )
    if counts.zero:
        zero = f"{counted(counts.zero, 'pair')} {'counts' if counts.zero == 1 else 'count'} 0"
        line += f"; {zero} in macro F1 only"
    return [line]


def _exceptions(score: CorpusScore) -> list[str]:
    """Return a line for everything that keeps the result from being a plain one."""
    interrupted = "PARTIAL: interrupted; later pairs are not in this result"
    lines = [interrupted] if score.partial else []
    # Results that a limit has cut short come first.
    counters = sorted(COUNTERS, key=lambda counter: counter.name not in ("timed_out", "too_large"))
    counts: dict[str, int] = {}
    for name, _, words in counters:
        number = getattr(score, name)
        if isinstance(number, Mapping):
            counts |= {f"{words} {solver}": count for solver, count in number.items() if words}
        elif words:
            counts[words] = number
    counts |= without_range(score)
    lines += [f"{what}: {count}" for what, count in counts.items() if count]
    if score.metric.scale != 1:
        is_graded = getattr(score.metric, "similarity", None) is not None
        parts = "similarities are rounded to" if is_graded else "credits are counted in"
        lines.append(f"{parts} 1/{score.metric.scale}")
    if score.confirmed is not None:
        confirmed = f"{score.confirmed} of {counted(score.pairs, 'pair')}"
        lines.append(f"confirmed by a second solver: {confirmed}")
    return lines


def without_range(score: CorpusScore) -> dict[str, int]:
    """Return the number of pairs that the table of the kinds of triples leaves out, with words."""
    unknown = max((known.unknown for known in score.ranges.values()), default=0)
    return {"pairs not counted by kind, since their ranges are not proven": unknown}


def _described(graph: Graph) -> dict[str, str]:
    """Return each variable with its concept, if it has one, as PENMAN writes them."""
    described = {variable: variable for variable in graph.variables}
    for triple in graph.triples:
        if triple.relation == CONCEPT:
            (variable,), (concept,) = triple.arguments
            described[variable] = f"{variable} / {concept}"
    return described
