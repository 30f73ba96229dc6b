"""Node classes of a typed program; import them from `upcard.recycle.program`.

Modules:
    actions            Nodes of items: blocks, simple actions, decks and teams.
    collections        Nodes of collections: cards, lists of collections, numbers, names.
    game               Nodes of a whole game: declarations, setup, stages, choices, scoring.
    node               Base classes of nodes: span, kind, variables, owners, and what every form declares.
    players_and_teams  Nodes of players and teams: one of them, and collections of them.
    syntax             How forms are written: the declarations from which words, arities, colours and
                       layouts derive.
    values             Nodes of single values: numbers, conditions, strings, point maps, cards.
"""
