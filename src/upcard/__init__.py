"""Upcard: card games written in RECYCLE, read, checked, played and studied.

A game deals states. A state knows whose turn it is and which moves there are, shows each seat what it may
know, and plays moves until there is an outcome.

>>> import upcard
>>> state = upcard.load("euchre").deal(seed=7)
>>> state.to_move, [move.text for move in state.moves]
(0, ['pass', 'order it up', 'order it up and go alone'])

Play and look: `load`, `games`, `Game`, `State`, `Move`, `Observation`, `Outcome`, `Match`, `Summary`.
Learn: `Game.encoding`, an `Encoding`.
Check programs: `check`, `CheckResult`, `Diagnostic`.
Write players: `Player`, `Decision`, `Value`, `Budget`.
Ask: `hint`.
Measure: `arena.run`, `study.run`, `solve.run`, `graph.draw`, `verify.compare_engines`,
`verify.check_positions`.
Learn: `vector`, `rl.gymnasium_env`, `rl.pettingzoo_env`, `rl.register_openspiel`.

Invalid input raises an exception whose message is one sentence: `IllegalMove`, `RecycleError`, or one
that derives from `Refused`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.lazy import lazy_names

if TYPE_CHECKING:
    from upcard import arena, graph, rl, solve, study, verify
    from upcard.advice.hint import Hint, hint
    from upcard.arguments import BadArgument
    from upcard.encoding import Encoding, NoEncoding
    from upcard.engine.api import Card, Failure, IllegalMove, Limits, Move, Observation, Outcome, Place
    from upcard.engine.game import Game
    from upcard.engine.loader import RuleError, load
    from upcard.engine.state import State
    from upcard.library.check_result import CheckResult, check
    from upcard.library.lookup import NoSuchGame, games
    from upcard.library.sheet import SheetError
    from upcard.match.match_play import MatchOver
    from upcard.match.seated_match import DealResult, Match
    from upcard.players.guard import Misbehaved
    from upcard.players.protocol import Decision, Player, Value
    from upcard.players.registry import NoSuchPlayer
    from upcard.recycle.diagnostics import Diagnostic, RecycleError, Refused
    from upcard.rl.vector import EnvironmentMisuse, VectorEnvironment, vector
    from upcard.simulate.summary import Summary
    from upcard.spec_grammar import BadPlayer, Budget

__version__ = "0.1.0"

__all__ = [
    "BadArgument",
    "BadPlayer",
    "Budget",
    "Card",
    "CheckResult",
    "DealResult",
    "Decision",
    "Diagnostic",
    "Encoding",
    "EnvironmentMisuse",
    "Failure",
    "Game",
    "Hint",
    "IllegalMove",
    "Limits",
    "Match",
    "MatchOver",
    "Misbehaved",
    "Move",
    "NoEncoding",
    "NoSuchGame",
    "NoSuchPlayer",
    "Observation",
    "Outcome",
    "Place",
    "Player",
    "RecycleError",
    "Refused",
    "RuleError",
    "SheetError",
    "State",
    "Summary",
    "Value",
    "VectorEnvironment",
    "__version__",
    "arena",
    "check",
    "games",
    "graph",
    "hint",
    "load",
    "rl",
    "solve",
    "study",
    "vector",
    "verify",
]

_HOMES = {
    "BadArgument": "upcard.arguments",
    "BadPlayer": "upcard.spec_grammar",
    "Budget": "upcard.spec_grammar",
    "Card": "upcard.engine.api",
    "CheckResult": "upcard.library.check_result",
    "DealResult": "upcard.match.seated_match",
    "Decision": "upcard.players.protocol",
    "Diagnostic": "upcard.recycle.diagnostics",
    "Encoding": "upcard.encoding",
    "EnvironmentMisuse": "upcard.rl.vector",
    "Failure": "upcard.engine.api",
    "Game": "upcard.engine.game",
    "Hint": "upcard.advice.hint",
    "IllegalMove": "upcard.engine.api",
    "Limits": "upcard.engine.api",
    "Match": "upcard.match.seated_match",
    "MatchOver": "upcard.match.match_play",
    "Misbehaved": "upcard.players.guard",
    "Move": "upcard.engine.api",
    "NoEncoding": "upcard.encoding",
    "NoSuchGame": "upcard.library.lookup",
    "NoSuchPlayer": "upcard.players.registry",
    "Observation": "upcard.engine.api",
    "Outcome": "upcard.engine.api",
    "Place": "upcard.engine.api",
    "Player": "upcard.players.protocol",
    "RecycleError": "upcard.recycle.diagnostics",
    "Refused": "upcard.recycle.diagnostics",
    "RuleError": "upcard.engine.loader",
    "SheetError": "upcard.library.sheet",
    "State": "upcard.engine.state",
    "Summary": "upcard.simulate.summary",
    "Value": "upcard.players.protocol",
    "VectorEnvironment": "upcard.rl.vector",
    "arena": "upcard.arena",
    "check": "upcard.library.check_result",
    "games": "upcard.library.lookup",
    "graph": "upcard.graph",
    "hint": "upcard.advice.hint",
    "load": "upcard.engine.loader",
    "rl": "upcard.rl",
    "solve": "upcard.solve",
    "study": "upcard.study",
    "vector": "upcard.rl.vector",
    "verify": "upcard.verify",
}
"""Names are imported on first use, so that the command line starts at once."""

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
