"""Players: they receive observations, never states.

Modules:
    constructor      Arguments that the class of a player may take: any of game, seed and seat by name,
                     and deal if trusted.
    guard            Guards a player: an exception or an illegal move forfeits the game with a clear
                     message.
    levels           Levels of play: player and budget behind casual, steady, strong and expert.
    player_argument  Players as arguments of the public API: a spec, a class or function that makes one,
                     or a player itself.
    protocol         The player protocol: given an observation and a budget, return a decision.
    random_player    The uniformly random player.
    registry         Registry of players by name.
    seeds            Seeds of deals and players, derived from the seed or, with external players, from a
                     secret.
    solved_player    The player `solved:FILE`: draws its moves from a strategy file.
    spec             Resolves player specs (see `spec_grammar`) into players that can be made for a game.
    strategy_file    Strategy files, which `upcard solve` writes: for every information set the
                     probability of each move.
    belief/          Beliefs: consistent histories, determinizations and opponent models for a seat's
                     information set.
    external/        External players: programs and Python classes in processes of their own.
    search/          Search players: Monte Carlo search over determinizations, flat and as a tree.
    solver/          Endgame solver: optimal play when all cards are known.
"""

from upcard.players.random_player import RandomPlayer

__all__ = ["RandomPlayer"]
