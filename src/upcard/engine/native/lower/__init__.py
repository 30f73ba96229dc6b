"""Lowering: from a checked program to the IR."""

from upcard.engine.native.lower.assemble import Lowered, lower
from upcard.engine.native.lower.state_layout import Layout, NotLowered

__all__ = ["Layout", "Lowered", "NotLowered", "lower"]
