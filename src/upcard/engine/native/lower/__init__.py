"""Lowering: from a checked program to the IR.

Modules:
    analysis         Static analysis of forms: whether they can fail or draw, and in which order cards
                     come.
    assemble         Assembles a program's module: functions, state layout, and the meaning of its faults.
    awards           Lowers awards: a card's score by a point map.
    blocks           Lowers items: blocks outside choices, and how an `any` inside one takes its element.
    bounds           Bounds on memory: how much room to keep for the cards of a collection and the
                     elements of a list.
    builder          IR builder: appends statements to the current block; a fault returns from the
                     function.
    card_actions     Lowers actions on cards: operands left to right, then the change, then its event.
    choices          Lowers choices: counts or tries alternatives, records them, and plays one.
    collections      Lowers card collections: sets where order cannot matter, lists where it can.
    computed_cards   Lowers computed card collections: filters, set operations, ends, runs, elements of
                     lists.
    control          Lowers stages and steps: the walk from decision to decision, from setup to scores.
    declarations     Declared values: which of them are constants when a game is loaded.
    groups           Lowers lists of collections: a count, then a word per element.
    initial_state    Lowers the start of a game: a fresh state, drawn declarations, teams, decks.
    loops            Lowers loops over collections, and conditions on a card as sets of cards.
    runtime          Runtime functions that every game's code calls: moving cards, drawing, picking bits.
    scalars          Lowers values of one word: numbers, conditions, strings, players, teams, cards.
    scores           Lowers scores of cards: sums, the best score, the best card with ties drawn.
    state_layout     State layout: a state is one flat block of memory, and copying it copies bytes.
    storage_actions  Lowers actions on storages, point maps, turns and teams, and decks created in play.
    workspace_plan   Plan of a program's workspace: what it begins with; the rest is allocated on demand.
    fast/            Fast paths: cheaper lowerings that give the same results as the general ones.
"""

from upcard.engine.native.lower.assemble import Lowered, lower
from upcard.engine.native.lower.state_layout import Layout, NotLowered

__all__ = ["Layout", "Lowered", "NotLowered", "lower"]
