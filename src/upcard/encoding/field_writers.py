"""Writers of the fields of an observation, one for each kind of part, for `field_code`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from upcard.encoding import card_parts, parts
from upcard.encoding.content import StoreGroup
from upcard.encoding.field_code import FEW, SEAT, FieldCode
from upcard.encoding.fields import BYTE
from upcard.engine.native import ir
from upcard.engine.native.lower.builder import ONE, ZERO, add, binary, const, scaled
from upcard.engine.native.lower.runtime import where

WRITERS: dict[type[card_parts.Part], Callable[[FieldCode, Any], None]] = {}


def write_parts(code: FieldCode, fields: Iterable[card_parts.Part]) -> None:
    for part in fields:
        WRITERS[type(part)](code, part)
        code.at += part.size


# --- cards ---------------------------------------------------------------------------------------


def _cards(code: FieldCode, part: card_parts.CardsPart) -> None:
    few = part.places.count <= FEW
    if part.folds and few and len(part.ids) < 64:
        _single_cards(code, part)
    elif part.folds:
        code.clear_field(part.size)
        _listed_cards(code, part)
    elif few:
        _sets(code, part)
    else:
        _by_place(code, part)


def _single_cards(code: FieldCode, part: card_parts.CardsPart) -> None:
    """Ordered places, each with one card mostly: then their sets say it all."""
    b, shelf = code.b, code.shelf(part.places)
    places = list(_few_places(part.places))
    sets = [b.keep(code.set_word(code.place_of(shelf, turn, const(index)), 0)) for turn, index in places]
    code.put_spread(0, len(part.ids), *((here, const(1 + number)) for number, here in enumerate(sets)))
    several: ir.Expr = ZERO
    for here in sets:
        several = binary("or", several, binary("and", here, binary("sub", here, ONE)))
    with b.when(binary("ne", several, ZERO), rare=True):
        for number, (turn, index) in enumerate(places):
            base = code.list_of(shelf, turn, const(index))
            cards = b.keep(b.word(0, base, "list"))
            _write_list(code, part, base, cards, const(number))


def _few_places(places: card_parts.PlaceList) -> Iterator[tuple[int, int]]:
    for turn in places.turns:
        for number in range(places.group.numbers):
            yield turn, number


def _listed_cards(code: FieldCode, part: card_parts.CardsPart) -> None:
    shelf, numbers = code.shelf(part.places), part.group.numbers
    for row, turn in enumerate(part.places.turns):
        with code.each_number(numbers) as number:
            base = code.list_of(shelf, turn, number)
            cards = code.b.keep(code.b.word(0, base, "list"))
            _write_list(code, part, base, cards, add(number, const(row * numbers)))


def _write_list(
    code: FieldCode, part: card_parts.CardsPart, base: ir.Expr, cards: ir.Expr, number: ir.Expr
) -> None:
    """The cards of a place by its list, bottom first."""
    b = code.b
    top = b.keep(add(number, ONE))

    def write(card: ir.Expr, index: ir.Expr) -> None:
        value: ir.Expr = top
        if part.folds:
            above = binary("sub", binary("sub", cards, ONE), index)
            value = add(value, scaled(above, part.places.count))
        code.planes(card, len(part.ids), part.width, value)

    code.each_card(base, cards, write)


def _sets(code: FieldCode, part: card_parts.CardsPart) -> None:
    """Few places whose order does not show here: all cards of a word at once."""
    shelf = code.shelf(part.places)
    places = [code.place_of(shelf, turn, const(number)) for turn, number in _few_places(part.places)]
    for word in range(code.layout.set_words):
        planes = [(code.set_word(place, word), const(1 + number)) for number, place in enumerate(places)]
        code.put_spread(64 * word, min(64, len(part.ids) - 64 * word), *planes)


def _by_place(code: FieldCode, part: card_parts.CardsPart) -> None:
    """Many places: each card is looked up by where it lies."""
    b, shelf, seats = code.b, code.shelf(part.places), code.content.seats
    codes = []
    for seat in range(seats):
        row = [0] * shelf.places
        for number, (turn, index) in enumerate(_few_places(part.places)):
            owner = 0 if shelf.owners == 1 else (seat + turn) % seats
            row[owner * shelf.numbers + index] = 1 + number
        codes += row
    table = b.data(f"places_{code.at}", codes, 2)
    row_at = b.keep(scaled(SEAT, shelf.places))
    with b.each_index(ZERO, const(len(part.ids))) as card:
        place = b.keep(binary("sub", where(code.layout, card), const(shelf.first)))
        value = b.variable(ZERO, "value")
        with b.when(binary("ult", place, const(shelf.places))):
            b.set(value, ir.Load("u16", table, add(row_at, place)))
        code.planes(card, len(part.ids), part.width, value)


def _depths(code: FieldCode, part: card_parts.DepthPart) -> None:
    b, shelf = code.b, code.shelf(part.places)
    code.clear_field(part.size)
    for turn in part.places.turns:
        with code.each_number(part.places.group.numbers) as number:
            base = code.list_of(shelf, turn, number)
            cards = b.keep(b.word(0, base, "list"))

            def write(card: ir.Expr, index: ir.Expr, cards: ir.Expr = cards) -> None:
                code.put(card, _byte(code, binary("sub", cards, index)))

            code.each_card(base, cards, write)


def _memories(code: FieldCode, part: card_parts.MemoryPart) -> None:
    b, shelf = code.b, code.shelf(part.places)
    room, numbers = len(part.ids), part.places.group.numbers
    code.clear_field(part.size)
    for row, turn in enumerate(part.places.turns):
        with code.each_number(numbers) as number:
            base = code.list_of(shelf, turn, number)
            cards = b.keep(b.word(0, base, "list"))
            first = b.keep(scaled(add(number, const(row * numbers)), room))

            def write(card: ir.Expr, index: ir.Expr, cards: ir.Expr = cards, first: ir.Expr = first) -> None:
                code.put(add(first, card), _byte(code, binary("sub", cards, index)))

            code.each_card(base, cards, write)


def _byte(code: FieldCode, number: ir.Expr) -> ir.Expr:
    """A number, or the greatest that fits into a byte."""
    number = code.b.keep(number)
    return ir.Select(binary("sgt", number, const(BYTE)), const(BYTE), number)


def _counts(code: FieldCode, part: card_parts.CountsPart) -> None:
    b, shelf, group = code.b, code.shelf(part.places), part.places.group
    total = part.places.count * len(part.backs)
    for row, turn in enumerate(part.places.turns):
        with code.each_number(group.numbers) as number:
            index = b.keep(scaled(add(number, const(row * group.numbers)), len(part.backs)))
            if group.cls == "mem":
                held = b.keep(b.word(0, code.list_of(shelf, turn, number), "list"))
                most = const(part.most)
                code.planes(index, total, part.width, ir.Select(binary("sgt", held, most), most, held))
                continue
            place = b.keep(code.place_of(shelf, turn, number))
            sets = [b.keep(code.set_word(place, word)) for word in range(code.layout.set_words)]
            for n, back in enumerate(part.backs):
                count: ir.Expr = ZERO
                for word, here in enumerate(sets):
                    alike = here if len(part.backs) == 1 else binary("and", here, code.cards_of(back, word))
                    count = add(count, ir.Unary("popcount", alike))
                code.planes(add(index, const(n)), total, part.width, count)


# --- storages ------------------------------------------------------------------------------------


def _stored(code: FieldCode, group: StoreGroup, first: int) -> Iterator[ir.Expr]:
    """The words of a storage, the observer's own first."""
    b = code.b
    if group.owner == "table":
        yield b.word(first)
    elif group.owner == "player":
        for turn in range(code.content.seats):
            yield b.word(add(code.turns[turn], const(first)))
    else:
        for turn in range(code.content.teams):
            team, exists = code.team(turn)
            yield (
                ir.Select(exists, b.word(add(team, const(first))), ZERO)
                if exists != ONE
                else b.word(add(team, const(first)))
            )


def _strings(code: FieldCode, part: parts.StringsPart) -> None:
    numbers = {text: number for number, text in enumerate(part.values)}
    codes = [numbers.get(text, 0) for text in code.layout.strings]
    table = code.b.data(f"strings_{code.at}", codes, part.width)
    width: ir.Width = "u8" if part.width == 1 else "u16"
    first = code.layout.strs[part.group.owner, part.group.name]
    for index, word in enumerate(_stored(code, part.group, first)):
        code.planes(index, part.owners, part.width, ir.Load(width, table, word))


def _numbers(code: FieldCode, part: parts.NumbersPart) -> None:
    first = code.layout.ints[part.group.owner, part.group.name]
    for index, word in enumerate(_stored(code, part.group, first)):
        code.put(const(2 * index), word, "u16")


# --- who and when --------------------------------------------------------------------------------


def _seat(code: FieldCode, part: parts.SeatPart) -> None:
    code.one_hot(part.size, SEAT, ONE)


def _to_move(code: FieldCode, part: parts.ToMovePart) -> None:
    mover = code.b.word(add(code.seat_depth, const(code.words["seat_index"])))
    code.one_hot(part.size, code.turn_of(mover), code.running)


def _phase(code: FieldCode, part: parts.PhasePart) -> None:
    numbers = {step: number for number, step in enumerate(code.content.asks)}
    phases = [numbers.get(step, 0) for step in range(len(code.content.code) + 1)]
    if part.size:
        code.one_hot(part.size, code.b.keep(code.b.in_table("phases", phases, code.pc)), code.running)


def _teams(code: FieldCode, part: parts.TeamsPart) -> None:
    for turn in range(part.size):
        team = code.b.word(add(code.turns[turn], const(code.words["team_of"])))
        code.put(const(turn), add(team, ONE))


def _seat_cycles(code: FieldCode, part: parts.SeatCyclesPart) -> None:
    b, words = code.b, code.words
    for level in range(part.levels):
        is_open = b.keep(binary("sle", const(level), code.seat_depth)) if level else ONE
        current = add(code.turn_of(b.word(words["seat_index"] + level)), ONE)
        queued = b.keep(b.word(words["seat_queue"] + level))
        named = binary("and", binary("sge", queued, ZERO), is_open)
        code.put(const(2 * level), ir.Select(is_open, current, ZERO))
        after = add(code.turn_of(queued), ONE)
        code.put(const(2 * level + 1), ir.Select(named, after, ZERO))


def _team_cycles(code: FieldCode, part: parts.TeamCyclesPart) -> None:
    b = code.b
    for level in range(part.size):
        is_open = binary("sle", const(level), code.team_depth)
        turn = code.turn_of_team(b.word(code.words["team_index"] + level))
        code.put(const(level), ir.Select(is_open, add(turn, ONE), ZERO))


WRITERS |= {
    card_parts.CardsPart: _cards,
    card_parts.DepthPart: _depths,
    card_parts.MemoryPart: _memories,
    card_parts.CountsPart: _counts,
    parts.StringsPart: _strings,
    parts.NumbersPart: _numbers,
    parts.SeatPart: _seat,
    parts.ToMovePart: _to_move,
    parts.PhasePart: _phase,
    parts.TeamsPart: _teams,
    parts.SeatCyclesPart: _seat_cycles,
    parts.TeamCyclesPart: _team_cycles,
}
