"""Random games in Node: the same modules as in wasmtime, on a memory of their own."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from upcard.engine.api import Limits
from upcard.engine.native.backends.wasm import binary_format as binary
from upcard.engine.native.backends.wasm.module_writer import room_of, to_wasm
from upcard.engine.native.kernels.playout import row_bytes
from upcard.engine.native.lower import Lowered
from upcard.engine.native.workspace import Workspace

HOST = Path(__file__).with_name("wasm_host.mjs")


@dataclass(frozen=True)
class Played:
    rows: tuple[int, ...]
    """All words of all rows."""
    seconds: float
    """CPU time of the last round."""
    compile_seconds: float


def why_not() -> str | None:
    """Why Node cannot be used here."""
    return None if shutil.which("node") else "Node is not installed here"


def play(lowered: Lowered, seed: int, count: int, folder: Path, rounds: int = 1) -> Played:
    """Random games from the first deal on."""
    wasm = to_wasm(lowered.module)
    workspace = Workspace(lowered.work)
    limits = Limits()
    workspace.limits(limits.decisions, limits.steps)
    row_words = row_bytes(lowered.layout.seats) // 8
    files = {name: folder / name for name in ("module", "allocator", "workspace", "rows")}
    files["module"].write_bytes(wasm)
    files["allocator"].write_bytes(_allocator())
    files["workspace"].write_bytes(workspace.bytes_at(0, lowered.work.size))
    job = {name: str(path) for name, path in files.items()}
    job |= {"state": lowered.layout.size, "data": room_of(wasm)[0], "row_words": row_words}  # type: ignore[dict-item]
    job |= {"seed": seed, "count": count, "rounds": rounds}  # type: ignore[dict-item]
    (folder / "job").write_text(json.dumps(job))
    done = subprocess.run(
        ["node", str(HOST), str(folder / "job")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    rows = struct.unpack(f"<{row_words * count}q", files["rows"].read_bytes())
    return Played(rows, told["seconds"], told["compile"])


def _allocator() -> bytes:
    """A module whose functions pass their calls on to JavaScript: `take` and `give_back`."""
    i64 = bytes((binary.I64,))
    types = [b"\x60" + binary.vector([i64] * count) + binary.vector([i64]) for count in (2, 1)]
    names = ("take", "give_back")
    code = []
    for number, count in enumerate((2, 1)):
        body = b"\0" + b"".join(binary.OP["local.get"] + binary.unsigned(n) for n in range(count))
        body += binary.OP["call"] + binary.unsigned(number) + binary.OP["end"]
        code.append(binary.unsigned(len(body)) + body)
    imports = [binary.text("env") + binary.text(name) + bytes((0, n)) for n, name in enumerate(names)]
    exports = [binary.text(name) + b"\0" + binary.unsigned(2 + n) for n, name in enumerate(names)]
    sections = (
        (binary.TYPE, types),
        (binary.IMPORT, imports),
        (binary.FUNCTION, [b"\0", b"\1"]),
        (binary.EXPORT, exports),
        (binary.CODE, code),
    )
    return binary.MAGIC + b"".join(binary.section(n, binary.vector(items)) for n, items in sections)
