"""What has to be so if the sentences of documents are to be counted one by one."""

from collections.abc import Sequence

from exactmatch.errors import UsageError
from exactmatch.metrics.amr_based import AmrMetric
from exactmatch.metrics.base import Metric
from exactmatch.settings import Settings


def check_by_sentence(settings: Settings, metrics: Sequence[Metric]) -> None:
    """Raise `UsageError` if that is asked for, and no metric tells sentences."""
    if settings.by_sentence and not any(map(_tells_sentences, metrics)):
        raise UsageError(
            "sentences are counted one by one with --sentences aligned, or with --document-level "
            "count of UMR, and without --anchors"
        )


def _tells_sentences(metric: Metric) -> bool:
    if not isinstance(metric, AmrMetric) or metric.anchors != "none":
        return False
    return metric.sentences != "free" or metric.document_level == "count"
