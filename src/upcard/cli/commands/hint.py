"""`upcard hint`: what every move of a decision is worth, and why."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from upcard.cli import completion_values as complete
from upcard.cli import options
from upcard.cli.console import (
    MISUSE,
    Stop,
    can_print_unicode,
    errors_in_file,
    load_game,
    print_engine_note,
    report_errors,
)
from upcard.output import say

if TYPE_CHECKING:
    from upcard.engine.api import Move, Observation
    from upcard.engine.shared.game import LoadedGame
    from upcard.players.spec import PlayerSpec

HAND_PANEL = "Options for a hand of Euchre"
EXAMPLE = "upcard hint euchre --hand JS,JC,AS,KS,9H --up TS --seat dealer"


@dataclass(frozen=True)
class HintRequest:
    """The decision that a hint is about."""

    game: LoadedGame
    observation: Observation
    where: str
    played: Move | None = None
    number: int | None = None


def hint(
    what: str = typer.Argument(
        ...,
        metavar="FILE|euchre",
        help="A transcript, the record of a match, a saved match; or euchre.",
        autocompletion=complete.files_or("euchre"),
    ),
    at: int = typer.Option(
        None, "--at", metavar="N", help="Number of the decision, from 1.", show_default="the last choice"
    ),
    player: str = typer.Option(
        "expert", "--player", metavar="PLAYER", help="The player to ask.", autocompletion=complete.players
    ),
    hand: str = typer.Option(
        None,
        "--hand",
        metavar="CARD,...",
        help="Your five cards, such as JS,JC,AS,KS,9H.",
        rich_help_panel=HAND_PANEL,
    ),
    up: str = typer.Option(
        None, "--up", metavar="CARD", help="The upcard, in the first round.", rich_help_panel=HAND_PANEL
    ),
    down: str = typer.Option(
        None,
        "--down",
        metavar="CARD",
        help="The card turned down, in the second round.",
        rich_help_panel=HAND_PANEL,
    ),
    seat: str = typer.Option(
        None,
        "--seat",
        metavar="SEAT",
        help="Your position after the dealer: first (on the left), second, third or dealer.",
        rich_help_panel=HAND_PANEL,
        autocompletion=complete.words("first", "second", "third", "dealer"),
    ),
    score: str = typer.Option(
        None,
        "--score",
        metavar="YOURS-THEIRS",
        help="The score, such as 6-7.",
        show_default="0-0",
        rich_help_panel=HAND_PANEL,
    ),
    to: options.Target = None,
    ascii_only: options.Ascii = False,
    deals: int = typer.Option(
        500,
        "--worlds",
        metavar="N",
        callback=options.at_least(1),
        help="Most deals of the hidden cards to play out; more are slower and narrow the intervals.",
    ),
    seed: options.Seed = 0,
    overrides: options.Overrides = None,
    rules: options.Rules = None,
    patience: options.Patience = 10.0,
    trusted: options.Trusted = False,
    as_json: options.AsJson = False,
) -> None:
    """Show what each legal move is worth, and why the best one is best.

    Ask about a decision of a recorded game, or about a hand of Euchre.

    Examples:
        upcard hint euchre --hand JS,JC,AS,KS,9H --up TS --seat dealer
        upcard hint hand.jsonl --at 7
    """
    from upcard import plugins

    described: dict[str, str | None] = {"hand": hand, "up": up, "down": down, "seat": seat, "score": score}
    described["to"] = None if to is None else str(to)
    with report_errors():
        if (make_position := plugins.load_entry(plugins.HAND_POSITIONS, what)) is not None:
            if at is not None:
                raise Stop(MISUSE, "--at is for a file; a hand of Euchre has one decision")
            game = load_game(what, overrides, rules, None)
            request = HintRequest(game, *make_position(game, described))
        else:
            unused = [f"--{option}" for option, value in described.items() if value is not None]
            unused += ["--rule"] * bool(rules) + ["--set"] * bool(overrides)
            if unused:
                raise Stop(
                    MISUSE, f"{unused[0]} is for a hand of Euchre, as in {EXAMPLE}; a file has all it needs"
                )
            request = _from_file(what, at)
        print_engine_note(request.game)
        adviser = _adviser(player, request.game, patience, trusted)
        _print_hint(request, adviser, deals, seed, as_json, ascii_only)


def _from_file(what: str, at: int | None) -> HintRequest:
    """A decision recorded in a file."""
    from upcard.library import names
    from upcard.terminal.recorded_decision import recorded

    if what in names() and not Path(what).exists():
        raise Stop(
            MISUSE, f"a hint needs a file that {what} was played in, by upcard watch {what} --transcript"
        )
    with errors_in_file(Path(what)):
        decision = recorded(Path(what), at)
    where = (
        f"decision {decision.number} of {decision.of}" if decision.played else "the decision to be taken now"
    )
    return HintRequest(decision.game, decision.observation, where, decision.played, decision.number)


def _adviser(name: str, game: LoadedGame, patience: float, trusted: bool) -> PlayerSpec:
    """The player that chooses among moves that are about as good."""
    from upcard.players.levels import LEVELS
    from upcard.players.spec import PlayerSpec, resolve_player
    from upcard.terminal.opponent_levels import player_of_level

    if name not in LEVELS:
        return resolve_player(name, game, patience, trusted)
    seated = player_of_level(game, name)
    if seated.note:
        say(f"upcard: {seated.note}", error=True)
    return PlayerSpec(seated.kind, seated.make)


def _print_hint(
    request: HintRequest, adviser: PlayerSpec, deals: int, seed: int, as_json: bool, ascii_only: bool
) -> None:
    from upcard.advice.playouts import THOROUGH
    from upcard.cli.text_layout import print_json, width
    from upcard.terminal.advice import advise, unbroken_lines
    from upcard.terminal.plain_ui import PlainUi
    from upcard.terminal.render import deal_title
    from upcard.terminal.table_narrator import TableNarrator
    from upcard.terminal.table_view import make_view, view_of

    observation = request.observation
    ascii_only = ascii_only or (not as_json and not can_print_unicode())
    view = make_view(observation, TableNarrator.at(request.game.narrator, observation, ascii_only))
    player = adviser.make(seed, 0, observation.seat)
    with report_errors():
        effort = THOROUGH.with_worlds(deals)
        advice = advise(
            view, request.game, player, adviser.name, adviser.budget, seed, effort, request.played
        )
    if as_json:
        about = {
            "game": observation.game["game"],
            "decision": request.number,
            "seat": observation.seat,
            "name": view.you.name,
            "hand": [view.card(card) for card in view.hand],
            "played": next((o.text for o in view.options if o.move == request.played), None),
        }
        print_json({**about, **advice.to_json(request.played)})
        return
    ui = PlainUi(ascii_only, width=width())
    ui.say(f"{deal_title(view)}: {view.you.name}, {request.where}.")
    ui.table(view)
    if headline := view_of(observation).headline(view):
        ui.say(headline)
    ui.note(["", *advice.table(width(), request.played, ascii_only), ""])
    for sentence in (*advice.hint.reasons, advice.legend()):
        for line in unbroken_lines(sentence, width()):
            ui.say(line)
    if advice.hint.guessed:
        ui.say("No deal was found that explains all that was seen, so hidden cards are guessed without it.")
    if request.played is not None and len(view.options) > 1:
        for line in unbroken_lines(advice.review_played(request.played), width()):
            ui.say(line)
