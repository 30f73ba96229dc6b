"""Hints: what moves are worth, how sure that is, and why.

Modules:
"""

from upcard.advice.hint import Hint, hint

__all__ = ["Hint", "hint"]
