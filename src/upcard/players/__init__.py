"""Players: they are given observations, never a state."""

from upcard.players.uniform import UniformPlayer

__all__ = ["UniformPlayer"]
