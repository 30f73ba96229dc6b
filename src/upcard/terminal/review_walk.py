"""Steps through a finished deal: all hands open, the values of every decision, and other moves to try.

Values are those of a hint, from what the seat saw then. A move that is tried is played on in the deal as it
was, with the cards that everybody really held.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from upcard.advice.game_advice import advice_for
from upcard.advice.model_play import model_of
from upcard.advice.move_value import points_text
from upcard.engine.api import Move, Observation, Record
from upcard.engine.native.game import NativeGame
from upcard.engine.shared.game import LoadedGame
from upcard.engine.shared.state import BaseState
from upcard.match.match_play import Match, Table
from upcard.players.protocol import Budget, Indifferent, Player
from upcard.players.registry import player_factory
from upcard.players.search.utility import relative_points
from upcard.terminal.advice import Advice, advise
from upcard.terminal.opponent_levels import Seated
from upcard.terminal.recorded_decision import shown_move
from upcard.terminal.seat_view import Option, View
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view
from upcard.terminal.ui import Ui

TRIES = 12
"""Times that a move which is tried is played out."""
ROOM = 78
KEYS = "n: next   p: previous   a number tries that move   q: back"


@dataclass(frozen=True)
class Position:
    """A decision of a finished deal, with all cards."""

    state: BaseState
    observation: Observation
    move: Move
    """As its seat saw it."""


def positions(table: Table, lines: Sequence[Record], deal: int) -> Iterator[Position]:
    """Every decision of one deal of a recorded match."""
    silent = replace(table, participants=tuple(replace(p, make=None) for p in table.participants))
    match = Match(silent, int(lines[0]["seed"]), int(lines[0]["match"]))
    for line in lines:
        if line["do"] != "decision":
            continue
        if match.board.deals > deal or match.over:
            return
        move = Move(line["item"], tuple(line["picks"]), line["copy"])
        if match.board.deals == deal:
            state = match.state
            assert state is not None
            assert state.to_move is not None
            shown = shown_move(state, move)
            assert shown is not None
            yield Position(state.copy(), state.observe(state.to_move, match.around()), shown)
        match.decide(move)


class ReviewWalk:
    """A walk through the decisions of a deal that had a choice."""

    def __init__(
        self, game: LoadedGame, steps: Sequence[Position], adviser: Seated, seed: int, ascii_only: bool
    ) -> None:
        self._game, self._adviser = game, adviser
        self._steps = [step for step in steps if len(step.observation.moves) > 1]
        self._seed, self._ascii = seed, ascii_only
        self._advice: dict[int, Advice] = {}

    def run(self, ui: Ui, title: str, summary: Sequence[str]) -> None:
        """Show the summary, then one decision after the other, until the person goes back."""
        at, tried = -1, None
        while True:
            if at < 0:
                pages = [*summary, "", "n steps through the deal, with all hands open."]
                answer = ui.walk(title, pages, "n: next   q: back")
            else:
                answer = ui.walk(self._title(at), tried or self.lines(at), KEYS)
            tried = None
            if answer == "q":
                return
            if answer in ("n", "p"):
                at = min(len(self._steps) - 1, at + 1) if answer == "n" else max(-1, at - 1)
            elif at >= 0 and answer.isdigit():
                tried = self._try(at, int(answer))

    def _view(self, at: int) -> View:
        observation = self._steps[at].observation
        return make_view(observation, TableNarrator.at(self._game.narrator, observation, self._ascii))

    def _title(self, at: int) -> str:
        return f"Decision {at + 1} of {len(self._steps)}: {self._view(at).you.name}"

    def lines(self, at: int) -> list[str]:
        """One decision: all hands, the menu with its values, and what was played."""
        step, view = self._steps[at], self._view(at)
        advice = self._advised(at)
        played = next((o.text for o in view.options if o.move.key == step.move.key), step.move.text)
        values = advice.table(ROOM, step.move, self._ascii)
        menu = [f"{option.number:>3}  {option.text}" for option in view.options]
        said = [advice.review_played(step.move), *advice.hint.reasons[:1]] if values else advice.hint.reasons
        return [*self.hands(at), "", f"{view.you.name} chose: {played}.", *said, "", *values, "", *menu]

    def hands(self, at: int) -> list[str]:
        """The hands of all seats, and what lies on the table."""
        step, view = self._steps[at], self._view(at)
        lines, lying = [], []
        for chair in view.chairs:
            seen = step.state.observe(chair.seat)
            held = make_view(seen, view.narrator).hand
            mark = ">" if chair.seat == step.observation.seat else " "
            shown = [place for place in chair.places if not place.private and not place.hidden]
            if held or not shown:  # in some games everybody sees all hands
                cards = " ".join(view.card(card) for card in held) or "no cards"
                lines.append(f"{mark} {chair.name}: {cards}")
                mark = " "
            for place in shown:
                cards = " ".join(view.card(card) for card in place.cards)
                lying.append(f"{mark} {chair.name}'s {place.words}: {cards}")
        lines += lying
        for place in view.table:
            if not place.hidden:
                lines.append(f"  {place.words}: {' '.join(view.card(card) for card in place.cards)}")
        return lines

    def _advised(self, at: int) -> Advice:
        if at not in self._advice:
            view = self._view(at)
            player = self._adviser.make(self._seed, at, view.observation.seat)
            played = self._steps[at].move
            self._advice[at] = advise(
                view, self._game, player, self._adviser.kind, seed=self._seed, played=played
            )
        return self._advice[at]

    # --- another move ---------------------------------------------------------------------------

    def _try(self, at: int, number: int) -> list[str]:
        view = self._view(at)
        option = next((option for option in view.options if option.number == number), None)
        if option is None:
            return [f"There is no move {number} here.", "", *self.lines(at)]
        if not isinstance(self._game, NativeGame):
            return ["Playing a move on needs machine code.", "", *self.lines(at)]
        return self.tried(at, option)

    def tried(self, at: int, option: Option) -> list[str]:
        """What a move would have brought with the cards that everybody held."""
        assert isinstance(self._game, NativeGame)
        step, view = self._steps[at], self._view(at)
        model = model_of(self._game)
        make = player_factory("quick" if model.playouts else "random", self._game)
        advice, highest = advice_for(step.observation), self._game.program.scoring.highest
        results: dict[str, int] = {}
        points, story = [], []
        for run in range(TRIES):
            state = step.state.copy()
            before = len(state.records)
            state.play(option.move)
            players = [make(self._seed + run, at, seat) for seat in range(self._game.seats)]
            while state.to_move is not None:
                _decide(state, players[state.to_move], Budget(model.playouts or None))
            outcome = state.outcome
            if outcome is None or outcome.scores is None:
                continue
            points.append(relative_points(step.observation, outcome.scores, highest))
            words = advice.result(step.observation, option.move, outcome.scores)
            words = words or points_text(points[-1])
            results[words] = results.get(words, 0) + 1
            if run == 0:
                end = state.observe(step.observation.seat)
                story = view.narrator.story(end.records[before:], end)
        if not points:
            return ["The deal fails after this move."]
        most = sorted(results.items(), key=lambda pair: (-pair[1], pair[0]))
        listed = ", ".join(f"{words} {count} times" for words, count in most[:6])
        return [
            f"{view.you.name}: {option.text}, with the cards that everybody held.",
            f"Played on {len(points)} times by {model.name}: {listed}.",
            f"On average {sum(points) / len(points):+.2f} points.",
            "",
            "One of these deals:",
            *(f"  {line}" for line in story if line),
        ]


def _decide(state: BaseState, player: Player | Indifferent, budget: Budget) -> None:
    if state.choices == 1:
        state.play(0)
    elif isinstance(player, Indifferent):
        state.play(player.pick(state.choices))
    else:
        assert state.to_move is not None
        state.play(player.choose(state.observe(state.to_move), budget).move)
