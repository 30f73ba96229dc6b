"""Encodings: observations, actions and rewards of any game as numbers of fixed size.

Modules:
    action_numbers  Numbers of actions: what every move of a game is called in a fixed action space.
    content         What an observation of a program can hold: its places, storages and choices, found
                    from the text.
    encoder         Encoding: a game's observations, actions and rewards as numbers of fixed size.
    fields          Fields of an encoded observation: what each is called, where it lies, and what its
                    bytes mean.
    parts           Parts of an encoded observation: each writes the bytes of one field, and reads them.
    phase           Phase: which choice of a program's text is open, found from the record that a seat
                    sees.
    rewards         Rewards: what the end of a game is worth to each seat, as numbers.
"""

from upcard.encoding.content import NoEncoding
from upcard.encoding.encoder import Encoding
from upcard.encoding.fields import Field
from upcard.encoding.rewards import Rewards

__all__ = ["Encoding", "Field", "NoEncoding", "Rewards"]
