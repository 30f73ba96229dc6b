"""Equilibria of small games: the tree of a game, regret minimization, best responses, strategies in words.

Modules:
    chance_script      Scripted chance: a state of the reference engine whose shuffles and draws are
                       decided one by one.
    enumeration        Enumerates a game's tree with scripted chance: every position that differs for
                       somebody, once.
    equilibrium        Solves a game: iterations of an algorithm, the average strategy, and how far from
                       an equilibrium it is.
    game_tree          A game's tree as flat arrays in depth order, with its information sets.
    listed_sets        The information sets of a tree as they are found, each with a position in which its
                       seat decides.
    node_list          Nodes of a tree as they are found, each behind its children; and the same nodes in
                       depth order.
    player_table       Tabulates a player: what it does at every information set of a game that was
                       solved.
    regret_update      Kernels on the sequence form: regret minimization, averages, best responses.
    replayed_position  Positions of a tree as what chance decided and which moves were made, so that they
                       can be played again.
    sampled_walk       Kernels of Monte Carlo counterfactual regret minimization with external sampling.
    seat_choices       What a seat can do at a decision, and what it knows there.
    sequence_form      The sequence form of a tree: for each seat its sequences, and for each sequence the
                       ends it leads to.
    set_description    Describes an information set in words: the cards a seat holds, the cards on the
                       table, what was done.
    solution           Strategies as files: what `upcard solve` writes, and goes on from.
    solve_code         The compiled kernels that solve; one module for all games.
    solve_result       A game solved in one call, and what came of it.
    solve_run          One run: lists a game's tree, solves it step by step, measures a player, writes the
                       strategy.
    strategy_rows      Strategies as columns: a row for each action of each information set.
    strategy_text      A strategy in the words of the table: "with K always call", "with J check 2 times
                       in 3".
    tree_size          Estimates the size of a game's tree from random games, without listing it (Knuth's
                       estimate).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.players.strategy_file import BadStrategy
    from upcard.solve.chance_script import NotEnumerable
    from upcard.solve.enumeration import TooManyNodes
    from upcard.solve.player_table import PlayerMeasured
    from upcard.solve.solve_result import Solution, run

__all__ = ["BadStrategy", "NotEnumerable", "PlayerMeasured", "Solution", "TooManyNodes", "run"]

_HOMES = {
    "BadStrategy": "upcard.players.strategy_file",
    "NotEnumerable": "upcard.solve.chance_script",
    "PlayerMeasured": "upcard.solve.player_table",
    "Solution": "upcard.solve.solve_result",
    "TooManyNodes": "upcard.solve.enumeration",
    "run": "upcard.solve.solve_result",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
