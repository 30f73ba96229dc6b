"""Are a game's tests telling? Change one thing in its program, and see whether they notice.

    python -m tests.games.mutants hearts [--limit N] [--seed S] [--games N] [--show]

A mutant is the program's text with one edit: a condition dropped, a comparison turned, a number changed by
one, an operator or a seat exchanged. Mutants that the checker refuses, and those that play the same games as
the original under every single house rule, say nothing. Of the others the game's own tests must catch nine in
ten; those that got away are listed with their lines. Exit 1 when fewer were caught, 2 for misuse.

Every mutant runs in processes of its own, for a bounded time: an endless loop counts as another game when
playing, and as caught when testing. The bounds are on processor time and grow with what the program itself
takes, so a busy machine catches no more than a quiet one. The library's shelf is exchanged for one where only
this game differs, and the reference engine plays it: tests are about rules, and machine code made for one
mutant is never run again. Tests that fail on the program as it is are misuse: they would catch everything.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest

import upcard
from upcard.engine import loader as loading
from upcard.engine.api import Limits, walk_records
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.shared.game import LoadedGame
from upcard.library import lookup as shelf
from upcard.library import read_sheet
from upcard.players import RandomPlayer
from upcard.recycle.diagnostics import RecycleError
from upcard.recycle.forms import Atom, Form, Node
from upcard.recycle.reader import read
from upcard.recycle.source import Source, Span
from upcard.simulate.random_games import native_batch, play_out
from upcard.simulate.sums_detail import Sums

WANTED = 0.9
TOLD_GAMES, QUICK_GAMES, SLOW_GAMES = 2, 6, 150
"""Games compared word by word, by the reference engine, and by it where there is no machine code."""
PLAY_SECONDS, TEST_SECONDS, PATIENCE = 15, 10, 4
"""Processor time for a mutant: so much, or so many times what the program itself took if that is more."""
FIRST_SECONDS = 600

QUIETLY = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider"]

TRUE, FALSE = "(== 0 0)", "(== 0 1)"
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_PAIRS = "and or|min max|scoremin scoremax|top bottom|inc dec|any all|+ -"
EXCHANGES = {a: b for pair in _PAIRS.split("|") for a, b in (pair.split(), reversed(pair.split()))}
EXCHANGES |= {"*": "+", "//": "*", "%": "//", "largest": "all"}
SEATS = {"next": ("previous", "current"), "previous": ("next",), "current": ("next",)}
CONDITIONS = ("and", "or", "not", "any", "all", *COMPARISONS)


# --- making mutants ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """The text with `span` replaced by `text`."""

    sort: str
    source: Source
    span: Span
    text: str

    @property
    def program(self) -> str:
        whole = self.source.text
        return whole[: self.span.start] + self.text + whole[self.span.end :]

    @property
    def line(self) -> int:
        return self.source.line(self.span.start)

    def diff(self) -> list[str]:
        """The lines that change, before and after."""
        before, after = self.source.text.splitlines(), self.program.splitlines()
        head = next(i for i, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1])
        tail = 0
        while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
            tail += 1
        old = [f"- {line.strip()}" for line in before[head : len(before) - tail]]
        return old + [f"+ {line.strip()}" for line in after[head : len(after) - tail]]


def mutants(source: Source) -> list[Mutant]:
    """Every one-edit mutant, in reading order."""
    form = read(source).form
    assert form is not None, f"{source.name} cannot be read"
    seen, kept = {source.text}, []
    for mutant in sorted(_Maker(source).item(form), key=lambda m: (m.span.start, m.span.end, m.sort, m.text)):
        if mutant.program not in seen:
            seen.add(mutant.program)
            kept.append(mutant)
    return kept


class _Maker:
    """Goes through the forms; knows by their shape which are lists of actions and which are conditionals."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def edit(self, sort: str, node: Node, text: str) -> Mutant:
        return Mutant(sort, self.source, node.span, text)

    def words(self, node: Node) -> str:
        return self.source.text[node.span.start : node.span.end]

    def item(self, node: Node) -> Iterator[Mutant]:
        if isinstance(node, Atom):
            yield from self.atom(node)
            return
        items, head = node.items, node.head
        if head in ("do", "choice") and len(items) == 2 and isinstance(items[1], Form):
            for below in items[1].items:
                yield from self.item(below)
            return
        if head == "create" and len(items) > 1 and items[1] == Atom("word", "deck", items[1].span):
            return
        yield from self.conditions(node)
        if head in ("and", "or"):
            yield from self.operands(node)
        if head == "not":
            yield self.edit("condition turned", node, self.words(items[1]))
        if head == "declare" and isinstance(items[1], Atom) and items[1].text in ("TRUE", "FALSE"):
            other = "FALSE" if items[1].text == "TRUE" else "TRUE"
            yield self.edit("default exchanged", items[1], other)
        if items and isinstance(items[0], Atom):
            yield from self.heads(node)
        for below in items:
            yield from self.item(below)

    def atom(self, atom: Atom) -> Iterator[Mutant]:
        if atom.kind == "number":
            value = int(atom.text)
            for other in (value + 1, value - 1):
                if other >= 0:
                    yield self.edit("number changed", atom, str(other))

    def heads(self, node: Form) -> Iterator[Mutant]:
        """The word or operator that a form opens with, and a seat that it names."""
        first, rest = node.items[0], node.items[1:]
        assert isinstance(first, Atom)
        if first.text in COMPARISONS:
            yield self.edit("comparison turned", first, COMPARISONS[first.text])
        if first.text in EXCHANGES and first.kind in ("word", "operator"):
            yield self.edit("operator exchanged", first, EXCHANGES[first.text])
        if first.is_word("scoring") and isinstance(rest[0], Atom):
            yield self.edit("operator exchanged", rest[0], EXCHANGES[rest[0].text])
        if first.is_word("next", "previous") and rest and isinstance(rest[0], Atom):
            for other in SEATS[first.text]:
                yield self.edit("seat changed", first, other)
        if first.is_word("cycle"):
            if isinstance(rest[0], Atom) and rest[0].is_word("next", "current"):
                other = "current" if rest[0].text == "next" else "next"
                yield self.edit("seat changed", rest[0], other)
            if len(rest) > 1 and isinstance(rest[1], Atom):
                for other in SEATS.get(rest[1].text, ()):
                    yield self.edit("seat changed", rest[1], other)

    def conditions(self, node: Form) -> Iterator[Mutant]:
        items = node.items
        if len(items) == 2 and isinstance(items[1], Form) and self.is_condition(items[0]):
            yield self.edit("condition dropped", node, self.words(items[1]))
            yield self.edit("condition never holds", items[0], FALSE)
        tested = items[-1] if node.head in ("end", "filter") and len(items) > 1 else None
        if tested is not None:
            yield self.edit("condition always holds", tested, TRUE)
            yield self.edit("condition never holds", tested, FALSE)

    def is_condition(self, node: Node) -> bool:
        return isinstance(node, Form) and node.head in CONDITIONS

    def operands(self, node: Form) -> Iterator[Mutant]:
        """A conjunction or disjunction without one of its parts."""
        parts = node.items[1:]
        for left_out in range(len(parts)):
            kept = [self.words(part) for i, part in enumerate(parts) if i != left_out]
            text = kept[0] if len(kept) == 1 else f"({node.head} {' '.join(kept)})"
            yield self.edit("condition dropped", node, text)


# --- playing them --------------------------------------------------------------------------------

Rules = Mapping[str, str]
Signature = list[Any]


def house_rules(folder: Path) -> list[Rules]:
    """The defaults, then each other choice of each house rule alone."""
    found: list[Rules] = [{}]
    sheet = read_sheet(folder / "game.toml") if (folder / "game.toml").is_file() else None
    for rule in sheet.house_rules if sheet else ():
        found += [{rule.name: choice} for choice in rule.choices if choice != rule.default]
    return found


def signatures(load: Callable[[Rules], LoadedGame], rules: list[Rules], games: int) -> Iterator[Signature]:
    """What is seen of a game, bit by bit, the quickest to tell apart first."""
    loaded = [load(given) for given in rules]
    for game in loaded:
        yield _quick(game)
    for game in loaded:
        yield _many(game, games)


def _quick(game: LoadedGame) -> Signature:
    """Who chooses among what, which cards go where, and the result."""
    found: Signature = []
    for deal in range(QUICK_GAMES):
        told = deal < TOLD_GAMES
        state = game.deal(1, deal, recording=told)
        players = [RandomPlayer(1, deal, seat) for seat in range(game.seats)]
        while (seat := state.to_move) is not None:
            found.append((seat, [move.text for move in state.moves] if told else state.choices))
            state.play(players[seat].pick(state.choices))
        assert state.outcome is not None
        found.append((state.outcome.ending, state.outcome.ranks, state.outcome.scores))
        if told:
            moves = (r for r in walk_records(state.records) if r["do"] in ("move", "remember", "swap"))
            # in which order cards are dealt nobody sees
            found.append(sorted(tuple(str(r.get(key)) for key in ("card", "from", "to")) for r in moves))
    return found


def _many(game: LoadedGame, games: int) -> Signature:
    try:
        rows = native_batch(game, Sums(), 2).games(0, games, workers=1)
    except (NoMachineCode, ImportError):
        rows = (play_out(game, 2, deal, Limits()) for deal in range(min(games, SLOW_GAMES)))
    return [(row.ending, row.decisions, row.choices, row.forced, row.scores, row.winners) for row in rows]


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    """What is measured: a game's folder, its tests, and the shelf that stands in for the library's."""

    name: str
    folder: Path
    tests: Path
    games: int
    rules: list[Rules]
    original: list[Signature] = field(default_factory=list)
    play_seconds: int = FIRST_SECONDS
    test_seconds: int = FIRST_SECONDS

    def shelf_with(self, program: str, where: Path) -> Path:
        made = where / "games"
        made.mkdir()
        for name in shelf.names():
            if name != self.name:
                (made / name).symlink_to(shelf.GAMES / name, target_is_directory=True)
        shutil.copytree(self.folder, made / self.name)
        (made / self.name / "rules.rcy").write_text(program, encoding="utf-8")
        return made


def reference_game(where: Path) -> None:
    """In a process of its own: games come from this shelf, and the reference engine plays them."""
    shelf.GAMES = where
    defaults = loading.load.__kwdefaults__
    assert defaults is not None
    defaults["engine"] = "reference"


def play(job: Job, where: Path) -> str:
    """Whether the mutant is refused, plays the same, or plays differently."""
    reference_game(where)
    try:
        seen = signatures(lambda given: upcard.load(job.name, rules=given), job.rules, job.games)
        return "same" if all(a == b for a, b in zip(seen, job.original, strict=True)) else "differs"
    except RecycleError:
        return "refused"


def play_original(job: Job, where: Path) -> list[Signature]:
    reference_game(where)
    return list(signatures(lambda given: upcard.load(job.name, rules=given), job.rules, job.games))


def run_tests(job: Job, where: Path) -> str:
    reference_game(where)
    code = pytest.main([str(job.tests), *QUIETLY])
    return {0: "missed", 5: "no tests"}.get(int(code), "caught")


def judge(job: Job, mutant: Mutant) -> str:
    with tempfile.TemporaryDirectory(prefix="upcard-mutant-") as folder:
        where = job.shelf_with(mutant.program, Path(folder))
        played = bounded(play, job, where, seconds=job.play_seconds).answer or "differs"
        if played != "differs":
            return str(played)
        return str(bounded(run_tests, job, where, seconds=job.test_seconds).answer or "caught")


@dataclass(frozen=True)
class Done:
    """A task's answer, None when it crashed or did not come to an end, and the processor time it took."""

    answer: Any
    seconds: float = 0.0

    def bound(self, least: int) -> int:
        return max(least, math.ceil(PATIENCE * self.seconds))


def bounded(task: Callable[..., Any], *given: Any, seconds: int) -> Done:
    """A task done by a process of its own, with a bound on its processor time."""
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_silently, args=(there, task, given, seconds))
    process.start()
    there.close()
    done = Done(None)
    with contextlib.suppress(EOFError):
        done = here.recv()
    process.kill()
    process.join()
    here.close()
    return done


def _silently(there: Connection, task: Callable[..., Any], given: tuple[Any, ...], seconds: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.stdout = sys.stderr = io.StringIO()
    there.send(Done(task(*given), time.process_time()))
    os._exit(0)


def measure(job: Job, chosen: list[Mutant], workers: int) -> Iterator[tuple[Mutant, str]]:
    """Verdicts as they come: refused, same, caught, missed or no tests."""
    context = get_context("fork")

    def work(first: int, there: Connection) -> None:
        for i in range(first, len(chosen), workers):
            there.send((i, judge(job, chosen[i])))
        there.close()

    ends = []
    for first in range(workers):
        here, there = context.Pipe(duplex=False)
        context.Process(target=work, args=(first, there)).start()
        there.close()
        ends.append(here)
    while ends:
        for end in wait(ends):
            assert isinstance(end, Connection)
            try:
                i, verdict = end.recv()
            except EOFError:
                ends.remove(end)
            else:
                yield chosen[i], verdict


# --- the command ---------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    given = _options().parse_args(arguments)
    if not hasattr(os, "fork"):
        print("mutants are run in forked processes, which this system does not have", file=sys.stderr)
        return 2
    os.environ["UPCARD_CACHE"] = "off"  # nobody plays a mutant twice
    folder = given.folder or shelf.GAMES / given.game
    tests = given.tests or Path(__file__).with_name(f"test_{given.game.replace('-', '_')}.py")
    for path in (folder / "rules.rcy", tests):
        if not path.is_file():
            print(f"{path} is not there; name a game of the library that has tests", file=sys.stderr)
            return 2
    source = Source("rules.rcy", (folder / "rules.rcy").read_text(encoding="utf-8"))
    _warm_up()
    job = Job(given.game, folder, tests, given.games, house_rules(folder))
    try:
        job = _measured(job, source.text)
    except Misuse as wrong:
        print(wrong, file=sys.stderr)
        return 2
    made = mutants(source)
    chosen = made
    if given.limit is not None and given.limit < len(made):
        picked = sorted(random.Random(given.seed).sample(range(len(made)), given.limit))
        chosen = [made[i] for i in picked]
    started = time.monotonic()
    found: list[tuple[Mutant, str]] = []
    for mutant, verdict in measure(job, chosen, max(1, min(given.workers, len(chosen)))):
        found.append((mutant, verdict))
        if given.show or verdict == "missed":
            _show(mutant, "not caught" if verdict == "missed" else verdict)
    return _report(given.game, len(made), found, time.monotonic() - started)


class Misuse(Exception):
    """A game or tests that nothing can be measured with."""


def _measured(job: Job, program: str) -> Job:
    """With what the program itself does, and how long a mutant may take."""
    with tempfile.TemporaryDirectory(prefix="upcard-mutant-") as folder:
        where = job.shelf_with(program, Path(folder))
        played = bounded(play_original, job, where, seconds=FIRST_SECONDS)
        if played.answer is None:
            raise Misuse(f"{job.name} itself cannot be played; try upcard check {job.name}")
        tested = bounded(run_tests, job, where, seconds=FIRST_SECONDS)
        if tested.answer == "no tests":
            raise Misuse("the test file holds no test")
        if tested.answer != "missed":
            raise Misuse(f"the tests fail on {job.name} itself; run pytest {job.tests}")
    return replace(
        job,
        original=played.answer,
        play_seconds=played.bound(PLAY_SECONDS),
        test_seconds=tested.bound(TEST_SECONDS),
    )


def _warm_up() -> None:
    """Let pytest import its plugins once, before any fork: it takes longer than most tests."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        nothing = Path(folder) / "test_nothing.py"
        nothing.write_text("def test_nothing():\n    pass\n", encoding="utf-8")
        pytest.main([str(nothing), *QUIETLY])


def _show(mutant: Mutant, verdict: str) -> None:
    print(f"line {mutant.line}: {mutant.sort}: {verdict}")
    print("\n".join(f"    {line}" for line in mutant.diff()), flush=True)


def _report(name: str, made: int, found: list[tuple[Mutant, str]], seconds: float) -> int:
    counts = Counter(verdict for _, verdict in found)
    differ = counts["caught"] + counts["missed"]
    share = counts["caught"] / differ if differ else 1.0
    print(f"{'game':<20} mutants  tried  refused  same  differ  caught  share  seconds")
    print(
        f"{name:<20} {made:7} {len(found):6} {counts['refused']:8} {counts['same']:5} {differ:7} "
        f"{counts['caught']:7}  {100 * share:4.1f}% {seconds:8.0f}"
    )
    return 0 if share >= WANTED else 1


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.games.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("game", help="a game of the library")
    parser.add_argument("--limit", type=int, help="try only so many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0, help="which ones are drawn")
    parser.add_argument("--games", type=int, default=2000, help="games after which a mutant plays the same")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="list every mutant, not only those that got away")
    parser.add_argument("--folder", type=Path, help="the game's folder, when it is not on the shelf")
    parser.add_argument("--tests", type=Path, help="the test file, when it is not tests/games/test_<game>.py")
    return parser


if __name__ == "__main__":
    sys.exit(main())
