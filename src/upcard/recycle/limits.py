"""Limits that every engine enforces, when a game is loaded or in play.

They stand in one place because both engines must fail at the same form. `docs/language/limits-and-errors.md`
lists them for those who write games.
"""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.checker.counting_base import constant

MOST = 1_000_000
"""Repeat counts, elements of a range, alternatives, groups, cards of a collection."""

MOST_NUMBER = 255
"""Locations are numbered from 0 to this."""

MOST_SUBSETS = 20
"""Cards whose subsets are asked for."""

MOST_GROUPED = 20 * MOST
"""Cards in all groups of a list together: what the subsets of 20 cards come to, and as much again."""

MOST_CARDS = 10_000
"""More cards than this are refused: no table holds them."""

MOST_MADE = 512
"""Cards of a game whose text does not say how many there will be."""

MOST_REFERENCES = 1_024
"""References that one memory holds."""

MOST_PICKS = 1_024
"""Picks of one alternative, those that found nothing included."""

MOST_PICKS_LISTED = 4 * MOST
"""Picks of all alternatives of a decision together."""

MOST_CARDS_PICKED = 20 * MOST
"""Cards in all groups that are picked, over all alternatives of a decision."""

MOST_WORK = 10 * MOST
"""Units of work from one decision to the next, and as many to list the alternatives of a decision: see
`work.py`."""

SUBSETS_A_UNIT = 8
"""A subset is made far quicker than anything else is done."""
ACTION_WORK = 5
"""Units that an action takes where work is counted. It bounds what engines have to note of a decision."""

FREE_WORK = 20_000
"""A block, a let, an end condition, the scoring or an item of a choice that its text bounds to so many units
counts nothing."""

FREE_LISTING = 100_000
"""A choice counts nothing where all its items together are bounded to so many units, with all their runs."""

FREE_CARDS = 1_000
"""A form that makes or reads a collection counts its cards only where there can be more than so many."""

TOO_MUCH_WORK = "a decision takes at most {:,} units of work"
TOO_MANY_TIMES = f"a repeat runs at most {MOST:,} times, not {{:,}}"
TOO_MANY_NUMBERS = f"a range has at most {MOST:,} numbers"
TOO_MANY_CARDS = f"a collection holds at most {MOST:,} cards"
TOO_MANY_GROUPS = f"this makes more than {MOST:,} groups, or groups of too many cards"
TOO_MANY_SUBSETS = f"subsets of {{}} cards are too many; {MOST_SUBSETS} cards at most"
TOO_MANY_ALTERNATIVES = f"a decision has at most {MOST:,} alternatives"
NO_SUCH_NUMBER = f"locations are numbered 0 to {MOST_NUMBER}, not {{}}"
TOO_MANY_MADE = "this game has at most {:,} cards"
TOO_MANY_REFERENCES = f"a memory holds at most {MOST_REFERENCES:,} references"
TOO_MANY_PICKS = f"an alternative has at most {MOST_PICKS:,} picks"
TOO_MANY_LISTED = f"the alternatives of a decision have at most {MOST_PICKS_LISTED:,} picks together"
TOO_MANY_PICKED = (
    f"the groups picked in the alternatives of a decision hold at most {MOST_CARDS_PICKED:,} cards"
)


# --- how many cards there can be -----------------------------------------------------------------


def deck_size(deck: p.CreateDeck) -> int:
    return _product(deck.attributes)


def _product(attributes: tuple[p.Attribute, ...]) -> int:
    size = 1
    for attribute in attributes:
        size *= sum(_product(child.below) for child in attribute.children)
    return size


def cards_at_most(program: p.Program) -> int | None:
    """A bound that no game of this program can pass; None where a stage, chance or play decides."""
    known: dict[int, int | None] = {}
    total = 0
    for item in (*program.setup.decks, *program.body):
        made = _made(item, program.players, known)
        if made is None:
            return None
        total += made
    return total


def _made(item: p.Node, seats: int, known: dict[int, int | None]) -> int | None:
    """How many cards running an item makes at most."""
    if isinstance(item, p.CreateDeck):
        return deck_size(item)
    if isinstance(item, p.Do):
        parts = [_made(inner, seats, known) for inner in item.items]
        return None if None in parts else sum(part or 0 for part in parts)
    if isinstance(item, p.When | p.Let):
        return _made(item.item, seats, known)
    if isinstance(item, p.Repeat):
        return _times(constant(item.count, known), _made(item.item, seats, known))
    if isinstance(item, p.ForAll):
        return _times(_elements(item.source, seats, known), _made(item.item, seats, known))
    if isinstance(item, p.Stage):
        inside = [_made(inner, seats, known) for inner in item.body]
        return 0 if all(made == 0 for made in inside) else None
    return 0  # no other form can make a deck


def _times(count: int | None, made: int | None) -> int | None:
    if made == 0 or (count is not None and count <= 0):
        return 0
    return None if count is None or made is None else count * made


def _elements(source: p.Expr, seats: int, known: dict[int, int | None]) -> int | None:
    """How many elements a loop has at most."""
    if isinstance(source, p.Players | p.Members | p.Teams):
        return seats
    if isinstance(source, p.Names):
        return len(source.texts)
    if isinstance(source, p.Numbers):
        return len(source.values)
    if isinstance(source, p.Range):
        low, high = constant(source.low, known), constant(source.high, known)
        return None if low is None or high is None else max(0, high - low + 1)
    if isinstance(source, p.Filter):
        return _elements(source.source, seats, known)
    if isinstance(source, p.Var) and source.binding.how != "each":
        return _elements(source.binding.source, seats, known)
    return None
