"""Kernels for a Markov-chain walk over consistent worlds.

A history (`history.py`) is one way in which everything a seat has seen can have come about: the outcome of
every shuffle and every decision so far. A world is the same history with some cards exchanged: `swaps` says
for each card which one takes its part, and from which shuffle on. Playing the history again shows whether
every move that was watched would have been possible; if so, the state that it leads to is what the game may
be now.

What belongs to a game is called through its address (`game`, words named below), so that these kernels are
compiled once. All of it also runs under CPython.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    call_at,
    f64,
    i64,
    offset,
    popcount,
    set_f64,
    set_i64,
)
from upcard.engine.native.kernels.random_numbers import below
from upcard.engine.native.kernels.resample import clone
from upcard.players.belief.action_match import (
    ADVANCE,
    APPLY,
    CLIMBING,
    DEAL,
    ELSEWHERE,
    ENDING,
    FROM_HERE,
    HISTORY_CHECKS,
    HISTORY_CHECKS_AT,
    HISTORY_FIRST,
    HISTORY_HEAD,
    HISTORY_NUMBER,
    HISTORY_SHUFFLES,
    HISTORY_UNKNOWN,
    IMPOSSIBLE,
    MET,
    PC,
    SEEN_HEAD,
    SET_WORDS,
    STACK_AT,
    STACK_WORDS,
    STACKED,
    STATE_WORDS,
    UNLIKE,
    find,
    place_of,
    played,
)
from upcard.players.belief.constrained_deal import unit


def stack(game: Ptr, work: Ptr, history: Ptr, swaps: Ptr) -> None:
    """The outcomes of the shuffles, as the world has them."""
    shuffles = i64(history, HISTORY_SHUFFLES)
    set_i64(work, i64(game, STACKED), shuffles)
    at = HISTORY_HEAD
    for j in range(shuffles):
        count = i64(history, at)
        target = i64(game, STACK_AT) + j * i64(game, STACK_WORDS)
        set_i64(work, target, count)
        for i in range(count):
            set_i64(work, target + 1 + i, played(swaps, i64(history, at + 1 + i), j + 1))
        at = at + 1 + count


def unlike(a: Ptr, b: Ptr, n: Int) -> Int:
    """Whether two words differ from two others."""
    return (i64(a, n) ^ i64(b, n)) | (i64(a, n + 1) ^ i64(b, n + 1))


def is_as_seen(game: Ptr, state: Ptr, seen: Ptr) -> Int:
    """Whether a state looks as the seat saw it at a decision."""
    at = SEEN_HEAD
    wrong = 0
    # nearly every state is as it was seen: all is compared before anything is said of it
    for _ in range(i64(seen, 0)):
        there = offset(state, 8 * i64(seen, at))
        wanted = offset(seen, 8 * (at + 2))
        length = i64(seen, at + 1)
        n = 0
        while n + 4 <= length:
            wrong = wrong | unlike(there, wanted, n) | unlike(there, wanted, n + 2)
            n = n + 4
        if length & 2 != 0:
            wrong = wrong | unlike(there, wanted, n)
            n = n + 2
        if length & 1 != 0:
            wrong = wrong | (i64(there, n) ^ i64(wanted, n))
        at = at + 2 + length
    if wrong != 0:
        return 0
    if i64(game, SET_WORDS) == 1:
        for n in range(i64(seen, 1)):
            wrong = wrong | (popcount(i64(state, i64(seen, at + 2 * n))) ^ i64(seen, at + 2 * n + 1))
        return wrong == 0
    for n in range(i64(seen, 1)):
        first = i64(seen, at + 2 * n)
        total = 0
        for w in range(i64(game, SET_WORDS)):
            total = total + popcount(i64(state, first + w))
        if total != i64(seen, at + 2 * n + 1):
            return 0
    return 1


def agrees(game: Ptr, state: Ptr, seen: Ptr, located: Ptr, cards: Int) -> Int:
    """Whether it does, and every card lies where it is known to be: `located`, a place for each, or -1."""
    if is_as_seen(game, state, seen) == 0:
        return 0
    for card in range(cards):
        if i64(located, card) >= 0 and i64(located, card) != place_of(game, state, card):
            return 0
    return 1


def take(game: Ptr, state: Ptr, work: Ptr, index: Int) -> Int:
    """Carry out an alternative and go on to the next decision: gives 1 where the game has ended."""
    call_at(i64(game, APPLY), state, work, index)
    if i64(state, i64(game, ENDING)) == 0:
        call_at(i64(game, ADVANCE), state, work)
    return i64(state, i64(game, ENDING)) != 0


def retrace(
    game: Ptr, history: Ptr, swaps: Ptr, state: Ptr, work: Ptr, stream: Ptr, weight: Ptr, upto: Int
) -> Int:
    """Play the history again up to a decision, which is listed then: gives how far it went, less the reason
    if not all the way. `weight` is two floats: scratch, and the chance of all that was unseen; then, MET
    words on, how many cards lie where they were seen to leave next, at the last decision that looked as
    seen."""
    set_f64(weight, 1, 1.0)
    set_i64(weight, MET, 0)
    stack(game, work, history, swaps)
    call_at(i64(game, DEAL), state, work, 0, i64(history, HISTORY_NUMBER))
    at = i64(history, HISTORY_FIRST)
    check = i64(history, HISTORY_CHECKS_AT)
    for d in range(upto + 1):
        if i64(state, i64(game, ENDING)) != 0:
            return d - ELSEWHERE
        entry = offset(history, 8 * at)
        if d < upto and i64(state, i64(game, PC)) != i64(entry, 1):
            return d - ELSEWHERE
        if d < i64(history, HISTORY_CHECKS):
            seen = offset(history, 8 * check)
            if is_as_seen(game, state, seen) == 0:
                return d - UNLIKE
            wanted = check + i64(seen, 3) + 2 * i64(seen, 1)
            check = wanted + 2 * i64(seen, 2)
            met = 0
            for n in range(i64(seen, 2)):
                card = i64(history, wanted + 2 * n)
                met = met + (place_of(game, state, card) == i64(history, wanted + 2 * n + 1))
            set_i64(weight, MET, met)
        if d < upto:
            set_f64(weight, 0, 1.0)
            index = find(game, work, entry, swaps, stream, weight, state, history)
            if index < 0:
                return d - IMPOSSIBLE
            set_f64(weight, 1, f64(weight, 0) * f64(weight, 1))
            set_i64(entry, 10, index)
            call_at(i64(game, APPLY), state, work, index)
            if i64(state, i64(game, ENDING)) == 0:
                call_at(i64(game, ADVANCE), state, work)
            at = at + i64(entry, 0)
    return upto


def note_arrivals(game: Ptr, history: Ptr, state: Ptr, work: Ptr, upto: Int, cards: Int, came: Ptr) -> None:
    """Play a history again that has just been played: per card the place where it lies in the end, and after
    how many decisions it was there first, without leaving."""
    call_at(i64(game, DEAL), state, work, 0, i64(history, HISTORY_NUMBER))
    for card in range(cards):
        set_i64(came, 2 * card, place_of(game, state, card))
        set_i64(came, 2 * card + 1, 0)
    at = i64(history, HISTORY_FIRST)
    for d in range(upto):
        call_at(i64(game, APPLY), state, work, i64(history, at + 10))
        call_at(i64(game, ADVANCE), state, work)
        at = at + i64(history, at)
        for card in range(cards):
            place = place_of(game, state, card)
            if place != i64(came, 2 * card):
                set_i64(came, 2 * card, place)
                set_i64(came, 2 * card + 1, d + 1)


def progress(reached: Int, weight: Ptr) -> Int:
    """How far a history went, as a number that grows with it."""
    if reached >= 0:
        return 2000 * reached + 2000
    if reached >= 0 - IMPOSSIBLE:
        return 2000 * (reached + IMPOSSIBLE) + 1000 + i64(weight, MET)
    if reached >= 0 - ELSEWHERE:
        return 2000 * (reached + ELSEWHERE) + i64(weight, MET)
    return 2000 * (reached + UNLIKE) + i64(weight, MET)


def note_indices(history: Ptr, upto: Int, source: Int, target: Int) -> None:
    """Copy where the alternatives were found."""
    at = i64(history, HISTORY_FIRST)
    for _ in range(upto):
        set_i64(history, at + target, i64(history, at + source))
        at = at + i64(history, at)


def wander(
    game: Ptr,
    history: Ptr,
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
    """Exchange two cards of a group, again and again, and keep what goes as far: gives how far (`progress`).

    Once the history goes all the way this is a walk among worlds that comes to each as often as it is likely,
    from wherever it began; when CLIMBING it stops there. FROM_HERE: `state` is a world already, and keeps its
    weight. `cards`: four words each (`exchanging.words_of`).
    """
    goal = 2000 * upto + 2000
    best = goal
    note_indices(history, upto, 10, 12)
    # known cards are exchanged too: an unseen pick stands for any of them
    unknown = i64(history, HISTORY_UNKNOWN)
    set_i64(history, HISTORY_UNKNOWN, unknown + i64(game, SET_WORDS))
    if how != FROM_HERE:
        best = progress(retrace(game, history, swaps, state, work, stream, weight, upto), weight)
        note_indices(history, upto, 10, 12)
    begun = f64(weight, 1)
    weighed = begun
    if how == FROM_HERE:
        weighed = 0.0
    words = i64(game, STATE_WORDS)
    for _ in range(tries):
        if how == CLIMBING and best == goal:
            break
        mine = offset(cards, 32 * below(stream, count))
        mate = offset(cards, 32 * (i64(mine, 2) + below(stream, i64(mine, 3))))
        one = 2 * i64(mine, 0)
        other = 2 * i64(mate, 0)
        if i64(mine, 1) != i64(mate, 1):
            kept = i64(swaps, one)
            set_i64(swaps, one, i64(swaps, other))
            set_i64(swaps, other, kept)
            reached = progress(retrace(game, history, swaps, trial, work, stream, weight, upto), weight)
            better = reached >= best
            if reached == goal and best == goal and f64(weight, 1) < weighed:
                better = unit(stream) * weighed < f64(weight, 1)
            if better:
                best = reached
                weighed = f64(weight, 1)
                clone(state, trial, words)
                note_indices(history, upto, 10, 12)
            else:
                kept = i64(swaps, one)
                set_i64(swaps, one, i64(swaps, other))
                set_i64(swaps, other, kept)
    note_indices(history, upto, 12, 10)
    set_i64(history, HISTORY_UNKNOWN, unknown)
    set_f64(weight, 1, begun if how == FROM_HERE else 1.0)
    return best


KERNELS = (
    stack,
    unlike,
    is_as_seen,
    agrees,
    take,
    retrace,
    note_arrivals,
    progress,
    note_indices,
    wander,
)
