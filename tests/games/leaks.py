"""Leaks planted in observations, one at a time: the test of non-interference must find each of them.

Each replaces one function by one that shows a seat more than it may know, and names where that shows: a game
of the library, or one of the small programs below. `LEAKS` are those of the reference engine, whose
observations the functions of `engine/shared` make, `KERNEL_LEAKS` those of the kernels of
`engine/native/seat_view`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

from tests.engine.fuzz.faults import replaced

from upcard.engine import record_view as contract
from upcard.engine.api import Place, Record
from upcard.engine.native.backends.select import choose_backend
from upcard.engine.native.kernels.language import Int, Ptr, i64, set_i64
from upcard.engine.native.seat_view import view_code
from upcard.engine.native.seat_view.seat_knowledge import clear_bit, only, placed_at
from upcard.engine.native.seat_view.view_facts import ViewFacts
from upcard.engine.reference import state as reference_state
from upcard.engine.shared import effect_records as records
from upcard.engine.shared import flat_program as code
from upcard.engine.shared import views as observing
from upcard.engine.shared.alternatives import Alternative
from upcard.engine.shared.knowledge import Knowledge

HEAD = """(game
 (setup (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)) (SUIT (S, H)))))
 (do ((shuffle (game iloc STOCK))
      (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
"""
TAIL = """
 (choice ((turn pass)))
 (scoring max 0))
"""

PROGRAMS = {
    # the number of the item would tell the suit of a card that goes face down
    "item": """ (choice (
  (any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) S)) 'C (move 'C (top (game hloc AWAY))))
  (any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) H)) 'C (move 'C (top (game hloc AWAY))))
 ))""",
    # so would the word that was picked first
    "word": """ (choice (
  (any (S, H) 'SUIT
   (any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) 'SUIT)) 'C
    (move 'C (top (game hloc AWAY)))))))""",
    # the place of a redact among the cards of one's own hand would tell its rank
    "draw": """ (choice (
  (any (union ((current player) iloc HAND) ((next player) iloc HAND)) 'C
   (move 'C (top ((current player) iloc HAND))))))""",
    # how many cards of a suit there are to shuffle
    "shuffle": """ (choice ((shuffle (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) S)))))""",
    # what a move does after a look at a card that its chooser does not see
    "look": """ (choice (
  ((== (size (game iloc STOCK)) 2) (set (game str TOP) (cardatt SUIT (top (game iloc STOCK)))))
  (turn pass)))""",
    # the same by a let around the choice
    "let": """ (let (cardatt SUIT (top (game iloc STOCK))) 'SUIT
  (choice ((set (game str TOP) 'SUIT) (turn pass))))""",
}


def text_of(name: str) -> str:
    return HEAD + PROGRAMS[name] + TAIL


class Plant(NamedTuple):
    plant: Callable[[], AbstractContextManager[None]]
    shown_by: str
    """A game, or a program above."""


LEAKS: dict[str, Plant] = {}


def leak(shown_by: str) -> Callable[[Callable[[], Iterator[None]]], Callable[[], Iterator[None]]]:
    def register(plant: Callable[[], Iterator[None]]) -> Callable[[], Iterator[None]]:
        LEAKS[plant.__name__] = Plant(contextmanager(plant), shown_by)
        return plant

    return register


def _decisions_keep(key: str) -> AbstractContextManager[None]:
    right = contract._decision_view

    def wrong(record: Record, seat: int) -> Record:
        return {**right(record, seat), key: record[key]}

    return replaced(contract, "_decision_view", wrong)


@leak("item")
def the_item_is_shown() -> Iterator[None]:
    with _decisions_keep("item"):
        yield


@leak("word")
def the_picks_are_shown() -> Iterator[None]:
    right = contract._decision_view

    def wrong(record: Record, seat: int) -> Record:
        plain = [pick for pick in record["picks"] if "card" not in pick]
        return {**right(record, seat), "picks": plain}

    with replaced(contract, "_decision_view", wrong):
        yield


@leak("euchre")
def alternatives_are_counted() -> Iterator[None]:
    with _decisions_keep("alternatives"):
        yield


@leak("hearts")
def hidden_moves_name_their_cards() -> Iterator[None]:
    with replaced(contract, "redact", lambda record, seat: {k: v for k, v in record.items() if k != "seen"}):
        yield


@leak("euchre")
def a_hand_is_open() -> Iterator[None]:
    """Places are shown as if everybody held them open."""
    right = Place.seen_by

    def wrong(self: Place, seat: int) -> bool:
        return self.name == "HAND" or right(self, seat)

    with replaced(Place, "seen_by", wrong):
        yield


@leak("hearts")
def hidden_cards_keep_their_index() -> Iterator[None]:
    """Where no order is kept cards lie in card order, so an index tells a rank."""
    right = records.record

    def wrong(effect: Any, table: Any) -> Record:
        made = right(effect, table)
        return {**made, "index": effect[4]} if effect[0] == "move" else made

    with replaced(reference_state, "record", wrong):
        yield


@leak("hearts")
def memory_knows_which_card_moved() -> Iterator[None]:
    right = Knowledge._moves

    def wrong(self: Knowledge, moves: Any, table: Any) -> None:
        right(self, moves, table)
        for seat in range(self.seats):
            for card, _, target, _ in moves:
                self.where[seat][card] = {target}

    with replaced(Knowledge, "_moves", wrong):
        yield


@leak("draw")
def blanks_keep_their_places() -> Iterator[None]:
    right = observing.shown

    def wrong(state: Any) -> Any:
        return sorted(right(state), key=lambda shown: shown[1])

    with replaced(observing, "shown", wrong):
        yield


@leak("shuffle")
def computed_collections_are_counted() -> Iterator[None]:
    right = contract.redact

    def wrong(record: Record, seat: int) -> Record:
        made = right(record, seat)
        return {**made, "cards": [None] * len(record["cards"])} if record["do"] == "shuffle" else made

    with replaced(contract, "redact", wrong):
        yield


@leak("look")
def moves_tell_what_they_saw() -> Iterator[None]:
    with replaced(Alternative, "showable", property(lambda self: self.effects)):
        yield


@leak("let")
def lets_tell_what_they_saw() -> Iterator[None]:
    with replaced(code, "telling_items", lambda choice, lets: frozenset()):
        yield


# --- leaks of machine code -----------------------------------------------------------------------

KERNEL_LEAKS: dict[str, Plant] = {"lets_tell_what_they_saw": LEAKS["lets_tell_what_they_saw"]}


def kernel_leak(*shown_by: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Plants a kernel instead of the one of its name."""

    def register(wrong: Callable[..., Any]) -> Callable[..., Any]:
        for game in shown_by:
            KERNEL_LEAKS[f"{wrong.__name__} in {game}"] = Plant(lambda: _planted(wrong), game)
        return wrong

    return register


@contextmanager
def _planted(wrong: Callable[..., Any]) -> Iterator[None]:
    name = wrong.__name__
    kernels = tuple(wrong if kernel.__name__ == name else kernel for kernel in view_code.KERNELS)
    assert kernels != view_code.KERNELS, f"there is no kernel {name}"
    with replaced(view_code, "KERNELS", kernels):
        code = view_code.ViewCode(choose_backend())
    with replaced(view_code, "view_code", lambda backend: code):
        yield


@kernel_leak("euchre")
def sees(facts: ViewFacts, place: Int, seat: Int) -> Int:
    return 1


@kernel_leak("hearts")
def visible(facts: ViewFacts, work: Ptr, seat: Int, card: Int, place: Int, other: Int) -> Int:
    return 1


@kernel_leak("item", "word", "euchre")
def write_decision_seen(facts: ViewFacts, seat: Int, log: Ptr, start: Int, out: Ptr, at: Int) -> Int:
    """With the number of alternatives, the item, and the value of the first pick."""
    set_i64(out, at, i64(log, start))
    set_i64(out, at + 1, 6)
    set_i64(out, at + 2, 0)
    set_i64(out, at + 3, i64(log, start + 3))
    set_i64(out, at + 4, i64(log, start + 4))
    set_i64(out, at + 5, i64(log, start + 5))
    set_i64(out, at + 6, i64(log, start + 7))
    set_i64(out, at + 7, i64(log, start + 12))
    return at + 8


@kernel_leak("hearts")
def spread(facts: ViewFacts, known: Ptr, seat: Int, card: Int, place: Int, at: Int) -> None:
    only(facts, known, seat, card, place)
    clear_bit(known, placed_at(facts, seat), card)


@kernel_leak("draw")
def is_blank(facts: ViewFacts, work: Ptr, index: Int) -> Int:
    """Alternatives with hidden cards keep their places."""
    return 0


@kernel_leak("shuffle")
def write_shuffle(facts: ViewFacts, seat: Int, event: Ptr, values: Ptr) -> Int:
    set_i64(values, 1, i64(event, 2))
    return 2


@kernel_leak("look")
def words_shown(behind: Ptr) -> Int:
    return i64(behind, 2)
