"""Structs that the kernels of belief and search share: a game, a history, and how worlds are sampled from it.

A history is a `HistoryHead`, then the outcomes of its shuffles (a count and the cards, each), its decisions
from the word `first` on (`HistoryStep`), two sets of cards, and what the seat saw at its decisions
(`Sighting`).
"""

from __future__ import annotations

from upcard.engine.native.kernels.language import Float, Int, Ptr
from upcard.engine.native.kernels.structs import Array, Struct
from upcard.engine.native.kernels.workspace_growth import WorkspaceHead


class Game(Struct):
    """What kernels that are compiled once need of a game: addresses of its functions, and where its states
    and workspaces keep things, in words unless bytes are named."""

    deal: Int
    advance: Int
    apply: Int
    relist: Int
    playout: Int
    state_words: Int
    # words of a state
    pc: Int
    ending: Int
    choices: Int
    decisions: Int
    scores: Int
    seats: Int
    """How many there are."""
    name: Int
    chance: Int
    # words of a workspace
    items_at: Int
    masks_at: Int
    mask_words: Int
    stack_at: Int
    stack_words: Int
    stacked: Int
    recorded_at: Int
    # where cards lie in a state
    sets_at: Int
    set_words: Int
    where_at: Int
    """In elements of `where_bytes`."""
    where_bytes: Int
    streams_at: Int
    """Word of a workspace: the streams of seats that play at random."""
    card_bytes: Int
    lists: Array[Int]
    """Per place the byte of its list in a state, or -1."""


class HistoryHead(Struct):
    """The head of a history."""

    decisions: Int = 0
    shuffles: Int = 0
    checks: Int = 0
    """Decisions at which it is known what the seat saw."""
    first: Int = 0
    """The word where the decisions begin."""
    checks_at: Int = 0
    number: Int = 0
    """Of the deal whose chance it has, beside its shuffles."""
    unknown: Int = 0
    """The word where the set of unknown cards is; behind it that of all cards that can be exchanged."""
    belief: Int = 0
    """The word where the belief is (`move_likelihood`); 0: observed moves tell only what was possible."""
    orders: Array[Int]


class HistoryStep(Struct):
    """A decision of a history. A variant is the same decision by another item, since the seat cannot tell
    which item it was; the length of the first is that of all together."""

    length: Int
    step: Int
    item: Int
    how: Int
    """How its alternative is found: BIT, CARD or RECORDED (`action_match`)."""
    value: Int
    """The bit or the card."""
    shuffles: Int
    """Before it."""
    copy: Int
    """Which of equal alternatives, or ANY_COPY."""
    seen: Int
    """SEEN, TOKEN or DRAWN."""
    items_before: Int
    """How many recorded items come before its own; their numbers are the first of `rest`."""
    picks: Int
    """How many, or ANY_PICKS."""
    index: Int
    """Where its alternative was found last."""
    eligible: Int
    """The word where its eligible cards are, as a set."""
    kept_index: Int
    """The index in the world that is kept."""
    next: Int
    """How many words on its next variant begins, 0: there is none."""
    pick: Int
    """The word of the card that was picked unseen, 0: not one card."""
    rest: Array[Int]
    """Items before its own; the picks (kind, then value, or count and cards); eligible cards."""


class Sighting(Struct):
    """What the seat saw at a decision."""

    runs: Int
    """Runs of words; each has its first word of a state, its length and its values."""
    places: Int
    """Places whose number of cards was seen: first word of the set, and the number."""
    leaving: Int
    """Cards and the places that they were seen to leave next."""
    places_at: Int
    """The word where the places begin."""
    rest: Array[Int]


class WorldTally(Struct):
    """What is noted about the worlds of a search."""

    step_weight: Float = 0.0
    """Of one decision, while a history is replayed."""
    weight: Float = 0.0
    """Of the world that was sampled last."""
    tried: Int = 0
    missing: Int = 0
    """Worlds that were wanted and not found."""
    walked: Int = 0
    """Worlds that come from a walk."""
    met: Int = 0
    """Cards that lie where they were seen to leave next, at the last decision that looked as seen."""


class Exchange(Struct):
    """A card that a walk may exchange with others of its group."""

    card: Int
    sort: Int
    """Cards of one sort are not exchanged with each other."""
    first: Int
    """Where its group begins."""
    count: Int
    """How many are in it."""


class Walk(Struct):
    """A walk among the worlds of a history; behind the cards lie the walk's own swaps."""

    replaces_dealing: Int
    """Dealing is given up."""
    steps: Int
    """Exchanges from one world to the next."""
    steps_after_deal: Int
    movable: Int
    """How many cards may be exchanged in a walk; they come first."""
    mates: Int
    """How many cards may be exchanged after a deal."""
    cards: Array[Exchange]


class WorldSampler(Struct):
    """What the worlds of an observation are sampled from."""

    game: Game
    history: HistoryHead
    plans: Ptr
    """Deals under constraints (`constrained_deal`), one after the other."""
    plan_count: Int
    swaps: Ptr
    """Two words a card: the card that takes its part, and from which shuffle on."""
    walk: Walk
    work: WorkspaceHead
    stream: Ptr
    tally: WorldTally
