"""Kernels that infer from legality which cards a seat cannot have held."""

from __future__ import annotations

from upcard.engine.native.kernels.language import (
    Int,
    Ptr,
    call_at,
    i64,
    lshr,
    offset,
    set_i64,
    set_u8,
    set_u16,
    set_u32,
    shl,
    u8,
    u16,
)
from upcard.engine.native.kernels.resample import clone
from upcard.engine.native.kernels.structs import Struct
from upcard.players.belief.action_match import find, place_of
from upcard.players.belief.kernel_structs import Game, HistoryHead, HistoryStep, WorldTally


def lift(game: Game, state: Ptr, card: Int) -> None:
    """Takes a card away from where it lies."""
    place = place_of(game, state, card)
    word = game.sets_at + place * game.set_words + lshr(card, 6)
    bit = shl(1, card & 63)
    set_i64(state, word, (i64(state, word) | bit) ^ bit)
    at = game.lists[place]
    if at >= 0:
        listed = offset(state, at)
        count = i64(listed, 0)
        kept = 0
        for i in range(count):
            if game.card_bytes == 1:
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


def drop(game: Game, state: Ptr, card: Int, place: Int) -> None:
    """Lays a card that lies nowhere on top of a place."""
    word = game.sets_at + place * game.set_words + lshr(card, 6)
    set_i64(state, word, i64(state, word) | shl(1, card & 63))
    if game.where_bytes == 2:
        set_u16(state, game.where_at + card, place)
    else:
        set_u32(state, game.where_at + card, place)
    at = game.lists[place]
    if at >= 0:
        listed = offset(state, at)
        count = i64(listed, 0)
        if game.card_bytes == 1:
            set_u8(listed, 8 + count, card)
        else:
            set_u16(listed, 4 + count, card)
        set_i64(listed, 0, count + 1)


class ProbedCard(Struct):
    card: Int
    place: Int
    """Where it lies in the history."""
    mark: Int
    """What was found out."""


class Probe(Struct):
    """The question which unknown cards a seat can have held, or picked, when it made a move."""

    game: Game
    step: HistoryStep
    """The move."""
    swaps: Ptr
    before: Ptr
    """The state at that decision."""
    room: Ptr
    """For two states."""
    work: Ptr
    stream: Ptr
    tally: WorldTally
    begin: Int
    """The step of the program of the first let around the decision."""
    place: Int
    """Where the seat held the cards."""
    cards: Ptr
    """The unknown cards: a `ProbedCard` each."""
    count: Int


def possible(probe: Probe, state: Ptr) -> Int:
    """Whether the move is among the alternatives of a state, listed from the lets around them on."""
    game = probe.game
    step = probe.step
    set_i64(state, game.pc, probe.begin)
    call_at(game.advance, state, probe.work)
    if i64(state, game.ending) != 0 or i64(state, game.pc) != step.step:
        return 0
    # a history is needed for picks that are drawn anew, and no move that is probed has one
    history = HistoryHead(step)
    return find(game, probe.work, step, probe.swaps, probe.stream, probe.tally, state, history) >= 0


def probed_card(probe: Probe, n: Int) -> ProbedCard:
    return ProbedCard(offset(probe.cards, ProbedCard.size * n))


def lay_bare(probe: Probe, bare: Ptr) -> None:
    """Takes the unknown cards away from the place; where each of them lies is noted."""
    game = probe.game
    for n in range(probe.count):
        probed = probed_card(probe, n)
        probed.place = place_of(game, bare, probed.card)
        if probed.place == probe.place:
            lift(game, bare, probed.card)


def with_card(probe: Probe, trial: Ptr, source: Ptr, probed: ProbedCard) -> None:
    """A copy of a state whose place has been laid bare, with one of the cards there."""
    game = probe.game
    clone(trial, source, game.state_words)
    if probed.place != probe.place:
        lift(game, trial, probed.card)
    drop(game, trial, probed.card, probe.place)


def probe_held(probe: Probe) -> Int:
    """Which of the unknown cards a seat cannot have held when it made a move.

    The place is laid out with its known cards only, then with each unknown card in turn. Where the move is
    possible without any of them, 1 is given, and a card that makes it impossible is marked; otherwise 0 is
    given, and a card that makes it possible is marked.
    """
    words = probe.game.state_words
    bare = probe.room
    trial = offset(bare, 8 * words)
    clone(bare, probe.before, words)
    lay_bare(probe, bare)
    clone(trial, bare, words)
    without = possible(probe, trial)
    for n in range(probe.count):
        probed = probed_card(probe, n)
        with_card(probe, trial, bare, probed)
        probed.mark = possible(probe, trial) != without
    return without


def pick_card(group: HistoryStep, card: Int) -> None:
    """Lets a card be what was picked unseen, in every variant of a decision."""
    variant = group
    more = 1
    while more != 0:
        if variant.pick != 0:
            set_i64(variant, variant.pick, card)
        more = variant.next
        variant = HistoryStep(offset(variant, 8 * more))


def probe_picks(probe: Probe) -> None:
    """Which of the unknown cards a seat cannot have picked unseen from a place: those are marked.

    The step is that of a pick that was seen. A card is marked if it could not be picked though it lay there,
    neither with the known cards alone nor with those that the history has there.
    """
    game = probe.game
    words = game.state_words
    bare = probe.room
    trial = offset(bare, 8 * words)
    clone(bare, probe.before, words)
    lay_bare(probe, bare)
    for n in range(probe.count):
        probed = probed_card(probe, n)
        pick_card(probe.step, probed.card)
        with_card(probe, trial, bare, probed)
        probed.mark = 0
        if possible(probe, trial) == 0:
            clone(trial, probe.before, words)
            if probed.place != probe.place:
                lift(game, trial, probed.card)
                drop(game, trial, probed.card, probe.place)
            probed.mark = possible(probe, trial) == 0


KERNELS = (
    lift,
    drop,
    possible,
    probed_card,
    lay_bare,
    with_card,
    probe_held,
    pick_card,
    probe_picks,
)
