"""User-interface protocol of the table: shows and asks, decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from upcard.terminal.answers import COMMANDS, Command
from upcard.terminal.seat_view import Option, Trick, View
from upcard.terminal.table_view import view_of


class Ui(Protocol):
    """The person's side of the table."""

    def opening(self, lines: Sequence[str]) -> None:
        """Before the first deal, or where a saved match goes on."""

    def show(self, view: View, told: Sequence[str], taken: Trick | None) -> None:
        """Something happened: what is told of it, and a trick if one was just taken."""

    def thinking(self, view: View) -> None:
        """Somebody else decides now."""

    def ask(self, view: View) -> Option | Command: ...

    def busy(self, view: View, what: str) -> None:
        """An answer takes its time."""

    def note(self, lines: Sequence[str], message: str = "") -> None:
        """An answer to a command: some lines, and a sentence."""

    def room(self, view: View) -> int:
        """Columns for the lines of a note."""

    def page(self, title: str, lines: Sequence[str]) -> None:
        """A longer text to read."""

    def hand_over(self, view: View, lines: Sequence[str], last: bool) -> Command:
        """A hand is finished; gives what to do before going on: v, q, or an empty command for going on."""

    def closing(self, lines: Sequence[str]) -> None:
        """The last words, which stay readable when the table is gone."""


def question(view: View) -> str:
    """What is asked for in a few words."""
    shapes = {_shape(view, option) for option in view.options}
    if len(shapes) == 1 and (shape := shapes.pop()):
        return f"Your turn: {shape}."
    return f"Your turn: {view_of(view.observation).question(view) or 'choose.'}"


def _shape(view: View, option: Option) -> str:
    """`play J♠` as `play a card`: what many options have in common."""
    if len(option.cards) != 1 or view.card(option.cards[0]) not in option.text:
        return ""
    text = option.text.split(" (")[0]  # a bower's name
    card = view.card(option.cards[0])
    return text.replace(f"the {card}", "a card").replace(card, "a card")


def _in_words(key: str, deal_word: str) -> str:
    return COMMANDS[key].replace("last hand", f"last {deal_word}")


def help_lines(deal_word: str) -> list[str]:
    return [
        "Choose with the arrow keys, or by number, and press Enter.",
        "Or type a card: js is the jack of spades, 9h the nine of hearts, 10d or td the ten of diamonds; "
        "several cards with spaces between them. Or type the words of the menu.",
        "",
        *(f"  {key}   {_in_words(key, deal_word)}" for key in COMMANDS),
        "",
        "In a window + and - make the others faster and slower, a card is played as soon as its name is "
        "complete, and q waits a moment when it may begin the name of a queen. In lines Enter alone says the "
        "choices again. Ctrl-C saves and quits as well: every decision is on disk.",
    ]


def trick_in_a_line(view: View, trick: Trick) -> str:
    cards = ", ".join(f"{view.name(seat)} {view.card(card)}" for seat, card in trick.cards)
    taker = f" {view.name(trick.taker)} takes it." if trick.taker is not None else ""
    return f"The trick: {cards}.{taker}"


def trick_lines(view: View, trick: Trick) -> list[str]:
    lines = [f"{view.name(seat)} played {view.card(card)}" for seat, card in trick.cards]
    taker = f"{view.name(trick.taker)} took it" if trick.taker is not None else ""
    return [*lines, *filter(None, [taker])]
