"""The movement graph of a game in one call: as a picture, as text for Graphviz, as sentences, as data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from upcard.arguments import BadArgument, check_path, check_whole, check_workers
from upcard.engine.game import Game
from upcard.engine.loader import as_game
from upcard.engine.shared.game import LoadedGame
from upcard.graph.movement import Movement, movements
from upcard.graph.sentences import explain
from upcard.graph.svg import Caption, dot, svg
from upcard.parallel.workers import Workers
from upcard.storage.atomic_write import write_text


@dataclass(frozen=True, repr=False)
class MovementGraph:
    """How the cards of a game move between places, and who sees them. A notebook draws it.

    >>> graph = upcard.graph.draw("kuhn-poker", games=10)
    >>> graph
    <MovementGraph of kuhn-poker, 10 games: 5 places, 4 ways>
    """

    game: LoadedGame
    """The game."""
    movement: Movement
    """What was counted: places, and how many cards went from one to another."""
    caption: Caption
    """The title and the line below it."""

    @property
    def svg(self) -> str:
        """The graph as an SVG picture."""
        return svg(self.movement, self.game.narrator, self.caption)

    @property
    def dot(self) -> str:
        """The graph as text for Graphviz."""
        return dot(self.movement, self.game.narrator, self.caption)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the graph shows, in sentences."""
        return tuple(explain(self.movement, self.game.narrator))

    def to_json(self) -> dict[str, Any]:
        """The graph as data.

        >>> upcard.graph.draw("kuhn-poker", games=10).to_json()["game"]
        'kuhn-poker'
        """
        identity = self.game.identity
        return {"game": identity["game"], "overrides": identity["overrides"], **self.movement.to_json()}

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the picture to a file that ends in .svg, or text for Graphviz to one in .dot or .gv.

        >>> import tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     upcard.graph.draw("kuhn-poker").save(os.path.join(folder, "kuhn.svg")).name
        'kuhn.svg'
        """
        check_path("a file", path)
        file = Path(path)
        if file.suffix not in (".svg", ".dot", ".gv"):
            raise BadArgument(f"{file} does not end in .svg, .dot or .gv; give the file one of these endings")
        write_text(file, self.svg if file.suffix == ".svg" else self.dot)
        return file

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        games = self.movement.games
        counted = f"{games} game" if games == 1 else f"{games:,} games"
        places, ways = len(self.movement.places), len(self.movement.edges)
        return f"<MovementGraph of {self.game.name}, {counted}: {places} places, {ways} ways>"


def draw(
    game: Game | str | os.PathLike[str], games: int = 1, *, seed: int = 0, workers: Workers = None
) -> MovementGraph:
    """Plays random games and draws how their cards move. `game` is a loaded game, a name or a path.

    Without `workers` one process plays. Wrong arguments raise `BadArgument`.

    >>> graph = upcard.graph.draw("euchre", seed=1)
    >>> graph.svg.startswith("<svg"), graph.dot.startswith("digraph")
    (True, True)
    """
    check_whole("games", games, 1)
    check_whole("a seed", seed)
    check_workers(workers)
    loaded = as_game(game)
    movement = Movement(loaded.seats)
    for part in movements(loaded, games, seed, workers or 1):
        movement.merge(part)
    number = "One game" if games == 1 else f"{games:,} games"
    caption = Caption(f"{loaded.title}: how the cards move", f"{number} of random players, seed {seed}")
    return MovementGraph(loaded, movement, caption)
