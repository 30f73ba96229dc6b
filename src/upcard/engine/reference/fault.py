"""The run-time error of a game."""

from __future__ import annotations

from copy import copy
from typing import Any

from upcard.recycle.program import Node


class Fault(Exception):
    def __init__(self, node: Node, message: str) -> None:
        self.node = node
        self.message = message
        self.env: list[Any] | None = None
        """What the variables held, where that does not outlive the fault."""
        super().__init__(message)

    def keep(self, env: list[Any]) -> None:
        self.env = [copy(value) for value in env]
