"""Builds observations and named moves from a state (docs/language/knowing.md)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from upcard.engine.api import Move, Observation, Place, Record, owner_text
from upcard.engine.shared.alternatives import Alternative, Picked, pick_json, signature
from upcard.engine.shared.effect_records import awards_json, record
from upcard.engine.shared.knowledge import Effect
from upcard.engine.shared.table import Table
from upcard.recycle.kinds import Kind

if TYPE_CHECKING:
    from upcard.engine.shared.state import BaseState

# --- moves ---------------------------------------------------------------------------------------


def moves(state: BaseState, alternatives: list[Alternative]) -> list[Move]:
    """The alternatives as the engine lists them, with hidden cards."""
    table = state.table
    counts: Counter[Any] = Counter()
    made = []
    for alternative in alternatives:
        name = signature(alternative)
        effects = tuple(record(effect, table) for effect in alternative.effects)
        picks = tuple(pick_json(table.cards, pick) for pick in alternative.actual_picks)
        text = state.game.narrator.move(effects, state)
        made.append(Move(alternative.item, picks, counts[name], effects, text))
        counts[name] += 1
    return made


def shown(state: BaseState) -> list[tuple[Move, int]]:
    """The alternatives as the chooser sees them, each with its index in the engine's list.

    Cards that are face down for the chooser are null. Alternatives with null cards come after the others of
    their item, sorted by what is visible, and those that look alike are in random order: neither names nor
    order reveal a face-down card. The choice is listed once more to find out which faces it reads: what an
    alternative does after reading a hidden card is not shown either.
    """
    table = state.table
    chooser = table.current
    hidden = frozenset(c.order for c in table.cards if not table.where[c.order].seen_by(chooser))
    listed, stream = state.list_watching(hidden)
    open_sites = state.ask.open_sites
    blanks = [
        i
        for i, a in enumerate(listed)
        if any(_hides(pick, hidden) for pick in a.actual_picks if pick.site not in open_sites)
    ]
    covered = set(blanks)
    stream.shuffle(blanks)
    order = [*(i for i in range(len(listed)) if i not in covered), *blanks]
    made = {index: _shown_move(state, listed[index], hidden) for index in order}
    order.sort(key=lambda i: menu_order(made[i], i in covered))
    counts: Counter[str] = Counter()
    result = []
    for index in order:
        move = made[index]
        result.append((replace(move, copy=counts[move.key]), index))
        counts[move.key] += 1
    return result


def _shown_move(state: BaseState, alternative: Alternative, hidden: frozenset[int]) -> Move:
    """An alternative without hidden cards; `copy` is set later."""
    table, open_sites = state.table, state.ask.open_sites
    picks = tuple(
        pick_json(table.cards, pick) if pick.site in open_sites else _redact_pick(table, pick, hidden)
        for pick in alternative.actual_picks
    )
    revealing = alternative.item in state.ask.telling_items
    showable = () if revealing else alternative.showable
    effects = tuple(_redact_effect(e, table, hidden) for e in showable)
    if revealing or alternative.peeked is not None:  # even whether anything follows is a secret
        effects += ({"do": "hidden"},)
    return Move(alternative.item, picks, 0, effects, state.game.narrator.move(effects, state))


def menu_order(move: Move, covered: bool) -> tuple[int, bool, str]:
    """Where a move stands among the alternatives as their chooser sees them. One with null cards is
    `covered`: its order depends on nothing but what is visible."""
    return move.item, covered, json.dumps(move.to_json(), sort_keys=True) if covered else ""


def _hides(pick: Picked, hidden: frozenset[int]) -> bool:
    if pick.kind is Kind.CARD:
        return pick.element in hidden
    if pick.kind is Kind.CARDS and not isinstance(pick.element, Place):
        return any(card in hidden for card in pick.element)
    return False


def _redact_pick(table: Table, pick: Picked, hidden: frozenset[int]) -> Record:
    made = pick_json(table.cards, pick)
    if "card" in made and pick.element in hidden:
        return {"card": None}
    if "cards" in made:
        ids = [table.cards[card].id for card in sorted(pick.element) if card not in hidden]
        return {"cards": [*ids, *[None] * (len(pick.element) - len(ids))]}
    return made


def _redact_effect(effect: Effect, table: Table, hidden: frozenset[int]) -> Record:
    made = record(effect, table)
    made.pop("seen", None)
    known = {table.cards[card].id for card in hidden}
    for key in ("card", "other"):
        if made.get(key) in known:
            made[key] = None
    if made["do"] == "shuffle":
        # drawn anew when it is played
        made["cards"] = None if made["place"] is None else [None] * len(made["cards"])
    return made


def decision_record(
    table: Table, number: int, alternatives: int, index: int, item: int, picks: Sequence[Picked], copy: int
) -> Record:
    """The record of a decision of the current seat; its actions are added as they happen."""
    return {
        "do": "decision",
        "number": number,
        "seat": table.current,
        "alternatives": alternatives,
        "index": index,
        "item": item,
        "picks": [pick_json(table.cards, pick) for pick in picks],
        "copy": copy,
        "seen": [list(range(table.seats)) for _ in picks],
        "actions": [],
    }


def copies_before(listed: Sequence[Alternative], index: int) -> int:
    """How many alternatives of the same name are listed before one."""
    name = signature(listed[index])
    return sum(signature(other) == name for other in listed[:index])


def pick_places(table: Table, picks: Iterable[Picked]) -> list[dict[int, list[Place]]]:
    """The cards of each pick, with their places."""
    return [{card: [table.where[card]] for card in _picked_cards(pick)} for pick in picks]


def _picked_cards(pick: Picked) -> list[int]:
    if pick.kind is Kind.CARD:
        return [pick.element]
    if pick.kind is Kind.CARDS and not isinstance(pick.element, Place):
        return list(pick.element)
    return []


def picks_seen(seats: int, picks: list[dict[int, list[Place]]], effects: Iterable[Effect]) -> list[list[int]]:
    """The seats that may know each pick: those that saw its cards before, or saw them moved by the effects.

    The listed effects do not count: with chance involved, a card listed as shown may stay hidden.
    """
    for effect in effects:
        if effect[0] in ("move", "remember"):
            for places in picks:
                if effect[1] in places:
                    places[effect[1]].append(effect[3])
        elif effect[0] == "exchange":
            _, card, source, _, other, target, _ = effect
            for places in picks:
                for moved, to in ((card, target), (other, source)):
                    if moved in places:
                        places[moved].append(to)
    return [
        [
            seat
            for seat in range(seats)
            if all(any(place.seen_by(seat) for place in been) for been in places.values())
        ]
        for places in picks
    ]


# --- observations --------------------------------------------------------------------------------


def observe(state: BaseState, seat: int, match: dict[str, Any] | None) -> Observation:
    table = state.table
    places = {place: cards for place, cards in sorted(table.places.items()) if cards}
    is_mine = state.to_move == seat
    return Observation(
        game=state.game.identity,
        seat=seat,
        seats=table.seats,
        teams=table.teams,
        decision=state.decisions,
        to_move=state.to_move,
        moves=tuple(move for move, _ in state.shown) if is_mine else (),
        cards={card.id: dict(card.attributes) for card in table.cards},
        places={
            place.text: tuple(table.cards[card].id if place.seen_by(seat) else None for card in cards)
            for place, cards in places.items()
        },
        backs={place.text: _backs(table, place) for place in places if not place.seen_by(seat)},
        integers={_key(key): value for key, value in sorted(table.ints.items()) if value},
        strings={_key(key): value for key, value in sorted(table.strs.items()) if value},
        points={_key(key): awards_json(value.awards) for key, value in sorted(table.maps.items())},
        cycles={
            "seats": [list(cycle) for cycle in table.seat_cycles],
            "teams": list(table.team_cycles),
        },
        memory=_memory(state, seat),
        records=state.records_seen_by(seat),
        match=match,
    )


def _backs(table: Table, place: Place) -> tuple[str, ...]:
    """Backs in order. An unordered place is in card order, which would reveal cards, so its backs are
    sorted."""
    backs = [table.cards[card].back for card in table.at(place)]
    return tuple(backs if table.is_ordered(place) else sorted(backs))


def _key(key: tuple[int, str]) -> str:
    return f"{owner_text(key[0])}.{key[1]}"


def _memory(state: BaseState, seat: int) -> dict[str, Record]:
    """For each card that is face down: where it can be, and whether its position is known."""
    table, knowledge = state.table, state.knowledge
    if knowledge is None:
        return {}
    where, placed = knowledge.where[seat], knowledge.placed[seat]
    return {
        card.id: {"where": [*_texts(frozenset(where[card.order]))], "placed": placed[card.order]}
        for card in table.cards
        if not table.where[card.order].seen_by(seat)
    }


@lru_cache(maxsize=4096)
def _texts(places: frozenset[Place]) -> tuple[str, ...]:
    """Cached, because most cards can be in the same places decision after decision."""
    return tuple(sorted(place.text for place in places))
