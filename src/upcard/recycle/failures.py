"""Sentences of run-time errors, each said in one wording by both engines.

Braces stand for numbers that the engine fills in. Node classes list the sentences that their forms can end in
(`failures`).
"""

from __future__ import annotations

from upcard.recycle.limits import (
    MAX_CARDS_PICKED,
    MAX_COUNT,
    MAX_NUMBER,
    MAX_PICKS,
    MAX_PICKS_LISTED,
    MAX_REFERENCES,
    MAX_SUBSETS,
)

# numbers
TOO_WIDE = "the result does not fit in 64 bits"
DIVIDED_BY_ZERO = "a number is divided by zero"
NEGATIVE_EXPONENT = "an exponent is negative"
NEGATIVE_TRI = "tri is not defined for a negative number"
NEGATIVE_FIB = "fib is not defined for a negative number"
NOTHING_TO_DRAW = "there is no number from {} to {}"
RANDOM_TOO_WIDE = "the range of random does not fit in 64 bits"
TOO_MANY_NUMBERS = f"a range has at most {MAX_COUNT:,} numbers"

# scores
NO_CARD_TO_SCORE = "there is no card to score"
NO_CARDS_TO_SCORE = "there are no cards to score"
NO_GREATEST_CARD = "there are no cards, so none is the greatest"
NO_LEAST_CARD = "there are no cards, so none is the least"

# variables, players and teams
NO_VALUE_YET = "the variable '{} has no value yet"
NO_SUCH_PLAYER = "there is no player {}"
NO_SUCH_TEAM = "there is no team {}"
NO_TEAMS_YET = "there are no teams yet"
TEAM_IS_GONE = "this team no longer exists: the teams were created again"
IN_TWO_TEAMS = "a player is named in two teams"
NO_CARD_TO_OWN = "there is no card whose owner could be named"
OWNED_BY_TABLE = "this card belongs to the table, not to a player"

# collections
NO_SUCH_NUMBER = f"locations are numbered 0 to {MAX_NUMBER}, not {{}}"
NO_SUCH_CARD = "there is no card number {} among {}"
TOO_FEW_CARDS = "{} cards are needed, but there are only {}"
NO_COLLECTIONS = "there are no collections in this list"
NO_SUCH_COLLECTION = "there is no collection number {} among {}"
EMPTY_TUPLES = "a tuple has at least one card, not {}"
TOO_MANY_CARDS = f"a collection holds at most {MAX_COUNT:,} cards"
TOO_MANY_GROUPS = f"this makes more than {MAX_COUNT:,} groups, or groups of too many cards"
TOO_MANY_SUBSETS = f"subsets takes at most {MAX_SUBSETS} cards, not {{}}"

# actions
NO_CARD_TO_MOVE = "there is no card to move"
NO_CARD_TO_REMEMBER = "there is no card to remember"
NO_CARD_TO_FORGET = "there is no card to forget"
NO_CARD_TO_SWAP = "there is no card to swap"
NO_CARD_BESIDE = "there is no card to put another one beside"
NO_SUCH_PLACE = "there is no place number {} among {} cards"
NOT_A_LOCATION = "a card can be put only into a location, not into a computed collection"
MOVED_FROM_MEMORY = "a card cannot be moved out of a memory"
MOVED_INTO_MEMORY = "a card cannot be moved into a memory; remember it there"
NOT_A_MEMORY = "a card can be remembered only in a mem location"
NOT_REMEMBERED = "only a card in a mem location can be forgotten"
SWAPPED_IN_MEMORY = "cards cannot be swapped in a memory"
NOT_SWAPPABLE = "only two locations that own their cards can be swapped"
WRONG_STACK = "the stacked deck does not match the cards shuffled here"
TOO_MANY_REFERENCES = f"a memory holds at most {MAX_REFERENCES:,} references"
TOO_MANY_TIMES = f"a repeat runs at most {MAX_COUNT:,} times, not {{:,}}"
TOO_MANY_MADE = "this game can have at most {:,} cards"

# decisions
NOTHING_TO_CHOOSE = "this choice has no alternatives"
TOO_MANY_ALTERNATIVES = f"a decision has at most {MAX_COUNT:,} alternatives"
TOO_MANY_PICKS = f"an alternative has at most {MAX_PICKS:,} picks"
TOO_MANY_LISTED = f"the alternatives of a decision have at most {MAX_PICKS_LISTED:,} picks together"
TOO_MANY_PICKED = (
    f"the groups picked in the alternatives of a decision hold at most {MAX_CARDS_PICKED:,} cards"
)
TOO_MUCH_WORK = "a decision takes at most {:,} units of work"
