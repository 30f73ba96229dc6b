"""Beliefs: consistent histories, determinizations and opponent models for a seat's information set.

Modules:
    action_match        Kernels that find an observed move among the alternatives of a world.
    candidates          Candidate items for another seat's decision: those that fit the actions seen.
    card_exclusion      Infers from the legality of observed moves which positions unknown cards cannot
                        have had.
    card_swaps          Determines which cards of a history may be exchanged in `world_walk`.
    constrained_deal    Kernels that deal unknown cards uniformly under the constraints of a history.
    decision_match      Matches a recorded decision with a step of a history.
    determinization     Determinization: samples full states from a seat's information set.
    evidence            Evidence: what a seat's record says about cards, places and storages, and its view
                        at each decision.
    first_shuffle       The first shuffle of a game: which of its positions goes where before the first
                        decision.
    hill_climb          Hill climbing: exchanges cards at random as long as the history gets further.
    history             A history consistent with everything that a seat has seen.
    history_replay      Replays a history from the deal with the game's own code and learns the outcomes
                        of its shuffles.
    history_steps       Steps of a history: each a decision with its item and picks.
    hypothesis          Hypothesis: the hidden part of a history, that is outcomes of shuffles, hidden
                        picks and other draws.
    kernel_structs      Structs that the kernels of belief and search share: a game, a history, and how
                        worlds are sampled from it.
    legality_inference  Kernels that infer from legality which cards a seat cannot have held.
    move_likelihood     Kernels that compute how likely the observed moves are in a world.
    observed_table      The part of the table that a seat sees: words that every world must share at a
                        decision.
    opponent_model      Opponent model: parameters of the likelihood of observed moves.
    relaxed_history     Relaxed history for seats without a consistent one: deals hidden cards anew at
                        every decision.
    repair              Repairs a history by directed exchanges of cards until its replay shows the seat
                        what it saw.
    world_sample        Kernels that sample worlds: deal cards to a history until it can have happened.
    world_walk          Kernels for a Markov-chain walk over consistent worlds.
"""
