"""Kernels that carry out a decision, go on to the next one, and observe: each is one call from Python."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, call_at, i64, lshr, offset, set_i64, shl
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead
from upcard.engine.native.lower.control import PAUSED
from upcard.engine.native.lower.runtime import MASK_WORDS
from upcard.engine.native.lower.state_layout import FAILED
from upcard.engine.native.seat_view.seat_knowledge import learn
from upcard.engine.native.seat_view.seat_log import write_log
from upcard.engine.native.seat_view.seat_moves import most_words, place_of, write_decision, write_moves
from upcard.engine.native.seat_view.seat_table import (
    write_cycles,
    write_memory,
    write_places,
    write_storages,
)
from upcard.engine.native.seat_view.view_facts import ViewFacts, chooser_of, sees

PAUSE = PAUSED
NO_ROOM = -2
UNREAD = -3
"""What a step gives if the event of the decision does not fit into the result, and if the effects do not:
they are left in the workspace, and nothing is listed yet."""


class StepResult(Struct):
    """What a step leaves for Python to read."""

    room: Int
    """For words of the log."""
    words: Int
    """Of the log: the event of the decision, if there is one, then the effects, unless they are unread."""
    first: Int
    """The effects in the workspace that were read before."""
    log: Array[Int]


LOG_AT = StepResult.fields["log"].offset
"""The byte of a `StepResult` where the log begins."""


class ViewRoom(Struct):
    """Where a view is written."""

    room: Int
    words: Array[Int]


class ViewHead(Struct):
    """What a view begins with."""

    moves_at: Int
    """The word where the moves begin; 0 if another seat is to move."""
    memory_at: Int
    """The word where the cards that are face down begin; 0 if nothing is remembered."""
    history_at: Int
    """The word where the events begin that are new; with the number of words in all."""


HEAD_WORDS = ViewHead.size // 8
VIEW_AT = ViewRoom.fields["words"].offset
"""The byte of a `ViewRoom` where the view begins."""


def watch(facts: ViewFacts, state: Ptr, work: Ptr) -> None:
    """Sets the cards whose faces are hidden from the chooser."""
    chooser = chooser_of(facts, state)
    for w in range(MASK_WORDS):
        set_i64(work, facts.watched_at + w, 0)
    for card in range(facts.room):
        if sees(facts, place_of(facts, state, card), chooser) == 0:
            word = facts.watched_at + lshr(card, 6)
            set_i64(work, word, i64(work, word) | shl(1, card & 63))


def list_moves(facts: ViewFacts, state: Ptr, work: WorkspaceHead) -> Int:
    """Lists the alternatives of the open decision; gives the fault if that fails, otherwise 0."""
    watch(facts, state, work)
    work.watching = 1
    return call_at(facts.relist, state, work)


def go_on(facts: ViewFacts, state: Ptr, work: WorkspaceHead, known: Ptr, result: StepResult) -> Int:
    """To the next decision, which is listed, or to the end. Gives 0; PAUSE or UNREAD if the effects must be
    read from the workspace before going on or listing; or the fault if listing fails."""
    learnt = work.effects
    paused = call_at(facts.advance, state, work)
    if i64(state, facts.ending) == FAILED:
        return 0
    effects = offset(work, 8 * i64(work, facts.effects_at))
    learn(facts, known, offset(effects, 8 * learnt), work.effects - learnt)
    if paused == PAUSE:
        return PAUSE
    first = result.first
    words = result.words
    fresh = work.effects - first
    if words + fresh > result.room:
        return UNREAD
    for i in range(fresh):
        result.log[words + i] = i64(effects, first + i)
    result.words = words + fresh
    if i64(state, facts.ending) != 0:
        return 0
    return list_moves(facts, state, work)


def begin(facts: ViewFacts, state: Ptr, work: WorkspaceHead, known: Ptr, result: StepResult) -> Int:
    """On from the setup, whose effects are in the workspace and have been read, as `go_on`."""
    learn(facts, known, offset(work, 8 * i64(work, facts.effects_at)), work.effects)
    result.words = 0
    result.first = work.effects
    return go_on(facts, state, work, known, result)


def step(
    facts: ViewFacts, state: Ptr, work: WorkspaceHead, known: Ptr, result: StepResult, index: Int
) -> Int:
    """Carries out an alternative that is listed in the workspace, then as `go_on`; or gives NO_ROOM, and does
    nothing, if there is no room for the event of the decision."""
    words = write_decision(facts, state, work, index, result.log, result.room)
    result.words = words
    result.first = 0
    if words > result.room:
        return NO_ROOM
    work.effects = 0
    call_at(facts.apply, state, work, index)
    if i64(state, facts.ending) == FAILED:
        return 0
    result.log[2] = work.effects
    learn(facts, known, offset(work, 8 * i64(work, facts.effects_at)), work.effects)
    return go_on(facts, state, work, known, result)


def observe(
    facts: ViewFacts,
    state: Ptr,
    work: WorkspaceHead,
    known: Ptr,
    buffer: ViewRoom,
    seat: Int,
    log: Ptr,
    words: Int,
) -> Int:
    """Writes what a seat sees now, and as much of the log as it has not seen yet; gives the words, or less
    than 0 if there may be no room: how many it may take."""
    out = ViewHead(offset(buffer, VIEW_AT))
    mine = 0
    if i64(state, facts.ending) == 0:
        mine = chooser_of(facts, state) == seat
    most = facts.table_words + 2 * words
    spare = most
    if mine != 0:
        # the moves, and one more behind everything else
        listed = most_words(facts, work, i64(state, facts.choices))
        spare = most + listed
        most = spare + listed
    if most > buffer.room:
        return 0 - most
    at = write_cycles(facts, state, out, HEAD_WORDS)
    at = write_storages(facts, state, out, at)
    at = write_places(facts, state, seat, out, at)
    out.memory_at = at
    at = write_memory(facts, known, seat, out, at)
    out.moves_at = 0
    if mine != 0:
        out.moves_at = at
        at = write_moves(facts, state, work, spare, out, at)
    out.history_at = at
    return write_log(facts, work, seat, log, words, out, at)


EXPORTED = (begin, go_on, list_moves, observe, step)
KERNELS = (watch, *EXPORTED)
