"""Environments for learning: PettingZoo, Gymnasium, OpenSpiel and RLCard on any game, and vectors of games.

Modules:
    action_space            A space of all actions whose samples are possible now, so that programs
                            without masks play legal moves.
    adapters                Entry points: a game as an environment of PettingZoo, Gymnasium, OpenSpiel or
                            RLCard.
    deal_play               One deal after another, played by the numbers of actions: what environments
                            have in common.
    game_codes              A game as environments see it: actions by number, observations as arrays,
                            rewards.
    gymnasium_environment   One seat of a game as a Gymnasium environment; players by name sit in the
                            others.
    gymnasium_vector        One seat of many games as a Gymnasium vector environment; random players sit
                            in the others.
    information_text        An information set in words and by a key, for libraries that tell information
                            sets apart by their text.
    openspiel_game          Games as OpenSpiel knows them: `pyspiel.load_game("upcard", {"game": "kuhn-
                            poker"})`.
    pettingzoo_environment  A game as a PettingZoo environment: agents take turns (AEC), or all give an
                            action at once (parallel).
    position_tree           The tree of a small game, made as it is walked: decisions, ends, and every
                            outcome of chance.
    rlcard_environment      A game with the methods and the states of an RLCard environment.
    sampled_play            Positions of games whose chance is drawn, and others that a seat cannot tell
                            from them.
    seat_views              What the seats see in one position, and what was made of it; computed on first
                            use.
    slice_kernels           Kernels that step a slice of a vector environment: carry out, go on, deal
                            again, write what is seen.
    table_text              The table in characters, as environments render it.
    thread_team             A team of threads that call machine code at the same time, each its own part,
                            again and again.
    turn_code               Per-game functions of a vector environment: one decision to the next, without
                            listing anything twice.
    vector                  Vector environments: many games of one kind, stepped by one call of machine
                            code.
    vector_code             A game's code for vector environments, compiled once and shared by all
                            environments of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.rl.adapters import (
        gymnasium_env,
        gymnasium_vector_env,
        pettingzoo_env,
        pettingzoo_parallel_env,
        register_openspiel,
        rlcard_env,
    )

_HOMES = {
    "gymnasium_env": "upcard.rl.adapters",
    "gymnasium_vector_env": "upcard.rl.adapters",
    "pettingzoo_env": "upcard.rl.adapters",
    "pettingzoo_parallel_env": "upcard.rl.adapters",
    "register_openspiel": "upcard.rl.adapters",
    "rlcard_env": "upcard.rl.adapters",
}

__all__ = [
    "gymnasium_env",
    "gymnasium_vector_env",
    "pettingzoo_env",
    "pettingzoo_parallel_env",
    "register_openspiel",
    "rlcard_env",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
