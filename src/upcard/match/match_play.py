"""A match in progress: deal after deal, decision after decision, every line recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from upcard.engine.api import Failure, Given, Limits, Move, Record, Stacked
from upcard.engine.rng import Stream
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.lazy import lazy_property
from upcard.library.match_rules import shares_scores
from upcard.library.sheet import MAX_DEALS, MatchRules
from upcard.match.deal_counts import Counted, Counting, Meaning
from upcard.match.scoreboard import Board
from upcard.match.seats import Seating, Sides, seating_of, side_of
from upcard.parallel.job import on_this_machine
from upcard.players.external.external_player import player_sessions
from upcard.players.protocol import Budget, Indifferent, Player
from upcard.players.seeds import Seeds, new_secret
from upcard.players.spec import PlayerSpec, needs_secret

DEALS_A_MATCH = MAX_DEALS
"""Match m of a seed starts at deal m times this, so that matches can be played in any order."""

Seated: TypeAlias = Player | Indifferent
MakePlayer: TypeAlias = Callable[[int, int, int], Seated]
"""Makes a player for one deal from seed, deal and seat, which name its random stream."""

NO_BUDGET = Budget()

DRAW = 1 << 32
"""A word in the name of streams that draw dealers; no stream of a deal has it."""


class MatchOver(Exception):
    """A deal failed, so the match cannot continue.

    >>> try:
    ...     upcard.Match("euchre", [None, "random"]).decide(0)
    ... except upcard.MatchOver:
    ...     print("the game has an error")
    """

    @classmethod
    def by(cls, failure: Failure | None, deal: str) -> MatchOver:
        """The failure of a deal, which is named in words."""
        assert failure is not None, "a deal without scores is one that failed"
        return cls(f"{deal} failed at line {failure.line}: {failure.message}")


@dataclass(frozen=True)
class Participant:
    """A person at the table: the name, the kind of player, and how to make one."""

    name: str
    kind: str
    make: MakePlayer | None = None
    """None: the decisions come from outside (`Match.decide`)."""
    budget: Budget = NO_BUDGET

    def on_this_machine(self) -> Participant:
        """The same person, with a player that this machine can start."""
        return replace(self, make=on_this_machine(self.make))


@dataclass(frozen=True)
class Table:
    """What stays the same from match to match: the game, the participants, the rules of the match."""

    game: LoadedGame
    participants: tuple[Participant, ...]
    rules: MatchRules
    sides: Sides
    shared: bool
    limits: Limits
    note: Mapping[str, Any] | None = None
    """Kept in the record's first line for the caller."""
    dealer: int | Literal["drawn"] | None = None
    """The person who deals first: by default the last one, or drawn for each match."""
    secret: str = ""
    """Set where untrusted external players take part (`players.seeds`)."""
    trusted: bool = False
    """Whether trusted external players take part."""

    @classmethod
    def of(
        cls,
        game: LoadedGame,
        participants: Sequence[Participant],
        rules: MatchRules | None = None,
        limits: Limits | None = None,
        note: Mapping[str, Any] | None = None,
    ) -> Table:
        if len(participants) != game.seats:
            raise ValueError(f"{game.name} has {game.seats} seats, not {len(participants)}")
        sheet = game.narrator.sheet
        rules = rules or (sheet.match if sheet else MatchRules())
        sides = game.deal(0, 0, recording=False).teams
        shared = shares_scores(game.program)
        return cls(game, tuple(participants), rules, sides, shared, limits or Limits(), note)

    @property
    def names(self) -> list[str]:
        return [participant.name for participant in self.participants]

    def on_this_machine(self) -> Table:
        """The table with players that this machine can start."""
        return replace(self, participants=tuple(one.on_this_machine() for one in self.participants))

    @contextmanager
    def sitting(self) -> Iterator[Table]:
        """The table for one match: each external player has a process of its own, which ends with the
        match."""
        with player_sessions([participant.make for participant in self.participants]) as makers:
            people = zip(self.participants, makers, strict=True)
            yield replace(self, participants=tuple(replace(person, make=make) for person, make in people))

    def board(self) -> Board:
        return Board(self.rules, self.sides, self.game.program.scoring.highest, self.shared)

    def seating(self, seed: int, match: int, deal: int) -> Seating:
        """The seating of a deal of a match."""
        seats = self.game.seats
        if self.dealer is None:
            return seating_of(deal, seats, self.sides)
        dealer = Stream((seed, match, DRAW)).below(seats) if self.dealer == "drawn" else self.dealer
        return seating_of(deal + dealer + 1, seats, self.sides)

    @lazy_property
    def counting(self) -> Counting:
        """What is counted at the end of a deal. Raises `SheetError` for a storage that the program lacks."""
        return Counting(self.game, self.rules, self.sides)

    def counted(self) -> Counted:
        return Counted.of(len(self.rules.counts), len(self.sides), self.game.seats)

    def tallied(self, meaning: Meaning, seating: Seating) -> Mapping[str, list[int]]:
        """Per tally of the match the numbers of the sides."""
        tallied = {}
        for name, by_team in meaning.tallied.items():
            tallied[name] = [0] * len(self.sides)
            for members, more in zip(self.counting.teams, by_team, strict=True):
                tallied[name][side_of(seating.person(members[0]), self.sides)] += more
        return tallied

    @property
    def recorded_rules(self) -> Record:
        """The rules of the match as records keep them."""
        return {key: getattr(self.rules, key) for key in ("to", "deals", "ties", "over", "down")}

    @property
    def trust(self) -> Record:
        """What records keep about external players; empty where there are none."""
        secret: Record = {"secret": self.secret} if self.secret else {}
        return {**secret, "trusted": True} if self.trusted else secret

    def of_players(self, players: Sequence[PlayerSpec], secret: str | None = None) -> Table:
        """The table for these players: with a secret, new or given, if one of them could search for seeds."""
        trusted = any(player.trusted for player in players)
        if not needs_secret(players):
            return replace(self, trusted=trusted)
        return replace(self, trusted=trusted, secret=secret or new_secret())

    def to(self, target: int | None) -> Table:
        return self if target is None else replace(self, rules=replace(self.rules, to=target))


class Match:
    """One match. `play` plays it to the end, `step` one decision; `decide` takes a move from outside.

    `on_record` is called with every line of the record as soon as it exists.
    """

    def __init__(
        self,
        table: Table,
        seed: int,
        number: int = 0,
        *,
        stacked: Callable[[int], Stacked] | None = None,
        on_record: Callable[[Record], None] | None = None,
    ) -> None:
        self.table = table
        self.seed, self.number = seed, number
        self.seeds = Seeds(seed, table.secret)
        self.board = table.board()
        self._stacked = stacked
        self._on_record = on_record or (lambda _: None)
        self.state: BaseState | None = None
        self.seating = Seating(table.game.seats, 0)
        self._players: list[Seated | None] = []
        self.outcomes: list[Record] = []
        self.counted = table.counted()
        self._note(self.header())
        self._deal()
        self._settle()

    # --- where the match stands ----------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.state is None

    @property
    def winners(self) -> list[int]:
        """The sides that have won; several share the match."""
        return self.board.leaders if self.over else []

    @property
    def to_move(self) -> int | None:
        """The person whose decision it is."""
        return None if self.state is None else self.seating.person(self._seat)

    @property
    def _seat(self) -> int:
        assert self.state is not None
        assert self.state.to_move is not None
        return self.state.to_move

    def header(self) -> Record:
        note = self.table.note
        return {
            "do": "match",
            **self.table.game.identity,
            "seed": self.seed,
            "match": self.number,
            "names": self.table.names,
            "players": [participant.kind for participant in self.table.participants],
            "rules": self.table.recorded_rules,
            **({} if note is None else {"table": dict(note)}),
            **({} if self.table.dealer is None else {"dealer": self.table.dealer}),
            **self.table.trust,
        }

    def around(self, seating: Seating | None = None) -> dict[str, Any]:
        """The match as the seats of a deal observe it, in the order of the program's seats."""
        seating = seating or self.seating
        totals, sides = self.board.totals, self.table.sides
        return {
            "deal": self.board.deals,
            "scores": [totals[side_of(person, sides)] for person in seating.persons],
            "to": self.table.rules.to,
            "deals": self.table.rules.deals,
            "ties": self.table.rules.ties,
            "down": self.table.rules.down,
            "highest": self.board.highest,
            "names": [self.table.names[person] for person in seating.persons],
        }

    # --- playing -------------------------------------------------------------------------------

    def play(self) -> None:
        while not self.over:
            self.step()

    def step(self) -> None:
        """Play one decision by the player to move."""
        assert self.state is not None
        player = self._players[self._seat]
        if player is None:
            raise ValueError(f"{self.table.names[self.seating.person(self._seat)]} decides outside")
        if isinstance(player, Indifferent):
            self.decide(player.pick(self.state.choices))
            return
        budget = self.table.participants[self.seating.person(self._seat)].budget
        self.decide(player.choose(self.state.observe(self._seat, self.around()), budget).move)

    def decide(self, move: Move | int) -> None:
        assert self.state is not None
        seat = self._seat
        before = self.state.decisions
        self.state.play(move)
        line = self._last_decision(before) if self.state.recording else {"index": move}
        self._note({"do": "decision", "seat": seat, "person": self.seating.person(seat), **line})
        self._settle()

    def replay(self, move: Move) -> None:
        """Repeat a recorded decision; a random player draws for it again, so that later draws are the
        same."""
        assert self.state is not None
        player = self._players[self._seat]
        if isinstance(player, Indifferent):
            player.pick(self.state.choices)
        self.decide(move)

    def _last_decision(self, number: int) -> Record:
        assert self.state is not None
        lines = reversed(self.state.records)
        last = next(line for line in lines if line["do"] == "decision" and line["number"] == number)
        return {key: last[key] for key in ("index", "item", "picks", "copy")}

    def _deal(self) -> None:
        number = self.board.deals
        self.seating = self.table.seating(self.seed, self.number, number)
        deal = self.number * DEALS_A_MATCH + number
        stacked = self._stacked(number) if self._stacked else ()
        line: Record = {"do": "deal", "number": number, "deal": deal, "sits": self.seating.persons}
        if stacked:
            line["stacked"] = [None if order is None else list(order) for order in stacked]
        self._note(line)
        self.state = self.table.game.deal(
            *self.seeds.deal(deal), stacked=stacked, limits=self.table.limits, given=self._given()
        )
        makers = [self.table.participants[person].make for person in self.seating.persons]
        self._players = [
            None if make is None else make(*self.seeds.player(deal, seat)) for seat, make in enumerate(makers)
        ]

    def _given(self) -> Given:
        """The storages that tell the program how the match stands."""
        rules, sides = self.table.rules, self.table.sides
        given: dict[str, int] = {}
        for name, what in rules.given:
            if what == "score":
                for seat, person in enumerate(self.seating.persons):
                    given[f"seat{seat}.{name}"] = self.board.totals[side_of(person, sides)]
            else:
                given[f"table.{name}"] = self.board.deals if what == "deal" else rules.to or 0
        return given

    def _settle(self) -> None:
        """If the deal is over, score it, and deal again or end the match."""
        while self.state is not None and self.state.outcome is not None:
            self._score(self.state)
            if self.board.over or self.board.deals >= DEALS_A_MATCH:
                self.state = None
                totals, deals = list(self.board.totals), self.board.deals
                self._note({"do": "over", "winners": self.board.leaders, "totals": totals, "deals": deals})
            else:
                self._deal()

    def _score(self, state: BaseState) -> None:
        outcome = state.outcome
        assert outcome is not None
        if outcome.scores is None:
            raise MatchOver.by(outcome.failure, f"deal {self.board.deals}")
        by_person = self.seating.by_person(outcome.scores)
        meaning = self.table.counting.read(state)
        self.counted.add(self.table.counting, meaning, self.seating, self.table.sides)
        points = self.board.add(by_person, self.table.tallied(meaning, self.seating))
        totals = list(self.board.totals)
        line = {"do": "result", "ending": outcome.ending, "scores": by_person, "points": points}
        self.outcomes.append({**line, "totals": totals})
        self._note(self.outcomes[-1])

    def _note(self, line: Record) -> None:
        self._on_record(line)
