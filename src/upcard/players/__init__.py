"""Players: they are given observations, never a state."""

from upcard.players.random_player import UniformPlayer

__all__ = ["UniformPlayer"]
