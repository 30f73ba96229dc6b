"""Plays and logs games for a study: choices, evaluations, results.

Three sorts of games, all from the same deals: random players in every seat, a searching player in every seat,
and a searching player in the first seat among random ones. Of the random ones only the first are kept like
this; of all others there are sums (`upcard.simulate.traces`).

A *round* is one run of a stage that lies inside another stage, in which several seats decide: a trick, the
bids for one prize. Whoever decides first in it leads, the others follow. All other decisions (passing cards,
bidding for trump) are in no round, and a program that plays its tricks in one stage without an inner one has
none that can be told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from upcard.engine.api import Ending, Record, rank
from upcard.engine.native.backends.select import NoMachineCode
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.game import LoadedGame
from upcard.files.decode import Mismatch, Range
from upcard.players.external.external_player import player_sessions
from upcard.players.guard import Guarded
from upcard.players.protocol import Indifferent
from upcard.players.random_player import RandomPlayer
from upcard.players.seeds import Seeds
from upcard.players.spec import PlayerSpec
from upcard.simulate.stage_trace import staged_games
from upcard.simulate.traces import Trace, trace_game
from upcard.study.leads import Thought, thought

DIGITS = 6
"""Decimals of recorded estimates, which are accurate to two or three."""


@dataclass(frozen=True)
class Watched:
    """One game. Lists that are per decision have one entry for each decision, in order."""

    deal: int
    ending: Ending
    scores: tuple[int, ...] | None
    """None if the game failed."""
    seats: tuple[Annotated[int, Range(0)], ...]
    choices: tuple[Annotated[int, Range(1)], ...]
    rounds: tuple[Annotated[int, Range(0)], ...] = ()
    """The round of each decision, from 1; 0 outside rounds. Empty if rounds were not determined."""
    spreads: tuple[float | None, ...] = ()
    leads: tuple[tuple[float, ...] | None, ...] = ()

    @property
    def trace(self) -> Trace:
        return Trace(self.ending, self.seats, self.choices, self.scores)

    def ranks(self, highest: bool) -> tuple[int, ...]:
        assert self.scores is not None, "a failed game has no ranks"
        return rank(self.scores, highest)

    def to_json(self) -> Record:
        data: Record = {"deal": self.deal, "ending": self.ending, "scores": self.scores}
        data |= {"seats": self.seats, "choices": self.choices}
        for name in ("rounds", "spreads", "leads"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        return data

    def check(self, deal: int, seats: int) -> None:
        """Raises `Mismatch` unless a study can have recorded this for a deal."""
        if self.deal != deal:
            raise Mismatch(f"must be {deal} in this line", "deal")
        if (self.scores is None) != (self.ending == "failed"):
            raise Mismatch("must be null for a game that failed, and only there", "scores")
        if self.scores is not None and len(self.scores) != seats:
            raise Mismatch(f"must be a list of {seats}, one for each seat", "scores")
        if max(self.seats, default=0) >= seats:
            raise Mismatch(f"must be numbers below {seats}", "seats")
        for key in ("choices", "rounds", "spreads", "leads"):
            values = getattr(self, key)
            if len(values) != len(self.seats) and (values or key == "choices"):
                raise Mismatch(f"must be a list of {len(self.seats)}, one for each decision", key)
        for number, lead in enumerate(self.leads):
            if lead is not None and len(lead) != seats:
                raise Mismatch(f"must be a list of {seats}, one for each seat", "leads", number)


def random_games(game: LoadedGame, seed: int, start: int, end: int) -> Iterator[Watched]:
    """The games together with their rounds."""
    for deal, (trace, records) in enumerate(_staged(game, seed, start, end), start):
        rounds = rounds_in(records)
        yield Watched(
            deal, trace.ending, trace.scores, trace.seats, trace.choices, rounds if any(rounds) else ()
        )


def _staged(game: LoadedGame, seed: int, start: int, end: int) -> Iterator[tuple[Trace, Sequence[Record]]]:
    """Games with the stages and decisions of their records, played by machine code where available."""
    if isinstance(game, NativeGame):
        with suppress(NoMachineCode):
            return staged_games(game, seed, start, end)
    return (_recorded(game, seed, deal) for deal in range(start, end))


def _recorded(game: LoadedGame, seed: int, deal: int) -> tuple[Trace, Sequence[Record]]:
    state = game.deal(seed, deal)
    return trace_game(state), state.records


def rounds_in(records: Sequence[Record]) -> tuple[int, ...]:
    """The round of every decision in a record."""
    runs: list[int] = []
    movers: dict[int, set[int]] = {}
    inside: list[int] = []  # for each open stage the number of its run; 0 before its first decision
    last = 0
    for record in records:
        if record["do"] == "stage":
            if record["what"] == "enter":
                inside.append(0)
            elif record["what"] == "leave":
                inside.pop()
        elif record["do"] == "decision":
            if len(inside) > 1 and not inside[-1]:
                last = inside[-1] = last + 1
            runs.append(inside[-1] if len(inside) > 1 else 0)
            movers.setdefault(runs[-1], set()).add(record["seat"])
    shared = [run for run, seats in movers.items() if run and len(seats) > 1]
    number = {run: n for n, run in enumerate(shared, 1)}
    return tuple(number.get(run, 0) for run in runs)


def searching_game(game: LoadedGame, seated: Sequence[PlayerSpec | None], seeds: Seeds, deal: int) -> Watched:
    """Plays a deal with these players. None is a random player, whose estimates are not recorded."""
    with player_sessions(
        [None if player is None else Guarded(player.name, player.make) for player in seated]
    ) as makers:
        return _watched(game, seated, makers, seeds, deal)


def _watched(
    game: LoadedGame,
    seated: Sequence[PlayerSpec | None],
    makers: Sequence[Guarded | None],
    seeds: Seeds,
    deal: int,
) -> Watched:
    players = [(make or RandomPlayer)(*seeds.player(deal, seat)) for seat, make in enumerate(makers)]
    state = game.deal(*seeds.deal(deal), given=game.given_outside_a_match(deal))
    seats, choices, thoughts = [], [], list[Thought]()
    while (seat := state.to_move) is not None:
        player, given = players[seat], seated[seat]
        seats.append(seat)
        choices.append(state.choices)
        if isinstance(player, Indifferent):
            state.play(player.pick(state.choices))
            thoughts.append(Thought(None, None))
            continue
        assert given is not None
        observation = state.observe(seat)
        decision = player.choose(observation, given.budget)
        state.play(decision.move)
        thoughts.append(thought(decision, observation))
    outcome = state.outcome
    assert outcome is not None, "nobody is to move, so the game is over"
    return Watched(
        deal,
        outcome.ending,
        outcome.scores,
        tuple(seats),
        tuple(choices),
        (),
        tuple(None if one.spread is None else round(one.spread, DIGITS) for one in thoughts),
        tuple(None if one.lead is None else tuple(round(x, DIGITS) for x in one.lead) for one in thoughts),
    )
