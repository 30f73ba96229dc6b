"""Compares --cluster ssh:HOST:2 with one process; the host is an SSH server in this process.

pip install asyncssh
python -m tests.cluster.ssh_hosts
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import asyncssh
from tests.cluster.support import ROOT, end, without_times

WORDS = ["arena", "euchre", "--players", "simple,random", "--deals", "40", "--seed", "3", "--json"]


async def run_command(process: asyncssh.SSHServerProcess[str]) -> None:
    """Runs a command in a shell, as `sshd` does, and ends it with the connection."""
    assert process.command is not None
    pipe = subprocess.PIPE
    child = subprocess.Popen(process.command, shell=True, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        await process.redirect(stdin=child.stdin, stdout=child.stdout, stderr=child.stderr)
        process.exit(await asyncio.to_thread(child.wait))
    finally:
        end(child.pid)


async def check(home: Path) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    ssh = home / ".ssh"
    ssh.mkdir()
    key.write_private_key(ssh / "id_ed25519")
    key.write_public_key(ssh / "authorized_keys")
    server = await asyncssh.create_server(
        asyncssh.SSHServer,
        "127.0.0.1",
        0,
        server_host_keys=[key],
        authorized_client_keys=str(ssh / "authorized_keys"),
        process_factory=run_command,
    )
    port = server.sockets[0].getsockname()[1]
    (ssh / "known_hosts").write_text(f"[127.0.0.1]:{port} {key.export_public_key().decode()}")
    (ssh / "config").write_text(f"Host 127.0.0.1\n  Port {port}\n  User somebody\n")
    printed = []
    for where in (["--workers", "1"], ["--cluster", "ssh:127.0.0.1:2"]):
        child = await asyncio.create_subprocess_exec(
            *[sys.executable, "-m", "upcard", *WORDS, *where],
            cwd=ROOT,
            env={**os.environ, "HOME": str(home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, errors = await child.communicate()
        assert child.returncode == 0, errors.decode()
        printed.append(without_times(json.loads(out)))
    assert printed[0] == printed[1], "the contest is another one over SSH"
    server.close()
    await server.wait_closed()
    await asyncio.sleep(1)  # the handlers end what they started
    print("a contest over SSH equals that of one process")


def main() -> None:
    warnings.simplefilter("ignore", RuntimeWarning)  # asyncssh gives up waiting when a connection is cut
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(check(Path(folder)))


if __name__ == "__main__":
    main()
