"""Runs many commands in one process of its own, in an environment that a test chooses.

Standard input is a JSON list of [folder, words, input]; standard output is a list of [exit code, output,
errors], whose bytes are written as Latin-1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cli.runner import Done, upcard_bytes

ROOT = Path(__file__).resolve().parents[2]


def run_all(
    commands: Sequence[tuple[Path, Sequence[str], str]], environment: Mapping[str, str]
) -> list[Done[bytes]]:
    given = json.dumps([[str(folder), *rest] for folder, *rest in commands])
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.many_commands"],
        cwd=ROOT,
        input=given.encode(),
        capture_output=True,
        env=dict(environment),
        timeout=100,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [
        Done(words, code, out.encode("latin-1"), err.encode("latin-1"))
        for (_, words, _), (code, out, err) in zip(commands, json.loads(done.stdout), strict=True)
    ]


def main() -> None:
    done = []
    for folder, words, given in json.load(sys.stdin):
        arguments = [os.fsdecode(word.encode()) for word in words]  # as they would come from the shell
        encoding, errors = sys.stdout.encoding, sys.stdout.errors or "strict"
        done.append(upcard_bytes(*arguments, cwd=Path(folder), given=given, encoding=encoding, errors=errors))
    results = [[one.returncode, one.stdout.decode("latin-1"), one.stderr.decode("latin-1")] for one in done]
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
