"""Designers' positions (`positions.toml`): reads and checks them.

[[position]]
name    the rule that it shows
rules   house rules it is played by, as { stick = "no" }
deal    cards from the top of the pack, in the order they are dealt; the others lie below them
play    moves one after the other: a move as the menu words it, or words of it that no other move has
turn    whose turn it then is
offers  every move that the menu then offers, in any order
scores  what each seat scores when the game is over

Every position expects something: turn, offers or scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from upcard.engine.api import Move, walk_records
from upcard.engine.loader import Engine, load
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.files.decode import Check, Key, Length, Mismatch
from upcard.files.toml_file import read_toml
from upcard.library import find
from upcard.recycle.diagnostics import Refused

FILE = "positions.toml"


class PositionError(Refused):
    """A file of positions that cannot be used, or that does not exist.

    >>> issubclass(upcard.verify.PositionError, upcard.Refused)
    True
    """


def _cards(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for text in texts for card in text.split())


@dataclass(frozen=True)
class Position:
    name: Annotated[str, Length(1)]
    rules: Mapping[str, str] = field(default_factory=dict)
    deal: Annotated[tuple[str, ...], Check(_cards)] = ()
    play: tuple[str, ...] = ()
    turn: str | None = None
    offers: tuple[str, ...] | None = None
    scores: tuple[int, ...] | None = None

    def validate(self) -> None:
        if self.turn is None and self.offers is None and self.scores is None:
            raise Mismatch("expects nothing; add turn, offers or scores")


@dataclass(frozen=True)
class PositionsFile:
    """The whole file as written."""

    positions: Annotated[tuple[Position, ...], Key("position"), Length(1)]


@dataclass(frozen=True)
class Finding:
    """A position and the reason why it fails; empty if it holds."""

    position: Position
    wrong: str = ""


class _Wrong(Exception):
    """An expectation of a position does not hold."""


def positions_of(what: str | Path) -> list[Position]:
    """The positions beside a game's program."""
    path = find(what).rules.with_name(FILE)
    if not path.is_file():
        raise PositionError(f"{what} has no {FILE} beside its program; upcard new writes an example")
    return list(read_toml(path, PositionsFile, PositionError).positions)


def examine(
    what: str | Path, positions: Sequence[Position], engine: Engine = "reference"
) -> Iterator[Finding]:
    """Plays every position, in order."""
    games: dict[tuple[tuple[str, str], ...], LoadedGame] = {}
    for position in positions:
        rules = tuple(sorted(position.rules.items()))
        if rules not in games:
            games[rules] = load(what, rules=position.rules, engine=engine)
        try:
            _hold(games[rules], position)
        except _Wrong as wrong:
            yield Finding(position, str(wrong))
        else:
            yield Finding(position)


# --- playing -------------------------------------------------------------------------------------


def _hold(game: LoadedGame, position: Position) -> None:
    state = _dealt(game, position.deal)
    for wanted in position.play:
        if state.to_move is None:
            raise _Wrong(f'the game is over before "{wanted}": {_result(game, state)}')
        state.play(_chosen(game, state, wanted))
    if position.turn is not None:
        _expect_turn(game, state, position.turn)
    if position.offers is not None:
        _expect_offers(game, state, position.offers)
    if position.scores is not None:
        if state.to_move is not None:
            raise _Wrong(f"the game is not over: {_menu(game, state)}")
        assert state.outcome is not None
        if state.outcome.scores != position.scores:
            wanted = " ".join(map(str, position.scores))
            raise _Wrong(f"the scores are not {wanted}; {_result(game, state)}")


def _dealt(game: LoadedGame, wanted: Sequence[str]) -> BaseState:
    """The game with the wanted cards on top of the pack at its first shuffle."""
    fresh = game.deal(0, 0)
    if not wanted:
        return fresh
    shuffled = next(
        (r for r in walk_records(fresh.records) if r["do"] == "shuffle" and len(r["cards"]) > 1), None
    )
    if shuffled is None:
        raise _Wrong("nothing is shuffled before the first decision, so there are no cards to put in order")
    # in card order, so that the rest of the pack does not depend on chance
    left = [card for card in fresh.faces if card in set(shuffled["cards"])]
    faces, plain = game.narrator.faces, game.narrator.in_ascii().faces
    on_top: list[str] = []
    for face in wanted:
        named = [c for c in left if face in (faces.card(fresh.faces[c]), plain.card(fresh.faces[c]))]
        if not named:
            shown = " ".join(plain.card(fresh.faces[card]) for card in left)
            raise _Wrong(f"the pack has no {face} left to deal, only {shown}")
        on_top.append(named[0])
        left.remove(named[0])
    return game.deal(0, 0, stacked=[[*reversed(left), *reversed(on_top)]])


def _chosen(game: LoadedGame, state: BaseState, wanted: str) -> Move:
    worded = [(move, _wordings(game, state, move)) for move in state.moves]
    exact = [move for move, texts in worded if wanted in texts]
    fitting = exact or [move for move, texts in worded if any(_within(wanted, text) for text in texts)]
    # equal cards make equal moves, so any of them is right
    if len({move.text for move in fitting}) != 1:
        several = "could mean several moves" if fitting else "is not one of the moves"
        raise _Wrong(f'"{wanted}" {several}: {_menu(game, state)}')
    return fitting[0]


def _wordings(game: LoadedGame, state: BaseState, move: Move) -> tuple[str, str]:
    return move.text, game.narrator.in_ascii().move(move.effects, state)


def _within(words: str, text: str) -> bool:
    return bool(words.strip()) and f" {words} " in f" {text.replace(',', ' ')} "


def _expect_turn(game: LoadedGame, state: BaseState, wanted: str) -> None:
    if state.to_move is None:
        raise _Wrong(f"it is nobody's turn: {_result(game, state)}")
    name = game.narrator.seat(state.to_move)
    if name.casefold() != wanted.casefold():
        raise _Wrong(f"it is not {wanted}'s turn but {name}'s")


def _expect_offers(game: LoadedGame, state: BaseState, wanted: Sequence[str]) -> None:
    if state.to_move is None:
        raise _Wrong(f"nothing is offered: {_result(game, state)}")
    worded = [_wordings(game, state, move) for move in state.moves]
    missing = [text for text in wanted if not any(text in texts for texts in worded)]
    more = [texts[0] for texts in worded if not any(text in wanted for text in texts)]
    said = [f"not offered: {', '.join(missing)}"] if missing else []
    said += (
        [f"offered {'instead' if missing else 'besides'}: {', '.join(dict.fromkeys(more))}"] if more else []
    )
    if said:
        raise _Wrong(f"{game.narrator.seat(state.to_move)} to move; {'; '.join(said)}")


def _menu(game: LoadedGame, state: BaseState) -> str:
    assert state.to_move is not None
    return f"{game.narrator.seat(state.to_move)} may {', '.join(dict.fromkeys(m.text for m in state.moves))}"


def _result(game: LoadedGame, state: BaseState) -> str:
    assert state.outcome is not None
    return game.narrator.result(state.outcome, state.teams)
