"""Kernels that sample worlds: deal cards to a history until it can have happened."""

from __future__ import annotations

from upcard.engine.native.kernels.language import Int, Ptr, call_at, offset, set_i64
from upcard.players.belief.action_match import FROM_HERE, WALKING
from upcard.players.belief.constrained_deal import deal_cards
from upcard.players.belief.kernel_structs import Exchange, Walk, WorldSampler
from upcard.players.belief.move_likelihood import likelihood
from upcard.players.belief.world_walk import STEP, retrace, walk_worlds

ATTEMPTS = 100
"""Deals tried for a world."""

DEALT = 1
WALKED = 2
"""How a world was found."""


def own_swaps(walk: Walk) -> Ptr:
    """The swaps of a walk."""
    return offset(walk.cards, Exchange.size * (walk.movable + walk.mates))


def deal_world(worlds: WorldSampler, state: Ptr, trial: Ptr, attempts: Int) -> Int:
    """Deals cards until the history can have happened: 1, or 0 if that many attempts were not enough."""
    game = worlds.game
    history = worlds.history
    walk = worlds.walk
    swaps = worlds.swaps
    work = worlds.work
    stream = worlds.stream
    tally = worlds.tally
    upto = history.decisions
    if walk.steps_after_deal != 0:
        for n in range(walk.movable):
            card = walk.cards[n].card
            set_i64(swaps, 2 * card, card)
    for _ in range(attempts):
        tally.tried += 1
        if (
            deal_cards(worlds.plans, worlds.plan_count, swaps, stream) == 0
            and retrace(game, history, swaps, state, work, stream, tally, upto) == upto
        ):
            if walk.steps_after_deal != 0:
                mates = offset(walk.cards, Exchange.size * walk.movable)
                walk_worlds(worlds, mates, walk.mates, swaps, state, trial, walk.steps_after_deal, FROM_HERE)
                call_at(game.relist, state, work)
            return 1
    return 0


def find_world(worlds: WorldSampler, state: Ptr, trial: Ptr, attempts: Int) -> Int:
    """A world that agrees with all that was seen: DEALT or WALKED, or 0 if none was found.

    Cards are dealt until one is found; once that many attempts are not enough, worlds come from a walk.
    `trial` is room for a state.
    """
    game = worlds.game
    walk = worlds.walk
    tally = worlds.tally
    if walk.replaces_dealing == 0:
        if deal_world(worlds, state, trial, attempts) != 0:
            return DEALT
        walk.replaces_dealing = 1
    tally.tried += walk.steps
    reached = walk_worlds(
        worlds, walk.cards, walk.movable, own_swaps(walk), state, trial, walk.steps, WALKING
    )
    if reached != STEP * worlds.history.decisions + STEP:
        return 0
    call_at(game.relist, state, worlds.work)
    tally.walked += 1
    return WALKED


def sample_world(worlds: WorldSampler, state: Ptr, trial: Ptr, attempts: Int) -> Int:
    """A world as `find_world` finds it, weighted by how likely the observed moves were in it where the
    history has a belief: 1, or 0 if none was found."""
    found = find_world(worlds, state, trial, attempts)
    if found != 0 and worlds.history.belief != 0:
        swaps = worlds.swaps
        if found == WALKED:
            swaps = own_swaps(worlds.walk)
        likely = likelihood(worlds.game, worlds.history, swaps, worlds.work, worlds.stream)
        worlds.tally.weight = worlds.tally.weight * likely
        call_at(worlds.game.relist, state, worlds.work)
    return found != 0


KERNELS = (
    own_swaps,
    deal_world,
    find_world,
    sample_world,
)
