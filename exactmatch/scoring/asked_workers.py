"""The workers that a public function is asked to use: processes, or those of a cluster."""

from exactmatch.errors import UsageError
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.options import Note, Work, ignore_note


def resolve_workers(work: Work, note: Note = ignore_note) -> Workers:
    """Return the requested workers, or those of the cluster if one is given.

    *note* is called if the cluster has to be waited for. Raises `UsageError` if both are given, and
    if Dask is not installed.
    """
    if work.cluster is None:
        return work.workers
    if work.workers != 1:
        raise UsageError(
            "workers and cluster cannot be combined: the cluster has workers of its own"
        )
    from exactmatch.runtime.cluster import Cluster

    return Cluster(work.cluster, note)
