"""What is Euchre's alone: its cards, its players, the course game. Importing it registers the players."""

from __future__ import annotations

from upcard.euchre.simple import SimplePlayer, simple
from upcard.players.registry import register

__all__ = ["SimplePlayer"]

register("simple", simple)
