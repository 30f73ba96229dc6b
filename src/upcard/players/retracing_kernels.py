"""Playing a watched game again with other hidden cards, as kernels.

A story (`story.py`) is one way in which everything a seat has seen can have come about: the outcome of every
shuffle and every decision so far. A world is the same story with some cards exchanged: `swaps` says for each
card which one takes its part, and from which shuffle on. Playing the story again shows whether every move
that was watched would have been possible; if so, the state that it leads to is what the game may be now.

What belongs to a game is called through its address (`game`, words named below), so that these kernels are
compiled once. All of it also runs under CPython.

A decision of a story, in words:
    length, step, item, how it is found, bit or card, shuffles before it, which of equals, how it was seen,
    how many recorded items come before, how many picks, the index where it was found last, the word where its
    eligible cards are, the index in the world that is kept; those items; the picks (kind, then value, or count and cards); eligible cards as a set

What the seat saw at a decision, in words: how many words, places, cards; word and value each; place and number
of cards each; card and the place it was seen to leave next, each.
"""

from __future__ import annotations

from upcard.engine.native.chance_kernels import below
from upcard.engine.native.sampling_kernels import clone
from upcard.engine.native.subset import (
    Int,
    Ptr,
    call_at,
    f64,
    i64,
    itof,
    lshr,
    nth_bit,
    offset,
    popcount,
    set_f64,
    set_i64,
    set_u8,
    set_u16,
    set_u32,
    shl,
    u8,
    u16,
    u32,
)
from upcard.players.dealing_kernels import unit

DEAL = 0
ADVANCE = 1
APPLY = 2
RELIST = 3
PLAYOUT = 4
STATE_WORDS = 5
PC = 6
ENDING = 7
CHOICES = 8
SCORES = 9
SEATS = 10
NAME = 11
CHANCE = 12
ITEMS_AT = 13
MASKS_AT = 14
MASK_WORDS = 15
STACK_AT = 16
STACK_WORDS = 17
STACKED = 18
RECORDED_AT = 19
SETS_AT = 20
SET_WORDS = 21
WHERE_AT = 22
WHERE_BYTES = 23
STREAMS = 24
CARD_BYTES = 25
LISTS = 26
"""The words of `game`: addresses of functions, then where in a state or workspace things lie; from LISTS on,
for every place the byte of its list in a state, or -1."""

STORY_DECISIONS = 0
STORY_SHUFFLES = 1
STORY_CHECKS = 2
STORY_FIRST = 3
STORY_CHECKS_AT = 4
STORY_NUMBER = 5
STORY_UNKNOWN = 6
STORY_HEAD = 7
"""The head of a story; the shuffles follow, each a count and its cards. STORY_CHECKS is at how many decisions
it is known what the seat saw, STORY_UNKNOWN where the set of unknown cards is
(and behind it that of all cards that can be exchanged)."""

IMPOSSIBLE = 1000000
ELSEWHERE = 2000000
UNLIKE = 3000000
"""Why a story cannot be played on: the watched move is impossible, another decision is met (or none), or the
seat would have seen something else."""

BIT = 0
CARD = 1
RECORDED = 2
"""How a decision's alternative is found: a bit of the item's set, a card of it, or by its recorded picks."""

SEEN = 0
TOKEN = 1
DRAWN = 2
"""How a decision was seen: wholly; with cards that stayed hidden, which are exchanged like others; or so, but
perhaps it was one of certain cards that are not exchanged (those are eligible), so that it is drawn anew."""

MET = 5

WALKING = 0
CLIMBING = 1
FROM_HERE = 2
"""How to wander."""

PLAIN = 0
ONE_CARD = 1
CARDS = 2
ANY = 3
"""Kinds of recorded picks; HIDDEN is added where the seat did not see what was picked."""
HIDDEN = 4
NOTHING_PICKED = -9223372036854775808

NOT_FOUND = -1


def played(swaps: Ptr, card: Int, shuffles: Int) -> Int:
    """The card that takes a card's part, after so many shuffles. Two words a card: which, from which shuffle."""
    if i64(swaps, 2 * card + 1) < shuffles:
        return i64(swaps, 2 * card)
    return card


def recorded_before(game: Ptr, work: Ptr, entry: Ptr) -> Int:
    """Recorded alternatives of the items before this one."""
    total = 0
    for n in range(i64(entry, 8)):
        item = i64(entry, 13 + n)
        at = i64(game, ITEMS_AT) + item
        first = 0
        if item > 0:
            first = i64(work, at)
        total = total + i64(work, at + 1) - first
    return total


def same_cards(game: Ptr, found: Ptr, wanted: Ptr, swaps: Ptr, shuffles: Int) -> Int:
    """Whether a recorded list holds just the wanted cards, in any order. Without shuffles none is exchanged."""
    count = i64(found, 0)
    if count != i64(wanted, 0):
        return 0
    for i in range(count):
        card = played(swaps, i64(wanted, 1 + i), shuffles)
        there = 0
        for j in range(count):
            if i64(game, CARD_BYTES) == 1:
                if u8(found, 8 + j) == card:
                    there = 1
            elif u16(found, 4 + j) == card:
                there = 1
        if there == 0:
            return 0
    return 1


def matches(game: Ptr, work: Ptr, base: Ptr, entry: Ptr, swaps: Ptr, seen_only: Int) -> Int:
    """Whether a recorded alternative has the picks of a decision; `seen_only`: those that were seen."""
    wanted = i64(entry, 9)
    have = i64(base, 0)
    shuffles = i64(entry, 5)
    at = 13 + i64(entry, 8)
    n = 0
    for k in range(have):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        if n == wanted:
            return 0
        n = n + 1
        kind = i64(entry, at)
        plain = kind & 3
        if plain == ANY or (seen_only != 0 and kind >= HIDDEN):
            if plain == CARDS:
                at = at + 2 + i64(entry, at + 1)
            else:
                at = at + 2
            continue
        if plain == CARDS:
            exchanged = shuffles if kind >= HIDDEN else 0
            if same_cards(game, offset(work, value), offset(entry, 8 * (at + 1)), swaps, exchanged) == 0:
                return 0
            at = at + 2 + i64(entry, at + 1)
            continue
        want = i64(entry, at + 1)
        if plain == ONE_CARD and kind >= HIDDEN:
            want = played(swaps, want, shuffles)
        if value != want:
            return 0
        at = at + 2
    return n == wanted


def holds(words: Ptr, at: Int, card: Int) -> Int:
    """Whether a set has a card."""
    return lshr(i64(words, at + lshr(card, 6)), card & 63) & 1


def is_eligible(game: Ptr, work: Ptr, base: Ptr, entry: Ptr) -> Int:
    """Whether all hidden picks of a recorded alternative are of eligible cards."""
    eligible = i64(entry, 11)
    at = 13 + i64(entry, 8)
    for k in range(i64(base, 0)):
        value = i64(base, 2 + 2 * k)
        if value == NOTHING_PICKED:
            continue
        kind = i64(entry, at)
        if kind & 3 == CARDS:
            at = at + 2 + i64(entry, at + 1)
        else:
            at = at + 2
        if kind == ONE_CARD + HIDDEN and holds(entry, eligible, value) == 0:
            return 0
        if kind == CARDS + HIDDEN:
            listed = offset(work, value)
            for j in range(i64(listed, 0)):
                card = u8(listed, 8 + j) if i64(game, CARD_BYTES) == 1 else u16(listed, 4 + j)
                if holds(entry, eligible, card) == 0:
                    return 0
    return 1


def alike_to(game: Ptr, state: Ptr, entry: Ptr, story: Ptr, swaps: Ptr) -> Int:
    """How many unknown cards lie where the card lies that was picked unseen: each might have been it."""
    role = i64(entry, 4)
    if i64(entry, 3) == RECORDED:
        role = NOT_FOUND
        at = 13 + i64(entry, 8)
        for _ in range(i64(entry, 9)):
            kind = i64(entry, at)
            if kind == ONE_CARD + HIDDEN:
                role = i64(entry, at + 1)
            at = at + 2 + (i64(entry, at + 1) if kind & 3 == CARDS else 0)
    if role < 0:
        return 0
    card = played(swaps, role, i64(entry, 5))
    unknown = i64(story, STORY_UNKNOWN)
    if holds(story, unknown, card) == 0:
        return 0
    first = i64(game, SETS_AT) + place_of(game, state, card) * i64(game, SET_WORDS)
    total = 0
    for w in range(i64(game, SET_WORDS)):
        total = total + popcount(i64(state, first + w) & i64(story, unknown + w))
    return total


def find(
    game: Ptr, work: Ptr, entry: Ptr, swaps: Ptr, stream: Ptr, weight: Ptr, state: Ptr, story: Ptr
) -> Int:
    """The index of a decision's alternative among those listed; the weight of its being unseen is put down."""
    item = i64(entry, 2)
    how = i64(entry, 3)
    seen = i64(entry, 7)
    first = 0
    if item > 0:
        first = i64(work, i64(game, ITEMS_AT) + item)
    after = i64(work, i64(game, ITEMS_AT) + item + 1)
    if after <= first:
        return NOT_FOUND
    if seen == DRAWN:
        return draw(game, work, entry, swaps, stream, weight, state, story)
    if how != RECORDED:
        if seen == TOKEN:
            set_f64(weight, 0, 1.0 / itof(after - first))
        bit = i64(entry, 4)
        if how == CARD and seen == TOKEN:
            bit = played(swaps, bit, i64(entry, 5))
        return index_of(game, work, item, first, bit)
    recorded = i64(game, RECORDED_AT) + recorded_before(game, work, entry)
    copy = i64(entry, 6)
    count = 0
    found = NOT_FOUND
    for k in range(after - first):
        base = offset(work, i64(work, recorded + k))
        if seen == TOKEN and matches(game, work, base, entry, swaps, 1) != 0:
            count = count + 1
        if found < 0 and matches(game, work, base, entry, swaps, 0) != 0:
            if copy == 0:
                found = first + k
            copy = copy - 1
    if count > 0:
        set_f64(weight, 0, 1.0 / itof(count))
    return found


def index_of(game: Ptr, work: Ptr, item: Int, first: Int, bit: Int) -> Int:
    """Of a bit of an item's set."""
    mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
    word = i64(work, mask + lshr(bit, 6))
    if lshr(word, bit & 63) & 1 == 0:
        return NOT_FOUND
    index = first + popcount(word & (shl(1, bit & 63) - 1))
    for w in range(lshr(bit, 6)):
        index = index + popcount(i64(work, mask + w))
    return index


def draw(
    game: Ptr, work: Ptr, entry: Ptr, swaps: Ptr, stream: Ptr, weight: Ptr, state: Ptr, story: Ptr
) -> Int:
    """A pick that was not seen: the story's own card, as often as there are cards that it stands for, or one of
    the eligible cards. Weighted so that all that look alike to the seat count alike."""
    item = i64(entry, 2)
    first = 0
    if item > 0:
        first = i64(work, i64(game, ITEMS_AT) + item)
    after = i64(work, i64(game, ITEMS_AT) + item + 1)
    stands_for = alike_to(game, state, entry, story, swaps)
    eligible = i64(entry, 11)
    mask = i64(game, MASKS_AT) + item * i64(game, MASK_WORDS)
    recorded = i64(game, RECORDED_AT) + recorded_before(game, work, entry)
    options = 0
    alike = after - first
    if i64(entry, 3) == CARD:
        for w in range(i64(game, SET_WORDS)):
            options = options + popcount(i64(work, mask + w) & i64(entry, eligible + w))
    else:
        alike = 0
        for k in range(after - first):
            base = offset(work, i64(work, recorded + k))
            if matches(game, work, base, entry, swaps, 1) != 0:
                alike = alike + 1
                options = options + is_eligible(game, work, base, entry)
    if alike == 0 or stands_for + options == 0:
        return NOT_FOUND
    set_f64(weight, 0, itof(stands_for + options) / itof(alike))
    drawn = below(stream, stands_for + options)
    if i64(entry, 3) == CARD:
        if drawn >= options:
            return index_of(game, work, item, first, played(swaps, i64(entry, 4), i64(entry, 5)))
        for w in range(i64(game, SET_WORDS)):
            both = i64(work, mask + w) & i64(entry, eligible + w)
            if drawn >= 0 and drawn < popcount(both):
                return index_of(game, work, item, first, 64 * w + nth_bit(both, drawn))
            drawn = drawn - popcount(both)
        return NOT_FOUND
    for k in range(after - first):
        base = offset(work, i64(work, recorded + k))
        if drawn >= options:
            if matches(game, work, base, entry, swaps, 0) != 0:
                return first + k
        elif matches(game, work, base, entry, swaps, 1) != 0 and is_eligible(game, work, base, entry) != 0:
            if drawn == 0:
                return first + k
            drawn = drawn - 1
    return NOT_FOUND


def stack(game: Ptr, work: Ptr, story: Ptr, swaps: Ptr) -> None:
    """The outcomes of the shuffles, as the world has them."""
    shuffles = i64(story, STORY_SHUFFLES)
    set_i64(work, i64(game, STACKED), shuffles)
    at = STORY_HEAD
    for j in range(shuffles):
        count = i64(story, at)
        target = i64(game, STACK_AT) + j * i64(game, STACK_WORDS)
        set_i64(work, target, count)
        for i in range(count):
            set_i64(work, target + 1 + i, played(swaps, i64(story, at + 1 + i), j + 1))
        at = at + 1 + count


def is_as_seen(game: Ptr, state: Ptr, seen: Ptr) -> Int:
    """Whether a state looks as the seat saw it at a decision."""
    words = i64(seen, 0)
    for n in range(words):
        if i64(state, i64(seen, 3 + 2 * n)) != i64(seen, 4 + 2 * n):
            return 0
    at = 3 + 2 * words
    for n in range(i64(seen, 1)):
        first = i64(game, SETS_AT) + i64(seen, at + 2 * n) * i64(game, SET_WORDS)
        total = 0
        for w in range(i64(game, SET_WORDS)):
            total = total + popcount(i64(state, first + w))
        if total != i64(seen, at + 2 * n + 1):
            return 0
    return 1


def retrace(
    game: Ptr, story: Ptr, swaps: Ptr, state: Ptr, work: Ptr, stream: Ptr, weight: Ptr, upto: Int
) -> Int:
    """Play the story again up to a decision, which is listed then: gives how far it went, less the reason if
    not all the way. `weight` is two floats: scratch, and the chance of all that was unseen; then, MET words on,
    how many cards lie where they were seen to leave next, at the last decision that looked as it was seen."""
    set_f64(weight, 1, 1.0)
    set_i64(weight, MET, 0)
    stack(game, work, story, swaps)
    call_at(i64(game, DEAL), state, work, 0, i64(story, STORY_NUMBER))
    at = i64(story, STORY_FIRST)
    check = i64(story, STORY_CHECKS_AT)
    for d in range(upto + 1):
        if i64(state, i64(game, ENDING)) != 0:
            return d - ELSEWHERE
        entry = offset(story, 8 * at)
        if d < upto and i64(state, i64(game, PC)) != i64(entry, 1):
            return d - ELSEWHERE
        if d < i64(story, STORY_CHECKS):
            seen = offset(story, 8 * check)
            if is_as_seen(game, state, seen) == 0:
                return d - UNLIKE
            wanted = check + 3 + 2 * (i64(seen, 0) + i64(seen, 1))
            check = wanted + 2 * i64(seen, 2)
            met = 0
            for n in range(i64(seen, 2)):
                card = i64(story, wanted + 2 * n)
                met = met + (place_of(game, state, card) == i64(story, wanted + 2 * n + 1))
            set_i64(weight, MET, met)
        if d < upto:
            set_f64(weight, 0, 1.0)
            index = find(game, work, entry, swaps, stream, weight, state, story)
            if index < 0:
                return d - IMPOSSIBLE
            set_f64(weight, 1, f64(weight, 0) * f64(weight, 1))
            set_i64(entry, 10, index)
            call_at(i64(game, APPLY), state, work, index)
            if i64(state, i64(game, ENDING)) == 0:
                call_at(i64(game, ADVANCE), state, work)
            at = at + i64(entry, 0)
    return upto


def progress(reached: Int, weight: Ptr) -> Int:
    """How far a story went, as a number that grows with it."""
    if reached >= 0:
        return 2000 * reached + 2000
    if reached >= 0 - IMPOSSIBLE:
        return 2000 * (reached + IMPOSSIBLE) + 1000 + i64(weight, MET)
    if reached >= 0 - ELSEWHERE:
        return 2000 * (reached + ELSEWHERE) + i64(weight, MET)
    return 2000 * (reached + UNLIKE) + i64(weight, MET)


def note_indices(story: Ptr, upto: Int, source: Int, target: Int) -> None:
    """Copy where the alternatives were found."""
    at = i64(story, STORY_FIRST)
    for _ in range(upto):
        set_i64(story, at + target, i64(story, at + source))
        at = at + i64(story, at)


def wander(
    game: Ptr,
    story: Ptr,
    cards: Ptr,
    count: Int,
    swaps: Ptr,
    state: Ptr,
    trial: Ptr,
    work: Ptr,
    stream: Ptr,
    weight: Ptr,
    upto: Int,
    tries: Int,
    how: Int,
) -> Int:
    """Exchange two cards at a time, at random, and keep what goes as far: gives how far (`progress`).

    Once the story goes all the way this is a walk among worlds that comes to each as often as it is likely,
    from wherever it began; when CLIMBING it stops there. FROM_HERE: `state` is a world already, and keeps its
    weight. `cards`: two words each, the card and its shuffle.
    """
    goal = 2000 * upto + 2000
    best = goal
    note_indices(story, upto, 10, 12)
    # known cards are exchanged too: an unseen pick stands for any of them
    unknown = i64(story, STORY_UNKNOWN)
    set_i64(story, STORY_UNKNOWN, unknown + i64(game, SET_WORDS))
    if how != FROM_HERE:
        best = progress(retrace(game, story, swaps, state, work, stream, weight, upto), weight)
        note_indices(story, upto, 10, 12)
    begun = f64(weight, 1)
    weighed = begun
    if how == FROM_HERE:
        weighed = 0.0
    words = i64(game, STATE_WORDS)
    for _ in range(tries):
        if how == CLIMBING and best == goal:
            break
        i = below(stream, count)
        j = below(stream, count)
        one = 2 * i64(cards, 2 * i)
        other = 2 * i64(cards, 2 * j)
        if i != j and i64(cards, 2 * i + 1) == i64(cards, 2 * j + 1):
            kept = i64(swaps, one)
            set_i64(swaps, one, i64(swaps, other))
            set_i64(swaps, other, kept)
            reached = progress(retrace(game, story, swaps, trial, work, stream, weight, upto), weight)
            better = reached >= best
            if reached == goal and best == goal and f64(weight, 1) < weighed:
                better = unit(stream) * weighed < f64(weight, 1)
            if better:
                best = reached
                weighed = f64(weight, 1)
                clone(state, trial, words)
                note_indices(story, upto, 10, 12)
            else:
                kept = i64(swaps, one)
                set_i64(swaps, one, i64(swaps, other))
                set_i64(swaps, other, kept)
    note_indices(story, upto, 12, 10)
    set_i64(story, STORY_UNKNOWN, unknown)
    set_f64(weight, 1, begun if how == FROM_HERE else 1.0)
    return best


def place_of(game: Ptr, state: Ptr, card: Int) -> Int:
    if i64(game, WHERE_BYTES) == 2:
        return u16(state, i64(game, WHERE_AT) + card)
    return u32(state, i64(game, WHERE_AT) + card)


def lift(game: Ptr, state: Ptr, card: Int) -> None:
    """Take a card away from where it lies."""
    place = place_of(game, state, card)
    word = i64(game, SETS_AT) + place * i64(game, SET_WORDS) + lshr(card, 6)
    bit = shl(1, card & 63)
    set_i64(state, word, (i64(state, word) | bit) ^ bit)
    at = i64(game, LISTS + place)
    if at >= 0:
        listed = offset(state, at)
        count = i64(listed, 0)
        kept = 0
        for i in range(count):
            if i64(game, CARD_BYTES) == 1:
                there = u8(listed, 8 + i)
                if there != card:
                    set_u8(listed, 8 + kept, there)
                    kept = kept + 1
            else:
                there = u16(listed, 4 + i)
                if there != card:
                    set_u16(listed, 4 + kept, there)
                    kept = kept + 1
        set_i64(listed, 0, kept)


def drop(game: Ptr, state: Ptr, card: Int, place: Int) -> None:
    """Lay a card that lies nowhere on top of a place."""
    word = i64(game, SETS_AT) + place * i64(game, SET_WORDS) + lshr(card, 6)
    set_i64(state, word, i64(state, word) | shl(1, card & 63))
    if i64(game, WHERE_BYTES) == 2:
        set_u16(state, i64(game, WHERE_AT) + card, place)
    else:
        set_u32(state, i64(game, WHERE_AT) + card, place)
    at = i64(game, LISTS + place)
    if at >= 0:
        listed = offset(state, at)
        count = i64(listed, 0)
        if i64(game, CARD_BYTES) == 1:
            set_u8(listed, 8 + count, card)
        else:
            set_u16(listed, 4 + count, card)
        set_i64(listed, 0, count + 1)


def possible(
    game: Ptr, entry: Ptr, swaps: Ptr, state: Ptr, work: Ptr, stream: Ptr, weight: Ptr, begin: Int
) -> Int:
    """Whether the watched move is among the alternatives of a state, listed from the lets around them on."""
    set_i64(state, i64(game, PC), begin)
    call_at(i64(game, ADVANCE), state, work)
    if i64(state, i64(game, ENDING)) != 0 or i64(state, i64(game, PC)) != i64(entry, 1):
        return 0
    return find(game, work, entry, swaps, stream, weight, state, entry) >= 0


def probe(
    game: Ptr,
    entry: Ptr,
    swaps: Ptr,
    before: Ptr,
    room: Ptr,
    work: Ptr,
    stream: Ptr,
    weight: Ptr,
    begin: Int,
    place: Int,
    cards: Ptr,
    count: Int,
) -> Int:
    """Which of the unknown cards a seat cannot have held when it made a move.

    `before` is the state at that decision, `begin` the step of the first let around it. The place is laid out
    with its known cards only, then with each unknown card in turn. Where the move is possible without any of
    them, 1 is given, and a card that makes it impossible is marked; otherwise 0 is given, and a card that makes
    it possible is marked. Three words a card: it, its place, the mark. `room` is for two states.
    """
    words = i64(game, STATE_WORDS)
    bare = room
    trial = offset(room, 8 * words)
    clone(bare, before, words)
    for n in range(count):
        card = i64(cards, 3 * n)
        set_i64(cards, 3 * n + 1, place_of(game, bare, card))
        if i64(cards, 3 * n + 1) == place:
            lift(game, bare, card)
    clone(trial, bare, words)
    without = possible(game, entry, swaps, trial, work, stream, weight, begin)
    for n in range(count):
        card = i64(cards, 3 * n)
        clone(trial, bare, words)
        if i64(cards, 3 * n + 1) != place:
            lift(game, trial, card)
        drop(game, trial, card, place)
        held = possible(game, entry, swaps, trial, work, stream, weight, begin)
        set_i64(cards, 3 * n + 2, held != without)
    return without


KERNELS = (
    played,
    recorded_before,
    same_cards,
    matches,
    holds,
    is_eligible,
    place_of,
    alike_to,
    index_of,
    draw,
    find,
    stack,
    is_as_seen,
    retrace,
    progress,
    note_indices,
    wander,
    lift,
    drop,
    possible,
    probe,
)
