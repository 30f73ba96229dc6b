"""Programs compiled as C with the sanitizers on, and played in a process of their own.

The C text of many programs goes into one executable: each program's functions carry a prefix of their own,
and a small main plays random games of each and prints the rows. What several programs have word for word, as
they do most of the engine's own functions, is compiled once. A sanitizer that sees anything ends the process.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.engine.fuzz.compare import SEED, Signature, signature_of

from upcard.engine.api import Limits
from upcard.engine.native.backends import c
from upcard.engine.native.kernels.playout import GameRow, row_bytes
from upcard.engine.native.kernels.workspace_growth import Region, WordTable
from upcard.engine.native.lower import Lowered
from upcard.engine.native.lower.runtime import AT
from upcard.engine.native.workspace import WorkPlan

REGION, TABLE = Region.fields, WordTable.fields
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
static void play_%(n)d(void) {
  uint8_t *state = calloc(%(size)d, 1);
  int64_t *work = calloc(%(work)dL, 1);
  int64_t *out = calloc(%(deals)d * %(width)d, 8);
  %(head)s
  work[%(here)d] = (int64_t)work; work[%(take)d] = (int64_t)calloc; work[%(give_back)d] = (int64_t)free;
  work[%(most_decisions)d] = %(decisions)d;
  work[%(most_steps)d] = %(steps)d;
  %(play)s
  for (int i = 0; i < %(deals)d * %(width)d; i++) printf("%%lld ", (long long)out[i]);
  printf("\\n");
  fflush(stdout);
  %(freed)s
  free(state); free(out); free(work);
}
"""
_WHOLE = "p%(n)d_random_games(state, (uint8_t *)work, %(seed)d, 0, %(deals)d, (uint8_t *)out);"
_STEPS = """for (int deal = 0; deal < %(deals)d; deal++) {
    int64_t *s = (int64_t *)state, *row = out + deal * %(width)d;
    p%(n)d_deal(state, (uint8_t *)work, %(seed)d, deal);
    while (s[%(ending)d] == 0) {
      work[%(effects)d] = 0;
      p%(n)d_advance(state, (uint8_t *)work);
      if (s[%(ending)d]) break;
      int64_t fault = p%(n)d_relist(state, (uint8_t *)work);
      if (fault) { s[%(ending)d] = 4; s[%(fault)d] = fault; break; }
      row[2] += s[%(choices)d];
      row[3] += s[%(choices)d] == 1;
      work[%(effects)d] = 0;
      p%(n)d_apply(state, (uint8_t *)work, s[%(made)d] %% s[%(choices)d]);
    }
    row[0] = s[%(ending)d];
    row[1] = s[%(made)d];
    row[%(row_fault)d] = s[%(fault)d];
    for (int i = 0; i < %(seats)d; i++) row[%(row_scores)d + i] = s[%(scores)d + i];
  }"""
"""Code that notes what it does has no random games: the number of decisions so far says which is taken."""


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


class Shared:
    """Definitions of all programs so far: one that is there already gets another name instead of a copy."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def text(self, number: int, body: str) -> str:
        """A program's data and functions under the prefix `p<number>_`."""
        mine = f"p{number}_"
        called: dict[str, str] = {}
        """The program's names, and what they are called here if it is not just with the prefix."""

        def renamed(text: str) -> str:
            return re.sub(rf"\b{c.PREFIX}(\w+)", lambda found: called.get(found[1], mine + found[1]), text)

        declared: dict[str, str] = {}
        defined: list[str] = []
        for part in _PART.finditer(body):
            name = part["data"] or part["function"]
            if part["declared"] is not None:
                declared[part["declared"]] = part[0]
                continue
            # under any name but its own it is the same definition, if all that it names is the same
            key = re.sub(rf"\b{mine}{name}\b", "itself", renamed(part[0]))
            if key in self._known:
                called[name] = self._known[key]
            else:
                self._known[key] = mine + name
                defined.append(renamed(part[0]))
        names = [f"#define {mine}{name} {other}" for name, other in called.items()]
        fresh = [renamed(text) for name, text in declared.items() if name not in called]
        return "\n".join([*names, *fresh, *defined])


_KIND = r"(?:static )?(?:__attribute__\(\(.*?\)\) )?"
_PART = re.compile(
    rf"^static const uint8_t {c.PREFIX}(?P<data>\w+)\[\].*;$"
    rf"|^{_KIND}int64_t {c.PREFIX}(?P<declared>\w+)\([^)]*\);$"
    rf"|^{_KIND}int64_t {c.PREFIX}(?P<function>\w+)\([^)]*\) \{{\n(?:.*\n)*?\}}$",
    re.MULTILINE,
)
"""One definition or declaration of the C text."""


def text_of(programs: list[Lowered], deals: int, limits: Limits, stepping: bool) -> str:
    """One C file: every program under its own prefix, and a main that plays them in turn."""
    parts, shared = [], Shared()
    for n, lowered in enumerate(programs):
        text = c.to_c(lowered.module)
        at = text.index("static const uint8_t")
        if not n:  # what does not depend on the program comes once
            parts.append(text[:at])
        assert not _PART.sub("", text[at:]).strip(), "every line belongs to some part"
        parts.append(shared.text(n, text[at:]))
        words = lowered.layout.words
        numbers = {
            "n": n,
            "size": lowered.layout.size,
            "work": lowered.work.size,
            "head": " ".join(f"work[{index}] = {value};" for index, value in lowered.work.head),
            "freed": _freed(lowered.work),
            **{name: AT[name] for name in ("here", "take", "give_back")},
            "deals": deals,
            "width": row_bytes(lowered.layout.seats) // 8,
            **{f"row_{name}": GameRow.fields[name].word for name in ("fault", "scores")},
            "seed": SEED,
            "most_decisions": AT["most_decisions"],
            "most_steps": AT["most_steps"],
            "decisions": limits.decisions,
            "steps": limits.steps,
            "seats": lowered.layout.seats,
            "effects": AT["effects"],
            "made": words["decisions"],
            **{name: words[name] for name in ("ending", "fault", "choices", "scores")},
        }
        play = (_STEPS if stepping else _WHOLE) % numbers
        parts.append(_MAIN % {**numbers, "play": play})
    calls = "".join(f"play_{n}(); " for n in range(len(programs)))
    return "\n".join([*parts, f"int main(void) {{ {calls}return 0; }}\n"])


def _freed(plan: WorkPlan) -> str:
    """What machine code took is given back, or the sanitizer calls it a leak."""
    chunks = [
        f"for (int i = 1; i < work[{at + REGION['count'].word}]; i++)"
        f" free((char *)work + work[{at + REGION['chunks'].word} + 2 * i]);"
        for at in plan.regions
    ]
    tables = [
        f"if (work[{at + TABLE['moved'].word}]) free(work + work[{at + TABLE['base'].word}]);"
        for at in plan.tables
    ]
    return " ".join([*chunks, *tables])


def rows(
    programs: list[Lowered], folder: Path, deals: int, limits: Limits, stepping: bool = False
) -> list[list[Signature]]:
    """The rows of each program; raises with the sanitizer's report if there is one."""
    source, binary = folder / "games.c", folder / "games"
    source.write_text(text_of(programs, deals, limits, stepping), encoding="ascii")
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
