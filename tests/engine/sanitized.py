"""Programs compiled as C with the sanitizers on, and played in a process of their own.

The C text of many programs goes into one executable: each program's functions carry a prefix of their own,
and a small main plays random games of each and prints the rows. A sanitizer that sees
anything ends the process.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.engine.fuzz.compare import SEED, Signature, signature_of

from upcard.engine.contract import Limits
from upcard.engine.native.backends import c
from upcard.engine.native.lower import Lowered
from upcard.engine.native.lower.runtime import AT
from upcard.engine.native.lower.whole import ROW_WORDS

FLAGS = (
    "-O0",
    "-g0",
    "-w",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-strict-aliasing",
)
_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
static void play_%(n)d(void) {
  uint8_t *state = calloc(%(size)d, 1);
  int64_t *work = mmap(0, %(work)dL, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int64_t *out = calloc(%(deals)d * %(width)d, 8);
  work[%(most_decisions)d] = %(decisions)d;
  work[%(most_steps)d] = %(steps)d;
  p%(n)d_random_games(state, (uint8_t *)work, %(seed)d, 0, %(deals)d, (uint8_t *)out);
  for (int i = 0; i < %(deals)d * %(width)d; i++) printf("%%lld ", (long long)out[i]);
  printf("\\n");
  fflush(stdout);
  free(state); free(out); munmap(work, %(work)dL);
}
"""


@cache
def why_not() -> str | None:
    """Why nothing can be compiled here with sanitizers, in a sentence; None where it can."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return "there is no C compiler here"
    source = "int main(int n, char **v) { int a[4] = {0}; return a[n - 1]; }"
    tried = subprocess.run(
        [compiler, *FLAGS, "-x", "c", "-", "-o", "/dev/null"], input=source, text=True, capture_output=True
    )
    return None if tried.returncode == 0 else "the C compiler here has no sanitizer runtime"


def compiler() -> str:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang") or "cc"


def text_of(programs: list[Lowered], deals: int, limits: Limits) -> str:
    """One C file: every program under its own prefix, and a main that plays them in turn."""
    parts = []
    for n, lowered in enumerate(programs):
        text = c.to_c(lowered.module)
        if n:  # what does not depend on the program comes once
            text = text[text.index("static const uint8_t") :]
        parts.append(re.sub(rf"\b{c.PREFIX}", f"p{n}_", text))
        parts.append(
            _MAIN
            % {
                "n": n,
                "size": lowered.layout.size,
                "work": lowered.work_size,
                "deals": deals,
                "width": ROW_WORDS + lowered.layout.seats + 1,
                "seed": SEED,
                "most_decisions": AT["most_decisions"],
                "most_steps": AT["most_steps"],
                "decisions": limits.decisions,
                "steps": limits.steps,
            }
        )
    calls = "".join(f"play_{n}(); " for n in range(len(programs)))
    return "\n".join([*parts, f"int main(void) {{ {calls}return 0; }}\n"])


def rows(programs: list[Lowered], folder: Path, deals: int, limits: Limits) -> list[list[Signature]]:
    """The rows of each program; raises with the sanitizer's report if there is one."""
    source, binary = folder / "games.c", folder / "games"
    source.write_text(text_of(programs, deals, limits), encoding="ascii")
    built = subprocess.run(
        [compiler(), *FLAGS, str(source), "-o", str(binary)], text=True, capture_output=True
    )
    if built.returncode:
        raise AssertionError(built.stderr[:2000])
    ran = subprocess.run([str(binary)], text=True, capture_output=True)
    if ran.returncode or ran.stderr:
        raise AssertionError(f"program {ran.stdout.count(chr(10))} of the batch: {ran.stderr[:3000]}")
    found = []
    for line, lowered in zip(ran.stdout.splitlines(), programs, strict=True):
        words = tuple(map(int, line.split()))
        width = len(words) // deals
        found.append([signature_of(words[at : at + width], lowered) for at in range(0, len(words), width)])
    return found
