"""How a corpus is scored: what searches and proves, and within which limits."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactmatch._version import __version__, solver_versions
from exactmatch.errors import UsageError
from exactmatch.metrics.base import Metric
from exactmatch.runtime.workers import MOST
from exactmatch.solving.names import AUTO, EXACT, SOLVERS
from exactmatch.solving.search.methods import METHODS, STARTS, Starts

if TYPE_CHECKING:
    from exactmatch.metrics.subscores.asked import Subscores

#: CP-SAT and SCIP take seeds of 31 bits.
_LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Settings:
    """What is asked for. Raises `UsageError` for what makes no sense.

    method: ``exact``, or a heuristic of `exactmatch.solving.search.methods.METHODS`.
    starts: what heuristics map, to begin with and all the time; see there.
    solver: what proves the exact result, one of `exactmatch.solving.strategy.SOLVERS`.
    timeout: seconds for a pair, total_timeout: seconds for all; None is no limit.
    seed: of every random choice; each pair starts from it anew.
    memory: bytes that a pair may take; one that would take more is not solved but bounded.
    cross_check: solve every pair again with another solver.
    certificates: write down a proof of every result.
    breakdown: count the matched triples of each kind as well.
    best_mappings: of each pair, list so many of its best mappings, and tell what all have in
        common; for 0, only make sure that the mapping is the defined one, see
        `exactmatch.solving.best.listing`. None asks for nothing of this.
    subscores: the scores of single phenomena that are asked for as well.
    by_sentence: count the triples of each sentence of documents as well.
    """

    method: str = EXACT
    starts: Starts = "all"
    solver: str = AUTO
    timeout: float | None = None
    total_timeout: float | None = None
    seed: int = 0
    memory: int = MOST
    cross_check: bool = False
    certificates: bool = False
    breakdown: bool = False
    best_mappings: int | None = None
    subscores: "Subscores | None" = None
    by_sentence: bool = False

    def __post_init__(self) -> None:
        kinds = {"method": (EXACT, *METHODS), "starts": STARTS, "solver": SOLVERS}
        for name, known in kinds.items():
            if getattr(self, name) not in known:
                raise UsageError(
                    f"no {name} is called {getattr(self, name)!r}; there are {', '.join(known)}"
                )
        for seconds in (self.timeout, self.total_timeout):
            if seconds is not None and not (type(seconds) in (int, float) and seconds >= 0):
                raise UsageError(f"a time limit of {seconds!r} seconds")
        if not (type(self.memory) is int and self.memory >= 0):
            raise UsageError(f"a limit of {self.memory!r} bytes")
        if self.best_mappings is not None and not (
            type(self.best_mappings) is int and self.best_mappings >= 0
        ):
            raise UsageError(f"{self.best_mappings!r} best mappings: not a whole number from 0 on")
        if not (isinstance(self.seed, int) and 0 <= self.seed <= _LARGEST_SEED):
            raise UsageError(f"seed {self.seed!r}: not a whole number from 0 to {_LARGEST_SEED}")
        only_exact = self.cross_check or self.certificates or self.solver != AUTO
        if self.method != EXACT and only_exact:
            raise UsageError(
                "solvers, certificates and cross-checking go with the exact method alone"
            )

    @property
    def search(self) -> str:
        """How mappings are looked for, in the words of a signature, but for the seed."""
        method = f"method:{self.method}"
        return method if self.method == EXACT else f"{method}|starts:{self.starts}"

    def signature(self, metric: Metric) -> str:
        """Return one line that fixes every choice that moves the score by *metric*."""
        seed = "" if self.method == EXACT else f"|seed:{self.seed}"
        return f"{metric.signature(self.search + seed)}|version:{__version__}"

    def long_signature(self, metric: Metric) -> str:
        """Return the signature with the limits and, where it proves, solver, seed, versions."""
        parts = [self.signature(metric)]
        for name in ("timeout", "total_timeout"):
            seconds = getattr(self, name)
            parts.append(f"{name.replace('_', '-')}:{'none' if seconds is None else seconds}")
        parts.append(f"memory:{self.memory}")
        if self.subscores is not None:
            parts.append(self.subscores.signature())
        if self.method == EXACT:
            parts += [f"solver:{self.solver}", f"seed:{self.seed}", f"with:{solver_versions()}"]
        return "|".join(parts)
