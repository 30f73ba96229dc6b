"""Random games in bulk: sums, and traces decision by decision.

Modules:
    game_sums      What both levels of detail count: endings, lengths and first places, in exact integers.
    native_batch   Batches of random games in machine code on all cores, at either level of detail.
    random_games   Random games of one program, by either engine, at either level of detail.
    row_folder     A folder with the rows of a simulation: parts named by their deals, one game and one
                   seed for all.
    row_part       One part of the rows of a simulation: a parquet file of some deals, which says whose
                   rows they are.
    row_pieces     Plays deals as rows: pieces of a part, and whole parts for another process or machine.
    row_run        A simulation that writes its rows into a folder, and goes on from what is there.
    row_table      Games as Arrow tables, a row for each, and the summary of such a table.
    slice_sums     Sums of a slice of games: the kernels that add rows, and the memory in which they add.
    stage_trace    Random games in machine code with the stages they pass through, to tell rounds apart.
    summary        Summary of many games in exact integer sums.
    sums_detail    Random games summed up: a row of each game, and a summary of many.
    trace_sums     Exact sums of traces.
    traces         Traces of games: which seat chose among how many moves, decision by decision.
    traces_detail  Random games traced decision by decision, and exact sums of traces.
"""
