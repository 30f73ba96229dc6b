"""What both engines share: the table, knowledge, records, named moves, observations.

Modules:
    action_set      The bounded set of actions of a game: every item of every choice with every pick it
                    can have.
    alternatives    An alternative of a decision: its item, the values of its `any` forms, and its
                    effects.
    effect_records  Turns effects of actions into records for transcripts.
    flat_program    A program's body as a flat list of steps, so that a position in it is one number.
    game            Base class of loaded games: name, program, facts, identity.
    game_pickle     Pickles games by name, text and rules, and restores a game that is still in use as the
                    same object.
    given           Storages that a match gives a value before a deal: checked, and as the keys of a
                    table.
    hidden_cards    Samples the cards that a seat does not see (docs/language/knowing.md), or without
                    memory.
    hidden_lets     Finds lets around a choice that may read cards hidden from the chooser.
    knowledge       What each seat knows about the position of cards (docs/language/knowing.md).
    state           Base class of states in both engines: moves, record, observations.
    table           The table: cards in places, storages, cycles, variables, and a trail that undoes every
                    change.
    views           Builds observations and named moves from a state (docs/language/knowing.md).
"""
