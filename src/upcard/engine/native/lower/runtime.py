"""Runtime functions that every game's code calls: moving cards, drawing, picking bits.

Written as IR once per game, since sizes and offsets are the game's own.
"""

from __future__ import annotations

from upcard.engine.native import ir
from upcard.engine.native.kernels.language import Int
from upcard.engine.native.kernels.random_numbers import SPARE
from upcard.engine.native.kernels.structs import Array, Inline, Struct, length
from upcard.engine.native.kernels.workspace_growth import BASE, ROOM, Region, WordTable, WorkspaceHead
from upcard.engine.native.lower.builder import (
    ONE,
    STATE,
    WORK,
    ZERO,
    Builder,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.state_layout import Layout, Shelf
from upcard.recycle.limits import MAX_PICKS, MAX_REFERENCES

AT = {name: field.word for name, field in WorkspaceHead.fields.items()}
"""Words of the head of a workspace, by name."""

MAX_ITEMS = 512

GIVEN_WORDS = 3
MAX_GIVEN = 64
"""Storages that a match may give a value before a deal."""
MASK_WORDS = 8
NO_CARDS_WORD = 63


class WorkspaceWords(Struct):
    """What every workspace begins with."""

    head: Inline[WorkspaceHead]
    spare: Array[Int] = length(NO_CARDS_WORD - WorkspaceHead.size // 8)
    no_cards: Int
    """Always 0: an empty list, where a list in the workspace is wanted."""
    script: Array[Int] = length(MAX_PICKS)
    """Per depth the chosen element."""
    counts: Array[Int] = length(MAX_PICKS)
    """Per depth how many elements there are."""
    picks: Array[Int] = length(2 * MAX_PICKS)
    """Two words a pick: site and value."""
    streams: Array[Int] = length(4 * (MAX_PICKS + 1))
    """Four words a depth: the listing's stream as it was behind that many any forms."""
    items: Array[Int] = length(MAX_ITEMS)
    """Per item of a choice: how many alternatives come before it."""
    masks: Array[Int] = length(MAX_ITEMS * MASK_WORDS)
    """Per item of a choice: the set it picks from."""
    arena: Inline[Region]
    """Lists, free again at each decision."""
    records: Inline[Region]
    """Recorded alternatives."""
    effects: Inline[WordTable]
    """What was done, if it is logged."""
    begins: Inline[WordTable]
    """Where each recorded alternative begins; with effects logged, also where those are."""
    given: Array[Int] = length(GIVEN_WORDS * MAX_GIVEN)
    """Three words per storage that begins with a value: the word of the state, a value, and a divisor. The
    remainder of the number of the deal by the divisor is added to the value; 1 adds nothing."""


_WORDS = {name: field.word for name, field in WorkspaceWords.fields.items()}
assert _WORDS["no_cards"] == NO_CARDS_WORD
SCRIPT_AT = _WORDS["script"]
COUNTS_AT = _WORDS["counts"]
PICKS_AT = _WORDS["picks"]
STREAMS_AT = _WORDS["streams"]
ITEMS_AT = _WORDS["items"]
MASKS_AT = _WORDS["masks"]
ARENA = _WORDS["arena"]
RECORDS = _WORDS["records"]
EFFECTS = _WORDS["effects"]
BEGINS = _WORDS["begins"]
GIVEN_AT = _WORDS["given"]
MAX_EFFECTS = 1 << 24
"""Words of effects."""


def page_spot(at: int, spot: int) -> int:
    """The first word from `at` on that lies `spot` bytes into a page.

    What is used beside a state that is played in keeps out of the bytes of a page where that lies (see
    `buffer.STATE_INSET`): it costs up to an eighth of a playout's time otherwise."""
    return at + (spot - 8 * at) % PAGE // 8


PAGE = 4096
SEATS_SPOT, SAVED_SPOT = 2592, 2688
"""Behind a state of 2 KB."""
SEATS_AT = page_spot(WorkspaceWords.size // 8, SEATS_SPOT)
"""Four words a seat: the players' own streams; behind them a spare one, for `choose_below`."""
WATCHED_AT = SEATS_AT + SPARE + 4
"""The set of cards whose faces are hidden from the chooser."""
STACK_AT = WATCHED_AT + MASK_WORDS
"""Per given shuffle a count (0: draw) and the cards, a word each."""
MAX_STACKED = 256
PAUSE_EFFECTS = 1 << 17
"""A walk that has logged this many words pauses before its next block, so that they can be read. What one
block logs always fits: work is limited."""


MOVE, REMEMBER, FORGET, SHUFFLE, SWAP, EXCHANGE, SET_INT, SET_STR, POINTS, CYCLE, PASS, TEAMS = range(1, 13)
DECK, STAGE = 13, 14
"""How effects are numbered where they are noted: the number, how many words follow, the words."""


def stack_words(layout: Layout) -> int:
    """Words of one given shuffle."""
    return 1 + layout.room


def write_runtime(b: Builder, layout: Layout) -> None:
    _kth(b)
    _draw(b)
    _seed_listing(b)
    _take(b, layout)
    _put(b, layout)
    _shuffle(b, layout)
    write_copy(b)
    _stacked(b, layout)
    _note(b)
    _look(b)


def _kth(b: Builder) -> None:
    """The k-th lowest bit of a word, k from 0."""
    m, k = ir.Local("m", "int"), ir.Local("k", "int")
    b.emit(ir.Return(ir.Binary("nth_bit", m, k)))
    b.function("kth", (m, k))


def _draw(b: Builder) -> None:
    """Uniform below n: from the game's stream, or while listing from the listing's. A run that repeats the
    start of an earlier one gets the same draws again: see `choices`."""
    n = ir.Local("n", "int")
    with b.when(binary("eq", n, ONE)):
        b.emit(ir.Return(ZERO))
    stream = b.variable(ir.Offset(STATE, const(8 * CHANCE_WORD)), "stream")
    with b.when(b.word(AT["listing"], WORK)):
        b.set(stream, ir.Offset(WORK, const(8 * AT["l0"])))
        with b.when(binary("slt", b.word(AT["depth"], WORK), b.word(AT["replayed"], WORK))):
            b.set(stream, ir.Offset(WORK, const(8 * AT["r0"])))
    b.emit(ir.Return(b.call("below", stream, n)))
    b.function("draw", (STATE, WORK, n))


def _seed_listing(b: Builder) -> None:
    """The listing's stream as every listing of this decision begins."""
    named = b.call("name_word", b.word(NAME_WORD), const(4))
    stream = ir.Offset(WORK, const(8 * AT["l0"]))
    b.run("seed_stream", stream, b.call("name_word", named, b.word(DECISIONS_WORD)))
    b.set_word(AT["seeded"], ONE, WORK)
    b.emit(ir.Return(ZERO))
    b.function("seed_listing", (STATE, WORK))


CHANCE_WORD, NAME_WORD, DECISIONS_WORD = 7, 6, 2
"""Words of the state's head that the runtime knows; `layout._HEADER` puts them there."""


def bit_parts(b: Builder, layout: Layout, card: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
    """Which word of a set a card is in, and its bit there."""
    if layout.set_words == 1:
        return ZERO, binary("shl", ONE, card)
    return binary("lshr", card, const(6)), binary("shl", ONE, binary("and", card, const(63)))


def set_index(layout: Layout, place: ir.Expr, word: ir.Expr) -> ir.Expr:
    """The index, in words of the state, of one word of a place's set."""
    return add(add(scaled(place, layout.set_words), word), const(layout.sets_at // 8))


def change_set(b: Builder, index: ir.Expr, op: str, bits: ir.Expr, shelf: Shelf | None = None) -> None:
    """Of a place, which lies on that shelf if one is known."""
    kind = sets_of(shelf)
    b.set_word(index, ir.Binary(op, b.word(index, kind=kind), bits), kind=kind)


def sets_of(shelf: Shelf | None) -> ir.Kind:
    """The kind of memory that the sets of places are."""
    return "set" if shelf is None else shelf.sets


def where(layout: Layout, card: ir.Expr) -> ir.Expr:
    """The place that a card lies in."""
    return ir.Load(layout.where_width, STATE, _where_index(layout, card), "where")


def set_where(layout: Layout, card: ir.Expr, place: ir.Expr) -> ir.Stmt:
    return ir.Store(layout.where_width, STATE, _where_index(layout, card), place, "where")


def _where_index(layout: Layout, card: ir.Expr) -> ir.Expr:
    return add(card, const(layout.where_at // layout.where_bytes))


def _list_of(b: Builder, place: ir.Expr) -> ir.Local:
    """The byte where a place's list lies, or -1."""
    return b.variable(ir.Load("i64", ir.Data("list_offsets"), place), "list")


def _take(b: Builder, layout: Layout) -> None:
    """Take a card out of where it lies."""
    card = ir.Local("card", "int")
    width = layout.card_width
    place = b.variable(where(layout, card), "place")
    word, bit = bit_parts(b, layout, card)
    index = b.keep(set_index(layout, place, word))
    change_set(b, index, "and", ir.Unary("not", bit))
    at = _list_of(b, place)
    with b.when(binary("sge", at, ZERO)):
        base = b.variable(ir.Offset(STATE, at), "base")
        cards = b.variable(ir.Offset(base, const(8)), "cards")
        last = b.variable(binary("sub", b.word(0, base), ONE), "last")
        i = b.variable(last, "i")
        # from the top, where cards are taken most
        with b.loop(binary("ne", ir.Load(width, cards, i), card)):
            b.set(i, binary("sub", i, ONE))
        with b.loop(binary("slt", i, last)):
            b.emit(ir.Store(width, cards, i, ir.Load(width, cards, add(i, ONE))))
            b.set(i, add(i, ONE))
        b.set_word(0, last, base)
    b.emit(ir.Return(ZERO))
    b.function("take", (STATE, card))


def _put(b: Builder, layout: Layout) -> None:
    """Put a card that lies nowhere into a place, at an index of its list if it has one (-1: on top)."""
    card, place, index = ir.Local("card", "int"), ir.Local("place", "int"), ir.Local("index", "int")
    width = layout.card_width
    word, bit = bit_parts(b, layout, card)
    at_set = b.keep(set_index(layout, place, word))
    change_set(b, at_set, "or", bit)
    b.emit(set_where(layout, card, place))
    at = _list_of(b, place)
    with b.when(binary("sge", at, ZERO)):
        base = b.variable(ir.Offset(STATE, at), "base")
        cards = b.variable(ir.Offset(base, const(8)), "cards")
        i = b.variable(b.word(0, base), "i")
        b.set_word(0, add(i, ONE), base)
        with b.when(binary("sge", index, ZERO)), b.loop(binary("sgt", i, index)):
            b.emit(ir.Store(width, cards, i, ir.Load(width, cards, binary("sub", i, ONE))))
            b.set(i, binary("sub", i, ONE))
        b.emit(ir.Store(width, cards, i, card))
    b.emit(ir.Return(ZERO))
    b.function("put", (STATE, card, place, index))


def _shuffle(b: Builder, layout: Layout) -> None:
    """Permute `size` cards by draws."""
    cards, size = ir.Local("cards", "ptr"), ir.Local("size", "int")
    width = layout.card_width
    if width == "u8":
        with b.when(binary("eq", b.word(AT["listing"], WORK), ZERO)):
            b.run("shuffle_bytes", ir.Offset(STATE, const(8 * CHANCE_WORD)), cards, size)
            b.emit(ir.Return(ZERO))
    i = b.variable(binary("sub", size, ONE), "i")
    with b.loop(binary("sge", i, ONE)):
        j = b.variable(b.call("draw", STATE, WORK, add(i, ONE)), "j")
        a = b.variable(ir.Load(width, cards, i), "a")
        b.emit(ir.Store(width, cards, i, ir.Load(width, cards, j)))
        b.emit(ir.Store(width, cards, j, a))
        b.set(i, binary("sub", i, ONE))
    b.emit(ir.Return(ZERO))
    b.function("shuffle", (STATE, WORK, cards, size))


def write_copy(b: Builder) -> None:
    """Copy words."""
    target, source, words = ir.Local("target", "ptr"), ir.Local("source", "ptr"), ir.Local("words", "int")
    i = b.variable(ZERO, "i")
    with b.loop(binary("slt", i, words)):
        b.set_word(i, b.word(i, source), target)
        b.set(i, add(i, ONE))
    b.emit(ir.Return(ZERO))
    b.function("copy", (target, source, words))


def _stacked(b: Builder, layout: Layout) -> None:
    """The given outcome of a shuffle put in place: 1; 0 if none was given; -1 if it is of other cards."""
    number, cards, size = ir.Local("number", "int"), ir.Local("cards", "ptr"), ir.Local("size", "int")
    width = layout.card_width
    at = add(const(8 * STACK_AT), scaled(number, 8 * stack_words(layout)))
    given = b.variable(ir.Offset(WORK, at), "given")
    count = b.variable(b.word(0, given), "count")
    with b.when(binary("eq", count, ZERO)):
        b.emit(ir.Return(ZERO))
    with b.when(binary("ne", count, size)):
        b.emit(ir.Return(const(-1)))
    i = b.variable(ZERO, "i")
    with b.loop(binary("slt", i, size)):
        # the given card must be among those not yet placed; it changes places with the one that lies here
        wanted = b.variable(b.word(add(i, ONE), given), "wanted")
        j = b.variable(i, "j")
        with b.loop(binary("slt", j, size)):
            with b.when(binary("eq", ir.Load(width, cards, j), wanted)):
                b.emit(ir.Break())
            b.set(j, add(j, ONE))
        with b.when(binary("eq", j, size)):
            b.emit(ir.Return(const(-1)))
        kept = b.variable(ir.Load(width, cards, i), "kept")
        b.emit(ir.Store(width, cards, i, wanted))
        b.emit(ir.Store(width, cards, j, kept))
        b.set(i, add(i, ONE))
    b.emit(ir.Return(ONE))
    b.function("stacked", (STATE, WORK, number, cards, size))


def _note(b: Builder) -> None:
    """note(W, words): where to note an effect of that size; 0 if there is no more room."""
    words = ir.Local("words", "int")
    noted = b.snapshot(b.word(AT["effects"], WORK))
    after = b.keep(add(noted, words))
    # behind every effect there is room for the cards of a shuffle
    fits = has_room(b, EFFECTS, add(after, const(MAX_REFERENCES)))
    full = binary("sgt", noted, const(MAX_EFFECTS - SPARE_EFFECTS))
    with b.when(binary("or", full, negate(fits)), rare=True):
        b.emit(ir.Return(ZERO))
    b.set_word(AT["effects"], after, WORK)
    b.emit(ir.Return(add(noted, b.word(EFFECTS + BASE, WORK))))
    b.function("note", (WORK, words), rare=True)


SPARE_EFFECTS = 1 << 18
"""Words left free for what one action and the stages around it note."""


def has_room(b: Builder, table: int, words: ir.Expr) -> ir.Local:
    """Whether a table of the workspace holds that many words, after enlarging it if needed."""
    words = b.keep(words)
    fits = b.variable(binary("sle", words, b.word(table + ROOM, WORK)), "fits")
    with b.when(negate(fits), rare=True):
        b.set(fits, b.call("grow_table", WORK, const(table), words))
    return fits


def _look(b: Builder) -> None:
    """look(W, card): note the first look at a watched face."""
    card = ir.Local("card", "int")
    fresh = binary("and", b.word(AT["watching"], WORK), binary("slt", b.word(AT["peeked"], WORK), ZERO))
    with b.when(binary("and", fresh, binary("sge", card, ZERO))):
        word = b.word(add(binary("lshr", card, const(6)), const(WATCHED_AT)), WORK)
        with b.when(binary("and", binary("lshr", word, binary("and", card, const(63))), ONE)):
            b.set_word(AT["peeked"], b.word(AT["effects"], WORK), WORK)
    b.emit(ir.Return(ZERO))
    b.function("look", (WORK, card))
