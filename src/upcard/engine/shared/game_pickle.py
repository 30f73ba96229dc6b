"""Pickles games by name, text and rules, and restores a game that is still in use as the same object."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from upcard.recycle.frontend import check
from upcard.recycle.source import Source

if TYPE_CHECKING:
    from upcard.engine.shared.game import LoadedGame

_in_use: WeakValueDictionary[bytes, LoadedGame] = WeakValueDictionary()
"""Games by their pickled form, so that states unpickled one by one share one game and its machine code."""


def pickle_game(game: LoadedGame) -> bytes:
    """Everything that a game is made of. The program is kept as text: trees can be too deep to pickle."""
    program = game.program
    rules = (program.source.name, program.source.text, dict(program.overrides), program.base)
    data = pickle.dumps((type(game), game.name, rules, game.narrator, game.options))
    _in_use.setdefault(data, game)
    return data


def restore_game(data: bytes) -> LoadedGame:
    """The game that `pickle_game` wrote: the same object if it is in use in this process."""
    game = _in_use.get(data)
    if game is None:
        kind, name, (file, text, overrides, base), narrator, options = pickle.loads(data)
        program, facts = check(Source(file, text), overrides, base, lint=False).sound()
        made: LoadedGame = kind(name, program, facts, narrator, **options)
        game = _in_use.setdefault(data, made)
    return game
