"""Workers of a Dask cluster as an Executor: one that runs, or one that is started for the occasion.

This is the only module that imports `distributed`, which is Dask's scheduler. Everything else takes any
Executor. What is added to Dask's own: the number of workers, and a scheduler that restarts or goes away.
"""

from __future__ import annotations

import logging
import math
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from upcard.parallel.child_signals import without_interrupts
from upcard.recycle.diagnostics import Refused

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 10.0
"""How long to look for a scheduler, and for its first worker."""
CHECK_SECONDS = 2.0
"""The scheduler is asked for its workers this often, which also shows whether it is there."""
GONE_SECONDS = 30.0
"""A scheduler that does not answer for so long is given up."""
EMPTY_SECONDS = 60.0
"""A cluster without workers for so long is given up, unless a queue may start some later."""

KINDS = "host:8786, local:N, ssh:host1,host2, slurm:N or kubernetes:N"


class BadCluster(Refused):
    """A cluster that cannot be used: a wrong address, no scheduler, a missing package."""


class ClusterLost(Refused):
    """The scheduler or all workers went away in the middle of the work."""

    is_answer = True


@dataclass(frozen=True)
class Crew:
    """The workers of a cluster at one moment."""

    workers: int
    machines: int

    def __str__(self) -> str:
        workers = f"{self.workers:,} worker{'' if self.workers == 1 else 's'}"
        return f"{workers} on {self.machines:,} machine{'' if self.machines == 1 else 's'}"


class ClusterExecutor(Executor):
    """Submits to a Dask client, survives a restart of the scheduler, and knows its workers.

    `patient` says whether to wait without limit for workers, which a queue may start hours later.
    """

    def __init__(self, client: Client, patient: bool = True) -> None:
        self._client = client
        self._patient = patient
        assert client.scheduler is not None, "the client is connected"
        self._address = str(client.scheduler.address)
        self._security = client.security
        self._scheduler = ""
        self._under_way: weakref.WeakSet[Future[Any]] = weakref.WeakSet()
        self._own_clients: list[Client] = []
        self._crew = Crew(0, 0)
        self._threads = 0
        self._checked = self._answered = self._staffed = time.monotonic()
        self._check()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        while True:
            try:
                future: Future[Any] = self._client.get_executor(pure=False).submit(fn, *args, **kwargs)
            except Exception as error:  # the client has many ways to say that it is closed
                if self._client.status == "running":
                    raise ClusterLost(f"the cluster takes no work: {error}; run the command again") from error
                self._check()
                time.sleep(0.1)
                continue
            self._under_way.add(future)
            return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Closes what this object opened. The client it was made with stays open."""
        if cancel_futures or not wait:
            self._cancel_all()
        for client in self._own_clients:
            _close(client)
        self._own_clients.clear()

    @property
    def width(self) -> int:
        """How many ranges the cluster works on at once. Raises `ClusterLost` if it is gone."""
        if time.monotonic() - self._checked >= CHECK_SECONDS:
            self._check()
        return max(1, self._threads)

    @property
    def crew(self) -> Crew:
        return self._crew

    def _check(self) -> None:
        """Asks the scheduler for its name and its workers."""
        try:
            name, threads = self._client.sync(_census, self._client.scheduler, callback_timeout=CHECK_SECONDS)
        except Exception:  # a comm error, a timeout or a closed client: all of them mean no answer
            self._no_answer()
            return
        finally:
            self._checked = time.monotonic()
        self._answered = self._checked
        if self._scheduler not in ("", name) or self._client.status != "running":
            self._reconnect()
        self._scheduler = name
        self._threads = sum(threads.values())
        self._crew = Crew(len(threads), len({urlsplit(worker).hostname for worker in threads}))
        if threads or self._patient:
            self._staffed = self._checked
        elif self._checked - self._staffed > EMPTY_SECONDS:
            raise ClusterLost(
                f"the scheduler at {self._address} has had no workers for {EMPTY_SECONDS:.0f} seconds; start "
                f"some with `dask worker {self._address} --nthreads 1`, and run the command again"
            )

    def _no_answer(self) -> None:
        if time.monotonic() - self._answered > GONE_SECONDS:
            raise ClusterLost(
                f"the scheduler at {self._address} is gone; start it again, and run the same command, which "
                "goes on from its record if it has one"
            )
        if self._client.status != "running":
            with suppress(OSError):
                self._reconnect()

    def _reconnect(self) -> None:
        """A new client, because a scheduler that restarts knows nothing of the old one's tasks."""
        from distributed import Client

        client = Client(self._address, timeout=CHECK_SECONDS, set_as_default=False, security=self._security)
        for old in self._own_clients:
            _close(old)
        self._own_clients = [client]
        self._client, self._scheduler = client, ""
        self._cancel_all()

    def _cancel_all(self) -> None:
        for future in list(self._under_way):
            future.cancel()


async def _census(scheduler: Any) -> tuple[str, dict[str, int]]:
    """The scheduler's name, which is new when it restarts, and the threads of each worker."""
    about = await scheduler.identity(n_workers=0)
    return about["id"], await scheduler.ncores()


def _close(client: Client) -> None:
    with suppress(Exception):  # it may have lost its scheduler
        client.close(timeout=CHECK_SECONDS)


# --- opening -------------------------------------------------------------------------------------


@contextmanager
def open_cluster(where: str) -> Iterator[ClusterExecutor]:
    """The cluster at an address, or one that is started now and stopped at the end.

    Raises `BadCluster` with a sentence if there is none.
    """
    kind, _, rest = where.partition(":")
    with ExitStack() as stack:
        if kind in _STARTERS:
            _import_distributed()
            cluster = _started(kind, rest)
            stack.callback(_stop, cluster)
            client = _connected(cluster, where)
        else:
            client = _connected(_address(where), where)
        stack.callback(_close, client)
        executor = ClusterExecutor(client, patient=kind in ("slurm", "kubernetes"))
        stack.callback(executor.shutdown, wait=False)
        yield executor


def _address(where: str) -> str:
    address = where if "://" in where else f"tcp://{where}"
    try:
        parts = urlsplit(address)
        complete = bool(parts.hostname) and parts.port is not None
    except ValueError:  # a port or brackets that cannot be
        complete = False
    if not complete:
        raise BadCluster(f"a cluster is {KINDS}, not {where}")
    _import_distributed()
    return address


def _import_distributed() -> None:
    try:
        import distributed
    except ImportError:
        raise BadCluster("--cluster needs Dask's scheduler: pip install 'upcard[cluster]'") from None
    for name in (distributed.__name__, *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters is said in a sentence


def _connected(target: Any, where: str) -> Client:
    from distributed import Client

    try:
        return Client(target, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, RuntimeError):
        raise BadCluster(
            f"no scheduler answers at {where}; check the address, or start one with `dask scheduler`"
        ) from None


def _started(kind: str, rest: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as that the port of the dashboard is taken
            return _STARTERS[kind](rest)
    except Refused:
        raise
    except ImportError:
        package = _PACKAGES[kind]
        raise BadCluster(f"--cluster {kind} needs {package}: pip install {package}") from None
    except Exception as error:  # packages for queues and clouds raise what they like
        text = " ".join(str(error).split())[:300]
        raise BadCluster(
            f"the cluster {kind}:{rest} cannot be started: {text or type(error).__name__}"
        ) from None


def _stop(cluster: Any) -> None:
    with suppress(Exception):
        cluster.close(timeout=CONNECT_SECONDS)


def _number(kind: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 100_000):
        raise BadCluster(
            f"{kind}: is followed by a number of workers, as in {kind}:4, not {text or 'nothing'}"
        )
    return int(text)


def _local(rest: str) -> Any:
    workers = _number("local", rest)
    import dask
    from distributed import LocalCluster

    settings = {
        "distributed.scheduler.allowed-failures": 0,  # lost ranges are tried again here
        "distributed.worker.profile.enabled": False,  # nobody looks at the profile, which takes time
    }
    with dask.config.set(settings), without_interrupts():  # Ctrl-C is for the client
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL + 1,
        )


def _ssh(rest: str) -> Any:
    counts: dict[str, int] = {}
    for text in filter(None, map(str.strip, rest.split(","))):
        host, _, number = text.partition(":")
        counts[host] = counts.get(host, 0) + (_number(f"ssh:{host}", number) if number else 1)
    if not all(counts) or not counts:
        raise BadCluster(
            "ssh: is followed by hosts, as in ssh:host1,host2 or, with 8 workers each, ssh:host1:8,host2:8"
        )
    import asyncssh  # noqa: F401  (Dask says so only after it has begun)
    from distributed import SSHCluster

    # one connection starts `together` workers; the first host runs the scheduler too
    together = math.gcd(*counts.values())
    hosts = [host for host, count in counts.items() for _ in range(count // together)]
    options = {"nthreads": 1, "n_workers": together}
    return SSHCluster([hosts[0], *hosts], worker_options=options, scheduler_options={"dashboard": False})


def _slurm(rest: str) -> Any:
    workers = _number("slurm", rest)
    import dask
    from dask_jobqueue import SLURMCluster

    given = dask.config.get("jobqueue.slurm", {})
    usual: dict[str, Any] = {"cores": 1, "processes": 1, "memory": "2GB"}
    cluster = SLURMCluster(**{name: value for name, value in usual.items() if not given.get(name)})
    cluster.scale(workers)
    return cluster


def _kubernetes(rest: str) -> Any:
    workers = _number("kubernetes", rest)
    from dask_kubernetes.operator import KubeCluster

    return KubeCluster(name="upcard", n_workers=workers, quiet=True)


_STARTERS: dict[str, Callable[[str], Any]] = {
    "local": _local,
    "ssh": _ssh,
    "slurm": _slurm,
    "kubernetes": _kubernetes,
}
_PACKAGES = {
    "ssh": "asyncssh",
    "slurm": "dask-jobqueue",
    "kubernetes": "dask-kubernetes",
    "local": "distributed",
}
