"""The reference engine: the definition of the language in plain Python, to be read beside the language
reference."""

from upcard.engine.reference.game import ReferenceGame
from upcard.engine.reference.state import ReferenceState

__all__ = ["ReferenceGame", "ReferenceState"]
