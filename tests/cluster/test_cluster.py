"""--cluster with a real scheduler and real workers: equal results, losses, interrupts, and every sentence."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="distributed is not installed here")
pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
if os.name != "posix":
    pytest.skip("workers are killed with SIGKILL here", allow_module_level=True)

from tests.cli.runner import upcard as command
from tests.cluster import kill
from tests.cluster.support import (
    ROOT,
    dask_cluster,
    kill_one,
    tasks_of,
    wait_until,
    without_times,
    worker_processes,
)
from tests.parallel.executor_tasks import slow_square
from tests.parallel.pool_tasks import dying

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine.loader import load
from upcard.parallel import cluster as cluster_module
from upcard.parallel.cluster import BadCluster, ClusterLost, open_cluster
from upcard.parallel.job import OtherVersion
from upcard.parallel.pool import in_order
from upcard.parallel.workers import WorkerLost, Workers
from upcard.players.player_argument import as_players
from upcard.players.spec import PlayerSpec
from upcard.spec_grammar import BadPlayer
from upcard.study.plan import Plan
from upcard.study.study_run import Study
from upcard.study.study_summary import Summed

pytestmark = pytest.mark.filterwarnings("default")  # of a package that we do not own


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """A scheduler with two workers: its address, and the process that watches over the workers."""
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


def as_data(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return without_times(json.loads(done.stdout))


def records(path: Path) -> list[Any]:
    return [without_times(json.loads(line)) for line in path.read_text().splitlines()]


# --- equal results -------------------------------------------------------------------------------


def experiments(workers: Workers, folder: Path) -> list[Any]:
    """A simulation, a contest and a study with their records, without the times in them."""
    folder.mkdir()
    euchre, kuhn = load("euchre"), load("kuhn-poker")
    simulated = euchre.simulate(5000, 4, workers=workers)
    contest = Contest.of(euchre, as_players(["simple", "random"], euchre), 8, 4)
    run = Run(contest, folder / "contest.jsonl")
    for _ in run.play(workers):
        pass
    searching = as_players(["pimc:5"], kuhn)
    study = Study(Plan.of(kuhn, 400, 4, searching, 3), folder / "study")
    (folder / "study").mkdir()
    for _ in study.play(workers):
        pass
    results = [simulated.to_json(), run.results.to_json(), Summed(study).to_json()]
    kept = {str(path.relative_to(folder)): records(path) for path in sorted(folder.rglob("*.jsonl"))}
    return [without_times(results), kept]


def test_one_process_a_local_cluster_and_an_address_give_the_same(
    cluster: tuple[str, int], tmp_path: Path
) -> None:
    alone = experiments(1, tmp_path / "alone")
    assert len(alone[1]) == 6, "a contest, and five parts of a study"
    for name, where in (("local", "local:2"), ("address", cluster[0])):
        with open_cluster(where) as executor:
            assert experiments(executor, tmp_path / name) == alone


def test_a_local_cluster_is_started_and_stopped() -> None:
    words = ["simulate", "kuhn-poker", "--games", "500", "--json"]
    assert as_data(command(*words, "--cluster", "local:2")) == as_data(command(*words))


@pytest.mark.parametrize(
    "words",
    [
        ["match", "euchre", "--matches", "200", "--seed", "2", "--json"],
        ["match", "euchre", "--matches", "3", "--players", "simple,random", "--to", "2", "--json"],
        ["compare", "kuhn-poker", "leduc-holdem", "--games", "300", "--json"],
        ["graph", "kuhn-poker", "--games", "40", "--json"],
        ["verify", "kuhn-poker", "--games", "12"],
        ["verify", "leduc-holdem", "--rule-pairs", "--games", "1"],
        ["simulate", "kuhn-poker", "--games", "1000", "--engine", "reference", "--json"],
    ],
    ids=" ".join,
)
def test_every_command_gives_the_same(cluster: tuple[str, int], words: list[str]) -> None:
    alone, together = command(*words, "--workers", "1"), command(*words, "--cluster", cluster[0])
    assert alone.returncode == together.returncode == 0, together.stderr
    if "--json" in words:
        assert as_data(alone) == as_data(together)
    else:
        assert alone.stdout == together.stdout


def test_rows_are_made_by_the_workers_and_written_by_the_client(
    cluster: tuple[str, int], tmp_path: Path
) -> None:
    words = ["simulate", "kuhn-poker", "--games", "600000", "--json", "--rows"]
    here = as_data(command(*words, str(tmp_path / "here"), "--workers", "1"))
    there = as_data(command(*words, str(tmp_path / "there"), "--cluster", cluster[0]))
    assert here == there
    parts = {path.name: path.read_bytes() for path in (tmp_path / "here").glob("*.parquet")}
    assert len(parts) == 3
    assert {path.name: path.read_bytes() for path in (tmp_path / "there").glob("*.parquet")} == parts


def test_pages_are_written_by_the_client(cluster: tuple[str, int], tmp_path: Path) -> None:
    words = ["site", "kuhn-poker", "leduc-holdem", "--games", "100", "--players", "none", "-o"]
    assert command(*words, str(tmp_path / "a"), "--workers", "1").returncode == 0
    assert command(*words, str(tmp_path / "b"), "--cluster", cluster[0]).returncode == 0
    names = sorted(path.name for path in (tmp_path / "a").glob("*.html"))
    assert names == ["index.html", "kuhn-poker.html", "leduc-holdem.html"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    again = command(*words, str(tmp_path / "b"), "--cluster", cluster[0])
    assert "0 pages written, 2 as they were" in again.stdout


def test_dasks_own_executor_can_be_passed(cluster: tuple[str, int]) -> None:
    from distributed import Client

    game = upcard.load("euchre")
    with Client(cluster[0], set_as_default=False) as client:
        assert game.simulate(2000, 3, workers=client.get_executor()) == game.simulate(2000, 3)


def test_a_decided_contest_stops_the_cluster(cluster: tuple[str, int]) -> None:
    game = load("euchre")
    contest = Contest.of(game, as_players(["simple", "random"], game), 4000, 1, sprt=(0.0, 1.0))
    alone, together = Run(contest), Run(contest)
    for _ in alone.play(1):
        pass
    with open_cluster(cluster[0]) as executor:
        for _ in together.play(executor):
            pass
        assert len(together.results.games) == len(alone.results.games) < contest.games
        wait_until(lambda: tasks_of(cluster[0]) == 0)


# --- losses --------------------------------------------------------------------------------------


def test_workers_are_killed_at_random(tmp_path: Path) -> None:
    """`python -m tests.cluster.kill` kills fifty."""
    assert "both equal those of one process" in kill.check(1, 3, tmp_path)


def test_a_range_that_ends_every_worker_is_named() -> None:
    with open_cluster("local:2") as executor, closing(in_order(dying, None, 6, 1, executor)) as parts:
        assert [next(parts), next(parts)] == [0, 1]
        with pytest.raises(WorkerLost, match=r"number 2 of the work did not come back in 3 tries \(Kil"):
            next(parts)


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def test_a_scheduler_that_restarts_or_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    with ExitStack() as stack:
        with dask_cluster(tmp_path, port=port) as (address, _):
            executor = stack.enter_context(open_cluster(address))
            parts = in_order(slow_square, None, 3000, 1, executor)
            found = [next(parts) for _ in range(5)]
        with dask_cluster(tmp_path, port=port):
            found += parts
            assert found == [number**2 for number in range(3000)]
            parts = in_order(slow_square, None, 100_000, 1, executor)
            next(parts)
        monkeypatch.setattr(cluster_module, "GONE_SECONDS", 1.0)
        with pytest.raises(ClusterLost, match=f"the scheduler at {address} is gone; start it again, and"):
            for _ in parts:
                pass


CONTEST = ["arena", "euchre", "--players", "simple,random", "--seed", "6", "--deals"]


def started(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "upcard", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize("local", [False, True], ids=["address", "local"])
def test_an_interrupt_leaves_no_task_and_a_whole_record(
    cluster: tuple[str, int], tmp_path: Path, local: bool
) -> None:
    """As in a terminal: every process that the command started gets the signal."""
    record = tmp_path / "games.jsonl"
    words = [*CONTEST, "100000", "--record", str(record)]
    client = started(*words, "--cluster", "local:2" if local else cluster[0])
    wait_until(lambda: lines(record) > 5)
    os.killpg(client.pid, signal.SIGINT)
    _, errors = client.communicate(timeout=60)
    assert client.returncode == 130, errors
    assert errors.count("\n") == 1
    assert "and the same command resumes" in errors
    wait_until(lambda: tasks_of(cluster[0]) == 0)
    assert records(record)


def test_a_killed_client_goes_on_from_its_record(cluster: tuple[str, int], tmp_path: Path) -> None:
    record, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    words = [*CONTEST, "60"]
    client = started(*words, "--record", str(record), "--cluster", cluster[0])
    wait_until(lambda: lines(record) > 5)
    client.kill()
    client.communicate()
    before = lines(record) - 1
    wait_until(lambda: tasks_of(cluster[0]) == 0)
    resumed = command(*words, "--record", str(record), "--cluster", cluster[0])
    assert before == 120 or f"{before} games taken from the record" in resumed.stdout
    assert command(*words, "--record", str(whole), "--workers", "1").returncode == 0
    assert records(record) == records(whole)


# --- what cannot be ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "where, sentence",
    [
        ("nowhere", "a cluster is host:8786, local:N, ssh:host1,host2, slurm:N or kubernetes:N, not nowhere"),
        ("tcp://", "a cluster is host:8786"),
        ("tcp://[red", "a cluster is host:8786"),
        ("host:99999", "a cluster is host:8786"),
        ("local:none", "local: is followed by a number of workers, as in local:4, not none"),
        ("slurm:", "slurm: is followed by a number of workers, as in slurm:4, not nothing"),
        ("ssh:", "ssh: is followed by hosts, as in ssh:host1,host2"),
    ],
)
def test_impossible_clusters(where: str, sentence: str) -> None:
    done = command("simulate", "kuhn-poker", "--games", "10", "--cluster", where)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"upcard: {sentence}")


def test_an_address_where_nothing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 0.5)
    where = f"127.0.0.1:{free_port()}"
    done = command("arena", "kuhn-poker", "--players", "random,random", "--cluster", where)
    assert (done.returncode, done.stdout) == (2, "")
    expected = (
        f"upcard: no scheduler answers at {where}; check the address, or start one with `dask scheduler`\n"
    )
    assert done.stderr == expected


def test_workers_and_a_cluster_together() -> None:
    done = command("study", "kuhn-poker", "--workers", "2", "--cluster", "local:2")
    assert (done.returncode, done.stderr) == (2, "upcard: give either --workers or --cluster\n")
    done = command("match", "kuhn-poker", "--record", "games.jsonl", "--cluster", "local:2")
    assert done.returncode == 2
    assert "leave --cluster out" in done.stderr


BLOCKER = """
import sys
sys.modules["{package}"] = None
from upcard.cli.main import main
sys.argv[1:] = ["simulate", "kuhn-poker", "--cluster", "{where}"]
main()
"""


@pytest.mark.parametrize(
    "package, where, sentence",
    [
        ("distributed", "localhost:8786", "--cluster needs Dask's scheduler: pip install 'upcard[cluster]'"),
        ("distributed", "local:2", "--cluster needs Dask's scheduler: pip install 'upcard[cluster]'"),
        ("asyncssh", "ssh:localhost", "--cluster ssh needs asyncssh: pip install asyncssh"),
        ("dask_jobqueue", "slurm:2", "--cluster slurm needs dask-jobqueue: pip install dask-jobqueue"),
        (
            "dask_kubernetes",
            "kubernetes:2",
            "--cluster kubernetes needs dask-kubernetes: pip install",
        ),
    ],
)
def test_a_missing_package(package: str, where: str, sentence: str) -> None:
    text = BLOCKER.format(package=package, where=where)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith(f"upcard: {sentence}")
    assert done.stderr.count("\n") == 1


def test_a_worker_with_another_version(tmp_path: Path) -> None:
    copy = tmp_path / "old" / "upcard"
    shutil.copytree(Path(upcard.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    text = (copy / "__init__.py").read_text()
    (copy / "__init__.py").write_text(text.replace(f'"{upcard.__version__}"', '"0.0.9"'))
    old = {"PYTHONPATH": str(tmp_path / "old")}
    sentence = r"has Upcard 0\.0\.9, and this is .*; install the same version on every machine"
    with dask_cluster(tmp_path, 1, old) as (address, _), open_cluster(address) as executor:
        with pytest.raises(OtherVersion, match=sentence):
            upcard.load("kuhn-poker").simulate(100, workers=executor)


ALONE = """
class Mine:
    def choose(self, observation, budget):
        return observation.moves[-1]
"""
WITH_HELPER = """
import helper

class Mine:
    def choose(self, observation, budget):
        return helper.last(observation)
"""
HELPER = """
def last(observation):
    return observation.moves[-1]
"""


def test_a_players_file_goes_along(cluster: tuple[str, int], tmp_path: Path) -> None:
    """On a machine without the file the player is the same; what the file imports must be there."""
    folder = tmp_path / "players"
    folder.mkdir()
    for name, text in {"alone": ALONE, "mine": WITH_HELPER, "helper": HELPER}.items():
        (folder / f"{name}.py").write_text(text)
    game = load("kuhn-poker")
    alone, mine = (as_players([f"{folder}/{name}.py:Mine", "random"], game) for name in ("alone", "mine"))
    with open_cluster(cluster[0]) as executor:

        def games(players: list[PlayerSpec], deals: int) -> list[Any]:
            contest = Contest.of(game, players, deals, 1, secret="ab" * 32)
            return [without_times(played.to_json()) for played in Run(contest).play(executor)]

        with_file = games(alone, 4)
        assert games(mine, 4) == with_file
        shutil.rmtree(folder)
        assert games(alone, 5)[:8] == with_file
        sentence = r"mine\.py cannot be imported: .*No module named 'helper'.*, on .*; put everything that it"
        with pytest.raises(BadPlayer, match=sentence):
            games(mine, 5)


def test_a_program_that_a_worker_lacks(cluster: tuple[str, int], tmp_path: Path) -> None:
    program = tmp_path / "mine"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    players = as_players([f"cmd:{program}", "random"], load("kuhn-poker"))
    program.unlink()
    contest = Contest.of(load("kuhn-poker"), players, 4, 1)
    with open_cluster(cluster[0]) as executor, pytest.raises(BadPlayer, match="mine is not a program on"):
        list(Run(contest).play(executor))


def test_a_players_file_that_is_not_there(cluster: tuple[str, int]) -> None:
    done = command("arena", "kuhn-poker", "--players", "nobody.py:Mine,random", "--cluster", cluster[0])
    assert done.returncode == 2
    assert done.stderr.startswith("upcard: nobody.py cannot be read: no such file or directory; write path/")


def test_workers_are_counted_and_restart(cluster: tuple[str, int]) -> None:
    with open_cluster(cluster[0]) as executor:
        wait_until(lambda: executor.width == 2 and str(executor.crew) == "2 workers on 1 machine")
        assert kill_one(cluster[1], random.Random(1))
        wait_until(lambda: len(worker_processes(cluster[1])) == 2)
        assert [*in_order(slow_square, None, 50, 1, executor)] == [number**2 for number in range(50)]
    with pytest.raises(BadCluster):
        with open_cluster("local:x"):
            pass
