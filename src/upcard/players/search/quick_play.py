"""Kernels of the quick player: a few random playouts in guesses of the hidden cards, and deals so played.

A guess keeps every card that the seat sees or saw go to its place, and shuffles all others that it does not
see among their places. The quick player tries every alternative once in each of a few guesses and takes the
best. Nothing hidden from the seat goes into its choice, so every seat of a deal can play like this, which is
how hints find out what a move is worth (`upcard.advice`).
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Float,
    Int,
    Ptr,
    call_at,
    f64,
    i64,
    lshr,
    offset,
    sdiv,
    set_f64,
    set_i64,
    set_u8,
    set_u16,
    set_u32,
    shl,
    u8,
    u16,
)
from upcard.engine.native.kernels.random_numbers import below, name_word, seed_stream
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.kernels.structs import Struct
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead
from upcard.players.belief.action_match import place_of
from upcard.players.belief.kernel_structs import Game
from upcard.players.search.action_id import VisibilityTable, chooser_of, sees
from upcard.players.search.rollout import (
    FAILED,
    RACE,
    Utility,
    fresh_chance,
    points_of,
    seat_players,
    won_of,
)

MAX_TRIED = 512
"""Alternatives that are compared; among more the choice is made by chance."""
LEAST_GUESSES = 2
NOWHERE = -1


class QuickPlay(Struct):
    """What the quick players of a deal need."""

    game: Game
    visibility: VisibilityTable
    work: WorkspaceHead
    utilities: Ptr
    """A `Utility` for each seat, one after the other."""
    stride: Int
    """Bytes of one of them."""
    room: Ptr
    """For two states: a guess and a playout."""
    homes: Ptr
    """Per card where everybody saw it go, or NOWHERE."""
    backs: Ptr
    """Per card the number of its back."""
    scratch: Ptr
    """Per card four words: free cards, their new order, their places, and which card takes its place."""
    values: Ptr
    """For the sums of MAX_TRIED alternatives, and behind them for their values in one guess."""
    stream: Ptr
    playouts: Int
    """Of a decision."""
    cards: Int
    places: Int
    back_count: Int
    all_seats: Int
    """The set of all seats."""
    decisions_at: Int
    """The word of a state that counts its decisions."""
    most_decisions: Int
    """Of a random playout."""
    most_decisions_at: Int
    """The word of the workspace that limits them."""
    deal_decisions: Int
    """Of the deal itself."""
    listed_at: Int
    """The word of the workspace that counts the alternatives listed in a playout."""
    runs_at: Int
    """The word that counts the items run to list them."""
    listed: Int = 0
    """Alternatives listed in all playouts so far."""
    runs: Int = 0
    """Items run to list them: alternatives that are counted as a set of cards need no run."""
    chosen: Int = 0
    """Decisions with a choice that quick players took so far."""


def word_of_card(game: Game, place: Int, card: Int) -> Int:
    """The word of a state that says whether a card lies in a place."""
    return game.sets_at + place * game.set_words + lshr(card, 6)


def lies_in(game: Game, state: Ptr, place: Int, card: Int) -> Int:
    return lshr(i64(state, word_of_card(game, place, card)), card & 63) & 1


def put(game: Game, state: Ptr, card: Int, place: Int) -> None:
    """Moves a card from nowhere to a place; lists are written afterwards."""
    word = word_of_card(game, place, card)
    set_i64(state, word, i64(state, word) | shl(1, card & 63))
    if game.where_bytes == 2:
        set_u16(state, game.where_at + card, place)
    else:
        set_u32(state, game.where_at + card, place)


def is_public(quick: QuickPlay, place: Int) -> Int:
    visibility = quick.visibility
    return i64(visibility, visibility.sees_at + place) & quick.all_seats == quick.all_seats


def watch(quick: QuickPlay, state: Ptr) -> None:
    """Notes where everybody saw each card go: to a public place, or from one to a hidden place."""
    game = quick.game
    for card in range(quick.cards):
        place = place_of(game, state, card)
        home = i64(quick.homes, card)
        if home != place:
            open_before = 0
            if home >= 0:
                open_before = is_public(quick, home)
            if is_public(quick, place) != 0 or open_before != 0:
                set_i64(quick.homes, card, place)
            else:
                set_i64(quick.homes, card, NOWHERE)


def write_lists(quick: QuickPlay, state: Ptr, seat: Int) -> None:
    """Exchanges cards in the lists of the places that a seat does not see."""
    game = quick.game
    takers = offset(quick.scratch, 24 * quick.cards)
    for place in range(quick.places):
        at = game.lists[place]
        if at >= 0 and sees(quick.visibility, place, seat) == 0:
            count = i64(state, lshr(at, 3))
            cards = offset(state, at + 8)
            for n in range(count):
                if game.card_bytes == 1:
                    set_u8(cards, n, i64(takers, u8(cards, n)))
                else:
                    set_u16(cards, n, i64(takers, u16(cards, n)))


def redeal(quick: QuickPlay, state: Ptr, seat: Int) -> None:
    """Shuffles the cards that a seat neither sees nor saw go where they are."""
    game = quick.game
    cards = quick.cards
    free = quick.scratch
    order = offset(free, 8 * cards)
    places = offset(free, 16 * cards)
    takers = offset(free, 24 * cards)
    for card in range(cards):
        set_i64(takers, card, card)
    for back in range(quick.back_count):
        count = 0
        for card in range(cards):
            place = place_of(game, state, card)
            if (
                i64(quick.backs, card) == back
                and sees(quick.visibility, place, seat) == 0
                and i64(quick.homes, card) != place
                and lies_in(game, state, place, card) != 0
            ):
                set_i64(free, count, card)
                set_i64(order, count, card)
                set_i64(places, count, place)
                count = count + 1
        n = count - 1
        while n >= 1:
            k = below(quick.stream, n + 1)
            a = i64(order, n)
            b = i64(order, k)
            set_i64(order, n, b)
            set_i64(order, k, a)
            n = n - 1
        for i in range(count):
            card = i64(free, i)
            word = word_of_card(game, i64(places, i), card)
            bit = shl(1, card & 63)
            set_i64(state, word, i64(state, word) & (-1 ^ bit))
        for i in range(count):
            put(game, state, i64(order, i), i64(places, i))
            set_i64(takers, i64(free, i), i64(order, i))
    write_lists(quick, state, seat)


def value_to(quick: QuickPlay, state: Ptr, seat: Int) -> Float:
    """What the end of a playout is worth to a seat."""
    utility = Utility(offset(quick.utilities, quick.stride * seat))
    if utility.kind == RACE:
        return won_of(quick.game, state, utility)
    return points_of(quick.game, state, utility)


def finish_at_random(quick: QuickPlay, state: Ptr) -> None:
    """Plays a deal out at random and counts what that costs."""
    work = quick.work
    set_i64(work, quick.listed_at, 0)
    set_i64(work, quick.runs_at, 0)
    if i64(state, quick.game.ending) == 0:
        call_at(quick.game.playout, state, work)
    quick.listed += i64(work, quick.listed_at)
    quick.runs += i64(work, quick.runs_at)


def try_in_guess(quick: QuickPlay, state: Ptr, seat: Int, name: Int, values: Ptr) -> Int:
    """Plays every alternative out once in a guess and notes their values: 1, or 0 if the guess has other
    alternatives."""
    game = quick.game
    work = quick.work
    words = game.state_words
    guess = quick.room
    trial = offset(guess, 8 * words)
    count = i64(state, game.choices)
    clone(guess, state, words)
    redeal(quick, guess, seat)
    fresh_chance(game, guess, name)
    if call_at(game.relist, guess, work) != 0 or i64(guess, game.choices) != count:
        return 0
    for a in range(count):
        clone(trial, guess, words)
        if a > 0:
            call_at(game.relist, trial, work)
        call_at(game.apply, trial, work, a)
        finish_at_random(quick, trial)
        value = 0.0
        if i64(trial, game.ending) != FAILED:
            value = value_to(quick, trial, seat)
        set_f64(values, a, value)
    return 1


def begin_guesses(quick: QuickPlay, state: Ptr, name: Int) -> None:
    """Prepares for guesses at a decision: random players, who end their playouts early."""
    seat_players(quick.game, quick.work, name_word(name, 1))
    set_i64(quick.work, quick.most_decisions_at, i64(state, quick.decisions_at) + 1 + quick.most_decisions)


def end_guesses(quick: QuickPlay) -> None:
    set_i64(quick.work, quick.most_decisions_at, quick.deal_decisions)


def guesses_for(quick: QuickPlay, count: Int) -> Int:
    """The number of guesses that the quick player takes for as many alternatives."""
    guesses = sdiv(quick.playouts, count)
    if guesses < LEAST_GUESSES:
        guesses = LEAST_GUESSES
    return guesses


def choose_quickly(quick: QuickPlay, state: Ptr, name: Int) -> Int:
    """The quick player's alternative in a state whose alternatives are listed; they are listed afterwards."""
    game = quick.game
    work = quick.work
    count = i64(state, game.choices)
    if count <= 1:
        return 0
    seed_stream(quick.stream, name)
    if count > MAX_TRIED:
        return below(quick.stream, count)
    seat = chooser_of(game, quick.visibility, state)
    row = offset(quick.values, 8 * MAX_TRIED)
    for a in range(count):
        set_f64(quick.values, a, 0.0)
    begin_guesses(quick, state, name)
    for n in range(guesses_for(quick, count)):
        if work.stop == 0 and try_in_guess(quick, state, seat, name_word(name, 2 + n), row) != 0:
            for a in range(count):
                set_f64(quick.values, a, f64(quick.values, a) + f64(row, a))
    end_guesses(quick)
    best = 0
    equals = 1
    for a in range(1, count):
        if f64(quick.values, a) > f64(quick.values, best):
            best = a
            equals = 1
        elif f64(quick.values, a) == f64(quick.values, best):
            equals = equals + 1
            if below(quick.stream, equals) == 0:
                best = a
    call_at(game.relist, state, work)
    return best


def play_at_random(quick: QuickPlay, state: Ptr, name: Int) -> Int:
    """Plays a deal out, every seat at random: gives how it ended."""
    game = quick.game
    seat_players(game, quick.work, name)
    fresh_chance(game, state, name_word(name, 5))
    finish_at_random(quick, state)
    return i64(state, game.ending)


def play_quickly(quick: QuickPlay, state: Ptr, name: Int) -> Int:
    """Plays a deal out, every seat by the quick player: gives how it ended. Its alternatives are listed."""
    game = quick.game
    work = quick.work
    set_i64(work, quick.most_decisions_at, quick.deal_decisions)
    if quick.playouts == 0:
        return play_at_random(quick, state, name)
    fresh_chance(game, state, name_word(name, 5))
    n = 0
    while i64(state, game.ending) == 0 and work.stop == 0:
        watch(quick, state)
        if i64(state, game.choices) > 1:
            quick.chosen += 1
        index = choose_quickly(quick, state, name_word(name, n))
        call_at(game.apply, state, work, index)
        watch(quick, state)  # the rules may turn the card face down at once
        if i64(state, game.ending) == 0:
            call_at(game.advance, state, work)
        n = n + 1
    return i64(state, game.ending)


def choose_now(quick: QuickPlay, state: Ptr, name: Int) -> Int:
    """The quick player's alternative in a state whose alternatives need not be listed."""
    call_at(quick.game.relist, state, quick.work)
    return choose_quickly(quick, state, name)


def deal_quickly(quick: QuickPlay, state: Ptr, seed: Int, number: Int) -> Int:
    """Deals and plays the deal out, every seat by the quick player: gives how it ended."""
    game = quick.game
    for card in range(quick.cards):
        set_i64(quick.homes, card, NOWHERE)
    set_i64(quick.work, quick.most_decisions_at, quick.deal_decisions)
    set_i64(quick.work, game.stacked, 0)
    call_at(game.deal, state, quick.work, seed, number)
    return play_quickly(quick, state, name_word(name_word(seed, number), 11))


def begin_move(quick: QuickPlay, state: Ptr, index: Int) -> Int:
    """Carries out an alternative of a state and goes on to the next decision: gives who decides there, or -1
    at the end."""
    game = quick.game
    work = quick.work
    set_i64(work, quick.most_decisions_at, quick.deal_decisions)
    watch(quick, state)
    call_at(game.relist, state, work)
    call_at(game.apply, state, work, index)
    watch(quick, state)
    if i64(state, game.ending) == 0:
        call_at(game.advance, state, work)
    if i64(state, game.ending) != 0:
        return -1
    return chooser_of(game, quick.visibility, state)


KERNELS = (
    word_of_card,
    lies_in,
    put,
    is_public,
    watch,
    write_lists,
    redeal,
    value_to,
    finish_at_random,
    try_in_guess,
    begin_guesses,
    end_guesses,
    guesses_for,
    choose_quickly,
    play_at_random,
    play_quickly,
    choose_now,
    deal_quickly,
    begin_move,
)
