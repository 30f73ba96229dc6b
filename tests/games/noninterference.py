"""Non-interference: two deals that a seat cannot tell apart look the same to it, byte for byte.

    python -m tests.games.noninterference --deals 20 --seed 3             every game of the library
    python -m tests.games.noninterference --games euchre hearts --deals 200
    python -m tests.games.noninterference --generated 500 --seed 3        generated programs instead

A random game is played. Then two cards change places in a shuffle, and the game is played again with every
move translated: the same actions with the two cards exchanged. At every decision it is worked out what the
seat has witnessed in both games (`witnessed.py`, which shares no code with observations). As long as that is
the same, the seat cannot tell the games apart, and its observations must be equal, and so must the words that
machine code wrote for them, their pickles, and their encodings. The moment a rule lets it
tell, since one of the cards is turned up, a move is not possible with the other card, or a hand takes another
course, the comparison of that pair ends. Exceptions are therefore nowhere listed. At that moment the
information states must differ, and if the table looks different, the encoded observations too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.games.witnessed import Witness, actions_of

from upcard.encoding import Encoding, NoEncoding
from upcard.engine.api import Limits, Observation, Record, walk_records
from upcard.engine.loader import load
from upcard.engine.native.game import NativeGame
from upcard.engine.native.seat_view.compact_view import CompactView
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.library import names

LIMITS = Limits(decisions=60, steps=2000)
SETTLING = 8
"""Games played until all shuffles of a game are settled."""
PAIRS = 3
"""Pairs of cards exchanged for each seat and deal."""
ENCODED_WHOLLY = 8
"""The information state of every eighth decision is compared while a seat cannot tell."""
TABLE = ("places", "backs", "integers", "strings", "cycles", "to_move")
"""What an encoded observation is about; only the order of backs in a hidden place is not in it."""


@dataclass(frozen=True)
class Leak:
    """An observation that tells a seat more than it has witnessed."""

    game: str
    deal: int
    seat: int
    cards: tuple[str, str]
    decision: int
    part: str
    one: str
    other: str

    def __str__(self) -> str:
        return (
            f"{self.game}, deal {self.deal}: seat {self.seat} can tell {' from '.join(self.cards)} "
            f"at decision {self.decision} by its {self.part}\n  {self.one}\n  {self.other}"
        )


@dataclass
class Counts:
    """How much was compared, and why pairs were not compared further."""

    compared: int = 0
    """Observations, at one decision each."""
    pairs: int = 0
    """Pairs of cards that were compared at one decision at least."""
    ended: dict[str, int] = field(default_factory=dict)
    leaks: list[Leak] = field(default_factory=list)
    told: int = 0
    """Pairs that ended with encodings that tell the games apart, as the seat can."""
    blind: list[str] = field(default_factory=list)
    """Encodings that were equal although the seat could tell."""

    def end(self, reason: str) -> None:
        self.ended[reason] = self.ended.get(reason, 0) + 1


@dataclass(frozen=True)
class Taken:
    """A decision of the game that was played first."""

    item: int
    picks: Sequence[Mapping[str, Any]]
    copy: int
    effects: Sequence[Record]


class Played:
    """A random game with all that every seat witnessed and observed at each of its decisions."""

    def __init__(self, game: LoadedGame, seed: int, deal: int) -> None:
        self.game, self.seed, self.deal = game, seed, deal
        self.orders, indices = _random_game(game, seed, deal)
        self.taken: list[Taken] = []
        self.witnesses: list[list[str]] = []
        self.observed: list[list[dict[str, str]]] = []
        self.states: list[BaseState] = []
        self.seats = range(game.seats)
        follower = Follower(self.dealt(self.orders), self.seats)
        for index in indices:
            self._keep(follower)
            move = follower.state.moves[index]
            self.taken.append(Taken(move.item, move.picks, move.copy, move.effects))
            follower.state.play(index)
        self._keep(follower)
        self.records = follower.state.records

    def dealt(self, orders: Sequence[Sequence[str]]) -> BaseState:
        return _deal(self.game, self.seed, self.deal, orders)

    def _keep(self, follower: Follower) -> None:
        witnessed, observed = zip(*(follower.look(seat) for seat in self.seats), strict=True)
        self.witnesses.append(list(witnessed))
        self.observed.append(list(observed))
        self.states.append(follower.state.copy())


class Follower:
    """A game in progress, and what its seats witness on the way."""

    def __init__(self, state: BaseState, seats: Iterable[int]) -> None:
        self.state = state
        self._witness = {seat: Witness(seat, state.game.facts.order) for seat in seats}
        self._told = dict.fromkeys(self._witness, 0)

    def look(self, seat: int) -> tuple[str, dict[str, str]]:
        """What a seat has witnessed and what it observes now, as text; of records only those that are new."""
        state = self.state
        self._witness[seat].go_on(state.records)
        offered = state.moves if state.to_move == seat else None
        witnessed = self._witness[seat].text(offered)
        seen = state.observe(seat)
        kept = kept_bytes(seen)
        observation = seen.to_json()
        observation["records"], told = observation["records"][self._told[seat] :], len(observation["records"])
        self._told[seat] = told
        return witnessed, kept | {part: json.dumps(value) for part, value in observation.items()}


def encoded(state: BaseState, seat: int) -> dict[str, str]:
    """What encodings hold of an observation, and what machine code makes of the state."""
    encoding = encoding_of(state.game)
    if encoding is None:
        return {}
    seen = state.observe(seat)
    found = {"encoding": encoding.encode(seen), "mask": encoding.mask(seen)}
    found["encoded state"] = encoding.observe(state, seat)
    if state.to_move == seat:
        found["mask of the state"] = encoding.mask_of(state)
    if seen.decision % ENCODED_WHOLLY == 0:
        found["information state"] = encoding.information_state(seen)
    return {part: data.hex() for part, data in found.items()}


def encoding_of(game: LoadedGame) -> Encoding | None:
    try:
        return game.encoding
    except NoEncoding:
        return None


def kept_bytes(observation: Observation) -> dict[str, str]:
    """What an observation of machine code is before it is read, and its pickle once it is."""
    view = getattr(observation.__dict__.get("_read"), "__self__", None)
    if not isinstance(view, CompactView):
        return {}
    assert view.history is not None
    return {
        "words": view.data.hex(),
        "events": hashlib.sha256(view.history.events()).hexdigest(),
        "pickle": hashlib.sha256(pickle.dumps(observation)).hexdigest(),
    }


def _deal(game: LoadedGame, seed: int, deal: int, orders: Sequence[Sequence[str]]) -> BaseState:
    if isinstance(game, NativeGame):
        return game.native_deal(seed, deal, stacked=orders, limits=LIMITS)
    return game.deal(seed, deal, stacked=orders, limits=LIMITS)


def _random_game(game: LoadedGame, seed: int, deal: int) -> tuple[list[list[str]], list[int]]:
    """The outcomes of the shuffles and the choices of a random game that is played again with these outcomes.
    A shuffle whose outcome is given draws nothing, so what chance brings after it changes: shuffle by shuffle
    the outcomes are settled. Where that takes too long, the last ones are left to chance."""
    orders: list[list[str]] = []
    indices: list[int] = []
    for _ in range(SETTLING):
        state, indices = _deal(game, seed, deal, orders), []
        draw = random.Random(f"{seed} {deal}")
        while state.to_move is not None:
            indices.append(draw.randrange(state.choices))
            state.play(indices[-1])
        shuffles = [line for line in walk_records(state.records) if line["do"] == "shuffle"]
        made = [line["cards"] for line in shuffles if len(line["cards"]) > 1]
        if made == orders:
            break
        orders = made[: len(orders) + 1]
    else:
        orders = orders[:-1]
    return orders, indices


# --- exchanging ----------------------------------------------------------------------------------


def exchange(value: Any, cards: tuple[str, str]) -> Any:
    """A record or a part of one with two cards exchanged."""
    if isinstance(value, str):
        return {cards[0]: cards[1], cards[1]: cards[0]}.get(value, value)
    if isinstance(value, Mapping):
        return {key: exchange(part, cards) for key, part in value.items()}
    return [exchange(part, cards) for part in value] if isinstance(value, list | tuple) else value


def translated(state: BaseState, taken: Taken, cards: tuple[str, str]) -> int | None:
    """The index of the alternative that does the same with the two cards exchanged: of the same item and
    picks where there is one, else of any."""
    wanted = actions_of(exchange(taken.effects, cards))
    found = [n for n, move in enumerate(state.moves) if actions_of(move.effects) == wanted]
    picks = exchange(taken.picks, cards)
    same = [n for n in found if state.moves[n].item == taken.item and [*state.moves[n].picks] == picks]
    equal = [n for n in same if state.moves[n].copy == taken.copy]
    return next(iter(equal or same or found), None)


def follow(played: Played, seat: int, shuffle: int, cards: tuple[str, str], counts: Counts) -> None:
    """Play the game again with two cards exchanged from a shuffle on, as long as the seat cannot tell."""
    orders = [*played.orders[:shuffle], *(exchange(order, cards) for order in played.orders[shuffle:])]
    follower = Follower(played.dealt(orders), [seat])
    differed = False
    for number, (witnessed, observed) in enumerate(zip(played.witnesses, played.observed, strict=True)):
        mine, shown = follower.look(seat)
        before = played.states[number]
        if mine != witnessed[seat]:
            counts.end("the seat could tell")
            looks_different = any(observed[seat][part] != shown[part] for part in TABLE)
            told_apart(
                before.observe(seat), follower.state.observe(seat), looks_different, played.game, counts
            )
            return
        counts.compared += 1
        counts.pairs += not differed
        differed = True
        shown |= encoded(follower.state, seat)
        for part, value in (observed[seat] | encoded(before, seat)).items():
            if shown[part] != value:
                one, other = _around(value, shown[part])
                known = (played.game.name, played.deal, seat, cards, number, part, one, other)
                counts.leaks.append(Leak(*known))
                return
        if number == len(played.taken):
            break
        index = translated(follower.state, played.taken[number], cards)
        if index is None:
            counts.end("a move was impossible")
            return
        follower.state.play(index)
    counts.end("the game was over")


def told_apart(
    one: Observation, other: Observation, looks_different: bool, game: LoadedGame, counts: Counts
) -> None:
    """Two observations of games that a seat can tell apart have different encodings."""
    encoding = encoding_of(game)
    if encoding is None:
        return
    where = f"{game.name}, seat {one.seat}, decision {one.decision}"
    if encoding.information_state(one) == encoding.information_state(other):
        counts.blind.append(f"{where}: the information states are equal, but the seat can tell")
    if looks_different and encoding.encode(one) == encoding.encode(other):
        counts.blind.append(f"{where}: the encoded observations are equal, but the table looks different")
    counts.told += looks_different


def _around(one: str, other: str) -> tuple[str, str]:
    """Two texts around where they begin to differ."""
    at = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return tuple(f"...{text[max(0, at - 80) : at + 120]}..." for text in (one, other))  # type: ignore[return-value]


# --- pairs ---------------------------------------------------------------------------------------


def pairs_of(
    played: Played, seat: int, draw: random.Random, count: int
) -> Iterator[tuple[int, tuple[str, str]]]:
    """Shuffles, each with two of its cards that have the same back and that the seat does not see at once.
    Every other pair is of cards that it sees late or never, since these are compared for longest."""
    first = next((n for n, record in enumerate(played.records) if record["do"] == "decision"), 0)
    for number in range(count if played.orders else 0):
        shuffle = 0 if number % 3 else draw.randrange(len(played.orders))
        seen = Witness(seat, played.game.facts.order).first_sights(played.records, shuffle)
        late = [card for card in played.orders[shuffle] if seen.get(card, first) >= first]
        late.sort(key=lambda card: (seen.get(card, len(played.records)), draw.random()))
        pool = late[len(late) // 2 :] if number % 2 else late
        one = draw.choice(pool) if pool else None
        mates = [card for card in pool if card != one and one is not None and _back(card) == _back(one)]
        if one is not None and mates:
            yield shuffle, (one, draw.choice(mates))


def _back(card: str) -> str:
    return card.rsplit(":", 1)[0]


def examine(game: LoadedGame, seed: int, deal: int, counts: Counts, pairs: int = PAIRS) -> None:
    """One deal: every seat, with so many pairs of cards exchanged."""
    played = Played(game, seed, deal)
    draw = random.Random(f"pairs {seed} {deal}")
    for seat in played.seats:
        for shuffle, cards in pairs_of(played, seat, draw, pairs):
            follow(played, seat, shuffle, cards, counts)
            if counts.leaks:
                return


def engines(game: LoadedGame) -> list[LoadedGame]:
    """The reference engine, and the native one where there is machine code."""
    return [game.reference_game, game] if isinstance(game, NativeGame) else [game]


# --- the command ---------------------------------------------------------------------------------


def generated(count: int, seed: int) -> Iterator[LoadedGame]:
    from tests.engine.fuzz.compare import IllTyped
    from tests.engine.fuzz.compare import load as load_generated
    from tests.engine.fuzz.shape import program

    for number in range(count):
        try:
            game = load_generated(program(seed, number))
        except IllTyped:
            continue
        game.name = f"program {number} of seed {seed}"
        yield game


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.games.noninterference", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", nargs="+", choices=names(), default=names(), metavar="GAME")
    parser.add_argument("--generated", type=int, help="number of generated programs to test instead")
    parser.add_argument("--deals", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.generated is not None:
        games: Iterable[LoadedGame] = generated(asked.generated, asked.seed)
        deals = 1
    else:
        games = (engine for name in asked.games for engine in engines(load(name)))
        deals = asked.deals
    total = leaks = blind = 0
    for game in games:
        counts = Counts()
        for deal in range(deals):
            examine(game, asked.seed, deal, counts)
        for problem in (*counts.leaks, *counts.blind):
            print(problem)
        if asked.generated is None:
            reasons = ", ".join(f"{n} x {reason}" for reason, n in sorted(counts.ended.items()))
            print(
                f"{game.name} ({game.engine}): {counts.compared} observations compared; {reasons}", flush=True
            )
        total += counts.compared
        leaks += len(counts.leaks)
        blind += len(counts.blind)
    print(
        f"seed {asked.seed}: {total} observations compared, {leaks} leaks, "
        f"{blind} encodings that do not tell apart what a seat can"
    )
    return 1 if leaks or blind else 0


if __name__ == "__main__":
    sys.exit(main())
