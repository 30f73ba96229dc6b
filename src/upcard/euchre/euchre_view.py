"""Euchre's table view, registered for the game: hand in trump order, bowers by name, auction, lay-down."""

from __future__ import annotations

from upcard.engine.api import Observation
from upcard.euchre import deal_text, euchre_screen
from upcard.euchre.euchre_cards import Card
from upcard.euchre.lay_down import prove_laydown
from upcard.euchre.observed_hand import is_euchre
from upcard.terminal.canvas import Canvas
from upcard.terminal.render import HEIGHT, WIDTH, Prompt
from upcard.terminal.seat_view import Chair, Option, View
from upcard.terminal.table_view import TableView


class EuchreView(TableView):
    least = WIDTH, HEIGHT
    note_columns = 34  # beside the hand

    def fits(self, observation: Observation) -> bool:
        return is_euchre(observation)

    def arrange(self, view: View) -> View:
        return deal_text.arranged(view)

    def question(self, view: View) -> str:
        return deal_text.bid_question(view)

    def status(self, view: View, chair: Chair) -> str:
        return deal_text.status(view, chair, deal_text.read_bidding(view.observation))

    def headline(self, view: View) -> str:
        bidding = deal_text.read_bidding(view.observation)
        return deal_text.trump_line(view, bidding) + "." if bidding.maker is None else ""

    def turn_lines(self, view: View) -> list[str]:
        bidding = deal_text.read_bidding(view.observation)
        played = deal_text.trick_in_words(view)
        return [
            f"{deal_text.trump_line(view, bidding)}. {deal_text.tricks_line(view)}.",
            *([f"In the trick: {played}."] if played else []),
            f"Your hand: {deal_text.hand_text(view, bidding)}.",
        ]

    def result_lines(self, view: View) -> list[str]:
        return [deal_text.verdict(view)]

    def lay_down(self, view: View) -> tuple[Option | None, str]:
        order, why = prove_laydown(view.observation)
        if order is None:
            return None, f"Not granted: {why}."
        faces = view.observation.cards
        first = (o for o in view.options if o.cards and Card.of(faces[o.cards[0]]) == order[0])
        return next(first), ""

    def menu_columns(self, view: View, room: int) -> int:
        return 1

    def draw(self, view: View, prompt: Prompt, width: int, height: int) -> Canvas:
        return euchre_screen.draw(view, prompt, width, height)
