"""A run-time error: the game cannot go on."""

from __future__ import annotations

from upcard.recycle.program import Node


class Fault(Exception):
    def __init__(self, node: Node, message: str) -> None:
        self.node = node
        self.message = message
        super().__init__(message)
