"""Euchre's part in hints: certain results, and results and cards in the words of players."""

from __future__ import annotations

from collections.abc import Sequence

from upcard.advice.game_advice import GameAdvice, Proof
from upcard.engine.api import Move, Observation
from upcard.euchre.contracts import DEALER
from upcard.euchre.deal_text import Bidding, read_bidding, trick_cards
from upcard.euchre.euchre_cards import Card, with_trump
from upcard.euchre.lay_down import prove_laydown, unseen
from upcard.euchre.observed_hand import Meaning, ObservedHand, is_euchre
from upcard.euchre.sure_tricks import best_fives, takes_all, top_trumps, unseen_from

CALLS = ("order", "order alone", "name", "name alone")
DOING = {
    "pass": "passing",
    "order": "ordering up",
    "order alone": "ordering up alone",
    "defend alone": "defending alone",
}
DOING_AS_DEALER = {"order": "picking it up", "order alone": "picking it up alone"}
MADE = 3
"""Tricks that make a contract."""
ALL = 5


class EuchreAdvice(GameAdvice):
    def fits(self, observation: Observation) -> bool:
        return is_euchre(observation)

    def prove(self, observation: Observation, move: Move) -> Proof | None:
        meaning = _meaning(observation, move)
        if meaning.what in CALLS:
            return _prove_call(observation, meaning)
        if meaning.what == "play" and meaning.card is not None:
            return _prove_play(observation, meaning.card)
        return None

    def doing(self, observation: Observation, move: Move) -> str:
        meaning = _meaning(observation, move)
        if meaning.suit is not None:
            alone = " alone" if meaning.what.endswith("alone") else ""
            return f"making {meaning.suit.lower()} trump{alone}"
        if observation.seat == DEALER and meaning.what in DOING_AS_DEALER:
            return DOING_AS_DEALER[meaning.what]
        return DOING.get(meaning.what, "")

    def result(self, observation: Observation, move: Move, scores: tuple[int, ...]) -> str:
        mine, theirs = scores[observation.seat], scores[(observation.seat + 1) % len(scores)]
        maker = _maker(observation, move)
        if not mine and not theirs:
            return "nobody scores"
        if maker is None:
            return f"you score {mine}" if mine else f"they score {theirs}"
        if maker % 2 == observation.seat % 2:
            return {1: "made", 2: "a march", 4: "a lone march"}[mine] if mine else "euchred"
        return (
            "you euchre them" if mine else {1: "they make it", 2: "they march", 4: "they march alone"}[theirs]
        )

    def card_name(self, observation: Observation, move: Move, card: str) -> str:
        trump = _trump(observation, move)
        face = Card.of(observation.cards[card])
        if trump is None or face.rank != "JACK" or face.suit_under(trump) != trump:
            return ""
        return "the left bower" if face.is_left_bower(trump) else "the right bower"

    def may_decide(self, observation: Observation, move: Move, card: str) -> bool:
        """Trumps, jacks and aces: players count these."""
        face, trump = Card.of(observation.cards[card]), _trump(observation, move)
        return face.rank in ("JACK", "ACE") or (trump is not None and face.suit_under(trump) == trump)


def _meaning(observation: Observation, move: Move) -> Meaning:
    return next(
        (known for known, one in ObservedHand(observation).moves.items() if one.key == move.key),
        Meaning("other"),
    )


def _maker(observation: Observation, move: Move) -> int | None:
    """Who makes trump, if that is known once the move is made."""
    bidding = read_bidding(observation)
    if bidding.maker is not None:
        return bidding.maker
    return observation.seat if _meaning(observation, move).what in CALLS else None


def _trump(observation: Observation, move: Move) -> str | None:
    bidding = read_bidding(observation)
    if bidding.trump is not None:
        return bidding.trump
    meaning = _meaning(observation, move)
    if meaning.what not in CALLS:
        return None
    return meaning.suit or bidding.up_suit


# --- calls -----------------------------------------------------------------------------------------


def _prove_call(observation: Observation, meaning: Meaning) -> Proof | None:
    observed = ObservedHand(observation)
    seat, alone = observation.seat, meaning.what.endswith("alone")
    trump = meaning.suit or observed.up_suit
    hands: list[list[Card]] = [observed.hand]
    if observed.first_round and seat == DEALER:
        hands = best_fives([*observed.hand, observed.upcard])
        out = unseen_from(observed.hand, [observed.upcard])
    elif observed.first_round:
        out = unseen_from(observed.hand)
    else:
        out = unseen_from(observed.hand, [observed.upcard])
    overrides = observation.game.get("overrides") or {}
    leads = seat == 0 and not (alone and dict(overrides).get("LEFTOF") == "MAKER")
    if any(takes_all(hand, out, trump, leads) for hand in hands):
        points = 4 if alone else 2
        return Proof(points, True, "It takes all five tricks, however the other cards lie.")
    most = max(len(top_trumps(hand, out, trump)) for hand in hands)
    if most >= MADE:
        return Proof(1, False, f"The {_number(most)} highest trumps make it, however the other cards lie.")
    return None


def _number(count: int) -> str:
    return {3: "three", 4: "four", 5: "five"}.get(count, str(count))


# --- cards -----------------------------------------------------------------------------------------


def _prove_play(observation: Observation, card: Card) -> Proof | None:
    bidding = read_bidding(observation)
    if bidding.trump is None or bidding.maker is None:
        return None
    if any("DEFENDALONE" in said for said in bidding.said):
        return None
    ours, theirs = _tricks(observation)
    decided = _decided(observation, bidding, ours, theirs)
    if decided is not None:
        return decided
    order, _ = prove_laydown(observation)
    held = _hand(observation)
    if order is not None and _may_lead(card, order, observation, bidding.trump):
        return _with_tricks(
            observation, bidding, ours + len(held), theirs, "Your cards take every trick left"
        )
    sure = _sure(observation, card, held, bidding.trump)
    if sure and ours + sure >= MADE:
        return _with_tricks(observation, bidding, ours + sure, theirs, "Your highest trumps cannot be beaten")
    return None


def _tricks(observation: Observation) -> tuple[int, int]:
    counts = [observation.integers.get(f"seat{seat}.TRICKS", 0) for seat in range(observation.seats)]
    mine = sum(counts[seat] for seat in range(observation.seats) if seat % 2 == observation.seat % 2)
    return mine, sum(counts) - mine


def _hand(observation: Observation) -> list[Card]:
    held = observation.places.get(f"seat{observation.seat}.iloc.HAND", ())
    return [Card.of(observation.cards[card]) for card in held if card is not None]


def _decided(observation: Observation, bidding: Bidding, ours: int, theirs: int) -> Proof | None:
    """A hand whose result no card can change."""
    assert bidding.maker is not None
    makers_ours = bidding.maker % 2 == observation.seat % 2
    made, lost = (ours, theirs) if makers_ours else (theirs, ours)
    if lost >= MADE:
        points = -2
    elif made >= MADE and lost:
        points = 1
    else:
        return None
    return Proof(points if makers_ours else -points, True, "The tricks taken so far decide this hand.")


def _with_tricks(
    observation: Observation, bidding: Bidding, ours: int, theirs: int, why: str
) -> Proof | None:
    """What so many tricks bring at least."""
    assert bidding.maker is not None
    makers_ours = bidding.maker % 2 == observation.seat % 2
    sentence = f"{why}, however the other cards lie."
    if not makers_ours:
        return Proof(2, True, sentence) if ours >= MADE else None
    if ours == ALL:
        return Proof(4 if bidding.alone else 2, True, sentence)
    return Proof(1, ours + theirs == ALL, sentence) if ours >= MADE else None


def _may_lead(card: Card, order: Sequence[Card], observation: Observation, trump: str) -> bool:
    """Whether the proof may begin with this card: its first, or another of the trumps that must be led."""
    if card == order[0]:
        return True
    out = [other for other in unseen(observation) if other.suit_under(trump) == trump]
    first = [other for other in order if other.suit_under(trump) == trump][: min(len(out), len(order))]
    return card in first


def _sure(observation: Observation, card: Card, held: Sequence[Card], trump: str) -> int:
    """Tricks that the highest trumps take if this card is played now."""
    top = top_trumps(held, unseen(observation), trump)
    if card in top:
        lying = [Card.of(observation.cards[one]) for one in trick_cards(observation).values()]
        if any(with_trump(other, trump) > with_trump(card, trump) for other in lying):
            return len(top) - 1
    return len(top)
