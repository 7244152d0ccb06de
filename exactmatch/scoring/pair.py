"""Score one pair of graphs: find the best mapping, count its matches again, and state the proof."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from exactmatch.errors import VerificationError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import (
    AlignmentFreeMetric,
    Measurement,
    Metric,
    Statistics,
    not_counted,
)
from exactmatch.metrics.counts import Range
from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.problem.solver_work import SolverWork, tell
from exactmatch.scoring.by_cover import COVER, CoverCounter
from exactmatch.scoring.comparison import Comparison, compare, compare_triples, without_similar
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.solve import COUNTS, at_least_by_labels, solve_within
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.names import EXACT
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, bounded, confirm
from exactmatch.stopping.deadline import Deadline, OutOfTime, until

if TYPE_CHECKING:
    from exactmatch.metrics.best_mappings import BestMappings
    from exactmatch.metrics.subscores.asked import Subscores
    from exactmatch.metrics.subscores.measuring import Interval, Part
    from exactmatch.metrics.subscores.subscore import Subscore
    from exactmatch.solving.best.ranges import Ends

#: Returns the comparisons of parts of two graphs, by name, from that of the whole graphs.
PartsOf = Callable[[Comparison], Mapping[str, Comparison]]

_USUAL = Budgets()
_NO_PARTS: Mapping[str, Comparison] = {}


def score_pair(
    pair: GraphPair | Skipped,
    metric: Metric,
    settings: Settings,
    end: Deadline,
    *,
    parts: PartsOf | None = None,
    counter: CoverCounter | None = None,
) -> PairScore:
    """Score one pair by *metric* within its own time limit, and before *end*.

    The ranges of *parts* are found as well. A *counter* counts the pair without solving.

    Raises `VerificationError` if two computations of one number disagree.
    """
    if isinstance(pair, Skipped):
        return PairScore.skipped(*pair)
    start = time.monotonic()
    deadline = Deadline.after(settings.timeout).earlier(end)
    mapper = Mapper(pair.identifier, settings, deadline, end, parts=parts, counter=counter)
    measurement = mapper.measure(metric, pair.system, pair.gold)
    assert deadline.loading is not None
    seconds = time.monotonic() - start - deadline.loading.seconds
    if measurement.work is not None:
        measurement = measurement._replace(work=_with_loading(measurement.work, deadline))
    return _pair_score(pair, metric, measurement, seconds)


def _with_loading(work: SolverWork, deadline: Deadline) -> SolverWork:
    """Return *work* with the cost of loading solvers before *deadline*."""
    loading = deadline.loading
    if loading is None:
        return work
    return work._replace(loading=loading.seconds, restarts=loading.restarts)


def _pair_score(
    pair: GraphPair, metric: Metric, measurement: Measurement, seconds: float
) -> PairScore:
    return PairScore.of(
        pair.identifier,
        metric,
        measurement,
        seconds=seconds,
        emptied=pair.emptied,
        noted=pair.noted,
        left_out=pair.left_out,
        mended=pair.mended,
        ill_formed=pair.ill_formed,
        framework=pair.framework,
    )


@dataclass(eq=False, repr=False)
class Mapper:
    """Finds the best mapping of two graphs by *settings* before *deadline*.

    identifier: the name of the pair in its certificate, and in messages.
    end: the time limit of a second solver.
    budgets: limits that do not depend on the clock.
    parts: the parts whose ranges are found, whatever *settings* say.
    counter: counts pairs if only counts are asked for.
    """

    identifier: str
    settings: Settings
    deadline: Deadline
    end: Deadline
    budgets: Budgets = _USUAL
    parts: PartsOf | None = None
    counter: CoverCounter | None = None

    def measure(self, metric: Metric, system: Graph, gold: Graph) -> Measurement:
        """Measure two graphs by *metric*, under the mapping found if the metric uses one.

        Raises `VerificationError` if two computations disagree, `InputError` for graphs that
        cannot be compared.
        """
        if not isinstance(metric, AlignmentMetric):
            assert isinstance(metric, AlignmentFreeMetric)
            try:
                with until(self.deadline):
                    return metric.measure(system, gold)
            except OutOfTime:
                return not_counted(system, gold)
        metric.check(system, gold)
        sides = metric.normalise(system), metric.normalise(gold)
        if self.counter is not None and not self.deadline.passed():
            try:
                found = self.counter.count_triples(*sides)
            except VerificationError as error:
                comparison = compare_triples(*sides, metric)
                raise reproducible(error, self.identifier, comparison, self.settings) from error
            if found is not None:
                return Measurement(found.statistics(), solver=COVER)
        return self.map_triples(metric, *sides)

    def map_triples(
        self, metric: AlignmentMetric, system: NormalisedGraph, gold: NormalisedGraph
    ) -> Measurement:
        """Measure two graphs by *metric* under the mapping found. Raises `VerificationError`."""
        found = self._mapped(metric, system, gold)
        if found.work is not None:
            tell(_with_loading(found.work, self.deadline), self.settings)
        return found

    def _mapped(
        self, metric: AlignmentMetric, system: NormalisedGraph, gold: NormalisedGraph
    ) -> Measurement:
        settings = self.settings
        try:
            comparison = compare_triples(system, gold, metric, self.deadline).in_largest_unit()
        except OutOfTime:
            return self._measure_out_of_time(without_similar(system, gold, metric))
        try:
            solution = _capped(comparison, self._solved(comparison))
            certificate = None
            if settings.certificates:
                certificate = _certificate(self.identifier, comparison, solution)
            parts = comparison.parts() if settings.breakdown else {}
            measurement = _measured(
                comparison,
                solution,
                parts,
                confirmed=self._confirmed(comparison, solution),
                certificate=certificate,
            )
            return self._add_best_mapping_facts(comparison, solution, parts, measurement)
        except VerificationError as error:
            raise reproducible(error, self.identifier, comparison, settings) from error

    def _measure_out_of_time(self, comparison: Comparison) -> Measurement:
        """Measure two graphs if the time ended before their similar labels were known.

        The result has a mapping of equal labels, a bound that holds for any similarities, and no
        certificate.
        """
        from exactmatch.solving.dual.counting import CountsProof

        upper = comparison.most_of_all()
        parts = comparison.parts() if self.settings.breakdown else {}
        proof = CountsProof(upper, None)
        work = SolverWork() if self.settings.is_by_name else None
        nothing = Solution(0, upper, {}, COUNTS, timed_out=upper > 0, proof=proof, work=work)
        nothing = at_least_by_labels(comparison, nothing)
        measurement = _measured(comparison, nothing, parts)._replace(checked=False)
        return self._add_best_mapping_facts(comparison, nothing, parts, measurement)

    def _add_best_mapping_facts(
        self,
        comparison: Comparison,
        solution: Solution,
        parts: Mapping[str, Comparison],
        found: Measurement,
    ) -> Measurement:
        """Add facts about all best mappings to the result, on request."""
        settings = self.settings
        if settings.best_mappings is not None:
            best = self._best_mappings(comparison, solution, settings.best_mappings)
            mapping = found.mapping if best is None else best.mappings[0]
            found = found._replace(mapping=mapping, best=best)
        if settings.by_sentence:
            from exactmatch.scoring.by_sentence import counts_by_sentence

            ranges_of = None
            if solution.is_optimal and not solution.too_large and settings.method == EXACT:
                ranges_of = partial(self._ranges, comparison, solution, deadline=self.deadline)
            rows = counts_by_sentence(comparison, found.mapping, ranges_of, self.deadline)
            found = found._replace(sentences=rows)
        statistics = found.statistics
        if parts and settings.method == EXACT:
            from exactmatch.scoring.best import ranges_of_parts

            ends = self._ends(comparison, solution, parts, self.deadline)
            statistics = statistics._replace(ranges=ranges_of_parts(parts, ends))
            if settings.certificates and ends is not None:
                certificates = self._end_certificates(comparison, solution, ends)
                found = found._replace(end_certificates=certificates)
        if self.parts is not None:
            known = self._ranges(comparison, solution, self.parts(comparison), self.deadline)
            statistics = statistics._replace(ranges={**statistics.ranges, **known})
        if settings.subscores is not None:
            subscores = self._subscores(settings.subscores, comparison, solution)
            statistics = statistics._replace(subscores=subscores)
        return found._replace(statistics=statistics)

    def _best_mappings(
        self, comparison: Comparison, solution: Solution, limit: int
    ) -> "BestMappings | None":
        """Return the first *limit* best mappings; None if they are not known."""
        if self.settings.method != EXACT:
            return None
        from exactmatch.scoring.best import best_mappings_of, optimum_of
        from exactmatch.solving.best.optimum import Undecided

        optimum = optimum_of(comparison, solution, self._solver_settings(self.deadline))
        try:
            return None if optimum is None else best_mappings_of(comparison, optimum, limit)
        except (OutOfTime, Undecided):
            return None

    def _ranges(
        self,
        comparison: Comparison,
        solution: Solution,
        parts: Mapping[str, Comparison],
        deadline: Deadline,
    ) -> Mapping[str, Range]:
        """Return the ranges of *parts* over the best mappings; without a proof they are unknown."""
        if self.settings.method != EXACT:
            return {}
        from exactmatch.scoring.best import ranges_of_parts

        return ranges_of_parts(parts, self._ends(comparison, solution, parts, deadline))

    def _ends(
        self,
        comparison: Comparison,
        solution: Solution,
        parts: Mapping[str, Comparison],
        deadline: Deadline,
    ) -> "Mapping[str, Ends] | None":
        """Return the ends of the ranges of *parts*, with mappings; None if they are not known."""
        from exactmatch.scoring.best import ends_of_parts, optimum_of

        optimum = optimum_of(comparison, solution, self._solver_settings(deadline))
        return ends_of_parts(comparison, optimum, parts, deadline)

    def _end_certificates(
        self, comparison: Comparison, solution: Solution, ends: "Mapping[str, Ends]"
    ) -> list[str]:
        """Return a certificate for each end of a range.

        Its mapping reaches the known end. If a limit comes before its proof does, it claims an
        interval. Raises `VerificationError` if a certificate proves another end.
        """
        from exactmatch.scoring.best import ends_of

        found = []
        for end, towards in ends_of(comparison):
            known = ends[end.part].most if end.side == "most" else ends[end.part].least
            at_end = self._solved(towards)
            times = towards.scale // comparison.scale
            matched = known.matched if end.side == "most" else -known.matched
            value = times * solution.lower + matched
            if not at_end.lower <= value <= at_end.upper:
                raise VerificationError(f"one proof gives {value} as the {end}, another does not")
            if at_end.lower < value:
                at_end = at_end._replace(lower=value, mapping=dict(known.mapping))
            found.append(_certificate(self.identifier, towards, at_end))
        return found

    def _solved(self, comparison: Comparison) -> Solution:
        settings = self._solver_settings(self.deadline)
        return solve_within(comparison, settings, is_derived=bool(comparison.about))

    def _solver_settings(self, deadline: Deadline) -> SolverSettings:
        settings = self.settings
        return SolverSettings(
            settings.method,
            settings.starts,
            settings.solver,
            given=settings.given_parts,
            certify=settings.certificates or settings.certify,
            seed=settings.seed,
            deadline=deadline,
            memory=settings.memory,
            budgets=self.budgets,
        )

    def _confirmed(self, comparison: Comparison, solution: Solution) -> bool | None:
        """Tell whether another solver proves the same optimum; None if it was not asked."""
        if not self.settings.cross_check:
            return None
        if solution.too_large:
            return False
        end = self._again()
        try:
            problem = comparison.built(end)
        except OutOfTime:
            return False
        return confirm(problem, solution, self._solver_settings(end))

    def _again(self) -> Deadline:
        """Return the deadline if the time of a pair begins now."""
        return self.deadline.again(self.settings.timeout).earlier(self.end)

    def _subscores(
        self, asked: "Subscores", comparison: Comparison, solution: Solution
    ) -> "Mapping[str, Subscore]":
        """Return the subscores of a pair; each search has the time limit of a pair."""
        from exactmatch.metrics.subscores.measuring import measured

        metric = comparison.metric
        plain = replace(
            self.settings,
            subscores=None,
            best_mappings=None,
            breakdown=False,
            by_sentence=False,
            certificates=False,
            cross_check=False,
        )

        def search(system: NormalisedGraph, gold: NormalisedGraph) -> "Interval":
            mapper = Mapper(self.identifier, plain, self._again(), self.end, self.budgets)
            found = mapper.map_triples(metric, system, gold).statistics
            return found.matched, found.matched_upper

        def ranges(parts: "Mapping[str, Part]") -> Mapping[str, Range]:
            end = self._again()
            try:
                compared = {
                    name: compare_triples(*part, metric, end) for name, part in parts.items()
                }
            except OutOfTime:
                return {}
            return self._ranges(comparison, solution, compared, end)

        return measured(
            asked,
            comparison.system,
            comparison.gold,
            metric,
            whole=(solution.lower, solution.upper),
            search=search,
            ranges=ranges,
        )


def _capped(comparison: Comparison, solution: Solution) -> Solution:
    """Return *solution* with an upper bound of no more than the triples of either side.

    A bound by labels may be higher: it counts a triple once for each label that is similar.
    """
    if not comparison.similar or comparison.metric.can_exceed or comparison.has_dear_labels:
        return solution
    upper = min(solution.upper, comparison.system_total, comparison.gold_total)
    late = solution.timed_out and solution.lower < upper
    return solution._replace(upper=upper, timed_out=late)


def score_mapping(
    pair: GraphPair, metric: AlignmentMetric, mapping: Mapping[int, int], solver: str
) -> PairScore:
    """Score a *mapping* by position from *solver*, with a bound of our own."""
    comparison = compare(pair, metric)
    problem = comparison.problem
    mapping = comparison.permitted(mapping)
    value = problem.value(mapping)
    quick = bounded(problem)
    solution = Solution(value, quick.upper, dict(mapping), solver, timed_out=False, proof=quick)
    measurement = _measured(comparison, solution)
    return _pair_score(pair._replace(ill_formed=None), metric, measurement, 0.0)


def _measured(
    comparison: Comparison,
    solution: Solution,
    parts: Mapping[str, Comparison] = _NO_PARTS,
    *,
    confirmed: bool | None = None,
    certificate: str | None = None,
) -> Measurement:
    """Return the measurement of *solution*, with its matches counted again from the graphs."""
    mapping = comparison.named(solution.mapping)
    matched = comparison.count_matched(mapping)
    if matched != solution.lower:
        raise VerificationError(
            f"{solution.solver} claims {solution.lower} matched triples, "
            f"but its mapping matches {matched}"
        )
    if matched > solution.upper:
        raise VerificationError(
            f"{solution.solver} claims that at most {solution.upper} triples match, "
            f"but its mapping matches {matched}"
        )
    unit = comparison.unit
    statistics = Statistics(
        unit * matched,
        unit * solution.upper,
        unit * comparison.system_total,
        unit * comparison.gold_total,
        {name: part.counts(mapping).times(part.unit) for name, part in parts.items()},
    )
    return Measurement(
        statistics,
        mapping,
        solution.solver,
        solution.timed_out,
        solution.too_large,
        checked=solution.is_checked,
        confirmed=confirmed,
        certificate=certificate,
        work=None if solution.work is None else solution.work.times(unit),
    )


def _certificate(identifier: str, comparison: Comparison, solution: Solution) -> str:
    """Return the certificate of *solution*.

    Raises `VerificationError` if the checker refutes it.
    """
    from exactmatch.certificate.checker import MALFORMED, check
    from exactmatch.solving.certificates import certificate_json, line

    content = comparison.as_json(identifier)
    certificate = certificate_json(
        content, solution.proof, mapping=solution.mapping, lower=solution.lower
    )
    try:
        check(content, certificate)
    except MALFORMED as error:
        raise VerificationError(f"the certificate is refuted: {error}") from error
    return line(certificate)


def reproducible(
    error: VerificationError, identifier: str, comparison: Comparison, settings: Settings
) -> VerificationError:
    """Return *error* about a pair, with its triples and settings as a line of JSON."""
    from exactmatch.solving.certificates import line

    signature = settings.long_signature(comparison.metric)
    content = line({"signature": signature, "pair": comparison.as_json(identifier)})
    return VerificationError(f"pair {identifier}: {error}", content)
