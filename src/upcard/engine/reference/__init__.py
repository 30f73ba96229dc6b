"""The reference engine: the definition of the language in plain Python, to be read beside the language
reference.

Modules:
    actions      Simple actions (docs/language/actions.md): operands left to right, then the change, then
                 its effect.
    choices      Blocks and choices (docs/language/choices.md): running items, listing alternatives,
                 playing one.
    collections  Cards, card collections and lists of collections (docs/language: cards and places,
                 collections).
    error_trace  Describes a run-time error: form, element, line, variables.
    evaluator    Evaluation context: the table, the counting base, the current random stream, a function
                 per node.
    fault        The run-time error of a game.
    game         A loaded program played by the reference engine.
    state        A game in progress: the walk from decision to decision (docs/language/shape.md).
    values       Numbers, conditions, strings, players and teams (docs/language: values, points, players
                 and teams).
"""

from upcard.engine.reference.game import ReferenceGame
from upcard.engine.reference.state import ReferenceState

__all__ = ["ReferenceGame", "ReferenceState"]
