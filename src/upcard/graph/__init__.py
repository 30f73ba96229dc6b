"""Movement graph: how cards move between places, as data, SVG, DOT and sentences.

Modules:
    edge_routes     Routes edges as curves, each the best of a few dozen candidates.
    fold            Folds places into nodes: places that an owner uses alike become one.
    movement        Movement of cards: places, transfers between them, and who saw them.
    movement_graph  The movement graph of a game in one call: as a picture, as text for Graphviz, as
                    sentences, as data.
    node_layout     Layout of nodes: the table in the middle, players around it, an owner's places in a
                    line.
    sentences       Explains in sentences which cards become known to whom.
    svg             Draws the movement graph as SVG, or prints it as DOT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard.graph.movement_graph import MovementGraph, draw

__all__ = ["MovementGraph", "draw"]

_HOMES = {
    "MovementGraph": "upcard.graph.movement_graph",
    "draw": "upcard.graph.movement_graph",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
