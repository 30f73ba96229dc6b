"""Random games in bulk: sums, and traces decision by decision.

Modules:
    native_batch   Batches of random games in machine code on all cores, independent of how they are
                   sliced.
    native_traces  Traces of random games in machine code on all cores, independent of how they are
                   sliced.
    random_games   Simulates random games with either engine and sums them up.
    single_games   Random games one by one, as rows.
    stage_trace    Random games in machine code with the stages they pass through, to tell rounds apart.
    summary        Summary of many games in exact integer sums.
    trace_runs     Runs traces of random games with either engine.
    traces         Traces of games, and their exact sums.
"""
