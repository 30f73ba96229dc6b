"""Examples of docs/language: read off the pages, put together and run.

How pages write examples is told to readers in docs/language/index.md. In short: a `recycle` fence holds
either a whole game, followed by a `result` fence, or small forms, each followed by `;; => outcome`. Small
forms are put into the example table of index.md, just before its scoring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from upcard.engine.api import Limits
from upcard.engine.reference import ReferenceGame, ReferenceState
from upcard.recycle import program as p
from upcard.recycle import reserved_words as words
from upcard.recycle.frontend import Checked, check
from upcard.recycle.source import Source

PAGES = Path(__file__).parents[2] / "docs" / "language"
SEEDS = 80
"""How many deals show what `one of` says."""

REFUSED_WORDS = {"new", "faro"}


# --- reading the pages ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Example:
    page: str
    line: int
    text: str
    statements: tuple[str, ...]

    @property
    def whole(self) -> bool:
        return re.match(r"(\s*;;[^\n]*\n)*\s*\(game\s+\(", self.text) is not None

    @property
    def refused(self) -> bool:
        return any(said.startswith("refused:") for said in self.statements)

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def fences(path: Path) -> Iterator[tuple[str, int, list[str]]]:
    """Each fenced block: its language, the line its content starts on, its lines."""
    language, start, held = None, 0, list[str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                language, start, held = line[3:].strip(), number + 1, []
            else:
                yield language, start, held
                language = None
        elif language is not None:
            held.append(line)
    assert language is None, f"{path.name}: a fence is still open at the end"


def examples_of(path: Path) -> Iterator[Example]:
    waiting: Example | None = None
    for language, start, lines in fences(path):
        if language == "result":
            assert waiting is not None, f"{path.name}:{start}: a result without a game before it"
            said = tuple(line.strip() for line in lines if line.strip())
            yield Example(waiting.page, waiting.line, waiting.text, said)
            waiting = None
            continue
        assert waiting is None, f"{path.name}:{start}: the game before has no result"
        assert language in ("recycle", "text", "sh", "python"), f"{path.name}:{start}: fence {language}"
        if language != "recycle":
            continue
        whole = Example(path.name, start, "\n".join(lines), ())
        if whole.whole:
            waiting = whole
        else:
            yield from small_forms(path, start, lines)
    assert waiting is None, f"{path.name}: the last game has no result"


def small_forms(path: Path, start: int, lines: list[str]) -> Iterator[Example]:
    text: list[str] = []
    said: list[str] = []
    first = start
    for number, line in enumerate(lines, start):
        form, arrow, outcome = line.partition(";; =>")
        if arrow:
            if form.strip():
                assert not said or text, f"{path.name}:{number}: two outcomes on one line"
                if said:
                    yield Example(path.name, first, "\n".join(text), tuple(said))
                    text, said, first = [], [], number
                text.append(form.rstrip())
            said.append(outcome.strip())
        elif said and re.match(r"\s*;;    ", line):
            said[-1] += " " + line.strip()[2:].strip()
        else:
            if said:
                yield Example(path.name, first, "\n".join(text), tuple(said))
                text, said, first = [], [], number
            if line.strip():
                text.append(line)
            elif not text:
                first = number + 1
    assert said, f"{path.name}:{first}: a form without an outcome"
    yield Example(path.name, first, "\n".join(text), tuple(said))


ALL = [example for path in sorted(PAGES.glob("*.md")) for example in examples_of(path)]


@cache
def example_table() -> str:
    """The game that small forms are put into: the one on index.md that says so in its first comment."""
    (table,) = [e for e in ALL if e.page == "index.md" and e.text.startswith(";; The example table")]
    return table.text


# --- putting together what is run ----------------------------------------------------------------

CHECK = "CHECK"


def letters(number: int) -> str:
    return CHECK + chr(ord("A") + number // 26) + chr(ord("A") + number % 26)


def before_scoring(game: str, elements: list[str]) -> str:
    at = game.rindex("(scoring")
    return game[:at] + "\n".join(elements) + "\n" + game[at:]


def asks(statements: tuple[str, ...]) -> list[tuple[str, str]]:
    """`FORM = VALUE` statements, as form and value."""
    found = []
    for said in statements:
        form, equals, value = said.partition(" = ")
        if equals and form.startswith("(") and form.count("(") == form.count(")"):
            found.append((form, value))
    return found


ELEMENT_HEADS = {"choice", "stage"}


def elements_for(example: Example) -> list[list[str]]:
    """What the example's text may be in the example table: a value, an action, an element."""
    value = [f"(let {example.text}\n 'ANSWER (turn pass))"]
    action = [f"(do ({example.text}\n))"]
    head = re.match(r"\s*\(\s*([a-z]+)", example.text)
    word = head.group(1) if head else ""
    if word in ELEMENT_HEADS or (word == "let" and "(choice" in example.text):
        return [[example.text]]
    if word in words.ACTIONS - {"all", "any"}:
        return [action]
    return [value, action]


def texts(example: Example) -> list[str]:
    """The programs that an example may mean, most likely first."""
    checks = [
        f"(let {form} '{letters(i)} (turn pass))" for i, (form, _) in enumerate(asks(example.statements))
    ]
    if example.whole:
        return [before_scoring(example.text, checks)] if checks else [example.text]
    return [before_scoring(example_table(), [*made, *checks]) for made in elements_for(example)]


def inputs(example: Example) -> dict[str, str]:
    names = ("picks", "given", "seed", "deal", "stacked", "limits", "base given")
    found = {}
    for said in example.statements:
        name, colon, rest = said.partition(": ")
        if colon and name in names:
            found[name] = rest
    return found


def checked(example: Example, text: str) -> Checked:
    given = dict(pair.split("=") for pair in inputs(example).get("given", "").split())
    bases: dict[str, Literal[0, 1]] = {"0": 0, "1": 1}
    return check(Source(f"{example}", text), given, bases.get(inputs(example).get("base given", "")))


def understood(example: Example) -> Checked:
    """The first meaning of the text that can be played, else the first with its errors."""
    tries = [checked(example, text) for text in texts(example)]
    return next((c for c in tries if c.program is not None), tries[0])


# --- running it ----------------------------------------------------------------------------------


@dataclass
class Run:
    """One game played to its end, with the state before each decision."""

    program: p.Program
    state: ReferenceState
    decisions: list[ReferenceState]

    @property
    def base(self) -> int:
        return self.program.base


def face(attributes: dict[str, str]) -> str:
    values = list(attributes.values())
    return ("" if all(len(v) == 1 for v in values) else "-").join(values)


def stacked_ids(state: ReferenceState, faces: str) -> list[str]:
    by_face: dict[str, list[str]] = {}
    for card in state.machine.table.cards:
        by_face.setdefault(face(dict(card.attributes)), []).append(card.id)
    return [by_face[name].pop(0) for name in faces.split()]


def play(example: Example, made: Checked, seed: int | None = None) -> Run:
    program, known = made.sound()
    given = inputs(example)
    if seed is None:
        seed = int(given.get("seed", "1"))
    limits = Limits()
    if "limits" in given:
        most, word = given["limits"].split()
        limits = Limits(**{word: int(most)})
    game = ReferenceGame("example", program, known)
    number = int(given.get("deal", "0"))
    state = game.deal(seed, number, limits=limits)
    if "stacked" in given:
        orders = [stacked_ids(state, order) for order in given["stacked"].split(" / ")]
        state = game.deal(seed, number, stacked=orders, limits=limits)
    picks = [int(pick) for pick in given.get("picks", "").split()]
    decisions: list[ReferenceState] = []
    while state.to_move is not None:
        decisions.append(state.copy())
        pick = picks[len(decisions) - 1] if len(decisions) <= len(picks) else 0
        state.play(pick)
    assert len(decisions) >= len(picks), f"{len(picks)} picks, but {len(decisions)} decisions"
    return Run(program, state, decisions)
