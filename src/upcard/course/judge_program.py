"""Judges a student's program: plays generated games with both programs and compares the output."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from upcard.course.course_game import PROGRAM, USAGE, Settings, no_pack, play
from upcard.course.human_player import Question
from upcard.course.pack import pack_text
from upcard.course.program_run import Run, run
from upcard.engine.api import Move
from upcard.engine.rng import Stream
from upcard.euchre.euchre_cards import STANDARD, Card

NAMES = ("Adi", "Barbara", "Chi-Chih", "Dabbala", "Edsger", "Fran", "Grace", "Hal")
POINTS = (1, 1, 2, 3, 5, 10, 10, 24)
"""A game to 24 lasts longer than 20 hands, the period of the shuffle."""

ERROR_LINES = 5
"""Lines of standard error that a report shows."""
MORE = 1_000_000
"""Bytes read beyond the expected output: a whole game instead of an error is still compared."""

JUDGING = 0x4A55444745
"""Separates the random streams of packs from others."""


@dataclass(frozen=True)
class Trial:
    """One run of a program: its arguments, what it reads, and what it should print."""

    name: str
    """The pack's file is NAME.pack and the answers' NAME.answers."""
    arguments: tuple[str, ...]
    pack: tuple[Card, ...] | None
    answers: tuple[str, ...]
    expected: tuple[str, ...]
    """Correct outputs; several where the course leaves it open."""
    succeeds: bool = True

    @property
    def files(self) -> dict[str, str]:
        found = {} if self.pack is None else {f"{self.name}.pack": pack_text(self.pack)}
        if self.answers:
            found[f"{self.name}.answers"] = "".join(f"{word}\n" for word in self.answers)
        return found


@dataclass(frozen=True)
class Finding:
    """The faults of a program, as lines to print."""

    trial: Trial
    lines: tuple[str, ...]


def trials(packs: int, seed: int) -> Iterator[Trial]:
    """Games on packs drawn from the seed, then the command lines that a program must refuse."""
    for number in range(packs):
        yield _game(number, seed)
    yield from _refusals(seed)


def judge(
    program: Path, trial: Trial, folder: Path, seconds: float, blank_lines: bool = True
) -> Finding | None:
    """Run the program on a trial in a folder; None if its output is correct."""
    for name, text in trial.files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    answers = folder / f"{trial.name}.answers" if trial.answers else None
    longest = max(len(text.encode()) for text in trial.expected)
    done = run(program, PROGRAM, trial.arguments, folder, answers, seconds, most=2 * longest + MORE)
    expected = _as_run(trial, program)
    found = [_compare(text, done.output, blank_lines) for text in expected]
    wrong = None if None in found else found[0]
    lines = _ending(done, trial, seconds)
    if lines and done.signal is None and not done.hung and wrong is not None:
        # the first wrong line says more than the exit status, unless the program gave up with a message
        lines = lines if trial.succeeds and done.errors.strip() else []
    if done.too_much:
        lines = ["The program printed far more than it should and was stopped."]
    return Finding(trial, (*lines, *(wrong or ()))) if lines or wrong else None


# --- making trials -------------------------------------------------------------------------------


def _game(number: int, seed: int) -> Trial:
    stream = Stream((seed, number, JUDGING))
    pack = list(STANDARD)
    if number:  # the first is the standard pack, which a student can follow by hand
        stream.shuffle(pack)
    names = list(NAMES)
    stream.shuffle(names)
    if number % 8 == 7:
        names[2] = names[0]  # two players may share a name
    humans = [(), (stream.below(4),), tuple(range(4)), (stream.below(2), 2 + stream.below(2))][number % 4]
    order = ("noshuffle", "shuffle")[(number + number // 4) % 2]  # each with every number of Humans
    points = POINTS[stream.below(len(POINTS))]
    if number == 0:
        names, points = list(NAMES), 1
    name = f"judge-{seed}-{number}"
    players = [part for seat in range(4) for part in (names[seat], "Human" if seat in humans else "Simple")]
    arguments = (f"{name}.pack", order, str(points), *players)
    told: list[str] = []
    answers: list[str] = []

    def ask(question: Question) -> Move:
        words = list(question.answers)
        word = words[stream.below(len(words))]
        if "pass" in words and stream.below(2):
            word = "pass"  # otherwise hardly a game would see the second round
        answers.append(word)
        return question.move(word)

    play(Settings.of(arguments), pack, told.append, ask)
    return Trial(name, arguments, tuple(pack), tuple(answers), (_text(told),))


def _refusals(seed: int) -> Iterator[Trial]:
    """Command lines that print the usage line, and a missing pack."""
    good = (
        "noshuffle",
        "10",
        "Adi",
        "Simple",
        "Barbara",
        "Simple",
        "Chi-Chih",
        "Simple",
        "Dabbala",
        "Simple",
    )
    wrong: list[Sequence[str]] = [
        (),
        good[:-2],
        (*good, "Edsger", "Simple"),
        ("shuffled", *good[1:]),
        (good[0], "0", *good[2:]),
        (good[0], "101", *good[2:]),
        (*good[:-1], "simple"),
    ]
    for number, rest in enumerate(wrong):
        name = f"judge-{seed}-usage-{number}"
        arguments = (f"{name}.pack", *rest) if rest else ()
        yield Trial(name, arguments, STANDARD if rest else None, (), (_text([USAGE]),), succeeds=False)
    name = f"judge-{seed}-missing"
    arguments = (f"{name}.pack", *good)
    line_one = "".join(f"{word} " for word in (PROGRAM, *arguments))
    error = no_pack(arguments[0])
    # whether line one comes before the error is not stated
    yield Trial(name, arguments, None, (), (_text([error]), _text([line_one, error])), succeeds=False)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# --- comparing -----------------------------------------------------------------------------------


def _as_run(trial: Trial, program: Path) -> list[str]:
    """The correct outputs, also with the program's own path in line one, as a script sees it."""
    there = [text.replace(f"{PROGRAM} ", f"{program} ", 1) for text in trial.expected]
    return [*trial.expected, *there]


def _ending(done: Run, trial: Trial, seconds: float) -> list[str]:
    if done.hung:
        return [f"The program was still running after {seconds:g} s and was stopped."]
    if done.signal is not None:
        return [f"The program crashed ({done.signal}, exit status {128 - done.status}).", *_last_errors(done)]
    if trial.succeeds and done.status != 0 and done.errors.strip():
        return [f"The program failed with exit status {done.status}, not 0.", *_last_errors(done)]
    if trial.succeeds and done.status != 0:
        return [f"The output is right, but the exit status is {done.status}, not 0."]
    if not trial.succeeds and done.status == 0:
        return ["The output is right, but the exit status is 0; after an error it must be another number."]
    return []


def _last_errors(done: Run) -> list[str]:
    """The last lines of standard error, where a crash usually says why."""
    lines = [line for line in done.errors.split(b"\n") if line.strip()][-ERROR_LINES:]
    newline = b"\n"
    if not lines:
        return []
    return ["The end of its standard error:", *(f"  {_shown(line + newline)}" for line in lines)]


def _compare(ours: str, theirs: bytes, blank_lines: bool) -> tuple[str, ...] | None:
    """The first line that differs, in both versions; None if all are equal."""
    right = _numbered(os.fsencode(ours), blank_lines)
    given = _numbered(theirs, blank_lines)
    at = next((i for i, pair in enumerate(zip(right, given, strict=False)) if pair[0][1] != pair[1][1]), None)
    if at is None:
        if len(right) == len(given):
            return None
        at = min(len(right), len(given))
    number = given[at][0] if at < len(given) else (given[-1][0] + 1 if given else 1)
    before = [re.fullmatch(rb"Hand \d+\n", line) for _, line in right[:at]]
    hand = next((found[0].decode().strip() for found in reversed(before) if found), None)
    where = f"Line {number}{f', in {hand},' if hand else ''} differs:"
    return (
        where,
        f"  expected  {_shown(right[at][1]) if at < len(right) else 'the end of the output'}",
        f"  printed   {_shown(given[at][1]) if at < len(given) else 'the end of the output'}",
    )


def _numbered(text: bytes, blank_lines: bool) -> list[tuple[int, bytes]]:
    lines = text.split(b"\n")
    ended = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    return [(number, line) for number, line in enumerate(ended, 1) if blank_lines or line != b"\n"]


def _shown(line: bytes) -> str:
    """A line between quotes, so that spaces at its end can be seen."""
    text = line.removesuffix(b"\n").decode("utf-8", errors="backslashreplace")
    text = text if len(text) <= 300 else text[:300] + "..."
    shown = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
    return f'"{shown}"' + ("" if line.endswith(b"\n") else " without the end of a line")
