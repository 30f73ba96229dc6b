"""Opens the workers that --workers or --cluster names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from upcard.cli.console import MISUSE, Stop

if TYPE_CHECKING:
    from upcard.parallel.workers import Workers


@contextmanager
def open_workers(workers: int | None, cluster: str | None) -> Iterator[Workers]:
    """The number of workers that was given, or the cluster, which is left or stopped at the end."""
    if cluster is None:
        yield workers
        return
    if workers is not None:
        raise Stop(MISUSE, "give either --workers or --cluster")
    from upcard.parallel.cluster import open_cluster

    with open_cluster(cluster) as executor:
        yield executor
