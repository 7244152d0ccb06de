"""Who shares the work of a public function."""

from collections.abc import Callable

from exactmatch.errors import UsageError
from exactmatch.workers import ClusterAddress, Workers


def sharing(
    workers: Workers, cluster: ClusterAddress | None, note: Callable[[str], object] = lambda _: None
) -> Workers:
    """Return *workers*, or those of *cluster* if one is given.

    *note* is told if these are waited for. Raises `UsageError` if both are given, and if Dask is
    not installed.
    """
    if cluster is None:
        return workers
    if workers != 1:
        raise UsageError("workers go without a cluster, which has its own")
    from exactmatch.cluster import Cluster

    return Cluster(cluster, note)
