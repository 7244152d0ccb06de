"""The settings that score pairs and corpora."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from exactmatch._version import __version__, solver_versions
from exactmatch.encodings import NAMES
from exactmatch.errors import UsageError, shown_value
from exactmatch.metrics.base import Metric
from exactmatch.metrics.equal_by_fields import EqualByFields
from exactmatch.runtime.workers import MOST, Workers, default_limit
from exactmatch.scoring.declaration import Options
from exactmatch.solving.names import (
    AUTO,
    EXACT,
    GIVEN,
    LARGEST_SEED,
    NOTHING,
    SOLVERS,
    usually_given,
)
from exactmatch.solving.search.methods import METHODS, STARTS, Starts

if TYPE_CHECKING:
    from exactmatch.metrics.subscores.asked import Subscores


@dataclass(frozen=True, slots=True, eq=False)  # by fields
class Settings(EqualByFields):
    """All settings of a call. Raises `UsageError` for contradictory settings.

    method: ``exact``, or a heuristic of `exactmatch.solving.search.methods.METHODS`.
    starts: what heuristics map, at the start and later; see `Search`.
    solver: the solver that proves the exact result, one of `exactmatch.solving.names.SOLVERS`.
    given: what a solver asked for by name receives; see `Solver`.
    timeout: seconds for a pair, total_timeout: seconds for all; None is no limit.
    seed: the seed of every random choice; each pair starts from it again.
    memory: bytes for a pair; a pair that would need more is not solved, but bounded.
    cross_check: solve every pair again with another solver.
    certificates: write a proof of every result.
    certify: prove again, by a checked proof, what only a solver has proven; certificates imply it.
    breakdown: count the matched triples of each kind as well.
    best_mappings: list so many best mappings of each pair, and find what all of them share; for 0,
        only make sure that the mapping is the defined one, see `exactmatch.solving.best.listing`.
        None lists nothing.
    subscores: scores of single phenomena to compute as well.
    by_sentence: count the triples of each sentence of documents as well.
    repair: read graphs as other readers do, see `Pairing`.
    """

    method: str = EXACT
    starts: Starts = "all"
    solver: str = AUTO
    given: str | Sequence[str] | None = None
    timeout: float | None = None
    total_timeout: float | None = None
    seed: int = 0
    memory: int = MOST
    cross_check: bool = False
    certificates: bool = False
    certify: bool = False
    breakdown: bool = False
    best_mappings: int | None = None
    subscores: "Subscores | None" = None
    by_sentence: bool = False
    repair: bool = False

    @classmethod
    def of(cls, *groups: Options, workers: Workers = 1, **others: Any) -> "Settings":
        """Return the settings of the *groups* and of *others*, with memory for so many workers."""
        given = {name: value for group in groups for name, value in vars(group).items()} | others
        if given.get("memory") is None:
            given["memory"] = default_limit(workers)
        return cls(**{name: given[name] for name in cls.__dataclass_fields__ if name in given})

    def __post_init__(self) -> None:
        kinds = {"method": (EXACT, *METHODS), "starts": STARTS, "solver": SOLVERS}
        for name, known in kinds.items():
            if getattr(self, name) not in known:
                raise UsageError(
                    f"no {name} is called {getattr(self, name)!r}; the values are "
                    f"{', '.join(known)}"
                )
        self._check_numbers()
        self._check_given()
        only_exact = self.cross_check or self.certificates or self.solver != AUTO
        if self.method != EXACT and only_exact:
            raise UsageError("solvers, certificates and cross-checking need the exact method")

    def _check_given(self) -> None:
        if self.given is None:
            return
        if not isinstance(self.given, str):
            object.__setattr__(self, "given", _joined(self.given))
        if not self.is_by_name:
            raise UsageError(f"the option given needs a solver by name: {', '.join(NAMES)}")
        if self.given != NOTHING and not set(self._given) <= set(GIVEN):
            raise UsageError(
                f"given is {self.given!r}; the values are {', '.join(GIVEN)}, several with "
                f"commas, or {NOTHING}"
            )

    def searched_by(self, method: str) -> "Settings":
        """Return the same with another *method*; only the exact one needs the solver."""
        if method == EXACT:
            return replace(self, method=method)
        return replace(self, method=method, solver=AUTO, given=None)

    @property
    def is_by_name(self) -> bool:
        """Whether a single solver runs by name, and not a strategy."""
        return self.method == EXACT and self.solver in NAMES

    @property
    def given_parts(self) -> Sequence[str]:
        """Return the input of a solver that runs by name, in the order of `GIVEN`."""
        if self.given is None:
            return usually_given(self.solver)
        return [part for part in GIVEN if part in self._given]

    @property
    def _given(self) -> Sequence[str]:
        """The names in *given*, which is a text from the beginning, or made one."""
        return str(self.given).split(",")

    def _check_numbers(self) -> None:
        for seconds in (self.timeout, self.total_timeout):
            if seconds is not None and not (type(seconds) in (int, float) and seconds >= 0):
                raise UsageError(f"a time limit of {seconds!r} seconds")
        if not _is_count(self.memory):
            raise UsageError(f"a limit of {self.memory!r} bytes")
        if self.best_mappings is not None and not _is_count(self.best_mappings):
            raise UsageError(f"{self.best_mappings!r} best mappings: not a whole number from 0 on")
        if not (isinstance(self.seed, int) and 0 <= self.seed <= LARGEST_SEED):
            raise UsageError(
                f"seed {shown_value(self.seed)}: not a whole number from 0 to {LARGEST_SEED}"
            )

    @property
    def search(self) -> str:
        """The search in the words of a signature, without the seed."""
        method = f"method:{self.method}"
        return method if self.method == EXACT else f"{method}|starts:{self.starts}"

    def signature(self, metric: Metric) -> str:
        """Return one line that fixes every choice that changes the score by *metric*."""
        seed = "" if self.method == EXACT else f"|seed:{self.seed}"
        repair = "|repair:on" if self.repair else ""
        return f"{metric.signature(self.search + seed)}{repair}|version:{__version__}"

    def long_signature(self, metric: Metric) -> str:
        """Return the signature with the limits and, for proofs, the solver, seed and versions."""
        parts = [self.signature(metric)]
        for name in ("timeout", "total_timeout"):
            seconds = getattr(self, name)
            parts.append(f"{name.replace('_', '-')}:{'none' if seconds is None else seconds}")
        parts.append(f"memory:{self.memory}")
        if self.subscores is not None:
            parts.append(self.subscores.signature())
        if self.method == EXACT:
            parts.append(f"solver:{self.solver}")
            if self.is_by_name:
                parts.append(f"given:{','.join(self.given_parts) or NOTHING}")
            parts += [f"seed:{self.seed}", f"with:{solver_versions()}"]
        return "|".join(parts)


def _joined(names: object) -> str:
    """Return names in one text, with commas between. Raises `UsageError` for anything else."""
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise UsageError(f"given: expected names in a list or with commas between, not {names!r}")
    return ",".join(names)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0
