"""Checker: from forms to a typed program, with diagnostics.

Modules:
    actions        Checks simple actions.
    collections    Checks forms whose value is a card, a card collection or a list of collections.
    context        Checker context: findings, scopes, and evidence for the counting base.
    counting_base  Decides whether a program counts players from 0 or from 1, and checks its team lists.
    decks          Checks the setup: players, teams and decks.
    game_shape     Checks the shape of a game: declarations, setup, stages, choices, scoring.
    items          Checks items: blocks, conditionals, loops and lets; the sibling files check actions.
    numbers        Checks forms whose value is a number, string, condition, player or team.
    overrides      Applies overrides of declared values: house rules.
    point_maps     Checks the awards of a point map.
    regular        Checks regular forms: those whose operands their node class declares.
    values         Checks values bottom up, from a form to a typed expression.
"""
