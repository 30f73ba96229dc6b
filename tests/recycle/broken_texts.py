"""Machine-made faults, counted by whether a message names the line that is wrong.

    python -m tests.recycle.broken_texts --count 250 --seed S

Each fault is one edit of a good program. An edit that leaves the program without an error is no fault and
is drawn again. A message is right when its place is on the edited line.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests import documents

import upcard
from upcard.recycle.forms import Atom, Form, Node, walk
from upcard.recycle.frontend import check
from upcard.recycle.reader import read
from upcard.recycle.source import Source

HERE = Path(__file__).parent
SEED = 20_240_601


@cache
def good_programs() -> list[Source]:
    """Our own test programs, the games that come with the package, and the seed documents when there."""
    found: list[Source] = []
    for path in sorted((HERE / "programs").glob("*.rcy")):
        found.append(Source(path.name, path.read_text(encoding="utf-8")))
    for path in sorted((Path(upcard.__file__).parent / "games").glob("*/rules.rcy")):
        found.append(Source(path.parent.name, path.read_text(encoding="utf-8")))
    if documents.SEEDS.is_dir():
        found += [Source(f"document {n}", documents.program(n)) for n in (documents.EUCHRE, documents.WHIST)]
    return found


@dataclass(frozen=True)
class Fault:
    kind: str
    source: Source
    line: int
    """Where the edit was made."""
    what: str

    def named(self) -> bool | None:
        """Whether the first error is on that line; None when there is no error at all."""
        errors = check(self.source, lint=False).errors
        return self.source.line(errors[0].span.start) == self.line if errors else None


def _edited(kind: str, source: Source, start: int, end: int, by: str) -> Fault:
    text = source.text[:start] + by + source.text[end:]
    old = source.text[start:end]
    return Fault(kind, Source(source.name, text), source.line(start), f"{old!r} became {by!r}")


@cache
def _form(source: Source) -> Form:
    form = read(source).form
    assert form is not None
    return form


def _operands(source: Source) -> Iterator[Node]:
    """Every item of a form but the word that opens it, and marks."""
    for node in walk(_form(source)):
        if isinstance(node, Form):
            for i, item in enumerate(node.items):
                opens = i == 0 and isinstance(item, Atom) and item.kind in ("word", "operator")
                if not opens and not (isinstance(item, Atom) and item.kind == "mark"):
                    yield item


def misspelt(source: Source, rng: random.Random) -> Fault:
    words = [n for n in walk(_form(source)) if isinstance(n, Atom) and n.kind == "word"]
    atom = rng.choice(words)
    word = atom.text
    i = rng.randrange(len(word))
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    slip = rng.choice(
        [
            word[:i] + word[i + 1 :],
            word[:i] + word[i] + word[i:],
            word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :],
            word[:i] + letter + word[i + 1 :],
        ]
    )
    return _edited("misspelt", source, atom.span.start, atom.span.end, slip)


def dropped(source: Source, rng: random.Random) -> Fault:
    item = rng.choice(list(_operands(source)))
    return _edited("dropped", source, item.span.start, item.span.end, "")


VALUES = (
    "3",
    "(game sto COUNT)",
    "HEARTS",
    "(game str TRUMP)",
    "(== 1 2)",
    "(top (game vloc PILE))",
    "(game vloc PILE)",
    "(current player)",
    "(current team)",
    "(partition SUIT (game vloc PILE))",
    "player",
    "team",
    "(RED, BLUE)",
    "(range 1..3)",
    "(game points VALUE)",
)


def wrong_kind(source: Source, rng: random.Random) -> Fault:
    item = rng.choice(list(_operands(source)))
    return _edited("wrong kind", source, item.span.start, item.span.end, rng.choice(VALUES))


def parenthesis(source: Source, rng: random.Random) -> Fault:
    places = [at for n in walk(_form(source)) if isinstance(n, Form) for at in (n.span.start, n.span.end - 1)]
    at = rng.choice(places)
    return _edited("parenthesis", source, at, at + 1, "")


MAKERS: dict[str, Callable[[Source, random.Random], Fault]] = {
    "misspelt": misspelt,
    "dropped": dropped,
    "wrong kind": wrong_kind,
    "parenthesis": parenthesis,
}


def faults(kind: str, count: int, seed: int = SEED) -> Iterator[tuple[Fault, bool]]:
    """That many faults of a kind, spread evenly over the programs, and whether each was named."""
    rng = random.Random(f"{seed} {kind}")
    programs = good_programs()
    done = 0
    while done < count:
        fault = MAKERS[kind](programs[done % len(programs)], rng)
        named = fault.named()
        if named is not None:
            done += 1
            yield fault, named


def rates(count: int, seed: int = SEED) -> dict[str, float]:
    """For each kind, the share of this many faults whose line is named."""
    return {kind: sum(named for _, named in faults(kind, count, seed)) / count for kind in MAKERS}


def are_good(found: Mapping[str, float]) -> bool:
    """Whether lines are named as often as they should be."""
    plain = (found["misspelt"] + found["dropped"] + found["wrong kind"]) / 3
    return plain >= 0.95 and found["parenthesis"] >= 0.80


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=250, help="faults of each kind")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    found = rates(given.count, given.seed)
    print("share of faults whose line is named:", {kind: f"{rate:.1%}" for kind, rate in found.items()})
    return 0 if are_good(found) else 1


if __name__ == "__main__":
    sys.exit(main())
