"""Search players: Monte Carlo search over determinizations, flat and as a tree.

Modules:
    action_id            Kernels that compute action ids, independent of the other alternatives of a
                         decision.
    flat_search          Flat Monte Carlo search: budgets in slices, sums over worlds, values with errors.
    infoset_key          Kernels that compute information-set keys on the way down a search tree.
    ismcts               Information-set Monte Carlo tree search with one tree per seat.
    mcts                 Kernels of tree search in one determinization: the published MCTS
                         (docs/reference/players.md).
    memoryless           Memoryless players: they determinize only what the seat sees now.
    memoryless_rollouts  Kernels of flat search in memoryless determinizations.
    pimc                 Perfect-information Monte Carlo: tries every move in the same worlds and rolls
                         out at random.
    quick_likelihood     Kernels: how likely quick players make the moves that a seat saw.
    quick_play           Kernels of the quick player: a few random playouts in guesses of the hidden
                         cards, and deals so played.
    quick_player         The quick player: takes the alternative that does best in a few random playouts,
                         each in a new guess.
    race_table           The chance to win a race of two sides from every score, computed in machine code.
    rollout              Kernels that roll a deal out at random and compute its utility.
    search_code          Compiled search kernels bound to one game's functions and memory.
    search_players       Factory of search players; all of them need machine code.
    tree                 Kernels of multiple-observer information-set tree search.
    tree_buffer          Allocates the buffer of tree search, laid out as in `tree_memory`.
    tree_memory          Layout of the tree-search buffer: its head, entries, and lookup of an entry.
    tree_search          Runs tree search within a budget (kernels in `tree`).
    utility              Utility: the value of a deal's end to a seat, prepared for the search kernels.
    visibility           Visibility tables of a game, prepared for `action_id` and `infoset_key`.
    weighted_pimc        Flat search in worlds weighted by the likelihood of the observed moves.
    world_rollouts       Kernels of flat search: every alternative is tried in the same worlds.
"""
