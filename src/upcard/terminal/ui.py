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
        """Before the first deal, or when a saved match is resumed."""

    def show(self, view: View, sentences: Sequence[str], taken: Trick | None) -> None:
        """Show new sentences, and a trick if one was just taken."""

    def thinking(self, view: View) -> None:
        """Another player decides now."""

    def ask(self, view: View) -> Option | Command: ...

    def busy(self, view: View, what: str) -> None:
        """The answer to a command takes time."""

    def note(self, lines: Sequence[str], message: str = "") -> None:
        """An answer to a command: some lines, and a sentence."""

    def room(self, view: View) -> int:
        """Columns for the lines of a note."""

    def page(self, title: str, lines: Sequence[str]) -> None:
        """A longer text to read."""

    def walk(self, title: str, lines: Sequence[str], keys: str) -> str:
        """A page of a walk; returns n, p, q or a number."""

    def hand_over(self, view: View, lines: Sequence[str], last: bool) -> Command:
        """A hand is finished; returns v, q, or an empty command to continue."""

    def closing(self, lines: Sequence[str]) -> None:
        """Closing lines, which stay visible after the screen is restored."""


def question(view: View) -> str:
    """The question in a few words."""
    shapes = {_shape(view, option) for option in view.options}
    if len(shapes) == 1 and (shape := shapes.pop()):
        return f"Your turn: {shape}."
    return f"Your turn: {view_of(view.observation).question(view) or 'choose.'}"


def _shape(view: View, option: Option) -> str:
    """`play a card` for `play J♠`: the wording that options have in common."""
    if len(option.cards) != 1 or view.card(option.cards[0]) not in option.text:
        return ""
    text = option.text.split(" (")[0]  # a bower's name
    card = view.card(option.cards[0])
    return text.replace(f"the {card}", "a card").replace(card, "a card")


def _in_words(key: str, deal_word: str) -> str:
    words = COMMANDS[key].replace("last hand", f"last {deal_word}")
    return words.replace("whole hand", f"whole {deal_word}")


def help_lines(deal_word: str, keys: Sequence[str] = tuple(COMMANDS)) -> list[str]:
    return [
        "Choose with the arrow keys, or by number, and press Enter.",
        "Or type a card: js is the jack of spades, 9h the nine of hearts, 10d or td the ten of diamonds; "
        "several cards separated by spaces. Or type the words of the menu.",
        "",
        *(f"  {key}   {_in_words(key, deal_word)}" for key in COMMANDS if key in keys),
        "",
        "On the full screen, + and - make the other players faster and slower, a card is played as "
        "soon as its name is "
        "complete, and q waits a moment in case you are typing a queen. With --plain, Enter alone "
        "repeats the "
        "choices. Ctrl-C also saves and quits; every decision is saved at once.",
    ]


def trick_line(view: View, trick: Trick) -> str:
    cards = ", ".join(f"{view.name(seat)} {view.card(card)}" for seat, card in trick.cards)
    taker = f" {view.name(trick.taker)} takes it." if trick.taker is not None else ""
    return f"The trick: {cards}.{taker}"


def trick_lines(view: View, trick: Trick) -> list[str]:
    lines = [f"{view.name(seat)} played {view.card(card)}" for seat, card in trick.cards]
    taker = f"{view.name(trick.taker)} took it" if trick.taker is not None else ""
    return [*lines, *filter(None, [taker])]
