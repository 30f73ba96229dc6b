"""Parallel work over ranges of deals, in order, with the same result for any number of processes.

Modules:
    child_signals  Signals of child processes: programs start with default actions, whatever this process
                   ignores.
    cluster        Workers of a Dask cluster as an Executor: one that runs, or one that is started for the
                   occasion.
    cores          Number of cores that this process may use.
    executor_map   Work on ranges by any Executor: results in order, with a bounded number of ranges under
                   way.
    job            A function and its context, sent to each worker process once and called there for range
                   after range.
    pool           Process pool: splits a range into pieces and yields their results in order.
    slices         Thread pool: cuts a range into slices that take about equally long and yields their
                   results in order.
    workers        Who does the work: a number of threads or processes, any Executor, or whatever suits
                   the work.
"""
