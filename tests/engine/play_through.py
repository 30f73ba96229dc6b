"""Loading small programs, playing them and looking into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests import documents
from tests.documents import EUCHRE, SEEDS, WHIST

import upcard
from upcard.engine.api import TABLE, Place
from upcard.engine.reference import ReferenceGame, ReferenceState
from upcard.engine.rng import PLAYER, Stream
from upcard.engine.shared.table import Table
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

GAMES = Path(upcard.__file__).parent / "games"


def load(
    text: str, *, name: str = "x", overrides: Mapping[str, str] | None = None, all_ordered: bool = False
) -> ReferenceGame:
    program, facts = check(Source(f"{name}.rcy", text), overrides).sound()
    return ReferenceGame(name, program, facts, all_ordered=all_ordered)


def small(body: str, *, players: int = 1, deck: str = "(N (A, B, C))", scoring: str = "(game sto X)") -> str:
    """A program with one face-up deck D, the given elements, and a number to score."""
    return (
        f"(game (setup (create players {players}) (create deck (game vloc D) (deck {deck})))\n"
        f"{body}\n(scoring max {scoring}))"
    )


def deal(body: str, **how: int | str) -> ReferenceState:
    """The small program around these elements, at its first decision."""
    return load(small(body, **how)).deal()  # type: ignore[arg-type]


def shipped_programs() -> dict[str, str]:
    """The rules of every game that comes with the package."""
    return {path.parent.name: path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*/rules.rcy"))}


def all_programs() -> dict[str, str]:
    """Shipped games, and the documents when they are here."""
    found = shipped_programs()
    if SEEDS.is_dir():
        found |= {"document-euchre": documents.program(EUCHRE), "document-whist": documents.program(WHIST)}
    return found


# --- looking in ----------------------------------------------------------------------------------


def face(table: Table, card: int | None) -> str:
    """A card by the values of its attributes: AX."""
    return "no card" if card is None else "".join(table.cards[card].attributes.values())


def faces(table: Table, cards: Iterable[int]) -> str:
    return " ".join(face(table, card) for card in cards)


def place(text: str) -> Place:
    """`table.vloc.D`, `seat0.iloc.HAND` or `table.vloc.PILE.3`"""
    owner, cls, name, *number = text.split(".")
    who = TABLE if owner == "table" else int(owner.removeprefix("seat"))
    return Place(who, cls, name, int(number[0]) if number else 0)


def lie(state: ReferenceState, where: str) -> str:
    """The faces of the cards of a location, bottom to top."""
    table = state.machine.table
    return faces(table, table.at(place(where)))


def card_named(table: Table, wanted: str) -> int:
    return next(card.order for card in table.cards if face(table, card.order) == wanted)


def moved(state: ReferenceState, index: int) -> str:
    """The faces of the cards that an alternative moves, in order."""
    by_id = {card.id: card.order for card in state.machine.table.cards}
    effects = state.moves[index].effects
    return faces(state.machine.table, [by_id[e["card"]] for e in effects if e["do"] == "move"])


# --- playing -------------------------------------------------------------------------------------


def play(state: ReferenceState, picks: Iterable[int] = ()) -> Iterator[tuple[int, int]]:
    """Play on with these picks and then always the first alternative; yields chooser and alternatives."""
    wanted = iter(picks)
    while state.to_move is not None:
        yield state.to_move, state.choices
        state.play(next(wanted, 0))


def finish(state: ReferenceState, picks: Iterable[int] = ()) -> ReferenceState:
    for _ in play(state, picks):
        pass
    return state


def finish_at_random(state: ReferenceState, seed: int = 0) -> ReferenceState:
    chance = Stream((seed, state.number, PLAYER, 0))
    while state.to_move is not None:
        state.play(chance.below(state.choices))
    return state
