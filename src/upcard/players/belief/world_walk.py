"""Kernels for a Markov-chain walk over consistent worlds.

A history (`history.py`) is one way in which everything a seat has seen can have come about: the outcome of
every shuffle and every decision so far. A world is the same history with some cards exchanged: `swaps` says
for each card which one takes its part, and from which shuffle on. Replaying the history shows whether every
observed move would have been possible; if so, the state that it leads to is what the game may be now.

A game's functions are called through their addresses (`Game`), so that these kernels are compiled once.
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    call_at,
    i64,
    offset,
    popcount,
    set_i64,
)
from upcard.engine.native.kernels.random_numbers import below
from upcard.engine.native.kernels.resample import clone
from upcard.players.belief.action_match import (
    CLIMBING,
    ELSEWHERE,
    FROM_HERE,
    IMPOSSIBLE,
    UNLIKE,
    find,
    place_of,
    played,
)
from upcard.players.belief.constrained_deal import unit
from upcard.players.belief.kernel_structs import (
    Exchange,
    Game,
    HistoryHead,
    HistoryStep,
    Sighting,
    WorldSampler,
    WorldTally,
)

STEP = 2000
"""How much `progress` grows with a decision."""


def stack(game: Game, work: Ptr, history: HistoryHead, swaps: Ptr) -> None:
    """The outcomes of the shuffles, as the world has them."""
    shuffles = history.shuffles
    set_i64(work, game.stacked, shuffles)
    at = 0
    for j in range(shuffles):
        count = history.orders[at]
        target = game.stack_at + j * game.stack_words
        set_i64(work, target, count)
        for i in range(count):
            set_i64(work, target + 1 + i, played(swaps, history.orders[at + 1 + i], j + 1))
        at = at + 1 + count


def unlike(a: Ptr, b: Ptr, n: Int) -> Int:
    """Whether two words differ from two others."""
    return (i64(a, n) ^ i64(b, n)) | (i64(a, n + 1) ^ i64(b, n + 1))


def is_as_seen(game: Game, state: Ptr, seen: Sighting) -> Int:
    """Whether a state looks as the seat saw it at a decision."""
    at = 0
    wrong = 0
    # nearly every state is as it was seen: all is compared before anything is said of it
    for _ in range(seen.runs):
        there = offset(state, 8 * seen.rest[at])
        wanted = offset(seen.rest, 8 * (at + 2))
        length = seen.rest[at + 1]
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
    if game.set_words == 1:
        for n in range(seen.places):
            wrong = wrong | (popcount(i64(state, seen.rest[at + 2 * n])) ^ seen.rest[at + 2 * n + 1])
        return wrong == 0
    for n in range(seen.places):
        first = seen.rest[at + 2 * n]
        total = 0
        for w in range(game.set_words):
            total = total + popcount(i64(state, first + w))
        if total != seen.rest[at + 2 * n + 1]:
            return 0
    return 1


def agrees(game: Game, state: Ptr, seen: Sighting, located: Ptr, cards: Int) -> Int:
    """Whether it does, and every card lies where it is known to be: `located`, a place for each, or -1."""
    if is_as_seen(game, state, seen) == 0:
        return 0
    for card in range(cards):
        if i64(located, card) >= 0 and i64(located, card) != place_of(game, state, card):
            return 0
    return 1


def take(game: Game, state: Ptr, work: Ptr, index: Int) -> Int:
    """Carries out an alternative and goes on to the next decision: gives 1 where the game has ended."""
    call_at(game.apply, state, work, index)
    if i64(state, game.ending) == 0:
        call_at(game.advance, state, work)
    return i64(state, game.ending) != 0


def step_of(words: Ptr, at: Int) -> HistoryStep:
    """The decision that begins at a word of a history, or the variant at one of a decision."""
    return HistoryStep(offset(words, 8 * at))


def retrace(
    game: Game,
    history: HistoryHead,
    swaps: Ptr,
    state: Ptr,
    work: Ptr,
    stream: Ptr,
    tally: WorldTally,
    upto: Int,
) -> Int:
    """Replays the history up to a decision, which is listed then: gives how far it went, less the reason if
    not all the way. The weight of what was unseen goes into the tally, and how many cards lie where they were
    seen to leave next."""
    tally.weight = 1.0
    tally.met = 0
    stack(game, work, history, swaps)
    call_at(game.deal, state, work, 0, history.number)
    at = history.first
    check = history.checks_at
    for d in range(upto + 1):
        if i64(state, game.ending) != 0:
            return d - ELSEWHERE
        step = step_of(history, at)
        if d < upto and i64(state, game.pc) != step.step:
            return d - ELSEWHERE
        if d < history.checks:
            seen = Sighting(offset(history, 8 * check))
            if is_as_seen(game, state, seen) == 0:
                return d - UNLIKE
            wanted = check + seen.places_at + 2 * seen.places
            check = wanted + 2 * seen.leaving
            met = 0
            for n in range(seen.leaving):
                card = i64(history, wanted + 2 * n)
                met = met + (place_of(game, state, card) == i64(history, wanted + 2 * n + 1))
            tally.met = met
        if d < upto:
            tally.step_weight = 1.0
            index = find(game, work, step, swaps, stream, tally, state, history)
            if index < 0:
                return d - IMPOSSIBLE
            tally.weight = tally.step_weight * tally.weight
            step.index = index
            call_at(game.apply, state, work, index)
            if i64(state, game.ending) == 0:
                call_at(game.advance, state, work)
            at = at + step.length
    return upto


def note_arrivals(
    game: Game, history: HistoryHead, state: Ptr, work: Ptr, upto: Int, cards: Int, came: Ptr
) -> None:
    """Replays a history that has just been replayed: per card the place where it lies in the end, and after
    how many decisions it was there first, without leaving."""
    call_at(game.deal, state, work, 0, history.number)
    for card in range(cards):
        set_i64(came, 2 * card, place_of(game, state, card))
        set_i64(came, 2 * card + 1, 0)
    at = history.first
    for d in range(upto):
        step = step_of(history, at)
        call_at(game.apply, state, work, step.index)
        call_at(game.advance, state, work)
        at = at + step.length
        for card in range(cards):
            place = place_of(game, state, card)
            if place != i64(came, 2 * card):
                set_i64(came, 2 * card, place)
                set_i64(came, 2 * card + 1, d + 1)


def progress(reached: Int, tally: WorldTally) -> Int:
    """How far a history went, as a number that grows with it."""
    if reached >= 0:
        return STEP * reached + STEP
    if reached >= 0 - IMPOSSIBLE:
        return STEP * (reached + IMPOSSIBLE) + 1000 + tally.met
    if reached >= 0 - ELSEWHERE:
        return STEP * (reached + ELSEWHERE) + tally.met
    return STEP * (reached + UNLIKE) + tally.met


def keep_indices(history: HistoryHead) -> None:
    """Notes where the alternatives were found, of a world that is kept."""
    at = history.first
    for _ in range(history.decisions):
        step = step_of(history, at)
        step.kept_index = step.index
        at = at + step.length


def restore_indices(history: HistoryHead) -> None:
    """The indices of the world that was kept."""
    at = history.first
    for _ in range(history.decisions):
        step = step_of(history, at)
        step.index = step.kept_index
        at = at + step.length


def exchange(swaps: Ptr, one: Int, other: Int) -> None:
    """Two cards change parts."""
    kept = i64(swaps, 2 * one)
    set_i64(swaps, 2 * one, i64(swaps, 2 * other))
    set_i64(swaps, 2 * other, kept)


def walk_worlds(
    worlds: WorldSampler, cards: Ptr, count: Int, swaps: Ptr, state: Ptr, trial: Ptr, tries: Int, how: Int
) -> Int:
    """Exchanges two cards of a group, again and again, and keeps what goes as far; gives how far that is
    (`progress`).

    Once the history goes all the way this is a walk among worlds that visits each as often as it is likely,
    from any start; when CLIMBING it stops there. FROM_HERE: `state` is a world already, and keeps its
    weight. `cards`: an `Exchange` each.
    """
    game = worlds.game
    history = worlds.history
    work = worlds.work
    stream = worlds.stream
    tally = worlds.tally
    upto = history.decisions
    goal = STEP * upto + STEP
    best = goal
    keep_indices(history)
    # known cards are exchanged too: an unseen pick stands for any of them
    unknown = history.unknown
    history.unknown = unknown + game.set_words
    if how != FROM_HERE:
        best = progress(retrace(game, history, swaps, state, work, stream, tally, upto), tally)
        keep_indices(history)
    begun = tally.weight
    weighed = begun
    if how == FROM_HERE:
        weighed = 0.0
    words = game.state_words
    for _ in range(tries):
        if how == CLIMBING and best == goal:
            break
        mine = Exchange(offset(cards, Exchange.size * below(stream, count)))
        mate = Exchange(offset(cards, Exchange.size * (mine.first + below(stream, mine.count))))
        if mine.sort != mate.sort:
            exchange(swaps, mine.card, mate.card)
            reached = progress(retrace(game, history, swaps, trial, work, stream, tally, upto), tally)
            better = reached >= best
            if reached == goal and best == goal and tally.weight < weighed:
                better = unit(stream) * weighed < tally.weight
            if better:
                best = reached
                weighed = tally.weight
                clone(state, trial, words)
                keep_indices(history)
            else:
                exchange(swaps, mine.card, mate.card)
    restore_indices(history)
    history.unknown = unknown
    tally.weight = begun if how == FROM_HERE else 1.0
    return best


KERNELS = (
    stack,
    unlike,
    is_as_seen,
    agrees,
    take,
    step_of,
    retrace,
    note_arrivals,
    progress,
    keep_indices,
    restore_indices,
    exchange,
    walk_worlds,
)
