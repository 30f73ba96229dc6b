"""Entry points: a game as an environment of PettingZoo, Gymnasium, OpenSpiel or RLCard.

Each imports its library when it is called.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from upcard.arguments import check_whole
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.extras import need

if TYPE_CHECKING:
    from upcard.rl.game_codes import GameCodes
    from upcard.rl.gymnasium_environment import Opponents, SeatEnvironment
    from upcard.rl.gymnasium_vector import SeatVector
    from upcard.rl.pettingzoo_environment import TogetherEnvironment, TurnEnvironment
    from upcard.rl.rlcard_environment import RlcardEnvironment

EXTRA = "rl"


def pettingzoo_env(
    game: Game | str | os.PathLike[str],
    *,
    reward: str = "margin",
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> TurnEnvironment:
    """A game as a PettingZoo environment in which agents take turns (AEC).

    The agents are `player_0`, ... by their seats. An observation has the bytes that `Game.encoding` describes
    (`observation`) and 1 for each action that is possible (`action_mask`). `reward` is what the agents get at
    the end: the "margin" of their points over the average of all seats, the "points" themselves, or their
    "rank" from 1 to -1. More is always better. With `max_cycles` a game is truncated after that many
    decisions for each agent.

    Needs PettingZoo (`pip install upcard[rl]`). An action that is not possible raises `IllegalMove`, wrong
    arguments raise `BadArgument`, and a closed environment `upcard.EnvironmentMisuse`.

    >>> env = upcard.rl.pettingzoo_env("euchre")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     ended = termination or truncation
    ...     env.step(None if ended else int(observation["action_mask"].argmax()))
    """
    need("PettingZoo environments", "pettingzoo", EXTRA)
    from upcard.rl.pettingzoo_environment import TurnEnvironment

    loaded = as_game(game)
    if max_cycles is not None:
        check_whole("max_cycles", max_cycles, 1)
        max_cycles *= loaded.seats
    return TurnEnvironment(_codes(loaded, reward, max_cycles), render_mode)


def pettingzoo_parallel_env(
    game: Game | str | os.PathLike[str],
    *,
    reward: str = "margin",
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> TogetherEnvironment:
    """A game as a PettingZoo environment in which every agent gives an action in every step (parallel).

    All games decide one seat at a time, so all agents but one can only wait: there is one action more than in
    `pettingzoo_env`, the last, and it is theirs. Use this only for a library that wants it. The arguments
    are those of `pettingzoo_env`; `max_cycles` counts steps.

    >>> env = upcard.rl.pettingzoo_parallel_env("kuhn-poker")
    >>> observations, infos = env.reset(seed=1)
    >>> [list(seen["action_mask"]) for seen in observations.values()] == [[1, 1, 0, 0, 0], [0, 0, 0, 0, 1]]
    True
    """
    need("PettingZoo environments", "pettingzoo", EXTRA)
    from upcard.rl.pettingzoo_environment import TogetherEnvironment

    return TogetherEnvironment(_codes(game, reward, max_cycles), render_mode)


def gymnasium_env(
    game: Game | str | os.PathLike[str],
    seat: int = 0,
    opponents: Opponents = "random",
    *,
    reward: str = "margin",
    render_mode: str | None = None,
    illegal_reward: float | None = None,
    max_decisions: int | None = None,
) -> SeatEnvironment:
    """One seat of a game as a Gymnasium environment.

    `opponents` play the other seats: one player for all of them, a list with one for each, or a dictionary by
    seat. A player is a name such as "random" or "strong:200", a class with `choose(observation, budget)`, or
    an object of one. Observations are the bytes that `Game.encoding` describes; `info["action_mask"]` and
    `env.action_masks()` say which actions are possible, and `env.action_space.sample()` draws one of these.
    `max_decisions` ends a game earlier than usual; the other arguments are those of `pettingzoo_env`.

    Needs Gymnasium (`pip install upcard[rl]`). An action that is not possible raises `IllegalMove`, or ends
    the game with `illegal_reward`. Wrong arguments and unknown players raise an exception that derives from
    `Refused`, and a closed environment `upcard.EnvironmentMisuse`.

    >>> env = upcard.rl.gymnasium_env("euchre", seat=0, opponents="simple")
    >>> observation, info = env.reset(seed=7)
    >>> terminated = False
    >>> while not terminated:
    ...     observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    """
    need("Gymnasium environments", "gymnasium", EXTRA)
    from upcard.rl.gymnasium_environment import SeatEnvironment

    return SeatEnvironment(_codes(game, reward, max_decisions), seat, opponents, render_mode, illegal_reward)


def gymnasium_vector_env(
    game: Game | str | os.PathLike[str],
    count: int,
    seat: int = 0,
    *,
    reward: str = "margin",
    max_decisions: int | None = None,
    threads: int | None = None,
) -> SeatVector:
    """One seat of `count` games as a Gymnasium vector environment, stepped by machine code.

    Random players play the other seats. `info["action_mask"]` and `env.action_masks()` say which actions are
    possible, and `env.sample()` draws some of them. Games that end are dealt anew in the same step;
    `info["final_obs"]` has what the seat saw at the end. The arguments and errors are those of
    `gymnasium_env` and of `upcard.vector`, which is quicker still, because it copies nothing.

    >>> env = upcard.rl.gymnasium_vector_env("euchre", 100)
    >>> observations, info = env.reset(seed=1)
    >>> observations, rewards, terminated, truncated, info = env.step(env.sample())
    >>> observations.shape == (100, upcard.load("euchre").encoding.size)
    True
    """
    need("Gymnasium environments", "gymnasium", EXTRA)
    from upcard.rl.gymnasium_vector import SeatVector

    return SeatVector(_codes(game, reward, max_decisions), count, seat, threads)


def rlcard_env(
    game: Game | str | os.PathLike[str],
    *,
    seed: int | None = None,
    allow_step_back: bool = False,
    reward: str = "margin",
    max_decisions: int | None = None,
) -> RlcardEnvironment:
    """A game with the methods of an RLCard environment, for agents written for that library.

    `set_agents`, `run`, `reset`, `step`, `step_back`, `get_payoffs` and the rest do what they do there, and
    states have `obs`, `legal_actions`, `raw_obs`, `raw_legal_actions` and `action_record`. RLCard itself is
    not needed, only numpy. The arguments and errors are those of `gymnasium_env`.

    >>> env = upcard.rl.rlcard_env("kuhn-poker", seed=1)
    >>> state, player = env.reset()
    >>> player, list(state["legal_actions"]), state["raw_legal_actions"]
    (0, [0, 1], ['check', 'bet'])
    """
    need("RLCard environments", "numpy", EXTRA)
    from upcard.rl.rlcard_environment import RlcardEnvironment

    return RlcardEnvironment(_codes(game, reward, max_decisions), seed, allow_step_back)


def register_openspiel() -> None:
    """Makes every game loadable by OpenSpiel, as `pyspiel.load_game("upcard", {"game": "kuhn-poker"})`.

    The parameters are `game`, a name or a path; `rules`, house rules such as "raises:one"; `reward` and
    `max_decisions` as in `gymnasium_env`; `chance`, which is "explicit" if every outcome of chance is to be a
    node, "sampled" if deals are to be drawn, or "auto" to have it explicit in small games; and `seed` for
    drawn deals, -1 for a new one each time.

    Needs OpenSpiel (`pip install upcard[openspiel]`). May be called more than once.

    >>> upcard.rl.register_openspiel()
    >>> import pyspiel
    >>> game = pyspiel.load_game("upcard", {"game": "kuhn-poker"})
    >>> game.num_players(), game.num_distinct_actions()
    (2, 4)
    """
    need("OpenSpiel games", "pyspiel", "openspiel", "open_spiel")
    from upcard.rl.openspiel_game import register

    register()


def _codes(game: Game | str | os.PathLike[str], reward: str, max_decisions: int | None) -> GameCodes:
    need("environments", "numpy", EXTRA)
    from upcard.rl.game_codes import GameCodes

    return GameCodes(as_game(game), reward, max_decisions)
