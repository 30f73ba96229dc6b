"""Valid files of every format, as small as they can be: a game of two players and six decisions."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from upcard.arena.contest import Contest
from upcard.arena.contest_run import Run
from upcard.engine import transcript
from upcard.engine.loader import load
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.library.new_game import create_game
from upcard.match.match_play import Match, Participant, Table
from upcard.match.match_record import writer
from upcard.players.spec import PlayerSpec, resolve_player
from upcard.simulate.row_folder import part_name
from upcard.simulate.row_part import PART
from upcard.storage.jsonl import Log, to_line, with_checksum
from upcard.study.plan import Plan
from upcard.study.study_record import path_of
from upcard.study.study_run import Study
from upcard.terminal.fingerprint import fingerprint
from upcard.terminal.table_setup import PERSON

SHEET = """\
title = "Duel"
family = "trick taking"
tags = ["two players"]
related = ["Whist"]
sources = ["People"]
summary = "A duel."
rules = "Three tricks.\\n\\nThe higher card wins."
variants = "None."
line = "A duel of cards."

[names]
seats = ["South", "North"]
deal = "hand"
places = ["first", "second"]

[match]
to = 2
deals = 3
ties = "play on"
over = "caps"
down = -10
targets = [3, 5]

[[match.tally]]
name = "TRICKS"
every = 2
points = -1

[[match.count]]
name = "won"
who = "player"
by = "seat"
when = { TRICKS = ">= 2" }

[[match.count]]
name = "swept"
who = "player"
of = "won"
when = { TRICKS = 3 }

[[match.result]]
dealer = 1
others = 0
chance = 0.25

[[match.result]]
dealer = 0
others = 1
chance = 0.75

[players]
casual = "pimc:16"
expert = "ismcts:100"

[study]
searching = 4

[cards]
face = "{RANK}{SUIT}"
RANK = { TWO = "2", ACE = "A" }
SUIT = { SPADES = "\\u2660" }
ascii.SUIT = { SPADES = "s" }

[words]
TRICKS = "tricks"

[table]
HAND = "hand"
STOCK = ""
TRICKS = "tricks"

[[say]]
do = "shuffle"
tell = "North deals."

[[say]]
do = "move"
from = "HAND"
to = "PLAYED"
by = "player"
owner = "seat"
tell = "{seat} plays {card}."
pick = "play {card}"

[[say]]
do = "set"
name = "TRICKS"
value = 1
tell = "{seat} takes the trick, {value}."

[[rule]]
name = "target"
set = "N"
title = "How many tricks?"
choices = { three = "3", two = "2" }
default = "three"
"""


class Samples:
    """Files below a folder, made when they are first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = create_game("duel", folder)
        rules = self.home / "rules.rcy"
        text = rules.read_text(encoding="utf-8")
        declared = text.replace("(game\n", "(game\n (declare 3 'N)\n", 1)
        rules.write_text(declared.replace("(repeat 3 (move", "(repeat 'N (move", 1), encoding="utf-8")
        (self.home / "game.toml").write_text(SHEET, encoding="utf-8")

    @cached_property
    def game(self) -> LoadedGame:
        return load(self.home, engine="reference")

    @cached_property
    def played(self) -> BaseState:
        state = self.game.deal(1, 0)
        while state.to_move is not None:
            state.play(0)
        return state

    @cached_property
    def transcript(self) -> bytes:
        records = transcript.with_program(self.played)
        return "".join(f"{to_line(record)}\n" for record in records).encode()

    def table(self, *kinds: str, note: bool = False) -> Table:
        people = []
        for seat, kind in enumerate(kinds):
            player = None if kind == PERSON else resolve_player(kind, self.game)
            make = None if player is None else player.make
            people.append(Participant(self.game.narrator.seat(seat), kind, make))
        about = {"person": 0, "level": "random", "asked": str(self.home)}
        promise = {"salt": "abc", "fingerprint": fingerprint(1, "abc")}
        return Table.of(self.game, people, note={**about, **promise} if note else None)

    def match(self, table: Table, name: str, decisions: int) -> bytes:
        """The record of a match after some decisions."""
        path = self.folder / name
        with Log(path, 0) as log:
            match = Match(table, 1, on_record=writer(log))
            for _ in range(decisions):
                if match.over:
                    break
                if table.participants[match.to_move or 0].kind == PERSON:
                    assert match.state is not None
                    match.decide(match.state.moves[0])
                else:
                    match.step()
        return path.read_bytes()

    @cached_property
    def players(self) -> list[PlayerSpec]:
        return [resolve_player(kind, self.game) for kind in ("random", "random")]

    def contest(self, matches: bool) -> Contest:
        return Contest.of(self.game, self.players, 2, 1, matches=matches)

    def arena(self, matches: bool) -> tuple[bytes, ...]:
        """A record, and the same with a forfeit in it."""
        contest = self.contest(matches)
        path = self.folder / f"arena-{matches}.jsonl"
        games = list(Run(contest, path).play(1))
        lines = [contest.header(), *(game.to_json() for game in games)]
        about = {"player": 0, "place": 0, "seat": 0, "dealt": 1, "decision": 0, "why": "raised an error"}
        lines[1] |= {
            "points": None,
            "scores": (),
            "ending": "forfeit",
            "shares": (0.0, 1.0),
            "forfeit": about,
        }
        return path.read_bytes(), b"".join(with_checksum(line) + b"\n" for line in lines)

    @cached_property
    def plan(self) -> Plan:
        return Plan.of(self.game, 105, 1)

    @cached_property
    def rows(self) -> bytes:
        """A part of a simulation's rows."""
        folder = self.folder / "rows"
        self.game.simulate(5, seed=1, workers=1, rows=folder)
        return (folder / part_name(0, PART)).read_bytes()

    def study(self, part: str) -> bytes:
        folder = self.folder / "study"
        if not folder.exists():
            for _ in Study(self.plan, folder).play(1):
                pass
        return path_of(folder, part).read_bytes()
