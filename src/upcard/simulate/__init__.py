"""Random games in bulk: sums, and traces decision by decision.

Modules:
    game_sums      What both levels of detail count: endings, lengths and first places, in exact integers.
    native_batch   Batches of random games in machine code on all cores, at either level of detail.
    random_games   Random games of one program, by either engine, at either level of detail.
    slice_sums     Sums of a slice of games: the kernels that add rows, and the memory in which they add.
    stage_trace    Random games in machine code with the stages they pass through, to tell rounds apart.
    summary        Summary of many games in exact integer sums.
    sums_detail    Random games summed up: a row of each game, and a summary of many.
    trace_sums     Exact sums of traces.
    traces         Traces of games: which seat chose among how many moves, decision by decision.
    traces_detail  Random games traced decision by decision, and exact sums of traces.
"""
