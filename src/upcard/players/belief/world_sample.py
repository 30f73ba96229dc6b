"""Kernels that sample worlds: deal cards to a history until it can have happened."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, call_at, f64, i64, offset, set_f64, set_i64
from upcard.players.belief.action_match import FROM_HERE, HISTORY_BELIEF, HISTORY_DECISIONS, RELIST, WALKING
from upcard.players.belief.constrained_deal import deal_cards
from upcard.players.belief.move_likelihood import likelihood
from upcard.players.belief.world_walk import retrace, wander

ATTEMPTS = 100
"""Deals tried for a world."""

DEALT = 1
WALKED = 2
"""How a world was found."""


def walks_own(walk: Ptr) -> Ptr:
    """The swaps of a walk."""
    return offset(walk, 8 * 5 + 32 * (i64(walk, 3) + i64(walk, 4)))


def find_world(
    game: Ptr,
    history: Ptr,
    plans: Ptr,
    count: Int,
    swaps: Ptr,
    walk: Ptr,
    work: Ptr,
    stream: Ptr,
    scratch: Ptr,
    state: Ptr,
    trial: Ptr,
    attempts: Int,
) -> Int:
    """A world that agrees with all that was seen: DEALT or WALKED, or 0 if none was found.

    Cards are dealt until one is found; where so many attempts are not enough, worlds come from a walk.
    `walk`: whether dealing is given up, exchanges from world to world of a walk, exchanges after a deal, how
    many cards may be exchanged in a walk and how many after a deal, those (as in `wander`); then swaps, two
    words a card, that are the walk's own.
    `scratch`: two floats, the second the world's weight; then, counted on, worlds tried, not found and walked
    to. `trial` is room for a state.
    """
    told = offset(scratch, 16)
    upto = i64(history, HISTORY_DECISIONS)
    movable = i64(walk, 3)
    cards = offset(walk, 8 * 5)
    mates = i64(walk, 4)
    if i64(walk, 0) == 0:
        if i64(walk, 2) != 0:
            for n in range(movable):
                card = i64(cards, 4 * n)
                set_i64(swaps, 2 * card, card)
        for _ in range(attempts):
            set_i64(told, 0, i64(told, 0) + 1)
            if (
                deal_cards(plans, count, swaps, stream) == 0
                and retrace(game, history, swaps, state, work, stream, scratch, upto) == upto
            ):
                if i64(walk, 2) != 0:
                    wander(
                        game,
                        history,
                        offset(cards, 32 * movable),
                        mates,
                        swaps,
                        state,
                        trial,
                        work,
                        stream,
                        scratch,
                        upto,
                        i64(walk, 2),
                        FROM_HERE,
                    )
                    call_at(i64(game, RELIST), state, work)
                return DEALT
        set_i64(walk, 0, 1)
    own = walks_own(walk)
    tries = i64(walk, 1)
    set_i64(told, 0, i64(told, 0) + tries)
    goal = 2000 * upto + 2000
    if (
        wander(game, history, cards, movable, own, state, trial, work, stream, scratch, upto, tries, WALKING)
        != goal
    ):
        return 0
    call_at(i64(game, RELIST), state, work)
    set_i64(told, 2, i64(told, 2) + 1)
    return WALKED


def imagine_world(
    game: Ptr,
    history: Ptr,
    plans: Ptr,
    count: Int,
    swaps: Ptr,
    walk: Ptr,
    work: Ptr,
    stream: Ptr,
    scratch: Ptr,
    state: Ptr,
    trial: Ptr,
    attempts: Int,
) -> Int:
    """A world as `find_world` finds it, weighted by how likely the watched moves were in it where the history
    has a belief: 1, or 0 if none was found."""
    found = find_world(
        game, history, plans, count, swaps, walk, work, stream, scratch, state, trial, attempts
    )
    if found != 0 and i64(history, HISTORY_BELIEF) != 0:
        dealt = swaps
        if found == WALKED:
            dealt = walks_own(walk)
        likely = likelihood(game, history, dealt, work, stream)
        set_f64(scratch, 1, f64(scratch, 1) * likely)
        call_at(i64(game, RELIST), state, work)
    return found != 0


KERNELS = (
    walks_own,
    find_world,
    imagine_world,
)
