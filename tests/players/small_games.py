"""Games of a few cards, small enough to list every way in which a seat's view can have come about."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations

from upcard.engine.api import Observation
from upcard.engine.loader import make_game
from upcard.engine.native.event_log import Words
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state_memory import Memory, cards_by_place
from upcard.engine.record_view import view
from upcard.engine.reference.state import ReferenceState
from upcard.engine.rng import Stream
from upcard.engine.shared.table import Table
from upcard.players.belief.determinization import Worlds
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

TRICKS = """\
 (stage player
  (end (all player 'P (== (size ('P iloc HAND)) 0)))
  (let (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) (game str LED))) 'SAME
   (choice (
    ((> (size 'SAME) 0) (any 'SAME 'C (move 'C (top ((current player) vloc TRICK)))))
    ((== (size 'SAME) 0)
     (any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc TRICK))))))))
  (do (
   ((== (game str LED) NONE)
    (all ((current player) vloc TRICK) 'C (set (game str LED) (cardatt SUIT 'C))))
   ((all player 'P (== (size ('P vloc TRICK)) 1))
    (do ((set (game str LED) NONE)
         (all player 'P (move (top ('P vloc TRICK)) (top ('P vloc DONE))))))))))
 (scoring max (size ((current player) vloc DONE))))
"""
"""Suit is followed; a trick lies until everybody has played to it."""

FOLLOW = (
    """
(game
 (setup (create players 3)
  (create deck (game iloc PACK) (deck (SUIT (RED, BLACK)) (RANK (ONE, TWO, THREE)))))
 (do ((shuffle (game iloc PACK))
      (all player 'P (repeat 2 (move (top (game iloc PACK)) (top ('P iloc HAND)))))
      (set (game str LED) NONE)))
"""
    + TRICKS
)

BURY = (
    """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (SUIT (RED, BLACK)) (RANK (ONE, TWO, THREE)))))
 (do ((shuffle (game iloc PACK))
      (all player 'P (repeat 2 (move (top (game iloc PACK)) (top ('P iloc HAND)))))
      (move (top (game iloc PACK)) (top (game vloc UPCARD)))
      (set (game str LED) NONE)
      (move (top (game vloc UPCARD)) (top ((2 player) iloc HAND)))))
 (stage player
  (end (== (size ((2 player) iloc HAND)) 2))
  (do ((cycle current (2 player))))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc BURIED)))))))
"""
    + TRICKS
)
"""The second player takes the turned card up and buries one of three unseen, perhaps that very card."""

KEEP = BURY.replace(
    "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc BURIED))))",
    "(any (filter ((current player) iloc HAND) 'C (!= (cardatt RANK 'C) THREE)) 'C"
    " (move 'C (top ((current player) iloc BURIED))))",
)
"""The same, but no three is buried: what stays in the hand may be one."""

SPARE = (
    """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (SUIT (RED, BLACK)) (RANK (ONE, TWO, THREE)))))
 (do ((shuffle (game iloc PACK))
      (repeat 2 (move (top (game iloc PACK)) (top ((1 player) iloc HAND))))
      (repeat 3 (move (top (game iloc PACK)) (top ((2 player) iloc HAND))))
      (set (game str LED) NONE)))
 (stage player
  (end (== (size ((2 player) iloc HAND)) 2))
  (do ((cycle current (2 player))))
  (let (size (filter ((current player) iloc HAND) 'C (== (cardatt RANK 'C) TWO))) 'TWOS
   (choice (
    (any (filter ((current player) iloc HAND) 'C
          (and (!= (cardatt RANK 'C) THREE) (or (!= (cardatt RANK 'C) ONE) (== 'TWOS 0)))) 'C
     (move 'C (top ((current player) iloc BURIED))))
    (any (filter ((current player) iloc HAND) 'C
          (and (== (cardatt RANK 'C) THREE) (== (cardatt SUIT 'C) BLACK))) 'C
     (move 'C (top ((current player) iloc BURIED))))))))
"""
    + TRICKS
)
"""The second player buries one of three unseen, by one of two items: no three, and a one only without a two;
or the black three. The other seat cannot tell which item it was."""

NAMED = SPARE[: SPARE.index("  (let (size")] + (
    """
  (choice (
   (any (RED, BLACK) 'SUIT
    (any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) 'SUIT)) 'C
     ((== 'SUIT RED) (move 'C (top ((current player) iloc BURIED))))))
   (any (TWO, THREE) 'RANK
    (any (filter ((current player) iloc HAND) 'C (== (cardatt RANK 'C) 'RANK)) 'C
     (move 'C (top ((current player) iloc BURIED))))))))
"""
    + TRICKS
)
"""Here a word is picked first, which nobody hears; a red two or three can be buried in two ways."""

RESHUFFLE = """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (SUIT (RED)) (RANK (ONE, TWO, THREE, FOUR, FIVE)))))
 (do ((shuffle (game iloc PACK))
      (all player 'P (repeat 2 (move (top (game iloc PACK)) (top ('P iloc HAND)))))
      (move (top (game iloc PACK)) (top (game vloc PILE)))))
 (stage player
  (end (== (game sto TURNS) 5))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))))
  (do (
   (inc (game sto TURNS))
   ((== (game sto TURNS) 2)
    (do ((repeat all (move (top (game vloc PILE)) (top (game iloc PACK))))
         (shuffle (game iloc PACK))
         (all player 'P (move (top (game iloc PACK)) (top ('P iloc HAND))))))))))
 (scoring max (size ((current player) iloc HAND))))
"""
"""When the pack is used up, the open pile is shuffled and drawn from."""

BIDS = """
(game
 (setup (create players 2)
  (create deck (game vloc BOX) (deck (SUIT (RED, BLACK, BLUE)) (RANK (ONE, TWO, THREE)))))
 (do (
  (all (filter (game vloc BOX) 'C (== (cardatt SUIT 'C) RED)) 'C (move 'C (top ((1 player) iloc HAND))))
  (all (filter (game vloc BOX) 'C (== (cardatt SUIT 'C) BLACK)) 'C (move 'C (top ((2 player) iloc HAND))))
  (all (filter (game vloc BOX) 'C (== (cardatt SUIT 'C) BLUE)) 'C (move 'C (top (game iloc PRIZES))))
  (shuffle (game iloc PRIZES))))
 (stage player
  (end (== (size (game iloc PRIZES)) 0))
  (do ((move (top (game iloc PRIZES)) (top (game vloc PRIZE)))))
  (stage player
   (end (all player 'P (== (size ('P iloc BID)) 1)))
   (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc BID)))))))
  (do (
   (all player 'P (repeat all (move (top ('P iloc BID)) (top ('P vloc SHOWN)))))
   (all player 'P (repeat all (move (top ('P vloc SHOWN)) (top ('P vloc SPENT)))))
   (repeat all (move (top (game vloc PRIZE)) (top (game vloc GONE))))
   (cycle next current))))
 (scoring max (size ((current player) vloc SPENT))))
"""

ASK = """
(game
 (declare (ONE, TWO, THREE) 'RANKS)
 (setup (create players 3)
  (create deck (game iloc PACK) (deck (SUIT (RED, BLACK)) (RANK (ONE, TWO, THREE)))))
 (do ((shuffle (game iloc PACK))
      (all player 'P (repeat 2 (move (top (game iloc PACK)) (top ('P iloc HAND)))))))
 (stage player
  (end (== (game sto TURNS) 4))
  (choice (
   (any (other player) 'P
    (any 'RANKS 'RANK
     ((any ((current player) iloc HAND) 'C (== (cardatt RANK 'C) 'RANK))
      (do ((set ('P str ASKED) 'RANK) (set (game str WANTED) 'RANK))))))
   ((== (size ((current player) iloc HAND)) 0) (set (game str WANTED) NONE))))
  (do (
   (inc (game sto TURNS))
   (all (other player) 'P
    ((== ('P str ASKED) (game str WANTED))
     (let (filter ('P iloc HAND) 'C (== (cardatt RANK 'C) (game str WANTED))) 'GIVEN
      (do (
       (repeat all (move (top 'GIVEN) (top ('P vloc GIVEN))))
       (repeat all (move (top ('P vloc GIVEN)) (top ((current player) iloc HAND))))))))
    )
   (all player 'P (set ('P str ASKED) NOBODY)))))
 (scoring max (size ((current player) iloc HAND))))
"""
"""Asking takes a card of the rank; whoever is asked gives all of it."""

DRAW = """
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (SUIT (RED, BLACK)) (RANK (ONE, TWO, THREE))))
  (create deck (game iloc PACK) (deck (SUIT (RED)) (RANK (FOUR)))))
 (do ((shuffle (game iloc PACK))
      (all player 'P (repeat 2 (move (top (game iloc PACK)) (top ('P iloc HAND)))))
      (move (top (game iloc PACK)) (top (game vloc PILE)))))
 (stage player
  (end (== (game sto TURNS) 6))
  (let (filter ((current player) iloc HAND) 'C
        (== (cardatt SUIT 'C) (cardatt SUIT (top (game vloc PILE))))) 'SAME
   (choice (
    (any 'SAME 'C (move 'C (top (game vloc PILE))))
    ((and (== (size 'SAME) 0) (> (size (game iloc PACK)) 0))
     (move (top (game iloc PACK)) (top ((current player) iloc HAND))))
    ((and (== (size 'SAME) 0) (== (size (game iloc PACK)) 0))
     (set ((current player) str ACT) PASS)))))
  (do ((inc (game sto TURNS)))))
 (scoring max (size ((current player) iloc HAND))))
"""
"""Whoever cannot follow the pile draws, so a card that fits now was not in the hand before."""

GAMES = {
    "follow": FOLLOW,
    "bury": BURY,
    "keep": KEEP,
    "spare": SPARE,
    "named": NAMED,
    "reshuffle": RESHUFFLE,
    "bids": BIDS,
    "ask": ASK,
    "draw": DRAW,
}

Lie = tuple[tuple[str, tuple[int, ...]], ...]
"""Where every card lies."""


@cache
def small(name: str) -> NativeGame:
    made = make_game(name, *check(Source(f"{name}.rcy", GAMES[name])).sound())
    assert isinstance(made, NativeGame)
    return made


def lie(table: Table) -> Lie:
    return tuple(sorted((place.text, tuple(cards)) for place, cards in table.places.items() if cards))


@cache
def opening(name: str, order: tuple[str, ...]) -> ReferenceState:
    """A deal from a stacked pack, up to the first decision."""
    state = small(name).reference_game.deal(0, 0, stacked=[order])
    assert isinstance(state, ReferenceState)
    return state


def lie_of_words(words: Words, memory: Memory) -> Lie:
    """The same of a state in memory, without reading the rest of its table."""
    lying = cards_by_place(words.lowered.layout, memory)
    return tuple(sorted((words.places[place].text, tuple(cards)) for place, cards in lying))


def histories(game: NativeGame, observation: Observation, by_chance: bool = False) -> dict[Lie, float]:
    """Every lie of the cards that shows a seat what it saw, with its chance, by the reference engine.

    All outcomes of every shuffle are tried, and at every decision all alternatives that look to the seat
    like the one it saw; these are alike in chance. `by_chance`: the others chose by chance among all that
    they could do.
    """
    key = game.name, json.dumps(observation.to_json())
    if key not in _both:
        _both.clear()  # tests ask for both kinds of chances one after the other
        _both[key] = _histories(game, observation)
    found = _both[key][by_chance]
    total = sum(found.values())
    return {key: chance / total for key, chance in found.items()}


_both: dict[tuple[str, str], tuple[dict[Lie, float], dict[Lie, float]]] = {}


def _histories(game: NativeGame, observation: Observation) -> tuple[dict[Lie, float], dict[Lie, float]]:
    seat, seen = observation.seat, list(observation.records)
    found: dict[Lie, float] = defaultdict(float)
    found_by_chance: dict[Lie, float] = defaultdict(float)

    def replay(orders: list[list[str]], picks: list[int]) -> ReferenceState:
        if len(orders) == 1 and not picks:
            return opening(game.name, tuple(orders[0]))
        state = game.reference_game.deal(0, 0, stacked=orders)
        assert isinstance(state, ReferenceState)
        for pick in picks:
            state.play(pick)
        return state

    def fits(state: ReferenceState, behind: int, end: int | None = None) -> bool:
        """Whether the seat would have seen the same records from `behind` on."""
        records = state.records[behind:end]
        return len(records) <= len(seen) - behind and all(
            view([record], seat) == [there] for record, there in zip(records, seen[behind:], strict=False)
        )

    def go_on(
        state: ReferenceState,
        orders: list[list[str]],
        picks: list[int],
        chance: float,
        by_chance: float,
        read: int,
    ) -> None:
        for order in unsupplied(state, len(orders)):
            outcomes = [list(way) for way in permutations(order)]
            for way in outcomes:
                again = replay([*orders, way], picks)
                if fits(again, read):
                    count = len(outcomes)
                    go_on(again, [*orders, way], picks, chance / count, by_chance / count, len(again.records))
            return
        if len(state.records) >= len(seen):
            found[lie(state.table)] += chance
            found_by_chance[lie(state.table)] += by_chance
            return
        alike = []
        for index in range(len(state.alternatives)):
            after = state.copy()
            after.play(index)
            if fits(after, read, read + 1):
                alike.append((index, after))
        ways = len(state.alternatives) if state.to_move != seat else len(alike)
        for index, after in alike:
            shuffles = bool(list(unsupplied(after, len(orders))))
            if shuffles or fits(after, read):
                end = read if shuffles else len(after.records)
                go_on(after, orders, [*picks, index], chance / len(alike), by_chance / ways, end)

    go_on(replay([], []), [], [], 1.0, 1.0, 0)
    return found, found_by_chance


def unsupplied(state: ReferenceState, supplied: int) -> Iterator[list[str]]:
    """The first shuffle whose outcome nobody has given."""
    shuffles = [
        line["cards"]
        for record in state.records
        for line in (record, *record.get("actions", ()))
        if line["do"] == "shuffle"
    ]
    yield from shuffles[supplied : supplied + 1]


def sampled(game: NativeGame, worlds: Worlds, count: int, seed: int) -> tuple[dict[Lie, float], float]:
    """How often each lie came up, by weight, and how many equal samples these are worth."""
    found: dict[Lie, float] = defaultdict(float)
    total = squares = 0.0
    for n, (memory, weight) in enumerate(worlds.sample(Stream((seed,)))):
        if n == count:
            break
        found[lie_of_words(game.words, memory)] += weight
        total += weight
        squares += weight * weight
    if not total:
        return {}, 0.0
    return {key: weight / total for key, weight in found.items()}, total * total / squares


def deviation(expected: Mapping[Lie, float], found: Mapping[Lie, float], samples: float) -> float:
    """The greatest distance between what was expected and what was found, in standard errors."""
    if any(key not in expected for key in found):
        return float("inf")
    return max(
        abs(found.get(key, 0.0) - chance) / math.sqrt(max(chance * (1 - chance), 1e-6) / samples)
        for key, chance in expected.items()
    )
