"""How a game looks at the table: one view for every game, replaced by views that games register.

A package registers a subclass of `TableView` as an entry point of the group `upcard.table_views`, under the
name of its game. A view sees observations only, so it cannot show what the seat does not know.
"""

from __future__ import annotations

from upcard import plugins
from upcard.engine.api import Observation
from upcard.terminal import table_screen
from upcard.terminal.answers import COMMANDS
from upcard.terminal.canvas import Canvas
from upcard.terminal.render import LEAST_HEIGHT, LEAST_WIDTH, WIDTH, Prompt, columns
from upcard.terminal.seat_view import Chair, Option, View, look, tricks
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_screen import facts_line, place_text
from upcard.terminal_text import capitalize_first


class TableView:
    """The default view; base class of registered views."""

    least = LEAST_WIDTH, LEAST_HEIGHT
    """Columns and lines that the view needs; in a smaller window the general view is drawn."""
    note_columns = WIDTH - 2
    """Columns for the lines of a note on the screen."""

    def fits(self, observation: Observation) -> bool:
        """Whether the observation has the names that this view reads: another game may share its title."""
        return True

    def arrange(self, view: View) -> View:
        """Put the options into the order in which a person looks for them."""
        return view

    def question(self, view: View) -> str:
        """The question, if the options have no wording in common; may be empty."""
        return ""

    def status(self, view: View, chair: Chair) -> str:
        """What a player holds and has said, beyond the cards on the table; may be empty."""
        return ""

    def headline(self, view: View) -> str:
        """The state of an auction or the like, for a hint; may be empty."""
        return ""

    def turn_lines(self, view: View) -> list[str]:
        """Sentences before a decision: face-up cards, counts, the person's cards."""
        lines = [facts_line(view) + "."] if view.facts else []
        lying = [place_text(view, place) for place in view.table]
        for chair in view.chairs[1:]:
            lying += [f"{chair.name} {place_text(view, place)}" for place in chair.places if not place.hidden]
        if lying:
            lines.append("On the table: " + "; ".join(lying) + ".")
        counted = [
            ("your " if chair.you else f"{chair.name}'s ")
            + ", ".join(f"{words}: {value}" for words, value in chair.counts)
            for chair in view.chairs
            if chair.counts
        ]
        if counted:
            lines.append(f"{capitalize_first('; '.join(counted))}.")
        for place in view.you.places:
            if place.private and not place.hidden:
                total = f" ({place.total})" if place.total else ""
                lines.append(f"Your {place.words}: {' '.join(map(view.card, place.cards))}{total}.")
        others = [place_text(view, place) for place in view.you.places if not place.private or place.hidden]
        if others:
            lines.append("In front of you: " + "; ".join(others) + ".")
        return lines

    def result_lines(self, view: View) -> list[str]:
        """How a finished deal ended, in the game's own words."""
        return []

    def lay_down(self, view: View) -> tuple[Option | None, str]:
        """The first option of a proof that all remaining tricks are won; or None, and why it is refused."""
        game = view.observation.game["game"]
        return None, f"Laying your hand down is not supported in {game}; play on."

    def menu_columns(self, view: View, room: int) -> int:
        """How many options the menu has side by side."""
        return columns(view, room)

    def draw(self, view: View, prompt: Prompt, width: int, height: int) -> Canvas:
        return table_screen.draw(view, prompt, width, height)


GENERAL = TableView()


def view_of(observation: Observation) -> TableView:
    """The view of the observation's game."""
    registered = plugins.load_entry(plugins.TABLE_VIEWS, str(observation.game["game"]))
    if registered is None:
        return GENERAL
    view: TableView = registered()
    return view if view.fits(observation) else GENERAL


def drawn_view(view: View, width: int, height: int) -> TableView:
    """The view that a window is large enough for."""
    own = view_of(view.observation)
    return own if width >= own.least[0] and height >= own.least[1] else GENERAL


KEY_WORDS = {
    "?": "keys",
    "h": "hint",
    "u": "last trick",
    "l": "log",
    "z": "take back",
    "c": "lay down",
    "r": "rules",
    "v": "review",
    "q": "save and quit",
}


def table_keys(view: View) -> list[str]:
    """The commands that mean something now, in the order of the keys line."""
    own = view_of(view.observation)
    useless = set()
    if not tricks(view.observation):
        useless.add("u")
    mine = view.observation.seat
    if not any(line["do"] == "decision" and line["seat"] == mine for line in view.observation.records):
        useless.add("z")
    if type(own).lay_down is TableView.lay_down:
        useless.add("c")
    if not (view.observation.match or {}).get("deal"):
        useless.add("v")
    return [key for key in COMMANDS if key not in useless]


def keys_line(view: View) -> str:
    keys = table_keys(view)
    return "  ".join(f"{key} {words}" for key, words in KEY_WORDS.items() if key in keys)


def make_view(observation: Observation, narrator: TableNarrator) -> View:
    """What a seat sees, arranged by its game's view."""
    return view_of(observation).arrange(look(observation, narrator))
