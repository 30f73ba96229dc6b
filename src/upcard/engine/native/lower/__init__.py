"""From a checked program to the IR."""

from upcard.engine.native.lower.layout import Layout, NotLowered
from upcard.engine.native.lower.whole import Lowered, lower

__all__ = ["Layout", "Lowered", "NotLowered", "lower"]
