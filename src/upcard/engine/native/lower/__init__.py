"""Lowering: from a checked program to the IR.

Modules:
    actions              Lowers actions on cards: operands left to right, then the change, then its event.
    analysis             Static analysis of forms: whether they can fail or draw, and in which order cards
                         come.
    assemble             Assembles a program's module: functions, state layout, and the meaning of its
                         faults.
    bounds               Bounds on memory: how much room to keep for the cards of a collection and the
                         elements of a list.
    builder              IR builder: appends statements to the current block; a fault returns from the
                         function.
    card_faces           Faces and backs of the cards that the setup makes, where they are known when a
                         game is loaded.
    cards                Collections of cards in machine code: sets where order cannot matter, lists where
                         it can.
    choices              Lowers choices: counts or tries their alternatives, and records them.
    collections          Lowers collections of cards: locations, filters, set operations, ends, runs,
                         elements of lists.
    context              Lowering context: the program's facts, the function being written, and a function
                         per node.
    control              Lowers stages and steps: the walk from decision to decision, from setup to
                         scores.
    decisions            Lowers decisions: which item an alternative belongs to, and carrying it out.
    declarations         Declared values: which of them are constants when a game is loaded.
    grouped_collections  Lowers lists of collections: a count, then a word per element.
    initial_state        Lowers the start of a game: a fresh state, drawn declarations, teams, decks.
    items                Lowers items: the forms around actions, and how an `any` inside a choice takes
                         its element.
    list_values          Lowers lists of numbers, strings, players and teams, and loops over collections
                         of any kind.
    point_maps           Point maps: the words that setting one keeps, and the function that scores a card
                         by one.
    runtime              Runtime functions that every game's code calls: moving cards, drawing, picking
                         bits.
    score_values         Lowers scores of cards: sums, the best score, the best card with ties drawn.
    state_layout         State layout: a state is one flat block of memory, and copying it copies bytes.
    storage_actions      Lowers actions on storages, point maps, turns and teams, and decks created in
                         play.
    values               Lowers values of one word: numbers, conditions, strings, players, teams, cards.
    variables            Lowers variables: what `let` binds, and the variables around a choice, which
                         outlive a decision.
    workspace_plan       Plan of a program's workspace: what it begins with; the rest is allocated on
                         demand.
    fast/                Fast paths: cheaper lowerings that give the same results as the general ones.
"""

from upcard.engine.native.lower import (  # noqa: F401  (they register how forms are lowered)
    actions,
    collections,
    grouped_collections,
    items,
    list_values,
    score_values,
    storage_actions,
    values,
)
from upcard.engine.native.lower.assemble import Lowered, lower
from upcard.engine.native.lower.builder import NotLowered
from upcard.engine.native.lower.fast import bulk_moves, card_masks  # noqa: F401  (these too)
from upcard.engine.native.lower.state_layout import Layout

__all__ = ["Layout", "Lowered", "NotLowered", "lower"]
