"""Players: they are given observations, never a state."""

from upcard.players.random_player import RandomPlayer

__all__ = ["RandomPlayer"]
