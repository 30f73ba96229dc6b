"""`upcard hint`: estimates the value of every move of a decision."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard import plugins
from upcard.cli.console import MISUSE, Stop, in_file, load, sentences, speaks_unicode, tell_note
from upcard.cli.options import PLAYERS_HELP, Ascii, AsJson, Given, Patience, Rules, Trusted, at_least
from upcard.output import say

if TYPE_CHECKING:
    from upcard.engine.api import Move, Observation
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec

DEEPER = 20
"""Times the playouts that a level has at the table: a hint is wanted for its numbers."""
EXAMPLE = "upcard hint euchre --hand JS,JC,AS,KS,9H --up TS --seat dealer"


@dataclass(frozen=True)
class Asked:
    """A decision that somebody wants to know about."""

    game: LoadedGame
    observation: Observation
    where: str
    played: Move | None = None
    number: int | None = None


def hint(
    what: str = typer.Argument(
        ..., metavar="FILE_OR_EUCHRE", help="A transcript, a match's record or a saved table; or euchre."
    ),
    at: int = typer.Option(
        None, "--at", help="Which decision of a file, from 1; the last choice if left out."
    ),
    hand: str = typer.Option(None, "--hand", help="Euchre: your five cards, as JS,JC,AS,KS,9H (T or 10)."),
    up: str = typer.Option(
        None, "--up", help="Euchre: the card turned up, everybody before you having passed."
    ),
    down: str = typer.Option(
        None, "--down", help="Euchre: the card turned down, for the second round of calls."
    ),
    seat: str = typer.Option(
        None, "--seat", help="Euchre: 1 is left of the dealer, 2 the dealer's partner, 3, and 4 or dealer."
    ),
    score: str = typer.Option(
        None, "--score", help="Euchre: your points and theirs, as 6-7; 0-0 if left out."
    ),
    to: int = typer.Option(
        None, "--to", callback=at_least(1), help="Euchre: the target score; the game's own when left out."
    ),
    player: str = typer.Option("expert", "--player", help=f"Whom to ask: {PLAYERS_HELP}"),
    seed: int = typer.Option(0, "--seed", help="The same seed gives the same hint."),
    given: Given = None,
    rules: Rules = None,
    patience: Patience = 10.0,
    trusted: Trusted = False,
    as_json: AsJson = False,
    ascii_only: Ascii = False,
) -> None:
    """Ask a player what every move of a decision is worth, and why it would do what it would do."""

    described = {"hand": hand, "up": up, "down": down, "seat": seat, "score": score}
    described["to"] = None if to is None else str(to)
    with sentences():
        if (position := plugins.load_entry(plugins.HAND_POSITIONS, what)) is not None:
            if at is not None:
                raise Stop(MISUSE, "--at is for a file; a hand of Euchre has one decision")
            game = load(what, given, rules, None)
            asked = Asked(game, *position(game, described))
        else:
            extra = [f"--{option}" for option, value in described.items() if value is not None]
            extra += ["--rule"] * bool(rules) + ["--set"] * bool(given)
            if extra:
                raise Stop(
                    MISUSE, f"{extra[0]} is for a hand of Euchre, as in {EXAMPLE}; a file has all it needs"
                )
            asked = _found(what, at)
        tell_note(asked.game)
        _answer(asked, _adviser(player, asked.game, patience, trusted), seed, as_json, ascii_only)


def _found(what: str, at: int | None) -> Asked:
    """A decision out of a file."""
    from upcard.library import names
    from upcard.terminal.recorded_decision import recorded

    if what in names() and not Path(what).exists():
        raise Stop(
            MISUSE, f"a hint needs a file that {what} was played in, by upcard watch {what} --transcript"
        )
    with in_file(Path(what)):
        found = recorded(Path(what), at)
    where = f"decision {found.number} of {found.of}" if found.played else "the decision to be taken now"
    return Asked(found.game, found.observation, where, found.played, found.number)


def _adviser(name: str, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    """Who is asked; a level thinks longer than at the table, or somebody sits in for it."""
    from upcard.players.levels import LEVELS, level_of
    from upcard.players.protocol import Budget
    from upcard.players.spec import PlayerSpec, resolve_player
    from upcard.terminal.opponent_levels import level_player

    if name not in LEVELS:
        return resolve_player(name, game, patience, trusted)
    seated = level_player(game, name)
    if seated.note:
        say(f"upcard: {seated.note}", error=True)
    if seated.kind != name:
        return PlayerSpec(seated.kind, seated.make)
    playouts = level_of(name, game).budget.playouts
    return PlayerSpec(name, seated.make, Budget(playouts and DEEPER * playouts))


def _answer(asked: Asked, adviser: PlayerSpec, seed: int, as_json: bool, ascii_only: bool) -> None:
    from upcard.cli.text_layout import print_json, width
    from upcard.players.protocol import Indifferent
    from upcard.terminal.advice import advise
    from upcard.terminal.plain_ui import PlainUi
    from upcard.terminal.render import title_of
    from upcard.terminal.table_narrator import TableNarrator
    from upcard.terminal.table_view import arranged_view, view_of

    observation = asked.observation
    ascii_only = ascii_only or (not as_json and not speaks_unicode())
    view = arranged_view(observation, TableNarrator.at(asked.game.narrator, observation, ascii_only))
    player = adviser.make(seed, 0, observation.seat)
    advice = advise(view, player, adviser.name, adviser.budget)
    if as_json:
        about = {
            "game": observation.game["game"],
            "decision": asked.number,
            "seat": observation.seat,
            "name": view.you.name,
            "hand": [view.card(card) for card in view.hand],
            "played": next((o.text for o in view.options if o.move == asked.played), None),
        }
        print_json({**about, **advice.to_json(asked.played)})
        return
    face = PlainUi(ascii_only, width=width())
    face.say(f"{title_of(view)}: {view.you.name}, {asked.where}.")
    face.table(view)
    if headline := view_of(observation).headline(view):
        face.say(headline)
    face.note(["", *advice.table(width(), asked.played, ascii_only)] if advice.valued else [""])
    face.say(advice.reason)
    if advice.guessed:
        face.say("It found no deal that explains all that was seen: hidden cards are guessed without it.")
    if asked.played is not None and len(view.options) > 1 and not isinstance(player, Indifferent):
        face.say(advice.of_played(asked.played, view.options))
