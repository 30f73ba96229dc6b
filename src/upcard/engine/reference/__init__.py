"""The reference engine: the definition of the language in plain Python, to be read beside the language
reference.

Modules:
    actions      Simple actions (recycle.md 8): operands left to right, then the change, then its effect.
    choices      Blocks and choices (recycle.md 7.3 to 7.5): running items, listing alternatives, playing
                 one.
    collections  Cards, card collections and lists of collections (recycle.md 9 and 10, appendix A.2 to
                 A.4).
    error_trace  Describes a run-time error: form, element, line, variables.
    evaluator    Evaluation context: the table, the counting base, the current random stream, a function
                 per node.
    fault        The run-time error of a game.
    game         A loaded program played by the reference engine.
    state        A game in progress: the walk from decision to decision (recycle.md 7, 16, 17).
    values       Numbers, conditions, strings, players and teams (recycle.md 11 to 14, appendix A.1, A.6,
                 A.7).
"""

from upcard.engine.reference.game import ReferenceGame
from upcard.engine.reference.state import ReferenceState

__all__ = ["ReferenceGame", "ReferenceState"]
