"""Players: they receive observations, never states."""

from upcard.players.random_player import RandomPlayer

__all__ = ["RandomPlayer"]
