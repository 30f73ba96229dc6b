"""A deal of Euchre in words, from an observation: bidding, trump, maker, bowers, tricks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from upcard.engine.api import Observation
from upcard.euchre.contracts import DEALER
from upcard.euchre.euchre_cards import SUITS, TWIN, Card, plain, with_trump
from upcard.terminal.seat_view import Chair, Option, View

CALL_WORDS = {
    "PASS": "passed",
    "ORDER": "ordered it up",
    "ORDERALONE": "ordered it up alone",
    "NAME": "named the suit",
    "NAMEALONE": "named the suit, alone",
    "DEFENDALONE": "defends alone",
    "OUT": "sits out",
}
DEALER_WORDS = {"ORDER": "picked it up", "ORDERALONE": "picked it up, alone"}
MAKER_CALLS = ("ORDER", "ORDERALONE", "NAME", "NAMEALONE")
LONE_CALLS = ("ORDERALONE", "NAMEALONE")


@dataclass(frozen=True)
class Bidding:
    """The state of the auction as a seat has seen it."""

    trump: str | None
    up_suit: str | None
    upcard: str | None
    """The card that was turned up, wherever it is now."""
    turned_down: bool
    maker: int | None
    alone: bool
    said: tuple[tuple[str, ...], ...]
    """The calls of each seat, in order."""


def read_bidding(observation: Observation) -> Bidding:
    said: list[list[str]] = [[] for _ in range(observation.seats)]
    upcard = None
    for record in observation.records:
        if record["do"] == "move" and record["to"] == "table.vloc.UPCARD":
            upcard = record["card"]
        seat = record.get("seat")
        for action in record["actions"] if record["do"] == "decision" else (record,):
            if action["do"] == "set" and action["name"] == "CALL":
                owner = int(str(action["owner"])[4:]) if seat is None else seat
                said[owner].append(str(action["value"]))
    trump = observation.strings.get("table.TRUMP", "NONE")
    maker = next((s for s, words in enumerate(said) if any(w in MAKER_CALLS for w in words)), None)
    return Bidding(
        None if trump == "NONE" or maker is None else trump,
        observation.strings.get("table.UP"),
        upcard,
        maker is None and not observation.places.get("table.vloc.UPCARD"),
        maker,
        maker is not None and any(word in LONE_CALLS for word in said[maker]),
        tuple(map(tuple, said)),
    )


def sorted_hand(observation: Observation, cards: Sequence[str], bidding: Bidding) -> list[str]:
    """Trumps first from the right bower down, then suit by suit; in the first round as if it were ordered."""
    trump = bidding.trump or (None if bidding.turned_down else bidding.up_suit)

    def place(card: str) -> tuple[int, tuple[int, int, int]]:
        face = Card.of(observation.cards[card])
        if trump is None:
            return SUITS.index(face.suit), _down(plain(face))
        suit = face.suit_under(trump)
        # the trump's own colour last, so that red and black alternate as far as they can
        order = [trump, *(s for s in SUITS if s not in (trump, TWIN[trump])), TWIN[trump]]
        return order.index(suit), _down(with_trump(face, trump))

    return sorted(cards, key=place)


def bower(observation: Observation, card: str, bidding: Bidding) -> str:
    """`right` or `left`, with a question mark while the suit is only offered; empty for other cards."""
    trump = bidding.trump or (None if bidding.turned_down else bidding.up_suit)
    if trump is None:
        return ""
    face = Card.of(observation.cards[card])
    name = "left" if face.is_left_bower(trump) else "right" if face == Card("JACK", trump) else ""
    return name + "?" if name and bidding.trump is None else name


def trump_line(view: View, bidding: Bidding) -> str:
    """Trump and its maker, or the round of the auction."""
    word = view.narrator.word
    if bidding.trump is not None and bidding.maker is not None:
        who = "you" if bidding.maker == view.you.seat else view.name(bidding.maker)
        alone = ", alone" if bidding.alone else ""
        return f"Trump {suit_sign(view, bidding.trump)} {word(bidding.trump)}, made by {who}{alone}"
    if bidding.turned_down and bidding.up_suit is not None:
        return f"No trump yet: second round, any suit but {word(bidding.up_suit)}"
    return (
        f"No trump yet: first round, {view.card(bidding.upcard)} is turned up"
        if bidding.upcard
        else "No trump yet"
    )


def bid_question(view: View) -> str:
    """The question of the auction; empty once trump is made."""
    bidding = read_bidding(view.observation)
    if bidding.trump is not None or bidding.upcard is None:
        return ""
    card = view.card(bidding.upcard)
    order = f"pick up the {card}" if view.observation.seat == DEALER else f"order the {card} up"
    what = "name a suit" if bidding.turned_down else order
    may_pass = any(option.text == "pass" for option in view.options)
    return f"{what}, or pass?" if may_pass else f"{what}; you may not pass."


def suit_sign(view: View, suit: str) -> str:
    return view.narrator.faces.prints.get("SUIT", {}).get(suit, "")


def tricks_line(view: View) -> str:
    counts = view.observation.integers
    mine = [chair.seat for chair in view.chairs if chair.you or chair.partner]
    ours = sum(counts.get(f"seat{seat}.TRICKS", 0) for seat in mine)
    every = sum(counts.get(f"seat{seat}.TRICKS", 0) for seat in range(view.observation.seats))
    return f"Tricks: you {ours} · they {every - ours}"


def status(view: View, chair: Chair, bidding: Bidding) -> str:
    """A player's number of cards and calls."""
    known = CALL_WORDS | DEALER_WORDS if chair.seat == DEALER else CALL_WORDS
    words = [known.get(word, view.narrator.word(word).lower()) for word in bidding.said[chair.seat]]
    if words == ["passed", "passed"]:
        words = ["passed twice"]
    if bidding.trump is not None and "sits out" in words:
        return "sits out"
    held = sum(len(place.cards) for place in chair.places if place.words == "hand")
    count = "" if chair.you or not held else f"{held} cards" if held != 1 else "1 card"
    if bidding.trump is not None and chair.seat == bidding.maker:
        words = ["made trump" + (", alone" if bidding.alone else "")]
    elif bidding.trump is not None:
        words = [word for word in words if word == CALL_WORDS["DEFENDALONE"]]
    return " · ".join(filter(None, [count, ", ".join(words)]))


def trick_cards(observation: Observation) -> dict[int, str]:
    found = {}
    for seat in range(observation.seats):
        for card in observation.places.get(f"seat{seat}.vloc.TRICK", ()):
            if card is not None:
                found[seat] = card
    return found


def hand_in_order(view: View, bidding: Bidding) -> list[str]:
    held = [card for place in view.you.places if place.words == "hand" for card in place.cards]
    return sorted_hand(view.observation, [card for card in held if card is not None], bidding)


def _down(height: tuple[int, int, int]) -> tuple[int, int, int]:
    return -height[0], -height[1], -height[2]


def arranged(view: View) -> View:
    """The view with its menu in the order of the hand and bowers named."""
    bidding = read_bidding(view.observation)
    place = {card: at for at, card in enumerate(hand_in_order(view, bidding))}
    options = list(view.options)
    if options and all(len(option.cards) == 1 and option.cards[0] in place for option in options):
        options.sort(key=lambda option: place[option.cards[0]])
    return replace(
        view,
        options=tuple(_named(view, bidding, n, option) for n, option in enumerate(options, 1)),
        facts=tuple((words, _with_maker(view, bidding, words, value)) for words, value in view.facts),
    )


def _with_maker(view: View, bidding: Bidding, words: str, value: str) -> str:
    """Trump with its maker, for windows that are too small for the table of Euchre."""
    if words != view.narrator.called("TRUMP") or bidding.maker is None:
        return value
    who = "you" if bidding.maker == view.you.seat else view.name(bidding.maker)
    return f"{value}, made by {who}{', alone' if bidding.alone else ''}"


def _named(view: View, bidding: Bidding, number: int, option: Option) -> Option:
    text = option.text
    if len(option.cards) == 1 and bidding.trump is not None:
        name = bower(view.observation, option.cards[0], bidding)
        text = f"{text} ({name} bower)" if name else text
    return replace(option, number=number, text=text)


def hand_text(view: View, bidding: Bidding) -> str:
    """The hand in words, with bowers named."""
    return ", ".join(card_words(view, card, bidding) for card in hand_in_order(view, bidding))


def card_words(view: View, card: str, bidding: Bidding) -> str:
    name = bower(view.observation, card, bidding)
    would = "would be the " if name.endswith("?") else ""
    return f"{view.card(card)} ({would}{name.rstrip('?')} bower)" if name else view.card(card)


def verdict(view: View) -> str:
    """The result of a finished hand: made, a march, a lone march, or euchred."""
    bidding = read_bidding(view.observation)
    if bidding.maker is None:
        return "Everybody passed twice: nobody scores, and the deal passes on."
    makers = next(team for team in view.observation.teams if bidding.maker in team)
    won = sum(view.observation.integers.get(f"seat{seat}.TRICKS", 0) for seat in makers)
    yours = [chair.name for chair in view.chairs if chair.partner]
    names = " and ".join(["You", *yours]) if view.you.seat in makers else view.narrator.side(makers)
    if won < 3:
        return f"Euchred! {names} made trump and took only {won} of five tricks."
    if won == 5:
        return f"{'A lone march' if bidding.alone else 'A march'}: {names} took all five tricks."
    return f"{names} made trump and took {won} tricks."


def trick_in_words(view: View) -> str:
    """The cards on the table in the order they were played."""
    played = trick_cards(view.observation)
    order = [r["seat"] for r in view.observation.records if r["do"] == "decision" and r["seat"] in played]
    latest = sorted(played, key=lambda seat: len(order) - order[::-1].index(seat))
    bidding = read_bidding(view.observation)
    return ", ".join(f"{view.name(seat)} {card_words(view, played[seat], bidding)}" for seat in latest)
