"""Euchre in the words of its table: bowers in their place, the bidding, trump and maker."""

from __future__ import annotations

from tests.terminal.sessions import loaded

from upcard.engine.shared.state import BaseState
from upcard.euchre import euchre_screen as euchre_picture
from upcard.euchre.deal_text import hand_text, read_bidding, status, trick_in_words, tricks_line, trump_line
from upcard.terminal.render import Prompt
from upcard.terminal.seat_view import View
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view
from upcard.terminal.ui import question


def dealt(first: list[str], turned: str) -> BaseState:
    """A hand in which the first seat and the turned card are given."""
    game = loaded("euchre")
    faces = game.deal(0, 0).faces
    ids = {game.narrator.card(card, faces): card for card in faces}
    given = [ids[face] for face in (turned, *reversed(first))]
    rest = [card for card in faces if card not in given]
    return game.deal(0, 0, stacked=[[*rest[15:], given[0], *rest[:15], *given[1:]]])


def view_of(state: BaseState, seat: int) -> View:
    match_around = {"names": ["South", "West", "North", "East"], "scores": [3, 4, 3, 4], "deal": 2, "to": 10}
    observation = state.observe(seat, match_around)
    return make_view(observation, TableNarrator.at(loaded("euchre").narrator, observation))


def play(state: BaseState, text: str) -> None:
    state.play(next(move for move in state.moves if move.text == text))


def picture(view: View) -> str:
    return "\n".join(
        euchre_picture.draw(view, Prompt(question(view), open=bool(view.options)), 80, 24).lines()
    )


def test_bowers_of_the_offered_suit_have_a_question_mark() -> None:
    state = dealt(["A♦", "J♦", "9♠", "J♥", "A♥"], "10♥")
    view = view_of(state, 0)
    bidding = read_bidding(view.observation)
    assert trump_line(view, bidding) == "No trump yet: first round, 10♥ is turned up"
    assert question(view) == "Your turn: order the 10♥ up, or pass?"
    spoken = "J♥ (would be the right bower), J♦ (would be the left bower), A♥, 9♠, A♦"
    assert hand_text(view, bidding) == spoken
    drawn = picture(view)
    assert "│right?││left? ││" in drawn
    assert "turned up" in drawn


def test_trump_and_maker_and_bowers_by_name() -> None:
    state = dealt(["A♦", "J♦", "9♠", "J♥", "A♥"], "10♥")
    play(state, "pass")
    play(state, "pass")
    play(state, "order it up")
    dealer = view_of(state, 3)
    assert question(dealer) == "Your turn: discard a card."
    assert len(dealer.options) == 6
    state.play(state.moves[0])
    view = view_of(state, 0)
    bidding = read_bidding(view.observation)
    assert trump_line(view, bidding) == "Trump ♥ hearts, made by North"
    assert trump_line(view_of(state, 2), bidding) == "Trump ♥ hearts, made by you"
    assert [option.text for option in view.options] == [
        "play J♥ (right bower)",
        "play J♦ (left bower)",
        "play A♥",
        "play 9♠",
        "play A♦",
    ]
    assert question(view) == "Your turn: play a card."
    assert status(view, view.chairs[2], bidding) == "5 cards · made trump"
    assert status(view, view.chairs[1], bidding) == "5 cards"
    drawn = picture(view).split("\n")
    assert "You and North 3 · West and East 4" in drawn[0]
    assert drawn[0].startswith(" Euchre to 10 · hand 3")
    assert "Trump ♥ hearts, made by North" in drawn[1]
    assert "║right║│left │" in drawn[17]
    play(state, "play J♦")
    after = view_of(state, 1)
    assert trick_in_words(after) == "South J♦ (left bower)"
    assert tricks_line(after) == "Tricks: you 0 · they 0"
    assert "left" in picture(after)


def test_turned_down_and_alone() -> None:
    state = dealt(["A♦", "J♦", "9♠", "J♥", "A♥"], "10♥")
    for _ in range(4):
        play(state, "pass")
    view = view_of(state, 0)
    bidding = read_bidding(view.observation)
    assert trump_line(view, bidding) == "No trump yet: second round, any suit but hearts"
    assert status(view, view.chairs[1], bidding) == "5 cards · passed"
    assert question(view) == "Your turn: name a suit, or pass?"
    assert "bower" not in hand_text(view, bidding)
    assert "10♥ turned down" in picture(view)
    play(state, "make diamonds trump, go alone")
    view = view_of(state, 0)
    bidding = read_bidding(view.observation)
    assert trump_line(view, bidding) == "Trump ♦ diamonds, made by you, alone"
    assert [option.text for option in view.options][:2] == ["play J♦ (right bower)", "play J♥ (left bower)"]
    assert status(view, view.chairs[2], bidding) == "sits out"


def test_a_stuck_dealer_sees_the_rule() -> None:
    state = dealt(["A♦", "J♦", "9♠", "J♥", "A♥"], "10♥")
    for _ in range(7):
        play(state, "pass")
    assert question(view_of(state, 3)) == "Your turn: name a suit; you may not pass."
