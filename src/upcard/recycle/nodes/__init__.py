"""Node classes of a typed program; import them from `upcard.recycle.program`.

Modules:
    actions      Nodes of items: blocks, simple actions, decks and teams.
    collections  Nodes of collections: cards, lists of collections, players, teams, numbers, names.
    node         Base classes of nodes: span, kind, variables, owners.
    values       Nodes of single values: numbers, conditions, strings, point maps, players, teams, cards.
"""
