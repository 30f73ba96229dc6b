"""The typed program: output of the checker and input of every engine.

Every node is immutable and knows its span. All that was ambiguous in the text is settled here: which
`all` is meant, whether `top` gives a card or a collection, which words count players from 1. Kinds are
settled too, so an engine never asks what a value is. The families of nodes lie in `nodes/`; this is the
whole, and the one place that everybody takes nodes from.
"""

from upcard.recycle.nodes.actions import *  # noqa: F403
from upcard.recycle.nodes.collections import *  # noqa: F403
from upcard.recycle.nodes.game import *  # noqa: F403
from upcard.recycle.nodes.node import *  # noqa: F403
from upcard.recycle.nodes.players_and_teams import *  # noqa: F403
from upcard.recycle.nodes.syntax import *  # noqa: F403
from upcard.recycle.nodes.values import *  # noqa: F403
