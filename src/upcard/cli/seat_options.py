"""Parses the options for the players and names of seats and for the first dealer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from upcard.cli.console import MISUSE, Stop

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec

NAMES_HELP = "What the people at the seats are called: A,B,..; the game's own names when left out."
DEALER_HELP = "Who deals first: a name, or drawn (for each match anew); the last seat when left out."
DRAWN: Literal["drawn"] = "drawn"


def parse_names(game: LoadedGame, text: str | None) -> list[str]:
    """A name for each seat. Names must differ, so that results are unambiguous."""
    usual = [game.narrator.seat(seat) for seat in range(game.seats)]
    if text is None:
        return usual
    names = [name.strip() for name in text.split(",")]
    example = f"for example --names {','.join(usual)}"
    if len(names) != game.seats:
        raise Stop(MISUSE, f"{game.name} has {game.seats} seats, but --names has {len(names)}; {example}")
    if not all(names):
        raise Stop(MISUSE, f"--names leaves a seat without a name; {example}")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Stop(MISUSE, f"two seats are called {twice}; give each a name of its own, {example}")
    return names


def parse_dealer(names: Sequence[str], text: str | None, passes: bool) -> int | Literal["drawn"] | None:
    """The person who deals first. `passes`: whether the deal passes round the table."""
    if text is None:
        return None
    if not passes:
        raise Stop(MISUSE, "the dealer never changes in this game; leave out --dealer")
    if text == DRAWN and DRAWN not in names:
        return DRAWN
    if text not in names:
        raise Stop(MISUSE, f"there is no player called {text}; --dealer is {', '.join(names)} or {DRAWN}")
    return names.index(text)


def players_of_seats(game: LoadedGame, players: str, patience: float, trusted: bool) -> list[PlayerSpec]:
    """The player of each seat: one name for all, one per side, or one per seat."""
    from upcard.match.seats import side_of
    from upcard.players.spec import resolve_player, split

    kinds = split(players)
    sides = game.deal(0, 0, recording=False).teams
    if len(kinds) == 1:
        seated = kinds * game.seats
    elif len(kinds) == game.seats:
        seated = kinds
    elif len(kinds) == len(sides):
        seated = [kinds[side_of(seat, sides)] for seat in range(game.seats)]
    else:
        allowed = sorted({1, len(sides), game.seats})
        raise Stop(
            MISUSE, f"{game.name} takes {' or '.join(map(str, allowed))} players, not {len(kinds)}: {players}"
        )
    by_kind = {kind: resolve_player(kind, game, patience, trusted) for kind in dict.fromkeys(seated)}
    return [by_kind[kind] for kind in seated]
