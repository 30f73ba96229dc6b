"""A whole match in a pseudo-terminal with random keys typed ahead: nothing is played that was not chosen.

    python -m tests.terminal.type_ahead --game hearts
    python -m tests.terminal.type_ahead --game euchre --to 5 --seed 7

After every answer random keys follow at once, before the next question can be on the screen. The record of
the match must have exactly the options that were marked when Enter was pressed. Without `--to`, a match is as
long as the game's sheet says. The exit code is 1 if a move was played that nobody chose.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.terminal.terminals import Terminal

from upcard.engine.api import Record
from upcard.match.match_play import Match
from upcard.match.match_record import resume
from upcard.terminal.saves import open_saved
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_setup import saved_table
from upcard.terminal.table_view import make_view

JUNK = [
    "\r",
    "\r",
    " ",
    "1\r",
    "2\r",
    "3\r",
    "\x1b[B\r",
    "\x1b[A",
    "9h",
    "qs",
    "5c\r",
    "j",
    "x",
    "u",
    "\r\r\r",
]
"""Each of these may play a card if it is taken for an answer; none of them leaves the table."""
AHEAD = 8
"""Of these after every answer."""
NOTHING = 0
"""No option has this number: the menu was not on the screen."""
SELECTED = re.compile(r"▶ *([0-9]+)")


@dataclass(frozen=True)
class Typed:
    """A match that was played with keys typed ahead."""

    chosen: list[int]
    """The options that were marked when Enter was pressed."""
    played: list[int]
    """The options that the record has."""
    deals: int

    @property
    def is_right(self) -> bool:
        return self.played == self.chosen and bool(self.played)

    @property
    def sentence(self) -> str:
        keys = f"{AHEAD * len(self.chosen):,} groups of keys typed ahead"
        if self.is_right:
            return (
                f"{self.deals} deals, {len(self.played)} decisions, {keys}: only what was chosen was played"
            )
        pairs = zip(self.chosen, self.played, strict=False)
        first = next((n for n, (one, other) in enumerate(pairs) if one != other), len(self.chosen))
        return (
            f"{len(self.chosen)} options were chosen and {len(self.played)} played; "
            f"decision {first} is the first that differs"
        )


def type_ahead(game: str, to: int | None, seed: int, data: Path) -> Typed:
    """Plays a match to its end and reads its record."""
    chosen = _typed(game, to, seed, random.Random(f"{game} {seed}"), data)
    return Typed(chosen, *_recorded(data))


def _typed(game: str, to: int | None, seed: int, chance: random.Random, data: Path) -> list[int]:
    arguments = [
        "play",
        game,
        "--seed",
        str(seed),
        "--level",
        "random",
        "--engine",
        "reference",
        "--pace",
        "0",
    ]
    chosen: list[int] = []
    with Terminal([*arguments, *(["--to", str(to)] if to is not None else [])], data) as table:
        table.wait_for("Press Enter to begin")
        while True:
            drawn = table.frames
            table.press("\r" + "".join(chance.choices(JUNK, k=AHEAD)))
            while table.frames == drawn or not re.search("Your turn|Enter: ", table.text):
                if not table._read(1.0):
                    assert table.ended() == 0, table.output[-2000:]
                    return chosen
            if "Your turn" in table.text:
                if chance.random() < 0.3:
                    drawn = table.frames
                    table.press("\x1b[C")
                    table.wait_for(lambda _, drawn=drawn: table.frames > drawn)  # type: ignore[misc]
                marked = SELECTED.findall(table.text)
                chosen.append(int(marked[-1]) if marked else NOTHING)


def _recorded(data: Path) -> tuple[list[int], int]:
    """The options that the person at the table played, and the number of deals."""
    (file,) = (data / "matches").glob("*.jsonl")
    saved = open_saved(file)
    assert saved.over
    table = saved_table(saved, "reference", playing=False)
    played = []

    def listen(match: Match, line: Record) -> None:
        if line["person"] == 0:
            assert match.state is not None
            observation = match.state.observe(line["seat"], match.around())
            view = make_view(observation, TableNarrator.at(table.game.narrator, observation))
            key = (line["item"], line["picks"], line["copy"])
            (number,) = [
                option.number
                for option in view.options
                if (option.move.item, [dict(pick) for pick in option.move.picks], option.move.copy) == key
            ]
            played.append(number)

    match = resume(table, saved.lines, before=listen)
    return played, match.board.deals


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--game", default="euchre", help="a game of the library")
    parser.add_argument("--to", type=int, help="the target; without it, as in the game")
    parser.add_argument("--seed", type=int, default=5, help="of the deals and of the keys")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        typed = type_ahead(asked.game, asked.to, asked.seed, Path(folder))
    print(f"{asked.game}, seed {asked.seed}: {typed.sentence}")
    return 0 if typed.is_right else 1


if __name__ == "__main__":
    sys.exit(main())
