"""Groups of options that public functions and commands take together."""

from exactmatch.runtime.workers import Workers
from exactmatch.scoring.choices import Share, StrPath
from exactmatch.scoring.corpus import USUAL_BADNESS
from exactmatch.scoring.declaration import Options, option
from exactmatch.scoring.options import (
    CandidatePairing,
    CandidateReading,
    Checker,
    CorpusReading,
    Note,
    Pairing,
    PairProving,
    Selecting,
    Telling,
    View,
    Watching,
    Work,
    ignore_note,
)


class PairReading(Pairing, Telling):
    """How pairs are read."""


class PickedPairs(Options):
    """The pairs to show. Each function describes how they are picked."""

    id: str | None = option(default=None)
    worst: int | None = option(default=None)
    sort: str = option(default=USUAL_BADNESS)

    @property
    def ranking(self) -> tuple[int, str] | None:
        """The number of worst pairs, and the measure of badness; None for all pairs."""
        return None if self.worst is None else (self.worst, self.sort)


class ShowingPairs(PairProving, View, Pairing, Selecting, Work, Telling):
    """How pairs that are shown are read and solved."""


class CorpusComparing(PairProving, CorpusReading, Work, Telling):
    """How all graphs of a corpus are compared with all of another."""


class CandidateComparing(PairProving, CandidateReading):
    """How several graphs for one sentence are compared."""

    note: Note = option(
        default=ignore_note,
        doc="a function that is called with each note on a graph.",
        effect="nothing",
    )


class CandidateWorkers(Options):
    """The workers that share candidates. The function describes them."""

    workers: Workers = option(default=1, effect="nothing")


class CandidateFiles(PairProving, CandidatePairing, CandidateReading):
    """How candidates in files are read and solved."""


class ChoosingOptions(CandidateFiles, CandidateWorkers, Telling):
    """How graphs are chosen from files."""


class ChosenFiles(Options):
    """The files that get what was chosen. The function describes them."""

    output: StrPath | None = option(default=None)
    consensus: StrPath | None = option(default=None)


class CheckerOptions(Options):
    """The checker of certificates. Each function describes it."""

    checker: Checker = option(default="python")


class WordFiles(Options):
    """The files that the metric of certificates depends on. Each function describes them."""

    vectors: StrPath | None = option(default=None)
    similarity: StrPath | None = option(default=None)
    synonyms: StrPath | None = option(default=None)
    reification_table: StrPath | None = option(default=None)
    lengths: StrPath | None = option(default=None)
    credits: StrPath | None = option(default=None)
    cut_off: Share = option(default="0.5")
    sense_factor: Share = option(default="0.5")


class ExpectedMetric(Options):
    """The metric and the profile that certificates have to name. Each function describes both."""

    metric: str | None = option(default=None)
    profile: str | None = option(default=None)


class CertificateOptions(ExpectedMetric, WordFiles, Pairing, Telling):
    """How the graphs of certificates are counted again."""


class VerifyOptions(CheckerOptions, CertificateOptions):
    """How certificates are checked."""


class VerifyStudyOptions(CheckerOptions, WordFiles, Watching):
    """How the certificates of a study are checked."""
