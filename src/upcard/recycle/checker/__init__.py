"""Checker: from forms to a typed program, with diagnostics.

Modules:
    actions        Checks items and actions.
    collections    Checks forms whose value is a card, a card collection or a list of collections.
    context        Checker context: findings, scopes, and evidence for the counting base.
    counting_base  Decides whether a program counts players from 0 or from 1, and checks its team lists.
    decks          Checks the setup: players, teams and decks.
    game_shape     Checks the shape of a game: declarations, setup, stages, choices, scoring.
    numbers        Checks forms whose value is a number, string, condition, player or team.
    overrides      Applies overrides of declared values: house rules.
    values         Checks values bottom up, from a form to a typed expression.
"""
