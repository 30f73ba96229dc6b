"""Encodings: observations, actions and rewards of any game as numbers of fixed size.

Modules:
    action_numbers   Numbers of actions: what every move of a game is called in a fixed action space.
    action_plan      Plan of a program's actions in machine code: for each item of a choice, the numbers
                     of what it offers.
    byte_code        Rows of bytes in machine code: stores of eight bytes at a time that stay inside a row
                     of fixed size.
    card_parts       Parts of an encoded observation that are about cards: where each lies, and how many
                     lie where.
    content          What an observation of a program can hold: its places, storages and choices, found
                     from the text.
    encoder          Encoding: a game's observations, actions and rewards as numbers of fixed size.
    event_history    History: what a seat has seen so far as events of fixed size, for information states.
    field_code       Machine code that writes an observation's bytes from a state: straight-line code with
                     constant offsets.
    field_writers    Writers of the fields of an observation, one for each kind of part, for `field_code`.
    fields           Fields of an encoded observation: what each is called, where it lies, and what its
                     bytes mean.
    information_row  The bytes of an information state: the observation, the events that the seat has
                     seen, and a key.
    machine_code     The encoding of one game in machine code, for states of playing code.
    mask_code        Machine code that marks which actions are possible, and finds the alternative that an
                     action stands for.
    match_reward     Match reward: each seat's chance to win the match that a deal is part of, after the
                     deal.
    observation_row  The bytes of an observation: all parts one behind the other.
    parts            Parts of an encoded observation: storages, turns and teams; all parts in their order.
    phase            Phase: which choice of a program's text is open, found from the record that a seat
                     sees.
    recorded_moves   Kernels that number recorded alternatives: those that machine code tried out, with
                     what each picked.
    rewards          Rewards: what the end of a game is worth to each seat, as numbers.
"""

from upcard.encoding.content import NoEncoding
from upcard.encoding.encoder import Encoding
from upcard.encoding.fields import Field
from upcard.encoding.rewards import Rewards

__all__ = ["Encoding", "Field", "NoEncoding", "Rewards"]
